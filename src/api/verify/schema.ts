import { type Static, Type } from 'typebox';
import { tradeDate, stockSymbol } from '../../base/parameters.ts';
import {
  date,
  dateTime,
  integer,
  listOf,
  nullable,
  nullableString,
  oneOf,
  record,
  string,
} from '../../base/schema.ts';
import type { Fact } from '../chat/fact.ts';

/** Characters of a text, and numbers and dates in it. */
export const TEXT_MAX = 20_000;
export const CLAIMS_MAX = 500;

/** What can be said of a number in a text, best first. */
const VERDICTS = ['matches', 'derivable', 'contradicts', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

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

const ComparedFact = record('VerifiedFact', 'A fact that a number was compared with.', {
  id: string('Its name, e.g. `stock.technical.rsi_14`.'),
  label: string('What it is, in words without figures.'),
  value: scalar('As it is quoted.'),
  unit: nullableString('What a number counts.'),
  instant: dateTime('The instant that it speaks for.'),
  source: string('Where it comes from.'),
});

const TextClaim = record('TextClaim', 'A number or date of the text, and what the facts say of it.', {
  text: string('As it is written.'),
  start: integer('UTF-16 place of its first character in the text.', { minimum: 0 }),
  end: integer('UTF-16 place behind its last character.', { minimum: 0 }),
  kind: oneOf(['number', 'date'], 'What it is.'),
  value: nullableScalar(
    'What it says: a number in `unit`, a date as YYYY-MM-DD; null for no day of the calendar.',
  ),
  unit: nullableString('What it counts; null for a bare number.'),
  about: nullableString('The measure that its clause names.'),
  verdict: oneOf(
    VERDICTS,
    'Whether a fact is the same, it follows from facts, it is wrong, or cannot be judged.',
  ),
  fact: nullable(ComparedFact),
  expected: nullableScalar('Of a contradiction: what it should be, in the unit of the fact.'),
  derivation: nullableString('How it follows, with names and values of facts.'),
  reason: string('Why, in one sentence.'),
});
/** A number or date of a text, compared with what is known. */
export type Claim = Readonly<Static<typeof TextClaim>>;

export const VerifyAnswer = record('Verification', 'A text compared with the facts of a stock.', {
  symbol: string('Ticker symbol.'),
  trade_date: date('The session whose facts it was compared with.'),
  as_of: dateTime('The newest instant that the facts speak for.'),
  source: oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  facts_known: integer('Facts that are known of the stock.', { minimum: 0 }),
  summary: record('VerificationSummary', 'Claims by verdict.', {
    matches: integer('The same as a fact.', { minimum: 0 }),
    derivable: integer('Follow from facts.', { minimum: 0 }),
    contradicts: integer('Wrong.', { minimum: 0 }),
    unknown: integer('Nobody can say.', { minimum: 0 }),
  }),
  claims: listOf(TextClaim, 'In the order of the text.'),
});
export type Verification = Static<typeof VerifyAnswer>;
