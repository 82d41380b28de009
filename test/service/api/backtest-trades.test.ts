import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import type { GrantTerms } from '../../../src/api/access/clients.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { newBearer } from '../../support/access.ts';
import { expectDocumented, expectFaults, expectRefused } from '../../support/answers.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { postRun, RUNS, runOver, type WireRun } from '../../support/backtests.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';

/** Trades, equity and entries of one's own over HTTP. */

const SYMBOLS = ['ACME', 'BETA'];
const SIGNALS = words`vwap_touch ib_breakout ib_retest or_hold level_confluence trend_continuation`;
const BODY = {
  symbols: SYMBOLS,
  start_date: '2024-02-01',
  end_date: '2024-03-12',
  signal_types: SIGNALS,
  stop_atr_range: [0.05, 0.1, 0.3],
  target_atr_range: [0.05, 0.2, 0.6],
  commission_per_share: 0.01,
  slippage_bps: 1,
};
const ARROW = { accept: 'application/vnd.apache.arrow.stream' };

/** Quotes of each minute, four cents wide. */
function quotesOf(symbol: string): Delivery {
  const { time, open } = minuteBars(symbol, BODY.start_date, '2024-03-13').columns;
  const [bid, ask] = [open.map((price) => price - 0.02), open.map((price) => price + 0.02)];
  const size = open.map(() => 100);
  const columns = {
    ...{ time, bidOpen: bid, bidHigh: bid, bidLow: bid, bidClose: bid, bidSize: size },
    ...{ askOpen: ask, askHigh: ask, askLow: ask, askClose: ask, askSize: size },
  };
  return { kind: 'quotes', symbol, interval: '1m', columns };
}

const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-13T15:00:00Z' });
await bring(app, [
  ...SYMBOLS.map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12')),
  ...SYMBOLS.map((symbol) => minuteBars(symbol, BODY.start_date, '2024-03-13')),
  quotesOf('BETA'),
]);
const server = await serverOf(app);

async function completed(body: object, headers = {}): Promise<WireRun> {
  const response = await postRun(server, body, headers);
  expect(response.statusCode, response.body).toBe(200);
  const run = await runOver({ app, server }, response.json().id, headers);
  expect([run.status, run.error_message]).toEqual(['completed', null]);
  return run;
}

const ask = (id: string, rest: string, headers = {}) =>
  server.inject({ url: `${RUNS}/${id}/${rest}`, headers });
const run = await completed(BODY);
const nameOf = ({ stop_atr, target_atr }: Record<string, number>): string => `${stop_atr},${target_atr}`;

