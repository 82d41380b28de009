import { dateOf } from '../base/calendar.ts';
import { DAY_MS } from '../base/dates.ts';
import type { PeersWork } from '../derive/deriver.ts';
import { openPeers } from '../derive/peers.ts';
import type { TapeSource } from '../derive/tape-source.ts';
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
  type RecordKind,
  withoutHorizon,
} from './kind.ts';
import { type FoundEvent, findRanked, type RankedWork } from './ranked.ts';

/** Of the first sessions only what they silence counts. */
interface DivergenceClaimsWork extends RankedWork {
  readonly peers: readonly PeersWork[];
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
function divergenceClaims(
  source: TapeSource,
  work: DivergenceClaimsWork,
  isCalledOff: () => boolean,
): FoundClaims {
  const { wanted, events, peers } = work;
  const { calendar } = source;
  let month: ReturnType<typeof openPeers> | undefined;
  let monthDates: readonly string[] = [];
  const divergencesOn = (date: string): ReadonlyMap<string, PeerDay> => {
    if (!monthDates.includes(date)) {
      const own = peers.find(({ dates }) => dates.includes(date))!;
      monthDates = own.dates;
      month = openPeers(source, own, isCalledOff);
    }
    return month!.dayOn(date);
  };
  const strayed = new Map<string, number>();
  return findRanked(source, work, ({ tradeDate }, after) => {
    const index = calendar.sessionIndex(tradeDate);
    const days = [...divergencesOn(tradeDate)];
    const wide = days.filter(([symbol, { composite }]) => {
      if (Math.abs(composite) < WIDE) return false;
      const before = strayed.get(`${symbol} ${Math.sign(composite)}`) ?? Number.NEGATIVE_INFINITY;
      strayed.set(`${symbol} ${Math.sign(composite)}`, index);
      return index - before > SILENT_SESSIONS;
    });
    if (days.length === 0 || !wanted.has(tradeDate)) return null;
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
  datesAtOnce: 200,
  reads: {},
  async load(ground, dates, { lastDay }) {
    const { calendar, database } = ground;
    const index = calendar.sessionIndex(dates[0]!);
    const before = calendar.sessionAt(Math.max(0, index - SILENT_SESSIONS))!.tradeDate;
    const read = calendar.sessionsBetween(before, dates.at(-1)!);
    const peers = await ground.peersWork(read);
    const horizon = longestHorizon(divergence);
    const until =
      calendar.sessionAt(calendar.sessionIndex(dates.at(-1)!) + horizon)?.tradeDate ?? calendar.last;
    const spans = calendar
      .sessionsBetween(dates[0]!, earlier(until, dateOf(lastDay * DAY_MS)))
      .map((tradeDate) => ({
        tradeDate,
        after: calendar.session(calendar.previousSession(tradeDate) ?? tradeDate)!.close,
        until: calendar.session(tradeDate)!.close,
      }));
    const events = await readOwnEvents(database, spans);
    const tapes = await tapesAround(ground, dates, horizon, lastDay);
    return ground.deriver.claims(divergence, {
      tapes,
      dates: read.map((tradeDate) => ({ tradeDate })),
      peers,
      wanted: new Set(dates),
      events,
      lastDay,
    });
  },
  find: divergenceClaims,
  says: {
    subject: (key) => `${capital(withoutHorizon(key))} divergences from peers closed`,
    tested: 'divergences',
  },
};
