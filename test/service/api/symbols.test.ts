import { describe, expect, it } from 'vitest';
import { searchSymbols } from '../../../src/api/symbols/search-symbols.ts';
import type { CompanyProfile } from '../../../src/market/facts.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { asBars } from '../../../src/market/series.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshMarket, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { factsOf, profileWith } from '../../support/reported.ts';
import { at, barsOf } from '../../support/tape.ts';

const DATE = '2024-03-12';
const BEFORE = '2024-03-11';
const NOW = at(DATE, '11:07');
/** A caller without a token sees what was final a quarter of an hour ago. */
const VISIBLE = at(DATE, '10:52');
const URL = '/api/graph/v1/symbols';

const profile = (symbol: string, knownAt: number, fields: Partial<CompanyProfile>): Delivery =>
  factsOf(symbol, factOf('profile', knownAt, profileWith(fields)));

const LONG_AGO = at('2024-01-03', '09:30');
const daysOf = (symbol: string): Delivery => dailyBars(symbol, '2024-01-02', BEFORE);
/** Minutes of the session up to now; the first is final at an instant. */
const minutesFrom = (symbol: string, clock: string): Delivery =>
  rowsBetween(minuteBars(symbol, DATE, DATE), at(DATE, clock), NOW);

/** `LATE` begins to trade within the delay, `SEEN` just before it. */
const MARKET: readonly Delivery[] = [
  ...['MS', 'MSFT', 'MSX', 'META', 'BRK.B', '^SPX', 'ZZZ', 'NONAME'].map(daysOf),
  minutesFrom('MSFT', '09:30'),
  minutesFrom('SEEN', '10:51'),
  minutesFrom('LATE', '10:52'),
  profile('MS', LONG_AGO, { companyName: 'Morgan Stanley', sector: 'Financials' }),
  profile('MSFT', LONG_AGO, { companyName: 'Microsoft Corp.', sector: 'Technology' }),
  profile('MSX', LONG_AGO, { companyName: 'Société Générale MSCI', sector: 'Financials' }),
  profile('META', LONG_AGO, { companyName: 'Meta Platforms', sector: 'Technology' }),
  profile('ZZZ', LONG_AGO, { companyName: 'Great Micro Devices', sector: 'Technology' }),
  factsOf('META', factOf('listing', LONG_AGO, { from: '2024-01-03', ticker: 'FB', exchange: null })),
];

/** What becomes known within the delay, or later. */
const LATER: readonly Delivery[] = [
  minutesFrom('NEWS', '10:52'),
  {
    kind: 'bars',
    symbol: 'ZZZ',
    interval: '1d',
    columns: asBars(barsOf('bars-1d', [[Date.UTC(2024, 2, 12), 1, 9, 1, 8, 5]])),
  },
  profile('ZZZ', VISIBLE + 1, { companyName: 'Aardvark', sector: 'Zoos' }),
  profile('NONAME', VISIBLE + 1, { companyName: 'Microbes' }),
];

