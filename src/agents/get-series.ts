import { newYorkClock, tradeDateOf } from '../base/time-zone.ts';
import { Type } from '../base/type.ts';
import { limit, list, symbol, words } from './arguments.ts';
import { fieldCatalogue } from './fields.ts';
import { type Cell, type Fetch, input, picked, type Sourced, stockLink, type Table, tool } from './tool.ts';

interface Bars extends Sourced {
  readonly symbol: string;
  readonly unfinished: boolean;
  readonly next_cursor: string | null;
  readonly time: readonly string[];
  readonly [column: string]: unknown;
}

interface History extends Sourced {
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
const end = Type.Optional(Type.String({ maxLength: 40, description: 'Or RFC 3339' }));

export const getSeries = tool({
  name: 'get_series',
  title: 'Get series',
  description:
    'Bars of one stock, or with fields their daily values; by default the newest. Times of New York.',
  input: input({
    symbol,
    interval: words(INTERVALS, 'Default 1d'),
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
  const times = timesOf(found.time, /^\d+[mh]$/.test(query.interval ?? ''));
  return {
    ...picked(found, 'as_of', 'source', 'symbol'),
    ...(times.date !== null && { date: times.date }),
    columns: ['time', ...PRICES],
    units: { open: 'USD', high: 'USD', low: 'USD', close: 'USD', volume: 'shares', vwap: 'USD' },
    rows: times.shown.map((time, at) => [time, ...PRICES.map((name) => (found[name] as Cell[])[at]!)]),
    notes: found.unfinished ? ['The last bar is still forming.'] : [],
    next: found.next_cursor === null ? null : { cursor: found.next_cursor },
    link: stockLink(symbol),
  };
}

/** Dates of days and weeks; of bars within a day the clock of New York, behind their date unless all have the same. */
function timesOf(
  times: readonly string[],
  isIntraday: boolean,
): { date: string | null; shown: readonly string[] } {
  if (!isIntraday) return { date: null, shown: times };
  const instants = times.map((time) => Date.parse(time));
  const dates = instants.map(tradeDateOf);
  const isOneDay = new Set(dates).size === 1;
  const clocks = instants.map(newYorkClock);
  return isOneDay
    ? { date: dates[0]!, shown: clocks }
    : { date: null, shown: clocks.map((clock, at) => `${dates[at]} ${clock}`) };
}

async function history(
  { symbol, interval: _, ...query }: Range,
  fields: readonly string[],
  fetch: Fetch,
): Promise<Table> {
  const path = `/stocks/${encodeURIComponent(symbol)}/history`;
  const found = await fetch<History>({ path, query: { ...query, fields: fields.join(), derive: 'wait' } });
  const { marksOf } = await fieldCatalogue();
  const open = found.states.filter((state) => state === 'deriving' || state === 'derivable').length;
  return {
    ...picked(found, 'as_of', 'source', 'symbol'),
    columns: ['date', ...fields],
    ...marksOf(fields),
    rows: found.dates.map((date, at) => [date, ...fields.map((field) => found.columns[field]![at]!)]),
    facts: 'stock.PATH, of the newest date',
    notes: open === 0 ? [] : [`${open} dates are not derived yet; ask again.`],
    next: found.next_cursor === null ? null : { cursor: found.next_cursor },
    link: stockLink(symbol),
  };
}
