import { describe, expect, it } from 'vitest';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import { chunks } from '../../../src/base/chunks.ts';
import { nextTurn } from '../../../src/base/timers.ts';
import { SCALAR_FIELDS } from '../../../src/derive/scalar-fields.ts';
import { writeStockDays } from '../../../src/graph/stock-days.ts';
import { newBearer } from '../../support/access.ts';
import { expectRefused, faultsOf } from '../../support/answers.ts';
import { appOn, bring, freshApp, freshStore, serverOf } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';
import { type ScreenValues, screenDay } from '../../support/screens.ts';
import { words } from '../../support/tables.ts';

/** The contract of `POST /api/graph/v1/screener` and its catalogue of fields, by status. */

const URL = '/api/graph/v1/screener';
/** The session of the sixth runs; that of the fifth is over. */
const NOW = '2024-03-06T15:30:30Z';

const STOCKS: Readonly<Record<string, ScreenValues>> = {
  AAA: { last_price: 10, rel_volume: 2, directional_bias: 'bullish', 'technical.rsi_14': 25, halted: false },
  BBB: { last_price: 20, rel_volume: 1, directional_bias: 'neutral', 'technical.rsi_14': 55, halted: false },
  CCC: { last_price: 30, rel_volume: 3, directional_bias: 'bearish', 'technical.rsi_14': 75, halted: true },
  DDD: {
    last_price: 40,
    rel_volume: null,
    directional_bias: 'bullish',
    'technical.rsi_14': null,
    halted: false,
  },
  EEE: {
    last_price: 50,
    rel_volume: 1,
    company_name: `'); drop table stock_day; --`,
    'levels.prior_date': '2024-03-04',
    'levels.pdh': 45,
    updated_at: '2024-03-05T21:00:00.000Z',
  },
};

