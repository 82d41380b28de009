import { type Calendar, DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { DayOutcome, DeriveJob, Deriver } from '../derive/deriver.ts';
import { INDEX_SYMBOLS } from '../market/market-view.ts';
import {
  type MarketView,
  newestDay,
  oldestDay,
  SegmentReader,
  type SymbolTape,
  type Tape,
} from '../tape/index.ts';
import type { Panel } from './evaluation.ts';
import { type EvaluatedScore, type EvaluationReport, evaluationReport } from './evaluation-report.ts';
import { readPricePanel } from './price-panel.ts';
import { type ScoreField, scoreField } from './score-field.ts';

export interface EvaluationRequest extends EvaluatedScore {
  /** Trade dates, YYYY-MM-DD; absent for the first and the last with a return on the tape. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Absent for every stock on the tape. */
  readonly symbols?: readonly string[] | undefined;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly planned: number;
}

interface EvaluationContext {
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly deriver: Deriver;
  readonly signal: AbortSignal;
}

/** Names of indices begin with it; they cannot be bought. */
const INDEX_MARK = '^';
/** Cells of the panel: some 240 megabytes. */
const CELLS_MAX = 10_000_000;
const DAYS_A_REQUEST = 32;
/** Jobs in flight: enough to keep two threads busy. */
const BATCHES_AHEAD = 4;
/** Symbols whose manifest and facts are read at once. */
const SYMBOLS_AT_ONCE = 50;
const MARKETS_AT_ONCE = 250;

/**
 * Evaluates how well a score has ordered stocks by their returns after it. Every score is derived as of the close of its
 * date by the same function as answers, without look-ahead; the graph is not used.
 *
 * @throws CodedError validation_failed, unknown_symbol, no_data_for_date; the reason of the signal when it aborts
 */
export async function evaluateScore(
  app: Omit<EvaluationContext, 'signal'>,
  request: EvaluationRequest,
  signal: AbortSignal,
  onProgress: (progress: EvaluationProgress) => void = () => {},
): Promise<EvaluationReport> {
  const context = { ...app, signal };
  const field = scoreField(request.score);
  const symbols = await universe(context, request.symbols);
  const dates = await evaluatedDates(context, request, symbols);
  checkSize(dates.length, symbols.length);
  const reader = new SegmentReader(context.tape.location);
  try {
    const days = dates.map(({ tradeDate, endDate }) => ({ day: dayOf(tradeDate), endDay: dayOf(endDate) }));
    const prices = await readPricePanel(context.tape, reader, symbols, days, request.top ?? null, signal);
    const panel = {
      dates: dates.length,
      stocks: symbols.length,
      score: new Float64Array(prices.forward.length).fill(Number.NaN),
      forward: prices.forward,
    };
    const failures = await deriveScores(context, field, symbols, dates, panel, onProgress);
    const tradeDates = dates.map(({ tradeDate }) => tradeDate);
    return evaluationReport(request, tradeDates, panel, { ...prices, failures });
  } finally {
    reader.close();
  }
}

async function universe({ tape }: EvaluationContext, symbols?: readonly string[]): Promise<string[]> {
  const all = await tape.ofMarket(await tape.marketOf(symbols ?? null)).symbols();
  if (symbols === undefined) {
    // The benchmarks are left out.
    return all.filter((symbol) => !symbol.startsWith(INDEX_MARK) && !INDEX_SYMBOLS.includes(symbol)).sort();
  }
  const known = new Set(all);
  const unknown = symbols.filter((symbol) => !known.has(symbol));
  if (unknown.length > 0) throw new CodedError('unknown_symbol', `Not on the tape: ${unknown.join(', ')}`);
  return [...new Set(symbols)].sort();
}

interface EvaluatedDate {
  readonly tradeDate: string;
  /** The session whose close ends the horizon. */
  readonly endDate: string;
  /** The close of the date, epoch milliseconds. */
  readonly asOf: number;
}

/** Every `every`-th session whose horizon ends on the tape. */
async function evaluatedDates(
  context: EvaluationContext,
  { from, to, every, horizon }: EvaluationRequest,
  symbols: readonly string[],
): Promise<EvaluatedDate[]> {
  const { calendar } = context;
  const extent = await dailyExtent(context, symbols);
  if (extent === null)
    throw new CodedError('no_data_for_date', 'The tape has no daily bars of these symbols');
  const last = lastEvaluated(context, extent.last, horizon);
  const sessions = calendar.sessionsBetween(
    from === undefined || from < extent.first ? extent.first : from,
    to === undefined || to > last ? last : to,
  );
  if (sessions.length === 0) throw noSession(calendar, extent, horizon);
  return sessions
    .filter((_, index) => index % every === 0)
    .map((tradeDate) => ({
      tradeDate,
      endDate: calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon)!.tradeDate,
      asOf: calendar.session(tradeDate)!.close,
    }));
}

/** The last session with `horizon` closed sessions after it on the tape. */
function lastEvaluated({ calendar, clock }: EvaluationContext, lastOnTape: string, horizon: number): string {
  let end = calendar.sessionIndex(lastOnTape);
  while (end >= 0 && calendar.sessionAt(end)!.close > clock.now()) end--;
  return calendar.sessionAt(end - horizon)?.tradeDate ?? '';
}

