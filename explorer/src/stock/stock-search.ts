import type { Interval } from '../shared/api/queries.ts';
import { readInstant } from '../shared/instant.ts';
import { present, textsOf } from '../shared/present.ts';

export const INTERVALS = ['1m', '5m', '15m', '1h', '1d', '1w'] as const satisfies readonly Interval[];
export const TABS = ['options', 'levels', 'flow', 'peers', 'company', 'news', 'playbooks', 'ask'] as const;
const STEPS = [1, 2, 3, 4, 5] as const;
export type Tab = (typeof TABS)[number];

/** State of the stock page; what is absent has its default. */
export interface StockSearch {
  /** RFC 3339 to the minute; absent for the newest instant. */
  readonly as_of?: string;
  readonly interval?: Interval;
  readonly layers?: string;
  readonly tab?: Tab;
  /** The level that is selected at first. */
  readonly select?: string;
  /** Shows today beside the past minute. */
  readonly compare?: true;
  /** The step of a tour of the session, from 1. */
  readonly tour?: number;
}

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

export const readStockSearch = (search: Record<string, unknown>): StockSearch =>
  present({
    as_of: readInstant(search.as_of),
    interval: oneOf(INTERVALS, search.interval),
    ...textsOf(search, 'layers', 'select'),
    tab: oneOf(TABS, search.tab),
    compare: search.compare === true ? (true as const) : undefined,
    tour: STEPS.find((step) => step === search.tour),
  });
