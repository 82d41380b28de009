import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { replayClock } from '../../../src/base/clock.ts';
import { realTimers } from '../../../src/base/timers.ts';
import { freshStore } from '../../support/app.ts';
import { callCommand, startCommand } from '../../support/command.ts';
import type { TestStore } from '../../support/database.ts';
import { at } from '../../support/tape.ts';
import { AlpacaDouble } from '../../support/vendors/alpaca.ts';
import { marketOfDouble } from '../../support/vendors/market.ts';

/** The double's market ends before today, so that no session runs. */
const market = await marketOfDouble('2024-03-05', 5, 1);
const SYMBOLS = [...market.minutes.keys()];

/** With nothing in it; its server is up, so that no start waits for one. */
let store: TestStore;
beforeAll(async () => {
  store = await freshStore();
});

async function double(
  now: () => number = realTimers.now,
): Promise<{ double: AlpacaDouble; settings: Record<string, string> }> {
  const double = new AlpacaDouble(market, now);
  await double.listen();
  onTestFinished(() => double.close());
  return {
    double,
    settings: {
      TIGRAPH_DATA_DIR: store.options.dataDirectory,
      DATABASE_URL: store.options.databaseUrl ?? '',
      PORT: '0',
      TIGRAPH_WORKERS: '1',
      ...double.settingsOfHosts,
      TIGRAPH_SYMBOLS: SYMBOLS.join(','),
    },
  };
}

describe('a first start with a key of Alpaca', { timeout: 120_000 }, () => {
  it.each([
    [
      'a wrong secret',
      { ALPACA_KEY_ID: 'PKDOUBLE', ALPACA_SECRET_KEY: 'not-the-secret' },
      /^tigraph: Alpaca refuses the key of ALPACA_KEY_ID at 127\.0\.0\.1:\d+: it answers 401: unauthorized\.\. \(vendor_refused\)$/m,
    ],
    [
      'no secret',
      { ALPACA_KEY_ID: 'PKDOUBLE' },
      /^tigraph: ALPACA_SECRET_KEY is missing: ALPACA_KEY_ID needs it\. \(bad_setting\)$/m,
    ],
    [
      'a file that is not there',
      { ALPACA_KEY_ID: 'PKDOUBLE', ALPACA_SECRET_KEY_FILE: '/nowhere/secret' },
      /^tigraph: ALPACA_SECRET_KEY_FILE names a file that cannot be read/m,
    ],
    [
      'a wrong host',
      {
        ALPACA_KEY_ID: 'PKDOUBLE',
        ALPACA_SECRET_KEY: 'double-secret',
        ALPACA_TRADING_URL: 'http://127.0.0.1:1',
      },
      /^tigraph: ALPACA_TRADING_URL is http:\/\/127\.0\.0\.1:1: Alpaca at 127\.0\.0\.1:1 does not answer/m,
    ],
  ])('ends with %s in one sentence and 1', async (_, key, sentence) => {
    const { settings } = await double();
    const { code, stdout, stderr } = await callCommand(['serve'], { ...settings, ...key });
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(/not-the-secret|double-secret/);
  });

  it('takes the key from .env and the secret from a file, serves what the vendor has, and shows neither', async () => {
    const now = Date.parse('2024-03-06T03:00:00Z');
    const { settings } = await double(() => now);
    const folder = mkdtempSync(join(tmpdir(), 'tigraph-env-'));
    writeFileSync(join(folder, 'secret'), 'double-secret\n');
    writeFileSync(
      join(folder, '.env'),
      `ALPACA_KEY_ID=PKDOUBLE\nALPACA_SECRET_KEY_FILE=${join(folder, 'secret')}\n`,
    );
    const lines = { ...settings, TIGRAPH_NOW: new Date(now).toISOString(), LOG_LEVEL: 'trace' };
    const service = startCommand(['serve'], lines, folder);
    await expect.poll(service.output, { timeout: 60_000 }).toMatch(/back-fill of news/);
    const base = /tigraph serves at (http:\S+)/.exec(service.output())![1]!;
    const bars = async (): Promise<number> => {
      const answer = await fetch(`${base}/api/graph/v1/stocks/${SYMBOLS[0]}/bars?interval=1m&limit=10`);
      return ((await answer.json()) as { time?: string[] }).time?.length ?? 0;
    };
    await expect.poll(bars, { timeout: 30_000 }).toBe(10);
    const metrics = await (await fetch(`${base}/metrics`)).text();
    service.process.kill('SIGTERM');
    await service.ended;
    expect(service.output()).not.toContain('simulated');
    expect(service.output() + metrics).not.toMatch(/double-secret|PKDOUBLE/);
  });
});

describe('a process that answers callers beside the one that follows a vendor', { timeout: 120_000 }, () => {
  it('answers how its feed fares, lets it know what is looked at, and does not repeat what nobody says any more', async () => {
    const from = at('2024-03-05', '10:30');
    // A minute a second.
    const since = Math.ceil(realTimers.now() / 1_000) * 1_000;
    const clock = replayClock({ from, speed: 60, since });
    const { double: vendor, settings } = await double(clock.now);
    const shared = {
      ...settings,
      ALPACA_KEY_ID: vendor.keyId,
      ALPACA_SECRET_KEY: vendor.secretKey,
      TIGRAPH_NOW: `${new Date(from).toISOString()}*60@${new Date(since).toISOString()}`,
    };
    const live = startCommand(['serve', '--role', 'live'], shared);
    const api = startCommand(['serve', '--role', 'api'], shared);
    await expect.poll(api.output, { timeout: 60_000 }).toMatch(/tigraph serves at/);
    const base = /tigraph serves at (http:\S+)/.exec(api.output())![1]!;
    const feeds = async () => {
      const answer = await fetch(`${base}/health/feeds`);
      return ((await answer.json()) as { feeds: Record<string, unknown>[] }).feeds;
    };
    await expect
      .poll(feeds, { timeout: 60_000 })
      .toMatchObject([{ feed: 'alpaca-iex', connected: true, trade_date: '2024-03-05' }]);
    expect((await feeds())[0]!.said_seconds).toBeLessThan(15);

    // A start looks at the index fund, to be warm.
    const symbol = SYMBOLS.find((one) => one !== 'SIMX')!;
    const chainAsked = (): boolean => vendor.calls.some((path) => path.includes(`/snapshots/${symbol}?`));
    expect(chainAsked()).toBe(false);
    expect((await fetch(`${base}/api/graph/v1/stocks/${symbol}`)).status).toBe(200);
    await expect.poll(chainAsked, { timeout: 30_000 }).toBe(true);

    live.process.kill('SIGKILL');
    await live.ended;
    const database = await store.open();
    await database.write(
      `update lease set expires_at = expires_at - interval '1 minute' where name = 'feeds'`,
    );
    const [silent] = await feeds();
    expect(silent).toMatchObject({ feed: 'alpaca-iex', state: 'silent', connected: null });
    expect(silent!.said_seconds).toBeGreaterThanOrEqual(60);
    expect(silent!.says).toMatch(/^The process that follows it has said nothing for \d+ s\.$/);
  });
});
