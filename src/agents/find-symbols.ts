import { Type } from '../base/type.ts';
import { freeText, limit } from './arguments.ts';
import { untrusted } from './fields.ts';
import { input, picked, rowsOf, type Sourced, tool } from './tool.ts';

interface Symbols extends Sourced {
  readonly symbols: readonly object[];
  readonly next_cursor: string | null;
}

const LIMIT = 20;

export const findSymbols = tool({
  name: 'find_symbols',
  title: 'Find symbols',
  description:
    'Stocks by ticker or company name; without q, what is loaded. Use it before guessing a ticker.',
  input: input({
    q: Type.Optional(freeText(0, 100)),
    limit: limit(LIMIT, LIMIT),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  example: { q: 'micro', limit: 5 },
  budget: 800,
  async run({ q, limit = LIMIT, cursor }, fetch) {
    const found = await fetch<Symbols>({ path: '/symbols', query: { q, limit, cursor } });
    return {
      ...picked(found, 'as_of', 'source'),
      ...untrusted(['name', 'sector']),
      columns: ['symbol', 'name', 'sector', 'first_date', 'last_date', 'simulated'],
      rows: rowsOf(found.symbols, 'symbol name sector first_session last_session simulated'.split(' ')),
      next: found.next_cursor === null ? null : { cursor: found.next_cursor },
      link: '/screener',
    };
  },
});