interface Extent {
  readonly first: string;
  readonly last: string;
}

/** The first and last trade dates with a daily bar of the symbols; null without one. */
async function dailyExtent(
  { tape, calendar, clock, signal }: EvaluationContext,
  symbols: readonly string[],
): Promise<Extent | null> {
  const today = dayOf(calendar.tradeDateOf(clock.now()));
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const names of chunks(symbols, SYMBOLS_AT_ONCE)) {
    for (const of of await tape.symbolTapes(names, { signal })) {
      first = Math.min(first, oldestDay(of) ?? first);
      last = Math.max(last, newestDay(of, today) ?? last);
    }
  }
  if (last < first) return null;
  const newest = dateOf(last * DAY_MS);
  return {
    first: dateOf(first * DAY_MS),
    last: calendar.isSession(newest) ? newest : (calendar.previousSession(newest) ?? newest),
  };
}

function noSession(calendar: Calendar, extent: Extent, horizon: number): CodedError {
  const sessions = calendar.sessionCount(extent.first, extent.last);
  return new CodedError(
    'no_data_for_date',
    `No session between the dates given has a close ${horizon} sessions later; daily bars run from ${extent.first} to ${extent.last} (${sessions} sessions)`,
  );
}

function checkSize(dates: number, symbols: number): void {
  if (dates * symbols <= CELLS_MAX) return;
  throw new CodedError(
    'validation_failed',
    `${dates} dates of ${symbols} symbols are more than ${CELLS_MAX} values; give fewer --symbols, a shorter range or a larger --every.`,
  );
}

/** Fills the panel's scores where it has a return; returns the failures. */
async function deriveScores(
  context: EvaluationContext,
  field: ScoreField,
  symbols: readonly string[],
  dates: readonly EvaluatedDate[],
  panel: Panel,
  onProgress: (progress: EvaluationProgress) => void,
): Promise<string[]> {
  const markets = await readMarkets(context, symbols, dates);
  const planned = panel.forward.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  const rowOf = new Map(dates.map(({ tradeDate }, row) => [tradeDate, row]));
  const columnOf = new Map(symbols.map((symbol, column) => [symbol, column]));
  const failures: string[] = [];
  const pending: Promise<DayOutcome[]>[] = [];
  let done = 0;
  const take = async (): Promise<void> => {
    for (const outcome of await pending.shift()!) {
      done++;
      if (outcome.kind === 'failed')
        failures.push(`${outcome.symbol} ${outcome.tradeDate}: ${outcome.message}`);
      if (outcome.kind !== 'derived') continue;
      const cell = rowOf.get(outcome.tradeDate)! * panel.stocks + columnOf.get(outcome.symbol)!;
      panel.score[cell] = field.read(JSON.parse(`{${outcome.facts.core}}`));
    }
    onProgress({ done, planned });
  };
  for await (const job of deriveJobs(context, symbols, dates, panel)) {
    const ofJob = Object.fromEntries(job.days.map(({ tradeDate }) => [tradeDate, markets.get(tradeDate)!]));
    const options = { signal: context.signal, markets: ofJob, blocks: [], isPatient: true };
    const outcomes = context.deriver.derive([job], options);
    // Handled where it is awaited.
    outcomes.catch(() => {});
    pending.push(outcomes);
    if (pending.length >= BATCHES_AHEAD) await take();
  }
  while (pending.length > 0) await take();
  return failures;
}

async function readMarkets(
  { tape, deriver, signal }: EvaluationContext,
  symbols: readonly string[],
  dates: readonly EvaluatedDate[],
): Promise<Map<string, MarketView>> {
  const own = tape.ofMarket(await tape.marketOf(symbols));
  const markets = new Map<string, MarketView>();
  for (const group of chunks(dates, MARKETS_AT_ONCE)) {
    const days = group.map(({ tradeDate, asOf }) => ({ tradeDate, asOf }));
    const tapes = await own.marketTapes(days, { signal });
    for (const { tradeDate, text } of await deriver.market({ tapes, days }, { signal, isPatient: true })) {
      markets.set(tradeDate, JSON.parse(text));
    }
  }
  return markets;
}

/** Jobs of each symbol's dates with a return, with the facts known by then. */
async function* deriveJobs(
  { tape, signal }: EvaluationContext,
  symbols: readonly string[],
  dates: readonly EvaluatedDate[],
  { stocks, forward }: Panel,
): AsyncIterable<DeriveJob> {
  const columnOf = new Map(symbols.map((symbol, column) => [symbol, column]));
  const daysOf = ({ symbol }: SymbolTape): DeriveJob['days'] =>
    dates.flatMap(({ tradeDate, asOf }, row) =>
      Number.isNaN(forward[row * stocks + columnOf.get(symbol)!]!) ? [] : [{ tradeDate, asOf }],
    );
  for (const names of chunks(symbols, SYMBOLS_AT_ONCE)) {
    const requests = (await tape.symbolTapes(names, { signal })).flatMap((of) => {
      const days = daysOf(of);
      return days.length === 0 ? [] : [{ tape: of, from: days[0]!.asOf, to: days.at(-1)!.asOf }];
    });
    for (const of of await tape.withFacts(requests, { signal })) {
      for (const days of chunks(daysOf(of), DAYS_A_REQUEST)) yield { tape: of, days };
    }
  }
}
