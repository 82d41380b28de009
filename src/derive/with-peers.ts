import type { Calendar } from '../base/calendar.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { DeriveJob } from './deriver.ts';

/** The divergence of one stock on a measured date as JSON text; null where it has none. */
export interface PeerDayText {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly value: string | null;
}

/** The stock-days that may know how they compared with their peers: of completed sessions, and of no other. */
export function daysWithPeers(
  jobs: readonly DeriveJob[],
  calendar: Calendar,
): { symbol: string; tradeDate: string }[] {
  return jobs.flatMap(({ tape: { symbol }, days }) =>
    days
      .filter(({ tradeDate, asOf }) => asOf >= calendar.session(tradeDate)!.close)
      .map(({ tradeDate }) => ({ symbol, tradeDate })),
  );
}

/** The jobs with what is known of their stocks' peers. */
export function withPeers(jobs: readonly DeriveJob[], known: readonly PeerDayText[]): readonly DeriveJob[] {
  if (known.length === 0) return jobs;
  const byDay = new Map(known.map(({ symbol, tradeDate, value }) => [`${symbol}|${tradeDate}`, value]));
  return jobs.map(({ tape, days }) => ({
    tape,
    days: days.map((day) => {
      const text = byDay.get(`${tape.symbol}|${day.tradeDate}`);
      if (text === undefined) return day;
      return { ...day, peers: text === null ? null : (JSON.parse(text) as PeerDay) };
    }),
  }));
}
