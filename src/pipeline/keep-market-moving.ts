import { isCoded } from '../base/errors.ts';
import type { Scope, Task } from '../base/scope.ts';
import { rest, stopwatch } from '../base/timers.ts';
import type { Leases } from '../database/leases.ts';
import { simulatedFeed } from '../market/feeds/simulated.ts';
import {
  marketsOnTape,
  missedSessions,
  simulatedLiveFeed,
  type TapedMarket,
} from '../market/feeds/simulated-live.ts';
import { importFeed } from './ingest.ts';
import { whileLeased } from './leased-work.ts';
import { type LiveContext, runLiveSession } from './live-session.ts';

export type Log = Record<'info' | 'warn' | 'error', (of: object, message: string) => void>;

/** A market that stopped longer ago stays as it is: it was simulated for one period. */
const MISSED_SESSIONS_MAX = 260;
/** Another process may bring a market at any time. */
const MARKET_POLL_MS = 60_000;
/** Wait before a retry after an error. */
const RETRY_MS = 5_000;
const PROGRESS_INTERVAL_MS = 5_000;

/**
 * Keeps the newest simulated market of a tape, if any, up with the clock: imports missed sessions, then streams the
 * running session minute by minute.
 */
export const keepMarketMoving = (scope: Scope, context: LiveContext, leases: Leases, log: Log): void =>
  whileLeased(
    scope,
    leases,
    'live',
    (lease, held, task) => move({ ...context, lease }, held, log, task),
    (error) => log.error({ err: error }, 'moving the simulated market'),
  );

async function move(context: LiveContext, { timers }: Scope, log: Log, task: Task): Promise<void> {
  const { calendar, clock } = context;
  const { signal } = task;
  let market = await newestMarket(context);
  while (!signal.aborted) {
    if (market === null) {
      await task.waits(rest(timers, MARKET_POLL_MS, { signal }));
      if (!signal.aborted) market = await newestMarket(context);
      continue;
    }
    const now = clock.now();
    const session = calendar.sessionHolding(now);
    const today = calendar.tradeDateOf(now);
    const isOver = session === null && (calendar.session(today)?.postClose ?? Infinity) <= now;
    try {
      market = await caughtUp(
        context,
        market,
        isOver ? today : calendar.previousSession(today)!,
        log,
        signal,
      );
      if (market === null || signal.aborted) continue;
      if (session === null) {
        const next = calendar.nextSession(isOver ? today : calendar.previousSession(today)!);
        if (next === null) return;
        await task.waits(clock.until(calendar.session(next)!.preOpen, signal));
        continue;
      }
      log.info({ tradeDate: session.tradeDate }, 'the simulated market runs');
      const feed = simulatedLiveFeed(market, session, calendar, clock);
      const { close } = await runLiveSession(context, feed, task);
      if (close !== null) market = { ...market, end: session.tradeDate };
    } catch (error) {
      if (signal.aborted || isCoded(error, 'lease_lost')) return;
      log.error({ err: error }, 'the simulated market was interrupted');
      await task.waits(rest(timers, RETRY_MS, { signal }));
    }
  }
}

async function newestMarket({ tape }: LiveContext): Promise<TapedMarket | null> {
  const markets = marketsOnTape(await tape.delivered('simulated'));
  return markets.toSorted((a, b) => (a.end < b.end ? -1 : 1)).at(-1) ?? null;
}

/** The market with the sessions up to a date; null when it stopped too long ago. */
async function caughtUp(
  context: LiveContext,
  market: TapedMarket,
  through: string,
  log: Log,
  signal: AbortSignal,
): Promise<TapedMarket | null> {
  const { calendar } = context;
  if (market.end >= through || signal.aborted) return market;
  const missed = missedSessions(market, through, calendar);
  if (missed.days > MISSED_SESSIONS_MAX) {
    log.info({ end: market.end }, 'the simulated market is left at its last session, long ago');
    return null;
  }
  log.info({ from: market.end, through, sessions: missed.days }, 'making up for missed sessions');
  let loggedAt = stopwatch();
  await importFeed(context, simulatedFeed(missed), ({ weightDone, weightTotal }) => {
    if (stopwatch() - loggedAt < PROGRESS_INTERVAL_MS) return;
    loggedAt = stopwatch();
    log.info({ percent: Math.floor((100 * weightDone) / weightTotal) }, 'making up for missed sessions');
  });
  return { ...market, end: through };
}
