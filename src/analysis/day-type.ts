import type { BarColumns, SessionBounds } from '../market/observations.ts';
import { initialBalance } from './levels.ts';
import {
  type IntradayBars,
  MINUTE_MS,
  type PriceRange,
  priceRange,
  type RowRange,
  regularRows,
} from './sessions.ts';
import { clamp } from './statistics.ts';
import type { ValueArea } from './volume-profile.ts';
import { vwapColumns } from './vwap.ts';

const STEP_MS = 5 * MINUTE_MS;
const PERIOD_MS = 30 * MINUTE_MS;
/** Half an hour of five-minute steps: before it, a path says nothing about its direction. */
const FEWEST_STEPS = 6;
/** Minimum share of the weights of a score. */
const ENOUGH_WEIGHT = 0.5;
/** 0.6 - 0.2 is a hair less than 0.4 in binary; a band begins at its edge all the same. */
const DUST = 1e-12;

export type DayType = 'trending' | 'rotational' | 'uncertain';
type DayTypeDetail = 'strong_trend' | 'trending' | 'mixed' | 'rotational' | 'strong_rotational';
/** Trade with the direction, trade back into the middle, or let the day show itself first. */
type StrategyBias = 'follow_trend_long' | 'follow_trend_short' | 'fade_extremes' | 'wait';

/** One line of a score's ledger; `contribution` is value x weight over the weight present, NaN for a missing input. */
interface DayTypePart {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
  readonly contribution: number;
}

export interface DayClassification {
  /** -1 (one-way down) to 1 (one-way up). */
  readonly trendScore: number;
  /** 0 (no rotation) to 1 (balanced around its middle). */
  readonly rotationScore: number;
  readonly dayType: DayType;
  readonly dayTypeDetail: DayTypeDetail;
  readonly strategyBias: StrategyBias;
  /** 0.5 to 2: how far the two scores agree on one character. */
  readonly sizeModifier: number;
  readonly trendParts: readonly DayTypePart[];
  readonly rotationParts: readonly DayTypePart[];
}

export interface DayTypeInput {
  readonly bars: IntradayBars;
  readonly session: SessionBounds;
  /** Value area of the session before, and of this one so far; null where there is no profile. */
  readonly priorValue: ValueArea | null;
  readonly developingValue: ValueArea | null;
  /** VWAP after each of the session's bars, where it is there already. */
  readonly vwap?: Float64Array;
}

/**
 * What kind of day it has been so far, from the regular session's bars up to `bars.asOf`.
 *
 * `trendScore` weighs directional efficiency 0.35, open-to-close position 0.25, one-time framing 0.2 and range
 * extension 0.2; `rotationScore` weighs value-area overlap 0.4, mid-range crossings 0.3 and VWAP balance 0.3. An
 * input that does not exist yet drops out and the rest is reweighed; null when one of the scores would stand on less
 * than half of its weights, which is the case in the first half hour of a session.
 *
 * Bands, with lean = |trend| - rotation: `strong_trend` |trend| >= 0.6 and lean >= 0.4; `trending` |trend| >= 0.35 and
 * lean >= 0.1; `strong_rotational` rotation >= 0.6 and lean <= -0.4; `rotational` rotation >= 0.35 and lean <= -0.1;
 * else `mixed`, whose day type is `uncertain`. `sizeModifier` = 0.5 + 1.5 |lean|. The vocabulary is that of J.
 * Dalton, "Mind over Markets"; the weights and bands are this project's.
 */
export function dayType(input: DayTypeInput): DayClassification | null {
  const { bars, session } = input;
  const measured = measureTrend(bars, session);
  if (measured === null) return null;
  const { rows, range, closes, trend } = measured;
  const { columns } = bars;
  const rotation = ledger([
    ['value_area_overlap', valueAreaOverlap(input.developingValue, input.priorValue), 0.4],
    ['mid_range_crossings', midRangeCrossings(closes, range), 0.3],
    ['vwap_balance', vwapBalance(columns, rows, bars.barMs, input.vwap), 0.3],
  ]);
  if (Number.isNaN(trend.score) || Number.isNaN(rotation.score)) return null;
  return {
    trendScore: trend.score,
    rotationScore: rotation.score,
    ...classifyDay(trend.score, rotation.score),
    trendParts: trend.parts,
    rotationParts: rotation.parts,
  };
}