describe('200', () => {
  it('trades and equity of the best cell, of one and of all are what the document says and agree', async () => {
    const all = (await ask(run.id, 'trades?cell=all')).json();
    await expectDocumented(server, `${RUNS}/{id}/trades`, all);
    await expectDocumented(server, `${RUNS}/{id}/equity`, (await ask(run.id, 'equity?cell=all')).json());
    expect(all.cells).toHaveLength(9);
    expect(all).toMatchObject({ id: run.id, as_of: '2024-03-12T20:00:00.000Z', simulated: false });
    expect(new Set(all.trades.map((one: WireRun) => one.exit_reason)).size).toBe(3);
    const best = (await ask(run.id, 'trades')).json();
    expect(best.cells[0].parameter_set).toEqual(run.results[0].parameter_set);
    expect(best.trades).toHaveLength(run.results[0].total_trades);
    for (const cell of run.grid as WireRun[]) {
      const [trades, equity] = await Promise.all(
        words`trades equity`.map(async (of) =>
          (await ask(run.id, `${of}?cell=${nameOf(cell.parameter_set)}`)).json(),
        ),
      );
      expect(trades.trades).toHaveLength(cell.total_trades);
      expect(trades.trades).toEqual(
        all.trades.filter((one: WireRun) => nameOf(one as never) === nameOf(cell.parameter_set)),
      );
      expect(equity.equity).toHaveLength(run.analysis.sessions);
      expect(equity.equity.at(-1).equity).toBeCloseTo(cell.total_r, 5);
      expect(Math.max(...equity.equity.map((day: WireRun) => day.drawdown))).toBeCloseTo(
        cell.max_drawdown,
        5,
      );
    }
  });

  it('as an Arrow stream the same rows', async () => {
    for (const what of ['trades', 'equity'] as const) {
      const rows = (await ask(run.id, `${what}?cell=all`)).json()[what] as WireRun[];
      const response = await ask(run.id, `${what}?cell=all`, ARROW);
      expect(response.headers['content-type']).toBe(ARROW.accept);
      const table = tableFromIPC(response.rawPayload);
      expect(table.schema.metadata.get('id')).toBe(run.id);
      expect(table.numRows).toBe(rows.length);
      for (const [name, value] of Object.entries(rows[7]!)) {
        if (name === 'inputs') continue;
        const cell = table.getChild(name)!.get(7);
        const found =
          name === 'trade_date'
            ? new Date(Number(cell)).toISOString().slice(0, 10)
            : /_time$/.test(name)
              ? new Date(Number(cell)).toISOString()
              : typeof cell === 'bigint'
                ? Number(cell)
                : cell;
        expect(found, name).toEqual(value);
      }
      if (what === 'trades') {
        const close = table.getChild('input_bar_close')!.get(7);
        expect(close).toBe(rows[7]!.inputs.bar_close);
      }
    }
  });

  it('as of an earlier instant, only of the sessions that were over by then', async () => {
    const all = (await ask(run.id, 'trades?cell=all')).json();
    const cut = (await ask(run.id, 'trades?cell=all&as_of=2024-02-20T18:00:00Z')).json();
    expect(cut.as_of).toBe('2024-02-20T18:00:00.000Z');
    expect(cut.trades).toEqual(all.trades.filter((one: WireRun) => one.trade_date < '2024-02-20'));
    expect(cut.trades.length).toBeGreaterThan(0);
    const { equity } = (await ask(run.id, 'equity?as_of=2024-01-05T18:00:00Z')).json();
    expect(equity).toEqual([]);
  });

  it('the same question is one run, also while it waits, after it failed, and with the entries in another order', async () => {
    const asked = { ...BODY, slippage_bps: 7 };
    const [one, two] = await Promise.all([postRun(server, asked), postRun(server, asked)]);
    expect(two.json().id).toBe(one.json().id);
    const { runs } = (await server.inject({ url: RUNS })).json();
    expect(runs.filter((each: WireRun) => each.request.slippage_bps === 7)).toHaveLength(1);
    await runOver({ app, server }, one.json().id);
    const pending = (await postRun(server, { ...BODY, slippage_bps: 8 })).json().id;
    await server.inject({ method: 'DELETE', url: `${RUNS}/${pending}` });
    await app.idle();
    const again = (await postRun(server, { ...BODY, slippage_bps: 8 })).json();
    expect(again).toMatchObject({ id: pending, reused: false });
    expect((await runOver({ app, server }, pending)).status).toBe('completed');
    expect((await ask(pending, 'trades')).json().trades.length).toBeGreaterThan(0);
  });
});

const { signal_types: _, ...BARE } = BODY;

/** The entries of a run of one cell and one signal, as a caller would send them. */
async function ownSignals(type: string) {
  const one = { ...BODY, signal_types: [type], stop_atr_range: [0.1], target_atr_range: [0.2] };
  const builtIn = await completed(one);
  const { trades } = (await ask(builtIn.id, 'trades')).json();
  const signals = trades.map(({ symbol, signal_time, direction }: WireRun) => ({
    symbol,
    time: signal_time,
    side: direction,
  }));
  const { signal_types: __, ...rest } = one;
  return { builtIn, trades, signals, body: { ...rest, signals } };
}

