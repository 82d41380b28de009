import {
  listOf,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  nullableString,
  string,
  withDefault,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };
const TIERS = ['EXCELLENT', 'GOOD', 'MODERATE', 'WEAK', 'POOR'] as const;
const V5_TIERS = 'EXCELLENT (>=85), GOOD (>=70), MODERATE (>=50), WEAK (>=25), POOR (<25)';

const flat = {
  confluence_score: nullableNumber(
    'Score v3: weighted volume, technical, day type, pattern, proximity.',
    HUNDRED,
  ),
  confluence_tier: nullableOneOf(
    TIERS,
    'EXCELLENT (>=90), GOOD (>=80), MODERATE (>=70), WEAK (>=60), POOR (<60), from confluence_score.',
  ),
  bullish_confluence: nullableNumber('Canonical bullish score (v5).', HUNDRED),
  bearish_confluence: nullableNumber('Canonical bearish score (v5).', HUNDRED),
  bullish_tier: nullableOneOf(TIERS, `${V5_TIERS}, from bullish_confluence.`),
  bearish_tier: nullableOneOf(TIERS, `${V5_TIERS}, from bearish_confluence.`),
  net_confluence: nullableNumber('bullish_confluence minus bearish_confluence.', {
    minimum: -100,
    maximum: 100,
  }),
  directional_bias: nullableOneOf(
    ['bullish', 'bearish', 'neutral'],
    'From net_confluence: bullish at 10 and above, bearish at -10 and below, else neutral.',
  ),
  scoring_version: nullableString('Canonical scoring version (v5 preferred).'),
  conviction_max_v5: nullableNumber('max(bull, bear).', HUNDRED),
  conflict_min_v5: nullableNumber('min(bull, bear).', HUNDRED),
  directional_bias_v5: nullableOneOf(
    ['BULL_DOMINANT', 'BEAR_DOMINANT', 'MIXED'],
    'The side that leads by the 10-point margin, else MIXED.',
  ),
  confluence_computed_at: nullableDateTime('When the scores were computed, for staleness detection.'),
  score_warnings: withDefault(
    listOf(
      string('Warning.'),
      'Open vocabulary; pass unknown values through. Known: intraday_decline_severe, extreme_rsi, circuit_breaker_active, score_stale, conviction_stale.',
    ),
    [],
  ),
};

/** The confluence scores. Not derived yet. */
export const confluence = defineBlock({
  name: 'confluence',
  schema: null,
  flat,
  reads: [],
  derive: () => absent(flat),
});
