import { dateTime, nullableNumber, nullableOneOf, number, record, string } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { scoreLedger } from './score-ledger.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const ConfluenceV5 = record(
  'ConfluenceV5',
  'The canonical bullish and bearish scores with the ledger of each.',
  {
    bull: nullableNumber('Bullish score; equals bullish_confluence.', HUNDRED),
    bear: nullableNumber('Bearish score; equals bearish_confluence.', HUNDRED),
    net: nullableNumber('bull minus bear.', { minimum: -100, maximum: 100 }),
    directional_bias: nullableOneOf(
      ['BULL_DOMINANT', 'BEAR_DOMINANT', 'MIXED'],
      'Equals directional_bias_v5.',
    ),
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
    computed_at: dateTime('When the scores were computed.'),
  },
);

/** The canonical score. Not derived yet. */
export const confluenceV5 = defineBlock({
  name: 'confluence_v5',
  schema: ConfluenceV5,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
