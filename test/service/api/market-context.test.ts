import { describe, expect, it } from 'vitest';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import { marketContextAt } from '../../../src/api/market/get-market-context.ts';
import { midnightUtc } from '../../../src/base/calendar.ts';
import type { EarningsDate, EarningsReport } from '../../../src/market/facts.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { newBearer } from '../../support/access.ts';
import { expectFaults, expectRefused } from '../../support/answers.ts';
import { appOn, bring, freshApp, freshMarket, freshStore, serverOf } from '../../support/app.ts';
import type { TestStore } from '../../support/database.ts';
import { sampled } from '../../support/depth.ts';
import { alteredAfter, dailyBars, minuteBars } from '../../support/market.ts';
import { expectedWith, factsOf, fundamentalsWith, profileWith, reportWith } from '../../support/reported.ts';
import { numbers, words } from '../../support/tables.ts';
import { at } from '../../support/tape.ts';

/** The contract of `GET /api/graph/v1/market/context`, by status. */

const FROM = '2023-02-01';
/** A Tuesday; the session that runs in some tests, over in the others. */
const DATE = '2024-03-12';
const STOCKS = Array.from({ length: 21 }, (_, place) => `${'BCDEFGH'[place % 7]}${place}`);
const SECTORS = ['Energy', 'Utilities', 'Materials'];
const KNOWN = at(FROM, '09:00');

const daily = ['SPY', '^VIX', ...STOCKS].map((symbol) => dailyBars(symbol, FROM, DATE));
const minutes = ['SPY', '^VIX', ...STOCKS].map((symbol) => minuteBars(symbol, DATE, DATE));

const expects = (date: string, part: Partial<EarningsDate> = {}): EarningsDate =>
  expectedWith({ date, ...part });

const reportOf = (date: string, part: Partial<EarningsReport> = {}): EarningsReport =>
  reportWith({ date, epsEstimate: 1, epsActual: 1.1, ...part });

const cap = (dollars: number) =>
  factOf(
    'fundamentals',
    at('2024-02-20', '09:00'),
    fundamentalsWith({ periodEnd: '2023-12-31', stated: { market_cap: dollars } }),
  );

/** What the calendar knows by the morning of the date, and what only later. */
const CALENDAR: Readonly<Record<string, readonly ReturnType<typeof factOf>[]>> = {
  // Reported before the open, as expected.
  B0: [
    factOf(
      'earnings_date',
      at('2024-02-20', '09:00'),
      expects(DATE, { status: 'confirmed', time: 'pre_market' }),
    ),
    factOf('earnings_report', at(DATE, '08:00'), reportOf(DATE)),
    factOf('earnings_date', at(DATE, '09:00'), expects('2024-06-11')),
    // No vendor states its market cap: it follows from the shares of the newest stored day.
    factOf('shares', at('2024-02-20', '09:00'), { outstanding: 4e7, float: null }),
  ],
  // Expected after the close.
  C1: [factOf('earnings_date', at('2024-02-20', '09:00'), expects(DATE, { time: 'post_market' })), cap(9e9)],
  // Within five sessions.
  D2: [factOf('earnings_date', at('2024-02-20', '09:00'), expects('2024-03-14')), cap(1e9)],
  E3: [
    factOf('earnings_date', at('2024-02-20', '09:00'), expects('2024-03-19', { status: 'confirmed' })),
    cap(2e9),
  ],
  // The sixth session.
  F4: [factOf('earnings_date', at('2024-02-20', '09:00'), expects('2024-03-20'))],
  // Came early, in February.
  G5: [
    factOf('earnings_date', at('2024-01-22', '09:00'), expects('2024-03-14')),
    factOf('earnings_report', at('2024-02-26', '08:00'), reportOf('2024-02-26')),
  ],
  // The date was moved on the day itself, at eleven.
  H6: [
    factOf('earnings_date', at('2024-02-20', '09:00'), expects('2024-03-15')),
    factOf('earnings_date', at(DATE, '11:00'), expects('2024-05-01')),
  ],
  // Announced at noon.
  B7: [factOf('earnings_date', at(DATE, '12:00'), expects('2024-03-13')), cap(7e12)],
  C8: [
    factOf('halt', at(DATE, '10:30'), { from: at(DATE, '10:30'), to: null, reason: 'LUDP' }),
    factOf('halt', at(DATE, '10:50'), { from: at(DATE, '10:30'), to: at(DATE, '10:50'), reason: null }),
  ],
  D9: [factOf('halt', at(DATE, '13:00'), { from: at(DATE, '13:00'), to: null, reason: 'T1' })],
};

