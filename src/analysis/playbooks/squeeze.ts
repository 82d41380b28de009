import { all } from '../conditions.ts';
import { conditionsOf, SHARED } from './condition.ts';
import { CAVEAT, type Playbook } from './playbook.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

/** Quiet before a move whose side nobody knows. */

export const squeezeBreakout: Playbook = {
  strategy: 'squeeze_breakout',
  name: 'Breakout from a squeeze',
  direction: 'neutral',
  family: 'squeeze',
  signal: null,
  timeframe: 'swing',
  day_type: 'any',
  summary:
    'The ranges of the last sessions have become narrow and price waits within the last three days. When it works, quiet trading has let stops and orders gather on both sides, and the first real move sets them off in one direction.',
  setup:
    'The last completed session was the narrowest of seven or lay inside the one before, the short ATR is clearly below the long one, and price is still inside the three-day range. No results are near that would explain the quiet.',
  entry: 'Buy the break of the three-day high or sell the break of the three-day low, whichever comes first.',
  stop: 'The other side of the narrow session; it can be named only once a side has been left.',
  target: 'The height of the three-day range, from the edge that was left.',
  invalidation: 'A close back inside the three-day range.',
  risks:
    'Fails when the first break is false and the second one runs without you, and in stocks that are quiet because nobody cares. Narrow says nothing about the side.',
  caveat: CAVEAT,
  conditions: conditionsOf({
    narrow_session: {
      when: ['narrow_session', 'is', 1],
      meaning: 'The last completed session was the narrowest of seven or an inside day.',
    },
    atr_contracts: {
      when: ['atr_compression_ratio', '<=', LIMITS.quiet_ratio],
      meaning: `ATR(3) is at most ${LIMITS.quiet_ratio} of ATR(14).`,
    },
    inside_three_days: {
      when: all(['price', '<=', 'range_3d_high'], ['price', '>=', 'range_3d_low']),
      meaning: 'Price is within the range of the last three completed sessions.',
    },
    no_results_near: SHARED.no_results_near,
  }),
  // The side that is left first decides it, so none of them can be named before.
  prices: { trigger: null, stop: null, target: null },
};
