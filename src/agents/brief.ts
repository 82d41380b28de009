import { Type } from '../base/type.ts';
import { date, freeText, words } from './arguments.ts';
import { input, stockLink, type Table, tool } from './tool.ts';

const PAGES = ['stock_detail', 'options', 'screener', 'market', 'backtest'] as const;

export const brief = tool({
  name: 'brief',
  title: 'Brief',
  description:
    'The whole picture of a stock or the market within max_tokens: facts with ids, bull and bear case, peers, analogs, playbooks. Start here.',
  input: input({
    symbol: Type.Optional(Type.String({ maxLength: 20 })),
    page: words(PAGES, 'Default by symbol'),
    date,
    query: Type.Optional(freeText(0, 300, 'What matters, in words')),
    max_tokens: Type.Optional(Type.Integer({ minimum: 500, maximum: 8_000, description: 'Default 2000' })),
  }),
  example: { symbol: 'NVDA', max_tokens: 1500 },
  renamed: { page_type: 'page' },
  // The context fits itself, by an estimate of its own.
  budget: Number.POSITIVE_INFINITY,
  async run({ symbol, page, date, query, max_tokens = 2_000 }, fetch) {
    const page_type = page ?? (symbol === undefined ? 'market' : 'stock_detail');
    const asked = { page_type, symbol, date, query, max_tokens };
    const context = await fetch<Table>({ path: '/chat/context', query: asked });
    return { ...context, link: symbol === undefined ? '/market' : stockLink(symbol, date) };
  },
});
