import { type Static, Type } from 'typebox';
import { VIX_REGIMES } from '../../analysis/market-state.ts';
import {
  date,
  dateTime,
  integer,
  listOf,
  nullable,
  nullableDate,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  nullableString,
  number,
  oneOf,
  record,
  string,
} from '../../base/schema.ts';
import { tradeDate } from '../../base/parameters.ts';
import { SPECIAL_SESSIONS, PHASES } from '../../base/session-clock.ts';
import { REPORT_TIMES } from '../../market/tape/event-facts.ts';

export const MarketQuery = Type.Object(
  {
    date: Type.Optional({
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest session that has a market.',
    }),
  },
  { additionalProperties: false },
);

const SHARE = { minimum: 0, maximum: 100 };
const COUNT = { minimum: 0 };
const TRENDS = ['up', 'down', 'sideways'] as const;
const REGIMES = ['trend_up', 'trend_down', 'range', 'volatile', 'transition'] as const;

const MarketIndex = record('MarketIndex', 'The index of the market and its trend on daily bars.', {
  symbol: string('Ticker that was read.'),
  last: number('Last close, or the newest price of the running session.'),
  session: nullableDate('Session of the last close; null while the session runs.'),
  return_1d_pct: nullableNumber('Return over a session, percent.'),
  return_5d_pct: nullableNumber('Return over five sessions, percent.'),
  return_20d_pct: nullableNumber('Return over twenty sessions, percent.'),
  sma_50: nullableNumber('Mean of the last 50 closes.'),
  sma_200: nullableNumber('Mean of the last 200 closes.'),
  distance_sma_50_pct: nullableNumber('Last over the 50-session mean, percent.'),
  distance_sma_200_pct: nullableNumber('Last over the 200-session mean, percent.'),
  slope_20_pct: nullableNumber('20-session least-squares slope of ln(close), percent a year.'),
  trend: nullableOneOf(TRENDS, 'Two of three votes: price, averages, slope.'),
});

const MarketVix = record('MarketVix', 'The volatility index of the market.', {
  symbol: string('Ticker that was read.'),
  level: number('Index points.', COUNT),
  change_1d_pct: nullableNumber('Change over a session, percent.'),
  percentile_252: nullableNumber('Share of the last 252 sessions that closed lower, percent.', SHARE),
  regime: nullableOneOf(VIX_REGIMES, 'Regime of the level.'),
});

const MarketBreadth = record('MarketBreadth', 'How many stocks take part.', {
  stocks: integer('Stocks with a bar on the session and on the one before.', COUNT),
  advancers: integer('Stocks that rose.', COUNT),
  decliners: integer('Stocks that fell.', COUNT),
  unchanged: integer('Stocks that did neither.', COUNT),
  advance_decline_ratio: nullableNumber('Advancers over decliners.', COUNT),
  above_sma_50_pct: nullableNumber('Share above the 50-session mean, percent.', SHARE),
  above_sma_200_pct: nullableNumber('Share above the 200-session mean, percent.', SHARE),
  new_highs_252: integer('Stocks at a high of 252 sessions.', COUNT),
  new_lows_252: integer('Stocks at a low of 252 sessions.', COUNT),
});

const MarketSector = record('MarketSector', 'A sector by its stocks, equally weighted.', {
  rank: integer('1 is the best by 20-session return.', { minimum: 1 }),
  of: integer('Sectors that are ranked.', { minimum: 1 }),
  sector: string('Name.'),
  stocks: integer('Stocks.', COUNT),
  return_1d_pct: nullableNumber('Mean return over a session, percent.'),
  return_5d_pct: nullableNumber('Mean return over five sessions, percent.'),
  return_20d_pct: nullableNumber('Mean return over twenty sessions, percent.'),
});

const RuleFigure = record('RuleFigure', 'A number that a rule used.', {
  field: string('Its path in this answer.'),
  value: number('The number.'),
  unit: string('Its unit.'),
});

const FiredRule = record('FiredRule', 'A rule of the market regime whose condition held.', {
  rule: string('Name.'),
  says: string('The rule in words, with its figures.'),
  supports: listOf(oneOf(REGIMES, 'Regime.'), 'Regimes that it speaks for.'),
  figures: listOf(RuleFigure, 'The numbers it used.'),
});