/** `trendScore` of the day so far on its own, -1 to 1; NaN in the first half hour and below half of its weights. */
export function trendScore(bars: IntradayBars, session: SessionBounds): number {
  return measureTrend(bars, session)?.trend.score ?? Number.NaN;
}

/** The trend of the day so far and what it is measured from; null in the first half hour and where steps do not fit. */
function measureTrend(bars: IntradayBars, session: SessionBounds) {
  const rows = regularRows(bars, session);
  if (rows === null || rows.from >= rows.to || STEP_MS % bars.barMs !== 0) return null;
  const { columns } = bars;
  if (columns.time[rows.to - 1]! + bars.barMs < session.open + PERIOD_MS) return null;
  const range = priceRange(columns, rows);
  const closes = fiveMinuteCloses(columns, rows, session.open);
  const trend = ledger([
    ['directional_efficiency', directionalEfficiency(columns.open[rows.from]!, closes), 0.35],
    ['open_to_close_position', openToClosePosition(columns, rows, range), 0.25],
    ['one_time_framing', oneTimeFraming(columns, rows, session.open, bars.asOf), 0.2],
    ['range_extension', rangeExtension(bars, session, range), 0.2],
  ]);
  return { rows, range, closes, trend };
}

/** The bands of `dayType` for a pair of scores. */
export function classifyDay(
  trendScore: number,
  rotationScore: number,
): Pick<DayClassification, 'dayType' | 'dayTypeDetail' | 'strategyBias' | 'sizeModifier'> {
  const lean = Math.abs(trendScore) - rotationScore;
  const dayTypeDetail = band(Math.abs(trendScore), rotationScore, lean);
  const trending = dayTypeDetail === 'strong_trend' || dayTypeDetail === 'trending';
  const mixed = dayTypeDetail === 'mixed';
  const follow = trendScore > 0 ? 'follow_trend_long' : 'follow_trend_short';
  return {
    dayType: trending ? 'trending' : mixed ? 'uncertain' : 'rotational',
    dayTypeDetail,
    strategyBias: trending ? follow : mixed ? 'wait' : 'fade_extremes',
    sizeModifier: 0.5 + 1.5 * Math.abs(lean),
  };
}

/** From which score on, and with which lead over the other score, a day is of a kind. */
export const DAY_BANDS = { strong: { score: 0.6, lean: 0.4 }, plain: { score: 0.35, lean: 0.1 } } as const;

function band(trend: number, rotation: number, lean: number): DayTypeDetail {
  const edge = Math.abs(lean) + DUST;
  const { strong, plain } = DAY_BANDS;
  const score = lean > 0 ? trend : rotation;
  if (score >= strong.score && edge >= strong.lean) return lean > 0 ? 'strong_trend' : 'strong_rotational';
  if (score >= plain.score && edge >= plain.lean) return lean > 0 ? 'trending' : 'rotational';
  return 'mixed';
}

/** Weighted mean of what is there, within its bounds to the last bit; NaN below half of the weight. */
function ledger(inputs: readonly (readonly [name: string, value: number, weight: number])[]) {
  let present = 0;
  let score = 0;
  for (const [, value, weight] of inputs) {
    if (Number.isNaN(value)) continue;
    present += weight;
    score += value * weight;
  }
  const parts = inputs.map(([name, value, weight]) => ({
    name,
    value,
    weight,
    contribution: (value * weight) / present,
  }));
  return { score: present < ENOUGH_WEIGHT - DUST ? Number.NaN : clamp(score / present, -1, 1), parts };
}

/** The last close of every five-minute step that traded, the running one included: bars of 1m and 5m give one path. */
export function fiveMinuteCloses(columns: BarColumns, rows: RowRange, open: number): Float64Array {
  const { time, close } = columns;
  const closes = new Float64Array(rows.to - rows.from);
  let step = Number.NaN;
  let count = 0;
  for (let row = rows.from; row < rows.to; row++) {
    const now = Math.floor((time[row]! - open) / STEP_MS);
    if (now !== step) count++;
    step = now;
    closes[count - 1] = close[row]!;
  }
  return closes.subarray(0, count);
}

/**
 * Net move over the path of the five-minute closes, from the session's first open, -1 to 1. A random walk's net move
 * grows with the root of its steps n, so the ratio is multiplied by sqrt(n) and four such deviations count as wholly
 * directional. NaN before six steps, or when the price never moved. Source: P. Kaufman's efficiency ratio, "Trading
 * Systems and Methods".
 */
