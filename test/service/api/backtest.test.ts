import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GrantTerms } from '../../../src/api/access/clients.ts';
import type { AccessScope } from '../../../src/api/access/scopes.ts';
import { abortable } from '../../../src/base/abortable.ts';
import { newBearer } from '../../support/access.ts';
import { expectDocumented, expectFaults, expectRefused, faultsOf } from '../../support/answers.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { postRun, RUNS, readRun, runOver } from '../../support/backtests.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { connectStream } from '../../support/stream.ts';
import { words } from '../../support/tables.ts';

/** The contract of `/api/graph/v1/backtest/optimize`, by status. */

const SYMBOLS = ['ACME', 'BETA'];
const BODY = {
  symbols: SYMBOLS,
  start_date: '2024-02-01',
  end_date: '2024-03-12',
  signal_types: ['vwap_touch', 'ib_breakout', 'trend_continuation'],
};

const { app } = await freshApp({
  TIGRAPH_NOW: '2024-03-13T15:00:00Z',
});
const [from, to] = [BODY.start_date, '2024-03-13'];
await bring(app, [
  ...[...SYMBOLS, 'DAYS'].map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12')),
  ...SYMBOLS.map((symbol) => minuteBars(symbol, from, to)),
]);
const server = await serverOf(app);

