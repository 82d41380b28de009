import { withLate } from '../base/with-late.ts';
import type { BarColumns, SessionBounds } from '../market/observations.ts';
import { FEWEST_STEPS, ledger, type ScorePart, STEP_MS, TrendWalk } from './session-trend.ts';
import type { IntradayBars, PriceRange, RowRange } from './sessions.ts';
import type { ValueArea } from './volume-profile.ts';
import { vwapColumns } from './vwap.ts';

/** 0.6 - 0.2 is a hair less than 0.4 in binary; a band begins at its edge all the same. */
const DUST = 1e-12;

export type DayType = 'trending' | 'rotational' | 'uncertain';
type DayTypeDetail = 'strong_trend' | 'trending' | 'mixed' | 'rotational' | 'strong_rotational';
/** Trade with the direction, trade back into the middle, or let the day show itself first. */
type StrategyBias = 'follow_trend_long' | 'follow_trend_short' | 'fade_extremes' | 'wait';

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
  readonly trendParts: readonly ScorePart[];
  readonly rotationParts: readonly ScorePart[];
}

export interface DayTypeInput {
  readonly bars: IntradayBars;
  readonly session: SessionBounds;
  /** Value area of the session before, and of this one so far; null where there is no profile. */
  readonly priorValue: ValueArea | null;
  readonly developingValue: ValueArea | null;
  /** VWAP after each of the session's bars, where it is there already. */
  readonly vwap?: Float64Array;
  /** Of the same bars, where it is there already. */
  readonly trend?: TrendWalk;
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
  const measured = (input.trend ?? new TrendWalk(bars, session)).at(bars.asOf);
  if (measured === null) return null;
  const { rows, range, trend } = measured;
  const { columns } = bars;
  const closes = fiveMinuteCloses(columns, rows, session.open);
  const rotation = ledger([
    ['value_area_overlap', valueAreaOverlap(input.developingValue, input.priorValue), 0.4],
    ['mid_range_crossings', midRangeCrossings(closes, range), 0.3],
    ['vwap_balance', vwapBalance(columns, rows, bars.barMs, input.vwap), 0.3],
  ]);
  if (Number.isNaN(trend.score) || Number.isNaN(rotation.score)) return null;
  return withLate(
    {
      trendScore: trend.score,
      rotationScore: rotation.score,
      ...classifyDay(trend.score, rotation.score),
    },
    {
      trendParts: () => trend.parts,
      rotationParts: () => rotation.parts,
    },
  );
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

/** The last close of every five-minute step that traded, the running one included: bars of 1m and 5m give one path. */
export function fiveMinuteCloses(columns: BarColumns, rows: RowRange, open: number): Float64Array {
  const { time, close } = columns;
  const stepAt = (row: number): number => Math.floor((time[row]! - open) / STEP_MS);
  const closes = new Float64Array(rows.from < rows.to ? stepAt(rows.to - 1) - stepAt(rows.from) + 1 : 0);
  let step = Number.NaN;
  let count = 0;
  for (let row = rows.from; row < rows.to; row++) {
    const now = stepAt(row);
    if (now !== step) count++;
    step = now;
    closes[count - 1] = close[row]!;
  }
  return closes.subarray(0, count);
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
