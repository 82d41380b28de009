import { averageDollarVolume } from '../analysis/momentum.ts';
import { DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { CodedError } from '../base/errors.ts';
import { inOrder } from '../base/in-order.ts';
import type { DeriveJob, Deriver, ScreenOutcome } from '../derive/deriver.ts';
import { INDEX_SYMBOLS, type MarketView } from '../market/market-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { isSimulated, newestDay, oldestDay, SegmentReader, type SymbolTape } from '../tape/index.ts';
import { earlier } from './around.ts';
import {
  countKnown,
  type EvaluatedScore,
  type EvaluationReport,
  evaluationReport,
  type ScoredDate,
} from './evaluation.ts';
import type { RecordGround } from './kind.ts';
import { scoreReader } from './score-field.ts';

export interface EvaluationRequest extends EvaluatedScore {
  /** Trade dates, YYYY-MM-DD; absent for the first and the last with a return on the tape. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Absent for every stock on the tape. */
  readonly symbols?: readonly string[] | undefined;
}

interface Context extends Pick<RecordGround, 'tape' | 'calendar' | 'clock'> {
  readonly deriver: Deriver;
  readonly signal: AbortSignal;
}

interface EvaluatedDate extends ScoredDate {
  /** The session, and the one whose close ends the horizon, as days since 1970-01-01. */
  readonly day: number;
  readonly endDay: number;
  /** The close of the date, epoch milliseconds. */
  readonly asOf: number;
}

interface Walk extends Context {
  readonly dates: readonly EvaluatedDate[];
  /** The place of each symbol in the columns of the dates. */
  readonly columnOf: ReadonlyMap<string, number>;
}

/** Values of a date and symbol: some 240 megabytes. */
const CELLS_MAX = 10_000_000;
const DAYS_A_REQUEST = 32;
/** Symbols whose manifest and facts are read at once. */
const SYMBOLS_AT_ONCE = 50;
const MARKETS_AT_ONCE = 250;
const DOLLAR_VOLUME_SESSIONS = 20;

/**
 * Evaluates how well a score has ordered stocks by their returns after it. Every score is derived as of the close of its
 * date by the same function as answers, without look-ahead; the graph is not used.
 *
 * @param onProgress stock-days derived, and all of them
 * @throws CodedError validation_failed, unknown_symbol, no_data_for_date; the reason of the signal when it aborts
 */
export async function evaluateScore(
  app: Omit<Context, 'signal'>,
  request: EvaluationRequest,
  signal: AbortSignal,
  onProgress: (done: number, planned: number) => void = () => {},
): Promise<EvaluationReport> {
  const context = { ...app, signal };
  const read = scoreReader(request.score);
  const symbols = await universe(context, request.symbols);
  const dates = await evaluatedDates(context, request, symbols);
  const walk = { ...context, dates, columnOf: new Map(symbols.map((symbol, column) => [symbol, column])) };
  const data = await readReturns(walk, request.top);
  const planned = countKnown(dates, 'forward');
  const rowOf = new Map(dates.map((date) => [date.tradeDate, date]));
  const failures: string[] = [];
  let done = 0;
  for await (const outcomes of derivedDays(walk)) {
    for (const outcome of outcomes) {
      const { kind, symbol, tradeDate } = outcome;
      if (kind === 'failed') failures.push(`${symbol} ${tradeDate}: ${outcome.message}`);
      if (kind !== 'derived') continue;
      rowOf.get(tradeDate)!.score[walk.columnOf.get(symbol)!] = read(outcome.screen.packed);
    }
    done += outcomes.length;
    onProgress(done, planned);
  }
  return evaluationReport(request, dates, { ...data, failures });
}

async function universe({ tape }: Context, symbols: readonly string[] | undefined): Promise<string[]> {
  const all = await tape.ofMarket(await tape.marketOf(symbols ?? null)).symbols();
  // Indices cannot be bought, and the benchmarks are left out.
  if (symbols === undefined)
    return all.filter((symbol) => !symbol.startsWith('^') && !INDEX_SYMBOLS.includes(symbol)).sort();
  const known = new Set(all);
  const unknown = symbols.filter((symbol) => !known.has(symbol));
  if (unknown.length > 0) throw new CodedError('unknown_symbol', `Not on the tape: ${unknown.join(', ')}`);
  return [...new Set(symbols)].sort();
}

/** Tapes of the symbols without their facts. */
async function* tapesOf({ tape, signal }: Context, symbols: readonly string[]): AsyncGenerator<SymbolTape> {
  for (const names of chunks(symbols, SYMBOLS_AT_ONCE)) yield* await tape.symbolTapes(names, { signal });
}

/** Every `every`-th session whose horizon ends on the tape, still without values. */
async function evaluatedDates(
  context: Context,
  { from = '', to, every, horizon }: EvaluationRequest,
  symbols: readonly string[],
): Promise<EvaluatedDate[]> {
  const { calendar, clock } = context;
  const { first, last } = await dailyExtent(context, symbols);
  let end = calendar.sessionIndex(last);
  while (end >= 0 && calendar.sessionAt(end)!.close > clock.now()) end--;
  const newest = calendar.sessionAt(end - horizon)?.tradeDate ?? '';
  const sessions = calendar
    .sessionsBetween(from < first ? first : from, earlier(to ?? newest, newest))
    .filter((_, index) => index % every === 0);
  if (sessions.length === 0)
    throw new CodedError(
      'no_data_for_date',
      `No session between the dates given has a close ${horizon} sessions later; daily bars run from ${first} to ${last} (${calendar.sessionCount(first, last)} sessions)`,
    );
  if (sessions.length * symbols.length > CELLS_MAX)
    throw new CodedError(
      'validation_failed',
      `${sessions.length} dates of ${symbols.length} symbols are more than ${CELLS_MAX} values; give fewer --symbols, a shorter range or a larger --every.`,
    );
  const column = (): Float64Array => new Float64Array(symbols.length).fill(Number.NaN);
  return sessions.map((tradeDate) => ({
    tradeDate,
    day: dayOf(tradeDate),
    endDay: dayOf(calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon)!.tradeDate),
    asOf: calendar.session(tradeDate)!.close,
    score: column(),
    forward: column(),
  }));
}

