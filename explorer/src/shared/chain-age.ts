import { dayOf, wordsOf } from './instant.ts';

interface Aged {
  readonly source_time: string | null | undefined;
  readonly sessions_old: number | null | undefined;
}

/** `chain of Fri, Nov 20, 15:55 ET`, and of an earlier session which one; empty without a chain. */
export function chainAge({ source_time, sessions_old }: Aged): string {
  if (source_time == null) return '';
  const taken = `chain of ${wordsOf(Date.parse(source_time))}`;
  if (sessions_old == null || sessions_old === 0) return taken;
  return `${taken}, ${sessions_old === 1 ? 'the session before' : `${sessions_old} sessions before`}`;
}

/** The day alone, where room is short: `chain of Fri, Nov 20`. */
export const chainDay = ({ source_time }: Pick<Aged, 'source_time'>): string =>
  source_time == null ? '' : `chain of ${dayOf(Date.parse(source_time))}`;