const facts: Delivery[] = STOCKS.map((symbol, place) =>
  factsOf(
    symbol,
    factOf('profile', KNOWN, profileWith({ sector: SECTORS[place % SECTORS.length]! })),
    ...(CALENDAR[symbol] ?? []),
  ),
);

const URL = '/api/graph/v1/market/context';
const get = (query = '', headers: Record<string, string> = {}, to = server) =>
  to.inject({ url: `${URL}${query}`, headers });

/** The context at another time of day, and its text. */
async function contextAt(now: number, of: TestStore = store) {
  const early = await serverOf(await appOn(of, { TIGRAPH_NOW: new Date(now).toISOString() }));
  const response = await get('', {}, early);
  return { status: response.statusCode, body: response.body, context: response.json() };
}

const tokenOf = (symbols: string[] | null, scopes: AccessScope[] = ['market:read']) =>
  newBearer({ server, database: app.context.database }, scopes, { symbols });

const closesOf = (symbol: string): number[] => Array.from(dailyBars(symbol, FROM, DATE).columns.close);
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' });
await bring(app, [...daily, ...minutes, ...facts]);
await syncGraph(app.context, { kind: 'touched' });
const server = await serverOf(app);

describe('200', () => {
  it('is of the newest session that has a market', async () => {
    const response = await get();
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: expect.stringContaining('authorization'),
    });
    expect(response.json()).toMatchObject({
      trade_date: DATE,
      as_of: '2024-03-13T08:00:00.000Z',
      market_as_of: '2024-03-12T20:00:00.000Z',
      source: 'delayed',
    });
  });

  it('has the index by its closes', async () => {
    const { index } = (await get()).json();
    const closes = closesOf('SPY');
    const last = closes.at(-1)!;
    expect(index).toMatchObject({ symbol: 'SPY', session: DATE });
    expect(index.last).toBeCloseTo(last, 4);
    for (const [field, sessions] of [
      ['return_1d_pct', 1],
      ['return_5d_pct', 5],
      ['return_20d_pct', 20],
    ] as const) {
      expect(index[field]).toBeCloseTo((last / closes.at(-1 - sessions)! - 1) * 100, 4);
    }
    for (const sessions of [50, 200]) {
      const mean = meanOf(closes.slice(-sessions));
      expect(index[`sma_${sessions}`]).toBeCloseTo(mean, 4);
      expect(index[`distance_sma_${sessions}_pct`]).toBeCloseTo((last / mean - 1) * 100, 4);
    }
  });

  it('has the VIX by its closes', async () => {
    const { vix } = (await get()).json();
    const closes = closesOf('^VIX');
    const level = closes.at(-1)!;
    const lower = closes.slice(-253, -1).filter((close) => close < level).length;
    expect(vix.level).toBeCloseTo(level, 4);
    expect(vix.change_1d_pct).toBeCloseTo((level / closes.at(-2)! - 1) * 100, 4);
    expect(vix.percentile_252).toBeCloseTo((lower / 252) * 100, 6);
    expect(vix.regime).toBe('EXTREME_FEAR');
  });

  it('counts the stocks, the index not among them', async () => {
    const { breadth } = (await get()).json();
    const moves = STOCKS.map((symbol) => closesOf(symbol)).map((closes) => closes.at(-1)! - closes.at(-2)!);
    const over = (sessions: number): number =>
      STOCKS.map((symbol) => closesOf(symbol)).filter(
        (closes) => closes.at(-1)! > meanOf(closes.slice(-sessions)),
      ).length;
    const advancers = moves.filter((move) => move > 0).length;
    expect(breadth).toMatchObject({
      stocks: STOCKS.length,
      advancers,
      decliners: STOCKS.length - advancers,
      unchanged: 0,
      advance_decline_ratio: expect.closeTo(advancers / (STOCKS.length - advancers), 6),
    });
    expect(breadth.above_sma_50_pct).toBeCloseTo((over(50) / STOCKS.length) * 100, 4);
    expect(breadth.above_sma_200_pct).toBeCloseTo((over(200) / STOCKS.length) * 100, 4);
  });

  it('ranks the sectors by their 20-session return', async () => {
    const { sectors } = (await get()).json();
    expect(sectors.map(({ sector }: { sector: string }) => sector).sort()).toEqual([...SECTORS].sort());
    expect(sectors.map(({ rank, of }: { rank: number; of: number }) => [rank, of])).toEqual(
      numbers`1 3, 2 3, 3 3`,
    );
    const returns = sectors.map((sector: { return_20d_pct: number }) => sector.return_20d_pct);
    expect(returns).toEqual(returns.toSorted((one: number, other: number) => other - one));
  });

  it('names the regime with the rules that fired, whose figures are those of the answer', async () => {
    const context = (await get()).json();
    const { regime } = context;
    expect(regime).toMatchObject({
      regime: 'volatile',
      decided_by: ['vix_extreme_fear'],
      formula_version: 'market-regime-v1',
    });
    for (const { figures, says } of regime.rules_fired) {
      expect(says).toMatch(/^[A-Z].*\.$/);
      for (const { field, value } of figures) {
        const served = field
          .split('.')
          .reduce((part: Record<string, unknown>, name: string) => part[name], context);
        expect(served, field).toBeCloseTo(value, 12);
      }
    }
    const supporting = regime.rules_fired.filter(({ supports }: { supports: string[] }) =>
      supports.includes(regime.regime),
    );
    expect(regime.confidence).toBeCloseTo(supporting.length / regime.rules_fired.length, 6);
  });

  it('is what the chat receives, and the same for a named date but for clock and age', async () => {
    const context = (await get()).json();
    const viewer = { source: 'delayed', delayMs: 900_000, symbols: null } as const;
    expect(await marketContextAt(app.context, {}, viewer, AbortSignal.timeout(60_000))).toEqual(context);
    const dated = (await get(`?date=${DATE}`)).json();
    expect(context.sessions_behind).toBe(3);
    expect({ ...context, clock: null, sessions_behind: 0 }).toEqual({ ...dated, clock: null });
  });

  it('is kept until something changes, and known by its tag', async () => {
    const first = await get(`?date=${DATE}`);
    const again = await get(`?date=${DATE}`, { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    app.context.answers.forget(['*']);
    expect((await get(`?date=${DATE}`)).headers.etag).toBe(first.headers.etag);
  });

  it('is made anew when any stock changes', async () => {
    const fresh = await freshMarket({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' }, daily);
    const answering = await serverOf(fresh);
    const before = (await get('', {}, answering)).json();
    const lifted = alteredAfter(dailyBars('B0', FROM, DATE), midnightUtc(DATE), 3);
    await bring(fresh, [lifted]);
    const after = (await get('', {}, answering)).json();
    expect(before.breadth.new_highs_252).toBe(0);
    expect(after.breadth.new_highs_252).toBe(1);
  });
});

describe('what is not known', () => {
  it('is null, with the reason beside it', async () => {
    const small = await freshMarket({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' }, [
      dailyBars('SPY', '2024-02-01', DATE),
      dailyBars('B0', FROM, DATE),
    ]);
    const context = (await get('', {}, await serverOf(small))).json();
    expect(context).toMatchObject({ vix: null, breadth: null, sectors: [], regime: { regime: null } });
    expect(context.index).toMatchObject({ return_5d_pct: expect.any(Number), sma_50: null, sma_200: null });
    const fields = context.missing.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(
      words`
      index.sma_50 index.sma_200 index.trend vix breadth sectors regime.regime events.results_today
      events.results_next_5_sessions`,
    );
    expect(context.missing[0].reason).toBe('SPY has fewer than 50 sessions in a row.');
  });
});

describe('the clock of the session', () => {
  it('continues after the session when no date is given', async () => {
    expect((await get()).json().clock).toMatchObject({
      trade_date: DATE,
      at: '2024-03-16T11:45:00.000Z',
      phase: 'closed',
      closed_for: 'weekend',
      early_close: false,
      next_bell: { kind: 'open', at: '2024-03-18T13:30:00.000Z', minutes: 2985 },
      previous_session: '2024-03-11',
      next_session: '2024-03-13',
      next_departure: { date: '2024-03-29', kind: 'holiday', reason: 'Good Friday', opens_at: null },
    });
  });

  it('is that of the end of a session that is requested by its date', async () => {
    expect((await get(`?date=${DATE}`)).json().clock).toMatchObject({
      at: '2024-03-13T00:00:00.000Z',
      phase: 'closed',
      closed_for: null,
      next_bell: { kind: 'open', at: '2024-03-13T13:30:00.000Z', minutes: 810 },
    });
  });

  it('shows a delayed caller the minute that the rest of the answer is of', async () => {
    const { context } = await contextAt(at(DATE, '16:05') + 30_000);
    expect(context).toMatchObject({
      as_of: '2024-03-12T19:50:00.000Z',
      market_as_of: '2024-03-12T19:50:00.000Z',
    });
    expect(context.clock).toMatchObject({
      at: '2024-03-12T19:50:00.000Z',
      phase: 'regular',
      next_bell: { kind: 'close', minutes: 10 },
    });
    expect(context.clock.phases).toEqual([
      { phase: 'pre_market', opens_at: '2024-03-12T08:00:00.000Z', closes_at: '2024-03-12T13:30:00.000Z' },
      { phase: 'regular', opens_at: '2024-03-12T13:30:00.000Z', closes_at: '2024-03-12T20:00:00.000Z' },
      { phase: 'after_hours', opens_at: '2024-03-12T20:00:00.000Z', closes_at: '2024-03-13T00:00:00.000Z' },
    ]);
  });
});

describe('a session that runs', () => {
  it('is answered from the market that was kept of the minute that may be seen', async () => {
    const { app: live, store: other } = await freshApp({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' });
    await bring(live, daily);
    await syncGraph(live.context, { kind: 'touched' });
    const [{ snapshot }] = (await live.context.database.query(
      'select snapshot from market_day where trade_date = $1::date',
      [DATE],
    )) as [{ snapshot: string }];
    const minute = at('2024-03-13', '10:45');
    // Of the running session there is no daily bar; a walk over the stocks would find none.
    const market = { ...JSON.parse(snapshot), tradeDate: '2024-03-13', asOf: minute };
    const kept = { ...market, vix: { symbol: '^VIX', level: 17.5, change1dPct: 1, percentile252: 50 } };
    await live.context.database.query(
      'insert into running_minute (trade_date, at, market) values ($1::date, $2::timestamptz, $3)',
      ['2024-03-13', new Date(minute).toISOString(), JSON.stringify(kept)],
    );
    const { context } = await contextAt(minute + 15 * 60_000 + 59_000, other);
    expect(context).toMatchObject({
      trade_date: '2024-03-13',
      as_of: new Date(minute).toISOString(),
      vix: { level: 17.5, regime: 'NORMAL' },
      index: { session: null },
      breadth: { stocks: STOCKS.length },
    });
    // Before the session has begun for the caller, the one before it.
    const { context: before } = await contextAt(at('2024-03-13', '04:14'), other);
    expect(before.trade_date).toBe(DATE);
  });
});

describe('the clock of events', () => {
  const symbolsOf = (results: { largest: { symbol: string }[] }): string[] =>
    results.largest.map(({ symbol }) => symbol);

  it('knows the expirations of options', async () => {
    const { events } = (await get(`?date=${DATE}`)).json();
    // The third Friday, three sessions away; March is also the end of a quarter.
    expect(events.monthly_expiration).toEqual({ date: '2024-03-15', sessions: 3 });
    expect(events.quarterly_expiration).toEqual({ date: '2024-03-15', sessions: 3 });
  });

  it('lists what is due as it was known at the end of the date, the largest first', async () => {
    const { events } = (await get(`?date=${DATE}`)).json();
    const stock = (await server.inject({ url: `/api/graph/v1/stocks/B0?date=${DATE}` })).json();
    expect(events.results_today).toEqual({
      from: DATE,
      to: DATE,
      count: 2,
      largest: [
        { symbol: 'C1', date: DATE, time: 'post_market', status: 'projected', market_cap: 9e9 },
        {
          symbol: 'B0',
          date: DATE,
          time: 'pre_market',
          status: 'reported',
          market_cap: stock.fundamental.market_cap,
        },
      ],
    });
    expect(events.results_next_5_sessions).toMatchObject({ from: '2024-03-13', to: '2024-03-19', count: 3 });
    expect(symbolsOf(events.results_next_5_sessions)).toEqual(['B7', 'E3', 'D2']);
    expect([events.halts, events.halted]).toEqual([
      1,
      [{ symbol: 'D9', since: '2024-03-12T17:00:00.000Z', reason: 'T1' }],
    ]);
  });

  it.each([
    ['10:44', ['E3', 'D2', 'H6'], ['C8']],
    ['10:50', ['E3', 'D2', 'H6'], []],
    ['11:00', ['E3', 'D2'], []],
    ['12:00', ['B7', 'E3', 'D2'], []],
  ])('gives a delayed caller of %s what was known then', async (clock, due, halted) => {
    const { context } = await contextAt(at(DATE, clock) + 15 * 60_000);
    expect(symbolsOf(context.events.results_next_5_sessions)).toEqual(due);
    expect(context.events.halted.map(({ symbol }: { symbol: string }) => symbol)).toEqual(halted);
  });

  it('names to a caller of some symbols those alone, and counts all', async () => {
    const narrow = (await get('', await tokenOf(['E3', 'C1']))).json();
    expect(narrow.events.results_next_5_sessions.count).toBe(3);
    expect(symbolsOf(narrow.events.results_next_5_sessions)).toEqual(['E3']);
    expect(symbolsOf(narrow.events.results_today)).toEqual(['C1']);
    expect([narrow.events.halts, narrow.events.halted]).toEqual([1, []]);
    const wide = (await get('', await tokenOf(null))).json();
    expect(symbolsOf(wide.events.results_next_5_sessions)).toEqual(['B7', 'E3', 'D2']);
  });
});

describe('nothing from beyond the instant', () => {
  it.each(sampled(['09:29', '12:30', '16:30'], 3))(
    'moves what a delayed caller sees of %s',
    async (clock) => {
      const other = await freshStore();
      const instant = at(DATE, clock);
      const now = instant + 15 * 60_000;
      const teller = await appOn(other, { TIGRAPH_NOW: new Date(now).toISOString() });
      await bring(teller, [...daily, ...minutes, ...facts]);
      const before = await contextAt(now, other);
      const later: Delivery[] = STOCKS.map((symbol) =>
        factsOf(
          symbol,
          factOf('profile', instant + 1, profileWith({ sector: 'Technology' })),
          factOf('earnings_date', instant + 1, expects('2024-03-14', { status: 'confirmed' })),
          factOf('halt', instant + 1, { from: instant - 60_000, to: null, reason: null }),
          factOf(
            'fundamentals',
            instant + 1,
            fundamentalsWith({ periodEnd: '2023-12-31', stated: { market_cap: 1e13 } }),
          ),
        ),
      );
      const isOver = clock >= '16:00';
      await bring(teller, [
        ...later,
        ...minutes.map((delivery) => alteredAfter(delivery, instant, 1.7)),
        ...daily.map((delivery) => alteredAfter(delivery, midnightUtc(isOver ? '2024-03-13' : DATE), 1.7)),
      ]);
      const after = await contextAt(now, other);
      expect(before.status).toBe(200);
      expect(after.body).toBe(before.body);
    },
  );

  it('but what came before it does', async () => {
    const moved = await freshMarket({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' }, [
      ...daily,
      ...minutes,
      ...facts,
    ]);
    const answering = await serverOf(moved);
    const before = (await get(`?date=${DATE}`, {}, answering)).body;
    await bring(moved, [alteredAfter(dailyBars('SPY', FROM, DATE), midnightUtc(DATE), 1.01)]);
    expect((await get(`?date=${DATE}`, {}, answering)).body).not.toBe(before);
  });
});

describe('404', () => {
  it.each([
    ['2024-03-10', 'no_session', 'the nearest session is 2024-03-11'],
    ['2018-12-05', 'no_session', 'day of mourning'],
    ['2023-01-31', 'no_data_for_date', FROM],
    ['2024-03-14', 'no_data_for_date', DATE],
    ['2024-03-18', 'no_data_for_date', 'has not begun'],
  ])('for %s: %s', async (date, code, hint) => {
    await expectRefused(get(`?date=${date}`), 404, code, hint);
  });

  it('for an empty tape', async () => {
    const { app: empty } = await freshApp({ TIGRAPH_NOW: '2024-03-16T12:00:00Z' });
    await expectRefused(get('', {}, await serverOf(empty)), 404, 'no_data_for_date');
  });
});

describe('422', () => {
  it.each([
    ['?date=2024-3-1', 'date', 'string_pattern_mismatch'],
    ['?date=2024-02-30', 'date', 'date_parsing'],
    ["?date=2024-03-12'--", 'date', 'string_pattern_mismatch'],
    ['?symbol=SPY', 'symbol', 'extra_forbidden'],
  ])('for %s', async (query, field, type) => {
    await expectFaults(get(query), `query,${field},${type}`);
  });
});

describe('504', () => {
  it('when the answer is not ready in time', async () => {
    const hasty = await appOn(store, { TIGRAPH_NOW: '2024-03-16T12:00:00Z', QUERY_TIMEOUT_MS: '1' });
    await expectRefused(get('?date=2023-05-03', {}, await serverOf(hasty)), 504, 'query_timeout');
  });
});
