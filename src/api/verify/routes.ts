import { type Static, Type } from 'typebox';
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
import { canonicalSymbol } from '../../base/symbols.ts';
import { requireSymbols } from '../access/index.ts';
import { CLAIM_KINDS, CLAIMS_MAX, TEXT_MAX, VERDICTS, verifyText } from './verify-text.ts';
import type { World } from '../app-context.ts';
import { CONTENT_TYPE, VARY } from '../server/answer.ts';
import { stockSymbol, tradeDate } from '../../base/parameters.ts';
import type { RouteEntry } from '../server/route-entry.ts';
import { callerOf } from '../server/viewer.ts';

/** What goes over the wire when a drafted text is held against the facts. */

/** The longest text with each of its signs written as an escape of two. */
const VERIFY_BODY_BYTES = 262_144;

const VerifyBody = Type.Object(
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

type VerifyBody = Static<typeof VerifyBody>;

const scalar = (description: string) =>
  Type.Unsafe<number | string | boolean>({ type: ['number', 'string', 'boolean'], description });
const nullableScalar = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], description });

const HeldFact = record('VerifiedFact', 'A fact that a number was held against.', {
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
  kind: oneOf(CLAIM_KINDS, 'What it is.'),
  value: nullableScalar(
    'What it says: a number in `unit`, a date as YYYY-MM-DD; null for no day of the calendar.',
  ),
  unit: nullableString('What it counts; null for a bare number.'),
  about: nullableString('The measure that its clause names.'),
  verdict: oneOf(
    VERDICTS,
    'Whether a fact is the same, it follows from facts, it is wrong, or nobody can say.',
  ),
  fact: nullable(HeldFact),
  expected: nullableScalar('Of a contradiction: what it should be, in the unit of the fact.'),
  derivation: nullableString('How it follows, with names and values of facts.'),
  reason: string('Why, in one sentence.'),
});

const VerifyAnswer = record('Verification', 'A text held against the facts of a stock.', {
  symbol: string('Ticker symbol.'),
  trade_date: date('The session whose facts it was held against.'),
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

export function verifyRoutes(world: World): readonly RouteEntry[] {
  return [
    {
      method: 'POST',
      url: '/api/graph/v1/chat/verify',
      operationId: 'verifyText',
      tag: 'chat',
      summary: 'A drafted text held against the facts',
      description:
        'Finds the numbers and dates of a text about a stock and says of each whether it is a fact, follows from facts, contradicts one, or cannot be told. By rules alone: the same text and the same facts have the same answer.',
      scope: 'chat:read',
      body: VerifyBody,
      bodyLimitBytes: VERIFY_BODY_BYTES,
      answer: VerifyAnswer,
      example: ({ symbol, date }) => ({
        body: {
          symbol,
          text: `${symbol} trades at $100 with an RSI of 50.`,
          ...(date === null ? {} : { date }),
        },
      }),
      refusals: [401, 403, 404, 413, 429, 503, 504],
      async handler(request, reply) {
        const caller = callerOf(request);
        const { symbol: written, text, date: asked } = request.body as VerifyBody;
        const symbol = canonicalSymbol(written);
        requireSymbols(caller, [symbol]);
        const answer = await verifyText(world, { symbol, text, date: asked }, caller);
        return reply
          .header('content-type', CONTENT_TYPE)
          .header('cache-control', 'no-store')
          .header('vary', VARY)
          .send(JSON.stringify(answer));
      },
    },
  ];
}
