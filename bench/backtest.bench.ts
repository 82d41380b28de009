/**
 * Promise: the grid walk over 20 symbols x 252 sessions x 390 bars and 20 x 20 cells in under 100 ms on one core, level
 * with a first-touch kernel in numba; the whole of a run's mathematics, from bars to the verdict, within a second.
 *
 * The kernel enters at the close of the signal's bar, we at the open of the next one. So that both are asked the same
 * question, every open of the common input is the close before it. The kernel compares our figures of all cells with
 * its own.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterSession, entryTables } from '../src/analysis/backtest/first-touch.ts';
import { walkCells } from '../src/analysis/backtest/grid-walk.ts';
import { mergePartials } from '../src/analysis/backtest/merge-partials.ts';
import { maxDrawdown, metricsOf } from '../src/analysis/backtest/metrics.ts';
import { openBacktest } from '../src/analysis/backtest/open-backtest.ts';
import { FIGURE_COUNT } from '../src/analysis/backtest/partial.ts';
import type { BacktestSession, SessionColumns } from '../src/analysis/backtest/session-columns.ts';
import { type BacktestSpec, SIGNAL_TYPES } from '../src/analysis/backtest/spec.ts';
import { mergeBars } from '../src/analysis/sessions.ts';
import { tradesAnswer } from '../src/derive/trades-answer.ts';
import type { BarColumns, SessionBounds } from '../src/market/observations.ts';
import { packEntries } from '../src/workers/backtest-worker.ts';
import { mulberry32 } from '../test/support/daily-recipe.ts';
import { type BenchLine, median, ms, timed } from './report.ts';
import { yardstickFolder } from './yardstick.ts';

const SYMBOLS = 20;
const SESSIONS = 252;
const MINUTES = 390;
const BARS = SESSIONS * MINUTES;
const ROUNDS = 3;
const ALLOWED_MS = 100;
const ALLOWED_RATIO = 3;
const WHOLE_ALLOWED_MS = 1000;
const TRADES_ALLOWED_MS = 300;
/** Cells of which trades are asked for: ten stops by ten targets. */
const CELLS_ASKED = Array.from({ length: 100 }, (_, at) => Math.floor(at / 10) * 20 + (at % 10));
/** Of the recipe's bars before their opens are moved: it says that both were asked the same question. */
const INPUT_SHA256 = 'd96e129e9474';
const STOPS = Array.from({ length: 20 }, (_, at) => (10 + 5 * at) / 100);
const TARGETS = Array.from({ length: 20 }, (_, at) => (20 + 10 * at) / 100);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Sessions before the first that is walked, for an ATR. */
const WARM_UP = 16;

/** What one process measured, milliseconds. */
interface Run {
  readonly walk: number;
  /** The same over a fifth of the stops and targets of each list: 16 cells. */
  readonly walkFewCells: number;
  readonly oneSignal: number;
  readonly sixSignals: number;
  /** Of one symbol and all signals, and of all symbols and one signal. */
  readonly ofOne: StoredTrades;
  readonly ofAll: StoredTrades;
  readonly trades: number;
  readonly residentBytes: number;
}

