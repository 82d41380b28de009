import type { Static } from 'typebox';
import { asOfParameter, stockSymbols, tradeDate, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { Band } from '../../blocks/expected-move.ts';
import { rung } from '../../blocks/level-ladder.ts';
import { today } from '../../blocks/level-today.ts';
import { NewsItem } from '../../blocks/news.ts';
import { Pattern } from '../../blocks/patterns.ts';
import { RecordBeside } from '../../blocks/record-beside.ts';
import { StrategyMatch } from '../../blocks/strategies.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { optional, parameters } from '../answers/parameters.ts';
import { SYMBOLS_MAX } from '../watchlists/schema.ts';

/** Kinds of what would change the view of a stock. */
const TURN_KINDS = ['score', 'pattern', 'gamma', 'average'] as const;

const LIST_PARAMETERS = {
  list: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'Name of a list of yours; one that fills itself has the stocks that pass at the instant.',
  }),
  symbols: {
    // What is longer is refused with a sentence.
    ...stockSymbols(20_000),
    description: `Ticker symbols with commas between them in place of a list, at most ${SYMBOLS_MAX}.`,
    examples: ['SIMX'],
  },
};
const PLAN_DATE = {
  ...tradeDate,
  description: 'Session of the plan, YYYY-MM-DD. Default: the one that runs or comes next.',
};
const ALL = Type.String({
  enum: ['true', 'false'],
  description: 'With true levels count whose kind held less often than chance.',
});

export const PlanQuery = parameters(
  optional({
    ...LIST_PARAMETERS,
    date: PLAN_DATE,
    as_of: {
      ...asOfParameter,
      description:
        'RFC 3339 instant that the plan is of, read to the minute. Default: with a date 5 minutes before its open, or now before that; without one now.',
    },
    all: ALL,
    format: Type.String({ enum: ['json', 'markdown'], description: 'Markdown is for chats and print.' }),
  }),
);

const record = wire.nullable(RecordBeside);
const usd = (description: string) => wire.number(description, wire.NOT_NEGATIVE);
const usdOrNull = (description: string) => wire.nullableNumber(description, wire.NOT_NEGATIVE);
const atrs = (description: string) => wire.nullableNumber(`${description}, ATR; null without one.`);
const missing = wire.listOf(
  wire.record('PlanMissing', 'Why something is null.', {
    field: wire.string('Which.'),
    reason: wire.string('Why there is none.'),
  }),
  'What is not there.',
);

export const PlanLevel = wire.record('PlanLevel', 'A level near the price.', {
  ...rung,
  with: wire.listOf(wire.string('Name.'), 'Levels within 0.1 ATR beyond it.'),
  families: wire.integer('Kinds of levels within 0.25 ATR of it, its own included.', wire.NOT_NEGATIVE),
  record,
});

const pairOf = (description: string) =>
  wire.listOf(wire.nullableString('Label.'), `${description}: at that close, and now.`);
const Moved = wire.record('PlanMoved', 'A component of the score that moved.', {
  component: wire.string('Which.'),
  points: wire.number('Points by which it moved the net score.'),
});

export const ScoreChange = wire.record('PlanScoreChange', 'How the score changed since a close.', {
  since: wire.date('Session of the close.'),
  bias: pairOf('directional_bias'),
  bullish_tier: pairOf('bullish_tier'),
  bearish_tier: pairOf('bearish_tier'),
  net: wire.listOf(wire.number('Score.'), 'Net score at that close, and now.'),
  gained: wire.listOf(Moved, 'Components that raised it most.'),
  lost: wire.listOf(Moved, 'Components that lowered it most.'),
  is_new: wire.flag('True where the bias has changed.'),
});

