import type { TSchema } from 'typebox';
import { asOfParameter, dateOrInstant, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const LIMIT = { minimum: 1, maximum: 5_200, byDefault: 260 };

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
    from: dateOrInstant(
      'The first session; a range has at most 5,200. Default: the newest `limit` sessions.',
    ),
    to: dateOrInstant('The last session, included. Default: the newest.'),
    derive: wire.oneOf(
      ['wait', 'background', 'no', 'true', 'false'],
      'What happens to dates without stored values, at most 260 at a time, the newest first: `wait` answers once they are derived, after 20 seconds at most; `background` answers at once and derives them; `no` leaves them. `true` is `wait`, `false` is `no`. Default: background.',
    ),
    limit: wholeNumber(
      'Sessions at most: without `from` the newest, else the first of the range, all of it by default',
      LIMIT,
    ),
    cursor: Type.String({
      maxLength: 100,
      description: '`next_cursor` of the page before, with the same query.',
    }),
    as_of: asOfParameter,
  }),
});

const value = Type.Unsafe<number | string | boolean | null>({
  type: ['number', 'string', 'boolean', 'null'],
  description: 'As in the stock detail of the date.',
} as TSchema);

const Derivation = wire.record('HistoryDerivation', 'A derivation of dates in the background.', {
  dates: wire.integer('Dates that it derives.', wire.NOT_NEGATIVE),
  derived: wire.integer('Dates that it has derived so far.', wire.NOT_NEGATIVE),
  ask_again: wire.string('Address that answers the same dates with what is derived by then.'),
});

export const HistoryAnswer = wire.record('History', 'Fields of one stock over trade dates, as columns.', {
  symbol: wire.string('Ticker symbol.'),
  as_of: wire.dateTime('Nothing counts that became known later.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  from_bars: wire.listOf(
    wire.string('A field.'),
    'Fields of the request that follow from bars alone: their values are complete on every date.',
  ),
  derivation: wire.nullable(Derivation),
  not_derived: wire.listOf(
    wire.date('A trade date.'),
    'With `derive=wait` the dates that were not derived; ask again for them.',
  ),
  next_cursor: wire.nullableString(
    'Leads to the sessions beyond `limit`, without `from` to those before them; null on the last page.',
  ),
  dates: wire.listOf(
    wire.date('A trade date.'),
    'Sessions of the range, ascending, from the first of the stock on.',
  ),
  states: wire.listOf(
    wire.oneOf(['stored', 'derived', 'deriving', 'derivable', 'no_bar'], 'State of a date.'),
    'For each date: `stored` and `derived` are complete; nulls of fields outside `from_bars` will change where it is `deriving`, and on request where it is `derivable`; the stock did not trade where it is `no_bar`.',
  ),
  columns: wire.mapOf(
    wire.listOf(value, 'One value for each date; null where it has none.'),
    'The values by field, in the order of the request.',
  ),
});
