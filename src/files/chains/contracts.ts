import type { Calendar } from '../../base/calendar.ts';
import { midnightUtcOf } from '../../base/dates.ts';
import { isOptionIndex, SETTLEMENTS, settlementOf } from '../../base/option-roots.ts';
import type { ContractRow, OptionChain } from '../../market/chains.ts';
import { ContractColumnBuilder } from '../../market/column-builder.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason, Refused } from '../../market/refusals.ts';
import { type RefusalTally, refusedFile } from '../../market/refusals.ts';
import { STANDARD_MULTIPLIER } from '../../market/validate-chain.ts';
import type { TextFile } from '../archive.ts';
import { decimal, delimiterOf, fieldScanner, fieldText } from '../fields.ts';
import { type Members, memberAt, textOf } from '../json.ts';
import { isAbsent, writtenNumber } from '../numbers.ts';
import { deliverRows } from '../source-file.ts';

/** `AAPL  260821C00110000`: root, padded or not; year, month, day; right; strike in thousandths of a dollar. */
const FORM = /^([A-Z][A-Z.]{0,5}\d?) *(\d\d)(\d\d)(\d\d)([CP])(\d{8})$/;

/**
 * Reads an option symbol in the form of the Options Clearing Corporation; null when it is none. The root is the class:
 * the underlying's ticker, a weekly class of an index (`SPXW`), or an adjusted one (`AAPL1`).
 */
export function contractSymbol(text: string) {
  const parts = FORM.exec(text.trim().toUpperCase());
  if (parts === null) return null;
  const [, root, year, month, day, right, strike] = parts;
  const expiration = midnightUtcOf(2000 + Number(year), Number(month), Number(day));
  if (Number.isNaN(expiration)) return null;
  return { root: root!, expiration, right: right === 'C' ? 1 : -1, strike: Number(strike) / 1000 };
}

/** The clearing house marks a series that a corporate action has changed with a digit behind its root. */
export const isAdjustedRoot = (root: string): boolean => /\d$/.test(root);

/** Options on an index are European; those on the S&P 100 by its own root are the exception. */
export const styleOf = (underlying: string): 'american' | 'european' =>
  isOptionIndex(underlying) && underlying !== '^OEX' ? 'european' : 'american';

/** A contract as a source has it, under its class; null where the source names none. */
export interface ClassedContract {
  readonly root: string | null;
  readonly row: Omit<ContractRow, 'settlement'>;
}

/** The names in a header line, in lower case, without brackets around them. */
export const headerNames = (header: string): string[] =>
  header.split(delimiterOf(header)).map((name) =>
    name
      .trim()
      .replace(/^["[]|["\]]$/g, '')
      .toLowerCase(),
  );

/**
 * Reads a table with a header line, and yields what is `due` after each chunk and at the end.
 *
 * @param faultOf why a header is refused, or null; the rows of a refused table are not read
 * @param take takes a row and returns null, or the reason of its refusal
 */
export async function* readTable<Item>(
  file: TextFile,
  tally: RefusalTally,
  faultOf: (names: readonly string[]) => string | null,
  take: (cells: Cells) => RefusalReason | null,
  due: (finished: boolean) => Iterable<Item>,
): AsyncGenerator<Item | Refused> {
  let cells: ReturnType<typeof cellsOf> | null = null;
  let fault: string | null = null;
  const rows = deliverRows(
    file,
    tally,
    (bytes, start, end) => {
      if (fault !== null) return null;
      if (cells !== null) return cells.scan(bytes, start, end) ? take(cells) : 'wrong_columns';
      const header = Buffer.from(bytes.subarray(start, end)).toString('utf8');
      const names = headerNames(header);
      fault = faultOf(names);
      cells = cellsOf(names, delimiterOf(header));
      return null;
    },
    due,
  );
  for await (const item of rows) yield item;
  if (fault !== null) yield refusedFile('wrong_columns', file.where, fault);
}

/** What a source says of a contract, by the names of its columns or the paths of its members. */
export interface Cells {
  /** Empty where the source has no such name. */
  text(name: string): string;
  /** NaN where the source has no such name or says that there is no value; infinite for what is no number. */
  number(name: string): number;
}

/** The number in a text, as `Cells` gives it. */
export const numberIn = (text: string): number => {
  const value = writtenNumber(text);
  return Number.isNaN(value) && !isAbsent(text) ? Number.POSITIVE_INFINITY : value;
};

function cellsOf(names: readonly string[], delimiter: string) {
  const fields = fieldScanner(delimiter);
  const columns = new Map(names.map((name, column) => [name, column]));
  let row: Uint8Array = new Uint8Array(0);
  const text = (name: string): string => {
    const column = columns.get(name);
    return column === undefined ? '' : fieldText(row, fields.starts[column]!, fields.ends[column]!);
  };
  return {
    /** Cuts a row; false when its quoting is broken or it has too few columns. */
    scan(bytes: Uint8Array, start: number, end: number): boolean {
      row = bytes;
      return fields.scan(bytes, start, end) >= names.length;
    },
    text,
    number(name: string): number {
      const column = columns.get(name);
      if (column === undefined) return Number.NaN;
      const value = decimal(row, fields.starts[column]!, fields.ends[column]!);
      return Number.isNaN(value) ? numberIn(text(name)) : value;
    },
  };
}

/** The members of a contract by path; behind a slash those of the file, e.g. `/timestamp`. */
export function cellsOfMembers(contract: Members, file: Members): Cells {
  const at = (name: string): unknown =>
    name.startsWith('/') ? memberAt(file, name.slice(1)) : memberAt(contract, name);
  return {
    text: (name) => textOf(at(name)),
    number(name) {
      const value = at(name);
      if (typeof value === 'number' || value === undefined || value === null) return value ?? Number.NaN;
      return typeof value === 'string' ? numberIn(value) : Number.POSITIVE_INFINITY;
    },
  };
}

export type ChainHead = Pick<OptionChain, 'symbol' | 'takenAt' | 'underlyingPrice' | 'style'>;

export function chainDelivery(
  head: ChainHead,
  contracts: Iterable<ClassedContract>,
  { isSession }: Pick<Calendar, 'isSession'>,
): Delivery {
  const builder = new ContractColumnBuilder();
  for (const { root, row } of contracts) {
    const settlement = settlementOf(
      { underlying: head.symbol, style: head.style, root },
      row.expiration,
      isSession,
    );
    builder.push({ ...row, settlement: SETTLEMENTS.indexOf(settlement) });
  }
  const terms = { multiplier: STANDARD_MULTIPLIER, contracts: builder.take(), simulated: false };
  return { kind: 'chain', chain: { ...head, ...terms } };
}

/** 1 for a call, -1 for a put, NaN for neither. */
export function rightOf(text: string): number {
  const word = text.toLowerCase();
  return word === 'c' || word === 'call' ? 1 : word === 'p' || word === 'put' ? -1 : Number.NaN;
}
