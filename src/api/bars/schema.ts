import { asOfParameter, dateOrInstant, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { BAR_INTERVALS } from '../../derive/bars.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const LIMIT = { minimum: 1, maximum: 300_000, byDefault: 10_000 };

const SESSIONS = ['regular', 'all'] as const;

export const BarsQuery = parameters(
  optional({
    interval: wire.oneOf(BAR_INTERVALS, 'Length of a bar. Default: 1d.'),
    from: dateOrInstant(
      'The first bar. Default: with `limit` the newest bars, however far back; else of intraday bars the newest session, of days a year, of weeks five years before `to`.',
    ),
    to: dateOrInstant('The last bar, included. Default: the newest.'),
    as_of: asOfParameter,
    adjusted: wire.oneOf(
      ['true', 'false'],
      'Prices and volumes in shares of the date of `as_of`, splits taken into account; `false`: as traded. Default: true.',
    ),
    session: wire.oneOf(
      SESSIONS,
      'Intraday bars of regular trading, or of 04:00 to 20:00 New York. Default: regular. Days and weeks are of regular trading.',
    ),
    limit: wholeNumber('Bars at most: the first of a range, without `from` the newest', LIMIT),
    cursor: Type.String({
      maxLength: 100,
      description: '`next_cursor` of the page before, with the same query.',
    }),
  }),
);

const column = (description: string) => wire.listOf(wire.number(description), description);

export const BarsResult = wire.record(
  'Bars',
  'Bars of one stock as columns of one length, in ascending time. A minute without a trade has no bar.',
  {
    symbol: wire.string('Ticker symbol.'),
    interval: wire.oneOf(BAR_INTERVALS, 'Length of a bar.'),
    session: wire.oneOf(SESSIONS, 'Hours of the bars.'),
    adjusted: wire.flag('Whether splits are taken into account.', true),
    as_of: wire.dateTime('No row of the tape counts that became final later.'),
    source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
    simulated: wire.flag('True for a symbol of the simulated market.'),
    partial: wire.flag('True when bars are of one exchange alone: those whose volume is null.'),
    unfinished: wire.flag('True when the last bar is still forming at `as_of`.'),
    early_closes: Type.Optional(
      wire.listOf(
        wire.dateTime('End of a regular session before 16:00.'),
        'With `session=all`: the ends of the regular sessions of these bars that closed before 16:00; left out where none did.',
      ),
    ),
    next_cursor: wire.nullableString(
      'Leads to the bars beyond `limit`, without `from` to those before them; null on the last page.',
    ),
    time: wire.listOf(
      wire.string('Beginning of a bar.'),
      'Beginning of each bar in UTC; of days and weeks the trade date, of a week that of its first session.',
    ),
    open: column('First price, dollars.'),
    high: column('Highest price, dollars.'),
    low: column('Lowest price, dollars.'),
    close: column('Last price, dollars.'),
    volume: wire.listOf(
      wire.nullableNumber('Shares traded.'),
      'Shares traded; null for a bar of one exchange alone, whose high and low may lie inside those of the market.',
    ),
    vwap: wire.listOf(
      wire.nullableNumber('Volume-weighted price, dollars.'),
      'Volume-weighted average price of the prints, dollars; null where the tape has no prints of the bar, and for weeks.',
    ),
    delta: wire.listOf(
      wire.nullableNumber('Shares bought less shares sold.'),
      'Shares bought less shares sold, by the quote and else by the tick rule; null as with `vwap`. Summed from the open they are the CVD.',
    ),
  },
);
