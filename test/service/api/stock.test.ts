import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkMidnight } from '../../../src/base/calendar.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { expectFaults, expectRefused } from '../../support/answers.ts';
import { appOn, bring, feedOf, freshApp, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { directoryOf } from '../../support/tape.ts';

/** The contract of `GET /api/graph/v1/stocks/{symbol}`, by status. */

const url = (symbol: string, query = ''): string => `/api/graph/v1/stocks/${symbol}${query}`;

function listed(symbol: string, ...spans: readonly (readonly [from: string, ticker: string])[]): Delivery {
  const facts = spans.map(([from, ticker]) =>
    factOf('listing', newYorkMidnight(from), { from, ticker, exchange: 'NYSE' }),
  );
  return { kind: 'facts', symbol, facts };
}

const get = (address: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url: address, headers });

const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
await bring(app, [
  dailyBars('ACME', '2023-01-03', '2024-03-05'),
  minuteBars('ACME', '2024-03-04', '2024-03-05'),
  dailyBars('GAP', '2023-01-03', '2023-06-30'),
  dailyBars('GAP', '2024-01-02', '2024-03-01'),
  dailyBars('BRK.B', '2023-01-03', '2024-03-05'),
  { ...dailyBars('HOUR', '2024-03-04', '2024-03-05'), interval: '1h' } as Delivery,
  listed('NEWX', ['2023-01-03', 'OLDX'], ['2024-02-01', 'NEWX']),
  listed('LATR', ['2023-01-03', 'SOON'], ['2024-03-07', 'LATR']),
  { kind: 'actions', symbol: 'BARE', actions: [{ kind: 'dividend', exDate: 0, value: 1 }] },
]);
await syncGraph(app.context, { kind: 'touched' });
const server = await serverOf(app);

