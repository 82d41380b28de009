import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPipeline } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { Delivery, Feed } from '../../../src/market/feed.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshStore } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import type { TestStore } from '../../support/database.ts';
import { FULL } from '../../support/depth.ts';
import { rowsBetween } from '../../support/market.ts';
import { at } from '../../support/tape.ts';

/** The command on a small simulated market that ends long ago, so that nothing of it moves by itself. */
const END = '2024-03-05';

const FEW_MINUTES = 60;

/** Of the minute bars of the session those of an hour before the open, which comes soon. */
const thinned = (feed: Feed): Feed => ({
  ...feed,
  units: async () =>
    (await feed.units()).map((unit) => ({
      ...unit,
      async *read(...about: Parameters<typeof unit.read>) {
        for await (const delivery of unit.read(...about)) {
          const isMinutes = delivery.kind === 'bars' && delivery.interval === '1m';
          yield isMinutes ? fewOf(delivery) : delivery;
        }
      },
    })),
});

function fewOf(delivery: Extract<Delivery, { kind: 'bars' }>): Delivery {
  const from = at(END, '04:10');
  return rowsBetween(delivery, from, from + FEW_MINUTES * 60_000);
}

const settingsOn = ({ options }: TestStore): Record<string, string> => ({
  TIGRAPH_DATA_DIR: options.dataDirectory,
  DATABASE_URL: options.databaseUrl ?? '',
  LOG_LEVEL: 'warn',
  PORT: '0',
  TIGRAPH_WORKERS: '1',
  QUERY_TIMEOUT_MS: '60000',
});

const scratchOf = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`tigraph-replay-${pid}-`));

describe('tigraph serve --replay-from', { timeout: 240_000 }, () => {
  let settings: Record<string, string>;
  let settingsOnNothing: Record<string, string>;

  beforeAll(async () => {
    // Their servers are up: every command is a guest, and starts none.
    settings = settingsOn(await freshStore());
    settingsOnNothing = settingsOn(await freshStore());
    const app = await openPipeline(loadConfig(settings));
    const { calendar } = app.context;
    const market = { symbols: 4, days: 60, seed: 7, minuteSessions: 2, end: END };
    const feed = simulatedFeed({ ...market, calendar });
    await importFeed(app.context, FULL ? feed : thinned(feed));
    await syncGraph(app.context, { kind: 'touched' });
    await app.close();
  });

  it('has nothing to play on an empty directory, and says how to get something', async () => {
    const { code, stderr } = await callCommand(['serve', '--replay-from'], settingsOnNothing);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no intraday bars to replay/);
  });

  // Each of 960 minutes is a commit, and half a minute in all.
  it.runIf(FULL)(
    'plays a whole session, says how long a minute took, and leaves nothing behind',
    async () => {
      const { process: child, ended } = startCommand(['serve', '--replay-from', '--speed', 'max'], settings);
      const { code, stdout, stderr } = await ended;
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(`replay of ${END}`);
      expect(stdout).toMatch(/replay: 960 minutes in 960 steps, [\d,]+ rows, [\d,]+ stock-days derived/);
      expect(stdout).toMatch(/a minute with trades: median [\d.]+ ms, p99 [\d.]+ ms/);
      expect(stdout).toMatch(/at the end: 6 stock-days derived whole/);
      expect(scratchOf(child.pid)).toEqual([]);
      // The tape that it was taken from is as it was.
      expect((await callCommand(['sync'], settings)).stdout).toContain('0 stock-days derived');
    },
  );

  it.each([
    [['--date', '2024-03-02'], 1, /2024-03-02 is not a trade date \(weekend\)/],
    [
      ['--date', '2024-02-01'],
      1,
      /no intraday bars of 2024-02-01; the newest session with some is 2024-03-05/,
    ],
    [['--date', 'yesterday'], 2, /'yesterday' is invalid. It is not a date/],
    [
      ['--speed', '0'],
      2,
      /'--speed <n\|max>' argument '0' is invalid. It must be a whole number from 1 to 100000/,
    ],
    [['--symbols', 'NOPE'], 1, /Not on the tape: NOPE/],
  ])('%j is refused in a sentence', async (words, code, sentence) => {
    const refused = await callCommand(['serve', '--replay-from', ...words], settings);
    expect(refused.stderr).toMatch(sentence);
    expect(refused.code).toBe(code);
    expect(refused.stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    [['--speed', '60'], /are of the session of --replay-from/],
    [['--replay-from', '--role', 'worker'], /needs? NATS|gets its work over NATS/],
    [['--replay-from', '--role', 'api'], /the feed of the role live, not of api/],
    [['--replay-from', '--role', 'live', '--undelayed'], /The clock of TIGRAPH_NOW says how fast/],
  ])('%j is a wrong call', async (words, sentence) => {
    const refused = await callCommand(['serve', ...words], settings);
    expect(refused.stderr).toMatch(sentence);
    expect(refused.code).not.toBe(0);
  });

  it('is no feed for a clock past its session, and ends the server that listened already', async () => {
    const words = ['serve', '--role', 'live', '--replay-from', settings.TIGRAPH_DATA_DIR!];
    const refused = await callCommand(words, settingsOnNothing);
    expect(refused.stderr).toMatch(/over by the clock: start every process with TIGRAPH_NOW=2024-03-05T/);
    expect(refused.code).toBe(1);
  });

  it('serves the session while it runs, at the clock of the session, and stops cleanly on a signal', async () => {
    const {
      process: child,
      ended,
      output,
    } = startCommand(
      ['serve', '--replay-from', '--symbols', 'SIMX', '--speed', '600', '--undelayed'],
      settings,
    );
    await expect.poll(output, { timeout: 120_000 }).toMatch(/tigraph serves at http:/);
    const base = /tigraph serves at (http:\S+)/.exec(output())![1];
    const answer = async () => (await fetch(`${base}/api/graph/v1/stocks/SIMX`)).json();
    const updated = async () => ((await answer()) as { updated_at?: string }).updated_at ?? '';
    await expect.poll(updated, { timeout: 120_000 }).toMatch(new RegExp(`^${END}T`));
    const first = await updated();
    await expect.poll(updated, { timeout: 120_000 }).not.toBe(first);
    expect((await updated()) > first).toBe(true);
    child.kill('SIGINT');
    const { code, signal, stdout } = await ended;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toContain('interrupted before the end of the session');
    expect(scratchOf(child.pid)).toEqual([]);
  });
});
