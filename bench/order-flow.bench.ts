/**
 * Promise: 500,000 ticks a second through order flow on one core. Once the pure part alone - join, classification,
 * sums by minute - on ticks in memory, and once the whole way from the packed files of a recorded session: unpack,
 * parse, join, classify, sum. A tick is a print or a change of the best quote.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { HOUR_MS } from '../src/base/dates.ts';
import { leanFeed } from '../src/files/lean/feed.ts';
import { FlowMinuteBuilder } from '../src/market/flow-minute-builder.ts';
import { type BenchLine, median } from './report.ts';
import { REAL_DATA } from './yardstick.ts';

const PROMISED = 500_000;
const TARGET = 'at least 500,000 a second';
const RUNS = 5;
const TICKS = 1_000_000;
/** Quotes to a print, about as in recorded sessions. */
const QUOTES_A_PRINT = 4;
const RECORDED = /tick\/(ibm|bac)\/\d+_trade\.zip$/;
/** Rows of trades and quotes in each recorded file; counted once from the files themselves. */
const RECORDED_TICKS: Readonly<Record<string, number>> = {
  'ibm/20131007': 24_293 + 109_067,
  'ibm/20131008': 33_381 + 125_750,
  'ibm/20131009': 27_042 + 135_492,
  'ibm/20131010': 22_415 + 105_428,
  'bac/20131007': 88_172 + 476_855,
};

export async function run(): Promise<BenchLine[]> {
  return [pureLine(), await recordedLine()];
}

/** Ticks of a walk in cents over a regular session, as columns. */
function madeTicks() {
  const time = new Float64Array(TICKS);
  const price = new Float64Array(TICKS);
  const size = new Float64Array(TICKS);
  let cents = 10_000;
  for (let tick = 0; tick < TICKS; tick++) {
    // A walk without a generator: two steps that share no period with each other.
    cents += ((tick * 7) % 11) - 5;
    time[tick] = 34_200_000 + (tick / TICKS) * 23_400_000;
    price[tick] = cents / 100;
    size[tick] = 1 + ((tick * 37) % 900);
  }
  return { time, price, size };
}

function pureLine(): BenchLine {
  const { time, price, size } = madeTicks();
  const seconds = Array.from({ length: RUNS }, () => {
    const flow = new FlowMinuteBuilder({ midnight: 0, open: 9.5 * HOUR_MS, close: 16 * HOUR_MS });
    const start = performance.now();
    for (let tick = 0; tick < TICKS; tick++) {
      const at = price[tick]!;
      if (tick % (QUOTES_A_PRINT + 1) !== 0) flow.quote(at - 0.01, at + 0.01);
      else flow.trade(time[tick]!, at, size[tick]!, tick & 1);
    }
    flow.columns();
    return (performance.now() - start) / 1000;
  });
  return lineOf('order flow: join, classify, sum', TICKS, median(seconds), 'made ticks in memory');
}

async function recordedLine(): Promise<BenchLine> {
  const promise = 'order flow: from packed tick files';
  const folder = resolve(REAL_DATA, 'lean');
  if (!existsSync(folder))
    return { promise, figure: '-', target: TARGET, met: null, note: 'no recorded data' };
  const units = (await leanFeed(folder, newYorkCalendar()).units()).filter(({ key }) => RECORDED.test(key));
  const ticks = units.reduce((sum, { key }) => sum + (RECORDED_TICKS[key.slice(16, 28)] ?? 0), 0);
  const seconds: number[] = [];
  for (let round = 0; round < RUNS; round++) {
    const start = performance.now();
    for (const unit of units) for await (const _ of unit.read());
    seconds.push((performance.now() - start) / 1000);
  }
  return lineOf(promise, ticks, median(seconds), `${units.length} sessions of IBM and BAC`);
}

function lineOf(promise: string, ticks: number, seconds: number, note: string): BenchLine {
  const perSecond = ticks / seconds;
  return {
    promise,
    figure: `${(perSecond / 1e6).toFixed(2)} million ticks a second`,
    ratio: perSecond / PROMISED,
    target: TARGET,
    met: perSecond >= PROMISED,
    note: `${ticks.toLocaleString('en-US')} ticks in ${seconds.toFixed(2)} s; ${note}`,
  };
}
