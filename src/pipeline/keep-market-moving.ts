import {
  marketsOnTape,
  missedSessions,
  simulatedLiveFeed,
  type TapedMarket,
} from '../market/feeds/simulated-live.ts';
import { simulatedFeed } from '../market/feeds/simulated.ts';
import { importFeed } from './ingest.ts';
import { type LiveContext, runLiveSession } from './live-session.ts';

/** Where it tells how it fares. */
export type Log = Record<'info' | 'warn' | 'error', (of: object, message: string) => void>;

/** A market that stood still for longer is left as it is: it was built to look at one time. */
const MISSED_SESSIONS_MAX = 260;
/** What broke is tried again after this long. */
const TRY_AGAIN_MS = 5_000;
const PROGRESS_EVERY_MS = 5_000;

/**
 * Keeps the simulated market of a tape, if it holds one, up with the clock: sessions that it missed are made up for in
 * the background, and a session that runs comes in minute by minute. Where several were simulated, the newest moves.
 */
export function keepMarketMoving(context: LiveContext, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const moving = move(context, log, stopping.signal).catch((error) =>
    log.error({ err: error }, 'moving the simulated market'),
  );
  return {
    async stop() {
      stopping.abort();
      await moving;
    },
  };
}

async function move(context: LiveContext, log: Log, signal: AbortSignal): Promise<void> {
  const { calendar, clock } = context;
  let market = await newestMarket(context);
  while (market !== null && !signal.aborted) {
    const now = clock.now();
    const session = calendar.sessionHolding(now);
    const today = calendar.tradeDateOf(now);
    const isOver = session === null && (calendar.session(today)?.postClose ?? Infinity) <= now;
    try {
      market = await madeUp(context, market, isOver ? today : calendar.previousSession(today)!, log, signal);
      if (market === null || signal.aborted) return;
      if (session === null) {
        const next = calendar.nextSession(isOver ? today : calendar.previousSession(today)!);
        if (next === null) return;
        await clock.until(calendar.session(next)!.preOpen, signal);
        continue;
      }
      log.info({ tradeDate: session.tradeDate }, 'the simulated market runs');
      const feed = simulatedLiveFeed(market, session, calendar, clock);
      const { close } = await runLiveSession(context, feed, { signal });
      if (close !== null) market = { ...market, end: session.tradeDate };
    } catch (error) {
      log.error({ err: error }, 'the simulated market was interrupted');
      await clock.until(clock.now() + TRY_AGAIN_MS, signal);
    }
  }
}

async function newestMarket({ tape }: LiveContext): Promise<TapedMarket | null> {
  const markets = marketsOnTape(await tape.delivered('simulated'));
  return markets.toSorted((a, b) => (a.end < b.end ? -1 : 1)).at(-1) ?? null;
}

/** The market once it has the sessions up to a date; null when it has stood still for too long. */
async function madeUp(
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
  let toldAt = performance.now();
  await importFeed(context, simulatedFeed(missed), ({ weightDone, weightTotal }) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return;
    toldAt = performance.now();
    log.info({ percent: Math.floor((100 * weightDone) / weightTotal) }, 'making up for missed sessions');
  });
  return { ...market, end: through };
}
