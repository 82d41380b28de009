import { Type } from '../base/type.ts';
import { date, limit, list } from './arguments.ts';
import { fieldCatalogue } from './fields.ts';
import { type ArgumentSchema, readArgument } from './read-arguments.ts';
import { input, rowsOf, tool } from './tool.ts';

interface Screened {
  readonly date: string;
  readonly as_of: { readonly newest: string | null };
  readonly source: string;
  readonly total: number;
  readonly universe: number;
  readonly unknown: number;
  readonly rows: readonly object[];
  readonly next_cursor: string | null;
}

const SELECTED = ['price.day_price', 'price.change_pct', 'net_confluence'];

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
    select: Type.Optional(list(8, 'Fields')),
    date,
    limit: limit(50, 20),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  example: { filter: { field: 'technical.rsi_14', op: '<', value: 30 }, select: ['last_price'], limit: 10 },
  budget: 3_000,
  async run({ select = SELECTED, limit = 20, filter, ...asked }, fetch) {
    const { marksOf, typeOf } = await fieldCatalogue();
    const body = { ...asked, filter: conditionOf(filter, typeOf), select, limit };
    const found = await fetch<Screened>({ method: 'POST', path: '/screener', body });
    const columns = ['symbol', ...select.filter((name) => name !== 'symbol')];
    return {
      as_of: found.as_of.newest,
      source: found.source,
      date: found.date,
      columns,
      ...marksOf(select),
      rows: rowsOf(found.rows, columns),
      notes: [`${found.total} of ${found.universe} stocks pass; ${found.unknown} unknown.`],
      next: found.next_cursor === null ? null : { cursor: found.next_cursor },
      link: '/screener',
    };
  },
});

const LISTS = ['between', 'in', 'not_in'];

/** A condition whose groups and values may be text as an argument may, by the types of its fields. */
function conditionOf(node: unknown, typeOf: (path: string) => string): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
  const read = Object.entries(node).map(([key, value]) => {
    if (key === 'not') return [key, conditionOf(readArgument({ type: 'object' }, value), typeOf)];
    if (key === 'value') return [key, readArgument(valueSchema(node as Condition, typeOf), value)];
    const group = readArgument({ type: 'array', items: { type: 'object' } }, value);
    if ((key !== 'all' && key !== 'any') || !Array.isArray(group)) return [key, value];
    return [key, group.map((each) => conditionOf(each, typeOf))];
  });
  return Object.fromEntries(read);
}

interface Condition {
  readonly field?: unknown;
  readonly op?: unknown;
}

/** A text stays as it is: names of companies hold commas and quotation marks. */
function valueSchema({ field, op }: Condition, typeOf: (path: string) => string): ArgumentSchema {
  const type = typeof field === 'string' ? typeOf(field) : 'text';
  const one =
    type === 'text' ? FREE_TEXT : { type: ['number', 'integer', 'boolean'].includes(type) ? type : 'string' };
  return LISTS.includes(String(op)) ? { type: 'array', items: one } : one;
}

const FREE_TEXT = { type: 'string', contentMediaType: 'text/plain' };