export async function run(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-bench-'));
  try {
    const market = recipeMarket();
    writeInput(folder, market);
    const runs: Run[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = execFileSync(process.execPath, [import.meta.filename], { encoding: 'utf8' });
      runs.push(JSON.parse(child) as Run);
    }
    const of = (pick: (run: Run) => number): number => median(runs.map(pick));
    const walk = of((one) => one.walk);
    const shape = `${SYMBOLS} x ${SESSIONS} x ${MINUTES} bars`;
    return [
      {
        promise: `backtest grid walk, ${shape}, 400 cells, one core`,
        figure: ms(walk),
        target: `under ${ALLOWED_MS} ms`,
        met: walk < ALLOWED_MS,
        note: `${of((one) => one.trades)} trades; medians of ${ROUNDS} processes`,
      },
      yardstickLine(folder, walk),
      {
        promise: 'backtest grid walk, 25 times the cells',
        figure: `${ms(of((one) => one.walkFewCells))} for 16, ${ms(walk)} for 400`,
        ratio: walk / of((one) => one.walkFewCells),
        target: 'under 25x',
        met: walk / of((one) => one.walkFewCells) < 25,
      },
      {
        promise: `backtest from bars to verdict, one signal, ${shape}, 400 cells, one core`,
        figure: ms(of((one) => one.oneSignal)),
        target: `under ${WHOLE_ALLOWED_MS} ms`,
        met: of((one) => one.oneSignal) < WHOLE_ALLOWED_MS,
        note: 'ib_breakout; the tape is not in it',
      },
      {
        promise: 'the same, all six signals',
        figure: ms(of((one) => one.sixSignals)),
        met: null,
        note: `symbols split over cores; resident ${(of((one) => one.residentBytes) / 2 ** 20).toFixed(0)} MiB, input within`,
      },
      {
        promise: 'trades of 100 cells of a stored run as an Arrow stream, one symbol, one core',
        figure: ms(of(({ ofOne }) => ofOne.hundredCells)),
        ratio: of(({ ofOne }) => ofOne.hundredCells / ofOne.json),
        target: `under ${TRADES_ALLOWED_MS} ms`,
        met: of(({ ofOne }) => ofOne.hundredCells) < TRADES_ALLOWED_MS,
        note: `${of(({ ofOne }) => ofOne.rows)} trades of six signals; ratio to JSON.stringify and parse of them`,
      },
      {
        promise: `the same, ${SYMBOLS} symbols`,
        figure: ms(of(({ ofAll }) => ofAll.hundredCells)),
        ratio: of(({ ofAll }) => ofAll.hundredCells / ofAll.json),
        met: null,
        note: `${of(({ ofAll }) => ofAll.rows)} trades of ib_breakout`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Ours over numba's first-touch kernel, which runs once its compiler has. */
function yardstickLine(folder: string, walk: number): BenchLine {
  const line = {
    promise: 'backtest grid walk against a first-touch kernel in numba',
    target: `under ${ALLOWED_RATIO}x`,
  };
  const told = numbaLines(folder);
  if ('missing' in told)
    return { ...line, figure: ms(walk), met: null, note: `ratio skipped: ${told.missing}` };
  const theirs = told.lines.find(({ peer }) => peer.includes('first-touch'))!;
  const differs = theirs.max_rel_diff_vs_c;
  return {
    ...line,
    figure: `${ms(walk)}, numba ${ms(theirs.median)}`,
    ratio: walk / theirs.median,
    met: walk / theirs.median < ALLOWED_RATIO && differs < 1e-9,
    note: `figures of all cells agree to ${differs.toExponential(1)}`,
  };
}

interface NumbaLine {
  readonly peer: string;
  readonly median: number;
  readonly max_rel_diff_vs_c: number;
}

function numbaLines(folder: string): { lines: NumbaLine[] } | { missing: string } {
  const yardsticks = yardstickFolder();
  if (yardsticks === null) return { missing: 'no yardsticks: set TIGRAPH_YARDSTICKS' };
  const python = process.env.TIGRAPH_PYTHON ?? 'python3';
  const asked = spawnSync(python, [join(yardsticks, 'backtest', 'numba_grid.py')], {
    encoding: 'utf8',
    env: { ...process.env, PERF_DATA: folder },
  });
  if (asked.status !== 0) return { missing: `no numba in ${python}: set TIGRAPH_PYTHON` };
  const lines = asked.stdout.trim().split('\n');
  return { lines: lines.map((text) => JSON.parse(text) as NumbaLine) };
}

interface RecipeMarket {
  /** Open, high, low, close and volume of each symbol, `BARS` each. */
  readonly bars: Float64Array;
  readonly atr: Float64Array;
  readonly signal: Uint8Array;
}

/** The minute bars of the yardsticks' recipe, bit by bit. */
function recipeMarket(): RecipeMarket {
  const bars = new Float64Array(SYMBOLS * 5 * BARS);
  const atr = new Float64Array(SYMBOLS * SESSIONS);
  const signal = new Uint8Array(SYMBOLS * BARS);
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const draw = mulberry32(2000 + symbol);
    const fires = mulberry32(3000 + symbol);
    let close = cents(50 + 150 * draw());
    const sigma = 0.0005 + 0.001 * draw();
    for (let bar = 0; bar < BARS; bar++) {
      const isFirst = bar % MINUTES === 0;
      if (isFirst) atr[symbol * SESSIONS + bar / MINUTES] = close * sigma * 20;
      const open = cents(close * (1 + (isFirst ? 5 : 0.1) * sigma * gauss(draw)));
      close = cents(open * (1 + sigma * gauss(draw)));
      const high = cents(Math.max(open, close) * (1 + 0.5 * sigma * draw()));
      const low = cents(Math.min(open, close) * (1 - 0.5 * sigma * draw()));
      const row = [open, high, low, close, Math.floor(1e4 * (0.5 + draw()))];
      for (let column = 0; column < 5; column++) bars[(symbol * 5 + column) * BARS + bar] = row[column]!;
      signal[symbol * BARS + bar] = fires() < 0.01 ? 1 : 0;
    }
  }
  const digest = createHash('sha256').update(new Uint8Array(bars.buffer)).digest('hex');
  if (!digest.startsWith(INPUT_SHA256)) throw new Error(`the input recipe has changed: sha256 ${digest}`);
  return { bars, atr, signal };
}

function cents(price: number): number {
  return Math.max(1, Math.floor(price * 100 + 0.5) / 100);
}

function gauss(draw: () => number): number {
  let sum = 0;
  for (let count = 0; count < 12; count++) sum += draw();
  return sum - 6;
}

/** Every open but a session's first becomes the close before it. */
function continuous({ bars, ...market }: RecipeMarket): RecipeMarket {
  const moved = bars.slice();
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const open = symbol * 5 * BARS;
    const close = open + 3 * BARS;
    for (let bar = 0; bar < BARS; bar++) if (bar % MINUTES !== 0) moved[open + bar] = bars[close + bar - 1]!;
  }
  return { bars: moved, ...market };
}

/** What the kernel reads, our figures of every cell among it. */
function writeInput(folder: string, market: RecipeMarket): void {
  const moved = continuous(market);
  const put = (name: string, values: Float64Array | Uint8Array): void =>
    writeFileSync(join(folder, name), new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  put('minute.f64', moved.bars);
  put('atr.f64', moved.atr);
  put('signal.u8', moved.signal);
  put('stops.f64', Float64Array.from(STOPS));
  put('targets.f64', Float64Array.from(TARGETS));
  put('grid_ref.f64', gridFigures(walkAll(walkInput(moved), STOPS, TARGETS)));
}

interface WalkedSession {
  readonly day: SessionColumns;
  readonly sides: Int8Array;
  readonly session: number;
}

function walkInput({ bars, atr, signal }: RecipeMarket): WalkedSession[] {
  const none = new Float64Array(MINUTES);
  const range = { high: 0, low: 0, knownFrom: 0 };
  return Array.from({ length: SYMBOLS * SESSIONS }, (_, at) => {
    const [symbol, session] = [Math.floor(at / SESSIONS), at % SESSIONS];
    const column = (of: number): Float64Array => {
      const from = (symbol * 5 + of) * BARS + session * MINUTES;
      return bars.subarray(from, from + MINUTES);
    };
    const first = symbol * BARS + session * MINUTES;
    return {
      session,
      sides: Int8Array.from(signal.subarray(first, first + MINUTES)),
      day: {
        open: column(0),
        high: column(1),
        low: column(2),
        close: column(3),
        vwap: none,
        ema9: none,
        ema20: none,
        ema50: none,
        dailyAtr: atr[at]!,
        openingRange: range,
        initialBalance: range,
        zones: [],
      },
    };
  });
}

interface Walked {
  readonly figures: Float64Array;
  /** R by session, a row of cells each. */
  readonly dayR: Float64Array;
}

/** What is promised: first touches of every entry and every cell from them, long only, without costs. */
function walkAll(
  input: readonly WalkedSession[],
  stops: readonly number[],
  targets: readonly number[],
): Walked {
  const terms = { stops, targets, commissionPerShare: 0, slippageBps: 0 };
  const cells = stops.length * targets.length;
  const tables = entryTables(terms);
  const inverse = Float64Array.from(stops, (stop) => 1 / stop);
  const exitBar = new Int32Array(cells);
  const figures = new Float64Array(cells * FIGURE_COUNT);
  const dayR = new Float64Array(SESSIONS * cells);
  for (const { day, sides, session } of input) {
    enterSession(sides, day, day, terms, tables);
    const rows = { figures, figuresFrom: 0, dayR, dayFrom: session * cells };
    walkCells(tables, inverse, exitBar, rows, rows);
  }
  return { figures, dayR };
}

/** Trades, win rate, mean R, Sharpe ratio, profit factor and drawdown of every cell. */
function gridFigures({ figures, dayR }: Walked): Float64Array {
  const cells = STOPS.length * TARGETS.length;
  const rows = Array.from({ length: cells }, (_, cell) => {
    const series = Float64Array.from({ length: SESSIONS }, (_, session) => dayR[session * cells + cell]!);
    const of = metricsOf(series, figures, cell * FIGURE_COUNT);
    return [
      of.totalTrades,
      of.winRate!,
      of.avgRrRatio!,
      of.sharpeRatio!,
      of.profitFactor!,
      maxDrawdown(series),
    ];
  });
  return Float64Array.from(rows.flat());
}

/** The sessions of the recipe as a run is given them: all but the first sixteen, which are their history. */
function sessionsOf({ bars }: RecipeMarket, symbol: number): BacktestSession[] {
  const days = Array.from({ length: SESSIONS }, (_, at) => {
    const session = sessionAt(at);
    const column = (of: number): Float64Array => {
      const from = (symbol * 5 + of) * BARS + at * MINUTES;
      return bars.subarray(from, from + MINUTES);
    };
    const time = Float64Array.from({ length: MINUTES }, (_, minute) => session.open + minute * MINUTE_MS);
    const columns: BarColumns = {
      time,
      open: column(0),
      high: column(1),
      low: column(2),
      close: column(3),
      volume: column(4),
    };
    return { session, columns };
  });
  const merged = days.map(({ columns }) => mergeBars(columns, { from: 0, to: MINUTES })!);
  const daily = {
    time: Float64Array.from(days, ({ session }) => session.open),
    open: Float64Array.from(merged, ({ open }) => open),
    high: Float64Array.from(merged, ({ high }) => high),
    low: Float64Array.from(merged, ({ low }) => low),
    close: Float64Array.from(merged, ({ close }) => close),
    volume: Float64Array.from(merged, ({ volume }) => volume),
  };
  return days.slice(WARM_UP).map(({ session, columns }, at) => ({
    daily,
    priorRow: WARM_UP + at - 1,
    intraday: columns,
    intradayInterval: '1m',
    intradayWhole: true,
    priorIntraday: days[WARM_UP + at - 1]!.columns,
    priorIntradayInterval: '1m',
    priorIntradayWhole: true,
    session,
    priorSession: days[WARM_UP + at - 1]!.session,
  }));
}

/** A day of six and a half hours for each session; the mathematics needs no calendar. */
function sessionAt(day: number): SessionBounds {
  const at = (hours: number): number => (day + 20_000) * DAY_MS + hours * 3_600_000;
  return { preOpen: at(8), open: at(13.5), close: at(20), postClose: at(24) };
}

function partialsOf(stocks: readonly BacktestSession[][], signalTypes: BacktestSpec['signalTypes']) {
  const spec: BacktestSpec = {
    signalTypes,
    stops: STOPS,
    targets: TARGETS,
    topN: 10,
    tradeDays: stocks[0]!.map(({ session }) => Math.floor(session.open / DAY_MS) * DAY_MS),
    commissionPerShare: 0.005,
    slippageBps: 1,
  };
  return stocks.map((sessions, at) => {
    const run = openBacktest(spec, `S${at}`);
    for (const day of sessions) run.session(day);
    return run.partial();
  });
}

const wholeRun = (stocks: readonly BacktestSession[][], signalTypes: BacktestSpec['signalTypes']): void =>
  void mergePartials(partialsOf(stocks, signalTypes));

interface StoredTrades {
  readonly hundredCells: number;
  /** JSON.stringify and parse of as many trades, by a tenth of them. */
  readonly json: number;
  readonly rows: number;
}

/** What the route of trades does in its thread, from what is stored of a run. */
function storedTrades(
  stocks: readonly BacktestSession[][],
  types: BacktestSpec['signalTypes'],
): StoredTrades {
  const packed = partialsOf(stocks, types).map(packEntries);
  const ask = (format: 'json' | 'arrow', cells: readonly number[]) =>
    tradesAnswer({ of: 'trades', packed, cells, lastDay: Infinity, format, rowsMax: 1e9, head: {} });
  const hundredCells = median(timed(() => void ask('arrow', CELLS_ASKED), 2, 5));
  const tenth = JSON.parse(ask('json', CELLS_ASKED.slice(0, 10)).body as string) as unknown;
  const json = 10 * median(timed(() => void JSON.parse(JSON.stringify(tenth)), 1, 3));
  return { hundredCells, json, rows: ask('arrow', CELLS_ASKED).rows };
}

/** What the child process prints. */
function once(): Run {
  const market = recipeMarket();
  const input = walkInput(continuous(market));
  const walk = median(timed(() => walkAll(input, STOPS, TARGETS), 3, 9));
  const few = (list: readonly number[]): number[] => list.filter((_, at) => at % 5 === 2);
  const walkFewCells = median(timed(() => walkAll(input, few(STOPS), few(TARGETS)), 3, 9));
  const stocks = Array.from({ length: SYMBOLS }, (_, symbol) => sessionsOf(market, symbol));
  const oneSignal = median(timed(() => wholeRun(stocks, ['ib_breakout']), 1, 3));
  const sixSignals = median(timed(() => wholeRun(stocks, SIGNAL_TYPES), 1, 3));
  const { figures } = walkAll(input, STOPS, TARGETS);
  let trades = 0;
  for (let at = 0; at < figures.length; at += FIGURE_COUNT) trades += figures[at]! + figures[at + 2]!;
  return {
    walk,
    walkFewCells,
    oneSignal,
    sixSignals,
    ofOne: storedTrades(stocks.slice(0, 1), SIGNAL_TYPES),
    ofAll: storedTrades(stocks, ['ib_breakout']),
    trades,
    residentBytes: process.memoryUsage().rss,
  };
}

if (import.meta.main) console.log(JSON.stringify(once()));
