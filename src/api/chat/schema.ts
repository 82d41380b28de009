import { Type } from 'typebox';
import { stockSymbol, tradeDate, wholeNumber } from '../../base/parameters.ts';
import {
  date,
  dateTime,
  integer,
  listOf,
  nullable,
  nullableString,
  number,
  oneOf,
  record,
  string,
} from '../../base/schema.ts';
import { MAX_TOKENS, PAGE_TYPES, SECTIONS, STOCK_PAGES } from './get-chat-context.ts';

/** Longer than any question. */
const QUERY_LENGTH_MAX = 300;

const PAGE_LIST = STOCK_PAGES.join(' and ');

export const ChatQuery = Type.Object(
  {
    page_type: oneOf(PAGE_TYPES, 'The page that is talked about; it chooses what matters.'),
    symbol: Type.Optional({
      ...stockSymbol,
      description: `Ticker symbol; capitals or not. Required for the pages ${PAGE_LIST}.`,
    }),
    date: Type.Optional(tradeDate),
    max_tokens: Type.Optional(
      wholeNumber('Estimated tokens that the whole answer may take', {
        minimum: MAX_TOKENS.min,
        maximum: MAX_TOKENS.max,
        byDefault: MAX_TOKENS.byDefault,
      }),
    ),
    query: Type.Optional(
      Type.String({
        maxLength: QUERY_LENGTH_MAX,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
        description:
          'Chooses news and playbooks by words: those that have all of them first, then those that have some; `"a phrase"`, `or` and `-without` as in a web search. What nothing matches, and a blank query, is answered as without it.',
        examples: ['opening range breakout'],
      }),
    ),
  },
  { additionalProperties: false },
);

const open = (title: string, description: string) =>
  Type.Object({}, { title, description, additionalProperties: true });

const Quoted = Type.Unsafe<number | string | boolean>({
  type: ['number', 'string', 'boolean'],
  description: 'As it is quoted: a text repeats it digit by digit.',
});

const ChatFact = record('ChatFact', 'One thing that is known, as it may be quoted.', {
  id: string('Names it within the answer.'),
  label: string('What it is, in words without figures.'),
  value: Quoted,
  unit: nullableString('What a number counts; null for a text and for a scale of its own.'),
  instant: dateTime('The instant that it speaks for.'),
  source: string('Where it comes from.'),
});

const Point = record('DebatePoint', 'One argument, made by a rule from facts.', {
  text: string('A sentence. Every figure in it is the value of a fact.'),
  facts: listOf(string('Fact.'), 'Ids of the facts that it rests on.'),
  rule: string('Name of the rule.'),
});

const Case = record('DebateCase', 'The case of one side.', {
  stance: oneOf(['bull', 'bear'], 'Which side.'),
  score: nullable(
    record('DebateScore', 'The canonical score of the side.', {
      fact: string('Id of the fact.'),
      value: number('Points.'),
    }),
  ),
  remark: nullableString('That few facts or none speak for the side; null where enough do.'),
  points: listOf(Point, 'Arguments, the weightiest first.'),
});

const Debate = record('DebateSummary', 'Both sides of the case, and what would change each mind.', {
  bull: Case,
  bear: Case,
  what_would_change: record('ChangesOfMind', 'What would change the mind of each side.', {
    bull: listOf(Point, 'What would change the mind of a bull.'),
    bear: listOf(Point, 'What would change the mind of a bear.'),
  }),
});

const Dropped = record('DroppedItems', 'What was left out of one section.', {
  section: oneOf(SECTIONS, 'Which section.'),
  items: integer('How many items.', { minimum: 1 }),
  reason: oneOf(['over_budget'], 'Why.'),
});

export const ChatContext = record('ChatContext', 'What an agent may say of a page, with its proofs.', {
  page_type: oneOf(PAGE_TYPES, 'The page that is talked about.'),
  symbol: nullableString('Ticker symbol; null for a page about no stock.'),
  trade_date: date('The session that the answer is of.'),
  as_of: dateTime('Nothing newer than this counts.'),
  source: oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  market_context: open('ChatMarket', 'Volatility, index, breadth, regime, clock, events and sectors.'),
  stock_data: open('ChatStock', 'What is known of the stock; empty without one.'),
  debate_summary: Debate,
  sector_data: open('ChatSector', 'State of the sector, and the stock against its peers.'),
  historical_analogs: listOf(open('ChatAnalog', 'A day that looked alike.'), 'Days that looked alike.'),
  strategy_playbooks: listOf(
    open('ChatPlaybook', 'A playbook.'),
    'Playbooks: those that the query finds, else those whose conditions match.',
  ),
  analog_outcomes: listOf(
    open('ChatOutcome', 'What followed over a number of sessions, with count and dispersion.'),
    'What followed the days that looked alike.',
  ),
  facts: listOf(ChatFact, 'Every fact that a sentence quotes, then those behind other numbers.'),
  budget: record('ChatBudget', 'How the answer was made to fit.', {
    max_tokens: integer('What was allowed.'),
    estimated_tokens: integer('What the answer is estimated to take; a tokenizer finds less.'),
    dropped: listOf(Dropped, 'What was left out; empty where all fitted.'),
  }),
});
