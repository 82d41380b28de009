import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OptimizationRequest } from '../../../src/api/backtest/schema.ts';
import { drawHeatMap } from '../../../src/cli/backtest-svg.ts';
import { importFeed } from '../../../src/pipeline/ingest.ts';
import { feedOf, openTestApp } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { makeTestStore, type TestStore } from '../../support/database.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** `tigraph backtest`: what it prints, writes and refuses. */

let store: TestStore;

beforeAll(async () => {
  store = await makeTestStore();
  const app = await openTestApp(store);
  await importFeed(
    app.context,
    feedOf({
      daily: [dailyBars('ACME', '2023-06-01', '2024-03-12')],
      minutes: [minuteBars('ACME', '2024-02-01', '2024-03-12')],
    }),
  );
  await app.close();
});

afterAll(() => store.remove());

const CALL = [
  'backtest',
  '--symbols',
  'acme',
  '--from',
  '2024-02-01',
  '--to',
  '2024-03-12',
  '--signals',
  'vwap_touch, ib_breakout',
];

const settings = () => ({
  TIGRAPH_DATA_DIR: store.options.dataDirectory,
  DATABASE_URL: store.options.databaseUrl ?? '',
  TIGRAPH_NOW: '2024-03-13T15:00:00Z',
});

describe('tigraph backtest', () => {
  it('prints a table and a verdict, writes the figures and the heat map, and leaves nothing behind', async () => {
    const folder = temporaryDirectory();
    const [json, svg] = [join(folder, 'run.json'), join(folder, 'run.svg')];
    const words = [
      ...CALL,
      '--stops',
      '2,1,0.5',
      '--targets',
      '1,2',
      '--top',
      '4',
      '--json',
      json,
      '--svg',
      svg,
    ];
    const { code, stdout, stderr } = await callCommand(words, settings());
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('ACME from 2024-02-01 to 2024-03-12: vwap_touch, ib_breakout');
    expect(stdout).toMatch(/6 cells, 28 sessions, 28 symbol-sessions tested, 0 left out/);
    expect(stdout).toMatch(/^Verdict: (robust|doubtful|overfit|unprofitable|inconclusive)\./m);
    const run = JSON.parse(readFileSync(json, 'utf8'));
    expect(run.request).toMatchObject({
      symbols: ['ACME'],
      stop_atr_range: [0.5, 1, 2],
      target_atr_range: [1, 2],
    });
    expect(run.grid).toHaveLength(6);
    expect(run.results.length).toBeLessThanOrEqual(4);
    const [first] = run.results;
    const row = stdout.split('\n').find((line) => /^ *\d/.test(line) && line.includes(' %'))!;
    expect(row.trim().split(/ +/).slice(0, 3)).toEqual([
      `${first.parameter_set.stop_atr}`,
      `${first.parameter_set.target_atr}`,
      `${first.total_trades}`,
    ]);
    const picture = readFileSync(svg, 'utf8');
    expect(picture.match(/<rect /g)).toHaveLength(1 + 6 + 1);
    expect(picture).toContain(`>${first.sharpe_ratio.toFixed(2)}</text>`);
    const left = join(store.options.dataDirectory, 'backtest');
    expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);
  });

  it.each([
    [['--symbols', ''], '--symbols is missing'],
    [['--symbols', 'NOPE'], 'NOPE: The tape knows no stock'],
    [['--signals', 'moon'], '--signals knows no moon; it knows vwap_touch'],
    [['--from', '2024-02-30'], '--from 2024-02-30 is not a date'],
    [['--from', '2024-03-13'], 'end_date lies before start_date'],
    [['--to', '2024-03-14'], 'end_date lies after today'],
    [['--stops', '0'], '--stops 0 is not a number above 0 and at most 20'],
    [['--targets', '1,NaN'], '--targets NaN is not a number'],
    [['--top', '51'], '--top'],
    [['--commission', '-1'], 'commission'],
    [['--svg', '/nowhere/at/all.svg'], 'There is no folder'],
    [['--strange'], 'strange'],
  ])('refuses %j with a sentence and exit code 2', async (words, sentence) => {
    const { code, stdout, stderr } = await callCommand([...CALL, ...words], settings());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  it('stops at an interrupt and writes nothing', async () => {
    const folder = temporaryDirectory();
    const json = join(folder, 'run.json');
    const wide = Array.from({ length: 50 }, (_, at) => (at + 1) / 10).join();
    const words = [...CALL, '--stops', wide, '--targets', wide, '--json', json];
    const { process: child, ended } = startCommand(words, settings());
    // The folder of its unfinished work is the first thing that it makes.
    const work = join(store.options.dataDirectory, 'backtest');
    while (child.exitCode === null && !(existsSync(work) && readdirSync(work).length > 0)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain('stopped; nothing was written');
    expect(existsSync(json)).toBe(false);
    expect(readdirSync(work)).toEqual([]);
  });
});

describe('the heat map', () => {
  const request: OptimizationRequest = {
    symbols: ['A<B'],
    start_date: '2024-02-01',
    end_date: '2024-03-12',
    signal_types: ['vwap_touch'],
    stop_atr_range: [1],
    target_atr_range: [1, 2],
    top_n: 1,
    commission_per_share: 0,
    slippage_bps: 0,
  };
  const cell = (target_atr: number, sharpe_ratio: number | null) => ({
    parameter_set: { stop_atr: 1, target_atr },
    total_trades: 1,
    win_rate: null,
    avg_rr_ratio: null,
    sharpe_ratio,
    profit_factor: null,
    max_drawdown: null,
    total_r: 0,
    ambiguous_share: null,
  });

  it('marks no cell when none has a figure, and escapes its input', () => {
    const picture = drawHeatMap(request, [cell(1, null), cell(2, null)]);
    expect(picture).not.toContain('stroke=');
    expect(picture.match(/#eaeef2/g)).toHaveLength(2);
    expect(picture).toContain('A&lt;B');
    expect(picture).not.toMatch(/NaN|Infinity/);
  });

  it('is blue for the gain and rust for the loss, in step with their size', () => {
    const picture = drawHeatMap(request, [cell(1, 2), cell(2, -2)]);
    expect(picture).toContain('rgb(50,104,160)');
    expect(picture).toContain('rgb(179,84,30)');
    expect(drawHeatMap(request, [cell(1, 0), cell(2, 0)])).toContain('rgb(247,247,245)');
  });
});
