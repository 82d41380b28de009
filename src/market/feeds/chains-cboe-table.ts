import type { Calendar } from '../../base/calendar.ts';
import { midnightUtcOf } from '../../base/dates.ts';
import { indexOfRoot } from '../../base/option-roots.ts';
import { tradeDateOf, zonedToUtc } from '../../base/time-zone.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import { type RefusalTally, refusedFile } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import {
  type ClassedContract,
  chainDelivery,
  contractSymbol,
  isAdjustedRoot,
  styleOf,
} from './chains-contracts.ts';
import { decimal, fieldScanner, fieldText } from './fields.ts';
import { readRows } from './source-file.ts';

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
    const value = (column: number): number => decimal(bytes, starts[first + column]!, ends[first + column]!);
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
    if (Object.values(row).some(Number.isNaN)) return 'not_a_number';
    const underlying = indexOfRoot(root);
    chains.getOrInsertComputed(underlying, () => []).push({ root, row });
    return null;
  };
  await readRows(file, tally, (bytes, start, end, line) => {
    if (head !== null) {
      const text = fieldText(bytes, start, end);
      if (!isCboeHeader(text)) head += `${text}\n`;
      else {
        dateLine = /Date:[^\n]*/i.exec(head)?.[0] ?? '';
        takenAt = downloadedAt(head);
        if (Number.isNaN(takenAt) && asOf !== undefined && isOfDay(dateLine, asOf)) takenAt = asOf;
        underlyingPrice = Number(/\bLast:\s*([\d.]+)/.exec(head)?.[1] ?? Number.NaN);
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
        ? 'the lines above the header name no whole date and time; state the instant with --as-of'
        : 'the lines above the header name another day than --as-of';
    yield refusedFile('bad_time', where, `${fault}: ${dateLine}`);
    return;
  }
  for (const [symbol, contracts] of chains) {
    yield chainDelivery({ symbol, takenAt, underlyingPrice, style: styleOf(symbol) }, contracts, calendar);
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const DATE = new RegExp(`(?:${MONTH} (\\d{1,2})|(\\d{1,2}) ${MONTH}),? (\\d{4})`, 'i');
const DAY_OF_YEAR = new RegExp(`(?:${MONTH} (\\d{1,2})|(\\d{1,2}) ${MONTH})\\b`, 'i');
const CLOCK = /(\d{1,2}):(\d{2})(?::\d{2})? ?([AP])M ?(E[DS]?T)?/i;
/** Hours behind UTC. */
const OFFSET_HOURS: Readonly<Record<string, number>> = { EDT: 4, EST: 5 };
const newYork = zonedToUtc('America/New_York');

/**
 * The instant in a line such as `Date: September 14, 2023 at 4:31 PM EDT` or `Date: 22 March 2024, 9:46 PM EDT`:
 * the end of the minute, since it has no seconds. NaN when there is none.
 */
export function downloadedAt(head: string): number {
  const line = /Date:\s*([^\n]*)/i.exec(head)?.[1] ?? '';
  const date = DATE.exec(line);
  const clock = CLOCK.exec(line);
  if (date === null || clock === null) return Number.NaN;
  const [, monthFirst, dayAfter, dayBefore, monthAfter, year] = date;
  const month = MONTHS.indexOf((monthFirst ?? monthAfter)!.toLowerCase()) + 1;
  const day = Number(dayAfter ?? dayBefore);
  const hour = (Number(clock[1]) % 12) + (clock[3]!.toUpperCase() === 'P' ? 12 : 0);
  const minute = Number(clock[2]);
  if (Number(clock[1]) > 12 || minute > 59) return Number.NaN;
  const behind = OFFSET_HOURS[clock[4]?.toUpperCase() ?? ''];
  const start =
    behind === undefined
      ? newYork(Number(year), month, day, hour, minute, 0, 0)
      : midnightUtcOf(Number(year), month, day) + ((hour + behind) * 60 + minute) * 60_000;
  return start + 59_999;
}

/** Whether the parts of a date that a line has agree with the New York day of an instant. */
function isOfDay(line: string, instant: number): boolean {
  const date = DAY_OF_YEAR.exec(line);
  if (date === null) return true;
  const [, monthFirst, dayAfter, dayBefore, monthAfter] = date;
  const [year, month, day] = tradeDateOf(instant).split('-').map(Number);
  return (
    Number(/\b\d{4}\b/.exec(line)?.[0] ?? year) === year &&
    MONTHS.indexOf((monthFirst ?? monthAfter)!.toLowerCase()) + 1 === month &&
    Number(dayAfter ?? dayBefore) === day
  );
}
