import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asOfInstant } from '../base/as-of.ts';
import { type Calendar, DAY_MS, midnightUtc } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../database/database.ts';
import type { StateYearDays, SymbolStates } from '../base/stock-state.ts';
import type { Deriver, StatesRequest } from '../derive/deriver.ts';
import { putStateSources, putStateYears, readStateSources, readStateYears } from '../graph/stock-states.ts';
import { INDEX_SYMBOLS, VIX_SYMBOLS } from '../market/benchmark-symbols.ts';
import { readDailySources } from '../market/tape/daily-sources.ts';
import type { SymbolTape, Tape } from '../market/tape/index.ts';
import { inOrder } from './in-order.ts';

export interface StateContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly deriver: Deriver;
  readonly clock: Clock;
  /** How old data must be before the facts may hold it. */
  readonly delayMs: number;
}

export interface StateOptions {
  /** Absent for every stock. */
  readonly symbols?: readonly string[];
  /** Calls the pass off; what it has written stays. */
  readonly signal?: AbortSignal;
  /** For a pass beside callers: statements stay short, and as much time as they take is left between them. */
  readonly inBackground?: boolean;
}

export interface StateProgress {
  readonly symbolsDone: number;
  readonly symbols: number;
  readonly written: number;
}

export interface StateReport {
  /** Symbols whose history or market was another than their states were derived from. */
  readonly symbols: number;
  /** States of the years that were new or have changed. */
  readonly written: number;
  readonly failed: readonly { readonly symbol: string; readonly message: string }[];
}

/** Changes when a state of the same history is another number: every state is then derived again. */
const FORMULA = 'states-2';
/** Symbols that are held against the store together. */
const SYMBOLS_LOOKED_AT = 200;
/** Symbols that travel to a thread together: 20 years of each are some megabytes of text. */
const SYMBOLS_AT_ONCE = 4;
/** What a statement may hold the one embedded backend for, and the years of states with which that is approached. */
const HOLD_MS = { background: 12, foreground: 100 };
const YEARS_FIRST = 4;
const YEARS_MAX = 128;
const NEVER = new AbortController().signal;

/**
 * Brings the states of completed sessions up to the tape: of every symbol whose daily bars, splits or market are others
 * than its states were derived from, new or corrected. The whole history is derived again, and the years that differ
 * are written. Running it again writes nothing; an interruption costs the symbols under way.
 */
export async function bringStatesUpToDate(
  context: StateContext,
  { symbols, signal = NEVER, inBackground = false }: StateOptions = {},
  onProgress: (progress: StateProgress) => void = () => {},
): Promise<StateReport> {
  const lastDay = newestCompletedDay(context);
  if (lastDay === null) return { symbols: 0, written: 0, failed: [] };
  const behind = await symbolsBehind(context, symbols ?? (await context.tape.symbols()), lastDay);
  return deriveBehind(context, behind, lastDay, { signal, inBackground }, onProgress);
}

async function deriveBehind(
  context: StateContext,
  behind: ReadonlyMap<string, string>,
  lastDay: number,
  { signal, inBackground }: { readonly signal: AbortSignal; readonly inBackground: boolean },
  onProgress: (progress: StateProgress) => void,
): Promise<StateReport> {
  const failed: { symbol: string; message: string }[] = [];
  if (behind.size === 0) return { symbols: 0, written: 0, failed };
  const market = {
    indices: await dailyTapes(context.tape, INDEX_SYMBOLS),
    volatilityIndices: await dailyTapes(context.tape, VIX_SYMBOLS),
    lastDay,
  };
  const write = paced(context.database, inBackground ? HOLD_MS.background : HOLD_MS.foreground, inBackground);
  let written = 0;
  let symbolsDone = 0;
  for await (const states of inOrder(groupsOf([...behind.keys()]), (group) =>
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

function newestCompletedDay({ calendar, clock, delayMs }: StateContext): number | null {
  const now = clock.now();
  let date: string | null = calendar.tradeDateOf(now);
  if (calendar.session(date) === null) date = calendar.previousSession(date);
  for (; date !== null; date = calendar.previousSession(date)) {
    const session = calendar.session(date)!;
    if ((asOfInstant(session, now, delayMs) ?? 0) >= session.close) return midnightUtc(date) / DAY_MS;
  }
  return null;
}

/** By symbol what its states should be derived from, of those whose states were derived from something else. */
async function symbolsBehind(
  { database }: StateContext,
  symbols: readonly string[],
  lastDay: number,
): Promise<Map<string, string>> {
  const benchmarks = await readDailySources(database, [...INDEX_SYMBOLS, ...VIX_SYMBOLS], lastDay);
  const market = [FORMULA, ...[...benchmarks].sort().flat()].join(' ');
  const stocks = symbols.filter((symbol) => !symbol.startsWith('^'));
  const behind = new Map<string, string>();
  for (let at = 0; at < stocks.length; at += SYMBOLS_LOOKED_AT) {
    const names = stocks.slice(at, at + SYMBOLS_LOOKED_AT);
    const kept = await readStateSources(database, names);
    for (const [symbol, own] of await readDailySources(database, names, lastDay)) {
      const source = hash('sha1', `${market} ${own}`);
      if (kept.get(symbol) !== source) behind.set(symbol, source);
    }
  }
  return behind;
}

async function derive(
  { database, tape, deriver }: StateContext,
  symbols: readonly string[],
  market: Pick<StatesRequest, 'indices' | 'volatilityIndices' | 'lastDay'>,
): Promise<SymbolStates[]> {
  const tapes = await dailyTapes(tape, symbols);
  const stored = await readStateYears(database, symbols);
  return deriver.states({ tapes, stored, ...market });
}

/** Without what a walk over daily bars has no use for. */
async function dailyTapes(tape: Tape, symbols: readonly string[]): Promise<SymbolTape[]> {
  const tapes = await tape.symbolTapes(symbols);
  const places = new Map(symbols.map((symbol, place) => [symbol, place]));
  return tapes
    .map((own) => ({
      ...own,
      slices: own.slices.filter(({ kind }) => kind === 'bars-1d'),
      running: own.running.filter(({ kind }) => kind === 'bars-1d'),
    }))
    .sort((one, other) => places.get(one.symbol)! - places.get(other.symbol)!);
}

function* groupsOf(symbols: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < symbols.length; at += SYMBOLS_AT_ONCE) yield symbols.slice(at, at + SYMBOLS_AT_ONCE);
}

/** Writes in statements of as many years as take about `holdMs`; answers how many states that were. */
function paced(
  database: Database,
  holdMs: number,
  leavesTime: boolean,
): (years: readonly StateYearDays[], signal: AbortSignal) => Promise<number> {
  let atOnce = YEARS_FIRST;
  return async (years, signal) => {
    let written = 0;
    for (let at = 0; at < years.length && !signal.aborted; ) {
      const batch = years.slice(at, at + atOnce);
      const began = performance.now();
      await putStateYears(database, batch);
      const tookMs = performance.now() - began;
      at += batch.length;
      written += batch.reduce((sum, { days }) => sum + days.length, 0);
      // Half way to the size that would have taken the time allowed: one slow statement must not set the pace.
      const fitting = (batch.length * holdMs) / Math.max(tookMs, 0.1);
      if (batch.length === atOnce)
        atOnce = Math.max(1, Math.min(YEARS_MAX, Math.round((atOnce + fitting) / 2)));
      if (leavesTime) await pause(tookMs, undefined, { signal }).catch(() => {});
    }
    return written;
  };
}
