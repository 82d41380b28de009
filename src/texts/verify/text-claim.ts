import type { Static } from 'typebox';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import type { Fact } from '../facts/fact-registry.ts';

/** What can be said of a number in a text, best first. */
const VERDICTS = ['matches', 'derivable', 'contradicts', 'unknown'] as const;
export type ClaimVerdict = (typeof VERDICTS)[number];

/** The value of a fact. */
export const scalar = (description: string) =>
  Type.Unsafe<Fact['value']>({ type: ['number', 'string', 'boolean'], description });
const nullableScalar = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], description });

const ComparedFact = wire.record('VerifiedFact', 'A fact that a number was compared with.', {
  id: wire.string('Its name, e.g. `stock.technical.rsi_14`.'),
  label: wire.string('What it is, in words without figures.'),
  value: scalar('As it is quoted.'),
  unit: wire.nullableString('What a number counts.'),
  instant: wire.dateTime('The instant that it speaks for.'),
  source: wire.string('Where it comes from.'),
});

export const TextClaim = wire.record(
  'TextClaim',
  'A number or date of the text, or what it says became of a level, and what the facts say of it.',
  {
    text: wire.string('As it is written.'),
    start: wire.integer('UTF-16 place of its first character in the text.', { minimum: 0 }),
    end: wire.integer('UTF-16 place behind its last character.', { minimum: 0 }),
    kind: wire.oneOf(['number', 'date', 'state'], 'What it is.'),
    value: nullableScalar(
      'What it says: a number in `unit`, a date as YYYY-MM-DD, `held`, `broken`, `touched` or `untouched`; null for no day of the calendar.',
    ),
    unit: wire.nullableString('What it counts; null for a bare number.'),
    about: wire.nullableString('The measure that its clause names.'),
    verdict: wire.oneOf(
      VERDICTS,
      'Whether a fact is the same, it follows from facts, it is wrong, or cannot be judged.',
    ),
    fact: wire.nullable(ComparedFact),
    expected: nullableScalar('Of a contradiction: what it should be, in the unit of the fact.'),
    derivation: wire.nullableString('How it follows, with names and values of facts.'),
    reason: wire.string('Why, in one sentence.'),
  },
);
/** A number, date or state of a text, compared with what is known. */
export type Claim = Readonly<Static<typeof TextClaim>>;
