import {
  dateTime,
  listOf,
  nullableNumber,
  nullableString,
  number,
  oneOf,
  record,
  string,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const COMPONENTS = [
  'proximity',
  'volatility',
  'volume',
  'pattern',
  'iv',
  'day_type',
  'vix_regime',
  'event_proximity',
] as const;

const ComponentPair = record('ConfluenceComponent', 'One component pair of the v4.5 scoring.', {
  component: oneOf(COMPONENTS, 'Name of the component.'),
  bull_score: nullableNumber('Bullish score; null when an input is missing.', { minimum: 0 }),
  bear_score: nullableNumber('Bearish score; null when an input is missing.', { minimum: 0 }),
  maximum: number('Highest score of either side.', { minimum: 0 }),
  weight: number('Weight after rescaling over the components that are present; 0 when dropped.', {
    minimum: 0,
    maximum: 1,
  }),
  bull_contribution: number('Points contributed to the bullish score.'),
  bear_contribution: number('Points contributed to the bearish score.'),
  status: oneOf(['scored', 'missing'], 'missing: an input was unavailable, the component was dropped.'),
  note: nullableString('Why the component has these scores, or which input is missing.'),
});

const Breakdown = record(
  'ConfluenceComponentBreakdown',
  'The 8 components of the v4.5 scoring with weights, scores and notes; contributions sum to the scores.',
  {
    scoring_version: string('Version of the scoring, v4.5.'),
    bullish_score: nullableNumber('Sum of the bullish contributions.', { minimum: 0, maximum: 100 }),
    bearish_score: nullableNumber('Sum of the bearish contributions.', { minimum: 0, maximum: 100 }),
    weight_available: number(
      'Share of the total weight whose inputs are present; below 0.5 the scores are null.',
      {
        minimum: 0,
        maximum: 1,
      },
    ),
    components: listOf(ComponentPair, 'The components, in the order of the scoring.'),
    computed_at: dateTime('When the breakdown was computed.'),
  },
);

/** The v4.5 ledger. Not derived yet. */
export const confluenceComponents = defineBlock({
  name: 'confluence_components',
  include: 'confluence_components',
  schema: Breakdown,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
