import { withLate } from '../base/with-late.ts';
import type { BarColumns, SessionBounds } from '../market/observations.ts';
import { INITIAL_BALANCE_MINUTES, type InitialBalance, initialBalance } from './levels.ts';
import { isEnough } from './scoring/ledger.ts';
import {
  type IntradayBars,
  MINUTE_MS,
  type PriceRange,
  type RowRange,
  regularRows,
  rowAtOrAfter,
} from './sessions.ts';
import { clamp } from './statistics.ts';

export const STEP_MS = 5 * MINUTE_MS;
const PERIOD_MS = 30 * MINUTE_MS;
/** Half an hour of five-minute steps: before it, a path says nothing about its direction. */
export const FEWEST_STEPS = 6;

/** One line of a score's ledger; `contribution` is value x weight over the weight present, NaN for a missing input. */
export interface ScorePart {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
  readonly contribution: number;
}

interface Measured {
  readonly rows: RowRange;
  readonly range: PriceRange;
  readonly trend: ReturnType<typeof ledger>;
}

/** The trend of a session as of its instants. Instants in their order take one walk over the bars. */
export class TrendWalk {
  readonly #bars: IntradayBars;
  readonly #open: number;
  readonly #rows: RowRange;
  readonly #balance: InitialBalance;
  /** The rows up to here are in the figures below. */
  #row = 0;
  #high = Number.NaN;
  #low = Number.NaN;
  readonly #path = new StepPath();
  readonly #framing = new Framing();
  /** Several scores ask for the same instant, one after the other. */
  #instant = Number.NaN;
  #measured: Measured | null = null;

  constructor(bars: IntradayBars, session: SessionBounds) {
    const rows = STEP_MS % bars.barMs === 0 ? regularRows(bars, session) : null;
    this.#bars = bars;
    this.#open = session.open;
    this.#rows = rows ?? { from: 0, to: 0 };
    this.#balance = initialBalance(bars, session);
    this.#begin();
  }

