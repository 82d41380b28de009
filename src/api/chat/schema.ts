import { asOfParameter, stockSymbol, tradeDate, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SESSIONS_BEHIND, SIMULATED } from '../../derive/compose.ts';
import { scalar } from '../../texts/verify/text-claim.ts';
import { marketParameter, optional, parameters } from '../answers/parameters.ts';
import { MAX_TOKENS, PAGE_TYPES, SECTIONS, STOCK_PAGES } from './get-chat-context.ts';

/** Longer than any question. */
const QUERY_LENGTH_MAX = 300;

const PAGE_LIST = STOCK_PAGES.join(' and ');

export const ChatQuery = parameters({
  page_type: wire.oneOf(PAGE_TYPES, 'The page that is talked about; it chooses what matters.'),
  ...optional({
    symbol: {
      ...stockSymbol,
      description: `Ticker symbol; capitals or not. Required for the pages ${PAGE_LIST}.`,
    },
    market: marketParameter,
    date: tradeDate,
    as_of: asOfParameter,
    max_tokens: wholeNumber('Estimated tokens that the whole answer may take', {
      minimum: MAX_TOKENS.min,
      maximum: MAX_TOKENS.max,
      byDefault: MAX_TOKENS.byDefault,
    }),
    query: Type.String({
      maxLength: QUERY_LENGTH_MAX,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description:
        'Chooses news, playbooks and facts by words: those that have all of them first, then those that have some; `"a phrase"`, `or` and `-without` as in a web search. What nothing matches, and a blank query, is answered as without it.',
      examples: ['opening range breakout'],
    }),
  }),
});

const open = (title: string, description: string) =>
  Type.Object({}, { title, description, additionalProperties: true });

const ChatFact = wire.record('ChatFact', 'One thing that is known, as it may be quoted.', {
  id: wire.string('Names it within the answer.'),
  label: wire.string('What it is, in words without figures.'),
  value: scalar('As it is quoted: a text repeats it digit by digit.'),
  unit: wire.nullableString('What a number counts; null for a text and for a scale of its own.'),
  instant: wire.dateTime('The instant that it speaks for.'),
  source: wire.string('Where it comes from.'),
});

const Point = wire.record('DebatePoint', 'One argument, made by a rule from facts.', {
  text: wire.string('A sentence. Every figure in it is the value of a fact.'),
  facts: wire.listOf(wire.string('Fact.'), 'Ids of the facts that it rests on.'),
  rule: wire.string('Name of the rule.'),
});

const Case = wire.record('DebateCase', 'The case of one side.', {
  stance: wire.oneOf(['bull', 'bear'], 'Which side.'),
  score: wire.nullable(
    wire.record(
      'DebateScore',
      'The canonical score of the side; null where it is not known or did not fit.',
      {
        fact: wire.string('Id of the fact.'),
        value: wire.number('Points.'),
      },
    ),
  ),
  remark: wire.nullableString('That few facts or none speak for the side; null where enough do.'),
  points: wire.listOf(Point, 'Arguments, the weightiest first.'),
});

const Debate = wire.record('DebateSummary', 'Both sides of the case, and what would change each mind.', {
  bull: Case,
  bear: Case,
  what_would_change: wire.record('ChangesOfMind', 'What would change the mind of each side.', {
    bull: wire.listOf(Point, 'What would change the mind of a bull.'),
    bear: wire.listOf(Point, 'What would change the mind of a bear.'),
  }),
});

const Dropped = wire.record('DroppedItems', 'What the budget cost one section.', {
  section: wire.oneOf(SECTIONS, 'Which section.'),
  items: wire.integer('How many items were left out.', wire.NOT_NEGATIVE),
  shortened: wire.integer(
    'How many items have fewer names or words than they would have.',
    wire.NOT_NEGATIVE,
  ),
});

export const ChatContext = wire.record('ChatContext', 'What an agent may say of a page, with its proofs.', {
  page_type: wire.oneOf(PAGE_TYPES, 'The page that is talked about.'),
  symbol: wire.nullableString('Ticker symbol; null for a page about no stock.'),
  trade_date: wire.date('The session that the answer is of.'),
  sessions_behind: SESSIONS_BEHIND,
  as_of: wire.dateTime('Nothing newer than this counts.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  market_context: open('ChatMarket', 'Volatility, index, breadth, regime, clock, events and sectors.'),
  stock_data: open('ChatStock', 'What is known of the stock; empty without one.'),
  debate_summary: Debate,
  sector_data: open('ChatSector', 'State of the sector, and the stock against its peers.'),
  historical_analogs: wire.listOf(open('ChatAnalog', 'A day that looked alike.'), 'Days that looked alike.'),
  strategy_playbooks: wire.listOf(
    open('ChatPlaybook', 'A playbook.'),
    'Playbooks: those that the query finds, else those whose conditions match.',
  ),
  analog_outcomes: wire.listOf(
    open('ChatOutcome', 'What followed over a number of sessions, with count and dispersion.'),
    'What followed the days that looked alike.',
  ),
  facts: wire.listOf(
    ChatFact,
    'Facts that the query finds, every fact that a sentence quotes, then those behind other numbers.',
  ),
  budget: wire.record('ChatBudget', 'How the answer was made to fit.', {
    max_tokens: wire.integer('What was allowed.'),
    estimated_tokens: wire.integer('What the answer is estimated to take; a tokenizer finds less.'),
    dropped: wire.listOf(Dropped, 'What was left out or shortened; empty where all fitted.'),
  }),
});
