import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { dateOf, DAY_MS } from '../../../src/base/calendar.ts';
import { SCALAR_FIELDS } from '../../../src/derive/scalar-fields.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringHistoriesUpToDate } from '../../../src/pipeline/history-pass.ts';
import { newBearer } from '../../support/access.ts';
import { appOn, bring, freshStore } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';

const NEWEST = '2024-03-11';
const ADDRESS = '/api/graph/v1/panel';
const ARROW = 'application/vnd.apache.arrow.stream';
/** One of each type, and a score. */
const FIELDS = [
  'last_price',
  'price.day_volume',
  'technical.rsi_14',
  'net_confluence',
  'directional_bias',
  'halted',
  'price.minute_timestamp',
  'earnings.next_earnings_date',
].filter((path) => SCALAR_FIELDS.some((field) => field.path === path));

interface Stock {
  readonly symbol: string;
  readonly dates: string[];
  readonly not_derived: string[];
  readonly columns: Record<string, unknown[]>;
}

let app: App;
let server: Awaited<ReturnType<App['server']>>;

/** A market of which a part is kept in columns, the newest session in rows, and a quarter in neither. */
beforeAll(async () => {
  const store = await freshStore();
  app = await appOn(store, { TIGRAPH_NOW: '2024-03-12T12:00:00Z', TIGRAPH_HISTORY_SESSIONS: '20' });
  await bring(app, [
    dailyBars('ACME', '2023-09-01', NEWEST),
    minuteBars('ACME', '2024-03-06', NEWEST),
    dailyBars('BETA', '2024-02-05', '2024-03-01'),
    dailyBars('SPY', '2023-09-01', NEWEST),
  ]);
  await syncGraph(app.context, { kind: 'touched' });
  const { derived } = await bringHistoriesUpToDate(app.context);
  expect(derived).toBeGreaterThan(20);
  server = await app.server();
});

const post = (payload: object, headers: Record<string, string> = {}, query = '') =>
  server.inject({ method: 'POST', url: `${ADDRESS}${query}`, payload, headers });

