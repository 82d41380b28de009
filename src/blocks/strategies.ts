import { listOf, nullableNumber, nullableString, oneOf, record, string } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const StrategyMatch = record('StrategyMatch', 'One playbook that fits the stock at the instant.', {
  strategy: string('Key of the playbook.'),
  name: nullableString('Name of the playbook for people.'),
  direction: oneOf(['bullish', 'bearish', 'neutral'], 'Direction that it would trade.'),
  match_score: nullableNumber('How well the conditions are met, 0-100.', { minimum: 0, maximum: 100 }),
  conditions_met: listOf(string('Condition.'), 'Conditions that hold.'),
  conditions_missed: listOf(string('Condition.'), 'Conditions that do not hold or cannot be known.'),
  trigger: nullableNumber('Price that would start it, USD.'),
  stop: nullableNumber('Price that would refute it, USD.'),
  target: nullableNumber('Price that it aims at, USD.'),
  rationale: nullableString('Why it fits, in a sentence that quotes its inputs.'),
});

/** Playbooks that fit the stock. Needs the scores, which are not derived yet. */
export const strategies = defineBlock({
  name: 'strategies',
  include: 'strategies',
  schema: listOf(StrategyMatch, 'Strategy match recommendations, best first.'),
  flat: {},
  reads: [],
  derive: () => absent({}),
});
