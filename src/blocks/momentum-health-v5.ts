import { dateTime, nullableNumber, nullableOneOf, record, string } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { scoreLedger } from './score-ledger.ts';
import { absent } from './wire.ts';

const MomentumHealthV5 = record('MomentumHealthV5', 'Whether the momentum of the stock is sound or tiring.', {
  score: nullableNumber('Health of the momentum.', { minimum: 0, maximum: 100 }),
  state: nullableOneOf(['healthy', 'extended', 'fading', 'exhausted', 'absent'], 'Band of the score.'),
  direction: nullableOneOf(['up', 'down', 'flat'], 'Direction of the momentum.'),
  distance_sma20_atr: nullableNumber('Distance of price from SMA20 in daily ATR(14); positive above.'),
  momentum_acceleration: nullableNumber('20-day return minus a third of the 60-day return, percent.'),
  ledger: scoreLedger('Lines whose contributions sum to the score.'),
  formula_version: string('Version of the formula.'),
  computed_at: dateTime('When the score was computed.'),
});

/** Health of the momentum. Not derived yet. */
export const momentumHealthV5 = defineBlock({
  name: 'momentum_health_v5',
  schema: MomentumHealthV5,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
