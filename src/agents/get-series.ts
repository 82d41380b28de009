import { Type } from '../base/type.ts';
import { limit, list, symbol, words } from './arguments.ts';
import { type Cell, type Fetch, input, stockLink, type Table, tool } from './tool.ts';
import { unitsOf } from './units.ts';

interface Bars {
  readonly as_of: string;
  readonly source: string;
  readonly symbol: string;
  readonly unfinished: boolean;
  readonly next_cursor: string | null;
  readonly time: readonly string[];
  readonly [column: string]: unknown;
}

interface History {
  readonly as_of: string;
  readonly source: string;
  readonly symbol: string;
  readonly next_cursor: string | null;
  readonly dates: readonly string[];
  readonly states: readonly string[];
  readonly columns: Readonly<Record<string, readonly Cell[]>>;
}

interface Range {
  readonly symbol: string;
  readonly interval?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '1d', '1w'];
const PRICES = ['open', 'high', 'low', 'close', 'volume', 'vwap'];
const end = Type.Optional(Type.String({ maxLength: 40, description: 'Date or RFC 3339' }));

export const getSeries = tool({
  name: 'get_series',
  title: 'Get series',
  description: 'Bars of one stock, or with fields their daily values; by default the newest. Times UTC.',
  input: input({
    symbol,
    interval: words(INTERVALS, 'Of bars; default 1d'),
    fields: Type.Optional(list(5, 'Paths from find_fields')),
    from: end,
    to: end,
    limit: limit(300, 60),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  example: { symbol: 'NVDA', interval: '1d', limit: 20 },
  budget: 8_000,
  endsWithNewest: ({ from }) => from === undefined,
  run: ({ fields, limit = 60, ...range }, fetch) =>
    fields === undefined ? bars({ ...range, limit }, fetch) : history({ ...range, limit }, fields, fetch),
});

async function bars({ symbol, ...query }: Range, fetch: Fetch): Promise<Table> {
  const found = await fetch<Bars>({ path: `/stocks/${encodeURIComponent(symbol)}/bars`, query });
  return {
    as_of: found.as_of,
    source: found.source,
    symbol: found.symbol,
    columns: ['time', ...PRICES],
    units: { open: 'USD', high: 'USD', low: 'USD', close: 'USD', volume: 'shares', vwap: 'USD' },
    rows: found.time.map((time, at) => [
      time.replace(/:00(?:\.000)?Z$/, 'Z'),
      ...PRICES.map((name) => (found[name] as Cell[])[at]!),
    ]),
    notes: found.unfinished ? ['The last bar is still forming.'] : [],
    next: found.next_cursor === null ? null : { cursor: found.next_cursor },
    link: stockLink(symbol),
  };
}

async function history(
  { symbol, interval: _, ...query }: Range,
  fields: readonly string[],
  fetch: Fetch,
): Promise<Table> {
  const path = `/stocks/${encodeURIComponent(symbol)}/history`;
  const found = await fetch<History>({ path, query: { ...query, fields: fields.join(), derive: 'wait' } });
  const all = await unitsOf(fetch);
  const units = fields.flatMap((field) => (all.get(field) ? [[field, all.get(field)!]] : []));
  const open = found.states.filter((state) => state === 'deriving' || state === 'derivable').length;
  return {
    as_of: found.as_of,
    source: found.source,
    symbol: found.symbol,
    columns: ['date', ...fields],
    units: Object.fromEntries(units),
    rows: found.dates.map((date, at) => [date, ...fields.map((field) => found.columns[field]![at]!)]),
    notes: open === 0 ? [] : [`${open} dates are not derived yet; ask again.`],
    next: found.next_cursor === null ? null : { cursor: found.next_cursor },
    link: stockLink(symbol),
  };
}