const Gap = wire.record('PlanGap', 'From the close before to the open; before it to the newest print.', {
  size: wire.number('USD.'),
  pct: wire.number('Percent of the close before.'),
  is_final: wire.flag('True once the session has opened.'),
});
const Overnight = wire.record('PlanOvernight', 'Range from the close before to the open.', {
  high: usd('Highest price, USD.'),
  low: usd('Lowest price, USD.'),
});
const Expected = wire.record('PlanExpectedMove', 'What options expect of the session: one deviation.', {
  ...Band.properties,
  position: wire.number('Where the price stands, in moves from `from`: beyond 1 or -1 it is outside.'),
  taken_at: wire.nullableDateTime('When the chain was taken.'),
  sessions_old: wire.integer('Age of the chain, sessions.', wire.NOT_NEGATIVE),
  record,
});
const Gamma = wire.record('PlanGamma', 'Where dealers stand.', {
  regime: wire.nullableOneOf(['long_gamma', 'short_gamma', 'neutral'], 'As gex_regime.'),
  flip: usdOrNull('Price at which their gamma changes sign, USD.'),
  distance: wire.nullableNumber('Flip less price, USD.'),
  distance_atr: atrs('The same'),
  sessions_old: wire.nullableInteger('Age of the chain, sessions.'),
});
const Results = wire.record('PlanResults', 'The next results.', {
  date: wire.date('When.'),
  days: wire.integer('Calendar days from the session of the plan.', wire.NOT_NEGATIVE),
});
const Setup = wire.record('PlanSetup', 'A playbook that fits.', {
  ...StrategyMatch.properties,
  trigger_atr: atrs('Trigger less price'),
  record,
});
const Turn = wire.record('PlanTurn', 'What would change the view.', {
  kind: wire.oneOf(TURN_KINDS, 'Of what it is.'),
  price: usdOrNull('Price at which, USD; null where it is no price.'),
  says: wire.string('In a sentence.'),
});
export type Turn = Static<typeof Turn>;
const Reason = wire.record('PlanReason', 'A reason to look at the stock first.', {
  reason: wire.string('Its kind.'),
  weight: wire.integer('What it adds to the weight of the stock.', wire.NOT_NEGATIVE),
  says: wire.string('In a sentence.'),
});

const PlanStock = wire.record('PlanStock', 'The plan of one stock.', {
  symbol: wire.string('Ticker symbol.'),
  name: wire.nullableString('Company.'),
  simulated: SIMULATED,
  trade_date: wire.date('Session of its figures: that of the plan, or the one before until a print.'),
  updated_at: wire.dateTime('End of its newest bar.'),
  weight: wire.integer('Sum of the weights of its reasons: stocks stand by it.', wire.NOT_NEGATIVE),
  why: wire.listOf(Reason, 'The heaviest first.'),
  halted: wire.flag('True while trading is halted.'),
  price: usdOrNull('Newest price, USD.'),
  close_before: usdOrNull('Official close before the session, USD.'),
  change_pct: wire.nullableNumber('From it to the price, percent.'),
  gap: wire.nullable(Gap),
  overnight: wire.nullable(Overnight),
  atr: usdOrNull('Daily ATR 14, USD.'),
  bias: wire.nullableString('directional_bias.'),
  bullish_tier: wire.nullableString('Tier of the bull side.'),
  bearish_tier: wire.nullableString('Tier of the bear side.'),
  net_score: wire.nullableNumber('net_confluence.', wire.SIGNED_HUNDRED),
  changed: wire.nullable(ScoreChange),
  above: wire.listOf(PlanLevel, 'Three levels above the price, nearest first.'),
  below: wire.listOf(PlanLevel, 'Three levels below, nearest first.'),
  levels_left_out: wire.integer('Levels whose kind held less often than chance.', wire.NOT_NEGATIVE),
  expected_move: wire.nullable(Expected),
  gamma: wire.nullable(Gamma),
  results: wire.nullable(Results),
  news: wire.listOf(NewsItem, 'Since the close before, newest first.'),
  news_since: wire.date('Session of that close.'),
  patterns: wire.listOf(Pattern, 'Confirmed at the close before.'),
  setups: wire.listOf(Setup, 'Playbooks that fit, best first.'),
  turns: wire.listOf(Turn, 'Nearest price first, then the nearest change of the score.'),
  missing,
});
export type PlanStock = Static<typeof PlanStock>;

