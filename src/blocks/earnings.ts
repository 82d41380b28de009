import {
  flag,
  integer,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
  nullableString,
  record,
  withDefault,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const Earnings = record(
  'Earnings',
  'The earnings calendar and the record of surprises.',
  {
    days_until: nullableInteger('Days to next earnings.'),
    cleared: flag('True when more than 3 days past the most recent earnings.'),
    surprise_pct: nullableNumber('((actual - estimate) / abs(estimate)) * 100.'),
    surprise_zscore: nullableNumber(
      'Latest surprise versus the trailing 8-quarter distribution; null with fewer than 4 quarters or no deviation.',
    ),
    consecutive_beats: withDefault(integer('Positive for beats, negative for misses.'), 0),
    beat_rate_8q: nullableNumber('Share of the last 8 quarters that beat the estimate.', {
      minimum: 0,
      maximum: 1,
    }),
    surprise_category: nullableOneOf(
      ['BLOWOUT_BEAT', 'SOLID_BEAT', 'INLINE', 'MISS', 'BLOWOUT_MISS'],
      'Band of the latest surprise.',
    ),
    normalized_surprise: nullableString(
      'Band of the z-score: EXCEPTIONAL_BEAT, STRONG_BEAT, MODEST_BEAT, INLINE, and others.',
    ),
    revenue_eps_aligned: flag('True when EPS and revenue both beat or both miss.'),
  },
  [],
);

/** The earnings calendar and surprises. No feed brings them yet. */
export const earnings = defineBlock({
  name: 'earnings',
  schema: Earnings,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
