import { type Static, Type } from 'typebox';
import { type Component, MAXIMUM } from '../analysis/scoring/components.ts';
import type { Flip } from '../analysis/scoring/flip.ts';
import { type Ledger, missingInputs } from '../analysis/scoring/ledger.ts';
import type { Side } from '../analysis/scoring/ramps.ts';
import { TIERS } from '../analysis/scoring/tiers.ts';
import {
  listOf,
  mapOf,
  nullable,
  nullableNumber,
  nullableString,
  number,
  oneOf,
  record,
  string,
} from '../base/schema.ts';
import { finiteOrNull } from './wire.ts';

const inputValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);

/** One line of a score that explains itself: the contributions of all lines sum to the score. */
export const ScoreLedgerLine = record(
  'ScoreLedgerLine',
  'One component of a score and what it contributed.',
  {
    component: string('Name of the component.'),
    inputs: mapOf(
      inputValue,
      'The named inputs that the component was computed from; the note names those that are missing.',
    ),
    score: nullableNumber('Component score; null when an input is missing.', { minimum: 0 }),
    maximum: number('Highest score the component can reach.', { minimum: 0 }),
    weight: number('Weight after rescaling over the components that are present; 0 when dropped.', {
      minimum: 0,
      maximum: 1,
    }),
    contribution: number('Points contributed to the total; the lines of a ledger sum to its score.'),
    status: oneOf(['scored', 'missing'], 'missing: an input was unavailable, the component was dropped.'),
    note: nullableString('Why the component has this score, or which input is missing.'),
  },
);

export const scoreLedger = (description: string) => listOf(ScoreLedgerLine, description);

/** The smallest change of one input, all others held, that would move a tier or the bias. */
export const NearestFlip = record(
  'NearestFlip',
  'The smallest change of a single input, all others held, that would move a tier or the bias.',
  {
    input: string('Name of the input.'),
    from: number('Its value now.'),
    to: number('Its value just beyond the edge.'),
    distance: number("|to - from| in units of the input's documented scale.", { minimum: 0 }),
    flips: oneOf(['directional_bias', 'bullish_tier', 'bearish_tier'], 'What would move.'),
    label_from: oneOf([...TIERS, 'bullish', 'bearish', 'neutral'], 'What it is now.'),
    label_to: oneOf([...TIERS, 'bullish', 'bearish', 'neutral'], 'What it would be.'),
  },
);

export const nearestFlipField = nullable(NearestFlip);

export function wireFlip(flip: Flip | null): Static<typeof NearestFlip> | null {
  if (flip === null) return null;
  const { input, from, flips, labelFrom, labelTo } = flip;
  const to = roundedBeyond(flip.to, Math.sign(flip.to - from));
  const distance = (flip.distance * (to - from)) / (flip.to - from);
  return { input, from, to, distance, flips, label_from: labelFrom, label_to: labelTo };
}

const FLIP_PLACES = 1e4;

/** Rounded on in its direction: the next place back would flip nothing. */
function roundedBeyond(value: number, direction: number): number {
  return (direction * Math.ceil(direction * value * FLIP_PLACES)) / FLIP_PLACES;
}

/** The lines of one side of a score, each with the inputs that it used. */
export function wireLedger<Name extends string, Input extends string>(
  ledger: Ledger<Name>,
  side: Side,
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

/** What is not known is named by the note alone. */
function knownInputs<Input extends string>(
  names: readonly Input[],
  inputs: Readonly<Record<Input, number>>,
): Record<string, number> {
  const known: Record<string, number> = {};
  for (const name of names) if (Number.isFinite(inputs[name])) known[name] = inputs[name];
  return known;
}

/** Which inputs are not there; null when all are. */
export function missingNote(missing: readonly string[]): string | null {
  return missing.length === 0 ? null : `without ${missing.join(', ')}`;
}
