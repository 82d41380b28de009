import { hash } from 'node:crypto';
import { NEVER } from '../base/abortable.ts';
import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { inOrder } from '../base/in-order.ts';
import { realTimers, rest, stopwatch } from '../base/timers.ts';
import type { Database } from '../database/database.ts';
import { MARKETS } from '../database/symbol-market.ts';
import type { StatesRequest } from '../derive/deriver.ts';
import type { StateYearDays, SymbolStates } from '../derive/stock-state.ts';
import { putStateSources, putStateYears, readStateSources, readStateYears } from '../graph/stock-states.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/market-view.ts';
import { readDailySources } from '../tape/daily-history.ts';
import type { SymbolTape } from '../tape/index.ts';
import { newestCompleted, type PassContext } from './detector.ts';

export interface StateOptions {
  /** Absent for every stock. */
  readonly symbols?: readonly string[];
  /** Cancels the pass; what is written stays. */
  readonly signal?: AbortSignal;
  /** Beside callers: short statements with pauses of equal length. */
  readonly inBackground?: boolean;
}

export interface StateProgress {
  readonly symbolsDone: number;
  readonly symbols: number;
  readonly written: number;
}

export interface StateReport {
  /** Symbols whose history or market differs from that of their stored states. */
  readonly symbols: number;
  readonly written: number;
  readonly failed: readonly { readonly symbol: string; readonly message: string }[];
}

/** Version of the states; another version derives all of them again. */
const FORMULA = 'states-2';
const SYMBOLS_CHECKED_AT_ONCE = 200;
/** Symbols of one worker task: 20 years of each are some megabytes of text. */
const SYMBOLS_AT_ONCE = 4;
/** Target duration of a statement on the one embedded backend, reached by adapting its number of years. */
const STATEMENT_MS = { background: 5, foreground: 100 };
const YEARS_FIRST = 2;
const YEARS_MAX = 128;

/**
 * Updates the states of every symbol whose daily bars, splits or market differ from those that its states were derived
 * from: derives the whole history again and writes the years that differ. Running it again writes nothing; an
 * interruption costs the symbols in progress.
 */
export async function bringStatesUpToDate(
  context: PassContext,
  { symbols, signal = NEVER, inBackground = false }: StateOptions = {},
  onProgress: (progress: StateProgress) => void = () => {},
): Promise<StateReport> {
  const now = context.clock.now();
  const newest = newestCompleted(context, context.calendar.tradeDateOf(now), now);
  if (newest === null) return { symbols: 0, written: 0, failed: [] };
  const lastDay = midnightUtc(newest) / DAY_MS;
  const report = { symbols: 0, written: 0, failed: [] as StateReport['failed'] };
  for (const simulated of MARKETS) {
    const market = context.tape.ofMarket(simulated);
    const all = await market.symbols();
    const names = symbols === undefined ? all : symbols.filter((symbol) => all.includes(symbol));
    const benchmarks = await dailyTapes(market.symbolTapes, [...INDEX_SYMBOLS, ...VIX_SYMBOLS]);
    const behind = await symbolsBehind(context, benchmarks, names, lastDay);
    const options = { signal, inBackground };
    const own = await deriveBehind(context, benchmarks, behind, lastDay, options, onProgress);
    report.symbols += own.symbols;
    report.written += own.written;
    report.failed = [...report.failed, ...own.failed];
  }
  return report;
}

