import type { OptionChain } from '../chains.ts';
import type { Delivery } from '../feed.ts';
import { decimal, type FieldScanner, fieldScanner, fieldText } from './fields.ts';
import type { ClassedContracts } from './chains-classed-contracts.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';

/** The delimiters of tables, the most usual first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The delimiter that a header line is parted by. */
export function delimiterOf(header: string): string {
  const parts = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.reduce<string>((best, one) => (parts(one) > parts(best) ? one : best), ',');
}

/** The names in a header line, as they look in lower case. */
export const headerNames = (header: string): string[] =>
  header.split(delimiterOf(header)).map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase());

/** The cells of the row at hand by the names of their columns. */
export interface Cells {
  /** Cuts a row; false when its quoting is broken or it has too few columns. */
  scan(bytes: Uint8Array, start: number, end: number): boolean;
  text(name: string): string;
  /**
   * The number in a cell; NaN when it is empty, when it says that there is none (`NaN`, `null`) or when the table has no
   * such column. What is no number at all is told by `isBroken`.
   */
  number(name: string): number;
  /** Whether a number that was asked for since the last `scan` was something else. */
  readonly isBroken: boolean;
}

const SAYS_NONE = /^(|nan|null|none|n\/a|-)$/i;

export function cellsOf(names: readonly string[], delimiter: string): Cells {
  const fields: FieldScanner = fieldScanner(delimiter);
  const places = new Map(names.map((name, place) => [name, place]));
  let row: Uint8Array = new Uint8Array(0);
  let broken = false;
  return {
    scan(bytes, start, end) {
      row = bytes;
      broken = false;
      return fields.scan(bytes, start, end) >= names.length;
    },
    text(name) {
      const place = places.get(name);
      return place === undefined ? '' : fieldText(row, fields.starts[place]!, fields.ends[place]!);
    },
    number(name) {
      const place = places.get(name);
      if (place === undefined) return Number.NaN;
      const value = decimal(row, fields.starts[place]!, fields.ends[place]!);
      if (Number.isNaN(value) && !SAYS_NONE.test(fieldText(row, fields.starts[place]!, fields.ends[place]!)))
        broken = true;
      return value;
    },
    get isBroken() {
      return broken;
    },
  };
}

/** What is told of a chain beside its contracts. */
export type ChainHead = Pick<OptionChain, 'symbol' | 'takenAt' | 'underlyingPrice' | 'style'>;

export const chainDelivery = (head: ChainHead, contracts: ClassedContracts): Delivery => ({
  kind: 'chain',
  chain: { ...head, multiplier: STANDARD_MULTIPLIER, contracts: contracts.take(), simulated: false },
});

/** 1 for a call, -1 for a put, NaN for neither. */
export function rightOf(text: string): number {
  switch (text.toLowerCase()) {
    case 'c':
    case 'call':
      return 1;
    case 'p':
    case 'put':
      return -1;
    default:
      return Number.NaN;
  }
}

/** RFC 3339 with a zone: an instant without one would be a guess. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Epoch milliseconds of a written instant, the first whole one that is not before it; NaN when it is none. */
export function instantOf(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN;
  try {
    const { epochNanoseconds } = Temporal.Instant.from(text);
    return Number((epochNanoseconds + 999_999n) / 1_000_000n);
  } catch {
    return Number.NaN;
  }
}
