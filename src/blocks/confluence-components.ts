import { COMPONENTS, MAXIMUM } from '../analysis/scoring/components.ts';
import { nearestFlip } from '../analysis/scoring/flip.ts';
import type { ScoreInputs } from '../analysis/scoring/inputs.ts';
import { missingInputs, type TwoSided, twoSided } from '../analysis/scoring/ledger.ts';
import { V45_WEIGHTS } from '../analysis/scoring/weights.ts';
import { inputInWords } from '../analysis/sentences.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import { nestedBlock } from './block.ts';
import { lineWeight, missingNote, nearestFlipField, weightAvailable, wireFlip } from './confluence-v5.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const PAIRS = V45_WEIGHTS.map(([name]) => name);

const ComponentPair = wire.record('ConfluenceComponent', 'One component pair of the v4.5 scoring.', {
  component: wire.oneOf(PAIRS, 'Name of the component.'),
  bull_score: wire.nullableNumber('Bullish score; null when an input is missing.', wire.NOT_NEGATIVE),
  bear_score: wire.nullableNumber('Bearish score; null when an input is missing.', wire.NOT_NEGATIVE),
  maximum: wire.number('Highest score of either side.', wire.NOT_NEGATIVE),
  weight: lineWeight,
  bull_contribution: wire.number('Points contributed to the bullish score.'),
  bear_contribution: wire.number('Points contributed to the bearish score.'),
  status: wire.oneOf(['scored', 'missing'], 'missing: an input was unavailable, the component was dropped.'),
  note: wire.nullableString('Why the component has these scores, or which input is missing.'),
});

const Breakdown = wire.record(
  'ConfluenceComponentBreakdown',
  'The 8 components of the v4.5 scoring with weights, scores and notes; contributions sum to the scores.',
  {
    scoring_version: wire.string('Version of the scoring, v4.5.'),
    bullish_score: wire.nullableNumber('Sum of the bullish contributions.', wire.HUNDRED),
    bearish_score: wire.nullableNumber('Sum of the bearish contributions.', wire.HUNDRED),
    weight_available: weightAvailable,
    nearest_flip: nearestFlipField,
    components: wire.listOf(ComponentPair, 'The components, in the order of the scoring.'),
    computed_at: wire.dateTime('When the breakdown was computed.'),
  },
);

/** The v4.5 ledger, and the flip that is nearest to it by the tiers of v5. Null without a single component. */
export const confluenceComponents = nestedBlock({
  name: 'confluence_components',
  include: 'confluence_components',
  schema: Breakdown,
  reads: [scoreInputs],
  derive(view, known) {
    const { inputs, table } = scoreState(known);
    const scores = twoSided(table, V45_WEIGHTS);
    if (scores.weightAvailable === 0) return null;
    return withLate(
      {
        scoring_version: 'v4.5',
        bullish_score: finiteOrNull(scores.bull.score),
        bearish_score: finiteOrNull(scores.bear.score),
        weight_available: scores.weightAvailable,
        nearest_flip: wireFlip(nearestFlip(inputs, table, V45_WEIGHTS, scores)),
      },
      {
        components: () => pairs(scores, inputs),
      },
      {
        computed_at: instantText(view.asOf),
      },
    );
  },
});

function pairs({ bull, bear }: TwoSided, inputs: ScoreInputs) {
  return PAIRS.map((component, at) => {
    const long = bull.lines[at]!;
    const short = bear.lines[at]!;
    const missing = new Set([
      ...missingInputs(COMPONENTS[component], 'bull', inputs),
      ...missingInputs(COMPONENTS[component], 'bear', inputs),
    ]);
    const dropped = Number.isNaN(long.score);
    return {
      component,
      bull_score: finiteOrNull(long.score),
      bear_score: finiteOrNull(short.score),
      maximum: MAXIMUM,
      weight: long.weight,
      bull_contribution: long.contribution,
      bear_contribution: short.contribution,
      status: dropped ? ('missing' as const) : ('scored' as const),
      note:
        [missingNote([...missing]), quoted(component, inputs)].filter((part) => part !== null).join('; ') ||
        null,
    };
  });
}

/** The known inputs with their values to four digits: why the component has its scores. */
function quoted(component: (typeof PAIRS)[number], inputs: ScoreInputs): string | null {
  const names = new Set([...COMPONENTS[component].inputs.bull, ...COMPONENTS[component].inputs.bear]);
  const known = [...names].filter((name) => !Number.isNaN(inputs[name]));
  return known.length === 0 ? null : known.map((name) => inputInWords(name, inputs[name])).join(', ');
}
