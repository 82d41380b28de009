import type { Static } from 'typebox';
import { stockSymbol, tradeDate } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { TextClaim } from '../../texts/verify/text-claim.ts';

/** Characters of a text, and numbers and dates in it. */
export const TEXT_MAX = 20_000;
export const CLAIMS_MAX = 500;

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
