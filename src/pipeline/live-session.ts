import { marketInstant } from '../base/as-of.ts';
import type { Session } from '../base/calendar.ts';
import type { PacedClock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { LiveStatus } from '../base/live-status.ts';
import type { DayOutcome, DerivedDay, FailedDay } from '../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../derive/with-peers.ts';
import { readPeerDays } from '../graph/peer-days.ts';
import { writeRunningDays } from '../graph/stock-days.ts';
import type { LiveFeed, LiveMinute } from '../market/feed.ts';
import type { MarketView } from '../market/market-view.ts';
import type { RunningSession, TakenMinutes } from '../market/tape/index.ts';
import { dueMinutes } from './due-minutes.ts';
import { type SyncReport, type SyncContext, syncGraph } from './graph-sync.ts';
import { inOrder } from './in-order.ts';

export interface LiveContext extends SyncContext {
  readonly clock: PacedClock;
  readonly live: LiveStatus;
}

/** One step of the session: a minute, or several that had become due together. */
export interface ProcessedMinutes {
  /** End of the newest, epoch milliseconds. */
  readonly at: number;
  readonly minutes: number;
  readonly rows: number;
  readonly symbols: number;
  readonly failed: readonly FailedDay[];
  /** From taking the minutes up to the last announcement. */
  readonly tookMs: number;
}

export interface LiveOptions {
  /** Ends the session after the minute at hand. */
  readonly signal?: AbortSignal;
  /** Called after every step; the next one waits for it. */
  readonly onMinute?: (carried: ProcessedMinutes) => void | Promise<void>;
}

export interface LiveReport {
  /** End of the newest minute that is on the tape; null when there is none. */
  readonly newest: number | null;
  /** The last pass over the whole session; null when the session was left before its end. */
  readonly close: SyncReport | null;
}

/** Stock-days that travel to a thread and into one transaction together: a megabyte of facts. */
const DAYS_AT_ONCE = 64;
/** Kept each minute beside what is always served: streams tell of levels and opening ranges that break. */
const KEPT_BESIDE = ['levels'];
const MINUTE_MS = 60_000;
const NEVER = new AbortController().signal;

/**
 * Carries a running session: each minute of the feed through the door onto the tape, what it touched derived as of that
 * minute, written to the graph and announced; when the session is over, one full pass. What is stored meanwhile speaks
 * for real time. Interrupted at any moment and started again, it goes on after the newest minute on the tape.
 *
 * @throws CodedError no_session when the feed's trade date is none; what the feed or the store throws. Whoever wants to
 *   go on then starts again.
 */
export async function runLiveSession(
  context: LiveContext,
  feed: LiveFeed,
  { signal = NEVER, onMinute = () => {} }: LiveOptions = {},
): Promise<LiveReport> {
  const session = context.calendar.session(feed.tradeDate);
  if (session === null) throw new CodedError('no_session', `${feed.tradeDate} is not a trade date`);
  const left = new AbortController();
  const ending = AbortSignal.any([signal, left.signal]);
  const running = await context.tape.runningSession(session);
  context.live.running = { feed: feed.name, tradeDate: feed.tradeDate };
  context.live.at = running.newest;
  try {
    const carry = carrier(context, session, running, feed);
    for await (const minutes of dueMinutes(context.clock, feed.minutes(running.newest, ending), ending)) {
      await onMinute(await carry(minutes));
    }
    await context.clock.until(session.postClose, ending);
    const { newest } = running;
    return { newest, close: signal.aborted ? null : await closeSession(context) };
  } finally {
    left.abort();
    running.close();
    context.live.running = null;
  }
}

/** The session's last word: its rows into files, its daily bars, every stock-day with all that belongs to it. */
async function closeSession(context: LiveContext): Promise<SyncReport> {
  await context.tape.finalizeEnded();
  await context.tape.completeDailyBars();
  // What is stored speaks for the session's end at once; who is served with delay is served from an earlier state.
  return syncGraph({ ...context, delayMs: 0 }, { kind: 'touched' });
}

function carrier(
  context: LiveContext,
  session: Session,
  running: RunningSession,
  feed: LiveFeed,
): (minutes: readonly LiveMinute[]) => Promise<ProcessedMinutes> {
  const marketOf = marketKeeper(context, session, running);
  return async (minutes) => {
    const started = performance.now();
    const before = running.newest;
    const taken = await running.take(feed, minutes);
    const failed: FailedDay[] = [];
    if (taken.symbols.length > 0) {
      const market = await marketOf(taken);
      for await (const outcomes of inOrder(inBatches(taken.symbols), (symbols) =>
        deriveMinute(context, session, running, symbols, taken.asOf, market),
      )) {
        await writeRunningDays(context.database, outcomes.filter(isDerived), running.origin);
        failed.push(...outcomes.filter((outcome) => outcome.kind === 'failed'));
      }
      const broken = new Set(failed.map(({ symbol }) => symbol));
      await running.settle({ ...taken, settles: taken.settles.filter(({ symbol }) => !broken.has(symbol)) });
    }
    const tookMs = performance.now() - started;
    note(context.live, session, { before, minutes, taken, failed: failed.length, tookMs });
    return {
      at: taken.asOf,
      minutes: minutes.length,
      rows: taken.rows,
      symbols: taken.symbols.length,
      failed,
      tookMs,
    };
  };
}

const isDerived = (outcome: DayOutcome): outcome is DerivedDay => outcome.kind === 'derived';

function* inBatches(symbols: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < symbols.length; at += DAYS_AT_ONCE) yield symbols.slice(at, at + DAYS_AT_ONCE);
}

