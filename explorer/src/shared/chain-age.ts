import type { Stock } from './api/queries.ts';
import { dateOf, dayOf, noonOf, wordsOf } from './instant.ts';

interface Aged {
  readonly source_time: string | null | undefined;
  readonly sessions_old: number | null | undefined;
}

type Expiring = { readonly expiration: string; readonly dte: number };
type Chained = Aged & { readonly [list in 'expirations' | 'by_expiration']?: readonly Expiring[] };

/** An answer of a chain with its age and the days to expirations counted from the trade date that the page shows. */
export function countedFrom<Answer extends Chained>(
  answer: Answer,
  { price, updated_at }: Pick<Stock, 'price' | 'updated_at'>,
): Answer {
  const { source_time: at, expirations, by_expiration } = answer;
  const date = price?.trade_date ?? dateOf(Date.parse(updated_at));
  const daysTo = (day: string): number => Math.round((noonOf(day) - noonOf(date)) / 86_400_000);
  const counted = (one: Expiring): Expiring => ({ ...one, dte: daysTo(one.expiration) });
  return {
    ...answer,
    sessions_old: at == null ? null : Number(dateOf(Date.parse(at)) < date),
    expirations: expirations?.map(counted),
    by_expiration: by_expiration?.map(counted),
  };
}

/** `chain of Fri, Nov 20, 15:55 ET`, and whether of the session before; empty without a chain. */
export function chainAge({ source_time, sessions_old }: Aged): string {
  if (source_time == null) return '';
  const taken = `chain of ${wordsOf(Date.parse(source_time))}`;
  if (sessions_old == null || sessions_old === 0) return taken;
  return `${taken}, the session before`;
}

/** The day alone, where room is short: `chain of Fri, Nov 20`. */
export const chainDay = ({ source_time }: Pick<Aged, 'source_time'>): string =>
  source_time == null ? '' : `chain of ${dayOf(Date.parse(source_time))}`;