describe('200', () => {
  it('a new run is pending, with its address, and ends by itself', async () => {
    const response = await postRun(server, BODY);
    expect(response.statusCode).toBe(200);
    const started = response.json();
    expect(started).toMatchObject({
      status: 'pending',
      progress_pct: 0,
      results: [],
      error_message: null,
      reused: false,
      last_session: '2024-03-12',
      request: { stop_atr_range: [0.5, 1, 1.5, 2], target_atr_range: [1, 1.5, 2, 3, 4], top_n: 10 },
    });
    expect(response.headers.location).toBe(`${RUNS}/${started.id}`);
    const run = await runOver({ app, server }, started.id);
    expect(run).toMatchObject({
      id: started.id,
      status: 'completed',
      progress_pct: 100,
      error_message: null,
    });
    expect(run.results.length).toBeGreaterThan(0);
    expect(run.results.length).toBeLessThanOrEqual(10);
    expect(run.grid).toHaveLength(20);
    expect(run.analysis.symbol_sessions.walked).toBe(SYMBOLS.length * run.analysis.sessions);
    expect(run.analysis.sessions).toBe(app.context.calendar.sessionCount(BODY.start_date, BODY.end_date));
    const [best] = run.results;
    expect(run.grid).toContainEqual(
      expect.objectContaining({ parameter_set: best.parameter_set, sharpe_ratio: best.sharpe_ratio }),
    );
  });

  it('answers what the OpenAPI document says', async () => {
    const { runs } = (await server.inject({ url: RUNS })).json();
    const one = await readRun(server, runs[0].id, '?include=grid');
    const list = (await server.inject({ url: RUNS })).json();
    await expectDocumented(server, `${RUNS}/{id}`, one);
    await expectDocumented(server, RUNS, list);
    await expectDocumented(server, RUNS, (await postRun(server, BODY)).json(), 'post');
  });

  it('an identical request on the same data is answered by the run that is there, and says so', async () => {
    const first = await runOver({ app, server }, (await postRun(server, { ...BODY, top_n: 3 })).json().id);
    const written = {
      ...BODY,
      symbols: ['beta', 'ACME', 'acme'],
      top_n: 3,
      target_atr_range: [4, 3, 2, 1.5, 1],
    };
    const again = await postRun(server, written);
    expect(again.json()).toMatchObject({ id: first.id, status: 'completed', reused: true });
    expect(again.headers.location).toBe(`${RUNS}/${first.id}`);
    const other = (await postRun(server, { ...BODY, top_n: 3, slippage_bps: 1 })).json();
    expect(other).toMatchObject({ status: 'pending', reused: false });
    await runOver({ app, server }, other.id);
  });

  it('costs never help, cell by cell', async () => {
    const free = await runOver({ app, server }, (await postRun(server, BODY)).json().id);
    const dear = await runOver(
      { app, server },
      (await postRun(server, { ...BODY, commission_per_share: 0.05 })).json().id,
    );
    for (const [at, cell] of free.grid.entries()) {
      expect(dear.grid[at].total_r).toBeLessThanOrEqual(cell.total_r);
    }
    expect(dear.grid[0].total_r).toBeLessThan(free.grid[0].total_r);
  });

  it('serves every cell only on request', async () => {
    const { id } = await runOver({ app, server }, (await postRun(server, BODY)).json().id);
    expect((await readRun(server, id)).grid).toBeNull();
    expect((await readRun(server, id.toUpperCase(), '?include=grid')).grid).toHaveLength(20);
  });

  it('lists newest first, page by page', async () => {
    const whole = (await server.inject({ url: RUNS })).json();
    expect(whole.runs.length).toBeGreaterThan(2);
    expect(whole.next_cursor).toBeNull();
    const times = whole.runs.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url: string = `${RUNS}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = (await server.inject({ url })).json();
      expect(page.runs).toHaveLength(1);
      paged.push(...page.runs);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole.runs);
    const failed = (await server.inject({ url: `${RUNS}?status=failed` })).json();
    expect(failed.runs.every(({ status }: { status: string }) => status === 'failed')).toBe(true);
  });

  it('leaves out a session that is not over for the caller', async () => {
    // 11:00 in New York on the 13th.
    const run = (await postRun(server, { ...BODY, end_date: '2024-03-13' })).json();
    expect(run).toMatchObject({ last_session: '2024-03-12', request: { end_date: '2024-03-13' } });
    await runOver({ app, server }, run.id);
  });

  it('streams how far a run has come, and ends with it', async () => {
    const url = await listen();
    const { backtester } = app.context;
    const merge = backtester.merge.bind(backtester);
    const isWatched = Promise.withResolvers<void>();
    const merging = vi
      .spyOn(backtester, 'merge')
      .mockImplementation((...words) => isWatched.promise.then(() => merge(...words)));
    onTestFinished(() => merging.mockRestore());
    const { id } = (await postRun(server, { ...BODY, slippage_bps: 2 })).json();
    const { status, headers, reading } = await connectStream(`${url}/${id}/events`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await reading.next('progress');
    isWatched.resolve();
    const end = await reading.next('completed');
    await reading.ended();
    expect(end.data).toEqual({ id, status: 'completed', progress_pct: 100, error_message: null });
    expect(reading.events[0]).toBe('progress');
    const steps = reading.blocks.flatMap(({ data }) => (data === null ? [] : [data.progress_pct]));
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
    // One who comes late hears the end at once.
    const late = await connectStream(`${url}/${id}/events`);
    await late.reading.ended();
    expect(late.reading.events).toEqual(['completed']);
  });
});

let address: string | null = null;

/** Where the server listens, once one test wants a real connection. */
async function listen(): Promise<string> {
  if (address === null) {
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.addresses()[0] as AddressInfo;
    address = `http://127.0.0.1:${port}${RUNS}`;
  }
  return address;
}

const tokenOf = (terms: Partial<GrantTerms> = {}, scopes: AccessScope[] = ['backtest:run']) =>
  newBearer({ server, database: app.context.database }, scopes, terms);

describe('DELETE', () => {
  it('200: a run that waits or runs is cancelled, and stays so', async () => {
    const { backtester } = app.context;
    const isMerging = Promise.withResolvers<void>();
    const merging = vi.spyOn(backtester, 'merge').mockImplementationOnce((_files, signal) => {
      isMerging.resolve();
      return abortable(new Promise<never>(() => {}), signal);
    });
    onTestFinished(() => merging.mockRestore());
    const { id } = (await postRun(server, { ...BODY, top_n: 8 })).json();
    await isMerging.promise;
    const cancelled = await server.inject({ method: 'DELETE', url: `${RUNS}/${id}` });
    expect([cancelled.statusCode, cancelled.json().status]).toEqual([200, 'cancelled']);
    await app.idle();
    const response = await server.inject({ method: 'DELETE', url: `${RUNS}/${id}` });
    expect([response.statusCode, response.json().status]).toEqual([200, 'cancelled']);
    expect(response.json().results).toEqual([]);
    // The queue is free for the next one.
    const next = await runOver({ app, server }, (await postRun(server, { ...BODY, top_n: 7 })).json().id);
    expect(next.status).toBe('completed');
    expect((await readRun(server, id)).status).toBe('cancelled');
  });

  it('409: a run that is completed', async () => {
    const { id } = await runOver({ app, server }, (await postRun(server, BODY)).json().id);
    await expectRefused(server.inject({ method: 'DELETE', url: `${RUNS}/${id}` }), 409, 'conflict');
    expect((await readRun(server, id)).status).toBe('completed');
  });
});

const many = (count: number): number[] => Array.from({ length: count }, (_, at) => (at + 1) / 10);

describe('who sees which runs', () => {
  it('403: a symbol outside the grant', async () => {
    const refused = postRun(server, BODY, await tokenOf({ symbols: ['ACME'] }));
    await expectRefused(refused, 403, 'symbol_not_granted', 'BETA');
  });

  it('404: the run of another client, and of nobody', async () => {
    const [own, other] = [await tokenOf(), await tokenOf()];
    const { id } = (await postRun(server, BODY, own)).json();
    expect((await runOver({ app, server }, id, own)).status).toBe('completed');
    for (const headers of [other, {}] as Record<string, string>[]) {
      for (const method of ['GET', 'DELETE'] as const) {
        await expectRefused(server.inject({ method, url: `${RUNS}/${id}`, headers }), 404, 'unknown_run');
      }
      const { runs } = (await server.inject({ url: RUNS, headers })).json();
      expect(runs.map((run: { id: string }) => run.id)).not.toContain(id);
      const events = await server.inject({ url: `${RUNS}/${id}/events`, headers });
      expect(events.statusCode).toBe(404);
    }
    const { runs } = (await server.inject({ url: RUNS, headers: own })).json();
    expect(runs.map((run: { id: string }) => run.id)).toEqual([id]);
    await expectRefused(
      server.inject({ url: `${RUNS}/00000000-0000-4000-8000-000000000000` }),
      404,
      'unknown_run',
    );
  });
});

describe('422', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `S${at}`);
  const [START, END, STOPS, TARGETS] = ['start_date', 'end_date', 'stop_atr_range', 'target_atr_range'];

  it.each<[string, object, string]>([
    ['no symbols field', { symbols: undefined }, 'symbols,missing'],
    ['0 symbols', { symbols: [] }, 'symbols,too_short'],
    ['21 symbols', { symbols: names(21) }, 'symbols,too_long'],
    ['20 symbols that are unknown', { symbols: ['ACME', ...names(19)] }, 'symbols,1,value_error'],
    ['a symbol that is none', { symbols: ['-'] }, 'symbols,0,string_pattern_mismatch'],
    ['a number as symbol', { symbols: [7] }, 'symbols,0,string_type'],
    ['an unknown symbol', { symbols: ['ACME', 'NOPE'] }, 'symbols,1,value_error'],
    ['no signal types', { signal_types: [] }, 'signal_types,too_short'],
    ['a strange signal type', { signal_types: ['moon'] }, 'signal_types,0,literal_error'],
    ['a shape that is no date', { [START]: '2024-2-1' }, 'start_date,string_pattern_mismatch'],
    ['a day that is none', { [START]: '2024-02-30' }, 'start_date,date_parsing'],
    ['dates the wrong way round', { [START]: '2024-03-12', [END]: '2024-03-11' }, 'end_date,value_error'],
    ['an end after today', { [END]: '2024-03-14' }, 'end_date,value_error'],
    ['a start after today', { [START]: '2024-03-14', [END]: '2024-03-15' }, 'start_date,value_error'],
    ['a weekend', { [START]: '2024-03-09', [END]: '2024-03-10' }, 'start_date,value_error'],
    ['a session that runs', { [START]: '2024-03-13', [END]: '2024-03-13' }, 'start_date,value_error'],
    ['dates without bars', { [START]: '2023-09-01', [END]: '2023-09-29' }, 'start_date,value_error'],
    ['a symbol without minute bars', { symbols: ['DAYS'] }, 'symbols,value_error'],
    ['a stop of 0', { [STOPS]: [1, 0] }, 'stop_atr_range,1,greater_than'],
    ['a negative stop', { [STOPS]: [-1] }, 'stop_atr_range,0,greater_than'],
    ['a target above 20', { [TARGETS]: [20.01] }, 'target_atr_range,0,less_than_equal'],
    ['NaN', { [TARGETS]: ['NaN'] }, 'target_atr_range,0,float_type'],
    ['null', { [TARGETS]: [null] }, 'target_atr_range,0,float_type'],
    ['no stops', { [STOPS]: [] }, 'stop_atr_range,too_short'],
    ['51 stops', { [STOPS]: many(51) }, 'stop_atr_range,too_long'],
    ['10,000 targets', { [TARGETS]: many(10_000).map((one) => one / 100) }, 'target_atr_range,too_long'],
    ['top_n 0', { top_n: 0 }, 'top_n,greater_than_equal'],
    ['top_n 51', { top_n: 51 }, 'top_n,less_than_equal'],
    ['top_n 1.5', { top_n: 1.5 }, 'top_n,int_type'],
    ['a cost below 0', { slippage_bps: -1 }, 'slippage_bps,greater_than_equal'],
    ['a strange field', { stop: 1 }, 'stop,extra_forbidden'],
  ])('%s', async (_name, part, fault) => {
    const response = await postRun(server, { ...BODY, ...part });
    expect(response.statusCode, response.body).toBe(422);
    const { detail } = response.json() as { detail: { type: string; ctx: object }[] };
    for (const { type, ctx } of detail) {
      // Of the other rules there is nothing more to say.
      const isBare = /missing|extra_forbidden|_type$/.test(type);
      expect([type, Object.keys(ctx).length > 0]).toEqual([type, !isBare]);
    }
    expect(faultsOf(response)[0]).toBe(`body,${fault}`);
  });

  it('names all that is missing', async () => {
    const all = words`body,symbols,missing body,start_date,missing body,end_date,missing`;
    await expectFaults(postRun(server, {}), ...all);
  });

  it('says what to change', async () => {
    const message = async (body: object) =>
      (await postRun(server, { ...BODY, ...body })).json().detail[0].msg;
    expect(await message({ start_date: '2023-09-01', end_date: '2023-09-29' })).toBe(
      'There are no one-minute bars of any of the symbols from 2023-09-01 to 2023-09-29; there are some between 2024-02-01 and 2024-03-12',
    );
    expect(await message({ start_date: '2024-03-09', end_date: '2024-03-10' })).toContain('held no session');
    expect(await message({ symbols: ['DAYS'] })).toContain('import them first');
  });

  it('takes what lies just within the bounds', async () => {
    const body = { ...BODY, stop_atr_range: [0.0001, 20], target_atr_range: many(50), top_n: 50 };
    const run = await runOver({ app, server }, (await postRun(server, body)).json().id);
    expect([run.status, run.grid.length]).toEqual(['completed', 100]);
    expect(run.results.length).toBeLessThanOrEqual(50);
    const smallest = await runOver({ app, server }, (await postRun(server, { ...BODY, top_n: 1 })).json().id);
    expect(smallest.results).toHaveLength(1);
  });

  it('more work than one run may be', async () => {
    // 2 symbols x 28 sessions x 2,500 cells are few; a decade of them is not.
    const grid = { stop_atr_range: many(50), target_atr_range: many(50) };
    const large = await postRun(server, { ...BODY, ...grid, start_date: '2012-01-03' });
    expect(large.statusCode).toBe(422);
    expect(large.json().detail[0].msg).toContain(
      'fewer symbols, a shorter range of dates or fewer multipliers',
    );
  });

  it.each([
    ['/not-a-uuid', 'path,id,string_pattern_mismatch'],
    ['?limit=0', 'query,limit,greater_than_equal'],
    ['?limit=101', 'query,limit,less_than_equal'],
    ['?cursor=x', 'query,cursor,string_pattern_mismatch'],
    ['?status=gone', 'query,status,literal_error'],
    ['/00000000-0000-4000-8000-000000000000?include=all', 'query,include,literal_error'],
  ])('%s', async (path, fault) => {
    await expectFaults(server.inject(RUNS + path), fault);
  });
});
