import { type Outcome, outcomeOf, similarityOf, thinned } from '../../analysis/similarity/analogs.ts';
import { type Calendar, DAY_MS, dateOf, dayOf } from '../../base/calendar.ts';
import { mayName, type Viewer, visibleInstant } from '../access/viewer.ts';
import type { SymbolOnDate } from '../answers/load-stock.ts';
import { newestClosed } from '../answers/newest-closed.ts';
import type { AppContext } from '../context/app-context.ts';
import type { CachedStates, NearState } from '../context/state-cache.ts';

/** Past days similar to a day, and what followed them. */
export interface Analogs {
  /** The day that is compared: the requested session, or the newest completed one that the viewer may see. */
  readonly of: { readonly symbol: string; readonly tradeDate: string };
  /** Stock-days that were compared, every one. */
  readonly candidates: number;
  /** Nearest first; of the stocks that the viewer may see. */
  readonly items: readonly Analog[];
  readonly followed: readonly Followed[];
}

interface Analog {
  readonly symbol: string;
  readonly tradeDate: string;
  /** 1 for the same state, falling towards 0 with distance. */
  readonly similarity: number;
  /** Euclidean distance of the two states. */
  readonly distance: number;
  /** Return from the analog's close over so many sessions, percent; by sessions, null where the tape has a hole. */
  readonly returnsPct: ReadonlyMap<number, number | null>;
}

/** Returns that followed the analogs over a number of sessions, percent. */
interface Followed extends Outcome {
  readonly sessions: number;
}

/** The date is a session, or one after it. */
export interface AnalogsRequest extends SymbolOnDate {
  readonly limit?: number | undefined;
}

const LIMIT = 20;
/** Horizons of the returns, in sessions after a day. */
const HORIZONS: readonly number[] = [1, 5, 20];
/** A day is compared once all of this has passed, so that what followed it is known. */
const LAST_HORIZON = 20;
/** Neighbours read for each day of the answer, round by round: similar days are often adjacent. */
const FOR_EACH = [3, 12, 48];

/**
 * The past days, of any stock of the same market, most similar to a day of a stock, and what followed them: the day is the newest
 * completed session at or before the date that the viewer may see, and every day that it is compared with lies 20 sessions
 * before it at least, so that nothing after the day is in the answer. What followed is counted over all of them; those of
 * stocks that the viewer may not see are left out after it. Null where the stock has no state by then.
 *
 * @throws CodedError feature_disabled, where there are more states than memory for them; overloaded
 */
export async function findAnalogs(
  context: Pick<AppContext, 'states' | 'calendar' | 'clock' | 'symbolMarkets'>,
  { symbol, date, limit = LIMIT }: AnalogsRequest,
  viewer: Viewer,
  signal?: AbortSignal,
): Promise<Analogs | null> {
  const { calendar, clock } = context;
  const simulated = await context.symbolMarkets.isSimulated(symbol);
  const visible = visibleInstant(viewer, clock.now());
  const today = calendar.tradeDateOf(visible);
  const seen = newestClosed(calendar, date === undefined || date > today ? today : date, visible);
  return context.states(simulated).use(async (states) => {
    const own = seen === null ? null : states.newest(symbol, dayOf(seen));
    if (own === null) return null;
    const tradeDate = dateOf(own.day * DAY_MS);
    const of = { symbol, tradeDate };
    const last = calendar.sessionAt(calendar.sessionIndex(tradeDate) - LAST_HORIZON);
    if (last === null) return { of, candidates: 0, items: [], followed: [] };
    const { candidates, near } = await nearestApart(calendar, limit, (count) =>
      states.nearest(own.state, dayOf(last.tradeDate), count),
    );
    if (candidates === 0) return { of, candidates, items: [], followed: [] };
    const items = near.map((day) => withReturns(calendar, states, day));
    const followed = HORIZONS.map((sessions) => followedBy(items, sessions));
    return { of, candidates, items: items.filter((item) => mayName(viewer, item.symbol)), followed };
  }, signal);
}

interface Apart extends NearState {
  readonly session: number;
}

/** The nearest days without adjacent ones, and how many candidates there are. */
async function nearestApart(
  calendar: Calendar,
  limit: number,
  nearest: (count: number) => ReturnType<CachedStates['nearest']>,
): Promise<{ readonly candidates: number; readonly near: readonly Apart[] }> {
  for (const [round, each] of FOR_EACH.entries()) {
    const { candidates, near } = await nearest(limit * each);
    const apart = thinned(
      near.map((day) => ({ ...day, session: calendar.sessionIndex(dateOf(day.day * DAY_MS)) })),
      limit,
    );
    const isLast = round === FOR_EACH.length - 1 || limit * each >= candidates;
    if (apart.length === limit || isLast) return { candidates, near: apart };
  }
  throw new Error('the last round answers');
}

function withReturns(
  calendar: Calendar,
  states: CachedStates,
  { symbol, day, session, distance }: Apart,
): Analog {
  return {
    symbol,
    tradeDate: dateOf(day * DAY_MS),
    similarity: similarityOf(distance),
    distance,
    returnsPct: new Map(
      HORIZONS.map((sessions) => {
        const until = calendar.sessionAt(session + sessions);
        return [sessions, until && percent(states.logReturn(symbol, day, dayOf(until.tradeDate)))];
      }),
    ),
  };
}

const percent = (logReturn: number | null): number | null =>
  logReturn === null ? null : Math.expm1(logReturn) * 100;

function followedBy(items: readonly Analog[], sessions: number): Followed {
  const returns = items.map(({ returnsPct }) => returnsPct.get(sessions) ?? null);
  return { sessions, ...outcomeOf(returns.filter((value) => value !== null)) };
}
