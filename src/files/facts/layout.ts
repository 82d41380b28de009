import type { FactKind } from '../../market/facts.ts';
import { tickerOf } from '../fields.ts';
import { isMembers, type Members, memberAt, textOf } from '../json.ts';
import { isAbsent, writtenNumber } from '../numbers.ts';

/** How the JSON of a source says facts: each description makes a row of `docs/data-formats.md` of every item. */
export interface FactLayout {
  /** The items of a file of this layout; null for a file of another. */
  readonly itemsIn: (file: unknown) => readonly unknown[] | null;
  readonly facts: readonly FactDescription[];
}

export interface FactDescription {
  readonly kind: FactKind;
  /** The ticker, or a list of tickers or of objects with a `ticker`: the fact is of each. */
  readonly symbol: string;
  /** Columns by the path of the member that has them, or by what makes them of an item. */
  readonly columns: Readonly<Record<string, string | ((item: Members, symbol: string) => unknown)>>;
  /** Whether the item has such a fact. */
  readonly isSaid?: (item: Members) => boolean;
  /** A currency of the figures; others than US dollars are not read. */
  readonly currencies?: readonly string[];
}

/** The value of a member times a power of ten: fractions in percent (2), millions in dollars (6). */
export const scaled =
  (path: string, power: number) =>
  (item: Members): unknown => {
    const text = textOf(memberAt(item, path));
    if (isAbsent(text)) return text;
    const value = writtenNumber(text);
    // The exponent in the text rounds once: 0.144 is 14.4 percent.
    return Number.isNaN(value)
      ? text
      : Number(/e/i.test(`${value}`) ? value * 10 ** power : `${value}e${power}`);
  };

/** The first of some members that is there. */
export const firstOf =
  (...paths: readonly string[]) =>
  (item: Members): unknown =>
    paths.map((path) => memberAt(item, path)).find((value) => value !== undefined && value !== null);

/** The tickers that an item names; those of currencies and coins (`CRYPTO:BTC`) are none. */
export function tickersIn(value: unknown): string[] {
  const listed = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  const texts = listed.map((it) => textOf(isMembers(it) ? it.ticker : it));
  return [...new Set(texts.map(tickerOf).filter((ticker) => ticker !== null))];
}

/** A row by column name, or why it is refused as a sentence. */
export type SaidRow = { readonly row: Map<string, unknown> } | { readonly fault: string };

/** The rows that an item says. */
export function* rowsOf(item: Members, facts: readonly FactDescription[]): Generator<SaidRow> {
  for (const { kind, symbol, columns, isSaid, currencies = [] } of facts) {
    if (isSaid !== undefined && !isSaid(item)) continue;
    const foreign = currencies
      .map((path) => textOf(memberAt(item, path)))
      .find((it) => it !== '' && it !== 'USD');
    if (foreign !== undefined) {
      yield { fault: `figures in ${foreign}: only those in US dollars are read` };
      continue;
    }
    const tickers = tickersIn(memberAt(item, symbol));
    if (tickers.length === 0) yield { fault: `no ticker in ${symbol}: name it there` };
    for (const ticker of tickers) {
      const row = new Map<string, unknown>([
        ['kind', kind],
        ['symbol', ticker],
      ]);
      for (const [column, source] of Object.entries(columns)) {
        const value = typeof source === 'string' ? memberAt(item, source) : source(item, ticker);
        if (value !== undefined && value !== null && value !== '')
          row.set(column, typeof value === 'string' ? value.trim() : value);
      }
      // A kind of which the item says nothing is no fact to refuse.
      if (row.size > 2) yield { row };
    }
  }
}
