import type { Static } from 'typebox';
import { COMPONENTS, type Component, MAXIMUM } from '../analysis/scoring/components.ts';
import { type Flip, nearestFlip } from '../analysis/scoring/flip.ts';
import { type Ledger, missingInputs } from '../analysis/scoring/ledger.ts';
import type { ScoreSide } from '../analysis/scoring/ramps.ts';
import { dominance, TIERS } from '../analysis/scoring/tiers.ts';
import { V5_WEIGHTS } from '../analysis/scoring/weights.ts';
import { wordsOf } from '../analysis/sentences.ts';
import * as wire from '../base/schema.ts';
import { Type } from '../base/type.ts';
import { finiteOrNull, instantText } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import { nestedBlock } from './block.ts';
import { SCORING_VERSION } from './confluence.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const inputValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);

export const lineWeight = wire.number(
  'Weight after rescaling over the components that are present; 0 when dropped.',
  wire.FRACTION,
);

export const ScoreLedgerLine = wire.record(
  'ScoreLedgerLine',
  'One component of a score and what it contributed.',
  {
    component: wire.string('Name of the component.'),
    inputs: wire.mapOf(
      inputValue,
      'The named inputs that the component was computed from; the note names those that are missing.',
    ),
    score: wire.nullableNumber('Component score; null when an input is missing.', wire.NOT_NEGATIVE),
    maximum: wire.number('Highest score the component can reach.', wire.NOT_NEGATIVE),
    weight: lineWeight,
    contribution: wire.number('Points contributed to the total; the lines of a ledger sum to its score.'),
    status: wire.oneOf(
      ['scored', 'missing'],
      'missing: an input was unavailable, the component was dropped.',
    ),
    note: wire.nullableString('Why the component has this score, or which input is missing.'),
  },
);

export const scoreLedger = (sum: string) =>
  wire.listOf(ScoreLedgerLine, `Lines whose contributions sum to ${sum}.`);

/** What scores with two sides say of how they came about. */
export const ledgers = {
  bull_ledger: scoreLedger('bull'),
  bear_ledger: scoreLedger('bear'),
  formula_version: wire.string('Version of the formula.'),
};
export const weightAvailable = wire.number(
  'Share of the total weight whose inputs are present; below 0.5 the scores are null.',
  wire.FRACTION,
);

export const NearestFlip = wire.record(
  'NearestFlip',
  'The smallest change of a single input, all others held, that would move a tier or the bias.',
  {
    input: wire.string('Name of the input.'),
    from: wire.number('Its value now.'),
    to: wire.number('Its value just beyond the edge.'),
    distance: wire.number("|to - from| in units of the input's documented scale.", wire.NOT_NEGATIVE),
    flips: wire.oneOf(['directional_bias', 'bullish_tier', 'bearish_tier'], 'What would move.'),
    label_from: wire.oneOf([...TIERS, 'bullish', 'bearish', 'neutral'], 'What it is now.'),
    label_to: wire.oneOf([...TIERS, 'bullish', 'bearish', 'neutral'], 'What it would be.'),
  },
);

export const nearestFlipField = wire.nullable(NearestFlip);

const ConfluenceV5 = wire.record(
  'ConfluenceV5',
  'The canonical bullish and bearish scores with the ledger of each.',
  {
    bull: wire.nullableNumber('Bullish score; equals bullish_confluence.', wire.HUNDRED),
    bear: wire.nullableNumber('Bearish score; equals bearish_confluence.', wire.HUNDRED),
    net: wire.nullableNumber('bull minus bear.', wire.SIGNED_HUNDRED),
    directional_bias: wire.nullableOneOf(
      ['BULL_DOMINANT', 'BEAR_DOMINANT', 'MIXED'],
      'Equals directional_bias_v5.',
    ),
    weight_available: weightAvailable,
    nearest_flip: nearestFlipField,
    ...ledgers,
    computed_at: wire.dateTime('When the scores were computed.'),
  },
);

/** The canonical score. Null without a single component; below half of the weights the ledgers have no scores. */
export const confluenceV5 = nestedBlock({
  name: 'confluence_v5',
  schema: ConfluenceV5,
  reads: [scoreInputs],
  derive(view, known) {
    const { inputs, table, v5 } = scoreState(known);
    if (v5.weightAvailable === 0) return null;
    const { net } = v5;
    return withLate(
      {
        bull: finiteOrNull(v5.bull.score),
        bear: finiteOrNull(v5.bear.score),
        net: finiteOrNull(net),
        directional_bias: dominance(net),
        weight_available: v5.weightAvailable,
        nearest_flip: wireFlip(nearestFlip(inputs, table, V5_WEIGHTS, v5)),
      },
      {
        bull_ledger: () => wireLedger(v5.bull, 'bull', inputs, COMPONENTS),
        bear_ledger: () => wireLedger(v5.bear, 'bear', inputs, COMPONENTS),
      },
      {
        formula_version: SCORING_VERSION,
        computed_at: instantText(view.asOf),
      },
    );
  },
});

export function wireFlip(flip: Flip | null): Static<typeof NearestFlip> | null {
  if (flip === null) return null;
  const { input, from, flips, labelFrom, labelTo } = flip;
  const to = roundedBeyond(flip.to, Math.sign(flip.to - from));
  const distance = (flip.distance * (to - from)) / (flip.to - from);
  return { input, from, to, distance, flips, label_from: labelFrom, label_to: labelTo };
}

const FLIP_PLACES = 1e4;

/** Rounds away from the present value: rounding back would flip nothing. */
function roundedBeyond(value: number, direction: number): number {
  return (direction * Math.ceil(direction * value * FLIP_PLACES)) / FLIP_PLACES;
}

/** The lines of one side of a score, each with the inputs that it used. */
export function wireLedger<Name extends string, Input extends string>(
  ledger: Ledger<Name>,
  side: ScoreSide,
  inputs: Readonly<Record<Input, number>>,
  components: Readonly<Record<Name, Component<Input>>>,
): Static<typeof ScoreLedgerLine>[] {
  return ledger.lines.map(({ component, score, weight, contribution }) => ({
    component,
    inputs: knownInputs(components[component].inputs[side], inputs),
    score: finiteOrNull(score),
    maximum: MAXIMUM,
    weight,
    contribution,
    status: Number.isNaN(score) ? ('missing' as const) : ('scored' as const),
    note: missingNote(missingInputs(components[component], side, inputs)),
  }));
}

/** Missing inputs are named only in the note. */
function knownInputs<Input extends string>(
  names: readonly Input[],
  inputs: Readonly<Record<Input, number>>,
): Record<string, number> {
  const known: Record<string, number> = {};
  for (const name of names) if (Number.isFinite(inputs[name])) known[name] = inputs[name];
  return known;
}

/** Null when no input is missing. */
export function missingNote(missing: readonly string[]): string | null {
  return missing.length === 0 ? null : `without ${missing.map((name) => wordsOf(name)).join(', ')}`;
}