describe('entries of one’s own', () => {
  it.each(['ib_breakout', 'trend_continuation'])(
    'at the instants of %s give its trades and figures',
    async (type) => {
      const { builtIn, trades, signals, body } = await ownSignals(type);
      expect(signals.length).toBeGreaterThan(5);
      const own = await completed(body);
      expect(own.request).toMatchObject({ signal_types: [], signals: { count: signals.length } });
      expect(own.grid).toEqual(builtIn.grid);
      const bare = (of: WireRun[]) => of.map(({ signal_type: _type, inputs: _inputs, ...rest }) => rest);
      const mine = (await ask(own.id, 'trades')).json().trades;
      expect(bare(mine)).toEqual(bare(trades));
      expect(new Set(mine.map(({ signal_type }: WireRun) => signal_type))).toEqual(new Set(['own']));
      // In another order, with one twice and times in another zone it is the same question.
      const shuffled = [...signals.toReversed(), signals[0]].map((signal, at) =>
        at === 0
          ? { ...signal, symbol: signal.symbol.toLowerCase(), time: signal.time.replace('Z', '+00:00') }
          : signal,
      );
      expect((await postRun(server, { ...body, signals: shuffled })).json()).toMatchObject({
        id: own.id,
        reused: true,
      });
    },
  );

  it('422: names each signal that can have no entry, and starts nothing', async () => {
    const before = (await server.inject({ url: RUNS })).json().runs.length;
    const at = (time: string, symbol = 'ACME', side = 'long') => ({ symbol, time, side });
    const response = await postRun(server, {
      ...BARE,
      signals: [
        at('2024-02-05T15:00:00Z'),
        at('2024-02-05T15:00:00Z', 'NOPE'),
        at('2024-02-05T14:29:59Z'),
        at('2024-02-05T21:00:00Z'),
        at('2024-02-10T15:00:00Z'),
        at('2024-01-31T15:00:00Z'),
        at('2024-02-05T15:00:00Z', 'acme', 'short'),
        at('2024-02-05T20:59:00Z'),
      ],
    });
    expect(response.statusCode).toBe(422);
    const { detail } = response.json();
    expect(detail.map(({ loc, msg }: WireRun) => [loc.slice(2).join(), msg])).toEqual([
      ['1,symbol', expect.stringMatching(/^NOPE at .* none of the symbols .* leave the signal out/)],
      ['2,time', expect.stringMatching(/outside the regular session.* 14:30 to 20:59 UTC/)],
      ['3,time', expect.stringMatching(/outside the regular session/)],
      ['4,time', expect.stringMatching(/held no session on 2024-02-10/)],
      ['5,time', expect.stringMatching(/outside the run, 2024-02-01 to 2024-03-12/)],
      ['6,side', expect.stringMatching(/the same minute is long; keep one/)],
    ]);
    expect((await server.inject({ url: RUNS })).json().runs).toHaveLength(before);
  });

  it.each<[string, object, string]>([
    [
      'both signals and signal types',
      {
        signals: [{ symbol: 'ACME', time: '2024-02-05T15:00:00Z', side: 'long' }],
        signal_types: ['or_hold'],
      },
      'signals,value_error',
    ],
    ['none of both', {}, 'signals,value_error'],
    ['no entries', { signals: [] }, 'signals,too_short'],
    [
      'a side that is none',
      { signals: [{ symbol: 'ACME', time: '2024-02-05T15:00:00Z', side: 'up' }] },
      'signals,0,side,literal_error',
    ],
    [
      'a time without a zone',
      { signals: [{ symbol: 'ACME', time: '2024-02-05T15:00:00', side: 'long' }] },
      'signals,0,time,datetime_parsing',
    ],
    [
      'a negative commission',
      { signal_types: ['or_hold'], commission_per_share: -0.01 },
      'commission_per_share,greater_than_equal',
    ],
    [
      'an absurd commission',
      { signal_types: ['or_hold'], commission_per_share: 11 },
      'commission_per_share,less_than_equal',
    ],
    ['an absurd slippage', { signal_types: ['or_hold'], slippage_bps: 1001 }, 'slippage_bps,less_than_equal'],
    [
      'a half spread that is no flag',
      { signal_types: ['or_hold'], half_spread: 0.5 },
      'half_spread,bool_type',
    ],
  ])('422: %s', async (_name, part, fault) => {
    await expectFaults(postRun(server, { ...BARE, ...part }), `body,${fault}`);
  });

  it('half of the quoted spread is lost at each fill but that of a target, and sessions without quotes are counted', async () => {
    const paid = await completed({ ...BODY, half_spread: true });
    const { walked, no_quotes } = paid.analysis.symbol_sessions;
    expect([walked, no_quotes]).toEqual([paid.analysis.sessions, paid.analysis.sessions]);
    const { trades } = (await ask(paid.id, 'trades?cell=all')).json();
    expect(new Set(trades.map(({ symbol }: WireRun) => symbol))).toEqual(new Set(['BETA']));
    for (const one of trades) {
      const orders = one.exit_reason === 'target' ? 1 : 2;
      const slippage = one.entry_price * BODY.slippage_bps * 1e-4;
      expect(one.costs).toBeCloseTo(2 * BODY.commission_per_share + orders * (slippage + 0.02), 9);
    }
  });

  it('a run that pays half of the spread fails where no quotes are, and says so', async () => {
    const { id } = (await postRun(server, { ...BODY, symbols: ['ACME'], half_spread: true })).json();
    const failed = await runOver({ app, server }, id);
    expect(failed.status).toBe('failed');
    expect(failed.error_message).toMatch(/without a quote from the first minute on.*import quotes/);
    await expectRefused(ask(id, 'trades'), 409, 'conflict', 'start it again');
  });
});

