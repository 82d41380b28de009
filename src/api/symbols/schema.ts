import { asOfParameter, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const LIMIT = { minimum: 1, maximum: 200, byDefault: 50 };

export const SymbolsQuery = parameters(
  optional({
    q: Type.String({
      maxLength: 100,
      description:
        'The beginning of a ticker, or of words of the company name in any order; case and accents do not matter. Default: every symbol.',
      examples: ['micro'],
    }),
    sector: Type.String({ minLength: 1, maxLength: 100, description: 'Only companies of this sector.' }),
    limit: wholeNumber('Symbols at most', LIMIT),
    cursor: Type.String({
      maxLength: 200,
      description: '`next_cursor` of the page before, with the same query.',
    }),
    as_of: asOfParameter,
  }),
);

const Listing = wire.record('ListedSymbol', 'A symbol of the tape.', {
  symbol: wire.string('Ticker symbol.'),
  name: wire.nullableString('Name of the company; null where none was reported.'),
  sector: wire.nullableString('Sector of the company; null where none was reported.'),
  first_session: wire.date('The first trade date with a bar.'),
  last_session: wire.date('The last trade date of which a bar was final at `as_of`.'),
  has: wire.record(
    'SymbolData',
    'What the tape had of the symbol. A series counts from the end of its first session.',
    {
      daily: wire.flag('Daily bars.'),
      minute: wire.flag('One-minute bars.'),
      ticks: wire.flag('Order flow from trades and quotes.'),
      chains: wire.flag('Option chains.'),
      facts: wire.flag('Reported facts.'),
    },
  ),
  simulated: SIMULATED,
});

export const SymbolsAnswer = wire.record('Symbols', 'A page of the symbols that match a search.', {
  as_of: wire.dateTime('Nothing counts that became known later; the same on every page.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  symbols: wire.listOf(
    Listing,
    'The exact ticker first, then tickers that begin so, a former ticker, names that begin so, other names; each by ticker.',
  ),
  next_cursor: wire.nullableString('Leads to the next page; null on the last.'),
});
