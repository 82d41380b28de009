import { crc32 } from 'node:zlib';
import { NEVER } from '../base/abortable.ts';
import { tradeDateHolding } from '../base/as-of.ts';
import { DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { quarterOf } from '../base/dates.ts';
import { inOrder } from '../base/in-order.ts';
import { MARKETS } from '../database/symbol-market.ts';
import type { ColumnsWork, DerivedColumns } from '../derive/deriver.ts';
import { COLUMNS_PROGRAM } from '../derive/scalar-columns.ts';
import { readMarketDays } from '../graph/market-days.ts';
import {
  dropScalarQuarters,
  readColumnParts,
  readScalarQuarters,
  readTrims,
  type ScalarQuarter,
  writeScalarQuarter,
} from '../graph/scalar-history.ts';
import type { MarketView } from '../market/market-view.ts';
import { earlier } from '../records/around.ts';
import { oldestDay } from '../tape/index.ts';
import type { DayFailure } from './day-work.ts';
import type { PassContext } from './detector.ts';
import { openMarketPass } from './market-pass.ts';
import { oldestKept } from './retention.ts';
import { newestDate } from './topology-pass.ts';

export interface HistoryProgress {
  /** Stock-days. */
  readonly done: number;
  readonly planned: number;
}

export interface HistoryReport {
  /** Stock-days, those without a bar included. */
  readonly derived: number;
  /** Quarters of symbols. */
  readonly written: number;
  readonly failed: readonly DayFailure[];
}

const SYMBOLS_CHECKED_AT_ONCE = 500;
/** Symbols whose facts are read together. */
const SYMBOLS_AT_ONCE = 16;
/** Quarters of symbols under way: each thread has some, of its own symbols. */
const JOBS_AHEAD = 8;

/** What is to be derived of a symbol in a quarter. */
interface DueQuarter {
  readonly symbol: string;
  readonly quarter: string;
  /** What is stored and stays, the first `kept` days. */
  readonly stored: ScalarQuarter | null;
  readonly kept: number;
  readonly dates: readonly string[];
}

/** The wanted sessions of a quarter, and the market on those that were derived before. */
interface Quarter {
  readonly quarter: string;
  readonly dates: readonly string[];
  readonly markets: Map<string, StoredMarket>;
}

interface StoredMarket {
  readonly sum: number;
  readonly text: string;
}

/**
 * Derives the scalar values of the newest sessions of every stock as columns, the newest quarters first, and stores them
 * for histories. What is stored stays as far as neither data nor markets have changed since; what new data touch waits
 * for the pass that derives it. Running it again writes nothing; an interruption costs the quarters in progress.
 *
 * @throws the signal's reason between two quarters of a symbol
 */
export async function bringHistoriesUpToDate(
  context: PassContext,
  signal: AbortSignal = NEVER,
  onProgress: (progress: HistoryProgress) => void = () => {},
): Promise<HistoryReport> {
  const report = { derived: 0, written: 0, failed: [] as DayFailure[] };
  let planned = 0;
  for (const simulated of MARKETS) {
    const dates = await wantedDates(context, simulated);
    const oldest = dates[0] === undefined ? null : quarterOf(dates[0]);
    await dropScalarQuarters(context.database, simulated, oldest);
    const quarters = await quartersOf(context, simulated, dates);
    const due = await dueSymbols(context, simulated, quarters);
    for (const { stockDays } of due) planned += stockDays;
    onProgress({ done: report.derived, planned });
    const jobs = jobsOf(context, simulated, due);
    const run = async (job: Job) => ({ job, derived: await context.deriver.columns(job.work) });
    for await (const { job, derived } of inOrder(jobs, run, JOBS_AHEAD)) {
      signal.throwIfAborted();
      const { failure, tradeDates, parts } = derived;
      if (!(await writeScalarQuarter(context.database, job.trims, rowOf(job, derived), parts))) continue;
      report.written++;
      report.derived += failure === null ? job.dates.length : tradeDates.length;
      if (failure !== null) report.failed.push(failure);
      onProgress({ done: report.derived, planned });
    }
  }
  onProgress({ done: 0, planned: 0 });
  return report;
}

/** The newest trade dates of a market that are over, from the beginning of a quarter or the first that is kept on. */
async function wantedDates(context: PassContext, simulated: boolean): Promise<string[]> {
  const { calendar, clock, delayMs, historySessions } = context;
  const ended = calendar.previousSession(tradeDateHolding(calendar, clock.now() - delayMs));
  const known = await newestDate(context, clock.now(), simulated);
  if (ended === null || known === null || historySessions === 0) return [];
  const newest = earlier(known, ended);
  const first = calendar.sessionAt(calendar.sessionIndex(newest) - historySessions + 1)?.tradeDate;
  const kept = await oldestKept(context, clock.now());
  const from = quarterOf(first ?? calendar.first);
  return calendar.sessionsBetween(kept !== null && kept > from ? kept : from, newest);
}

/** The quarters of dates, newest first. */
async function quartersOf(
  { database }: PassContext,
  simulated: boolean,
  dates: readonly string[],
): Promise<Quarter[]> {
  const stored = await readMarketDays(database, simulated, dates);
  const markets = new Map(stored.map(({ tradeDate, digest, text }) => [tradeDate, marketOf(digest, text)]));
  return Array.from(Map.groupBy(dates, quarterOf), ([quarter, own]) => ({
    quarter,
    dates: own,
    markets,
  })).reverse();
}

const marketOf = (digest: string, text: string): StoredMarket => ({ sum: crc32(digest) | 0, text });

/** By quarter the symbols of which something is to be derived, but those that wait for a pass. */
async function dueSymbols(context: PassContext, simulated: boolean, quarters: readonly Quarter[]) {
  const { database, tape } = context;
  const touched = new Set((await tape.touched(undefined, simulated)).map(({ symbol }) => symbol));
  const symbols = (await tape.ofMarket(simulated).symbols()).filter((symbol) => !touched.has(symbol));
  const due = quarters.map((of) => ({ of, symbols: [] as string[], stockDays: 0 }));
  const names = quarters.map(({ quarter }) => quarter);
  for (const part of chunks(symbols, SYMBOLS_CHECKED_AT_ONCE)) {
    const stored = await readScalarQuarters(database, part, names);
    for (const own of due) {
      for (const { symbol, dates } of dueOf(own.of, part, stored)) {
        own.symbols.push(symbol);
        own.stockDays += dates.length;
      }
    }
  }
  return due;
}

/** What is due of some symbols in a quarter. */
function dueOf(of: Quarter, symbols: readonly string[], stored: readonly ScalarQuarter[]): DueQuarter[] {
  const { quarter } = of;
  const own = new Map(stored.filter((row) => row.quarter === quarter).map((row) => [row.symbol, row]));
  return symbols.flatMap((symbol) => {
    const row = own.get(symbol) ?? null;
    // Of a newer program, during an upgrade.
    if (row !== null && row.derivation > COLUMNS_PROGRAM.derivation) return [];
    const isOwn =
      row?.derivation === COLUMNS_PROGRAM.derivation && row.catalogue === COLUMNS_PROGRAM.catalogue;
    const { kept, through } = isOwn ? validPart(of, row) : { kept: 0, through: 0 };
    const dates = of.dates.filter((date) => dayOf(date) > through);
    return dates.length === 0 ? [] : { symbol, quarter, stored: isOwn ? row : null, kept, dates };
  });
}

/** How many of the stored days have the markets of today, and up to which day nothing is missing. */
function validPart({ markets }: Quarter, { days, markets: sums, through }: ScalarQuarter) {
  const kept = days.findIndex((day, at) => {
    const market = markets.get(dateOf(day * DAY_MS));
    return market !== undefined && market.sum !== sums[at];
  });
  return kept < 0 ? { kept: days.length, through } : { kept, through: days[kept]! - 1 };
}

interface Job extends DueQuarter {
  readonly of: Quarter;
  readonly trims: number;
  readonly work: ColumnsWork;
}

async function* jobsOf(
  context: PassContext,
  simulated: boolean,
  due: Awaited<ReturnType<typeof dueSymbols>>,
): AsyncIterable<Job> {
  const { database, tape, calendar } = context;
  const pass = openMarketPass(context, simulated);
  for (const { of, symbols } of due) {
    if (symbols.length === 0) continue;
    await completeMarkets(context, pass, of);
    const views: Record<string, MarketView> = {};
    for (const date of of.dates) views[date] = JSON.parse(of.markets.get(date)!.text);
    for (const part of chunks(symbols, SYMBOLS_AT_ONCE)) {
      // First: what is read from here on is refused where it has changed by the time it is written.
      const trims = await readTrims(database);
      const stored = await readScalarQuarters(database, part, [of.quarter]);
      const quarters = new Map(dueOf(of, part, stored).map((own) => [own.symbol, own]));
      const windows = (await tape.symbolTapes([...quarters.keys()])).map((own) => {
        const dates = quarters.get(own.symbol)!.dates;
        return {
          tape: own,
          from: calendar.session(dates[0]!)!.end,
          to: calendar.session(dates.at(-1)!)!.end,
        };
      });
      for (const own of await tape.withFacts(windows)) {
        const quarter = quarters.get(own.symbol)!;
        const first = dateOf(oldestDay(own)! * DAY_MS);
        const dates = quarter.dates.filter((date) => date >= first);
        const days = dates.map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.end }));
        const work = {
          job: { tape: own, days },
          markets: Object.fromEntries(dates.map((date) => [date, views[date]!])),
          stored: quarter.kept === 0 ? {} : await readColumnParts(database, quarter),
          kept: quarter.kept,
        };
        yield { ...quarter, of, trims, work };
      }
    }
  }
}

