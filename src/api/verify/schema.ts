import { SIMULATED } from '../../derive/compose.ts';
import type { Static } from 'typebox';
import { stockSymbol, tradeDate } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import type { Fact } from '../facts/fact-registry.ts';

/** Characters of a text, and numbers and dates in it. */
export const TEXT_MAX = 20_000;
export const CLAIMS_MAX = 500;

/** What can be said of a number in a text, best first. */
const VERDICTS = ['matches', 'derivable', 'contradicts', 'unknown'] as const;
export type ClaimVerdict = (typeof VERDICTS)[number];

export const VerifyBody = Type.Object(
  {
    symbol: stockSymbol,
    text: Type.String({
      minLength: 1,
      maxLength: TEXT_MAX,
      description: `The draft, with at most ${CLAIMS_MAX} numbers and dates.`,
    }),
    date: Type.Optional(tradeDate),
  },
  { title: 'VerifyRequest', additionalProperties: false },
);
export type VerifyBody = Static<typeof VerifyBody>;

const scalar = (description: string) =>
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

const TextClaim = wire.record('TextClaim', 'A number or date of the text, and what the facts say of it.', {
  text: wire.string('As it is written.'),
  start: wire.integer('UTF-16 place of its first character in the text.', { minimum: 0 }),
  end: wire.integer('UTF-16 place behind its last character.', { minimum: 0 }),
  kind: wire.oneOf(['number', 'date'], 'What it is.'),
  value: nullableScalar(
    'What it says: a number in `unit`, a date as YYYY-MM-DD; null for no day of the calendar.',
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
});
/** A number or date of a text, compared with what is known. */
export type Claim = Readonly<Static<typeof TextClaim>>;

export const VerifyAnswer = wire.record('Verification', 'A text compared with the facts of a stock.', {
  symbol: wire.string('Ticker symbol.'),
  trade_date: wire.date('The session whose facts it was compared with.'),
  as_of: wire.dateTime('The newest instant that the facts speak for.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  facts_known: wire.integer('Facts that are known of the stock.', { minimum: 0 }),
  summary: wire.record('VerificationSummary', 'Claims by verdict.', {
    matches: wire.integer('The same as a fact.', { minimum: 0 }),
    derivable: wire.integer('Follow from facts.', { minimum: 0 }),
    contradicts: wire.integer('Wrong.', { minimum: 0 }),
    unknown: wire.integer('Nobody can say.', { minimum: 0 }),
  }),
  claims: wire.listOf(TextClaim, 'In the order of the text.'),
});
export type Verification = Static<typeof VerifyAnswer>;
