import type { Static } from 'typebox';
import { VIX_REGIMES } from '../../analysis/market-state.ts';
import { asOfParameter, tradeDate } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { PHASES, SPECIAL_SESSIONS } from '../../base/session-clock.ts';
import { Type } from '../../base/type.ts';
import { SESSIONS_BEHIND, SIMULATED } from '../../derive/compose.ts';
import { REPORT_TIMES } from '../../market/facts.ts';
import { marketParameter, optional, parameters } from '../answers/parameters.ts';

export const MarketQuery = parameters(
  optional({
    date: {
      ...tradeDate,
      description: 'Trade date, YYYY-MM-DD. Default: the newest session that has a market.',
    },
    market: marketParameter,
    as_of: asOfParameter,
  }),
);

const TRENDS = ['up', 'down', 'sideways'] as const;
const REGIMES = ['trend_up', 'trend_down', 'range', 'volatile', 'transition'] as const;

const MarketIndex = wire.record('MarketIndex', 'The index of the market and its trend on daily bars.', {
  symbol: wire.string('Ticker that was read.'),
  last: wire.number(
    'Last close, or the newest price of the running session, in its quoted unit (USD of a fund, points of an index).',
  ),
  session: wire.nullableDate('Session of the last close; null while the session runs.'),
  return_1d_pct: wire.nullableNumber('Return over a session, percent.'),
  return_5d_pct: wire.nullableNumber('Return over five sessions, percent.'),
  return_20d_pct: wire.nullableNumber('Return over twenty sessions, percent.'),
  sma_50: wire.nullableNumber('Mean of the last 50 closes, in the unit of `last`.'),
  sma_200: wire.nullableNumber('Mean of the last 200 closes, in the unit of `last`.'),
  distance_sma_50_pct: wire.nullableNumber('Last over the 50-session mean, percent.'),
  distance_sma_200_pct: wire.nullableNumber('Last over the 200-session mean, percent.'),
  slope_20_pct: wire.nullableNumber('20-session least-squares slope of ln(close), percent a year.'),
  trend: wire.nullableOneOf(TRENDS, 'Two of three votes: price, averages, slope.'),
});

const MarketVix = wire.record('MarketVix', 'The volatility index of the market.', {
  symbol: wire.string('Ticker that was read.'),
  level: wire.number('Index points.', wire.NOT_NEGATIVE),
  change_1d_pct: wire.nullableNumber('Change over a session, percent.'),
  percentile_252: wire.nullableNumber(
    'Share of the last 252 sessions that closed lower, percent.',
    wire.HUNDRED,
  ),
  regime: wire.nullableOneOf(VIX_REGIMES, 'Regime of the level.'),
});

const MarketBreadth = wire.record('MarketBreadth', 'How many stocks take part.', {
  stocks: wire.integer('Stocks with a bar on the session and on the one before.', wire.NOT_NEGATIVE),
  advancers: wire.integer('Stocks that rose.', wire.NOT_NEGATIVE),
  decliners: wire.integer('Stocks that fell.', wire.NOT_NEGATIVE),
  unchanged: wire.integer('Stocks that did neither.', wire.NOT_NEGATIVE),
  advance_decline_ratio: wire.nullableNumber('Advancers over decliners.', wire.NOT_NEGATIVE),
  above_sma_50_pct: wire.nullableNumber('Share above the 50-session mean, percent.', wire.HUNDRED),
  above_sma_200_pct: wire.nullableNumber('Share above the 200-session mean, percent.', wire.HUNDRED),
  new_highs_252: wire.integer('Stocks at a high of 252 sessions.', wire.NOT_NEGATIVE),
  new_lows_252: wire.integer('Stocks at a low of 252 sessions.', wire.NOT_NEGATIVE),
});

const MarketSector = wire.record('MarketSector', 'A sector by its stocks, equally weighted.', {
  rank: wire.integer('1 is the best by 20-session return.', { minimum: 1 }),
  of: wire.integer('Sectors that are ranked.', { minimum: 1 }),
  sector: wire.string('Name.'),
  stocks: wire.integer('Stocks.', wire.NOT_NEGATIVE),
  return_1d_pct: wire.nullableNumber('Mean return over a session, percent.'),
  return_5d_pct: wire.nullableNumber('Mean return over five sessions, percent.'),
  return_20d_pct: wire.nullableNumber('Mean return over twenty sessions, percent.'),
});

const RuleFigure = wire.record('RuleFigure', 'A number that a rule used.', {
  field: wire.string('Its path in this answer.'),
  value: wire.number('The number.'),
  unit: wire.string('Its unit.'),
});

const FiredRule = wire.record('FiredRule', 'A rule of the market regime whose condition held.', {
  rule: wire.string('Name.'),
  says: wire.string('The rule in words, with its figures.'),
  supports: wire.listOf(wire.oneOf(REGIMES, 'Regime.'), 'Regimes that it speaks for.'),
  figures: wire.listOf(RuleFigure, 'The numbers it used.'),
});

