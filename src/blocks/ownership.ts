import { nullableInteger, nullableNumber, nullableOneOf, record } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const Ownership = record(
  'Ownership',
  'Transactions that insiders reported on Form 4.',
  {
    insider_purchases: nullableInteger('Open-market purchases by insiders.'),
    insider_sales: nullableInteger('Open-market sales by insiders.'),
    insider_acquired: nullableNumber('Shares acquired by insiders.'),
    insider_disposed: nullableNumber('Shares disposed of by insiders.'),
    insider_sentiment: nullableOneOf(['buying', 'selling', 'neutral'], 'What insiders do on balance.'),
  },
  [],
);

/** What insiders do. No feed brings it yet. */
export const ownership = defineBlock({
  name: 'ownership',
  schema: Ownership,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
