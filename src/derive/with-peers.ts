import type { Calendar } from '../base/calendar.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { DeriveJob } from './deriver.ts';
import type { PeerDayText } from './peer-topology.ts';
import type { StockDayName } from './stock-day.ts';

/** The stock-days of completed sessions, which can have a divergence. */
export function daysWithPeers(jobs: readonly DeriveJob[], calendar: Calendar): StockDayName[] {
  return jobs.flatMap(({ tape: { symbol }, days }) =>
    days
      .filter(({ tradeDate, asOf }) => asOf >= calendar.session(tradeDate)!.close)
      .map(({ tradeDate }) => ({ symbol, tradeDate })),
  );
}

/** The jobs with the stored divergences of their stock-days. */
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
