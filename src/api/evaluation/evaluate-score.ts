import {
  type DatedMean,
  type Evaluation,
  evaluate,
  overlapLags,
  type Panel,
} from '../../analysis/evaluation.ts';
import { type Calendar, DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import type { DayOutcome, DeriveJob } from '../../derive/deriver.ts';
import {
  INDEX_SYMBOLS,
  type MarketView,
  newestDay,
  oldestDay,
  SegmentReader,
  type SymbolTape,
} from '../../market/tape/index.ts';
import { whyNoFigures } from './no-figures.ts';
import { readPricePanel } from './price-panel.ts';
import { type ScoreField, scoreField } from './score-field.ts';
import type { AppContext } from '../app-context.ts';

export interface EvaluationRequest {
  /** Dotted path of a number in the answer. */
  readonly score: string;
  /** Sessions from the close at which the score is known to the close that is judged. */
  readonly horizon: number;
  /** Trade dates, YYYY-MM-DD; absent for the first and the last that the tape can judge. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Every so many sessions are evaluated. */
  readonly every: number;
  /** Absent for every stock on the tape. */
  readonly symbols?: readonly string[] | undefined;
  /** At each date only so many stocks, those with the greatest dollar volume up to it. */
  readonly top?: number | undefined;
}

/** A mean over dates as it is printed and written; null where there is too little to say. */
export interface MeanReport {
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly standard_error: number | null;
  readonly t: number | null;
  /** Limits of the 95 % confidence interval. */
  readonly low: number | null;
  readonly high: number | null;
  readonly dates: number;
}

/** What an evaluation came to, in the names of its JSON file. Returns are simple returns as fractions. */
export interface EvaluationReport {
  readonly score: string;
  readonly horizon: number;
  readonly every: number;
  readonly from: string;
  readonly to: string;
  readonly dates: number;
  readonly symbols: number;
  readonly top: number | null;
  readonly simulated: boolean;
  readonly newey_west_lags: number;
  /** Stock-dates with a forward return, and those of them with a score. */
  readonly stock_dates: number;
  readonly scored: number;
  readonly coverage: number | null;
  readonly without_return: number;
  readonly failed: number;
  readonly first_failure: string | null;
  /** Why no date has a figure; null when one has. */
  readonly no_figures_reason: string | null;
  readonly information_coefficient: MeanReport & {
    readonly positive_share: number | null;
    readonly by_date: readonly { readonly date: string; readonly value: number | null }[];
  };
  readonly deciles: readonly (MeanReport & { readonly decile: number; readonly count: number })[];
  readonly spread: MeanReport;
  /** Its `t` is against one half. `risen` is what calling every stock up would have come to. */
  readonly hit_rate: MeanReport & {
    readonly kind: 'sign' | 'top_over_median';
    readonly risen: number | null;
  };
  readonly turnover: MeanReport;
  readonly autocorrelation: MeanReport;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly planned: number;
}

type EvaluationContext = Pick<AppContext, 'tape' | 'calendar' | 'clock' | 'deriver'>;

/** Names of indices begin so; nobody can buy them. */
const INDEX_MARK = '^';
/** Values of the panel: with its returns and dollar volumes some 240 megabytes. */
const CELLS_MAX = 10_000_000;
/** Stock-days that travel to a thread together. */
const DAYS_AT_ONCE = 32;
/** Batches under way at once: enough to keep two threads busy while the next is put together. */
const BATCHES_AHEAD = 4;
/** Symbols whose manifest and facts are held at once. */
const SYMBOLS_AT_ONCE = 50;
/** Dates of one walk over the whole market. */
const MARKETS_AT_ONCE = 250;

/**
 * How well a score has ordered stocks by their returns after it. Every score is derived as of the close of its date, by
 * the function that answers callers, so that it knows nothing newer; nothing is read from or written to the graph.
 *
 * @throws CodedError validation_failed, unknown_symbol, no_data_for_date; the reason of the signal when it aborts
 */
export async function evaluateScore(
  context: EvaluationContext,
  request: EvaluationRequest,
  signal: AbortSignal,
  onProgress: (progress: EvaluationProgress) => void = () => {},
): Promise<EvaluationReport> {
  const field = scoreField(request.score);
  const symbols = await universe(context, request.symbols);
  const dates = await evaluatedDates(context, request, symbols, signal);
  checkSize(dates.length, symbols.length);
  const reader = new SegmentReader(context.tape.directory);
  try {
    const days = dates.map(({ tradeDate, endDate }) => ({ day: dayOf(tradeDate), endDay: dayOf(endDate) }));
    const prices = await readPricePanel(context.tape, reader, symbols, days, request.top ?? null, signal);
    const panel = {
      dates: dates.length,
      stocks: symbols.length,
      score: new Float64Array(prices.forward.length).fill(Number.NaN),
      forward: prices.forward,
    };
    const failures = await deriveScores(context, field, symbols, dates, panel, signal, onProgress);
    return reportOf(request, dates, panel, { ...prices, failures });
  } finally {
    reader.close();
  }
}

const dayOf = (date: string): number => midnightUtc(date) / DAY_MS;

async function universe(
  { tape }: EvaluationContext,
  asked: readonly string[] | undefined,
): Promise<string[]> {
  const all = await tape.symbols();
  if (asked === undefined) {
    // What stands for the market is what the stocks are compared on.
    return all.filter((symbol) => !symbol.startsWith(INDEX_MARK) && !INDEX_SYMBOLS.includes(symbol)).sort();
  }
  const known = new Set(all);
  const unknown = asked.filter((symbol) => !known.has(symbol));
  if (unknown.length > 0) throw new CodedError('unknown_symbol', `Not on the tape: ${unknown.join(', ')}`);
  return [...new Set(asked)].sort();
}

interface EvaluatedDate {
  readonly tradeDate: string;
  /** The session whose close ends the horizon. */
  readonly endDate: string;
  /** The close of the date, epoch milliseconds. */
  readonly asOf: number;
}

/** Every `every`-th session that the tape can judge: its horizon must have ended on the tape. */
async function evaluatedDates(
  context: EvaluationContext,
  { from, to, every, horizon }: EvaluationRequest,
  symbols: readonly string[],
  signal: AbortSignal,
): Promise<EvaluatedDate[]> {
  const { calendar } = context;
  const extent = await dailyExtent(context, symbols, signal);
  const sessions =
    extent === null
      ? []
      : calendar.sessionsBetween(
          laterOf(from, extent.first),
          earlierOf(to, lastJudged(context, extent.last, horizon)),
        );
  if (sessions.length === 0) throw nothingToJudge(calendar, extent, horizon);
  return sessions
    .filter((_, place) => place % every === 0)
    .map((tradeDate) => ({
      tradeDate,
      endDate: calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon)!.tradeDate,
      asOf: calendar.session(tradeDate)!.close,
    }));
}

