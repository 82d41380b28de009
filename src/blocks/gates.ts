import { nullableBoolean, nullableInteger, nullableOneOf, nullableString } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const flat = {
  v44_intraday_circuit_breaker_gate_passed: nullableBoolean('True when no severe intraday decline.'),
  beta_gate_passed: nullableBoolean('VIX-aware: max beta 1.5 in EXTREME_FEAR, 2.0 in ELEVATED.'),
  beta_gate_reason: nullableString('Why the beta gate passed or failed.'),
  fundamental_gate_passed: nullableBoolean('True when quality score >= 50.'),
  fundamental_quality_score: nullableInteger('Based on P/E, ROE, profit margin.', HUNDRED),
  fundamental_grade: nullableString('Grade A-F.'),
  fundamental_health_score: nullableInteger('Underlies the grade.', HUNDRED),
  earnings_sentiment_bias: nullableOneOf(
    ['POSITIVE', 'SLIGHT_POSITIVE', 'SLIGHT_NEGATIVE', 'NEGATIVE'],
    'POSITIVE (surprise >10%), SLIGHT_POSITIVE (0-10%), SLIGHT_NEGATIVE (-10-0%), NEGATIVE (<-10%).',
  ),
  all_quality_gates_passed: nullableBoolean('Beta, fundamental and earnings sentiment gates all passed.'),
};

/** Yes-or-no conditions before a score counts. Not derived yet. */
export const gates = defineBlock({
  name: 'gates',
  schema: null,
  flat,
  reads: [],
  derive: () => absent(flat),
});