const post = (payload: unknown, headers: Record<string, string> = {}, to = server) =>
  to.inject({
    method: 'POST',
    url: URL,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

const bearerOf = (...scopes: AccessScope[]) => newBearer({ server, database: app.context.database }, scopes);

const symbolsOf = ({ rows }: { rows: { symbol: string }[] }): string[] => rows.map(({ symbol }) => symbol);

/** Symbols that a filter finds on the fifth. */
async function found(filter: unknown, more: object = {}): Promise<string[]> {
  const response = await post({ date: '2024-03-05', filter, ...more });
  expect(response.statusCode, response.body).toBe(200);
  return symbolsOf(response.json());
}

const { app, store } = await freshApp({ TIGRAPH_NOW: NOW });
const days = (date: string, asOf: string) =>
  Object.entries(STOCKS).map(([symbol, values]) => screenDay(symbol, date, asOf, values));
await writeStockDays(app.context.database, [
  ...days('2024-03-04', '2024-03-05T01:00:00Z'),
  ...days('2024-03-05', '2024-03-06T01:00:00Z'),
  ...days('2024-03-06', '2024-03-06T15:30:00Z'),
]);
const server = await serverOf(app);

describe('200', () => {
  it('answers a screen with the requested fields', async () => {
    const response = await post({
      date: '2024-03-05',
      filter: {
        all: [
          { field: 'last_price', op: '>=', value: 10 },
          { field: 'rel_volume', op: '>', value: 1.5 },
        ],
      },
      computed: { dollars: 'last_price * rel_volume' },
      sort: [{ field: 'computed.dollars', order: 'desc' }],
      select: ['last_price', 'computed.dollars', 'halted', 'directional_bias', 'levels.pdh'],
      near_misses: 2,
      limit: 1,
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'authorization, accept-encoding',
    });
    expect(response.json()).toEqual({
      date: '2024-03-05',
      sessions_behind: 0,
      as_of: { oldest: '2024-03-06T01:00:00.000Z', newest: '2024-03-06T01:00:00.000Z' },
      source: 'delayed',
      simulated: false,
      total: 2,
      universe: 5,
      unknown: 1,
      rows: [
        {
          symbol: 'CCC',
          last_price: 30,
          'computed.dollars': 90,
          halted: true,
          directional_bias: 'bearish',
          'levels.pdh': null,
        },
      ],
      near_misses: [
        {
          symbol: 'BBB',
          failed: 'filter.all.1',
          condition: { field: 'rel_volume', op: '>', value: 1.5 },
          distance: 0.5,
          value: 1,
        },
        {
          symbol: 'EEE',
          failed: 'filter.all.1',
          condition: { field: 'rel_volume', op: '>', value: 1.5 },
          distance: 0.5,
          value: 1,
        },
      ],
      next_cursor: expect.stringMatching(/^[\w-]+$/),
    });
  });

  it('answers every stock without a filter, with the fields that most screens show', async () => {
    const answer = (await post({})).json();
    expect(answer).toMatchObject({
      date: '2024-03-05',
      total: 5,
      universe: 5,
      near_misses: [],
      next_cursor: null,
    });
    expect(symbolsOf(answer)).toEqual(['AAA', 'BBB', 'CCC', 'DDD', 'EEE']);
    expect(Object.keys(answer.rows[0])).toEqual(
      words`
      symbol company_name price.day_price price.change_pct rel_volume bullish_confluence bearish_confluence
      net_confluence directional_bias`,
    );
  });

  it.each([
    ['a range', { field: 'last_price', op: 'between', value: [20, 40] }, 'BBB CCC DDD'],
    ['a set', { field: 'symbol', op: 'in', value: ['EEE', 'AAA', 'ZZZ'] }, 'AAA EEE'],
    ['a word', { field: 'directional_bias', op: '=', value: 'bullish' }, 'AAA DDD'],
    ['a flag', { field: 'halted', op: '=', value: true }, 'CCC'],
    ['a date', { field: 'levels.prior_date', op: '>=', value: '2024-03-04' }, 'EEE'],
    ['an instant', { field: 'updated_at', op: '<', value: '2024-03-05T22:00:00Z' }, 'EEE'],
    ['another field', { field: 'last_price', op: '>', other: 'levels.pdh' }, 'EEE'],
    ['what is absent', { field: 'rel_volume', op: 'is_null' }, 'DDD'],
    ['what is there', { field: 'technical.rsi_14', op: 'not_null' }, 'AAA BBB CCC'],
    [
      'a negation, of which absent values know nothing',
      { not: { field: 'rel_volume', op: '>', value: 1 } },
      'BBB EEE',
    ],
    [
      'a tree',
      {
        any: [
          {
            all: [
              { field: 'technical.rsi_14', op: '<', value: 30 },
              { field: 'rel_volume', op: '>=', value: 2 },
            ],
          },
          { field: 'last_price', op: '>', value: 45 },
        ],
      },
      'AAA EEE',
    ],
  ])('screens on %s', async (_, filter, symbols) => {
    expect((await found(filter)).join(' ')).toBe(symbols);
  });

  it('shows values as the stock detail does', async () => {
    const select = ['updated_at', 'levels.prior_date', 'company_name', 'halted'];
    const response = await post({
      date: '2024-03-05',
      filter: { field: 'symbol', op: '=', value: 'EEE' },
      select,
    });
    expect(response.json().rows).toEqual([
      {
        symbol: 'EEE',
        updated_at: '2024-03-05T21:00:00.000Z',
        'levels.prior_date': '2024-03-04',
        company_name: "'); drop table stock_day; --",
        halted: null,
      },
    ]);
  });

  it('leafs through pages, and has them again in any order of their keys', async () => {
    const screen = { date: '2024-03-05', sort: [{ field: 'last_price', order: 'desc' }], limit: 2 };
    const first = (await post(screen)).json();
    const second = (await post({ cursor: first.next_cursor, ...screen })).json();
    const again = {
      limit: 1,
      cursor: second.next_cursor,
      sort: [{ order: 'desc', field: 'last_price' }],
      date: '2024-03-05',
    };
    const third = (await post(again)).json();
    expect([first, second, third].map(symbolsOf)).toEqual([['EEE', 'DDD'], ['CCC', 'BBB'], ['AAA']]);
    expect([first, second, third].map(({ total }) => total)).toEqual([5, 5, 5]);
    expect(third.next_cursor).toBeNull();
  });

  it('reports near misses once, on the first page', async () => {
    const screen = {
      date: '2024-03-05',
      filter: { field: 'last_price', op: '<', value: 45 },
      near_misses: 3,
      limit: 1,
    };
    const first = (await post(screen)).json();
    expect(first.near_misses.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['EEE']);
    expect((await post({ ...screen, cursor: first.next_cursor })).json().near_misses).toEqual([]);
  });

  it('names the path of a group that failed, and no value', async () => {
    const group = {
      any: [
        { field: 'last_price', op: '<', value: 5 },
        { field: 'halted', op: '=', value: true },
      ],
    };
    const filter = { all: [{ field: 'last_price', op: '<', value: 15 }, group] };
    const { near_misses: misses } = (await post({ date: '2024-03-05', filter, near_misses: 5 })).json();
    expect(misses).toContainEqual({
      symbol: 'AAA',
      failed: 'filter.all.1',
      condition: group,
      distance: null,
      value: null,
    });
  });

  it('takes texts as they are: none is run, spliced or looked up', async () => {
    for (const value of [
      `' or 1=1 --`,
      `\${process.exit()}`,
      '__proto__',
      'constructor',
      '\u0000',
      '%',
      '<script>',
    ]) {
      expect(await found({ field: 'company_name', op: '=', value }), value).toEqual([]);
    }
    expect(await found({ field: 'company_name', op: '=', value: `'); drop table stock_day; --` })).toEqual([
      'EEE',
    ]);
    expect((await post({})).json().total).toBe(5);
  });

  it('lists every field that may be filtered, and its operators', async () => {
    const response = await server.inject({ url: `${URL}/fields` });
    expect(response.statusCode).toBe(200);
    const { fields } = response.json();
    expect(fields.map(({ path }: { path: string }) => path)).toEqual(SCALAR_FIELDS.map(({ path }) => path));
    const byPath = new Map(fields.map((field: { path: string }) => [field.path, field]));
    expect(byPath.get('last_price')).toMatchObject({ type: 'number', unit: 'USD', include: null });
    expect(byPath.get('levels.pdh')).toMatchObject({ type: 'number', include: 'levels' });
    expect(byPath.get('directional_bias')).toMatchObject({
      words: ['bullish', 'bearish', 'neutral'],
      operators: ['=', '!=', 'in', 'not_in', 'is_null', 'not_null'],
    });
    const known = await server.inject({
      url: `${URL}/fields`,
      headers: { 'if-none-match': String(response.headers.etag) },
    });
    expect(known.statusCode).toBe(304);
  });

  it('screens on every field of the catalogue with every operator that it names', async () => {
    const values: Readonly<Record<string, unknown>> = {
      number: 1.5,
      integer: 2,
      boolean: true,
      date: '2024-03-05',
      instant: '2024-03-05T20:00:00Z',
    };
    const CONDITIONS_AT_ONCE = 400;
    const { fields } = (await server.inject({ url: `${URL}/fields` })).json();
    for (const operator of words`= != < <= > >= between in not_in is_null not_null`) {
      const conditions = fields.flatMap(
        (field: { path: string; type: string; words: string[] | null; operators: string[] }) => {
          if (!field.operators.includes(operator)) return [];
          const value = values[field.type] ?? field.words?.[0] ?? 'a text';
          const asked = operator === 'between' ? [value, value] : operator.endsWith('in') ? [value] : value;
          return [
            { field: field.path, op: operator, ...(operator.endsWith('null') ? {} : { value: asked }) },
          ];
        },
      );
      for (const some of chunks<object>(conditions, CONDITIONS_AT_ONCE)) {
        const response = await post({ date: '2024-03-05', filter: { any: some } });
        expect(response.statusCode, `${operator}: ${response.body.slice(0, 500)}`).toBe(200);
      }
    }
  });
});

describe('who may see what', () => {
  it('shows a caller with the real-time feed the session that runs, and one without it the last whole one', async () => {
    const headers = await bearerOf('screener:read', 'market-data:realtime');
    const live = (await post({}, headers)).json();
    expect([live.date, live.source, live.as_of.newest]).toEqual([
      '2024-03-06',
      'realtime_sip',
      '2024-03-06T15:30:00.000Z',
    ]);
    const delayed = (await post({})).json();
    expect([delayed.date, delayed.source]).toEqual(['2024-03-05', 'delayed']);
    const withToken = (await post({}, await bearerOf('screener:read'))).json();
    expect([withToken.date, withToken.source]).toEqual(['2024-03-05', 'delayed']);
  });

  it('gives no page of the one feed for a cursor of the other', async () => {
    const headers = await bearerOf('screener:read', 'market-data:realtime');
    const { next_cursor: cursor } = (await post({ limit: 2 }, headers)).json();
    expect((await post({ limit: 2, cursor }, headers)).statusCode).toBe(200);
    const response = await post({ limit: 2, cursor });
    expect([response.statusCode, response.json().detail[0].loc]).toEqual([422, ['body', 'cursor']]);
  });
});

describe('404', () => {
  it('names the nearest session of a date that is none', async () => {
    await expectRefused(post({ date: '2024-03-03' }), 404, 'no_session', '2024-03-04');
  });

  it.each([
    ['a date before all that is stored', '2024-01-03'],
    ['a date to come', '2024-03-08'],
    ['the session that runs, for a caller without the real-time feed', '2024-03-06'],
  ])('has nothing for %s, and names the newest date that may be seen', async (_, date) => {
    await expectRefused(post({ date }), 404, 'no_data_for_date', '2024-03-05');
  });

  it('has nothing where nothing is stored', async () => {
    const empty = await freshStore();
    const bare = await appOn(empty, { TIGRAPH_NOW: NOW });
    const answering = await serverOf(bare);
    await expectRefused(post({}, {}, answering), 404, 'no_data_for_date');
    // What was imported is said to be on its way.
    await bring(bare, [dailyBars('AAA', '2024-02-01', '2024-03-05')]);
    const pending = await post({}, {}, answering);
    expect([pending.statusCode, pending.json().detail]).toEqual([
      404,
      'No session to screen yet: the stocks that were imported are still derived, ask again in a moment',
    ]);
  });
});

describe('413 and 415', () => {
  it('reads no more than 256 KiB', async () => {
    const refused = post({ filter: { field: 'company_name', op: '=', value: 'x'.repeat(262_144) } });
    await expectRefused(refused, 413, 'payload_too_large', '262144 bytes');
  });

  it('reads JSON alone', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const response = await post('filter=all', { 'content-type': type });
      expect([response.statusCode, response.json().detail]).toEqual([
        415,
        expect.stringContaining('application/json'),
      ]);
    }
  });
});

