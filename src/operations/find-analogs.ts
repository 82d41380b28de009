import { outcomeOf, similarityOf, thinned } from '../analysis/similarity/index.ts';
import { asOfInstant } from '../base/as-of.ts';
import type { Calendar } from '../base/calendar.ts';
import {
  countStates,
  hasStateIndex,
  hasStatesAfter,
  logReturnsAfter,
  type NearState,
  nearestByIndex,
  nearestExactly,
  newestState,
} from '../graph/stock-states.ts';
import type { Analog, Analogs, Followed } from './analogs.ts';
import { mayName, type Viewer } from './viewer.ts';
import type { World } from './world.ts';

export interface AnalogsRequest {
  /** Ticker in capitals. */
  readonly symbol: string;
  /** An existing calendar date, YYYY-MM-DD: its session, or the one before it. Absent for the newest. */
  readonly date?: string | undefined;
  /** How many days are wanted at most. */
  readonly limit?: number | undefined;
}

const LIMIT = 20;
/** Sessions after a day of which the returns are told. */
const HORIZONS: readonly number[] = [1, 5, 20];
/** A day is compared once all of this has passed, so that what followed it is known. */
const LAST_HORIZON = 20;
/** Neighbours looked at for each one wanted, at first and at last; what is alike often lies close together. */
const FOR_EACH = [3, 12, 48];
/** So few days are compared one by one in some milliseconds. */
const EXACT_MAX = 10_000;

/**
 * The past days, of any stock, that looked most like a day of a stock, and what followed them: the day is the newest
 * completed session at or before the date that the viewer may see, and every day that it is compared with lies 20 sessions
 * before it at least, so that nothing after the day is in the answer. What followed is counted over all of them; those of
 * stocks that the viewer may not be told of are left out after it. Null where the stock has no state by then.
 */
export async function findAnalogs(
  world: Pick<World, 'database' | 'calendar' | 'clock'>,
  { symbol, date, limit = LIMIT }: AnalogsRequest,
  viewer: Viewer,
  signal?: AbortSignal,
): Promise<Analogs | null> {
  const { database, calendar } = world;
  const seen = newestSeen(world, viewer, date);
  const own = seen === null ? null : await newestState(database, symbol, seen, { signal });
  if (own === null) return null;
  const of = { symbol, tradeDate: own.tradeDate };
  const last = calendar.sessionAt(calendar.sessionIndex(own.tradeDate) - LAST_HORIZON);
  const until = last?.tradeDate ?? null;
  const candidates = until === null ? 0 : await countStates(database, until, { signal });
  const search = await searchFor(world, own.tradeDate, candidates, signal);
  if (until === null || candidates === 0) return { of, search, candidates, items: [], followed: [] };
  const near = await nearestApart(calendar, limit, candidates, (count) =>
    search === 'index'
      ? nearestByIndex(database, own.state, until, count, { signal })
      : nearestExactly(database, own.state, until, count, candidates, { signal }),
  );
  const items = await withReturns(world, near, signal);
  return {
    of,
    search,
    candidates,
    items: items.filter(({ symbol: each }) => mayName(viewer, each)),
    followed: HORIZONS.map((sessions) => followedBy(items, sessions)),
  };
}

/** The newest session at or before a date whose close the viewer may know. */
function newestSeen(
  { calendar, clock }: Pick<World, 'calendar' | 'clock'>,
  { delayMs }: Viewer,
  asked: string | undefined,
): string | null {
  const now = clock.now();
  const today = calendar.tradeDateOf(now);
  let date: string | null = asked === undefined || asked > today ? today : asked;
  if (calendar.session(date) === null) date = calendar.previousSession(date);
  for (; date !== null; date = calendar.previousSession(date)) {
    const session = calendar.session(date)!;
    if ((asOfInstant(session, now, delayMs) ?? 0) >= session.close) return date;
  }
  return null;
}

/**
 * What the index finds depends a little on everything that it holds. For a day after which there are others every
 * candidate is compared instead, so that what came later cannot move the answer.
 */
async function searchFor(
  { database }: Pick<World, 'database'>,
  tradeDate: string,
  candidates: number,
  signal: AbortSignal | undefined,
): Promise<Analogs['search']> {
  if (candidates <= EXACT_MAX || (await hasStatesAfter(database, tradeDate, { signal }))) return 'exact';
  return (await hasStateIndex(database, { signal })) ? 'index' : 'exact';
}

interface Apart extends NearState {
  readonly session: number;
}

/** The nearest days that each tell something of their own. */
async function nearestApart(
  calendar: Calendar,
  limit: number,
  candidates: number,
  nearest: (count: number) => Promise<NearState[]>,
): Promise<Apart[]> {
  let apart: Apart[] = [];
  for (const each of FOR_EACH) {
    const near = await nearest(limit * each);
    apart = thinned(
      near.map((day) => ({ ...day, session: calendar.sessionIndex(day.tradeDate) })),
      limit,
    );
    if (apart.length === limit || limit * each >= candidates) break;
  }
  return apart;
}

async function withReturns(
  { database, calendar }: Pick<World, 'database' | 'calendar'>,
  near: readonly Apart[],
  signal: AbortSignal | undefined,
): Promise<Analog[]> {
  const days = near.map(({ symbol, tradeDate, session }) => ({
    symbol,
    tradeDate,
    until: HORIZONS.map((sessions) => calendar.sessionAt(session + sessions)?.tradeDate ?? null),
  }));
  const logReturns = await logReturnsAfter(database, days, { signal });
  return near.map(({ symbol, tradeDate, distance }, at) => ({
    symbol,
    tradeDate,
    similarity: similarityOf(distance),
    distance,
    returnsPct: new Map(HORIZONS.map((sessions, horizon) => [sessions, percent(logReturns[at]![horizon]!)])),
  }));
}

const percent = (logReturn: number | null): number | null =>
  logReturn === null ? null : Math.expm1(logReturn) * 100;

function followedBy(items: readonly Analog[], sessions: number): Followed {
  const returns = items.map(({ returnsPct }) => returnsPct.get(sessions) ?? null);
  const { n, mean, median, deviation, q1, q3, shareUp } = outcomeOf(
    returns.filter((value) => value !== null),
  );
  return {
    sessions,
    n,
    meanPct: mean,
    medianPct: median,
    deviationPct: deviation,
    q1Pct: q1,
    q3Pct: q3,
    shareUp,
  };
}
