import type { LevelFamily } from '../analysis/level-ladder.ts';
import { DAY_REGIMES } from './regimes.ts';

/** Claims that met their condition, and the counts that are made of them. */

export type ClaimOutcome = 'true' | 'false' | 'undecided' | 'gap';

/** A claim that met its condition. Instants are epoch milliseconds. */
export interface ClaimEvent {
  readonly key: string;
  /** What was claimed: name of the level, swings of the pattern, date of the expiration. */
  readonly claim: string;
  readonly begunAt: number;
  /** When it was decided; null while it is open, and of what stayed undecided. */
  readonly decidedAt: number | null;
  /** 1: upward, or price came from above; -1: the other way. */
  readonly side: 1 | -1;
  /** The level, the close that confirmed the pattern, the price to beat, dollars; null for a claim without a price. */
  readonly price: number | null;
  /** Null while it is open. */
  readonly outcome: ClaimOutcome | null;
  /** Whether the stock left before the claim ended, and its last price decided. */
  readonly isGone: boolean;
  /** Whether one bar went both ways, which counts as false. */
  readonly isAmbiguous: boolean;
  /** Share of its controls that came true; null where they are of a stratum, or there are none. */
  readonly chance: number | null;
  readonly controls: number;
  /** Within which it is compared; absent where its controls are its own. */
  readonly stratum?: number;
  /** What kind of day it had been before, see `dayRegime`; absent where none is recorded. */
  readonly regime?: number;
  /** Of a trade after costs, and the mean of its controls, in R; absent where no R belongs to it. */
  readonly gain?: number | undefined;
  readonly chanceGain?: number | undefined;
}

/** What is counted of a stratum beside its claims: controls, and touches that two families share. */
export interface SideCount {
  /** Key of their sums: `controlsOf` or `sharedOf`. */
  readonly sums: string;
  readonly stratum: number;
  readonly regime: number;
  /** How many there were. */
  readonly count: number;
  /** What they stand for, and what those stand for that came true. */
  readonly events: number;
  readonly true: number;
}

/** What a symbol's claims of one date came to. */
export interface SymbolClaims {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly simulated: boolean;
  readonly events: readonly ClaimEvent[];
  readonly counts: readonly SideCount[];
  /** JSON text of what they rest on, where deriving it again would take long. */
  readonly terms?: string | undefined;
}

/** Counts of a date in one key, stratum and regime, see `SideCount` for those of a key that no claim has. */
export const SUM_FIELDS = [
  'stratum',
  'events',
  'true',
  'undecided',
  'gap',
  'gone',
  'ambiguous',
  'judged',
  'excess',
  'controls',
  'measure',
  'regime',
  'gain',
  'excess_gain',
] as const;
export type Sum = Record<(typeof SUM_FIELDS)[number], number>;
/** Those of a key of `controlsOf` or `sharedOf`. */
export const SIDE_FIELDS = ['stratum', 'regime', 'controls', 'events', 'true'] as const;

/** Levels that move until price meets them. */
export const MOVING_LEVELS: readonly LevelFamily[] = ['vwap', 'developing_profile'];

/** The key of the sums of the controls of a key; no claim has it. */
export const controlsOf = (key: string): string => `*${key}`;
/** The key of the sums of those touches of a family that were touches of another, whose place is the stratum. */
export const sharedOf = (key: string): string => `&${key}`;

/** Whether a key is one of `SideCount`. */
export const isOfSide = (key: string): boolean => key.startsWith('*') || key.startsWith('&');

/** Bins of equal width that a probability falls into. */
export const PROBABILITY_BINS = 20;
/** All stocks of a date whose score, read as a probability, fell into a bin. */
export interface ProbabilityBin {
  readonly key: string;
  readonly bin: number;
  readonly events: number;
  readonly true: number;
  /** Sum of the probabilities. */
  readonly forecast: number;
}
/** The key of the sums of the bins of a key, by stratum, with the probabilities as `measure`; no claim has it. */
export const binsOf = (key: string): string => `%${key}`;
/** Counts by key. */
export type DaySums = Readonly<Record<string, readonly Sum[]>>;

const NO_COUNTS = Object.fromEntries(SUM_FIELDS.map((field) => [field, 0])) as Sum;

/** Counts of a key by stratum and regime. */
class Cells {
  readonly #cells = new Map<number, Sum>();

  of(stratum: number, regime: number): Sum {
    return this.#cells.getOrInsertComputed(stratum * REGIMES + regime, () => ({
      ...NO_COUNTS,
      stratum,
      regime,
    }));
  }

  inOrder(): readonly Sum[] {
    return [...this.#cells].sort(([one], [other]) => one - other).map(([, sum]) => sum);
  }
}

const REGIMES = DAY_REGIMES.length + 1;

/**
 * The counts of some claims, in a fixed order.
 *
 * @param measures by key what their date as a whole measured
 * @param bins of their date as a whole
 */
export function sumClaims(
  claims: readonly Pick<SymbolClaims, 'events' | 'counts'>[],
  measures: ReadonlyMap<string, number> = new Map(),
  bins: readonly ProbabilityBin[] = [],
): DaySums {
  const cells = new Map<string, Cells>();
  const cellOf = (key: string, stratum: number, regime = 0): Sum =>
    cells.getOrInsertComputed(key, () => new Cells()).of(stratum, regime);
  for (const [key, measure] of measures) cellOf(key, 0).measure = measure;
  for (const { key, bin, events, true: came, forecast } of bins)
    Object.assign(cellOf(binsOf(key), bin), { events, true: came, measure: forecast });
  for (const { events, counts } of claims) {
    for (const event of events) addEvent(cellOf(event.key, event.stratum ?? 0, event.regime ?? 0), event);
    for (const { sums, stratum, regime, count, events: weight, true: held } of counts) {
      const cell = cellOf(sums, stratum, regime);
      cell.controls += count;
      cell.events = hundredths(cell.events + weight);
      cell.true = hundredths(cell.true + held);
    }
  }
  return Object.fromEntries(
    [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, of]) => [key, of.inOrder()]),
  );
}

/** Weights are of two digits, and so are their sums. */
const hundredths = (value: number): number => Math.round(100 * value) / 100;

function addEvent(cell: Sum, event: ClaimEvent): void {
  const { outcome, chance, controls, isGone, isAmbiguous, gain = 0, chanceGain = 0 } = event;
  if (isGone) cell.gone++;
  if (isAmbiguous) cell.ambiguous++;
  if (outcome === 'gap') cell.gap++;
  if (outcome === 'undecided') cell.undecided++;
  if (outcome !== 'true' && outcome !== 'false') return;
  const came = outcome === 'true' ? 1 : 0;
  cell.events++;
  cell.true += came;
  cell.gain += gain;
  if (chance === null) return;
  cell.judged++;
  cell.excess += came - chance;
  cell.excess_gain += gain - chanceGain;
  cell.controls += controls;
}
