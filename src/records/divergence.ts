import { dateOf } from '../base/calendar.ts';
import { DAY_MS } from '../base/dates.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { createMonths } from '../graph/months.ts';
import { peerDaysOn } from '../graph/peer-days.ts';
import type { PeerDay } from '../market/peer-day.ts';
import { readOwnEvents } from '../tape/event-facts.ts';
import { earlier, tapesAround } from './around.ts';
import type { ClaimOutcome } from './events.ts';
import {
  afterEach,
  capital,
  type FoundClaims,
  horizonInKey,
  longestHorizon,
  NOTHING_FOUND,
  type RecordKind,
  withoutHorizon,
} from './kind.ts';
import { type FoundEvent, findRanked, type RankedWork } from './ranked.ts';

/** By symbol JSON text of its `PeerDay`; of the first sessions only what they silence counts. */
interface DivergenceClaimsWork extends RankedWork<string> {
  /** Dates whose claims are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** By trade date the symbols with results, a halt or a burst of news. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Sessions within which a divergence is to close. */
const HORIZONS = [1, 3, 5, 10] as const;
/** A divergence this wide is one; within the narrower nobody strays. */
const WIDE = 2;
const NARROW = 0.5;
/** Sessions in which a stock that strays again is not counted again. */
const SILENT_SESSIONS = 10;

/** Stocks that strayed from their peers, and whether the gap closed; the controls are the date's stocks near theirs. */
function divergenceClaims(source: TapeSource, work: DivergenceClaimsWork): FoundClaims {
  const { wanted, events } = work;
  const { calendar } = source;
  const strayed = new Map<string, number>();
  return findRanked(source, work, ({ tradeDate, of }, after) => {
    const index = calendar.sessionIndex(tradeDate);
    const days = [...of].map(([symbol, text]): [string, PeerDay] => [symbol, JSON.parse(text)]);
    const wide = days.filter(([symbol, { composite }]) => {
      if (Math.abs(composite) < WIDE) return false;
      const before = strayed.get(`${symbol} ${Math.sign(composite)}`) ?? Number.NEGATIVE_INFINITY;
      strayed.set(`${symbol} ${Math.sign(composite)}`, index);
      return index - before > SILENT_SESSIONS;
    });
    if (!wanted.has(tradeDate)) return null;
    const near = days.filter(([, { composite }]) => Math.abs(composite) <= NARROW);
    const claims: [string, FoundEvent][] = [];
    for (const sessions of HORIZONS) {
      const later = after(sessions);
      const ahead = Array.from(
        { length: sessions },
        (_, at) => calendar.sessionAt(index + at + 1)?.tradeDate ?? '',
      );
      const busy = new Set(ahead.flatMap((date) => [...(events.get(date) ?? [])]));
      const gapOf = ([symbol, { peers }]: [string, PeerDay]): number =>
        busy.has(symbol) ? Number.NaN : gapAfter(symbol, peers, later.of);
      const controls = later.isOver ? near.map(gapOf).filter((gap) => !Number.isNaN(gap)) : [];
      for (const day of wide) {
        const [symbol, { composite }] = day;
        const side = composite > 0 ? 1 : -1;
        const gap = gapOf(day);
        const closes = (change: number): boolean => side * change < 0;
        const outcome: ClaimOutcome = Number.isNaN(gap) ? 'undecided' : closes(gap) ? 'true' : 'false';
        const event: FoundEvent = {
          key: `${side > 0 ? 'bullish' : 'bearish'}.${sessions}d`,
          claim: composite.toFixed(2),
          side,
          outcome: later.isOver ? outcome : null,
          decidedAt: Number.isNaN(gap) ? null : later.at,
          isGone: later.isOver && Number.isNaN(later.of(symbol)),
          chance: controls.length === 0 ? null : controls.filter(closes).length / controls.length,
          controls: controls.length,
        };
        claims.push([symbol, event]);
      }
    }
    return { events: claims };
  });
}

/** Return of a stock less the weighted one of its peers; NaN where either is unknown. */
function gapAfter(symbol: string, peers: PeerDay['peers'], returnOf: (symbol: string) => number): number {
  let sum = 0;
  let weights = 0;
  for (const { symbol: peer, weight } of peers) {
    const own = returnOf(peer);
    if (Number.isNaN(own)) continue;
    sum += weight * own;
    weights += weight;
  }
  return weights > 0 ? returnOf(symbol) - sum / weights : Number.NaN;
}

export const divergence: RecordKind<DivergenceClaimsWork> = {
  name: 'divergence',
  version: 2,
  releasedAt: '2026-11-28',
  keys: afterEach(['bullish', 'bearish'], HORIZONS),
  horizonOf: horizonInKey,
  datesAtOnce: 20,
  reads: { stored: true },
  async load(ground, dates, { lastDay }) {
    const { calendar, database, market } = ground;
    const index = calendar.sessionIndex(dates[0]!);
    const before = calendar.sessionAt(Math.max(0, index - SILENT_SESSIONS))!.tradeDate;
    const read = calendar.sessionsBetween(before, dates.at(-1)!);
    // Every date that is read, or the record would count those that somebody happened to ask for.
    await createMonths(database, read);
    await ground.measurePeers(read);
    const measured = [];
    for (const tradeDate of read) {
      const days = await peerDaysOn(database, market.simulated, tradeDate);
      if (days.length > 0)
        measured.push({ tradeDate, of: new Map(days.map(({ symbol, value }) => [symbol, value])) });
    }
    const wanted = new Set(dates);
    if (!measured.some(({ tradeDate }) => wanted.has(tradeDate))) return NOTHING_FOUND;
    const horizon = longestHorizon(divergence);
    const until =
      calendar.sessionAt(calendar.sessionIndex(dates.at(-1)!) + horizon)?.tradeDate ?? calendar.last;
    const events = new Map<string, ReadonlySet<string>>();
    for (const date of calendar.sessionsBetween(dates[0]!, earlier(until, dateOf(lastDay * DAY_MS)))) {
      const prior = calendar.session(calendar.previousSession(date) ?? date)!;
      events.set(date, await readOwnEvents(database, prior.close, calendar.session(date)!.close));
    }
    const tapes = await tapesAround(ground, dates, horizon, lastDay);
    return ground.deriver.claims(divergence, { tapes, dates: measured, wanted, events, lastDay });
  },
  find: divergenceClaims,
  says: {
    subject: (key) => `${capital(withoutHorizon(key))} divergences from peers closed`,
    tested: 'divergences',
  },
};
