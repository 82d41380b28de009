import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PriceChart } from '../../explorer/src/chart/price-chart.ts';
import { DATE, PAST, type Service, startService } from './service.ts';
import { findBrowser, openBrowser, openPage, type Watched } from './support.ts';

/** The Explorer in a real browser, against the service on the simulated market at a fixed instant. */

const installed = await findBrowser();
if (installed === null)
  console.log('No Chromium or Chrome: the tests of the Explorer skip. npm run browser:install');

let service: Service;
let symbol: string;
let browser: Browser;

beforeAll(async () => {
  if (installed === null) return;
  service = await startService();
  symbol = service.symbol;
  browser = await openBrowser(installed);
});

afterAll(async () => {
  if (installed === null) return;
  await browser.close();
  await service.close();
});

const open = (path: string, ...more: [options?: object, expected?: number[]]): Promise<Watched> =>
  openPage(browser, `${service.base}${path}`, ...more);
const stockPath = (search = ''): string => `/stocks/${symbol}?as_of=${PAST}${search}`;

/** Waits until the chart has candles and levels. */
async function chartOf(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const chart = (document.querySelector('.price-chart') as { priceChart?: PriceChart } | null)?.priceChart;
    return (chart?.drawn.bars?.time.length ?? 0) > 0 && (chart?.drawn.content.levels.length ?? 0) > 0;
  });
}

/** What the chart has drawn. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const { drawn } = (document.querySelector('.price-chart') as unknown as { priceChart: PriceChart })
      .priceChart;
    return {
      bars: drawn.bars!.time.length,
      lastBar: drawn.bars!.time.at(-1)!,
      levels: drawn.content.levels.map(({ name }) => name),
      selected: [...drawn.content.selected],
      gamma: drawn.content.gamma !== null,
      profiles: drawn.content.profiles.length,
      places: drawn.content.levels.map(({ price }) => drawn.yOf(price)),
    };
  });

describe.skipIf(installed === null)('the page of a stock', () => {
  it('shows price, chart, ledgers and tabs, without a fault', async () => {
    const { page, faults } = await open(stockPath());
    await chartOf(page);
    expect(await page.locator('h1').textContent()).toContain(symbol);
    expect(await page.locator('.ledger-line').count()).toBeGreaterThan(20);
    expect(Number(await page.locator('.price-head .price').textContent())).toBeGreaterThan(0);
    for (const tab of ['Order flow', 'Peers', 'Company', 'News', 'Playbooks', 'Ask', 'Options']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await page.locator('#tab-panel :is(section, .refused, .missing, [aria-busy])').first().waitFor();
    }
    // So small a market has no peers before its last month ends: the tab says so.
    expect(faults.filter((fault) => !fault.includes('/peers?'))).toEqual([]);
  });

  it('draws levels where their prices are, and switches its layers', async () => {
    const { page } = await open(stockPath());
    await chartOf(page);
    const before = await drawn(page);
    expect(before.places.every((place) => Number.isFinite(place))).toBe(true);
    expect(before.profiles).toBe(2);
    await page.getByRole('button', { name: 'Levels' }).click();
    await page.keyboard.press('p');
    await expect.poll(async () => (await drawn(page)).levels).toEqual([]);
    await expect.poll(async () => (await drawn(page)).profiles).toBe(0);
    expect(page.url()).toContain('layers=');
    await page.reload();
    await page.locator('.price-chart').waitFor();
    await expect.poll(async () => (await drawn(page)).levels).toEqual([]);
  });

  it('lights on the chart what a line of the ledger was computed from', async () => {
    const { page } = await open(stockPath());
    await chartOf(page);
    await page
      .locator('.ledger-line', { hasText: /^Proximity/ })
      .first()
      .hover();
    await expect.poll(async () => (await drawn(page)).selected).toContain('component:proximity');
    const { selected, levels } = await drawn(page);
    expect(selected.some((name) => levels.includes(name))).toBe(true);
    await page
      .locator('.ledger-line', { hasText: /^Proximity/ })
      .first()
      .click();
    await page.mouse.move(5, 5);
    expect((await drawn(page)).selected).toContain('component:proximity');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await drawn(page)).selected).toEqual([]);
  });

  it('asks nothing later than the time handle, and draws no bar to the right of it', async () => {
    const { page, asked } = await open(stockPath());
    await chartOf(page);
    const track = page.getByRole('slider', { name: 'Minute of the session' });
    const box = (await track.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 12);
    await page.mouse.down();
    asked.length = 0;
    for (const share of [0.42, 0.4, 0.38, 0.36]) await page.mouse.move(box.x + box.width * share, box.y + 12);
    await page.mouse.up();
    const handle = new URL(page.url()).searchParams.get('as_of')!;
    expect(Date.parse(handle)).toBeLessThan(Date.parse(PAST));
    await expect
      .poll(() =>
        asked.some((url) => url.searchParams.get('as_of') === handle && url.pathname.endsWith(symbol)),
      )
      .toBe(true);
    await page.waitForLoadState('networkidle');
    const latest = Math.max(
      ...asked.flatMap((url) => url.searchParams.get('as_of') ?? []).map((instant) => Date.parse(instant)),
    );
    expect(latest).toBeLessThan(Date.parse(PAST));
    // Chart times are the clock of New York, five hours behind UTC on this date.
    await expect
      .poll(async () => ((await drawn(page)).lastBar + 5 * 3600) * 1000)
      .toBeLessThan(Date.parse(handle));
  });

  it('steps by keys, to the newest minute too', async () => {
    const { page } = await open(stockPath());
    await chartOf(page);
    // The sessions of the tape have arrived.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toBe(`${DATE}T16:59:00Z`);
    await page.keyboard.press('[');
    await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toBe('2024-03-04T16:59:00Z');
    await page.keyboard.press('.');
    await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toBeNull();
  });

  it('finds another stock by its name, from the keyboard', async () => {
    const { page } = await open(stockPath());
    await chartOf(page);
    await page.keyboard.press('/');
    await page.keyboard.type('sim');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/stocks/${symbol}`);
    expect(new URL(page.url()).searchParams.get('as_of')).toBe(PAST);
  });

  it('says what is wrong and what to do, and recovers when the service is back', async () => {
    const unknown = await open('/stocks/NOBODY', {}, [404]);
    await unknown.page.getByText('No data for the symbol NOBODY').waitFor();
    await unknown.page.getByText('Search with /').waitFor();
    const { page } = await open(stockPath());
    await chartOf(page);
    await page.context().setOffline(true);
    await page.keyboard.press('ArrowLeft');
    await page.getByText('The service does not answer').first().waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => page.locator('.offline').count(), { timeout: 15_000 }).toBe(0);
  });

  it('fits a phone', async () => {
    const { page, faults } = await open(stockPath(), { viewport: { width: 390, height: 844 } });
    await chartOf(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const box = (await page.locator('.price-chart').boundingBox())!;
    expect(box.height).toBeGreaterThanOrEqual(320);
    expect(faults).toEqual([]);
  });
});