  #begin(): void {
    this.#row = this.#rows.from;
    this.#high = Number.NEGATIVE_INFINITY;
    this.#low = Number.POSITIVE_INFINITY;
    this.#path.begin(this.#bars.columns.open[this.#row]!);
    this.#framing.begin();
  }

  /** The trend by an instant and what it is measured from; null in the first half hour and where steps do not fit. */
  at(instant: number): Measured | null {
    if (instant !== this.#instant) this.#measured = this.#measure(instant);
    this.#instant = instant;
    return this.#measured;
  }

  #measure(instant: number): Measured | null {
    const { columns, barMs } = this.#bars;
    const { from } = this.#rows;
    const to = Math.min(this.#rows.to, rowAtOrAfter(columns.time, instant - barMs + 1));
    if (!(from < to) || columns.time[to - 1]! + barMs < this.#open + PERIOD_MS) return null;
    if (to < this.#row) this.#begin();
    while (this.#row < to) this.#add(this.#row++);
    const rows = { from, to };
    const range: PriceRange = { high: this.#high, low: this.#low };
    const trend = ledger([
      ['directional_efficiency', this.#path.efficiency, 0.35],
      ['open_to_close_position', openToClosePosition(columns, rows, range), 0.25],
      ['one_time_framing', this.#framing.meanAt(instant), 0.2],
      ['range_extension', this.#extension(instant, range), 0.2],
    ]);
    return { rows, range, trend };
  }

  /** Unknown while the initial balance develops. */
  #extension(instant: number, range: PriceRange): number {
    const isComplete = instant >= this.#open + INITIAL_BALANCE_MINUTES * MINUTE_MS;
    return isComplete ? rangeExtension(this.#balance, range) : Number.NaN;
  }

  #add(row: number): void {
    const { time, high, low, close } = this.#bars.columns;
    const [top, bottom, since] = [high[row]!, low[row]!, time[row]! - this.#open];
    if (top > this.#high) this.#high = top;
    if (bottom < this.#low) this.#low = bottom;
    this.#path.add(Math.floor(since / STEP_MS), close[row]!);
    this.#framing.add(this.#open + (Math.floor(since / PERIOD_MS) + 1) * PERIOD_MS, top, bottom);
  }
}
/** Weighted mean of what is there, within its bounds to the last bit; NaN below half of the weight. */
export function ledger(inputs: readonly (readonly [name: string, value: number, weight: number])[]) {
  let present = 0;
  let score = 0;
  for (const [, value, weight] of inputs) {
    if (Number.isNaN(value)) continue;
    present += weight;
    score += value * weight;
  }
  return withLate(
    { score: isEnough(present) ? clamp(score / present, -1, 1) : Number.NaN },
    {
      parts: (): ScorePart[] =>
        inputs.map(([name, value, weight]) => ({
          name,
          value,
          weight,
          contribution: (value * weight) / present,
        })),
    },
  );
}

/**
 * Net move over the path of the five-minute closes, the running one included, from the session's first open, -1 to 1. A
 * random walk's net move grows with the root of its steps n, so the ratio is multiplied by sqrt(n) and four such deviations
 * count as wholly directional. Bars of 1m and 5m give one path. Source: P. Kaufman's efficiency ratio, "Trading Systems
 * and Methods".
 */
export class StepPath {
  #start = Number.NaN;
  /** Of the steps before the running one, and the close that they end with. */
  #path = 0;
  #before = Number.NaN;
  #close = Number.NaN;
  #step = Number.NaN;
  #steps = 0;

  begin(start: number): void {
    this.#start = start;
    this.#path = 0;
    this.#close = start;
    this.#step = Number.NaN;
    this.#steps = 0;
  }

  add(step: number, close: number): void {
    if (step !== this.#step) {
      if (this.#steps > 0) this.#path += Math.abs(this.#close - this.#before);
      this.#before = this.#close;
      this.#step = step;
      this.#steps++;
    }
    this.#close = close;
  }

  /** NaN before six steps, or when the price never moved. */
  get efficiency(): number {
    if (this.#steps < FEWEST_STEPS) return Number.NaN;
    const path = this.#path + Math.abs(this.#close - this.#before);
    if (path === 0) return Number.NaN;
    return clamp((((this.#close - this.#start) / path) * Math.sqrt(this.#steps)) / 4, -1, 1);
  }
}

/** Last close minus first open over the session's range, -1 to 1; NaN for a session of one price. */
export function openToClosePosition(columns: BarColumns, rows: RowRange, range: PriceRange): number {
  const spread = range.high - range.low;
  if (!(spread > 0)) return Number.NaN;
  return (columns.close[rows.to - 1]! - columns.open[rows.from]!) / spread;
}

/**
 * One-time framing of the finished 30-minute periods: a period that keeps above the low of the one before while taking
 * out its high counts 1, the mirrored one -1, inside and outside periods 0. Source: J. Dalton, "Mind over Markets".
 */
export class Framing {
  /** The period that runs, and the one before; no period ends at NaN. */
  #end = Number.NaN;
  #top = Number.NaN;
  #bottom = Number.NaN;
  #topBefore = Number.NaN;
  #bottomBefore = Number.NaN;
  #framed = 0;
  /** Periods that are over, the first one left out: it has none before it. */
  #pairs = -1;

  begin(): void {
    this.#end = Number.NaN;
    this.#framed = 0;
    this.#pairs = -1;
  }

  /** @param end of the period that a bar is in */
  add(end: number, high: number, low: number): void {
    if (end !== this.#end) {
      if (!Number.isNaN(this.#end)) this.#take();
      this.#end = end;
      this.#top = high;
      this.#bottom = low;
      return;
    }
    if (high > this.#top) this.#top = high;
    if (low < this.#bottom) this.#bottom = low;
  }

  #take(): void {
    this.#framed += this.#frame();
    this.#pairs++;
    this.#topBefore = this.#top;
    this.#bottomBefore = this.#bottom;
  }

  /** Of the running period; 0 of the first. */
  #frame(): number {
    if (this.#pairs < 0) return 0;
    return (this.#bottom >= this.#bottomBefore ? 1 : 0) - (this.#top <= this.#topBefore ? 1 : 0);
  }

  /** The mean by an instant at which the newest bar has ended, -1 to 1; NaN before three periods. */
  meanAt(instant: number): number {
    const isOver = this.#end <= instant;
    const pairs = isOver ? this.#pairs + 1 : this.#pairs;
    return pairs < 2 ? Number.NaN : (isOver ? this.#framed + this.#frame() : this.#framed) / pairs;
  }
}

/** Reach beyond the complete initial balance, above minus below, in its ranges, -1 to 1; else NaN. */
export function rangeExtension(balance: InitialBalance, range: PriceRange): number {
  if (!(balance.range > 0) || balance.developing) return Number.NaN;
  return clamp((range.high - balance.high - (balance.low - range.low)) / balance.range, -1, 1);
}
