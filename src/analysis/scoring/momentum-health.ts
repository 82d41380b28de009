import { withLate } from '../../base/with-late.ts';
import { hundredths, isEnough, roundedParts } from './ledger.ts';
import { fall, type Ramp, ramp } from './ramps.ts';

type HealthState = 'healthy' | 'extended' | 'fading' | 'exhausted' | 'absent';
export type MomentumDirection = 'up' | 'down' | 'flat';

/** A blend within this many percent of nothing has no direction. */
export const FLAT_BLEND_PCT = 2;
/** Distance from SMA20 in the direction of the momentum from which it is extended, daily ATR. */
export const EXTENDED_ATR = 2;
/** Scores from which momentum is healthy, and below which it is exhausted. */
export const HEALTHY_FROM = 50;
export const EXHAUSTED_BELOW = 25;

/** Where each part begins and ends to count; see docs/scoring-scores.md. */
export const HEALTH_RAMPS = {
  pace: { from: 0, to: 20 },
  acceleration: { from: -5, to: 5 },
  room: { from: 1, to: 3 },
  rsi_room: { from: 65, to: 85 },
  participation: { from: 0.4, to: 0.6 },
} as const satisfies Readonly<Record<string, Ramp>>;

export const HEALTH_WEIGHTS = [
  ['pace', 0.25],
  ['acceleration', 0.2],
  ['room', 0.25],
  ['rsi_room', 0.15],
  ['participation', 0.15],
] as const;

type HealthPart = (typeof HEALTH_WEIGHTS)[number][0];

/** NaN: not known. */
export interface HealthInputs {
  /** Percent. */
  readonly blend: number;
  /** 20-session return minus a third of the 60-session return, percent. */
  readonly acceleration: number;
  /** Price minus SMA20 in daily ATR(14). */
  readonly sma20Atr: number;
  readonly rsi: number;
  readonly upVolumeShare: number;
}

export interface HealthLine {
  readonly part: HealthPart;
  /** 0 to 10; NaN: dropped. */
  readonly score: number;
  readonly weight: number;
  readonly contribution: number;
}

export interface MomentumHealth {
  /** 0 to 100; NaN without a direction, and below half of the weights. */
  readonly score: number;
  readonly state: HealthState | null;
  readonly direction: MomentumDirection | null;
  /** Worked out when they are read. */
  readonly lines: readonly HealthLine[];
}

/**
 * Whether momentum is sound: it has pace, does not slow down, has room to its 20-session mean and to an extreme RSI,
 * and volume goes with it. Every input is turned to the side of the momentum, so a fall is judged as a rise is.
 */
export function momentumHealth(inputs: HealthInputs): MomentumHealth {
  const direction = directionOf(inputs.blend);
  if (direction === null) return { score: Number.NaN, state: null, direction, lines: [] };
  if (direction === 'flat') return { score: Number.NaN, state: 'absent', direction, lines: [] };
  const sign = direction === 'up' ? 1 : -1;
  const exact = weighed(partScores(inputs, sign));
  let points = 0;
  for (const { contribution } of exact) points += contribution;
  const score = exact.some(({ weight }) => weight > 0) ? hundredths(points) : Number.NaN;
  return withLate(
    {
      score,
      state: stateOf(score, sign * inputs.sma20Atr),
      direction,
    },
    {
      lines() {
        const parts = roundedParts(exact.map(({ contribution }) => contribution));
        return exact.map((line, at) => ({ ...line, contribution: parts[at]! }));
      },
    },
  );
}

export function directionOf(blend: number): MomentumDirection | null {
  if (Number.isNaN(blend)) return null;
  if (Math.abs(blend) <= FLAT_BLEND_PCT) return 'flat';
  return blend > 0 ? 'up' : 'down';
}

function partScores(inputs: HealthInputs, sign: number): Readonly<Record<HealthPart, number>> {
  const blend = 100 * Math.log1p(inputs.blend / 100);
  return {
    pace: 10 * ramp(sign * blend, HEALTH_RAMPS.pace),
    acceleration: 10 * ramp(sign * inputs.acceleration, HEALTH_RAMPS.acceleration),
    room: 10 * fall(sign * inputs.sma20Atr, HEALTH_RAMPS.room),
    rsi_room: 10 * fall(50 + sign * (inputs.rsi - 50), HEALTH_RAMPS.rsi_room),
    participation: 10 * ramp(0.5 + sign * (inputs.upVolumeShare - 0.5), HEALTH_RAMPS.participation),
  };
}

/** Weights over what is there; all 0 below half of them. */
function weighed(scores: Readonly<Record<HealthPart, number>>): HealthLine[] {
  let available = 0;
  for (const [part, weight] of HEALTH_WEIGHTS) if (!Number.isNaN(scores[part])) available += weight;
  const enough = isEnough(available);
  return HEALTH_WEIGHTS.map(([part, share]) => {
    const score = scores[part];
    const weight = enough && !Number.isNaN(score) ? share / available : 0;
    return { part, score, weight, contribution: weight === 0 ? 0 : weight * score * 10 };
  });
}

function stateOf(score: number, stretched: number): HealthState | null {
  if (Number.isNaN(score)) return null;
  if (score < EXHAUSTED_BELOW) return 'exhausted';
  if (stretched > EXTENDED_ATR) return 'extended';
  return score >= HEALTHY_FROM ? 'healthy' : 'fading';
}
