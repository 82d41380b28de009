import { initialBalance } from '../levels.ts';
import { intradayBars, MINUTE_MS } from '../sessions.ts';
import { both, type Component, signed, type Table, tableOf } from './components.ts';
import { FIRST_SCORE_MINUTES } from './conviction.ts';
import { bothSides, meanOfTwo, RAMPS, type Ramp, ramp } from './ramps.ts';
import { fastInputs, priceAt, type SessionPath } from './session.ts';
import type { Weights } from './weights.ts';

/** The pulse: how far the session so far belongs to one side; of earlier days only the last close and range count. */

/** Named inputs of the pulse; NaN: not known. `_atr` in daily ATR(14) of the session before. */
export interface PulseInputs {
  readonly vwap_atr: number;
  readonly intraday_return_atr: number;
  /** See `openingRangeBias`: -1 to 1. */
  readonly orb_lean: number;
  /** Bought less sold shares since the open, percent of the shares that have a side. */
  readonly cvd_pct: number;
  /** See `cvdDrift`: deviations. */
  readonly cvd_drift: number;
  /** Shares since the open over those of the session before after as long. */
  readonly volume_pace: number;
  readonly open_return_atr: number;
  /** See `extensionBeyond`. */
  readonly ib_extension: number;
  readonly trend_score: number;
}

export type PulseInput = keyof PulseInputs;

/** What the pulse adds to the ramps of the scores; see docs/scoring-intraday.md. */
export const PULSE_RAMPS = {
  cvd_share: { from: 0, to: 10 },
  cvd_drift: { from: 0, to: 2 },
  open_move: { from: 0, to: 0.5 },
  ib_extension: { from: 0, to: 0.5 },
} as const satisfies Readonly<Record<string, Ramp>>;

const TABLE = {
  vwap: signed('vwap_atr', RAMPS.vwap_distance),
  intraday_return: signed('intraday_return_atr', RAMPS.intraday_return),
  orb_structure: {
    inputs: both('orb_lean'),
    score: (i) => bothSides((sign) => 10 * Math.max(0, sign * i.orb_lean)),
  },
  // The drift needs half an hour of prints; until then the share counts alone.
  order_flow: {
    inputs: both('cvd_pct', 'cvd_drift'),
    score: (i) =>
      bothSides(
        (sign) =>
          10 *
          meanOfTwo(
            ramp(sign * i.cvd_pct, PULSE_RAMPS.cvd_share),
            ramp(sign * i.cvd_drift, PULSE_RAMPS.cvd_drift),
          ),
      ),
  },
  // Volume counts for the side of the price since the open.
  participation: {
    inputs: both('volume_pace', 'open_return_atr'),
    score: (i) =>
      bothSides(
        (sign) =>
          10 *
          ramp(i.volume_pace, RAMPS.relative_volume) *
          ramp(sign * i.open_return_atr, PULSE_RAMPS.open_move),
      ),
  },
  initial_balance: signed('ib_extension', PULSE_RAMPS.ib_extension),
  day_type: signed('trend_score', RAMPS.day_trend),
} as const satisfies Readonly<Record<string, Component<PulseInput>>>;

export type PulsePart = keyof typeof TABLE;
export const PULSE_COMPONENTS: Readonly<Record<PulsePart, Component<PulseInput>>> = TABLE;

export const PULSE_WEIGHTS: Weights<PulsePart> = [
  ['vwap', 0.2],
  ['intraday_return', 0.15],
  ['orb_structure', 0.15],
  ['order_flow', 0.2],
  ['participation', 0.1],
  ['initial_balance', 0.1],
  ['day_type', 0.1],
];

export function pulseTable(inputs: PulseInputs): Table<PulsePart> {
  return tableOf(PULSE_COMPONENTS, inputs);
}

export const PULSE_BIASES = ['STRONG_LONG', 'MOD_LONG', 'NEUTRAL', 'MOD_SHORT', 'STRONG_SHORT'] as const;
export type PulseBias = (typeof PULSE_BIASES)[number];

/** Net points from which a side is named, the points themselves included. */
export const PULSE_MODERATE = 25;
export const PULSE_STRONG = 60;

/** Band of the net pulse; null for NaN. */
export function pulseBias(net: number): PulseBias | null {
  if (Number.isNaN(net)) return null;
  if (net >= PULSE_STRONG) return 'STRONG_LONG';
  if (net >= PULSE_MODERATE) return 'MOD_LONG';
  if (net <= -PULSE_STRONG) return 'STRONG_SHORT';
  return net <= -PULSE_MODERATE ? 'MOD_SHORT' : 'NEUTRAL';
}

/** Now while the session runs, then its close; null before 09:35 and without whole regular bars. */
export function pulseInstant({ input: { session, asOf }, rows }: SessionPath): number | null {
  const instant = Math.min(asOf, session.close);
  const first = session.open + FIRST_SCORE_MINUTES * MINUTE_MS;
  return rows.from < rows.to && instant >= first ? instant : null;
}

/** Order flow since the open, which is not from the bars. */
export type PulseFlow = Pick<PulseInputs, 'cvd_pct' | 'cvd_drift'>;

export function pulseInputs(path: SessionPath, instant: number, flow: PulseFlow): PulseInputs {
  const { input, rows } = path;
  const price = priceAt(path, instant);
  const fast = fastInputs(path, instant, price);
  const bars = intradayBars(input.intraday, input.intradayInterval, instant);
  const { high, low, developing } = initialBalance(bars, input.session);
  const open = rows.from < rows.to ? input.intraday.open[rows.from]! : Number.NaN;
  return {
    vwap_atr: fast.vwap_atr,
    intraday_return_atr: fast.intraday_return_atr,
    orb_lean: fast.orb_lean,
    ...flow,
    volume_pace: fast.volume_pace,
    open_return_atr: input.priorAtr > 0 ? (price - open) / input.priorAtr : Number.NaN,
    ib_extension: developing ? Number.NaN : extensionBeyond(price, high, low),
    trend_score: fast.trend_score,
  };
}

/** How far a price is beyond a range, in widths of it: positive above, negative below, 0 inside; NaN without a width. */
export function extensionBeyond(price: number, high: number, low: number): number {
  const width = high - low;
  if (!(width > 0)) return Number.NaN;
  return (Math.max(0, price - high) - Math.max(0, low - price)) / width;
}