export function directionalEfficiency(start: number, closes: Float64Array): number {
  let previous = start;
  let path = 0;
  for (let step = 0; step < closes.length; step++) {
    path += Math.abs(closes[step]! - previous);
    previous = closes[step]!;
  }
  if (closes.length < FEWEST_STEPS || path === 0) return Number.NaN;
  return clamp((((previous - start) / path) * Math.sqrt(closes.length)) / 4, -1, 1);
}

/** Last close minus first open over the session's range, -1 to 1; NaN for a session of one price. */
export function openToClosePosition(columns: BarColumns, rows: RowRange, range: PriceRange): number {
  const spread = range.high - range.low;
  if (!(spread > 0)) return Number.NaN;
  return (columns.close[rows.to - 1]! - columns.open[rows.from]!) / spread;
}

/**
 * One-time framing of the finished 30-minute periods: a period that keeps above the low of the one before while taking
 * out its high counts 1, the mirrored one -1, inside and outside periods 0; the mean, -1 to 1. NaN before three
 * periods. Source: J. Dalton, "Mind over Markets".
 */
export function oneTimeFraming(columns: BarColumns, rows: RowRange, open: number, asOf: number): number {
  const { time, high, low } = columns;
  let before: PriceRange | null = null;
  let framed = 0;
  let pairs = 0;
  let row = rows.from;
  while (row < rows.to) {
    const end = open + (Math.floor((time[row]! - open) / PERIOD_MS) + 1) * PERIOD_MS;
    if (end > asOf) break;
    let top = high[row]!;
    let bottom = low[row]!;
    for (row++; row < rows.to && time[row]! < end; row++) {
      if (high[row]! > top) top = high[row]!;
      if (low[row]! < bottom) bottom = low[row]!;
    }
    if (before !== null) {
      framed += (bottom >= before.low ? 1 : 0) - (top <= before.high ? 1 : 0);
      pairs++;
    }
    before = { high: top, low: bottom };
  }
  return pairs < 2 ? Number.NaN : framed / pairs;
}

/** Reach beyond the complete initial balance, above minus below, in its ranges, -1 to 1; else NaN. */
export function rangeExtension(bars: IntradayBars, session: SessionBounds, range: PriceRange): number {
  const balance = initialBalance(bars, session);
  if (!(balance.range > 0) || balance.developing) return Number.NaN;
  return clamp((range.high - balance.high - (balance.low - range.low)) / balance.range, -1, 1);
}

/** Share of the narrower of two value areas that lies inside the other, 0 to 1; NaN when one is missing. */
export function valueAreaOverlap(one: ValueArea | null, other: ValueArea | null): number {
  if (one === null || other === null) return Number.NaN;
  const common = Math.min(one.vah, other.vah) - Math.max(one.val, other.val);
  const narrower = Math.min(one.vah - one.val, other.vah - other.val);
  if (common < 0) return 0;
  return narrower > 0 ? common / narrower : 1;
}

/**
 * How often the five-minute closes changed sides of the session's mid-range, over the root of the number of steps
 * (what a random walk does), 0 to 1. A close on the middle keeps its side. NaN before six steps or without a range.
 */
export function midRangeCrossings(closes: Float64Array, range: PriceRange): number {
  const middle = (range.high + range.low) / 2;
  let side = 0;
  let crossings = 0;
  for (let step = 0; step < closes.length; step++) {
    const now = Math.sign(closes[step]! - middle);
    if (now !== 0 && side !== 0 && now !== side) crossings++;
    if (now !== 0) side = now;
  }
  if (closes.length < FEWEST_STEPS || !(range.high > range.low)) return Number.NaN;
  return Math.min(1, crossings / Math.sqrt(closes.length));
}

/**
 * Twice the smaller share of the bars that closed above or below the running VWAP, 0 to 1; closes on it count for
 * neither. NaN before half an hour of bars, or when no bar closed off it.
 */
export function vwapBalance(
  columns: BarColumns,
  rows: RowRange,
  barMs: number,
  series?: Float64Array,
): number {
  if ((rows.to - rows.from) * barMs < FEWEST_STEPS * STEP_MS) return Number.NaN;
  const vwap = series ?? vwapColumns(columns, rows).vwap;
  let above = 0;
  let below = 0;
  for (let row = rows.from; row < rows.to; row++) {
    const away = columns.close[row]! - vwap[row - rows.from]!;
    if (away > 0) above++;
    else if (away < 0) below++;
  }
  return above + below === 0 ? Number.NaN : (2 * Math.min(above, below)) / (above + below);
}
