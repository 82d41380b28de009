import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PriceChart } from '../../explorer/src/shared/chart/price-chart.ts';
import { clockOn } from '../../src/base/clock.ts';
import { SteppedTimers } from '../../src/base/timers.ts';
import { LIVE_SOURCES } from '../../src/cli/live-sources.ts';
import { alpacaVendor } from '../../src/live/vendors/alpaca.ts';
import { keepLive } from '../../src/pipeline/keep-live.ts';
import { newCredentials } from '../support/access.ts';
import { appOn, freshStore, serverOf } from '../support/app.ts';
import { at } from '../support/tape.ts';
import { AlpacaDouble } from '../support/vendors/alpaca.ts';
import { marketOfDouble } from '../support/vendors/market.ts';
import { browser, openPage, seriousFaults } from './support.ts';

/** The Explorer on the market of a vendor's double, which goes on minute by minute as the test steps the time. */

const DATE = '2024-03-05';
const MINUTE_MS = 60_000;

async function streaming() {
  const market = await marketOfDouble(DATE, 310, 21);
  const timers = new SteppedTimers(at(DATE, '11:02') + 2_000);
  const double = new AlpacaDouble(market, timers.now);
  await double.listen();
  const app = await appOn(await freshStore(), {}, { timers, clock: clockOn(timers) });
  onTestFinished(() => double.close());
  const heard: { readonly text: string; readonly tell: () => void }[] = [];
  const noted = (text: string) => new Promise<void>((tell) => void heard.push({ text, tell }));
  const log = {
    info: (_: object, line: string) => {
      for (const { text, tell } of heard) if (line.includes(text)) tell();
    },
    warn: () => {},
    error: (fault: unknown) => Promise.reject(fault),
  };
  const symbols = [...market.minutes.keys()];
  const vendor = alpacaVendor(double.access, { timers, random: () => 0.5 });
  const subscribed = double.subscribed();
  const source = LIVE_SOURCES.vendor({ vendor, chosen: symbols });
  await keepLive(app.context.scope, app.context, app.leases, source, log);
  await app.idle();
  await subscribed;
  const server = await serverOf(app);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const step = async (ms: number): Promise<void> => {
    await timers.advance(ms, () => app.idle());
    await app.idle();
  };
  return {
    app,
    double,
    timers,
    step,
    symbol: symbols[0]!,
    base: `http://127.0.0.1:${(server.addresses()[0] as AddressInfo).port}`,
    noted,
    /** Refuses connections, each of which waits twice as long as that before. */
    async refuse(count: number): Promise<void> {
      double.refusedUpgrades.push(...Array<number>(count).fill(503));
      for (let again = 0; again < count; again++) {
        const isRefused = noted('refused (503)');
        await step(Math.min(30_000, 500 * 2 ** again));
        await isRefused;
      }
    },
    /** To the end of the next minute, whose bars are sent. */
    async minute(): Promise<void> {
      const into = (timers.now() - 2_000) % MINUTE_MS;
      double.push(double.barsOf(timers.now() - 2_000 - into + MINUTE_MS));
      await double.taken();
      await step(MINUTE_MS - into);
    },
  };
}

/** What the chart has drawn: how many bars, the last of them, and the holes. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const chart = (document.querySelector('.price-chart') as { priceChart?: PriceChart } | null)?.priceChart;
    const bars = chart?.drawn.bars;
    return {
      bars: bars?.time.length ?? 0,
      last: [bars?.time.at(-1), bars?.high.at(-1), bars?.low.at(-1), bars?.close.at(-1)],
      holes: chart?.drawn.content.holes.length ?? 0,
    };
  });

describe.skipIf(browser === null)('a key of a vendor', () => {
  it('grows the candle, says halt, hole and staleness, and lights live only while rows arrive', async () => {
    const run = await streaming();
    const { double, app, symbol } = run;
    // Stepped time outlives a token, which is asked for anew.
    const { page, faults } = await openPage(`${run.base}/stocks/${symbol}?interval=5m`, {}, [401]);
    await page.getByRole('button', { name: 'token' }).click();
    const credentials = await newCredentials(app.context.database, { feed: 'byok' });
    await page.getByLabel('Client').fill(credentials.client_id);
    await page.getByLabel('Grant').fill(credentials.grant_id);
    await page.getByLabel('Secret').fill(credentials.client_secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('.badge', { hasText: 'own feed' }).waitFor();
    const age = page.locator('.feed-age');
    const live = page.getByRole('button', { name: 'live', exact: true });
    await live.waitFor();
    await expect.poll(() => age.textContent()).toMatch(/^IEX, \d+ s behind$/);
    await page.locator('.badge.partial').waitFor();
    expect(await page.locator('.legend').textContent()).toMatch(/V –$/);

    // 11:03 is within the candle that began at 11:00.
    await expect.poll(async () => (await drawn(page)).bars).toBeGreaterThan(100);
    const before = await drawn(page);
    await run.minute();
    await expect.poll(async () => (await drawn(page)).last, { timeout: 10_000 }).not.toEqual(before.last);
    const grown = await drawn(page);
    expect([grown.bars, grown.last[0]]).toEqual([before.bars, before.last[0]]);

    const status = { T: 's', S: symbol, sc: 'H', sm: 'Trading Halt', rc: 'T1', rm: 'News Pending', z: 'C' };
    double.push([{ ...status, t: new Date(run.timers.now()).toISOString() }]);
    await run.minute();
    await page.locator('.price-head .halted').waitFor();

    // The plan gives no calls for what the cut has missed.
    const isCut = run.noted('cut');
    double.sockets[0]!.cut();
    await isCut;
    await expect
      .poll(() => age.textContent(), { timeout: 10_000 })
      .toMatch(/^IEX disconnected, \d+ s behind$/);
    double.faults.push(...Array(20).fill({ status: 403, message: 'not in the plan' }));
    await run.refuse(7);
    const isAgain = double.subscribed();
    const isGap = run.noted('a gap in the stream cannot be filled');
    await run.step(30_000);
    await isAgain;
    for (let minute = 0; minute < 2; minute++) await run.minute();
    await isGap;
    double.faults.length = 0;
    await run.minute();
    await expect.poll(async () => (await drawn(page)).holes, { timeout: 10_000 }).toBe(1);
    await live.waitFor();

    // Neither stream nor calls answer for six minutes.
    double.refusedUpgrades.push(...Array<number>(100).fill(503));
    double.faults.push(...Array(1_000).fill({ status: 503 }));
    const isGone = run.noted('cut');
    double.sockets[0]!.cut();
    await isGone;
    for (let minute = 0; minute < 6; minute++) await run.timers.advance(MINUTE_MS);
    await expect
      .poll(() => age.textContent(), { timeout: 15_000 })
      .toMatch(/^IEX disconnected, 6 min behind$/);
    expect(await live.count()).toBe(0);
    await page.locator('.badge.late').waitFor();
    await page.getByRole('link', { name: 'Status' }).click();
    const panel = page.getByRole('region', { name: 'Live feed' });
    await panel.getByText('disconnected').first().waitFor();
    expect(await panel.textContent()).toMatch(/Holes that stay \d\d:\d\d–\d\d:\d\d/);
    expect(await panel.textContent()).toMatch(/Refused: the plan of the key does not give it \d+/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  }, 40_000);
});