const MarketRegime = record(
  'MarketRegime',
  'The regime of the market as a whole, with the rules that fired.',
  {
    regime: nullableOneOf(REGIMES, 'The regime.'),
    index_trend: nullableOneOf(TRENDS, 'Trend of the index.'),
    decided_by: listOf(string('Rule.'), 'The rules that settled it.'),
    confidence: nullableNumber('Share of the fired rules that speak for the regime, 0-1.', {
      minimum: 0,
      maximum: 1,
    }),
    rules_fired: listOf(FiredRule, 'In the order of the list of rules.'),
    formula_version: string('Version of the rules.'),
  },
);

const ClockPhase = record('ClockPhase', 'A phase of the trade date.', {
  phase: oneOf(['pre_market', 'regular', 'after_hours'], 'Which.'),
  opens_at: dateTime('When it begins.'),
  closes_at: dateTime('When it is over.'),
});

const NextBell = record('NextBell', 'The next opening or closing bell.', {
  kind: oneOf(['open', 'close'], 'Which.'),
  at: dateTime('When.'),
  minutes: integer('Minutes from the time of the clock.', COUNT),
});

const NextDeparture = record('NextDeparture', 'The next weekday that is not a full session.', {
  date: date('Which.'),
  kind: oneOf(SPECIAL_SESSIONS, 'How it departs.'),
  reason: string('The occasion.'),
  opens_at: nullableDateTime('Begin of regular trading; null on a holiday.'),
  closes_at: nullableDateTime('End of regular trading; null on a holiday.'),
});

const SessionClockWire = record('SessionClock', 'The phase of the trading day.', {
  trade_date: date('The session that this answer is of.'),
  at: dateTime('The instant that the clock shows.'),
  phase: oneOf(PHASES, 'Phase of trading at that instant.'),
  closed_for: nullableString('Why that day has no session; null where it has one.'),
  early_close: Type.Boolean({
    description: 'True when regular trading of the trade date ends before 16:00.',
  }),
  phases: listOf(ClockPhase, 'The phases of the trade date.'),
  next_bell: nullable(NextBell),
  previous_session: nullableDate('The session before the trade date.'),
  next_session: nullableDate('The session after the trade date.'),
  next_departure: nullable(NextDeparture),
});

const ExpirationDate = record('ExpirationDate', 'An expiration of listed options.', {
  date: date('Which.'),
  sessions: integer('Sessions from the trade date; 0 on it.', COUNT),
});

const ScheduledResults = record('ScheduledResults', 'Results of a company.', {
  symbol: string('Ticker symbol.'),
  date: date('Trade date of their announcement.'),
  time: oneOf(REPORT_TIMES, 'When on that date.'),
  status: oneOf(['projected', 'confirmed', 'reported'], 'How sure the date is.'),
  market_cap: nullableNumber('Market capitalisation as it was known, USD.', COUNT),
});

const ResultsOf = record('ResultsDue', 'Companies with results in a stretch of sessions.', {
  from: date('First date.'),
  to: date('Last date.'),
  count: integer('Companies.', COUNT),
  largest: listOf(ScheduledResults, 'The largest, by market capitalisation; at most 10.'),
});

const ActiveHalt = record('ActiveHalt', 'A halt of trading that lasts.', {
  symbol: string('Ticker symbol.'),
  since: dateTime('Since when.'),
  reason: nullableString('Why.'),
});

const EventClock = record('EventClock', 'What is due, as it was known.', {
  monthly_expiration: nullable(ExpirationDate),
  quarterly_expiration: nullable(ExpirationDate),
  results_today: nullable(ResultsOf),
  results_next_5_sessions: nullable(ResultsOf),
  halts: integer('Stocks whose trading is halted.', COUNT),
  halted: listOf(ActiveHalt, 'The latest halts first; at most 10.'),
});

const Missing = record('Missing', 'Why something is null.', {
  field: string('Its path in this answer.'),
  reason: string('Why there is none.'),
});

export const MarketContext = record('MarketContext', 'The state of the market as a whole.', {
  trade_date: date('The session that this answer is of.'),
  as_of: dateTime('Nothing newer than this counts.'),
  market_as_of: dateTime(
    'The instant of index, VIX, breadth and sectors: the close once the session has closed.',
  ),
  source: oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  regime: MarketRegime,
  index: nullable(MarketIndex),
  vix: nullable(MarketVix),
  breadth: nullable(MarketBreadth),
  sectors: listOf(MarketSector, 'Best 20-session return first.'),
  clock: SessionClockWire,
  events: EventClock,
  missing: listOf(Missing, 'Every null of index, VIX, breadth, sectors, regime and events, with its reason.'),
});

export type MarketContext = Static<typeof MarketContext>;
export type MissingReason = Static<typeof Missing>;