async function deriveMinute(
  { deriver, database, calendar }: LiveContext,
  { tradeDate }: Session,
  running: RunningSession,
  symbols: readonly string[],
  asOf: number,
  market: MarketView,
): Promise<DayOutcome[]> {
  const days = [{ tradeDate, asOf }];
  const jobs = (await running.tapes(symbols)).map((tape) => ({ tape, days }));
  const peers = await readPeerDays(database, daysWithPeers(jobs, calendar));
  const markets = { [tradeDate]: market };
  return deriver.derive(withPeers(jobs, peers), { markets, coreOnly: true, beside: KEPT_BESIDE });
}

/** The market as a whole at the instant of a minute. From the close on it is the same, unless daily bars come in. */
function marketKeeper(
  { deriver }: LiveContext,
  session: Session,
  running: RunningSession,
): (taken: TakenMinutes) => Promise<MarketView> {
  let kept: MarketView | null = null;
  return async ({ asOf, movesClose }) => {
    const instant = marketInstant(session, asOf);
    if (kept !== null && kept.asOf === instant && instant === session.close && !movesClose) return kept;
    const tapes = await running.marketTapes(instant);
    const [snapshot] = await deriver.market({
      tapes,
      days: [{ tradeDate: session.tradeDate, asOf: instant }],
    });
    await running.keepMarket(instant, snapshot!.text);
    kept = JSON.parse(snapshot!.text) as MarketView;
    return kept;
  };
}

interface Step {
  readonly before: number | null;
  readonly minutes: readonly LiveMinute[];
  readonly taken: TakenMinutes;
  readonly failed: number;
  readonly tookMs: number;
}

function note(live: LiveStatus, session: Session, { before, minutes, taken, failed, tookMs }: Step): void {
  // Minutes from the last one on, or from the pre-market on, of which the feed told less.
  const expected = (taken.asOf - (before ?? session.preOpen)) / MINUTE_MS;
  const told = minutes.reduce((sum, { at, since }) => sum + (at - (since ?? at - MINUTE_MS)) / MINUTE_MS, 0);
  live.at = taken.asOf;
  live.tookMs = tookMs;
  live.minutes += minutes.length;
  live.merged += minutes.length - 1;
  live.skipped += Math.max(0, expected - told);
  live.lateRows += taken.lateRows;
  live.refused += taken.refused.reduce((sum, { count }) => sum + count, 0);
  live.failed += failed;
}