async function panel(payload: object, query = ''): Promise<{ stocks: Stock[]; as_of: string }> {
  const answer = await post(payload, {}, query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function historyOf(symbol: string, query: string) {
  const answer = await server.inject(
    `/api/graph/v1/stocks/${symbol}/history?fields=${FIELDS.join()}&derive=wait&${query}`,
  );
  const { dates, states, columns } = answer.json();
  const kept = [...dates.keys()].filter((at) => states[at] !== 'no_bar');
  return {
    dates: kept.map((at) => dates[at]),
    columns: Object.fromEntries(
      Object.entries(columns as Record<string, unknown[]>).map(([path, values]) => [
        path,
        kept.map((at) => values[at]),
      ]),
    ),
  };
}

async function refused(payload: object, status: number): Promise<string> {
  const answer = await post(payload);
  expect(answer.statusCode, answer.body).toBe(status);
  return JSON.stringify(answer.json().detail);
}

describe('200', () => {
  it('has the values of each stock’s history: stored in columns, in rows, and derived', async () => {
    const symbols = ['SPY', 'ACME', 'BETA'];
    const range = { from: '2023-12-01', to: NEWEST };
    const { stocks } = await panel({ fields: FIELDS, symbols, ...range });
    expect(stocks.map(({ symbol }) => symbol)).toEqual(symbols);
    for (const { symbol, not_derived, ...stock } of stocks) {
      expect(not_derived).toEqual([]);
      expect(stock).toEqual(await historyOf(symbol, `from=${range.from}&to=${range.to}`));
    }
    expect(stocks[2]!.dates.at(-1)).toBe('2024-03-01');
  });

  it('as Arrow is one long table of the same values, with units and what it is of', async () => {
    const question = { fields: FIELDS, symbols: ['ACME', 'BETA'], from: '2024-01-02' };
    const { stocks, as_of } = await panel(question);
    const table = tableFromIPC((await post(question, { accept: ARROW })).rawPayload);
    expect(table.schema.metadata.get('as_of')).toBe(as_of);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['trade_date', 'symbol', ...FIELDS]);
    expect(table.schema.fields[2]!.metadata.get('unit')).toBe('USD');
    const long = stocks.flatMap(({ symbol, dates, columns }) =>
      dates.map((date, at) => [date, symbol, ...FIELDS.map((path) => columns[path]![at])]),
    );
    const rows = Array.from({ length: table.numRows }, (_, row) =>
      table.schema.fields.map(({ name }) => wireValue(name, table.getChild(name)!.get(row))),
    );
    expect(rows).toEqual(long);
  });

  it('of days that nothing has derived says which they are, where nothing is to be derived', async () => {
    app.context.histories.announce({ symbols: null, dates: null, origin: null });
    const question = { fields: FIELDS, symbols: ['ACME'], from: '2023-10-02', to: '2023-10-31' };
    const [stock] = (await panel({ ...question, derive: 'no' })).stocks as [Stock];
    expect(stock.not_derived).toEqual(stock.dates);
    expect(stock.columns.net_confluence!.every((value) => value === null)).toBe(true);
    expect(stock.columns['technical.rsi_14']!.every((value) => typeof value === 'number')).toBe(true);
  });

  it('is of a list, or of the stocks that pass a screen', async () => {
    await server.inject({
      method: 'PUT',
      url: '/api/graph/v1/watchlists/two',
      payload: { symbols: ['SPY', 'BETA'] },
    });
    const fields = ['last_price'];
    expect((await panel({ fields, list: 'two' })).stocks.map(({ symbol }) => symbol)).toEqual([
      'SPY',
      'BETA',
    ]);
    const screen = { filter: { field: 'symbol', op: '=', value: 'ACME' } };
    expect((await panel({ fields, screen })).stocks.map(({ symbol }) => symbol)).toEqual(['ACME']);
  });

  it('as of a past minute has nothing newer, and of a range without a session typed columns', async () => {
    const question = { fields: FIELDS, symbols: ['ACME'], from: '2024-03-01' };
    const then = await panel(question, '?as_of=2024-03-06T15:00:00Z');
    expect(then.stocks[0]!.dates.at(-1)).toBe('2024-03-06');
    const history = await historyOf('ACME', 'from=2024-03-01&as_of=2024-03-06T15:00:00Z');
    expect(then.stocks[0]!.columns).toEqual(history.columns);
    const none = { fields: FIELDS, symbols: ['ACME'], from: '2024-03-09', to: '2024-03-10' };
    const table = tableFromIPC((await post(none, { accept: ARROW })).rawPayload);
    expect([table.numRows, table.schema.fields.length]).toEqual([0, FIELDS.length + 2]);
  });
});

describe('403', () => {
  it('is the answer of a grant for other symbols', async () => {
    const { database } = app.context;
    const headers = await newBearer({ server, database }, ['stock:read'], { symbols: ['ACME'] });
    const ask = (symbols: string[]) => post({ fields: ['last_price'], symbols }, headers);
    expect((await ask(['ACME'])).statusCode).toBe(200);
    expect((await ask(['ACME', 'SPY'])).json().code).toBe('symbol_not_granted');
  });
});

describe('422', () => {
  it('names fields, symbols and ranges that are wrong, with a way on', async () => {
    const fine = { fields: ['last_price'], symbols: ['ACME'] };
    expect(await refused({ ...fine, fields: ['technical.rsi14', 'nothing'] }, 422)).toContain(
      'technical.rsi_14',
    );
    expect(await refused({ ...fine, symbols: ['ACME', 'NOPE', 'NADA'] }, 422)).toMatch(/NOPE.*NADA/);
    expect(await refused({ ...fine, list: 'two' }, 422)).toContain('send one of them');
    expect(await refused({ fields: ['last_price'] }, 422)).toContain('send one of them');
    expect(await refused({ ...fine, from: '2024-03-11', to: '2024-03-01' }, 422)).toContain(
      'not be after to',
    );
    expect(await refused({ ...fine, from: '1990-01-02' }, 422)).toContain('5200 sessions');
  });
});

/** What JSON has of a value of Arrow. */
function wireValue(name: string, value: unknown): unknown {
  const field = SCALAR_FIELDS.find(({ path }) => path === name);
  if (value === null) return null;
  if (name === 'trade_date' || field?.type === 'date')
    return dateOf(Math.floor(Number(value) / DAY_MS) * DAY_MS);
  if (field?.type === 'instant') return new Date(Number(value)).toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}
