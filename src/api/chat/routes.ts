import { type Static, Type } from 'typebox';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
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
import { canonicalSymbol } from '../../base/symbols.ts';
import { requireSymbols } from '../access/viewer.ts';
import {
  getChatContext,
  MAX_TOKENS,
  PAGE_TYPES,
  peekChatContext,
  SECTIONS,
  STOCK_PAGES,
} from './get-chat-context.ts';
import type { AppContext } from '../app-context.ts';
import { sendAnswer } from '../server/answer.ts';
import { stockSymbol, tradeDate, wholeNumber } from '../../base/parameters.ts';
import type { RouteEntry } from '../server/route-entry.ts';
import { faultsOf } from '../server/validation.ts';
import { callerOf } from '../server/authentication.ts';

/** What goes over the wire when an agent asks what it may say. */

const PAGE_LIST = STOCK_PAGES.join(' and ');

const ChatQuery = Type.Object(
  {
    page_type: oneOf(PAGE_TYPES, 'The page that is talked about; it chooses what matters.'),
    symbol: Type.Optional({
      ...stockSymbol,
      description: `Ticker symbol; capitals or not. Required for the pages ${PAGE_LIST}.`,
    }),
    date: Type.Optional(tradeDate),
    max_tokens: Type.Optional(
      wholeNumber('Estimated tokens that the whole answer may take', {
        minimum: MAX_TOKENS.least,
        maximum: MAX_TOKENS.most,
        byDefault: MAX_TOKENS.byDefault,
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

const ChatContext = record('ChatContext', 'What an agent may say of a page, with its proofs.', {
  page_type: oneOf(PAGE_TYPES, 'The page that is talked about.'),
  symbol: nullableString('Ticker symbol; null for a page about no stock.'),
  trade_date: date('The session that the answer is of.'),
  as_of: dateTime('Nothing newer than this counts.'),
  source: oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  market_context: open('ChatMarket', 'Volatility, index, breadth, regime, clock, events and sectors.'),
  stock_data: open('ChatStock', 'What is known of the stock; empty without one.'),
  debate_summary: Debate,
  sector_data: open('ChatSector', 'Standing of the sector, and the stock against its peers.'),
  historical_analogs: listOf(open('ChatAnalog', 'A day that looked alike.'), 'Days that looked alike.'),
  strategy_playbooks: listOf(open('ChatPlaybook', 'A playbook.'), 'Playbooks, those that match first.'),
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

/** What a schema of single fields cannot say: a page about a stock needs to be told which. */
function missingSymbol({ page_type: page, symbol }: Partial<Static<typeof ChatQuery>>): ValidationFault[] {
  if (symbol !== undefined || page === undefined || !STOCK_PAGES.includes(page)) return [];
  const input = { page_type: page };
  return [{ loc: ['query', 'symbol'], msg: 'Field required', type: 'missing', input, ctx: {} }];
}

/** What agents ask. */
export const chatRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/chat/context',
    operationId: 'getChatContext',
    tag: 'chat',
    summary: 'What an agent may say of a page',
    description:
      'The market, a stock, both sides of its case built from facts by rules, its sector and peers, days that looked alike and playbooks, with a fact behind every number of a sentence, made to fit a budget of tokens. What vendors and companies wrote stands under `untrusted_text` alone.',
    scope: 'chat:read',
    querystring: ChatQuery,
    answer: ChatContext,
    example: ({ symbol, date }) => ({ parameters: { page_type: 'stock_detail', symbol, date } }),
    refusals: [401, 403, 404, 429, 503, 504],
    preValidation(request, _reply, done) {
      const missing = missingSymbol(request.query as Partial<Static<typeof ChatQuery>>);
      if (missing.length === 0) done();
      else done(new ValidationRefusal([...missing, ...faultsOf(request)]));
    },
    handler(request, reply) {
      const query = request.query as Static<typeof ChatQuery>;
      const caller = callerOf(request);
      const symbol = query.symbol === undefined ? undefined : canonicalSymbol(query.symbol);
      if (symbol !== undefined) requireSymbols(caller, [symbol]);
      const asked = {
        pageType: query.page_type,
        symbol,
        date: query.date,
        maxTokens: Number(query.max_tokens ?? MAX_TOKENS.byDefault),
      };
      const ready = peekChatContext(context, asked, caller);
      if (ready !== null) return sendAnswer(request, reply, ready);
      return getChatContext(context, asked, caller).then((answer) => sendAnswer(request, reply, answer));
    },
  },
];
