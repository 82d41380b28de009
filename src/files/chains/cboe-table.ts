import type { Calendar } from '../../base/calendar.ts';
import { indexOfRoot } from '../../base/option-roots.ts';
import { newYorkDay, tradeDateOf } from '../../base/time-zone.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import { type RefusalTally, refusedFile } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { choice } from '../choices.ts';
import { decimal, fieldScanner, fieldText } from '../fields.ts';
import { writtenNumber } from '../numbers.ts';
import { readRows } from '../source-file.ts';
import { timeReader } from '../times.ts';
import {
  type ClassedContract,
  chainDelivery,
  contractSymbol,
  isAdjustedRoot,
  numberIn,
  styleOf,
} from './contracts.ts';

/** Whether a line is the header of such a table. */
export const isCboeHeader = (line: string): boolean => /^"?expiration date"?,"?calls"?,/i.test(line);

/** The columns of a side from its option symbol on: last sale, net, bid, ask, volume, IV, delta, gamma, open interest. */
const CALL = 1;
const PUT = 12;
const COLUMNS = 22;

/**
 * A delayed quote table as Cboe offers it: name and last price of the underlying, the instant of the download, the
 * header, then a row for each class, expiration and strike with its call and its put. The instant is prose in varying
 * forms; one that is not recognised refuses the file unless the caller states the instant.
 *
 * @param asOf epoch milliseconds of a file without a complete instant
 */
export async function* cboeTable(
  file: TextFile,
  asOf: number | undefined,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { where } = file;
  const fields = fieldScanner(',');
  const chains = new Map<string, ClassedContract[]>();
  let head: string | null = '';
  let dateLine = '';
  let takenAt = Number.NaN;
  let underlyingPrice = Number.NaN;

  const side = (bytes: Uint8Array, first: number): RefusalReason | null => {
    const { starts, ends } = fields;
    const contract = contractSymbol(fieldText(bytes, starts[first]!, ends[first]!));
    if (contract === null) return 'bad_symbol';
    if (isAdjustedRoot(contract.root)) return 'adjusted_contract';
    const value = (column: number): number => {
      const [from, to] = [starts[first + column]!, ends[first + column]!];
      const number = decimal(bytes, from, to);
      return Number.isNaN(number) ? numberIn(fieldText(bytes, from, to)) : number;
    };
    const { root, ...named } = contract;
    const row = {
      ...named,
      last: value(1),
      bid: value(3),
      ask: value(4),
      volume: value(5),
      vendorIv: value(6),
      vendorDelta: value(7),
      vendorGamma: value(8),
      // The strike is the column between the open interest of the calls and the puts.
      openInterest: value(9),
    };
    if (Object.values(row).includes(Number.POSITIVE_INFINITY)) return 'not_a_number';
    const underlying = indexOfRoot(root);
    chains.getOrInsertComputed(underlying, () => []).push({ root, row });
    return null;
  };
  await readRows(file, tally, (bytes, start, end, line) => {
    if (head !== null) {
      const text = fieldText(bytes, start, end);
      if (!isCboeHeader(text)) head += `${text}\n`;
      else {
        dateLine = dateTextIn(head);
        takenAt = downloadedAt(head);
        if (Number.isNaN(takenAt) && asOf !== undefined && isOfDay(dateLine, asOf)) takenAt = asOf;
        underlyingPrice = priceIn(head);
        head = null;
      }
      return null;
    }
    const isRow = fields.scan(bytes, start, end) >= COLUMNS;
    for (const first of [CALL, PUT]) {
      const reason = isRow ? side(bytes, first) : 'wrong_columns';
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    }
    return null;
  });
  if (Number.isNaN(takenAt)) {
    const fault =
      asOf === undefined
        ? `the lines above the header name no whole date and time; state the instant with ${choice('as_of')}`
        : `the lines above the header name another day than ${choice('as_of')}`;
    yield refusedFile('bad_time', where, dateLine === '' ? fault : `${fault}: ${dateLine}`);
    return;
  }
  if (chains.size > 1) {
    const fault = `contracts of ${[...chains.keys()].join(' and ')} under one price: make a file of each`;
    yield refusedFile('bad_symbol', where, fault);
    return;
  }
  for (const [symbol, contracts] of chains) {
    yield chainDelivery({ symbol, takenAt, underlyingPrice, style: styleOf(symbol) }, contracts, calendar);
  }
}

/** The end of a date line is the next column: `"Date: July 9, 2022 at 5:28 p.m. EDT",Bid: 388.68` or without quotes. */
const DATE_LINE = /Date:\s*([^"\n]*?)(?:",|,?\s*Bid:|"?$)/im;
/** `Jul 16 2018 @ 10:15 ET`, as tables of earlier years have it. */
const EARLIER_DATE_LINE = /^"?([A-Z][a-z]{2} \d{1,2},? \d{4} @ [^",\n]*)/m;
const DAY_OF_YEAR = /^([a-z]+ \d{1,2}|\d{1,2} [a-z]+)\b/i;
const readNewYork = timeReader('America/New_York');

const dateTextIn = (head: string): string =>
  (DATE_LINE.exec(head) ?? EARLIER_DATE_LINE.exec(head))?.[1] ?? '';

/** The price in `SPDR S&P 500 ETF Trust,Last: 388.67,Change: -0.32`, or behind the name as in tables of earlier years. */
const priceIn = (head: string): number =>
  writtenNumber(/\bLast:\s*([\d.,]*\d)/.exec(head)?.[1] ?? /^\s*[^,\n]*\),([\d.]+),/.exec(head)?.[1] ?? '');

/**
 * The instant in a line such as `Date: September 14, 2023 at 4:31 PM EDT` or `Date: 22 March 2024, 9:46 PM EDT`:
 * the end of the minute, since it has no seconds. NaN when there is none.
 */
export function downloadedAt(head: string): number {
  const text = dateTextIn(head);
  return /\d:\d/.test(text) ? readNewYork(text.replace('@', '')).instant + 59_999 : Number.NaN;
}

/** Whether a date without a year or a time agrees with the New York day of an instant. */
function isOfDay(text: string, instant: number): boolean {
  const year = tradeDateOf(instant).slice(0, 4);
  const days = [text, text.replace(DAY_OF_YEAR, `$1 ${year}`)].map((written) => readNewYork(written).day);
  const day = days.find((it) => !Number.isNaN(it));
  return day === undefined || day === newYorkDay(instant);
}
