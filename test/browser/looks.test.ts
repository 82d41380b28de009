import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PriceChart } from '../../explorer/src/shared/chart/price-chart.ts';
import { sampled } from '../support/depth.ts';
import { PAST, type Service, sharedService } from './service.ts';
import { browser, openPage, seriousFaults } from './support.ts';

/** Head, ladder, list, comparison and tour as a reader goes through them; `states.test.ts` sees each with all states of data. */

let service: Service;

beforeAll(async () => {
  if (browser !== null) service = await sharedService();
});

const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { viewport: { width: 1024, height: 768 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;
const named = LOOKS.map((look) => [`${look.viewport.width} pixels, ${look.colorScheme}`, look] as const);

/** Nothing is wider than the window, the bar is one row but on a phone, and axe finds nothing. */
async function expectWell(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  const bar = (await page.locator('header.frame').boundingBox())!;
  expect(bar.height).toBeLessThanOrEqual(width > 640 ? 44 : 80);
  expect(await seriousFaults(page)).toEqual([]);
}

describe.skipIf(browser === null)('the pages of a day', () => {
  it.each(sampled(named, 3))('at %s a tour shows head, ladder and rail', async (_, look) => {
    const { width } = look.viewport;
    // The same list for each look.
    const list = await fetch(`${service.base}/api/graph/v1/watchlists/mine`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ symbols: [service.symbol] }),
    });
    expect(list.status).toBe(200);
    const path = `${service.base}/stocks/${service.symbol}?as_of=${PAST}&tour=1`;
    const { page, faults } = await openPage(path, look);
    const tour = page.getByRole('complementary', { name: 'Tour of a session' });
    await tour.getByText('The session opened at').waitFor();
    await page.locator('.ladder tbody tr').nth(6).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toMatch(/T14:35/);
    const steps = await tour.locator('li').count();
    expect(steps).toBeGreaterThanOrEqual(3);
    for (let step = 2; step <= steps; step++) await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByText(/^The close: /).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('as_of')).toMatch(/T21:00/);
    const isSheet = width < 1200;
    if (isSheet) await page.locator('.rail-sheet summary').click();
    await page.locator('.rail-lines a').getByText(service.symbol).waitFor();
    await expectWell(page, width);
    const out = await page.evaluate(() => {
      const { priceChart } = document.querySelector('.price-chart') as unknown as { priceChart: PriceChart };
      const { width, height } = document.querySelector('.price-chart canvas')!.getBoundingClientRect();
      return priceChart.drawn.labels.filter(
        ({ left, right, y }) => left < 0 || right > width || y < 0 || y > height,
      );
    });
    expect(out).toEqual([]);
    await page.keyboard.press('Escape');
    if (isSheet) await page.keyboard.press('Escape');
    await expect.poll(() => tour.count()).toBe(0);
    expect(faults.filter((fault) => !/peers\b/.test(fault))).toEqual([]);
  });

  it.each(sampled(named.slice(1), 2))('at %s a comparison says what it lacks', async (_, look) => {
    const path = `${service.base}/compare?symbols=${service.symbol},NOPE&as_of=${PAST}`;
    const { page } = await openPage(path, look, [404]);
    await page.getByRole('region', { name: 'NOPE' }).getByText('No data for the symbol NOPE').waitFor();
    await page.locator('.compare-column .price-chart').waitFor();
    await expectWell(page, look.viewport.width);
    await page.getByRole('radio', { name: 'one scale' }).click();
    await page.locator('.one-scale .curve.line-0 path').first().waitFor();
    await page
      .getByRole('region', { name: 'On one scale' })
      .getByText('No data for the symbol NOPE')
      .waitFor();
    await expectWell(page, look.viewport.width);
  });

  it('holds every page in the bar at 1024 pixels', async () => {
    const { page } = await openPage(`${service.base}/records`, LOOKS[1]);
    await page.locator('.more-pages summary').getByText('Records').click();
    await page.locator('.menu-pages').getByRole('link', { name: 'Status' }).click();
    await page.waitForURL(/\/status$/);
    await expectWell(page, 1024);
  });
});
