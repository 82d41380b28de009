import type { ScreenField, ScreenTable } from '../../../../src/analysis/screening/screen.ts';

/** One of each kind of field and a second one to compare it with. */
const FIELDS: readonly ScreenField[] = [
  { path: 'price', type: 'number', words: null },
  { path: 'technical.vwap', type: 'number', words: null },
  { path: 'technical.daily_atr.14', type: 'number', words: null },
  { path: 'volume', type: 'integer', words: null },
  { path: 'halted', type: 'boolean', words: null },
  { path: 'gate.passed', type: 'boolean', words: null },
  { path: 'bias', type: 'text', words: ['bullish', 'bearish', 'neutral'] },
  { path: 'bias_before', type: 'text', words: ['bullish', 'bearish', 'neutral'] },
  { path: 'sector', type: 'text', words: null },
  { path: 'graded', type: 'date', words: null },
  { path: 'reported', type: 'date', words: null },
  { path: 'seen', type: 'instant', words: null },
  { path: 'computed_at', type: 'instant', words: null },
];

export const FIELD_MAP: ReadonlyMap<string, ScreenField> = new Map(
  FIELDS.map((field) => [field.path, field]),
);

/** What a field of a stock holds, in the form of an answer: dates and instants as text. */
export type PlainValue = number | string | boolean | null;

/** A stock as an answer has it. */
export interface PlainStock {
  readonly symbol: string;
  readonly values: ReadonlyMap<string, PlainValue>;
}

/** The stocks, ascending by symbol, as columns. */
export function tableOf(stocks: readonly PlainStock[]): ScreenTable {
  const textsOf = (path: string): string[] => {
    const texts = stocks.map(({ values }) => values.get(path)).filter((value) => typeof value === 'string');
    return [...new Set(texts)].sort();
  };
  return {
    rows: stocks.length,
    symbols: stocks.map(({ symbol }) => symbol),
    dictionary: textsOf,
    column: (path) => {
      const texts = textsOf(path);
      const { type } = FIELD_MAP.get(path)!;
      return Float64Array.from(stocks, ({ values }) => {
        const value = values.get(path) ?? null;
        if (value === null) return Number.NaN;
        if (type === 'text') return texts.indexOf(String(value));
        if (type === 'date') return Date.parse(String(value)) / 86_400_000;
        return type === 'instant' ? Date.parse(String(value)) : Number(value);
      });
    },
  };
}

/** Stocks with some of their fields; the others are absent. */
export function stocksOf(rows: Readonly<Record<string, Readonly<Record<string, PlainValue>>>>): PlainStock[] {
  return Object.entries(rows).map(([symbol, values]) => ({
    symbol,
    values: new Map(Object.entries(values)),
  }));
}
