import type { DayType } from '../analysis/day-type.ts';
import { LEVEL_FAMILIES, type LevelFamily } from '../analysis/level-ladder.ts';
import { VIX_REGIMES } from '../analysis/market-state.ts';
import { DIRECTIONS, HOLDING_SESSIONS, TIMEFRAMES, type Timeframe } from '../analysis/options/dte-axes.ts';
import { CANDLESTICK_TYPES, CHART_PATTERN_TYPES } from '../analysis/patterns/finding.ts';
import { PLAYBOOKS } from '../analysis/playbooks/library.ts';
import type { Playbook } from '../analysis/playbooks/playbook.ts';

/** What is claimed, how long a claim may stay open, and since when its rule is what it is. */

export const CLAIM_KINDS = [
  'level',
  'pattern',
  'playbook',
  'swing_playbook',
  'score',
  'divergence',
  'expiration',
] as const;
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
/** Those of them that run from 0 to 100, read as the probability that a stock beats the median of its date. */
export const PROBABILITY_SCORES: readonly string[] = [
  'confluence_score',
  'bullish_confluence',
  'bearish_confluence',
  'conviction_max_v5',
  'fundamental_quality_score',
];
/** Sessions after which the returns of scores are read. */
export const SCORE_HORIZONS = [1, 5, 20] as const;
/** Sessions within which a divergence from peers is to close. */
export const DIVERGENCE_HORIZONS = [1, 3, 5, 10] as const;
/** Sessions within which a pattern reaches its target. */
export const PATTERN_HORIZON = 20;

/** Sessions for which the trade of a playbook that holds over nights is held at most. */
export const SWING_HORIZON = 20;
const recordedPlaybooks = (of: Playbook['timeframe']): readonly Playbook[] =>
  PLAYBOOKS.filter(({ timeframe, prices }) => timeframe === of && prices.trigger !== null);
/** Playbooks that name the price at which they enter. */
export const INTRADAY_PLAYBOOKS = recordedPlaybooks('intraday');
export const SWING_PLAYBOOKS = recordedPlaybooks('swing');

interface ClaimRule {
  /** Grows with every change of what counts as an event, of its outcome or of its control; the record begins anew. */
  readonly version: number;
  /** Dates from here on were not known to whoever wrote the rule. */
  readonly releasedAt: string;
  readonly keys: readonly string[];
}

const afterEach = (names: readonly string[], horizons: readonly number[]): string[] =>
  names.flatMap((name) => horizons.map((sessions) => `${name}.${sessions}d`));

const FIRST = '2026-11-27';
const SECOND = '2026-11-28';

export const CLAIMS: Readonly<Record<ClaimKind, ClaimRule>> = {
  level: { version: 4, releasedAt: SECOND, keys: LEVEL_FAMILIES },
  pattern: { version: 3, releasedAt: SECOND, keys: [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES] },
  playbook: {
    version: 3,
    releasedAt: SECOND,
    keys: INTRADAY_PLAYBOOKS.map(({ strategy }) => strategy),
  },
  swing_playbook: {
    version: 2,
    releasedAt: SECOND,
    keys: SWING_PLAYBOOKS.map(({ strategy }) => strategy),
  },
  score: {
    version: 1,
    releasedAt: FIRST,
    keys: afterEach(Object.keys(RECORDED_SCORES), SCORE_HORIZONS),
  },
  divergence: {
    version: 2,
    releasedAt: SECOND,
    keys: afterEach(['bullish', 'bearish'], DIVERGENCE_HORIZONS),
  },
  expiration: {
    version: 1,
    releasedAt: SECOND,
    keys: TIMEFRAMES.flatMap((timeframe) => DIRECTIONS.map((direction) => `${timeframe}.${direction}`)),
  },
};

/** Sessions for which a claim of the kind and key may stay open; 0 within its session. */
export function horizonOf(kind: ClaimKind, key: string): number {
  if (kind === 'level' || kind === 'playbook') return 0;
  if (kind === 'pattern') return PATTERN_HORIZON;
  if (kind === 'swing_playbook') return SWING_HORIZON;
  if (kind === 'expiration') return HOLDING_SESSIONS[key.split('.')[0] as Timeframe];
  return Number(/\.(\d+)d$/.exec(key)![1]);
}

/** Sessions after which every claim of a date has ended. */
export const longestHorizon = (kind: ClaimKind): number =>
  Math.max(...CLAIMS[kind].keys.map((key) => horizonOf(kind, key)));

/** Dealers' gamma of the index before the open. */
const GAMMA_REGIMES = ['long_gamma', 'short_gamma', 'neutral_gamma'] as const;
export type GammaRegime = (typeof GAMMA_REGIMES)[number];
/** Regimes of a whole date, known before its open. */
export const DATE_REGIMES = [...VIX_REGIMES, ...GAMMA_REGIMES] as const;
export type DateRegime = (typeof DATE_REGIMES)[number];
/** Kinds of day as the answer of a minute has them. */
export const DAY_REGIMES = ['trending', 'rotational', 'uncertain'] as const satisfies readonly DayType[];
export type DayRegime = (typeof DAY_REGIMES)[number];
/** Kinds of claims that are made within a session, whose kind of day is recorded with them. */
export const BY_DAY_REGIME: readonly ClaimKind[] = ['level', 'playbook'];

/** Number of a kind of day in the sums; 0 where it was not known yet. */
export const dayRegime = (type: DayType | null): number =>
  type === null ? 0 : DAY_REGIMES.indexOf(type) + 1;

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

const COUNTS = SUM_FIELDS.filter((field) => field !== 'stratum' && field !== 'regime');

/** Counts of a key by stratum and regime. */
class Cells {
  readonly #cells = new Map<number, Sum>();

  of(stratum: number, regime: number): Sum {
    return this.#cells.getOrInsertComputed(stratum * REGIMES + regime, () => ({
      ...(Object.fromEntries(COUNTS.map((field) => [field, 0])) as Sum),
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
