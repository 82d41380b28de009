import type { Static } from 'typebox';
import { asOfParameter } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { optional, parameters } from '../answers/parameters.ts';

export const StatusQuery = parameters(optional({ as_of: asOfParameter }));

export const FEEDS = ['quotes', 'minute_bars', 'daily_bars', 'option_chains'] as const;
const FEED_STATES = ['fresh', 'late', 'market_closed', 'no_data'] as const;

const Feed = wire.record('FeedStatus', 'How old the newest row of a kind of data is.', {
  feed: wire.oneOf(FEEDS, 'Kind of data.'),
  newest_at: wire.nullableDateTime('End of the newest row; null where the tape has none.'),
  age_seconds: wire.nullableNumber('From then to `as_of`, seconds.', wire.NOT_NEGATIVE),
  promised_seconds: wire.number(
    'The age that is promised during the regular session, seconds.',
    wire.NOT_NEGATIVE,
  ),
  state: wire.oneOf(
    FEED_STATES,
    'Against the promise: `market_closed` outside the regular session, unless nothing of the last one came: that is `late`.',
  ),
});

const Series = wire.record('SeriesCoverage', 'What the tape has of a series in ended sessions.', {
  series: wire.string('Name of the series, e.g. `bars-1m`.'),
  symbols: wire.integer('Symbols that have rows.', wire.NOT_NEGATIVE),
  rows: wire.nullableInteger(
    'Rows; null for daily ones at a past instant where a file goes on beyond it.',
    wire.NOT_NEGATIVE,
  ),
  first_session: wire.date('Trade date of the first row.'),
  last_session: wire.date('Trade date of the last row.'),
});

const Passes = wire.record('PassStatus', 'How far derivation has come.', {
  newest_stock_day: wire.nullableDate('Newest trade date with a derived stock-day.'),
  derived_at: wire.nullableDateTime(
    'When the newest stock-day of that date was derived, by the clock of the machine; null where that was after `as_of`.',
  ),
  stock_days: wire.integer('Stock-days of that date.', wire.NOT_NEGATIVE),
  waiting_symbols: wire.integer(
    'Symbols with new data of ended sessions that a pass has yet to derive.',
    wire.NOT_NEGATIVE,
  ),
  newest_market: wire.nullableDate('Newest trade date whose market is derived.'),
  newest_peers: wire.nullableDate('Newest month for which peers are measured, by its first date.'),
});

const Versions = wire.record('Versions', 'Versions of the program and of what it runs on.', {
  tigraph: wire.string('Program.'),
  node: wire.string('Node.js.'),
  postgresql: wire.string('PostgreSQL.'),
});

export const StatusAnswer = wire.record('Status', 'How fresh and how complete the data is.', {
  as_of: wire.dateTime('The newest instant of the caller.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  delay_minutes: wire.number(
    'How much older than the present the data of the caller is at least.',
    wire.NOT_NEGATIVE,
  ),
  simulated: wire.flag('Whether the tape has simulated data.'),
  running_feed: wire.nullableString(
    'Feed of the session that this process records; null while it records none.',
  ),
  feeds: wire.listOf(Feed, 'Each kind of data that has a promise.'),
  series: wire.listOf(Series, 'Each series that the tape has, by name.'),
  passes: Passes,
  versions: Versions,
});

export type Status = Static<typeof StatusAnswer>;

const LIVE_STATES = ['live', 'quiet', 'late', 'disconnected', 'filling', 'waiting', 'silent'] as const;

const LiveFeed = wire.record('LiveFeed', 'A source of running sessions, and what came of it.', {
  feed: wire.string(
    'Name of what it streams, e.g. `alpaca-iex`; stock answers name one of one exchange in `price.partial_feed`.',
  ),
  title: wire.string('As a person names it.'),
  partial: wire.flag('Whether it streams one exchange alone, whose volume is not that of the stocks.'),
  state: wire.oneOf(
    LIVE_STATES,
    '`live`: rows arrive; `quiet`: none does outside of regular hours; `late`: none does within them; `disconnected`; `filling`: the past is brought first; `waiting`: no session runs that it streams; `silent`: nothing is heard of the process that follows it.',
  ),
  says: wire.nullableString('Why rows do not arrive or are not trusted, or what is brought; else null.'),
  said_seconds: wire.integer(
    'How long ago the process that follows it said this, seconds; 0 of the one that answers.',
    wire.NOT_NEGATIVE,
  ),
  connected: wire.nullableBoolean(
    'Whether its stream is connected; null where it needs no connection, or nobody knows.',
  ),
  trade_date: wire.nullableDate('Session of the rows and holes; null before the first.'),
  last_row_at: wire.nullableDateTime('End of its newest bar that the caller may see.'),
  behind_seconds: wire.nullableNumber(
    "How far that bar is behind the market, seconds, by the source's clock where the clock of this machine is off; null without a running session.",
    wire.NOT_NEGATIVE,
  ),
  holes: wire.listOf(
    wire.record('StreamHole', 'A stretch of the session that the stream missed.', {
      from: wire.dateTime('Its begin.'),
      to: wire.dateTime('Its end.'),
      filled: wire.flag('Whether calls brought the rows afterwards; else nobody knows them.'),
    }),
    'Holes of the session, in the order of time.',
  ),
  refused: wire.listOf(
    wire.record('RefusedLiveRows', 'Rows that were refused since the process started, by reason.', {
      reason: wire.string('Reason, as imports name it.'),
      meaning: wire.string('The reason in words.'),
      rows: wire.integer('Rows.', wire.NOT_NEGATIVE),
      first: wire.nullableString(
        'The first of them; null until the caller may see its instant, and for a grant of some symbols.',
      ),
    }),
    'What was refused, in the order of the first of each reason.',
  ),
  delay_seconds: wire.nullableNumber(
    'How far the plan lets the stream run behind the market, seconds; null for a plan without a stream.',
    wire.NOT_NEGATIVE,
  ),
  calls_per_minute: wire.nullableInteger(
    'Calls that the plan allows; null without calls.',
    wire.NOT_NEGATIVE,
  ),
  calls_left: wire.nullableInteger('Calls that are left of this minute.', wire.NOT_NEGATIVE),
});

export const FeedsAnswer = wire.record('LiveFeeds', 'The live feeds.', {
  at: wire.dateTime("The market's clock."),
  feeds: wire.listOf(LiveFeed, 'None where no process follows one.'),
});

export type LiveFeeds = Static<typeof FeedsAnswer>;