describe('410', () => {
  it('says that pages are gone when neither they nor the rows they were cut from are there', async () => {
    const screen = { date: '2024-03-04', limit: 2 };
    const { next_cursor: cursor } = (await post(screen)).json();
    const changed = screenDay('AAA', '2024-03-04', '2024-03-05T01:00:00Z', { last_price: 11 });
    await writeStockDays(app.context.database, [changed]);
    expect((await post({ ...screen, cursor })).statusCode).toBe(200);
    const other = await appOn(store, { TIGRAPH_NOW: NOW });
    const answering = await serverOf(other);
    await expectRefused(post({ ...screen, cursor }, {}, answering), 410, 'cursor_expired');
  });
});

/** Places and kinds of the faults of a body. */
async function faults(payload: unknown): Promise<string[]> {
  const response = await post(payload);
  expect(response.statusCode, response.body.slice(0, 500)).toBe(422);
  return faultsOf(response);
}

describe('422', () => {
  it.each([
    ['no JSON', '{', ['body,json_invalid']],
    ['no record', [], ['body,dict_type']],
    ['an unknown key', { filters: {} }, ['body,filters,extra_forbidden']],
    ['a limit of nothing', { limit: 0 }, ['body,limit,greater_than_equal']],
    ['a limit beyond all bounds', { limit: 501 }, ['body,limit,less_than_equal']],
    ['a limit that is a text', { limit: '50' }, ['body,limit,int_type']],
    ['half a stock', { limit: 1.5 }, ['body,limit,int_type']],
    ['a date of another shape', { date: '5 March' }, ['body,date,string_pattern_mismatch']],
    ['a date of no calendar', { date: '2024-02-30' }, ['body,date,date_parsing']],
    ['a cursor that was never given out', { cursor: 'abc' }, ['body,cursor,value_error']],
    ['a cursor without end', { cursor: 'a'.repeat(201) }, ['body,cursor,string_too_long']],
    [
      'faults of the page and of the screen together',
      { limit: 0, filter: { field: 'x', op: 'is_null' } },
      ['body,limit,greater_than_equal', 'body,filter,field,literal_error'],
    ],
  ])('refuses %s', async (_, payload, expected) => {
    expect(await faults(payload)).toEqual(expected);
  });

  it('refuses the cursor of another screen, and one that was made up', async () => {
    const { next_cursor: cursor } = (await post({ limit: 2 })).json();
    expect(await faults({ limit: 2, cursor, sort: [{ field: 'last_price' }] })).toEqual([
      'body,cursor,value_error',
    ]);
    expect(await faults({ limit: 2, cursor, date: '2024-03-04' })).toEqual(['body,cursor,value_error']);
    const [date, version, screen] = Buffer.from(cursor, 'base64url').toString().split('|');
    const beyond = Buffer.from([date, version, screen, '5'].join('|')).toString('base64url');
    expect(await faults({ limit: 2, cursor: beyond })).toEqual(['body,cursor,value_error']);
  });

  it.each([
    ['a loop', 'while (true) {}'],
    ['a call of nothing that is there', 'process.exit(1)'],
    ['a constructor', 'constructor.constructor("return 1")()'],
    ['an assignment', 'last_price = 1'],
    ['a statement of a store', '1); delete from fact; --'],
    ['ten thousand parts', Array.from({ length: 10_000 }, () => 'last_price').join(' + ')],
    ['ten thousand brackets', `${'('.repeat(10_000)}last_price${')'.repeat(10_000)}`],
  ])('refuses an expression with %s, at its place', async (_, text) => {
    const listed = await faults({ computed: { x: text } });
    expect(listed.length).toBeGreaterThan(0);
    for (const fault of listed) expect(fault).toMatch(/^body,computed,x,/);
    expect((await post({})).statusCode).toBe(200);
  });

  it('refuses a tree of many thousand conditions, and one without a floor', async () => {
    const many = { any: Array.from({ length: 5_000 }, () => ({ field: 'halted', op: 'is_null' })) };
    expect((await faults({ filter: many })).length).toBeGreaterThan(0);
    const deep = `${'{"not":'.repeat(20_000)}{"field":"halted","op":"is_null"}${'}'.repeat(20_000)}`;
    expect((await faults(`{"filter":${deep}}`)).length).toBeGreaterThan(0);
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await faults(`{"filter":${lists}}`)).length).toBeGreaterThan(0);
  });

  it('repeats no input beyond measure', async () => {
    const response = await post({ select: Array.from({ length: 100 }, () => 'x'.repeat(2_000)) });
    expect(response.statusCode).toBe(422);
    expect(response.body.length).toBeLessThan(50_000);
  });

  it('takes no parameter with the fields', async () => {
    const response = await server.inject({ url: `${URL}/fields?type=number` });
    expect([response.statusCode, response.json().detail[0].type]).toEqual([422, 'extra_forbidden']);
  });
});

describe('504', () => {
  it('gives up in time', async () => {
    const interactive = await appOn(store, { TIGRAPH_NOW: NOW, QUERY_TIMEOUT_MS: '1' });
    const answering = await serverOf(interactive);
    let isAnswered = false;
    const refused = expectRefused(
      post({ date: '2024-03-05' }, {}, answering).finally(() => {
        isAnswered = true;
      }),
      504,
      'query_timeout',
    );
    // Every turn of the event loop takes longer than an answer may, and begins with the timers that are due.
    while (!isAnswered) {
      await nextTurn();
      for (const until = performance.now() + 3; performance.now() < until; );
    }
    await refused;
  });
});
