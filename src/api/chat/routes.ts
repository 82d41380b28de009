import type { Static } from 'typebox';
import { type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { requireSymbols } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendAnswer } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { faultsOf } from '../http/validation.ts';
import { getChatContext, MAX_TOKENS, normalQuery, STOCK_PAGES } from './get-chat-context.ts';
import { ChatContext, ChatQuery } from './schema.ts';

/** What a schema of single fields cannot say: a page about a stock needs its symbol. */
function missingSymbol({ page_type: page, symbol }: Partial<Static<typeof ChatQuery>>): ValidationFault[] {
  if (symbol !== undefined || page === undefined || !STOCK_PAGES.includes(page)) return [];
  const input = { page_type: page };
  return [{ loc: ['query', 'symbol'], msg: 'Field required', type: 'missing', input, ctx: {} }];
}

export const chatRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: '/api/graph/v1/chat/context',
    operationId: 'getChatContext',
    tag: 'chat',
    summary: 'What an agent may say of a page',
    description:
      'The market, a stock, both sides of its case built from facts by rules, its sector and peers, days that looked alike and playbooks, with a fact behind every number of a sentence, made to fit a budget of tokens. What vendors and companies wrote is under `untrusted_text` alone.',
    scope: 'chat:read',
    querystring: ChatQuery,
    answer: ChatContext,
    example: ({ symbol, date }) => ({
      parameters: { page_type: 'stock_detail', symbol, date, query: 'opening range breakout' },
    }),
    refusals: [401, 403, 404, 429, 503, 504],
    preValidation(request, _reply, done) {
      const missing = missingSymbol(request.query as Partial<Static<typeof ChatQuery>>);
      if (missing.length === 0) done();
      else done(new ValidationRefusal([...missing, ...faultsOf(request)]));
    },
    handler(request, reply) {
      const query = request.query as Static<typeof ChatQuery>;
      const caller = callerAt(request, context);
      const symbol = query.symbol === undefined ? undefined : canonicalSymbol(query.symbol);
      if (symbol !== undefined) requireSymbols(caller, [symbol]);
      const asked = {
        pageType: query.page_type,
        symbol,
        market: symbol === undefined ? query.market : undefined,
        date: query.date,
        maxTokens: Number(query.max_tokens ?? MAX_TOKENS.byDefault),
        query: normalQuery(query.query),
      };
      return sendAnswer(request, reply, getChatContext(context, asked, caller));
    },
  },
];