const MarketRegime = wire.record(
  'MarketRegime',
  'The regime of the market as a whole, with the rules that fired.',
  {
    regime: wire.nullableOneOf(REGIMES, 'The regime.'),
    index_trend: wire.nullableOneOf(TRENDS, 'Trend of the index.'),
    decided_by: wire.listOf(wire.string('Rule.'), 'The rules that settled it.'),
    confidence: wire.nullableNumber(
      'Share of the fired rules that speak for the regime, 0-1.',
      wire.FRACTION,
    ),
    rules_fired: wire.listOf(FiredRule, 'In the order of the list of rules.'),
    formula_version: wire.string('Version of the rules.'),
  },
);

const ClockPhase = wire.record('ClockPhase', 'A phase of the trade date.', {
  phase: wire.oneOf(['pre_market', 'regular', 'after_hours'], 'Which.'),
  opens_at: wire.dateTime('When it begins.'),
  closes_at: wire.dateTime('When it is over.'),
});

const NextBell = wire.record('NextBell', 'The next opening or closing bell.', {
  kind: wire.oneOf(['open', 'close'], 'Which.'),
  at: wire.dateTime('When.'),
  minutes: wire.integer('Minutes from the time of the clock.', wire.NOT_NEGATIVE),
});

const NextDeparture = wire.record('NextDeparture', 'The next weekday that is not a full session.', {
  date: wire.date('Which.'),
  kind: wire.oneOf(SPECIAL_SESSIONS, 'How it departs.'),
  reason: wire.string('The occasion.'),
  opens_at: wire.nullableDateTime('Begin of regular trading; null on a holiday.'),
  closes_at: wire.nullableDateTime('End of regular trading; null on a holiday.'),
});

const SessionClockWire = wire.record('SessionClock', 'The phase of the trading day.', {
  trade_date: wire.date('The session that this answer is of.'),
  at: wire.dateTime('The instant that the clock shows.'),
  phase: wire.oneOf(PHASES, 'Phase of trading at that instant.'),
  closed_for: wire.nullableString('Why that day has no session; null where it has one.'),
  early_close: Type.Boolean({
    description: 'True when regular trading of the trade date ends before 16:00.',
  }),
  phases: wire.listOf(ClockPhase, 'The phases of the trade date.'),
  next_bell: wire.nullable(NextBell),
  previous_session: wire.nullableDate('The session before the trade date.'),
  next_session: wire.nullableDate('The session after the trade date.'),
  next_departure: wire.nullable(NextDeparture),
});

const ExpirationDate = wire.record('ExpirationDate', 'An expiration of listed options.', {
  date: wire.date('Which.'),
  sessions: wire.integer('Sessions from the trade date; 0 on it.', wire.NOT_NEGATIVE),
});

const ScheduledResults = wire.record('ScheduledResults', 'Results of a company.', {
  symbol: wire.string('Ticker symbol.'),
  date: wire.date('Trade date of their announcement.'),
  time: wire.oneOf(REPORT_TIMES, 'When on that date.'),
  status: wire.oneOf(['projected', 'confirmed', 'reported'], 'How sure the date is.'),
  market_cap: wire.nullableNumber('Market capitalisation as it was known, USD.', wire.NOT_NEGATIVE),
});

const ResultsOf = wire.record('ResultsDue', 'Companies with results in a stretch of sessions.', {
  from: wire.date('First date.'),
  to: wire.date('Last date.'),
  count: wire.integer('Companies.', wire.NOT_NEGATIVE),
  largest: wire.listOf(ScheduledResults, 'The largest, by market capitalisation; at most 10.'),
});

const ActiveHalt = wire.record('ActiveHalt', 'A halt of trading that lasts.', {
  symbol: wire.string('Ticker symbol.'),
  since: wire.dateTime('Since when.'),
  reason: wire.nullableString('Why.'),
});

const EventClock = wire.record('EventClock', 'What is due, as it was known.', {
  monthly_expiration: wire.nullable(ExpirationDate),
  quarterly_expiration: wire.nullable(ExpirationDate),
  results_today: wire.nullable(ResultsOf),
  results_next_5_sessions: wire.nullable(ResultsOf),
  halts: wire.integer('Stocks whose trading is halted.', wire.NOT_NEGATIVE),
  halted: wire.listOf(ActiveHalt, 'The latest halts first; at most 10.'),
});

const Missing = wire.record('Missing', 'Why something is null.', {
  field: wire.string('Its path in this answer.'),
  reason: wire.string('Why there is none.'),
});

export const MarketContext = wire.record('MarketContext', 'The state of the market as a whole.', {
  trade_date: wire.date('The session that this answer is of.'),
  sessions_behind: SESSIONS_BEHIND,
  as_of: wire.dateTime('Nothing newer than this counts.'),
  market_as_of: wire.dateTime(
    'The instant of index, VIX, breadth and sectors: the close once the session has closed.',
  ),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  regime: MarketRegime,
  index: wire.nullable(MarketIndex),
  vix: wire.nullable(MarketVix),
  breadth: wire.nullable(MarketBreadth),
  sectors: wire.listOf(MarketSector, 'Best 20-session return first.'),
  clock: SessionClockWire,
  events: EventClock,
  missing: wire.listOf(
    Missing,
    'Every null of index, VIX, breadth, sectors, regime and events, with its reason.',
  ),
});

export type MarketContext = Static<typeof MarketContext>;
export type MissingReason = Static<typeof Missing>;