/** The first and last trade dates with a daily bar of the symbols. */
async function dailyExtent(context: Context, symbols: readonly string[]) {
  const { calendar, clock } = context;
  const today = dayOf(calendar.tradeDateOf(clock.now()));
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for await (const own of tapesOf(context, symbols)) {
    first = Math.min(first, oldestDay(own) ?? first);
    last = Math.max(last, newestDay(own, today) ?? last);
  }
  if (last < first) throw new CodedError('no_data_for_date', 'The tape has no daily bars of these symbols');
  const newest = dateOf(last * DAY_MS);
  const session = calendar.isSession(newest) ? newest : calendar.previousSession(newest);
  return { first: dateOf(first * DAY_MS), last: session ?? newest };
}

/**
 * Reads the returns from the dates on.
 *
 * @param top number of stocks with the greatest mean dollar volume over 20 sessions that each date keeps
 */
async function readReturns(walk: Walk, top: number | undefined) {
  const { tape, calendar, dates, columnOf } = walk;
  const span = { first: dates[0]!.day, last: dates.at(-1)!.endDay };
  const traded = top === undefined ? [] : dates.map(() => new Float64Array(columnOf.size).fill(Number.NaN));
  const reader = new SegmentReader(tape.location);
  let withoutReturn = 0;
  let simulated = false;
  try {
    for await (const own of tapesOf(walk, [...columnOf.keys()])) {
      simulated ||= isSimulated(own);
      const column = columnOf.get(own.symbol)!;
      await reader.fetchAhead(() => own.slices.filter(({ kind }) => kind === 'bars-1d'));
      const prices = new DailyPrices(reader, own, calendar, span);
      for (const [at, { day, endDay, forward }] of dates.entries()) {
        const row = prices.rowOn(day);
        if (row < 0) continue;
        forward[column] = prices.returnBetween(day, endDay, span.last);
        if (Number.isNaN(forward[column])) withoutReturn++;
        if (top === undefined) continue;
        const { close, volume } = prices.inSharesOf(span.last);
        const sessions = Math.min(row + 1, DOLLAR_VOLUME_SESSIONS);
        traded[at]![column] = averageDollarVolume(close, volume, row, sessions);
      }
    }
  } finally {
    reader.close();
  }
  for (const [at, dollars] of traded.entries()) keepMostTraded(dates[at]!.forward, dollars, top!);
  return { simulated, withoutReturn };
}

/** Removes all but the most traded stocks of a date; their rank was known at its close. */
function keepMostTraded(forward: Float64Array, dollars: Float64Array, top: number): void {
  const order = Array.from(dollars.keys())
    .filter((column) => !Number.isNaN(dollars[column]!))
    .sort((a, b) => dollars[b]! - dollars[a]!);
  for (const column of order.slice(top)) forward[column] = Number.NaN;
}

/** Derives each symbol on its dates with a return, in the market of those dates. */
async function* derivedDays(walk: Walk): AsyncGenerator<ScreenOutcome[]> {
  const { tape, deriver, signal, dates, columnOf } = walk;
  const own = tape.ofMarket(await tape.marketOf([...columnOf.keys()]));
  const markets = new Map<string, MarketView>();
  for (const group of chunks(dates, MARKETS_AT_ONCE)) {
    const days = group.map(({ tradeDate, asOf }) => ({ tradeDate, asOf }));
    const tapes = await own.marketTapes(days, { signal });
    for (const { tradeDate, text } of await deriver.market({ tapes, days }, { signal, isPatient: true }))
      markets.set(tradeDate, JSON.parse(text));
  }
  yield* inOrder(deriveJobs(walk), (job) => {
    const ofJob = Object.fromEntries(job.days.map(({ tradeDate }) => [tradeDate, markets.get(tradeDate)!]));
    return deriver.deriveScreens([job], { signal, markets: ofJob, isPatient: true });
  });
}

/** Jobs with the facts known by their dates. */
async function* deriveJobs({ tape, signal, dates, columnOf }: Walk): AsyncGenerator<DeriveJob> {
  for (const names of chunks([...columnOf.keys()], SYMBOLS_AT_ONCE)) {
    const requests = (await tape.symbolTapes(names, { signal })).flatMap((own) => {
      const column = columnOf.get(own.symbol)!;
      const days = dates
        .filter(({ forward }) => !Number.isNaN(forward[column]!))
        .map(({ tradeDate, asOf }) => ({ tradeDate, asOf }));
      return days.length === 0 ? [] : [{ tape: own, days, from: days[0]!.asOf, to: days.at(-1)!.asOf }];
    });
    for (const [at, own] of (await tape.withFacts(requests, { signal })).entries())
      for (const days of chunks(requests[at]!.days, DAYS_A_REQUEST)) yield { tape: own, days };
  }
}
