import { MINUTE_MS, priceRange } from '../sessions.ts';
import { both, type Component, signed, type Table, tableOf } from './components.ts';
import { bothSides, evidence, fall, type Ramp, ramp } from './ramps.ts';
import { barsBy, priceAt, type SessionPath } from './session.ts';
import type { Weights } from './weights.ts';

/**
 * Entry scores: whether this minute is a good one to go long or short, from the price among its levels and its latest
 * turn. Whether the stock is worth a trade is for the confluence scores.
 */

/** Named inputs of an entry; NaN: not known. `_atr` in daily ATR(14) of the session before. */
export interface EntryInputs {
  /** Down to the nearest level at or below the price, and up to the nearest at or above it. */
  readonly level_below_atr: number;
  readonly level_above_atr: number;
  /** From the session's extremes to the price, neither negative. */
  readonly off_high_atr: number;
  readonly off_low_atr: number;
  /** Move of the last ten minutes. */
  readonly turn_atr: number;
  /** Bought less sold shares of the last 15 minutes, percent of the shares that have a side. */
  readonly recent_cvd_pct: number;
  /** 1 for a bullish divergence of price and CVD, -1 for a bearish one, 0 for none. */
  readonly cvd_divergence: number;
  /** 0 to 100. */
  readonly pulse_bull: number;
  readonly pulse_bear: number;
}

export type EntryInput = keyof EntryInputs;

/** Where each input begins and ends to count; see docs/scoring-intraday.md. */
export const ENTRY_RAMPS = {
  level_reach: { from: 0, to: 0.1 },
  room: { from: 0, to: 0.25 },
  pullback: { from: 0, to: 0.25 },
  advance: { from: 0.2, to: 0.6 },
  turn: { from: 0, to: 0.15 },
  recent_cvd: { from: 0, to: 20 },
} as const satisfies Readonly<Record<string, Ramp>>;

/** Weight of a divergence alone, of 1. */
export const DIVERGENCE_SHARE = 0.5;

const TABLE = {
  // A level just behind the entry, beyond which the stop goes.
  level: {
    inputs: { bull: ['level_below_atr'], bear: ['level_above_atr'] },
    score: (i) => ({
      bull: 10 * fall(i.level_below_atr, ENTRY_RAMPS.level_reach),
      bear: 10 * fall(i.level_above_atr, ENTRY_RAMPS.level_reach),
    }),
  },
  // Room before the next level ahead.
  room: {
    inputs: { bull: ['level_above_atr'], bear: ['level_below_atr'] },
    score: (i) => ({
      bull: 10 * ramp(i.level_above_atr, ENTRY_RAMPS.room),
      bear: 10 * ramp(i.level_below_atr, ENTRY_RAMPS.room),
    }),
  },
  // A session far from its low that gives a little back; an entry at the high would be a chase.
  pullback: {
    inputs: both('off_high_atr', 'off_low_atr'),
    score: (i) => ({
      bull: 10 * ramp(i.off_high_atr, ENTRY_RAMPS.pullback) * ramp(i.off_low_atr, ENTRY_RAMPS.advance),
      bear: 10 * ramp(i.off_low_atr, ENTRY_RAMPS.pullback) * ramp(i.off_high_atr, ENTRY_RAMPS.advance),
    }),
  },
  turn: signed('turn_atr', ENTRY_RAMPS.turn),
  flow_turn: {
    inputs: both('recent_cvd_pct', 'cvd_divergence'),
    score: (i) => {
      // A session too young for a divergence has none to show; the ledger says that it is unknown.
      const divergence = Number.isNaN(i.cvd_divergence) ? 0 : i.cvd_divergence;
      return bothSides(
        (sign) =>
          10 *
          evidence([
            ramp(sign * i.recent_cvd_pct, ENTRY_RAMPS.recent_cvd),
            DIVERGENCE_SHARE * Math.max(0, sign * divergence),
          ]),
      );
    },
  },
  pulse: {
    inputs: { bull: ['pulse_bull'], bear: ['pulse_bear'] },
    score: (i) => ({ bull: i.pulse_bull / 10, bear: i.pulse_bear / 10 }),
  },
} as const satisfies Readonly<Record<string, Component<EntryInput>>>;