describe('200', () => {
  it('answers the newest session when no date is given', async () => {
    const response = await get(url('ACME'));
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const stock = response.json();
    expect(stock).toMatchObject({
      symbol: 'ACME',
      source: 'delayed',
      halted: false,
      volume: expect.any(Number),
      updated_at: '2024-03-05T21:00:00.000Z',
      levels: null,
      patterns: null,
    });
    expect(stock.price.trade_date).toBe('2024-03-05');
    expect(stock.technical.rsi_14).toBeGreaterThan(0);
  });

  it.each(['BRK.B', 'brk-b', 'BRK%2FB', 'brk%2fb'])('finds a share class as %s', async (written) => {
    const response = await get(url(written));
    expect(response.statusCode).toBe(200);
    expect(response.json().symbol).toBe('BRK.B');
  });

  it('finds the newest session where the manifest only knows a range', async () => {
    const past = await serverOf(await appOn(store, { TIGRAPH_NOW: '2023-09-01T12:00:00Z' }));
    const newest = await past.inject({ url: url('GAP') });
    expect(newest.statusCode).toBe(200);
    expect(newest.json().price.trade_date).toBe('2023-06-30');
  });

  it('takes the symbol in any case', async () => {
    expect((await get(url('acme'))).body).toBe((await get(url('ACME'))).body);
  });

  it('populates exactly the requested blocks', async () => {
    const stock = (await get(url('ACME', '?include=levels,%20patterns,levels,level_ladder,'))).json();
    expect(stock.levels.pivot_pp).toEqual(expect.any(Number));
    expect(stock.patterns).toEqual(expect.any(Array));
    expect(stock.level_ladder.levels.length).toBeGreaterThan(10);
    for (const field of words`volume_profile price_events news confluence_components thematic_exposures strategies`) {
      expect(stock[field], field).toBeNull();
    }
  });

  it('understands every word of the contract', async () => {
    const words =
      'levels,volume_profile,patterns,news,strategies,confluence_components,level_ladder,thematic_exposure,thematic_exposures,price_events';
    const response = await get(url('ACME', `?include=${words}`));
    expect(response.statusCode).toBe(200);
    expect(response.json().volume_profile.prior.poc).toEqual(expect.any(Number));
  });

  it('gives a stored day and one derived for the asker to the same bytes', async () => {
    const address = url(
      'ACME',
      '?date=2024-03-04&include=levels,volume_profile,patterns,price_events,level_ladder',
    );
    const derived = await get(address);
    const count = () => app.context.database.query("select from stock_day where trade_date = '2024-03-04'");
    expect(await count()).toHaveLength(0);
    await syncGraph(app.context, { kind: 'range', from: '2024-03-04', to: '2024-03-04', symbols: ['ACME'] });
    expect(await count()).toHaveLength(1);
    app.context.answers.forget(null);
    expect((await get(address)).body).toBe(derived.body);
  });

  it('answers 304 to a caller who has the answer already', async () => {
    const first = await get(url('ACME'));
    const again = await get(url('ACME'), { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('shows no more places of a number than its unit has, and ledgers that sum to their score', async () => {
    const include = [...INCLUDE_FIELDS.keys()].join(',');
    const stock = (await get(url('ACME', `?include=${include}`))).json();
    const long: string[] = [];
    JSON.stringify(stock, (name, value) => {
      const places = typeof value === 'number' ? (`${value}`.split('.')[1]?.length ?? 0) : 0;
      if (places > (Math.abs(value) >= 1 ? 4 : 9)) long.push(`${name} ${value}`);
      return value;
    });
    expect(long).toEqual([]);
    const { bull, bull_ledger: ledger } = stock.confluence_v5;
    const sum = ledger.reduce(
      (total: number, line: { contribution: number }) => total + line.contribution,
      0,
    );
    expect(bull).toBe(stock.bullish_confluence);
    expect(Math.abs(sum - bull)).toBeLessThan(1e-6);
  });

  it('shows new data as soon as an import has returned', async () => {
    const before = (await get(url('NEWS', '?date=2024-03-05'))).statusCode;
    await bring(app, [dailyBars('NEWS', '2024-01-02', '2024-03-05')]);
    const after = await get(url('NEWS', '?date=2024-03-05'));
    expect([before, after.statusCode]).toEqual([404, 200]);
    const corrected = dailyBars('NEWS', '2024-01-02', '2024-03-05');
    corrected.columns.close[corrected.columns.close.length - 1]! += 0.25;
    await bring(app, [corrected]);
    await app.idle();
    const { last_price } = (await get(url('NEWS', '?date=2024-03-05'))).json();
    expect(last_price).toBeCloseTo(corrected.columns.close.at(-1)!, 4);
  });
});

describe('404', () => {
  it('names the ticker that a security trades under by now, and no rename of the future', async () => {
    const old = await get(url('OLDX'));
    expect([old.statusCode, old.json().code]).toEqual([404, 'unknown_symbol']);
    expect(old.json().detail).toBe('No data for the symbol OLDX: it has traded as NEWX since 2024-02-01');
    expect((await get(url('SOON'))).json().detail).toBe('No data for the symbol SOON');
    const peers = await get('/api/graph/v1/stocks/OLDX/peers');
    expect(peers.json().detail).toBe(old.json().detail);
  });

  it('says that only bars are known from which no day can be made', async () => {
    const response = await get(url('HOUR'));
    expect([response.statusCode, response.json().code]).toEqual([404, 'no_data_for_date']);
    expect(response.json().detail).toMatch(/^Of HOUR only parts of sessions are known, in bars of 1h;/);
  });

  it.each([
    ['a symbol that the tape does not know', url('NOPE'), 'unknown_symbol', 'NOPE'],
    ['a symbol of which only corporate actions are known', url('BARE'), 'unknown_symbol', 'BARE'],
    ['a weekend', url('ACME', '?date=2024-03-03'), 'no_session', '2024-03-04'],
    ['a holiday', url('ACME', '?date=2024-02-19'), 'no_session', '2024-02-20'],
    ['a date before the first bar', url('ACME', '?date=2022-12-30'), 'no_data_for_date', '2023-01-03'],
    ['a hole in the data', url('GAP', '?date=2023-08-01'), 'no_data_for_date', '2023-06-30'],
    ['a date after the last bar', url('GAP', '?date=2024-03-05'), 'no_data_for_date', '2024-03-01'],
    ['a session that has not begun', url('ACME', '?date=2024-03-07'), 'no_data_for_date', '2024-03-05'],
    ['a date outside the calendar', url('ACME', '?date=1889-05-06'), 'no_session', '1990-01-02'],
    [
      'an address that nothing is served at',
      '/api/graph/v1/stock/ACME',
      'not_found',
      '/api/graph/v1/stock/ACME',
    ],
  ])('%s', async (_, address, code, hint) => {
    const response = await get(address);
    expect(response.statusCode).toBe(404);
    const body = response.json();
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id']);
    expect(body.code).toBe(code);
    expect(body.detail).toContain(hint);
  });
});

describe('only some fields', () => {
  it('are those of the whole answer, in its order, with symbol and instants', async () => {
    const whole = (await get(url('ACME', '?include=levels'))).json();
    const paths =
      'levels,technical.rsi_14,technical.bollinger.upper,options.iv_rank,price.regular,last_price';
    const response = await get(url('ACME', `?fields=${paths}`));
    expect(response.statusCode, response.body).toBe(200);
    const { as_of, ...answer } = response.json();
    expect(answer).toEqual({
      symbol: 'ACME',
      simulated: false,
      updated_at: whole.updated_at,
      last_price: whole.last_price,
      price: { regular: whole.price.regular },
      technical: {
        rsi_14: whole.technical.rsi_14,
        bollinger: { upper: whole.technical.bollinger.upper },
      },
      options: null,
      levels: whole.levels,
    });
    expect(as_of).toBe('2024-03-06T09:00:00.000Z');
    expect(whole.levels).not.toBeNull();
  });

  it('are a block whole where it is named beside one of its fields', async () => {
    const { technical } = (await get(url('ACME'))).json();
    const answer = (await get(url('ACME', '?fields=technical.rsi_14,technical'))).json();
    expect(answer.technical).toEqual(technical);
  });

  it('name the field that was meant', async () => {
    const [fault] = (await get(url('ACME', '?fields=technical.rsi14'))).json().detail;
    expect(fault.msg).toContain("did you mean 'technical.rsi_14'?");
  });

  it('cost under a kilobyte, asked for once or again', async () => {
    const address = url('ACME', '?fields=last_price,volume,technical.rsi_14,bullish_confluence,source');
    const first = await get(address);
    expect(first.body.length).toBeLessThan(1_000);
    const again = await get(address);
    expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag]);
    expect(JSON.parse(again.body).source).toBe('delayed');
  });
});

describe('a past minute', () => {
  it('is answered by what was known then', async () => {
    const at = async (asOf: string) => (await get(url('ACME', `?as_of=${asOf}`))).json();
    const [morning, noon] = [await at('2024-03-05T15:00:00Z'), await at('2024-03-05T12:00:30-05:00')];
    expect([morning.updated_at, noon.updated_at]).toEqual([
      '2024-03-05T15:00:00.000Z',
      '2024-03-05T17:00:00.000Z',
    ]);
    expect(morning.price.trade_date).toBe('2024-03-05');
    expect(morning.price.regular.final).toBe(false);
    expect(morning.volume).toBeLessThan(noon.volume);
    expect((await at('2024-03-05T08:59:00Z')).price.trade_date).toBe('2024-03-04');
    expect((await at('2024-03-03T15:00:00Z')).price.trade_date).toBe('2024-03-01');
  });

  it('does not replace the newest answer at the address', async () => {
    const newest = (await get(url('ACME'))).body;
    await get(url('ACME', '?as_of=2024-03-05T15:00:00Z'));
    expect((await get(url('ACME'))).body).toBe(newest);
  });

  it.each([
    ['before the first bar', '?as_of=2023-01-01T15:00:00Z', 'its first session is 2023-01-03'],
    [
      'before the date',
      '?date=2024-03-05&as_of=2024-03-04T15:00:00Z',
      'has not begun at this minute; the newest is 2024-03-04',
    ],
  ])('%s is refused with a way out', async (_, query, hint) => {
    const response = await get(url('ACME', query));
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({
      code: 'no_data_for_date',
      detail: expect.stringContaining(hint),
    });
  });

  it('to come is refused with the newest instant of the caller', async () => {
    const [fault] = (await get(url('ACME', '?as_of=2024-03-06T12:00:00Z'))).json().detail;
    expect(fault.ctx).toEqual({ newest: '2024-03-06T11:45:00.000Z' });
  });
});

describe('405', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'] as const)('%s, whatever the body', async (method) => {
    const headers = { 'content-type': 'application/json' };
    const response = await server.inject({ method, url: url('ACME'), headers, payload: '{"half":' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD');
    expect(response.json().code).toBe('method_not_allowed');
  });
});

describe('422', () => {
  it.each([
    ['a date of another shape', '?date=2024-3-5', 'date', 'string_pattern_mismatch'],
    ['a day that no calendar has', '?date=2023-02-29', 'date', 'date_parsing'],
    ['a month that no calendar has', '?date=2024-13-01', 'date', 'date_parsing'],
    ['an include word that nobody knows', '?include=levels,gossip', 'include', 'literal_error'],
    ['an include list beyond the limit', `?include=${'levels,'.repeat(100)}`, 'include', 'string_too_long'],
    ['a date given twice', '?date=2024-03-05&date=2024-03-04', 'date', 'string_type'],
    ['a parameter that does not exist', '?dat=2024-03-05', 'dat', 'extra_forbidden'],
    ['a minute to come', '?as_of=2024-03-06T11:46:00Z', 'as_of', 'as_of_not_reached'],
    ['an instant without zone', '?as_of=2024-03-05T15:00:00', 'as_of', 'datetime_parsing'],
    ['a field with a typo', '?fields=volume,technical.rsi14', 'fields', 'literal_error'],
    ['a field within a list', '?fields=levels.price', 'fields', 'literal_error'],
    ['a field that is no path', '?fields=technical..rsi_14', 'fields', 'string_pattern_mismatch'],
  ])('%s', async (_, query, place, type) => {
    await expectFaults(get(url('ACME', query)), `query,${place},${type}`);
  });

  it('lists the allowed include words', async () => {
    const [fault] = (await get(url('ACME', '?include=gossip'))).json().detail;
    expect(fault.input).toBe('gossip');
    expect(fault.ctx.expected).toContain("'volume_profile'");
    expect(fault.ctx.expected).toContain("'thematic_exposure'");
  });

  it.each([
    ['too long', 'A'.repeat(21), 'string_too_long'],
    ['far too long', 'A'.repeat(5_000), 'string_too_long'],
    ['with characters that no ticker has', 'AC%20ME', 'string_pattern_mismatch'],
    ['that tries to leave its place', '..%2F..%2Fetc', 'string_pattern_mismatch'],
    ['that tries to talk to the store', "A'%3B--", 'string_pattern_mismatch'],
  ])('a symbol %s', async (_, symbol, type) => {
    await expectFaults(get(url(symbol)), `path,symbol,${type}`);
  });

  it('reports all faults of a request at once', async () => {
    await expectFaults(
      get(url('A'.repeat(30), '?date=2024-02-30&include=gossip,rumour&page=2')),
      ...words`path,symbol,string_too_long query,page,extra_forbidden query,date,date_parsing`,
      ...words`query,include,literal_error query,include,literal_error`,
    );
  });
});

describe('503', () => {
  it('says that the tape is damaged rather than answering from damaged bytes', async () => {
    const before = new Set(readdirSync(directoryOf(app.context.tape)));
    await importFeed(app.context, feedOf({ hurt: [dailyBars('HURT', '2023-01-03', '2024-03-05')] }, 'hurt'));
    const file = readdirSync(directoryOf(app.context.tape)).find((name) => !before.has(name))!;
    const path = join(directoryOf(app.context.tape), file);
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 0x40;
    writeFileSync(path, bytes);
    const response = await get(url('HURT'));
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'tape_damaged', detail: expect.stringContaining(file) });
    rmSync(path);
    expect((await get(url('HURT', '?date=2024-03-01'))).json()).toMatchObject({ code: 'tape_damaged' });
  });
});

describe('504', () => {
  it('says so when the answer is not ready in time, and serves the next caller', async () => {
    const settings = { TIGRAPH_NOW: '2024-03-06T12:00:00Z', QUERY_TIMEOUT_MS: '1' };
    const impatient = await serverOf(await appOn(store, settings));
    await expectRefused(impatient.inject(url('ACME', '?date=2023-11-01')), 504, 'query_timeout');
    expect((await get(url('ACME', '?date=2023-11-01'))).statusCode).toBe(200);
  });
});