/** Has the markets of a quarter stored, against which later passes compare. */
async function completeMarkets(
  { database, calendar }: PassContext,
  pass: ReturnType<typeof openMarketPass>,
  { dates, markets }: Quarter,
): Promise<void> {
  const missing = dates.filter((date) => !markets.has(date));
  await pass.bringUpToDate(
    missing.map((tradeDate) => ({ tradeDate, asOf: calendar.session(tradeDate)!.end })),
  );
  for (const { tradeDate, digest, text } of await readMarketDays(database, pass.simulated, missing))
    markets.set(tradeDate, marketOf(digest, text));
}

/** What is said of the columns of a job. */
function rowOf(
  { symbol, quarter, stored, kept, dates, of }: Job,
  { tradeDates, failure }: DerivedColumns,
): ScalarQuarter {
  const sumOf = (date: string): number => of.markets.get(date)!.sum;
  return {
    ...COLUMNS_PROGRAM,
    symbol,
    quarter,
    days: [...(stored?.days.slice(0, kept) ?? []), ...tradeDates.map(dayOf)],
    markets: [...(stored?.markets.slice(0, kept) ?? []), ...tradeDates.map(sumOf)],
    through: failure === null ? dayOf(dates.at(-1)!) : dayOf(failure.tradeDate) - 1,
  };
}
