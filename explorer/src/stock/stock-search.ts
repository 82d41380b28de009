import type { Interval } from '../shared/api/queries.ts';
import { readInstant } from '../shared/instant.ts';

export const INTERVALS = ['1m', '5m', '15m', '1h', '1d', '1w'] as const satisfies readonly Interval[];
export const TABS = ['options', 'levels', 'flow', 'peers', 'company', 'news', 'playbooks', 'ask'] as const;
export type Tab = (typeof TABS)[number];

/** State of the stock page; what is absent has its default. */
export interface StockSearch {
  /** RFC 3339 to the minute; absent for the newest instant. */
  readonly as_of?: string;
  readonly interval?: Interval;
  readonly layers?: string;
  readonly tab?: Tab;
  /** Shows today beside the past minute. */
  readonly compare?: true;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

type Loose<Search> = { [Name in keyof Search]: Search[Name] | undefined };

/** Leaves out what is absent, so that addresses stay short. */
export function readStockSearch(search: Record<string, unknown>): StockSearch {
  const read: Loose<StockSearch> = {
    as_of: readInstant(search.as_of),
    interval: oneOf(INTERVALS, search.interval),
    layers: text(search.layers),
    tab: oneOf(TABS, search.tab),
    compare: search.compare === true || undefined,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as StockSearch;
}
