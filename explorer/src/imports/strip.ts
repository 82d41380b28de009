import type { LoadedSeries } from '../shared/api/queries.ts';

/** A stretch of a strip, as shares of its width. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface Span {
  readonly first: string;
  readonly last: string;
}

const DAY_MS = 86_400_000;
const dayOf = (date: string): number => Date.parse(date) / DAY_MS;

/** From the first to the last date of any series; null of none. */
export function spanOf(series: readonly Span[]): Span | null {
  if (series.length === 0) return null;
  const firsts = series.map(({ first }) => first).sort();
  const lasts = series.map(({ last }) => last).sort();
  return { first: firsts[0]!, last: lasts.at(-1)! };
}

/** Where dates lie in a span, both ends with their whole day. */
export function stretchOf({ first, last }: Span, within: Span): Stretch {
  const [start, days] = [dayOf(within.first), dayOf(within.last) - dayOf(within.first) + 1];
  return { from: (dayOf(first) - start) / days, to: (dayOf(last) - start + 1) / days };
}

/** `2024-01-02 to 2024-03-08, 44 sessions, 4 missing: 2024-01-17 to 2024-01-19 (3), 2024-01-31`. */
export function seriesWords({ kind, first, last, sessions, missing, holes }: LoadedSeries): string {
  const range = first === last ? first : `${first} to ${last}`;
  const counted = sessions.toLocaleString('en-US');
  if (kind === 'facts') return `${range}, ${counted} ${sessions === 1 ? 'fact' : 'facts'}`;
  const words = `${range}, ${counted} ${sessions === 1 ? 'session' : 'sessions'}`;
  if (missing === 0) return words;
  const named = holes
    .toReversed()
    .slice(0, 4)
    .map(({ from, to, sessions: count }) => (from === to ? from : `${from} to ${to} (${count})`));
  const more = holes.length > named.length ? ' and earlier' : '';
  return `${words}, ${missing.toLocaleString('en-US')} missing: ${named.join(', ')}${more}`;
}
