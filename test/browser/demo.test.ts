import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../src/simulated/feed.ts';
import { DATE, type Service, startService } from './service.ts';
import { browser, openPage, seriousFaults, whatMoved } from './support.ts';

/** The first own file beside the demo, and how the demo is left. */

const calendar = newYorkCalendar();
const STOCKS = 4;

let service: Service;

beforeAll(async () => {
  if (browser === null) return;
  const feed = simulatedFeed({ symbols: STOCKS, days: 60, seed: 1, minuteSessions: 1, end: DATE, calendar });
  service = await startService(feed);
});

afterAll(async () => {
  if (browser === null) return;
  await service.close();
});

const ownDays = (): string =>
  [
    'Date,Open,High,Low,Close,Volume',
    ...calendar
      .sessionsBetween('2023-12-01', DATE)
      .map((date, at) => `${date},5,5.4,4.8,${5 + at / 500},900`),
    '',
  ].join('\n');

const badge = (page: Page) => page.locator('.badges').getByText('simulated', { exact: true });
const offer = (page: Page) => page.getByRole('region', { name: 'Demo', exact: true });
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
const PHONE = { viewport: { width: 390, height: 844 } };
/** Where a reader wants to look at the pages. */
const shoot = async (page: Page, name: string): Promise<void> => {
  const directory = process.env.TIGRAPH_PICTURES;
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
};

describe.skipIf(browser === null)('the demo', () => {
  it('stands apart from an own file, and is left by one click', async () => {
    const { page, faults } = await openPage(`${service.base}/data`);
    await badge(page).waitFor();
    await page.setInputFiles('input[type=file]', {
      name: 'MYCO_daily.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(ownDays()),
    });
    const card = page.getByRole('region', { name: 'MYCO_daily.csv', exact: true });
    await card.getByRole('button', { name: 'Import' }).click();
    await card.getByText(/\d+ rows kept\./).waitFor();
    await syncGraph(service.app.context, { kind: 'touched' });
    await page.reload();
    await offer(page)
      .getByText(`${STOCKS + 2} symbols here are a simulated market`)
      .waitFor();
    // The market is the real one from now on.
    await expect.poll(() => badge(page).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await shoot(page, 'demo-offer-desktop');

    const phone = await openPage(`${service.base}/data`, PHONE);
    await offer(phone.page).waitFor();
    expect(await fits(phone.page)).toBe(true);
    await shoot(phone.page, 'demo-offer-phone');
    await offer(phone.page).getByRole('button', { name: 'Leave the demo and remove it' }).click();
    await expect.poll(() => offer(phone.page).count()).toBe(0);
    const strips = phone.page.getByRole('region', { name: 'Loaded' }).locator('.strips > li');
    await expect.poll(() => strips.count()).toBe(1);
    await strips.getByText('MYCO').first().waitFor();
    await shoot(phone.page, 'demo-left-phone');

    await page.reload();
    await expect.poll(() => offer(page).count()).toBe(0);
    await shoot(page, 'demo-left-desktop');
    await page.goto(`${service.base}/stocks/MYCO`);
    await page.locator('.price-head h1').getByText('MYCO').waitFor();
    expect([faults, phone.faults], await whatMoved(page)).toEqual([[], []]);
  });
});
