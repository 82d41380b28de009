import { COMPONENTS, type ComponentName, MAXIMUM, type ScoreTable } from './components.ts';
import type { InputName, ScoreInputs } from './inputs.ts';
import type { Side } from './pair.ts';
import type { Weights } from './weights.ts';

/** Below this share of the weights a score would speak for what it has not seen. */
export const ENOUGH_WEIGHT = 0.5;
/** Sums of tenths are a hair off in binary. */
const DUST = 1e-12;

/** One line of a ledger. */
export interface LedgerLine {
  readonly component: ComponentName;
  /** NaN: dropped. */
  readonly score: number;
  /** After rescaling over the lines that are there; 0 when dropped. */
  readonly weight: number;
  /** Points of the total; 0 when dropped, and on every line of a score that does not exist. */
  readonly contribution: number;
}

/** A score as the sum of its lines. */
export interface Ledger {
  /** 0 to 100; NaN when too little of the weight is there. */
  readonly score: number;
  readonly lines: readonly LedgerLine[];
}

export interface TwoSided {
  readonly bull: Ledger;
  readonly bear: Ledger;
  /** Share of the weights whose components are there, 0 to 1. */
  readonly weightAvailable: number;
}

/** Both sides of a score. A missing component is dropped and the others take over its weight. */
export function twoSided(table: ScoreTable, weights: Weights): TwoSided {
  const available = weightAvailable(table, weights);
  return {
    bull: ledger('bull', table, weights, available),
    bear: ledger('bear', table, weights, available),
    weightAvailable: available,
  };
}

/** Net score alone, for walks over many instants; NaN where the score does not exist. */
export function netScore(table: ScoreTable, weights: Weights): number {
  let available = 0;
  let net = 0;
  for (const [name, weight] of weights) {
    const pair = table[name];
    if (pair === null) continue;
    available += weight;
    net += weight * (pair.bull - pair.bear);
  }
  return isEnough(available) ? ((net / available) * 100) / MAXIMUM : Number.NaN;
}

export function isEnough(available: number): boolean {
  return available >= ENOUGH_WEIGHT - DUST;
}

export function weightAvailable(table: ScoreTable, weights: Weights): number {
  let available = 0;
  for (const [name, weight] of weights) if (table[name] !== null) available += weight;
  return Math.min(1, available);
}

function ledger(side: Side, table: ScoreTable, weights: Weights, available: number): Ledger {
  const exists = isEnough(available);
  let score = 0;
  const lines = weights.map(([component, share]): LedgerLine => {
    const pair = table[component];
    if (pair === null) return { component, score: Number.NaN, weight: 0, contribution: 0 };
    const weight = share / available;
    const contribution = exists ? (weight * pair[side] * 100) / MAXIMUM : 0;
    score += contribution;
    return { component, score: pair[side], weight, contribution };
  });
  return { score: exists ? Math.min(100, score) : Number.NaN, lines };
}

/** The inputs of a component's side that are not known. */
export function missingInputs(component: ComponentName, side: Side, inputs: ScoreInputs): InputName[] {
  return COMPONENTS[component].inputs[side].filter((name) => Number.isNaN(inputs[name]));
}
