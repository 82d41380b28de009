import { Type } from '../base/type.ts';
import { date, limit, list } from './arguments.ts';
import { fieldCatalogue } from './fields.ts';
import { input, rowsOf, tool } from './tool.ts';

interface Screened {
  readonly date: string;
  readonly as_of: { readonly newest: string | null };
  readonly source: string;
  readonly total: number;
  readonly universe: number;
  readonly rows: readonly object[];
  readonly next_cursor: string | null;
}

const SELECTED = ['last_price', 'intraday_return_pct', 'net_confluence'];

export const screen = tool({
  name: 'screen',
  title: 'Screen stocks',
  description:
    'Stocks that fulfil conditions: {field, op, value} or {all|any: […]}, {not: …}; op <, <=, =, !=, >=, >, between, in …',
  input: input({
    filter: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
    sort: Type.Optional(
      Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
        maxItems: 5,
        description: '{field, order}',
      }),
    ),
    select: Type.Optional(list(8, 'Fields to show')),
    date,
    limit: limit(50, 20),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  example: { filter: { field: 'technical.rsi_14', op: '<', value: 30 }, select: ['last_price'], limit: 10 },
  budget: 3_000,
  async run({ select = SELECTED, limit = 20, ...asked }, fetch) {
    const body = { ...asked, select, limit };
    const { marksOf } = await fieldCatalogue();
    const found = await fetch<Screened>({ method: 'POST', path: '/screener', body });
    const columns = ['symbol', ...select.filter((name) => name !== 'symbol')];
    return {
      as_of: found.as_of.newest,
      source: found.source,
      date: found.date,
      columns,
      ...marksOf(select),
      rows: rowsOf(found.rows, columns),
      notes: [`${found.total} of ${found.universe} stocks pass.`],
      next: found.next_cursor === null ? null : { cursor: found.next_cursor },
      link: '/screener',
    };
  },
});
