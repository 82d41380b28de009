import {
  dateTime,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  number,
  record,
  string,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { scoreLedger } from './score-ledger.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };
const BIASES = ['STRONG_LONG', 'MOD_LONG', 'NEUTRAL', 'MOD_SHORT', 'STRONG_SHORT'] as const;

const PulseV5 = record('PulseV5', 'Real-time intraday conviction with the ledger of each side.', {
  bull: nullableNumber('Equals pulse_bull.', HUNDRED),
  bear: nullableNumber('Equals pulse_bear.', HUNDRED),
  net: nullableNumber('Equals pulse_net.', { minimum: -100, maximum: 100 }),
  bias: nullableOneOf(BIASES, 'Equals pulse_bias.'),
  weight_available: number(
    'Share of the total weight whose inputs are present; below 0.5 the scores are null.',
    {
      minimum: 0,
      maximum: 1,
    },
  ),
  bull_ledger: scoreLedger('Lines whose contributions sum to bull.'),
  bear_ledger: scoreLedger('Lines whose contributions sum to bear.'),
  formula_version: string('Version of the formula.'),
  computed_at: dateTime('When the pulse was computed.'),
});

const flat = {
  pulse_bull: nullableNumber('Real-time intraday conviction of longs.', HUNDRED),
  pulse_bear: nullableNumber('Real-time intraday conviction of shorts.', HUNDRED),
  pulse_net: nullableNumber('pulse_bull minus pulse_bear.', { minimum: -100, maximum: 100 }),
  pulse_bias: nullableOneOf(BIASES, 'Band of pulse_net.'),
  pulse_computed_at: nullableDateTime('When the pulse was computed.'),
};

/** Intraday conviction. Not derived yet. */
export const pulseV5 = defineBlock({
  name: 'pulse_v5',
  schema: PulseV5,
  flat,
  reads: [],
  derive: () => absent(flat),
});