const PlanMarket = wire.record('PlanMarket', 'The market of the plan.', {
  regime: wire.nullableString('Regime.'),
  index_symbol: wire.nullableString('Index.'),
  index_change_pct: wire.nullableNumber('Its change of the session, percent.'),
  vix: usdOrNull('VIX.'),
  vix_percentile: wire.nullableNumber('Its percentile of a year.', wire.HUNDRED),
  above_sma_50_pct: wire.nullableNumber('Share of stocks above their SMA50, percent.', wire.HUNDRED),
  breadth_of: wire.nullableDate('Session of that share.'),
  early_close: wire.flag('True where trading ends before 16:00.'),
  due: wire.listOf(wire.string('Event.'), 'What is due in the session.'),
});
export type PlanMarket = Static<typeof PlanMarket>;

const SESSION_OF_PLAN = {
  date: wire.date('Session of the plan.'),
  as_of: wire.dateTime('Nothing counts that became known later.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  list: wire.nullableString('Name of the list; null for symbols.'),
};
const LeftOut = wire.listOf(
  wire.record('PlanLeftOut', 'A stock without a plan.', {
    symbol: wire.string('Ticker symbol.'),
    reason: wire.string('Why.'),
  }),
  'Stocks of the list that have none.',
);

export const Plan = wire.record('Plan', 'What matters in a session, by stock.', {
  ...SESSION_OF_PLAN,
  opens_at: wire.dateTime('Open of the session.'),
  closes_at: wire.dateTime('Its close.'),
  market: wire.nullable(PlanMarket),
  changed: wire.listOf(
    wire.string('Ticker symbol.'),
    'Stocks whose bias has changed since the close before.',
  ),
  stocks: wire.listOf(PlanStock, 'The heaviest first, of equal ones in the order of the list.'),
  left_out: LeftOut,
  missing,
});
export type Plan = Static<typeof Plan>;

/** Sessions of the score of a plan. */
const SCORE_SESSIONS = { minimum: 0, maximum: 20, byDefault: 0 };
/** Stocks of which it is, since each session of each is derived. */
export const SCORE_STOCKS = 12;

export const ReviewQuery = parameters(
  optional({
    ...LIST_PARAMETERS,
    date: {
      ...tradeDate,
      description: 'Session, YYYY-MM-DD. Default: the newest that has opened.',
    },
    as_of: asOfParameter,
    sessions: wholeNumber(
      `Sessions up to this one whose plans are counted too, of the first ${SCORE_STOCKS} stocks`,
      SCORE_SESSIONS,
    ),
  }),
);

const { name, family, price, side, distance_atr } = rung;
const ReviewLevel = wire.record(
  'ReviewLevel',
  'A level of the plan, and what became of it where the plan had it.',
  {
    ...{ name, family, price, side, distance_atr },
    with: wire.listOf(wire.string('Name.'), 'Levels within 0.1 ATR beyond it.'),
    ...today,
    reach_atr: atrs('How far price went beyond it once it broke, or back from it once touched'),
    chance: wire.nullableNumber('How often such levels hold by chance.', wire.FRACTION),
  },
);
const { low, high, move, move_pct } = Band.properties;
const ReviewMove = wire.record('ReviewMove', 'The expected move of the plan.', {
  ...{ low, high, move, move_pct },
  position: wire.number('Where the close, or the newest price, is: beyond 1 or -1 outside.'),
  kept: wire.nullableBoolean('Whether the close stayed within; null before it.'),
});
const OUTCOMES = ['not_triggered', 'stopped', 'target', 'open', 'closed', 'no_prices'] as const;
const { strategy, name: called, direction, trigger, stop, target } = StrategyMatch.properties;
const ReviewSetup = wire.record('ReviewSetup', 'A setup of the plan, and what became of it.', {
  ...{ strategy, name: called, direction, trigger, stop, target },
  outcome: wire.nullableOneOf(
    OUTCOMES,
    'open: in the trade; closed: the session ended before stop and target; no_prices: the playbook names none. Null without minutes.',
  ),
  triggered_at: wire.nullableDateTime('End of the bar of the entry.'),
  decided_at: wire.nullableDateTime('End of the bar that reached stop or target.'),
  r: wire.nullableNumber('What it made, in risks, without costs; so far while it is open.'),
});
const ReviewAlert = wire.record('ReviewAlert', 'An alert that fired, and what followed.', {
  symbol: wire.string('Ticker symbol.'),
  says: wire.string('What fired.'),
  fired_at: wire.dateTime('When.'),
  price: usdOrNull('Price then, USD.'),
  after_30m_pct: wire.nullableNumber('From it to the price 30 minutes later, percent; null before that.'),
});
const ReviewStock = wire.record('ReviewStock', 'What became of the plan of a stock.', {
  symbol: wire.string('Ticker symbol.'),
  name: wire.nullableString('Company.'),
  simulated: SIMULATED,
  plan_price: usdOrNull('Price in the plan, USD.'),
  price: usdOrNull('Official close, or the newest price before it, USD.'),
  change_pct: wire.nullableNumber('From the one to the other, percent.'),
  levels: wire.listOf(ReviewLevel, 'Highest first.'),
  expected_move: wire.nullable(ReviewMove),
  setups: wire.listOf(ReviewSetup, 'In the order of the plan.'),
  missing,
});
export type ReviewStock = Static<typeof ReviewStock>;

const count = (description: string) => wire.integer(description, wire.NOT_NEGATIVE);
const COUNTS = {
  levels: count('Levels of the plan.'),
  touched: count('Touched.'),
  held: count('Held.'),
  broken: count('Broken.'),
  chance: wire.nullableNumber(
    'How many of those that were decided hold by chance; null where too few of their kind are counted.',
    wire.NOT_NEGATIVE,
  ),
  moves: count('Expected moves that are over.'),
  kept: count('Kept.'),
  setups: count('Setups with prices.'),
  triggered: count('Triggered.'),
  reached: count('Reached the target.'),
  stopped: count('Stopped.'),
  r: wire.number('Sum of what those triggered made, in risks.'),
};
const ReviewCounts = wire.record('ReviewCounts', 'What of a plan came true.', COUNTS);
export type ReviewCounts = Static<typeof ReviewCounts>;
const ReviewScore = wire.record('ReviewScore', 'Plans of several sessions.', {
  ...COUNTS,
  says: wire.string('In a sentence.'),
  stocks: wire.listOf(wire.string('Ticker symbol.'), `Whose plans: the first ${SCORE_STOCKS} of the list.`),
  days: wire.listOf(
    wire.record('ReviewDay', 'The plan of one session.', { date: wire.date('Session.'), ...COUNTS }),
    'Newest first; sessions without a plan of these stocks are left out.',
  ),
});
export type ReviewScore = Static<typeof ReviewScore>;

export const Review = wire.record('Review', 'The plan of a morning with what became of it.', {
  ...SESSION_OF_PLAN,
  planned_at: wire.dateTime('Instant of the plan.'),
  is_over: wire.flag('Whether the session has closed; before that it speaks of what is over.'),
  says: wire.string('The counts in a sentence.'),
  counts: ReviewCounts,
  stocks: wire.listOf(ReviewStock, 'In the order of the plan.'),
  alerts: wire.listOf(ReviewAlert, 'Alerts of the caller that fired in the session, oldest first.'),
  score: wire.nullable(ReviewScore),
  left_out: LeftOut,
  missing,
});
export type Review = Static<typeof Review>;
