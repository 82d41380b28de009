/**
 * Promise: RSI, MACD, ADX, ATR, Bollinger and five averages as whole columns for 500 symbols of 1,260 bars in
 * at most 0.75 of the time that TA-Lib needs in C.
 *
 * Both get the same bars, each run is a fresh process (the engine may compile a loop differently from one
 * process to the next), the two take turns, and the medians of the processes are compared.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type TechnicalColumns,
  technicalColumns,
  technicalRoom,
  technicalValues,
} from '../src/analysis/indicators/technical-columns.ts';
import type { BarColumns } from '../src/market/observations.ts';
import { dailyRecipe } from '../test/support/daily-recipe.ts';
import { type BenchLine, median, timed } from './report.ts';
import { talibYardstick } from './yardstick.ts';

const SYMBOLS = 500;
const BARS = 1260;
const ROUNDS = 7;
const ALLOWED = 0.75;
/** Of the input that every yardstick reads: it says that both were asked the same question. */
const INPUT_SHA256 = 'dfe7fe68bf8a';
/** The order in which the yardstick adds up the last values of all symbols. */
const CHECKED: readonly (keyof TechnicalColumns)[] = [
  'rsi14',
  'macd',
  'macdSignal',
  'adx14',
  'atr14',
  'bollingerUpper',
  'bollingerLower',
  'ema9',
  'ema20',
  'sma20',
  'sma50',
  'sma200',
];

/** What one process measured. */
interface Run {
  /** Milliseconds for all symbols. */
  readonly median: number;
  readonly check: readonly number[];
  /** Microseconds for one stock of 520 bars into fresh columns; ours only. */
  readonly oneStockUs?: number;
  readonly version?: string;
}

export async function run(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-bench-'));
  try {
    writeInput(join(folder, 'daily.f64'));
    const yardstick = talibYardstick(folder);
    const ours: Run[] = [];
    const theirs: Run[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(measured(process.execPath, [import.meta.filename], folder));
      if ('program' in yardstick) theirs.push(measured(yardstick.program, [], folder));
    }
    return [
      batchLine(ours, theirs, 'missing' in yardstick ? yardstick.missing : null),
      {
        promise: 'indicators of one stock, 520 bars, fresh columns',
        figure: `${median(ours.map((one) => one.oneStockUs!)).toFixed(0)} us`,
        met: null,
        note: 'a part of the 1 ms in which every block of a stock is derived',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function batchLine(ours: Run[], theirs: Run[], missing: string | null): BenchLine {
  const line = {
    promise: `indicators as columns, ${SYMBOLS} symbols x ${BARS} bars`,
    target: `at most ${ALLOWED}x of TA-Lib in C`,
  };
  const ourMs = median(ours.map((one) => one.median));
  if (missing !== null) {
    return { ...line, figure: `${ourMs.toFixed(1)} ms`, met: null, note: `ratio skipped: ${missing}` };
  }
  const theirMs = median(theirs.map((one) => one.median));
  const ratio = ourMs / theirMs;
  const differs = disagreement(ours[0]!.check, theirs[0]!.check);
  return {
    ...line,
    figure: `${ourMs.toFixed(1)} ms, TA-Lib ${theirMs.toFixed(1)} ms`,
    ratio,
    met: differs === null && ratio <= ALLOWED,
    note: differs ?? `medians of ${ROUNDS} processes each; TA-Lib ${theirs[0]!.version}`,
  };
}

/** The first sum that differs in the 9 digits which the yardstick prints, or null. */
function disagreement(ours: readonly number[], theirs: readonly number[]): string | null {
  const at = ours.findIndex((sum, index) => !(Math.abs(sum / theirs[index]! - 1) < 1e-8));
  return at === -1 ? null : `the sums of ${CHECKED[at]} differ: ${ours[at]} here, ${theirs[at]} there`;
}

/** One JSON line of a child that finds its input under PERF_DATA. */
function measured(program: string, args: string[], folder: string): Run {
  const env = { ...process.env, PERF_DATA: folder };
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8', env })) as Run;
}

/**
 * All bars as little-endian doubles, symbol after symbol, open, high, low, close and volume each in one
 * piece.
 */
function writeInput(file: string): void {
  const values = new Float64Array(SYMBOLS * 5 * BARS);
  for (const [symbol, bars] of universe().entries()) {
    for (const [at, column] of [bars.open, bars.high, bars.low, bars.close, bars.volume].entries()) {
      values.set(column, (symbol * 5 + at) * BARS);
    }
  }
  const bytes = new Uint8Array(values.buffer);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (!digest.startsWith(INPUT_SHA256)) throw new Error(`the input recipe has changed: sha256 ${digest}`);
  writeFileSync(file, bytes);
}

function universe(): BarColumns[] {
  return Array.from({ length: SYMBOLS }, (_, symbol) => dailyRecipe(1000 + symbol, BARS));
}

/** What the child process prints. */
function once(): Run {
  const stocks = universe();
  const room = technicalRoom(BARS);
  const sums = CHECKED.map(() => 0);
  const pass = (): void => {
    for (const { high, low, close } of stocks) technicalColumns(high, low, close, room);
  };
  const times = timed(pass, 20, 15);
  for (const { high, low, close } of stocks) {
    const last = technicalValues(technicalColumns(high, low, close, room), BARS - 1);
    for (const [at, name] of CHECKED.entries()) sums[at]! += last[name];
  }
  const young = dailyRecipe(1, 520);
  const hundred = (): void => {
    for (let count = 0; count < 100; count++) {
      technicalValues(technicalColumns(young.high, young.low, young.close), 519);
    }
  };
  return { median: median(times), check: sums, oneStockUs: median(timed(hundred, 5, 25)) * 10 };
}

if (import.meta.main) console.log(JSON.stringify(once()));