const laterOf = (date: string | undefined, other: string): string =>
  date === undefined || date < other ? other : date;
const earlierOf = (date: string | undefined, other: string): string =>
  date === undefined || date > other ? other : date;

/** The last session with `horizon` sessions after it that have closed and lie on the tape. */
function lastJudged({ calendar, clock }: EvaluationContext, lastOnTape: string, horizon: number): string {
  let end = calendar.sessionIndex(lastOnTape);
  while (end >= 0 && calendar.sessionAt(end)!.close > clock.now()) end--;
  return calendar.sessionAt(end - horizon)?.tradeDate ?? '';
}

interface Extent {
  readonly first: string;
  readonly last: string;
}

/** The first and last trade dates with a daily bar of any of the symbols; null when none has one. */
async function dailyExtent(
  { tape, calendar, clock }: EvaluationContext,
  symbols: readonly string[],
  signal: AbortSignal,
): Promise<Extent | null> {
  const today = dayOf(calendar.tradeDateOf(clock.now()));
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const names of groupsOf(symbols, SYMBOLS_AT_ONCE)) {
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

function nothingToJudge(calendar: Calendar, extent: Extent | null, horizon: number): CodedError {
  if (extent === null)
    return new CodedError('no_data_for_date', 'The tape has no daily bars of these symbols');
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

/** Fills the panel's scores where a return is there to judge them by; answers what went wrong. */
async function deriveScores(
  context: EvaluationContext,
  field: ScoreField,
  symbols: readonly string[],
  dates: readonly EvaluatedDate[],
  panel: Panel,
  signal: AbortSignal,
  onProgress: (progress: EvaluationProgress) => void,
): Promise<string[]> {
  const markets = await readMarkets(context, dates, signal);
  const planned = panel.forward.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  const rowOf = new Map(dates.map(({ tradeDate }, row) => [tradeDate, row]));
  const placeOf = new Map(symbols.map((symbol, place) => [symbol, place]));
  const failures: string[] = [];
  const underWay: Promise<DayOutcome[]>[] = [];
  let done = 0;
  const take = async (): Promise<void> => {
    for (const outcome of await underWay.shift()!) {
      done++;
      if (outcome.kind === 'failed')
        failures.push(`${outcome.symbol} ${outcome.tradeDate}: ${outcome.message}`);
      if (outcome.kind !== 'derived') continue;
      const cell = rowOf.get(outcome.tradeDate)! * panel.stocks + placeOf.get(outcome.symbol)!;
      panel.score[cell] = field.read(JSON.parse(`{${outcome.facts.core}}`));
    }
    onProgress({ done, planned });
  };
  for await (const job of deriveJobs(context, symbols, dates, panel, signal)) {
    const ofJob = Object.fromEntries(job.days.map(({ tradeDate }) => [tradeDate, markets.get(tradeDate)!]));
    const outcomes = context.deriver.derive([job], { signal, markets: ofJob, coreOnly: true });
    // A rejection is met where it is awaited; until then it must not count as unhandled.
    outcomes.catch(() => {});
    underWay.push(outcomes);
    if (underWay.length >= BATCHES_AHEAD) await take();
  }
  while (underWay.length > 0) await take();
  return failures;
}

/** The market as a whole at the close of every date, by the function that a pass derives it with. */
async function readMarkets(
  { tape, deriver }: EvaluationContext,
  dates: readonly EvaluatedDate[],
  signal: AbortSignal,
): Promise<Map<string, MarketView>> {
  const markets = new Map<string, MarketView>();
  for (const group of groupsOf(dates, MARKETS_AT_ONCE)) {
    const days = group.map(({ tradeDate, asOf }) => ({ tradeDate, asOf }));
    const tapes = await tape.marketTapes(days, { signal });
    for (const { tradeDate, text } of await deriver.market({ tapes, days }, { signal })) {
      markets.set(tradeDate, JSON.parse(text));
    }
  }
  return markets;
}

/** The work of a panel: a symbol's dates with a return, a few dozen at a time, with the facts that they can know. */
async function* deriveJobs(
  { tape }: EvaluationContext,
  symbols: readonly string[],
  dates: readonly EvaluatedDate[],
  { stocks, forward }: Panel,
  signal: AbortSignal,
): AsyncIterable<DeriveJob> {
  const placeOf = new Map(symbols.map((symbol, place) => [symbol, place]));
  const daysOf = ({ symbol }: SymbolTape): DeriveJob['days'] =>
    dates.flatMap(({ tradeDate, asOf }, row) =>
      Number.isNaN(forward[row * stocks + placeOf.get(symbol)!]!) ? [] : [{ tradeDate, asOf }],
    );
  for (const names of groupsOf(symbols, SYMBOLS_AT_ONCE)) {
    const requests = (await tape.symbolTapes(names, { signal })).flatMap((of) => {
      const days = daysOf(of);
      return days.length === 0 ? [] : [{ tape: of, from: days[0]!.asOf, to: days.at(-1)!.asOf }];
    });
    for (const of of await tape.withFacts(requests, { signal })) {
      for (const days of groupsOf(daysOf(of), DAYS_AT_ONCE)) yield { tape: of, days };
    }
  }
}

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

function reportOf(
  { score, horizon, every, top }: EvaluationRequest,
  dates: readonly EvaluatedDate[],
  panel: Panel,
  read: { readonly withoutReturn: number; readonly simulated: boolean; readonly failures: readonly string[] },
): EvaluationReport {
  const lags = overlapLags(horizon, every);
  const evaluation = evaluate(panel, lags);
  const judged = panel.forward.filter((value) => !Number.isNaN(value)).length;
  const scored = panel.score.filter((value) => !Number.isNaN(value)).length;
  return {
    score,
    horizon,
    every,
    from: dates[0]!.tradeDate,
    to: dates.at(-1)!.tradeDate,
    dates: dates.length,
    symbols: panel.stocks,
    top: top ?? null,
    simulated: read.simulated,
    newey_west_lags: lags,
    stock_dates: judged,
    scored,
    coverage: known(scored / judged),
    without_return: read.withoutReturn,
    failed: read.failures.length,
    first_failure: read.failures[0] ?? null,
    no_figures_reason:
      evaluation.coefficient.dates > 0
        ? null
        : whyNoFigures(panel, { score, horizon, failures: read.failures }),
    ...statisticsOf(evaluation, dates),
  };
}

function statisticsOf(evaluation: Evaluation, dates: readonly EvaluatedDate[]) {
  const { coefficient, coefficients, positiveShare, deciles, spread, hitRate } = evaluation;
  return {
    information_coefficient: {
      ...meanReport(coefficient),
      positive_share: known(positiveShare),
      by_date: dates.map(({ tradeDate }, row) => ({ date: tradeDate, value: known(coefficients[row]!) })),
    },
    deciles: deciles.map((decile, at) => ({ decile: at + 1, count: decile.count, ...meanReport(decile) })),
    spread: meanReport(spread),
    hit_rate: { kind: hitRate.kind, risen: known(hitRate.risen), ...meanReport(hitRate) },
    turnover: meanReport(evaluation.turnover),
    autocorrelation: meanReport(evaluation.autocorrelation),
  };
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

const meanReport = ({ mean, deviation, standardError, t, low, high, dates }: DatedMean): MeanReport => ({
  mean: known(mean),
  deviation: known(deviation),
  standard_error: known(standardError),
  t: known(t),
  low: known(low),
  high: known(high),
  dates,
});
