import { clamp } from '../statistics.ts';
import {
  COMPONENT_NAMES,
  COMPONENTS,
  type ComponentName,
  MAXIMUM,
  type ScoreTable,
  scorePair,
} from './components.ts';
import { type InputName, type InputScale, SCALES, type ScoreInputs } from './inputs.ts';
import { hundredths, type TwoSided } from './ledger.ts';
import type { Pair } from './ramps.ts';
import { type Bias, bias, type Tier, tier, V5_TIERS } from './tiers.ts';
import type { Weights } from './weights.ts';

/** Halvings of a stretch of a scale: what is left of it is under a billionth. */
const HALVINGS = 32;
/** So far beyond the edge that the rounding of a sum cannot take it back. */
const BEYOND_UNITS = 1e-9;
/** Farther than this many units no change of one input is worth naming. */
const FIRST_REACH_UNITS = 40;

type FlippedLabel = 'bullish_tier' | 'bearish_tier' | 'directional_bias';

/** The smallest change of a single input that moves a tier or the bias. */
export interface Flip {
  readonly input: InputName;
  readonly from: number;
  /** Just beyond the edge. */
  readonly to: number;
  /** |to - from| in units of the input's scale. */
  readonly distance: number;
  readonly flips: FlippedLabel;
  readonly labelFrom: Tier | Bias;
  readonly labelTo: Tier | Bias;
}

interface Labels {
  readonly bullish_tier: Tier;
  readonly bearish_tier: Tier;
  readonly directional_bias: Bias;
}

/** What is searched of each component, each input once. */
const SEARCHED = new Map(
  COMPONENT_NAMES.map((name): [ComponentName, InputName[]] => {
    const { bull, bear } = COMPONENTS[name].inputs;
    const scale = (input: InputName): InputScale => SCALES[input];
    return [name, [...new Set([...bull, ...bear])].filter((input) => scale(input).steps !== true)];
  }),
);

/**
 * The nearest flip of a two-sided score over every searched input on its documented scale, each alone and all others
 * held. Components are monotone in each input, so a stretch whose far end flips nothing holds no flip, and a stretch
 * whose far end does is halved down to the edge. Null when the score does not exist or nothing flips it.
 */
export function nearestFlip(
  inputs: ScoreInputs,
  table: ScoreTable,
  weights: Weights,
  { bull: { score: bullish }, bear: { score: bearish }, weightAvailable: available }: TwoSided,
): Flip | null {
  if (Number.isNaN(bullish) || Number.isNaN(bearish)) return null;
  const before = labels({ bull: bullish, bear: bearish });
  const { bull, bear } = exactScores(table, weights, available);
  const probe = { ...inputs };
  let nearest: Flip | null = null;
  for (const [name, share] of weights) {
    const pair = table[name];
    if (pair === null) continue;
    const points = ((share / available) * 100) / MAXIMUM;
    if (!canFlip(before, { bull, bear }, pair, points)) continue;
    for (const input of SEARCHED.get(name)!) {
      if (Number.isNaN(inputs[input])) continue;
      const scoresAt = (value: number): Pair => {
        probe[input] = value;
        const moved = scorePair(name, probe) ?? pair;
        return {
          bull: bull + points * (moved.bull - pair.bull),
          bear: bear + points * (moved.bear - pair.bear),
        };
      };
      for (const way of [1, -1] as const) {
        const found = flipOf(
          input,
          inputs[input],
          way,
          nearest?.distance ?? FIRST_REACH_UNITS,
          before,
          scoresAt,
        );
        if (found !== null && (nearest === null || found.distance < nearest.distance)) nearest = found;
      }
      probe[input] = inputs[input];
    }
  }
  return nearest;
}

/** Whether any pair that a component can have instead of its own moves a label. */
function canFlip(before: Labels, { bull, bear }: Pair, pair: Pair, points: number): boolean {
  const reach = MAXIMUM + BEYOND_UNITS;
  const bulls = [bull - points * (pair.bull + BEYOND_UNITS), bull + points * (reach - pair.bull)] as const;
  const bears = [bear - points * (pair.bear + BEYOND_UNITS), bear + points * (reach - pair.bear)] as const;
  return (
    flipped(before, { bull: bulls[0], bear: bears[1] }) !== null ||
    flipped(before, { bull: bulls[1], bear: bears[0] }) !== null
  );
}

/** The flip of one input one way within a reach of so many units; null where there is none. */
function flipOf(
  input: InputName,
  from: number,
  way: 1 | -1,
  reachUnits: number,
  before: Labels,
  scoresAt: (value: number) => Pair,
): Flip | null {
  const { unit, low, high } = SCALES[input];
  const end = clamp(from + way * reachUnits * unit, low, high);
  if ((end - from) * way <= 0 || flipped(before, scoresAt(end)) === null) return null;
  const turn = edge(from, end, (value) => flipped(before, scoresAt(value)) !== null);
  const beyond = turn + way * BEYOND_UNITS * unit;
  const to = way > 0 ? Math.min(end, beyond) : Math.max(end, beyond);
  const after = scoresAt(to);
  const flips = flipped(before, after)!;
  const distance = Math.abs(to - from) / unit;
  return { input, from, to, distance, flips, labelFrom: before[flips], labelTo: labels(after)[flips] };
}

/** What the labels say of two scores, once they are rounded. */
function labels(exact: Pair): Labels {
  const bull = hundredths(exact.bull);
  const bear = hundredths(exact.bear);
  return {
    bullish_tier: tier(bull, V5_TIERS)!,
    bearish_tier: tier(bear, V5_TIERS)!,
    directional_bias: bias(hundredths(bull - bear))!,
  };
}

/** Both scores before they are rounded, for sums that go on from them. */
function exactScores(table: ScoreTable, weights: Weights, available: number): Pair {
  let bull = 0;
  let bear = 0;
  for (const [name, share] of weights) {
    const points = ((share / available) * 100) / MAXIMUM;
    bull += points * (table[name]?.bull ?? 0);
    bear += points * (table[name]?.bear ?? 0);
  }
  return { bull, bear };
}

/** The first label that differs; the bias is what traders act on and goes first. */
function flipped(before: Labels, exact: Pair): FlippedLabel | null {
  const bull = hundredths(exact.bull);
  const bear = hundredths(exact.bear);
  if (bias(hundredths(bull - bear)) !== before.directional_bias) return 'directional_bias';
  if (tier(bull, V5_TIERS) !== before.bullish_tier) return 'bullish_tier';
  return tier(bear, V5_TIERS) === before.bearish_tier ? null : 'bearish_tier';
}

/** The nearest value to `from` on the far side of where `flips` turns true, between a value where it is not and one where it is. */
function edge(from: number, to: number, flips: (value: number) => boolean): number {
  let [stays, turns] = [from, to];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (stays + turns) / 2;
    if (flips(middle)) turns = middle;
    else stays = middle;
  }
  return turns;
}