describe('refusals', () => {
  it('422: a cell that the run does not have names those that it has', async () => {
    const refused = await ask(run.id, 'trades?cell=1,2');
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0]).toMatchObject({ loc: ['query', 'cell'], type: 'value_error' });
    expect(refused.json().detail[0].msg).toContain(
      'its stops are 0.05, 0.1, 0.3, its targets 0.05, 0.2, 0.6',
    );
    for (const cell of ['1', 'best', '1;2', '-1,2', '1,NaN']) {
      await expectFaults(ask(run.id, `equity?cell=${cell}`), 'query,cell,string_pattern_mismatch');
    }
    await expectFaults(ask(run.id, 'trades?as_of=2024-03-14T00:00:00Z'), 'query,as_of,as_of_not_reached');
  });

  it('404 for others, 403 for a grant without one of its symbols', async () => {
    const bearer = (terms: Partial<GrantTerms> = {}) =>
      newBearer({ server, database: app.context.database }, ['backtest:run'], terms);
    const own = await completed(BODY, await bearer());
    for (const what of ['trades', 'equity']) {
      await expectRefused(ask(own.id, what), 404, 'unknown_run');
      await expectRefused(ask(run.id, what, await bearer()), 404, 'unknown_run');
    }
  });
});

const PYTHON = process.env.TIGRAPH_PYTHON ?? 'python3';
const has = (...modules: string[]): boolean =>
  spawnSync(PYTHON, ['-c', `import ${modules.join()}`]).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'tigraph-trades-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = (name: string): string => join(import.meta.dirname, '../../backtests', name);

async function writeFiles(of: WireRun): Promise<void> {
  writeFileSync(join(folder, 'run.json'), JSON.stringify(of));
  writeFileSync(join(folder, 'trades.json'), (await ask(of.id, 'trades?cell=all')).rawPayload);
  for (const name of ['trades', 'equity']) {
    writeFileSync(join(folder, `${name}.arrow`), (await ask(of.id, `${name}?cell=all`, ARROW)).rawPayload);
  }
}

describe('programs that nobody here wrote', () => {
  it.skipIf(!has('pandas', 'pyarrow'))(
    'pandas recomputes every figure of the run from the trades of its cells',
    async () => {
      await writeFiles(run);
      const { compared, worst } = JSON.parse(
        execFileSync(PYTHON, [script('recompute.py'), folder], { encoding: 'utf8' }),
      );
      expect(compared).toBeGreaterThan(500);
      expect(worst).toBeLessThan(1e-12);
    },
  );

  it.skipIf(!has('pandas', 'pyarrow', 'backtesting'))('backtesting.py makes the same trades', async () => {
    const one = await completed({
      ...BODY,
      symbols: ['ACME'],
      signal_types: ['trend_continuation'],
      // Wider than the step from one bar to the next: theirs takes no order whose levels the last close is beyond.
      stop_atr_range: [0.3, 0.5],
      target_atr_range: [0.35, 0.6],
      commission_per_share: 0,
      slippage_bps: 0,
    });
    await writeFiles(one);
    const from = `/api/graph/v1/stocks/ACME/bars?interval=1m&from=${BODY.start_date}&to=${BODY.end_date}&limit=20000`;
    writeFileSync(
      join(folder, 'bars.arrow'),
      (await server.inject({ url: from, headers: ARROW })).rawPayload,
    );
    const { stop_atr, target_atr } = one.grid[1].parameter_set;
    const call = [script('peer.py'), folder, `${stop_atr}`, `${target_atr}`];
    const { trades } = JSON.parse(execFileSync(PYTHON, call, { encoding: 'utf8' }));
    expect(trades).toBe(one.grid[1].total_trades);
  });
});