const get = async (query: string) => {
  const response = await server.inject(`${URL}?${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

const found = async (query: string): Promise<string[]> =>
  (await get(query)).symbols.map(({ symbol }: { symbol: string }) => symbol);

const fault = async (query: string) => {
  const response = await server.inject(`${URL}?${query}`);
  expect(response.statusCode, response.body).toBe(422);
  return response.json().detail[0];
};

const app = await freshMarket({ TIGRAPH_NOW: new Date(NOW).toISOString() }, MARKET);
const server = await serverOf(app);

describe('200', () => {
  it('has tickers before names, the exact ticker first', async () => {
    expect(await found('q=ms')).toEqual(['MS', 'MSFT', 'MSX']);
    expect(await found('q=micro')).toEqual(['MSFT', 'ZZZ']);
    expect(await found('q=m&sector=technology')).toEqual(['META', 'MSFT', 'ZZZ']);
  });

  it('finds words of a name in any order, without case and accents', async () => {
    expect(await found('q=generale%20SOCI')).toEqual(['MSX']);
    expect(await found('q=devices%20great')).toEqual(['ZZZ']);
    expect(await found('q=great%20corp')).toEqual([]);
  });

  it('finds other spellings, and a ticker of the past', async () => {
    expect(await found('q=brk-b')).toEqual(['BRK.B']);
    expect(await found('q=SPX')).toEqual(['^SPX']);
    expect(await found('q=sp')).toEqual(['^SPX']);
    expect(await found('q=fb')).toEqual(['META']);
    expect(await found(`q=fb&as_of=${new Date(LONG_AGO - 60_000).toISOString()}`)).toEqual([]);
  });

  it('says what the tape has of a symbol', async () => {
    const [msft] = (await get('q=MSFT')).symbols;
    expect(msft).toEqual({
      symbol: 'MSFT',
      name: 'Microsoft Corp.',
      sector: 'Technology',
      first_session: '2024-01-02',
      last_session: DATE,
      has: { daily: true, minute: false, ticks: false, chains: false, facts: true },
      simulated: false,
    });
    expect((await get('q=NONAME')).symbols).toMatchObject([
      { name: null, sector: null, last_session: BEFORE, has: { facts: false } },
    ]);
  });

  it('has neither a symbol nor a session whose first bar is not yet visible', async () => {
    expect(await found('q=LATE')).toEqual([]);
    expect((await get('q=SEEN')).symbols).toMatchObject([{ first_session: DATE, last_session: DATE }]);
    const realtime = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
    const answer = await searchSymbols(app.context, { q: 'LATE', limit: 5 }, realtime);
    expect(JSON.parse(String(answer.body)).symbols).toMatchObject([{ symbol: 'LATE', last_session: DATE }]);
  });

  it('is the list of a past minute', async () => {
    const then = `as_of=${new Date(at('2024-02-20', '12:00')).toISOString()}`;
    const { symbols } = await get(`q=MSFT&${then}`);
    expect(symbols).toMatchObject([{ last_session: '2024-02-16', has: { daily: true } }]);
    expect(await found(`q=SEEN&${then}`)).toEqual([]);
    expect(await found('as_of=2024-01-02T15:00:00Z')).toEqual([]);
    expect(await found('q=MSFT&as_of=2024-01-02T21:00:00Z')).toEqual(['MSFT']);
  });

  it('has only symbols of the grant', async () => {
    const narrow = { source: 'delayed', delayMs: 900_000, symbols: new Set(['ZZZ', 'MS']) } as const;
    const answer = await searchSymbols(app.context, { limit: 50 }, narrow);
    const symbols = JSON.parse(String(answer.body)).symbols;
    expect(symbols.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['MS', 'ZZZ']);
  });
});

describe('422', () => {
  it('names the nearest sector', async () => {
    expect(await fault('sector=Tecnology')).toMatchObject({
      loc: ['query', 'sector'],
      type: 'literal_error',
      ctx: { expected: "'Technology'" },
    });
    const { msg } = await fault('sector=Qqqqqqqq');
    expect(msg).toContain('Financials, Technology');
  });

  it('refuses a limit out of range and an instant to come', async () => {
    expect(await fault('limit=201')).toMatchObject({ loc: ['query', 'limit'] });
    expect(await fault('as_of=2024-03-12T15:00:00Z')).toMatchObject({ type: 'as_of_not_reached' });
  });

  it('refuses the cursor of another query', async () => {
    const { next_cursor } = await get('q=m&limit=1');
    expect(await fault(`q=ms&limit=1&cursor=${next_cursor}`)).toMatchObject({ loc: ['query', 'cursor'] });
    expect(await fault('q=m&cursor=nonsense')).toMatchObject({ loc: ['query', 'cursor'] });
  });
});

describe('while an import runs', () => {
  it('no byte depends on what becomes known later, and no page repeats a symbol', async () => {
    const queries = ['', 'q=m', 'q=micro', 'q=ZZZ', 'q=NEWS', 'sector=technology', 'limit=3'];
    const answers = async () =>
      Promise.all(queries.map(async (query) => (await server.inject(`${URL}?${query}`)).body));
    const before = await answers();
    const whole = await found('');
    const first = await get('limit=3');
    await importFeed(app.context, feedOf({ later: LATER, aaa: [daysOf('AAA')] }, 'later'));
    await app.idle();
    const rest = await found(`limit=200&cursor=${first.next_cursor}`);
    expect([...first.symbols.map(({ symbol }: { symbol: string }) => symbol), ...rest]).toEqual(whole);
    // Bars of January that are imported now were known in January.
    expect(await found('')).toEqual(['AAA', ...whole]);
    const without = (body: string): string => body.replace(/\{"symbol":"AAA".*?"simulated":false\},?/, '');
    const after = await answers();
    for (const [place, query] of queries.entries()) {
      if (query !== 'limit=3') expect(without(after[place]!), query).toBe(before[place]);
    }
  });
});
