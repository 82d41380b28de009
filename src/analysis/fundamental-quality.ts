import { mean } from './statistics.ts';

/**
 * How good a business is by its books, 0 to 100. Every measure is read off a line through a few points that rises or
 * falls all the way; between points it is linear, beyond the ends it is flat. NaN is a measure that is not known.
 */

type Point = readonly [value: number, points: number];
type Curve = readonly Point[];

/** What the quality score looks at; percent where the trade quotes percent. */
export interface QualityMeasures {
  /** Trailing; infinite for a company without earnings, whose price is paid for none. */
  readonly peRatio: number;
  readonly roe: number;
  readonly profitMargin: number;
}

/** 15 and 20 are the long-run P/E of the market and where it has stood of late, 15 % and 10 % its ROE and margin. */
const QUALITY: Readonly<Record<keyof QualityMeasures, Curve>> = {
  peRatio: [
    [10, 100],
    [15, 80],
    [20, 65],
    [30, 40],
    [50, 15],
    [100, 0],
  ],
  roe: [
    [0, 0],
    [5, 25],
    [10, 50],
    [15, 70],
    [25, 100],
  ],
  profitMargin: [
    [0, 0],
    [5, 35],
    [10, 60],
    [20, 100],
  ],
};

/** One measure of three is not a judgement. */
const QUALITY_MEASURES_MIN = 2;

/**
 * Mean of the points of P/E, return on equity and profit margin, rounded: whether the business earns on its capital
 * and sales, at a price that leaves something.
 *
 * @returns 0-100; NaN with fewer than two of the three
 * Source: the interface names the three measures; the curves are this project's.
 */
export function fundamentalQuality(measures: QualityMeasures): number {
  const points = pointsOf(QUALITY, measures).filter((score) => !Number.isNaN(score));
  return points.length < QUALITY_MEASURES_MIN ? Number.NaN : Math.round(mean(points));
}

/** What the health score looks at; percent but for the three ratios of leverage and liquidity. */
export interface HealthMeasures {
  readonly debtToEquity: number;
  readonly netLeverage: number;
  readonly currentRatio: number;
  readonly revenueGrowth: number;
  readonly earningsGrowth: number;
  readonly grossMargin: number;
  readonly operatingMargin: number;
  readonly netMargin: number;
  readonly roe: number;
  readonly roa: number;
  readonly roic: number;
  readonly operatingCashFlowMargin: number;
  readonly freeCashFlowMargin: number;
}

const GROWTH: Curve = [
  [-20, 0],
  [0, 40],
  [10, 70],
  [25, 100],
];
const NET_MARGIN: Curve = [
  [-5, 0],
  [0, 20],
  [10, 65],
  [20, 100],
];
const CASH_MARGIN: Curve = [
  [-5, 0],
  [0, 20],
  [10, 60],
  [25, 100],
];

const HEALTH: Readonly<Record<keyof HealthMeasures, Curve>> = {
  debtToEquity: [
    [0, 100],
    [0.5, 80],
    [1, 60],
    [2, 30],
    [4, 0],
  ],
  netLeverage: [
    [0, 100],
    [1, 85],
    [2, 65],
    [3, 45],
    [4, 25],
    [6, 0],
  ],
  currentRatio: [
    [0.5, 0],
    [1, 45],
    [1.5, 75],
    [2, 100],
  ],
  revenueGrowth: GROWTH,
  earningsGrowth: GROWTH,
  grossMargin: [
    [0, 0],
    [20, 35],
    [40, 65],
    [60, 100],
  ],
  operatingMargin: [
    [-5, 0],
    [0, 20],
    [15, 65],
    [30, 100],
  ],
  netMargin: NET_MARGIN,
  roe: [
    [0, 0],
    [10, 50],
    [15, 70],
    [25, 100],
  ],
  roa: [
    [0, 0],
    [5, 55],
    [10, 80],
    [15, 100],
  ],
  roic: [
    [0, 0],
    [8, 50],
    [15, 80],
    [25, 100],
  ],
  operatingCashFlowMargin: CASH_MARGIN,
  freeCashFlowMargin: CASH_MARGIN,
};

/** Sides of a healthy business, their share of the score in percent, and the measures whose mean stands for each. */
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
const HEALTH_WEIGHT_MIN = 50;

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
const GRADE_FROM: readonly (readonly [grade: Grade, score: number])[] = [
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

function pointsOf<Measure extends string>(
  curves: Readonly<Record<Measure, Curve>>,
  measures: Readonly<Record<Measure, number>>,
): number[] {
  return (Object.keys(curves) as Measure[]).map((measure) => pointsAt(curves[measure], measures[measure]));
}

/** Points of a value on a curve; NaN is NaN, an infinite value lies beyond the last point. */
function pointsAt(curve: Curve, value: number): number {
  if (Number.isNaN(value)) return Number.NaN;
  const next = curve.findIndex(([from]) => value < from);
  if (next === 0) return curve[0]![1];
  if (next < 0) return curve[curve.length - 1]![1];
  const [fromValue, fromPoints] = curve[next - 1]!;
  const [toValue, toPoints] = curve[next]!;
  return fromPoints + ((value - fromValue) / (toValue - fromValue)) * (toPoints - fromPoints);
}
