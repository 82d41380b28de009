import { AlertJudge } from '../alerts/live.ts';
import { NEVER } from '../base/abortable.ts';
import { marketInstant, wholeMinute } from '../base/as-of.ts';
import type { Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import type { PacedClock } from '../base/clock.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { CodedError } from '../base/errors.ts';
import { inOrder } from '../base/in-order.ts';
import type { Scope, Task } from '../base/scope.ts';
import { nextTurn, stopwatch } from '../base/timers.ts';
import { type Lease, noteOnLease } from '../database/leases.ts';
import type { FailedDay, ScreenOutcome } from '../derive/deriver.ts';
import { createMonths } from '../graph/months.ts';
import { writeRunningDays } from '../graph/stock-days.ts';
import { type LiveFeed, type LiveMinute, type LiveStatus, noteRefused } from '../market/feed.ts';
import type { MarketView } from '../market/market-view.ts';
import type { RunningSession, TakenMinutes } from '../tape/index.ts';
import type { PassContext } from './detector.ts';
import { type SyncReport, syncGraph } from './graph-sync.ts';
import { deriveOnWorkers, deriveRunning, isDerived, type MinuteInputs } from './minute-work.ts';

export interface LiveContext extends PassContext {
  readonly clock: PacedClock;
  readonly live: LiveStatus;
  /** Of the live feed, where several processes may own it in turn. */
  readonly lease?: Lease | undefined;
  /** Where silence of a feed is counted. */
  readonly scope?: Scope;
}

/** One step of the session: a minute, or several that became due together. */
export interface ProcessedMinutes {
  /** End of the newest minute, epoch milliseconds. */
  readonly at: number;
  readonly minutes: number;
  readonly rows: number;
  readonly symbols: number;
  readonly failed: readonly FailedDay[];
  /** From the delivery of the minutes to the last announcement. */
  readonly tookMs: number;
}

export interface LiveOptions {
  /** Ends the session after the minute at hand. */
  readonly signal?: AbortSignal;
  /** Awaits the clock; of a task, which is idle meanwhile. */
  readonly waits?: Task['waits'];
  /** Called after every step; the next one waits for it. */
  readonly onMinute?: (processed: ProcessedMinutes) => void | Promise<void>;
}

export interface LiveReport {
  /** End of the newest minute on the tape; null without any. */
  readonly newest: number | null;
  /** The final pass over the session; null when the session was left early. */
  readonly close: SyncReport | null;
}

/** Stock-days of one worker task and one transaction: a megabyte of facts. */
const DAYS_A_PART = 64;

/**
 * Runs a session: validates each minute of the feed, writes it to the tape, derives what it touched as of that minute,
 * stores and announces it; after the session, one full pass. Stored facts are real time meanwhile. A later call
 * continues after the newest minute on the tape.
 *
 * @throws CodedError no_session for a feed without a session; lease_lost; errors of the feed or the store
 */
export async function runLiveSession(
  context: LiveContext,
  feed: LiveFeed,
  { signal = NEVER, waits = (promise) => promise, onMinute = () => {} }: LiveOptions = {},
): Promise<LiveReport> {
  const session = context.calendar.session(feed.tradeDate);
  if (session === null) throw new CodedError('no_session', `${feed.tradeDate} is not a trade date`);
  await createMonths(context.database, [feed.tradeDate]);
  const ended = new AbortController();
  const ending = AbortSignal.any([signal, ended.signal]);
  const { now } = context.clock;
  const clock: PacedClock = {
    now,
    until: (instant, stop) =>
      instant <= now() ? Promise.resolve() : waits(context.clock.until(instant, stop)),
  };
  const { lease } = context;
  if (lease !== undefined) await noteOnLease(context.database, lease, feed.tradeDate);
  const running = await context.tape.ofMarket(feed.simulated).runningSession(session);
  context.live.running = { feed: feed.name, tradeDate: feed.tradeDate };
  if (context.live.tradeDate !== feed.tradeDate) {
    Object.assign(context.live, { tradeDate: feed.tradeDate, lastRowAt: null, holes: [] });
  }
  context.live.at = running.newest;
  try {
    const alerts = alertsOf(context, session, running, feed, ending);
    const process = minuteProcessor(context, session, running, feed, alerts, ending);
    const pause = new FeedPause(waits);
    const source = feed.minutes(running.newest, ending, pause.ofFeed);
    for await (const minutes of dueMinutes(clock, source, pause, ending)) {
      await onMinute(await process(minutes));
    }
    await clock.until(session.postClose, ending);
    const { newest } = running;
    if (signal.aborted) return { newest, close: null };
    await alerts.silence(session.postClose);
    const close = await closeSession(context, signal);
    if (lease !== undefined) await noteOnLease(context.database, lease, null);
    return { newest, close };
  } finally {
    ended.abort();
    running.close();
    context.live.running = null;
  }
}

/** Rows into files, and every stock-day with its graph. */
async function closeSession(context: LiveContext, signal: AbortSignal): Promise<SyncReport> {
  await context.tape.finalizeEnded();
  // Stored facts are those of the session's end at once; delayed callers get an earlier state.
  return syncGraph({ ...context, delayMs: 0 }, { kind: 'touched' }, () => {}, signal);
}

function minuteProcessor(
  context: LiveContext,
  session: Session,
  running: RunningSession,
  feed: LiveFeed,
  alerts: SessionAlerts,
  signal: AbortSignal,
): (minutes: readonly LiveMinute[]) => Promise<ProcessedMinutes> {
  const marketOf = marketDeriver(context, session, running);
  const { bus } = context;
  return async (minutes) => {
    const started = stopwatch();
    const before = running.newest;
    const taken = await running.take(feed, minutes, context.lease);
    const failed: FailedDay[] = [];
    if (taken.symbols.length > 0) {
      // Facts of a session that was taken up are read while its market, and then its first stocks, are derived.
      // Where that fails the derivation asks again, and says so.
      if (bus === undefined) running.tell(taken.symbols).catch(() => {});
      const market = await marketOf(taken);
      const { origin } = running;
      const minute = { session, taken, before, market, simulated: feed.simulated, origin };
      failed.push(
        ...(bus === undefined
          ? await deriveHere(context, running, minute)
          : await deriveOnWorkers(context, bus, minute, signal)),
      );
      const broken = new Set(failed.map(({ symbol }) => symbol));
      await running.settle({ ...taken, settles: taken.settles.filter(({ symbol }) => !broken.has(symbol)) });
    }
    await alerts.minute(taken.asOf, taken.symbols);
    const step = {
      at: taken.asOf,
      minutes: minutes.length,
      rows: taken.rows,
      symbols: taken.symbols.length,
      failed,
      tookMs: stopwatch() - started,
    };
    recordStep(context.live, before ?? session.preOpen, minutes, taken, step);
    return step;
  };
}

/** How often silence is counted, and how late rows of a minute may come. */
const SILENCE_MS = 30_000;
const LATE_MS = MINUTE_MS;

/** Judges the alerts of a session. What fails is judged with the next minute: no rule holds up the market. */
interface SessionAlerts {
  minute(at: number, symbols: readonly string[]): Promise<void>;
  silence(at: number): Promise<void>;
}

function alertsOf(
  { database, deriver, calendar, tape, clock, scope }: LiveContext,
  session: Session,
  running: RunningSession,
  { simulated }: LiveFeed,
  signal: AbortSignal,
): SessionAlerts {
  const judge = new AlertJudge(
    { database, deriver, calendar },
    {
      session,
      simulated,
      bars: (symbol) => running.bars(symbol),
      tapes: (symbols) => running.tapes(symbols),
      market: (at) => tape.ofMarket(simulated).minuteMarket(session.tradeDate, marketInstant(session, at)),
    },
  );
  const unlessFailed = (judging: Promise<void>): Promise<void> =>
    judging.catch((error) => {
      if (!signal.aborted) process.emitWarning(`Alerts are behind: ${(error as Error).message}`);
    });
  const silence = (at: number): Promise<void> => unlessFailed(judge.tick(at));
  const endCounting = scope?.every(SILENCE_MS, 'counting silence', () =>
    silence(wholeMinute(clock.now() - LATE_MS)),
  );
  signal.addEventListener('abort', () => endCounting?.(), { once: true });
  return { minute: (at, symbols) => unlessFailed(judge.judge(at, symbols)), silence };
}

/** Derives a minute on the threads of this process; returns the stock-days that failed. */
async function deriveHere(
  context: LiveContext,
  running: RunningSession,
  { session: { tradeDate }, taken: { symbols, asOf }, market, origin }: MinuteInputs,
): Promise<FailedDay[]> {
  const failed: FailedDay[] = [];
  const derive = async (part: readonly string[]): Promise<ScreenOutcome[]> =>
    deriveRunning(context, await running.tapes(part), { tradeDate, asOf, market });
  for await (const outcomes of inOrder(chunks(symbols, DAYS_A_PART), derive)) {
    const derived = outcomes.filter(isDerived);
    const names = derived.map(({ symbol }) => symbol);
    await running.storing(names, asOf, () => writeRunningDays(context.database, derived, origin));
    failed.push(...outcomes.filter((outcome) => outcome.kind === 'failed'));
  }
  return failed;
}

/** Derives the market at a minute. After the close it changes only with new daily bars or late rows. */
function marketDeriver(
  { deriver }: LiveContext,
  session: Session,
  running: RunningSession,
): (taken: TakenMinutes) => Promise<MarketView> {
  let newest: MarketView | null = null;
  return async ({ asOf, movesClose, lateRows }) => {
    const instant = marketInstant(session, asOf);
    const isKept = instant === session.close && !movesClose && lateRows === 0;
    if (newest?.asOf === instant && isKept) return newest;
    const tapes = await running.marketTapes(instant);
    await nextTurn();
    const [snapshot] = await deriver.market({
      tapes,
      days: [{ tradeDate: session.tradeDate, asOf: instant }],
    });
    await running.keepMarket(instant, snapshot!.text);
    newest = JSON.parse(snapshot!.text) as MarketView;
    return newest;
  };
}

/** @param before end of the minute before, or start of the pre-market */
function recordStep(
  live: LiveStatus,
  before: number,
  minutes: readonly LiveMinute[],
  taken: TakenMinutes,
  { at, tookMs, failed }: ProcessedMinutes,
): void {
  // Minutes since the last one that the feed did not deliver are skipped.
  const expected = (at - before) / MINUTE_MS;
  const delivered = minutes.reduce((sum, one) => sum + (one.at - (one.since ?? one.at - MINUTE_MS)), 0);
  live.at = at;
  live.tookMs = tookMs;
  live.minutes += minutes.length;
  live.merged += minutes.length - 1;
  live.skipped += Math.max(0, expected - delivered / MINUTE_MS);
  live.lateRows += taken.lateRows;
  noteRefused(live, taken.refused, at);
  if (taken.newestRow !== null) live.lastRowAt = Math.max(live.lastRowAt ?? 0, taken.newestRow);
  live.failed += failed.length;
}

/** Limits of minutes, and of their deliveries, that are processed together. */
const MINUTES_AT_ONCE = 60;
const DELIVERIES_AT_ONCE = 50_000;

/**
 * The minutes of a feed in its order, each when the clock reaches it. Minutes that became due while the last ones were
 * processed come together, so that a slow process catches up with the market.
 */
async function* dueMinutes(
  clock: PacedClock,
  source: AsyncIterable<LiveMinute>,
  pause: FeedPause,
  signal: AbortSignal,
): AsyncIterable<LiveMinute[]> {
  const minutes = source[Symbol.asyncIterator]();
  let next = ask(minutes);
  while (!signal.aborted) {
    const first = await pause.until(next);
    if (first.done) return;
    await clock.until(first.value.at, signal);
    if (signal.aborted) return;
    const due = [first.value];
    next = ask(minutes);
    let deliveries = first.value.deliveries.length;
    while (due.length < MINUTES_AT_ONCE && deliveries < DELIVERIES_AT_ONCE) {
      const more = await soon(next);
      if (more === null || more.done || more.value.at > clock.now()) break;
      due.push(more.value);
      deliveries += more.value.deliveries.length;
      next = ask(minutes);
    }
    yield due;
  }
}

/**
 * Joins what a feed waits for with what its session does: the feed is a minute ahead, so the task waits only while the feed
 * does and the session has nothing but its next minute to wait for.
 */
class FeedPause {
  readonly #waits: Task['waits'];
  #isWaiting = false;
  #begins = Promise.withResolvers<void>();
  #ends = Promise.withResolvers<void>();

  constructor(waits: Task['waits']) {
    this.#waits = waits;
  }

  readonly ofFeed: Task['waits'] = async (promise) => {
    this.#isWaiting = true;
    this.#begins.resolve();
    try {
      return await promise;
    } finally {
      this.#isWaiting = false;
      this.#begins = Promise.withResolvers();
      this.#ends.resolve();
      this.#ends = Promise.withResolvers();
    }
  };

  /** Awaits the next minute of the feed. */
  async until<T>(next: Promise<T>): Promise<T> {
    let isHere = false;
    const arrived = next.finally(() => {
      isHere = true;
    });
    while (!isHere) {
      await Promise.race([arrived, this.#begins.promise]);
      if (!isHere && this.#isWaiting) await this.#waits(Promise.race([arrived, this.#ends.promise]));
    }
    return arrived;
  }
}

function ask(minutes: AsyncIterator<LiveMinute>): Promise<IteratorResult<LiveMinute>> {
  const next = minutes.next();
  // The error is thrown where the minute is awaited; until then it must not count as unhandled.
  next.catch(() => {});
  return next;
}

/** The value when it is ready by the next turn of the event loop, else null. */
function soon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, nextTurn().then(() => null)]);
}
