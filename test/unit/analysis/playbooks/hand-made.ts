import { mirrorOf, PLAYBOOK_INPUTS, type PlaybookInputs } from '../../../../src/analysis/playbooks/inputs.ts';
import { playbookOf } from '../../../../src/analysis/playbooks/library.ts';
import type { Playbook } from '../../../../src/analysis/playbooks/playbook.ts';
import { figures } from '../../../support/tables.ts';

export type PlaybookParts = Partial<PlaybookInputs>;

/** Nothing is known. */
const UNKNOWN = Object.fromEntries(PLAYBOOK_INPUTS.map((input) => [input, Number.NaN])) as PlaybookInputs;

export const inputsOf = (parts: PlaybookParts): PlaybookInputs => ({ ...UNKNOWN, ...parts });

/** The same moment of the market turned upside down. */
export function mirroredInputs(inputs: PlaybookInputs): PlaybookInputs {
  const turned = PLAYBOOK_INPUTS.map((input) => {
    const { as, sign, about } = mirrorOf(input);
    return [input, about + sign * inputs[as]] as const;
  });
  return Object.fromEntries(turned) as PlaybookInputs;
}

/** A long by hand, or the one playbook that has no side. */
export interface HandMade {
  readonly strategy: string;
  /** Meets every condition. */
  readonly fits: PlaybookParts;
  /** Trigger, stop and target of it by hand, dollars; null where none is named. */
  readonly prices: readonly [number | null, number | null, number | null];
  /** Of each condition, in their order: a change that leaves it met at the very line, and one that misses it by a hair. */
  readonly lines: readonly (readonly [at: PlaybookParts, past: PlaybookParts])[];
}

// All with an ATR of 4 dollars, so that distances in ATR are exact in binary where they can be.
const HAIR = 1e-9;

