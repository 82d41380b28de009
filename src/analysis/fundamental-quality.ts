import { mean } from './statistics.ts';

/**
 * Quality of a business by its statements, 0 to 100. Each measure maps to points by a monotone curve, linear between
 * its points and flat beyond its ends. NaN is a measure that is not known.
 */

/** Points by value: the points at each of some ascending values. */
interface Curve {
  readonly values: readonly number[];
  readonly points: readonly number[];
}

const curve = (values: readonly number[], points: readonly number[]): Curve => ({ values, points });

/** 15 and 20 are the long-run and the recent P/E of the market, 15 % and 10 % its ROE and margin; both are in percent. */
const QUALITY = {
  /** Trailing; infinite for a company without earnings, whose price is paid for none. */
  peRatio: curve([10, 15, 20, 30, 50, 100], [100, 80, 65, 40, 15, 0]),
  roe: curve([0, 5, 10, 15, 25], [0, 25, 50, 70, 100]),
  profitMargin: curve([0, 5, 10, 20], [0, 35, 60, 100]),
} satisfies Readonly<Record<string, Curve>>;
const QUALITY_NAMES = Object.keys(QUALITY) as (keyof typeof QUALITY)[];
export type QualityMeasures = Readonly<Record<keyof typeof QUALITY, number>>;

/** One measure of three is not a judgement. */
export const QUALITY_MEASURES_MIN = 2;

/**
 * Rounded mean of the points of P/E, return on equity and profit margin, 0-100; NaN with fewer than two of the three.
 *
 * Source: the interface names the three measures; the curves are this project's.
 */
export function fundamentalQuality(measures: QualityMeasures): number {
  let sum = 0;
  let known = 0;
  for (const measure of QUALITY_NAMES) {
    const points = pointsAt(QUALITY[measure], measures[measure]);
    if (Number.isNaN(points)) continue;
    sum += points;
    known++;
  }
  return known < QUALITY_MEASURES_MIN ? Number.NaN : Math.round(sum / known);
}

const GROWTH = curve([-20, 0, 10, 25], [0, 40, 70, 100]);
const NET_MARGIN = curve([-5, 0, 10, 20], [0, 20, 65, 100]);
const CASH_MARGIN = curve([-5, 0, 10, 25], [0, 20, 60, 100]);

/** Measures of the health score; percent except the three ratios of leverage and liquidity. */
const HEALTH = {
  debtToEquity: curve([0, 0.5, 1, 2, 4], [100, 80, 60, 30, 0]),
  netLeverage: curve([0, 1, 2, 3, 4, 6], [100, 85, 65, 45, 25, 0]),
  currentRatio: curve([0.5, 1, 1.5, 2], [0, 45, 75, 100]),
  revenueGrowth: GROWTH,
  earningsGrowth: GROWTH,
  grossMargin: curve([0, 20, 40, 60], [0, 35, 65, 100]),
  operatingMargin: curve([-5, 0, 15, 30], [0, 20, 65, 100]),
  netMargin: NET_MARGIN,
  roe: curve([0, 10, 15, 25], [0, 50, 70, 100]),
  roa: curve([0, 5, 10, 15], [0, 55, 80, 100]),
  roic: curve([0, 8, 15, 25], [0, 50, 80, 100]),
  operatingCashFlowMargin: CASH_MARGIN,
  freeCashFlowMargin: CASH_MARGIN,
} satisfies Readonly<Record<string, Curve>>;
export type HealthMeasures = Readonly<Record<keyof typeof HEALTH, number>>;

/** Sides of a healthy business, their weight in percent, and the measures that each is the mean of. */
export const HEALTH_SIDES: readonly {
  readonly side: string;
  readonly weight: number;
  readonly measures: readonly (keyof HealthMeasures)[];
}[] = [
  { side: 'leverage', weight: 20, measures: ['debtToEquity', 'netLeverage'] },
  { side: 'growth', weight: 20, measures: ['revenueGrowth', 'earningsGrowth'] },
  { side: 'margins', weight: 20, measures: ['grossMargin', 'operatingMargin', 'netMargin'] },
  { side: 'returns', weight: 15, measures: ['roe', 'roa', 'roic'] },
  { side: 'cash_flow', weight: 15, measures: ['operatingCashFlowMargin', 'freeCashFlowMargin'] },
  { side: 'liquidity', weight: 10, measures: ['currentRatio'] },
];

/** Below this share of the weight, percent, the score would be that of another question. */
export const HEALTH_WEIGHT_MIN = 50;

/**
 * Weighted mean of the sides, rounded; a side is the mean of its known measures, a side without one is dropped and the
 * others weigh more.
 *
 * @returns 0-100; NaN when less than half of the weight is known
 * Source: this project's; the sides are those of DuPont analysis, of Altman's and Piotroski's scores.
 */
export function fundamentalHealth(measures: HealthMeasures): number {
  let weighted = 0;
  let known = 0;
  for (const side of HEALTH_SIDES) {
    const points = side.measures
      .map((measure) => pointsAt(HEALTH[measure], measures[measure]))
      .filter((score) => !Number.isNaN(score));
    if (points.length === 0) continue;
    weighted += side.weight * mean(points);
    known += side.weight;
  }
  return known < HEALTH_WEIGHT_MIN ? Number.NaN : Math.round(weighted / known);
}

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

/** The health score from which each grade is given; below the last it is F. */
export const GRADE_FROM: readonly (readonly [grade: Grade, score: number])[] = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
];

/** @param health 0-100; NaN: null */
export function fundamentalGrade(health: number): Grade | null {
  if (Number.isNaN(health)) return null;
  return GRADE_FROM.find(([, from]) => health >= from)?.[0] ?? 'F';
}

/** Points of a value on a curve; NaN is NaN, an infinite value lies beyond the last point. */
function pointsAt({ values, points }: Curve, value: number): number {
  if (Number.isNaN(value)) return Number.NaN;
  const next = values.findIndex((from) => value < from);
  if (next === 0) return points[0]!;
  if (next < 0) return points.at(-1)!;
  const from = values[next - 1]!;
  const fromPoints = points[next - 1]!;
  return fromPoints + ((value - from) / (values[next]! - from)) * (points[next]! - fromPoints);
}
