import { COMPONENTS } from '../analysis/scoring/components.ts';
import { nearestFlip } from '../analysis/scoring/flip.ts';
import { dominance } from '../analysis/scoring/tiers.ts';
import { V5_WEIGHTS } from '../analysis/scoring/weights.ts';
import { dateTime, nullableNumber, nullableOneOf, number, record, string } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { SCORING_VERSION } from './confluence.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';
import { nearestFlipField, scoreLedger, wireFlip, wireLedger } from './score-ledger.ts';
import { finiteOrNull } from './wire.ts';

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
    nearest_flip: nearestFlipField,
    bull_ledger: scoreLedger('Lines whose contributions sum to bull.'),
    bear_ledger: scoreLedger('Lines whose contributions sum to bear.'),
    formula_version: string('Version of the formula.'),
    computed_at: dateTime('When the scores were computed.'),
  },
);

/** The canonical score. Null without a single component; below half of the weights the ledgers stand without scores. */
export const confluenceV5 = defineBlock({
  name: 'confluence_v5',
  schema: ConfluenceV5,
  flat: {},
  reads: [scoreInputs],
  derive(view, known) {
    const { inputs, table, v5 } = scoreState(known);
    if (v5.weightAvailable === 0) return { nested: null, flat: {} };
    const { net } = v5;
    return {
      nested: {
        bull: finiteOrNull(v5.bull.score),
        bear: finiteOrNull(v5.bear.score),
        net: finiteOrNull(net),
        directional_bias: dominance(net),
        weight_available: v5.weightAvailable,
        nearest_flip: wireFlip(nearestFlip(inputs, table, V5_WEIGHTS, v5)),
        bull_ledger: wireLedger(v5.bull, 'bull', inputs, COMPONENTS),
        bear_ledger: wireLedger(v5.bear, 'bear', inputs, COMPONENTS),
        formula_version: SCORING_VERSION,
        computed_at: new Date(view.asOf).toISOString(),
      },
      flat: {},
    };
  },
});