export const HAND_MADE: readonly HandMade[] = [
  {
    strategy: 'orb_breakout_long',
    fits: figures`
      price 103, orb_high 102, orb_low 100, orb_lean 1, vwap_atr 0.5, volume_pace 1.3,
      intraday_return_atr 0.6, atr 4`,
    prices: [102, 101, 104],
    lines: [
      [{ orb_lean: HAIR }, { orb_lean: 0 }],
      [{ price: 102 + HAIR }, { price: 102 }],
      [{ vwap_atr: HAIR }, { vwap_atr: 0 }],
      [{ volume_pace: 1.1 }, { volume_pace: 1.1 - HAIR }],
      [{ intraday_return_atr: 0.25 }, { intraday_return_atr: 0.25 - HAIR }],
    ],
  },
  {
    strategy: 'vwap_hold_long',
    fits: figures`vwap 100, atr 4, price 100.5, vwap_atr 0.125, trend_score 0.5, sma_20 98, orb_lean 0.5`,
    prices: [100, 99, 102],
    lines: [
      [{ vwap_atr: 0.25 }, { vwap_atr: 0.25 + HAIR }],
      [{ trend_score: 0.35 }, { trend_score: 0.35 - HAIR }],
      [{ sma_20: 100.5 - HAIR }, { sma_20: 100.5 }],
      [{ orb_lean: HAIR }, { orb_lean: 0 }],
    ],
  },
  {
    strategy: 'trend_pullback_long',
    fits: figures`
      price 100, atr 4, ema_9 101, ema_20 99, sma_50 95, sma_200 90, adx_14 25, rsi_14 50,
      range_3d_high 107, range_3d_low 98`,
    prices: [101, 95, 107],
    lines: [
      [{ sma_200: 95 - HAIR }, { sma_200: 95 }],
      [{ ema_20: 102 }, { ema_20: 102 + HAIR }],
      [{ adx_14: 20 }, { adx_14: 20 - HAIR }],
      [{ rsi_14: 45 }, { rsi_14: 45 - HAIR }],
      [{ price: 95 + HAIR }, { price: 95 }],
    ],
  },
  {
    strategy: 'range_fade_long',
    fits: figures`
      price 100, rotation_score 0.6, trend_score -0.1, support 99.5, support_atr 0.125, resistance 104,
      resistance_atr 1, vwap 101, vwap_atr -0.25, adx_14 15, rsi_14 45, atr 4`,
    prices: [99.5, 98.5, 101],
    lines: [
      [{ trend_score: -0.6 + HAIR }, { trend_score: -0.6 }],
      [{ support_atr: 0.25 }, { support_atr: 0.25 + HAIR }],
      [{ vwap_atr: -HAIR }, { vwap_atr: 0 }],
      [{ adx_14: 20 - HAIR }, { adx_14: 20 }],
      [{ rsi_14: 60 - HAIR }, { rsi_14: 60 }],
    ],
  },
  {
    strategy: 'earnings_drift_long',
    fits: figures`
      surprise_pct 8, days_since_earnings 10, price 105, sma_20 100, rel_vol_5d 1.2, days_to_earnings 60,
      range_3d_high 106, range_3d_low 101, atr 4`,
    prices: [106, 100, 114],
    lines: [
      [{ surprise_pct: 5, days_since_earnings: 20 }, { surprise_pct: 5 - HAIR }],
      [{ sma_20: 105 - HAIR }, { sma_20: 105 }],
      [{ rel_vol_5d: 1 }, { rel_vol_5d: 1 - HAIR }],
      [{ days_to_earnings: 4 }, { days_to_earnings: 3 }],
    ],
  },
  {
    strategy: 'squeeze_breakout',
    fits: figures`
      narrow_session 1, atr_compression_ratio 0.8, price 100, range_3d_high 102, range_3d_low 98,
      days_to_earnings 30`,
    prices: [null, null, null],
    lines: [
      [{ narrow_session: 1 }, { narrow_session: 0 }],
      [{ atr_compression_ratio: 0.9 }, { atr_compression_ratio: 0.9 + HAIR }],
      [{ price: 102 }, { price: 102 + HAIR }],
      [{ days_to_earnings: 4 }, { days_to_earnings: 3 }],
    ],
  },
  {
    strategy: 'vwap_touch_long',
    fits: figures`
      price 100.2, vwap 100, vwap_atr 0.05, vwap_excursion_atr 0.4, vwap_run 45, vwap_30m_ago 99.5,
      trend_score 0.4, orb_lean 1, atr 4`,
    prices: [100, 98, 104],
    lines: [
      [{ vwap_atr: 0.1, vwap_excursion_atr: 0.15 }, { vwap_excursion_atr: 0.15 - HAIR }],
      [{ vwap_run: 30 }, { vwap_run: 29 }],
      [{ vwap_30m_ago: 100 - HAIR }, { vwap_30m_ago: 100 }],
      [{ trend_score: HAIR }, { trend_score: 0 }],
      [{ orb_lean: HAIR }, { orb_lean: 0 }],
    ],
  },
  {
    strategy: 'ib_breakout_long',
    fits: figures`
      price 102.5, ib_high 102, ib_low 100.5, ib_range 1.5, session_high 102.5, session_low 100.5,
      vwap_atr 0.3, volume_pace 1.4, atr 4`,
    prices: [102, 101.25, 103.5],
    lines: [
      [{ price: 102 + HAIR }, { price: 102 }],
      [{ session_low: 100.5 }, { session_low: 100.5 - HAIR }],
      [{ price: 103 }, { price: 103 + HAIR }],
      [{ ib_range: 2 }, { ib_range: 2 + HAIR }],
      [{ vwap_atr: HAIR }, { vwap_atr: 0 }],
      [{ volume_pace: 1.1 }, { volume_pace: 1.1 - HAIR }],
    ],
  },
  {
    strategy: 'ib_retest_long',
    fits: figures`
      price 102.25, ib_high 102, ib_low 100, ib_range 2, session_high 103.5, session_low 100, vwap_atr 0.2,
      orb_lean 1, trend_score 0.3, atr 4`,
    prices: [102, 101, 104],
    lines: [
      [{ price: 102 }, { price: 102 - HAIR }],
      [{ session_low: 100 }, { session_low: 100 - HAIR }],
      [{ vwap_atr: HAIR }, { vwap_atr: 0 }],
      [{ orb_lean: HAIR }, { orb_lean: 0 }],
      [{ trend_score: HAIR }, { trend_score: 0 }],
    ],
  },
  {
    strategy: 'or_hold_long',
    fits: figures`
      price 101.5, orb_high 101, orb_low 100, orb_retest_run 8, orb_lean 1, vwap_atr 0.2, volume_pace 1.2,
      atr 4`,
    prices: [101, 100.5, 102],
    lines: [
      [{ price: 102 }, { price: 102 + HAIR }],
      [{ orb_retest_run: 5 }, { orb_retest_run: 4 }],
      [{ orb_lean: HAIR }, { orb_lean: 0 }],
      [{ vwap_atr: HAIR }, { vwap_atr: 0 }],
      [{ volume_pace: 1.1 }, { volume_pace: 1.1 - HAIR }],
    ],
  },
  {
    strategy: 'level_confluence_long',
    fits: figures`
      price 100.25, support_zone_high 100, support_zone_low 99.5, support_zone_families 3, session_high 102,
      session_low 99.75, rotation_score 0.5, trend_score -0.1, resistance 102, resistance_atr 0.4375, atr 4`,
    prices: [100, 98.5, 102],
    lines: [
      [{ support_zone_families: 2 }, { support_zone_families: 1 }],
      [{ support_zone_families: 3 }, { support_zone_families: 2 }],
      [{ session_low: 99.5 }, { session_low: 99.5 - HAIR }],
      [{ rotation_score: 0.35 }, { rotation_score: 0.35 - HAIR }],
      [{ resistance_atr: 0.25 }, { resistance_atr: 0.25 - HAIR }],
    ],
  },
  {
    strategy: 'trend_continuation_long',
    fits: figures`
      price 101.125, session_ema_9 101.5, session_ema_20 101, session_ema_20_excursion_atr 0.2,
      session_ema_50 100.5, session_ema_50_10m_ago 100.25, session_high 102, session_low 99, vwap_atr 0.25,
      trend_score 0.5, atr 4`,
    prices: [101, 100.1, 102],
    lines: [
      [{ price: 101, session_ema_20_excursion_atr: 0.1 }, { session_ema_20_excursion_atr: 0.1 - HAIR }],
      [{ session_ema_50: 101 - HAIR }, { session_ema_50: 101 }],
      [{ session_ema_50_10m_ago: 100.5 - HAIR }, { session_ema_50_10m_ago: 100.5 }],
      [{ vwap_atr: HAIR }, { vwap_atr: 0 }],
      [{ trend_score: 0.35 }, { trend_score: 0.35 - HAIR }],
    ],
  },
];

/** A playbook of the library; throws for a key that it has not. */
export function named(strategy: string): Playbook {
  const playbook = playbookOf(strategy);
  if (playbook === null) throw new Error(`the library has no ${strategy}`);
  return playbook;
}

/** Each hand-made long with itself, and each short with the day turned upside down. */
export const BOTH_SIDES: readonly (readonly [
  playbook: Playbook,
  HandMade,
  turn: (parts: PlaybookParts) => PlaybookInputs,
])[] = HAND_MADE.flatMap((made) => {
  const long = [named(made.strategy), made, inputsOf] as const;
  if (!made.strategy.endsWith('_long')) return [long];
  const short = named(made.strategy.replace('_long', '_short'));
  return [long, [short, made, (parts: PlaybookParts) => mirroredInputs(inputsOf(parts))] as const];
});