export type EntryPart = keyof typeof TABLE;
export const ENTRY_COMPONENTS: Readonly<Record<EntryPart, Component<EntryInput>>> = TABLE;

export const ENTRY_WEIGHTS: Weights<EntryPart> = [
  ['level', 0.25],
  ['room', 0.2],
  ['pullback', 0.15],
  ['turn', 0.15],
  ['flow_turn', 0.1],
  ['pulse', 0.15],
];

/** The weight that dealer gamma moves between `level` and `turn`. */
export const GAMMA_SHIFT = 0.1;

export type GammaModifier = 'long_gamma' | 'short_gamma' | '';

/**
 * Dealers long gamma sell rallies and buy dips, so levels hold; dealers short gamma do the reverse, so turns run on.
 * Source: A. Barbon and A. Buraschi, "Gamma Fragility" (2020); the size of the shift is this project's.
 */
export function entryWeights(modifier: GammaModifier | null): Weights<EntryPart> {
  const shift = modifier === 'long_gamma' ? GAMMA_SHIFT : modifier === 'short_gamma' ? -GAMMA_SHIFT : 0;
  if (shift === 0) return ENTRY_WEIGHTS;
  return ENTRY_WEIGHTS.map(([name, weight]) => {
    if (name === 'level') return [name, weight + shift];
    return [name, name === 'turn' ? weight - shift : weight];
  });
}

export function entryTable(inputs: EntryInputs): Table<EntryPart> {
  return tableOf(ENTRY_COMPONENTS, inputs);
}

/** The instant of an entry; null while no session runs, and before its first bar: there is nothing to enter. */
export function entryInstant({ input: { session, asOf }, rows }: SessionPath): number | null {
  return rows.from < rows.to && asOf >= session.open && asOf < session.close ? asOf : null;
}

/** Minutes of the move that shows a turn, and of its order flow. */
export const TURN_MINUTES = 10;
export const RECENT_FLOW_MINUTES = 15;
/** Maximum distance of a level, and the distance of a side without one. */
export const FAR_ATR = 2;

/** Inputs that are not from the bars of the session. */
export type EntryContext = Pick<
  EntryInputs,
  'recent_cvd_pct' | 'cvd_divergence' | 'pulse_bull' | 'pulse_bear'
>;

export function entryInputs(path: SessionPath, instant: number, context: EntryContext): EntryInputs {
  const { input, rows } = path;
  const atr = input.priorAtr > 0 ? input.priorAtr : Number.NaN;
  const price = priceAt(path, instant);
  const { high, low } = priceRange(input.intraday, {
    from: rows.from,
    to: rows.from + barsBy(path, instant),
  });
  return {
    ...nearestLevels(levelsAt(path, instant), price, atr),
    off_high_atr: (high - price) / atr,
    off_low_atr: (price - low) / atr,
    turn_atr: (price - priceAt(path, instant - TURN_MINUTES * MINUTE_MS)) / atr,
    ...context,
  };
}

/** Standing levels, and those that the session has made: its VWAP and the edges of its closed opening ranges. */
function levelsAt(path: SessionPath, instant: number): readonly number[] {
  const levels = path.prices.concat(path.vwap[barsBy(path, instant) - 1] ?? Number.NaN);
  for (const { end, high, low } of path.ranges) if (end <= instant) levels.push(high, low);
  return levels;
}

/** A level at the price counts on both sides. */
export function nearestLevels(
  levels: readonly number[],
  price: number,
  atr: number,
): Pick<EntryInputs, 'level_below_atr' | 'level_above_atr'> {
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    if (level <= price && level > below) below = level;
    if (level >= price && level < above) above = level;
  }
  // Without any level nothing is far; NaN levels are on no side.
  const known = below > 0 || above < Number.POSITIVE_INFINITY;
  const distance = (away: number): number => (known ? Math.min(FAR_ATR, away / atr) : Number.NaN);
  return { level_below_atr: distance(price - below), level_above_atr: distance(above - price) };
}
