import type { TSchema } from 'typebox';
import { asOfParameter, dateOrInstant } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const HistoryQuery = parameters({
  fields: Type.String({
    minLength: 1,
    maxLength: 5_000,
    // For the description alone: the use case counts and names them.
    describedItems: { maxItems: 50 },
    description:
      'Fields of the stock detail that hold a single value, with commas between them, at most 50: see the fields of a screen.',
    examples: ['last_price,technical.rsi_14'],
  }),
  ...optional({
    from: dateOrInstant('The first session. Default: the last 260 sessions; a range has at most 5,200.'),
    to: dateOrInstant('The last session, included. Default: the newest.'),
    derive: wire.oneOf(
      ['true', 'false'],
      'Derive dates that are not stored, at most 260, as many as the time of a query allows. Default: false.',
    ),
    as_of: asOfParameter,
  }),
});

const value = Type.Unsafe<number | string | boolean | null>({
  type: ['number', 'string', 'boolean', 'null'],
  description: 'As in the stock detail of the date.',
} as TSchema);

export const HistoryAnswer = wire.record('History', 'Fields of one stock over trade dates, as columns.', {
  symbol: wire.string('Ticker symbol.'),
  as_of: wire.dateTime('Nothing counts that became known later.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  not_derived: wire.listOf(
    wire.date('A trade date.'),
    'Dates to derive for which the time did not suffice, or whose peers are still to be measured.',
  ),
  dates: wire.listOf(
    wire.date('A trade date.'),
    'Sessions of the range, ascending, from the first of the stock on.',
  ),
  states: wire.listOf(
    wire.oneOf(['stored', 'derived', 'derivable', 'no_bar'], 'State of a date.'),
    'For each date whether its values are stored, were derived now or would have to be derived; `no_bar` where deriving found none.',
  ),
  columns: wire.mapOf(
    wire.listOf(value, 'One value for each date; null where it has none.'),
    'The values by field, in the order of the request.',
  ),
});