async function deriveBehind(
  context: PassContext,
  benchmarks: readonly SymbolTape[],
  behind: ReadonlyMap<string, string>,
  lastDay: number,
  { signal, inBackground }: { readonly signal: AbortSignal; readonly inBackground: boolean },
  onProgress: (progress: StateProgress) => void,
): Promise<StateReport> {
  const failed: { symbol: string; message: string }[] = [];
  if (behind.size === 0) return { symbols: 0, written: 0, failed };
  const market = {
    indices: benchmarks.filter(({ symbol }) => INDEX_SYMBOLS.includes(symbol)),
    volatilityIndices: benchmarks.filter(({ symbol }) => VIX_SYMBOLS.includes(symbol)),
    lastDay,
  };
  const write = paced(
    context.database,
    inBackground ? STATEMENT_MS.background : STATEMENT_MS.foreground,
    inBackground,
  );
  let written = 0;
  let symbolsDone = 0;
  for await (const states of inOrder(chunks([...behind.keys()], SYMBOLS_AT_ONCE), (group) =>
    derive(context, group, market),
  )) {
    if (signal.aborted) break;
    written += await write(
      states.flatMap(({ years }) => years),
      signal,
    );
    if (signal.aborted) break;
    const whole = states.filter(({ failure }) => failure === null);
    await putStateSources(
      context.database,
      new Map(whole.map(({ symbol }) => [symbol, behind.get(symbol)!])),
    );
    for (const { symbol, failure } of states) if (failure !== null) failed.push({ symbol, message: failure });
    symbolsDone += states.length;
    onProgress({ symbolsDone, symbols: behind.size, written });
  }
  return { symbols: symbolsDone, written, failed };
}

/** Outdated symbols with the digest of their present sources. */
async function symbolsBehind(
  { database }: PassContext,
  benchmarks: readonly SymbolTape[],
  symbols: readonly string[],
  lastDay: number,
): Promise<Map<string, string>> {
  const names = benchmarks.map(({ symbol }) => symbol);
  const sources = await readDailySources(database, names, lastDay);
  const market = [FORMULA, ...[...sources].sort().flat()].join(' ');
  const stocks = symbols.filter((symbol) => !symbol.startsWith('^'));
  const behind = new Map<string, string>();
  for (const names of chunks(stocks, SYMBOLS_CHECKED_AT_ONCE)) {
    const stored = await readStateSources(database, names);
    for (const [symbol, own] of await readDailySources(database, names, lastDay)) {
      const source = hash('sha1', `${market} ${own}`);
      if (stored.get(symbol) !== source) behind.set(symbol, source);
    }
  }
  return behind;
}

async function derive(
  { database, tape, deriver }: PassContext,
  symbols: readonly string[],
  market: Pick<StatesRequest, 'indices' | 'volatilityIndices' | 'lastDay'>,
): Promise<SymbolStates[]> {
  const tapes = await dailyTapes(tape.symbolTapes, symbols);
  const stored = await readStateYears(database, symbols);
  return deriver.states({ tapes, stored, ...market });
}

/** Tapes with only the parts that daily bars come from. */
async function dailyTapes(
  read: (symbols: readonly string[]) => Promise<SymbolTape[]>,
  symbols: readonly string[],
): Promise<SymbolTape[]> {
  const tapes = await read(symbols);
  const order = new Map(symbols.map((symbol, index) => [symbol, index]));
  return tapes
    .map((own) => ({
      ...own,
      slices: own.slices.filter(({ kind }) => kind === 'bars-1d'),
      running: own.running.filter(({ kind }) => kind === 'bars-1d'),
    }))
    .sort((one, other) => order.get(one.symbol)! - order.get(other.symbol)!);
}

/** Writes statements of as many years as take about `statementMs`; returns the number of states. */
function paced(
  database: Database,
  statementMs: number,
  pauses: boolean,
): (years: readonly StateYearDays[], signal: AbortSignal) => Promise<number> {
  let atOnce = YEARS_FIRST;
  return async (years, signal) => {
    let written = 0;
    for (let at = 0; at < years.length && !signal.aborted; ) {
      const batch = years.slice(at, at + atOnce);
      const began = stopwatch();
      await putStateYears(database, batch);
      const tookMs = stopwatch() - began;
      at += batch.length;
      written += batch.reduce((sum, { days }) => sum + days.length, 0);
      // Half way to the size that would have fitted: one slow statement must not set the pace.
      const fitting = (batch.length * statementMs) / Math.max(tookMs, 0.1);
      if (batch.length === atOnce)
        atOnce = Math.max(1, Math.min(YEARS_MAX, Math.round((atOnce + fitting) / 2)));
      if (pauses) await rest(realTimers, tookMs, { signal });
    }
    return written;
  };
}
