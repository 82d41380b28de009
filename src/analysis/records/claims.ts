import { LEVEL_FAMILIES, type LevelFamily } from '../level-ladder.ts';
import { CANDLESTICK_TYPES, CHART_PATTERN_TYPES } from '../patterns/finding.ts';

/** What is claimed, how long a claim may stay open, and since when its rule is what it is. */

export const CLAIM_KINDS = ['level', 'pattern', 'score', 'divergence'] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** Scores whose later returns are recorded, as fields of the answer; `-` marks one that speaks for a fall. */
export const RECORDED_SCORES = {
  confluence_score: 1,
  bullish_confluence: 1,
  bearish_confluence: -1,
  net_confluence: 1,
  conviction_max_v5: 1,
  net_entry_score: 1,
  pulse_net: 1,
  fundamental_quality_score: 1,
  momentum_blend: 1,
} as const;
/** Sessions after which the returns of scores are read. */
export const SCORE_HORIZONS = [1, 5, 20] as const;
/** Sessions within which a divergence from peers is to close. */
export const DIVERGENCE_HORIZONS = [1, 3, 5, 10] as const;
/** Sessions within which a pattern reaches its target. */
export const PATTERN_HORIZON = 20;

interface ClaimRule {
  /** Grows with every change of what counts as an event, of its outcome or of its control; the record begins anew. */
  readonly version: number;
  /** Dates from here on were not known to whoever wrote the rule. */
  readonly releasedAt: string;
  readonly keys: readonly string[];
}

const afterEach = (names: readonly string[], horizons: readonly number[]): string[] =>
  names.flatMap((name) => horizons.map((sessions) => `${name}.${sessions}d`));

const RELEASED = '2026-11-27';

export const CLAIMS: Readonly<Record<ClaimKind, ClaimRule>> = {
  level: { version: 1, releasedAt: RELEASED, keys: LEVEL_FAMILIES },
  pattern: { version: 1, releasedAt: RELEASED, keys: [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES] },
  score: {
    version: 1,
    releasedAt: RELEASED,
    keys: afterEach(Object.keys(RECORDED_SCORES), SCORE_HORIZONS),
  },
  divergence: {
    version: 1,
    releasedAt: RELEASED,
    keys: afterEach(['bullish', 'bearish'], DIVERGENCE_HORIZONS),
  },
};

/** Sessions for which a claim of the kind and key may stay open; 0 within its session. */
export function horizonOf(kind: ClaimKind, key: string): number {
  if (kind === 'level') return 0;
  if (kind === 'pattern') return PATTERN_HORIZON;
  return Number(/\.(\d+)d$/.exec(key)![1]);
}

/** Sessions after which every claim of a date has ended. */
export const longestHorizon = (kind: ClaimKind): number =>
  Math.max(...CLAIMS[kind].keys.map((key) => horizonOf(kind, key)));

export type ClaimOutcome = 'true' | 'false' | 'undecided' | 'gap';

/** A claim that met its condition. Instants are epoch milliseconds. */
export interface ClaimEvent {
  readonly key: string;
  /** What was claimed: name of the level, swings of the pattern. */
  readonly claim: string;
  readonly begunAt: number;
  /** When it was decided; null while it is open, and of what stayed undecided. */
  readonly decidedAt: number | null;
  /** 1: upward, or price came from above; -1: the other way. */
  readonly side: 1 | -1;
  /** The level, or the close that confirmed the pattern, dollars; null for a claim without a price. */
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
  readonly stratum: number;
}

/** Controls of a stratum. */
export interface ControlCount {
  /** The key that they are controls of alone; null for those of all that have none of their own. */
  readonly of: string | null;
  readonly stratum: number;
  readonly events: number;
  readonly true: number;
}

/** What a symbol's claims of one date came to. */
export interface SymbolClaims {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly simulated: boolean;
  readonly events: readonly ClaimEvent[];
  readonly controls: readonly ControlCount[];
}

/** Counts of a date in one key and stratum; of a key of `controlsOf` the controls. */
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
] as const;
export type Sum = Record<(typeof SUM_FIELDS)[number], number>;
/** Levels that move are compared with such as moved alike on earlier dates. */
export const MOVING_LEVELS: readonly LevelFamily[] = ['vwap', 'developing_profile'];
const CONTROLS = '*';

/** The key of the sums of the controls of a key; no claim has it. */
export const controlsOf = (key: string | null): string =>
  key !== null && (MOVING_LEVELS as readonly string[]).includes(key) ? `${CONTROLS}${key}` : CONTROLS;
/** Counts by key. */
export type DaySums = Readonly<Record<string, readonly Sum[]>>;

/** Adds counts of the same date. */
export function addSums(all: readonly DaySums[]): DaySums {
  const keys = [...new Set(all.flatMap((sums) => Object.keys(sums)))].sort();
  return Object.fromEntries(
    keys.map((key) => {
      const strata = Map.groupBy(
        all.flatMap((sums) => sums[key] ?? []),
        ({ stratum }) => stratum,
      );
      const added = Array.from(strata, ([stratum, cells]): Sum => {
        const sum = emptySum(stratum);
        for (const cell of cells) for (const field of COUNTS) sum[field] += cell[field];
        return sum;
      });
      return [key, added.sort((a, b) => a.stratum - b.stratum)];
    }),
  );
}

const COUNTS = SUM_FIELDS.filter((field) => field !== 'stratum');

const emptySum = (stratum: number): Sum => ({
  ...(Object.fromEntries(COUNTS.map((field) => [field, 0])) as Sum),
  stratum,
});

/**
 * The counts of some claims, in a fixed order.
 *
 * @param measures by key what their date as a whole measured
 */
export function sumClaims(
  claims: readonly Pick<SymbolClaims, 'events' | 'controls'>[],
  measures: ReadonlyMap<string, number> = new Map(),
): DaySums {
  const cells = new Map<string, Map<number, Sum>>();
  const cellOf = (key: string, stratum: number): Sum =>
    cells.getOrInsertComputed(key, () => new Map()).getOrInsertComputed(stratum, () => emptySum(stratum));
  for (const [key, measure] of measures) cellOf(key, 0).measure = measure;
  for (const { events, controls } of claims) {
    for (const event of events) addEvent(cellOf(event.key, event.stratum), event);
    for (const { of, stratum, events: count, true: held } of controls) {
      const cell = cellOf(controlsOf(of), stratum);
      cell.events += count;
      cell.true += held;
    }
  }
  return Object.fromEntries(
    [...cells]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, strata]) => [key, [...strata.values()].sort((a, b) => a.stratum - b.stratum)]),
  );
}

function addEvent(cell: Sum, event: ClaimEvent): void {
  const { outcome, chance, controls, isGone, isAmbiguous } = event;
  if (isGone) cell.gone++;
  if (isAmbiguous) cell.ambiguous++;
  if (outcome === 'gap') cell.gap++;
  if (outcome === 'undecided') cell.undecided++;
  if (outcome !== 'true' && outcome !== 'false') return;
  const came = outcome === 'true' ? 1 : 0;
  cell.events++;
  cell.true += came;
  if (chance === null) return;
  cell.judged++;
  cell.excess += came - chance;
  cell.controls += controls;
}
