import { withLate } from '../../base/with-late.ts';
import { type Component, type ComponentName, MAXIMUM, type Table } from './components.ts';
import type { ScoreSide } from './ramps.ts';
import type { Weights } from './weights.ts';

/** Below this share of the weights there is no score. */
export const ENOUGH_WEIGHT = 0.5;
/** Sums of tenths are not exact in binary. */
export const isEnough = (available: number): boolean => available >= ENOUGH_WEIGHT - 1e-12;

interface LedgerLine<Name extends string = ComponentName> {
  readonly component: Name;
  /** NaN: dropped. */
  readonly score: number;
  /** After rescaling over the lines that are there; 0 when dropped. */
  readonly weight: number;
  /** Hundredths of a point of the total; 0 when dropped, and on every line of a score that does not exist. */
  readonly contribution: number;
}

export interface Ledger<Name extends string = ComponentName> {
  /** 0 to 100 in hundredths, the sum of the contributions; NaN when too little of the weight is there. */
  readonly score: number;
  /** Worked out when they are read. */
  readonly lines: readonly LedgerLine<Name>[];
}

export interface TwoSided<Name extends string = ComponentName> {
  readonly bull: Ledger<Name>;
  readonly bear: Ledger<Name>;
  /** Bull less bear. */
  readonly net: number;
  /** Share of the weights whose components are there, 0 to 1. */
  readonly weightAvailable: number;
}

/** Both sides of a score. A missing component is dropped and the others take over its weight. */
export function twoSided<Name extends string>(table: Table<Name>, weights: Weights<Name>): TwoSided<Name> {
  const available = weightAvailable(table, weights);
  const bull = ledger('bull', table, weights, available);
  const bear = ledger('bear', table, weights, available);
  return { bull, bear, net: hundredths(bull.score - bear.score), weightAvailable: available };
}

/** Net score alone, for walks over many instants; NaN where the score does not exist. */
export function netScore<Name extends string>(table: Table<Name>, weights: Weights<Name>): number {
  const available = weightAvailable(table, weights);
  if (!isEnough(available)) return Number.NaN;
  let bull = 0;
  let bear = 0;
  for (const [name, share] of weights) {
    const pair = table[name];
    if (pair === null) continue;
    bull += contribution(share / available, pair.bull);
    bear += contribution(share / available, pair.bear);
  }
  return hundredths(hundredths(bull) - hundredths(bear));
}

function weightAvailable<Name extends string>(table: Table<Name>, weights: Weights<Name>): number {
  let available = 0;
  for (const [name, weight] of weights) if (table[name] !== null) available += weight;
  return Math.min(1, available);
}

function ledger<Name extends string>(
  side: ScoreSide,
  table: Table<Name>,
  weights: Weights<Name>,
  available: number,
): Ledger<Name> {
  let sum = 0;
  for (const [component, share] of weights) {
    const pair = table[component];
    if (pair !== null) sum += contribution(share / available, pair[side]);
  }
  return withLate(
    {
      score: isEnough(available) ? hundredths(sum) : Number.NaN,
    },
    {
      lines: () => ledgerLines(side, table, weights, available),
    },
  );
}

function ledgerLines<Name extends string>(
  side: ScoreSide,
  table: Table<Name>,
  weights: Weights<Name>,
  available: number,
): LedgerLine<Name>[] {
  const exact = weights.map(([component, share]): LedgerLine<Name> => {
    const pair = table[component];
    if (pair === null) return { component, score: Number.NaN, weight: 0, contribution: 0 };
    const weight = share / available;
    return { component, score: pair[side], weight, contribution: contribution(weight, pair[side]) };
  });
  if (!isEnough(available)) return exact.map((line) => ({ ...line, contribution: 0 }));
  const parts = roundedParts(exact.map((line) => line.contribution));
  return exact.map((line, at) => ({ ...line, contribution: parts[at]! }));
}

/** Points of a total of 100, before they are rounded. */
const contribution = (weight: number, score: number): number => (weight * score * 100) / MAXIMUM;

/** The inputs of a component's side that are not known. */
export function missingInputs<Input extends string>(
  component: Component<Input>,
  side: ScoreSide,
  inputs: Readonly<Record<Input, number>>,
): Input[] {
  return component.inputs[side].filter((name) => Number.isNaN(inputs[name]));
}

/**
 * Scores are rounded to hundredths of a point where they are made, and tiers, biases and differences follow from the
 * rounded score, so that what is shown agrees with its label.
 */
export function hundredths(points: number): number {
  return Math.round(points * 100) / 100;
}

/**
 * Rounds the parts of a total to hundredths so that they still sum to it: each is cut off, and what is missing goes, a
 * hundredth each, to those that lost most (largest remainders; of equals the first).
 *
 * @param parts points, none below 0
 */
export function roundedParts(parts: readonly number[]): number[] {
  const whole = parts.map((part) => Math.floor(part * 100));
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0) * 100);
  const missing = total - whole.reduce((sum, part) => sum + part, 0);
  const lost = parts.map((part, at) => part * 100 - whole[at]!);
  const order = parts.map((_part, at) => at).sort((one, other) => lost[other]! - lost[one]!);
  for (const at of order.slice(0, missing)) whole[at]!++;
  return whole.map((part) => part / 100);
}
