import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bring, freshStore, openTestApp } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { temporaryDirectory } from '../../support/tape.ts';

/** `tigraph backtest`: what it prints, writes and refuses. */

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

const store = await freshStore();
const app = await openTestApp(store);
await bring(app, [
  dailyBars('ACME', '2023-06-01', '2024-03-12'),
  minuteBars('ACME', '2024-02-01', '2024-03-12'),
]);
await app.close();

describe('tigraph backtest', () => {
  it('prints a table and a verdict, writes the figures, and leaves nothing behind', async () => {
    const folder = temporaryDirectory();
    const json = join(folder, 'run.json');
    const words = [...CALL, '--stops', '2,1,0.5', '--targets', '1,2', '--top', '4', '--json', json];
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
    const left = join(store.options.dataDirectory, 'backtest');
    expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);
  });

  it.each([
    [['--symbols', ''], "option '--symbols <list>' argument '' is invalid. It lists nothing."],
    [['--symbols', 'NOPE'], 'NOPE: No stock with this symbol'],
    [['--signals', 'moon'], 'moon is none of vwap_touch'],
    [['--from', '2024-02-30'], "'2024-02-30' is invalid. It is not a date"],
    [['--from', '2024-03-13'], 'end_date lies before start_date'],
    [['--to', '2024-03-14'], 'end_date lies after today'],
    [['--stops', '0'], 'It is not a number above 0 and at most 20'],
    [['--targets', '1,NaN'], 'It is not a number above 0'],
    [['--top', '51'], '--top'],
    [['--commission', '-1'], 'It is not a number from 0 to 10'],
    [['--json', '/nowhere/at/all.json'], 'There is no folder'],
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
