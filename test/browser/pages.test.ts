import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asBars } from '../../src/market/tape/series.ts';
import { importFeed } from '../../src/pipeline/ingest.ts';
import { type Credentials, newCredentials } from '../support/access.ts';
import { feedOf } from '../support/app.ts';
import { at, barsOf } from '../support/tape.ts';
import { DATE, PAST, type Service, startService } from './service.ts';
import { findBrowser, layoutShift, openBrowser, openPage, type Watched } from './support.ts';

/** The pages of the Explorer beside the chart, in a real browser. */

const installed = await findBrowser();

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

const open = (
  path: string,
  options: Parameters<typeof openPage>[2] = {},
  expected: readonly number[] = [],
): Promise<Watched> => openPage(browser, `${service.base}${path}`, options, expected);

/** What each page shows once its data has arrived. */
const PAGES: readonly (readonly [path: () => string, ready: string])[] = [
  [() => `/stocks/${symbol}?as_of=${PAST}`, '.ledger-line'],
  [() => '/screener?filter=technical.rsi_14 > 0', '.screen-row'],
  [() => '/market', '.treemap rect'],
  [() => `/graph/${symbol}`, '.graph-canvas .node'],
  [() => '/backtest', '.run-form'],
  [() => '/status', '.coverage li'],
];

describe.skipIf(installed === null)('every page', () => {
  it.each(['dark', 'light'] as const)('is accessible, quiet and still in %s', async (colorScheme) => {
    for (const [path, ready] of PAGES) {
      const { page, faults } = await open(path(), { colorScheme });
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState('networkidle');
      const axe = new AxeBuilder({ page });
      // The colours alone tell one theme from the other.
      if (colorScheme === 'light') axe.withRules(['color-contrast']);
      const { violations } = await axe.analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
      expect(found, path()).toEqual([]);
      expect(faults, path()).toEqual([]);
      expect(await layoutShift(page), path()).toBeLessThan(0.05);
    }
  });

  it('fits a phone', async () => {
    for (const [path, ready] of PAGES) {
      const { page } = await open(path(), { viewport: { width: 390, height: 844 } });
      await page.locator(ready).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path()).toBeLessThanOrEqual(
        390,
      );
    }
  });
});

describe.skipIf(installed === null)('the screener', () => {
  it('takes a filter as text or by hand, and says where a text goes wrong', async () => {
    const { page, faults } = await open('/screener');
    await page.locator('.screen-row').first().waitFor();
    const all = await page.locator('.screen-row').count();
    const text = page.getByLabel('Filter as text');
    await text.fill('last_price > 100');
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('last_price > 100');
    await expect.poll(() => page.locator('.screen-row').count()).toBeLessThan(all);
    const prices = await page.locator('.screen-row td:nth-of-type(2)').allTextContents();
    expect(prices.every((price) => Number(price.replaceAll(',', '')) > 100)).toBe(true);
    await page.locator('.condition input').nth(1).fill('0');
    await expect.poll(() => text.inputValue()).toBe('last_price > 0');
    await expect.poll(() => page.locator('.screen-row').count()).toBe(all);
    await text.fill('last_price >');
    await page.getByRole('alert').waitFor();
    // What was typed stays, and so does the last screen.
    expect(await text.inputValue()).toBe('last_price >');
    expect(await page.locator('.screen-row').count()).toBe(all);
    expect(faults).toEqual([]);
  });

  it('sorts by a heading, opens a row beside the table and saves the rows as CSV', async () => {
    const { page } = await open('/screener');
    await page.locator('.screen-row').first().waitFor();
    await page.getByRole('button', { name: 'last price' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-last_price');
    await expect
      .poll(async () => {
        const shown = await page.locator('.screen-row td:nth-of-type(2)').allTextContents();
        const prices = shown.map((price) => Number(price.replaceAll(',', '')));
        return prices.length > 1 && prices.every((price, row) => row === 0 || price <= prices[row - 1]!);
      })
      .toBe(true);
    await page.locator('.screen-row').nth(1).click();
    await page.locator('.screen-split .ledger-line').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^screen-.*\.csv$/);
  });
});

describe.skipIf(installed === null)('the graph', () => {
  it('reads a chosen node, finds words and leaves out types of edges', async () => {
    const { page } = await open(`/graph/${symbol}`);
    await page.locator('.node').first().waitFor();
    await page.locator('.node[data-label="Sector"]').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('node')).toMatch(/^Sector:/);
    await page
      .getByRole('complementary', { name: 'Chosen node' })
      .getByText('Sector', { exact: true })
      .waitFor();
    await page.getByLabel('Find in the graph').fill('industry');
    await expect.poll(() => page.locator('.node:not([data-dim])').count()).toBe(1);
    await page.getByLabel('Find in the graph').fill('');
    await page.getByRole('button', { name: 'sector', exact: true }).click();
    await expect.poll(() => page.locator('.node[data-label="Sector"]').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('types')).not.toContain('IN_SECTOR');
  });
});

describe.skipIf(installed === null)('a backtest', () => {
  it('runs from the form to its verdict, and is there after a reload', async () => {
    const { page, faults } = await open('/backtest');
    await page.getByLabel('Symbols').fill(symbol);
    await page.getByLabel('First date').fill('2024-03-01');
    await page.getByLabel('Last date').fill(DATE);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.heat-map [role="button"]').count()).toBe(20);
    await page.locator('.heat-map [role="button"]').last().click();
    await page.getByRole('heading', { name: 'Stop 2, target 4 ATR' }).waitFor();
    await page.reload();
    await page.locator('.verdict').waitFor();
    expect(await page.getByLabel('Symbols').inputValue()).toBe(symbol);
    expect(await page.locator('.runs li').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('says what the form lacks', async () => {
    const { page, faults } = await open('/backtest');
    await page.getByLabel('Symbols').fill('');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Name at least one symbol.').waitFor();
    await page.getByLabel('Symbols').fill(symbol);
    await page.getByLabel('Stops, ATR').fill('0.5, much');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Stops and targets are numbers').waitFor();
    expect(faults).toEqual([]);
  });
});

/** Fills the dialog of the token. */
async function enterToken(page: Page, credentials: Credentials): Promise<void> {
  await page.getByLabel('Client').fill(credentials.client_id);
  await page.getByLabel('Grant').fill(credentials.grant_id);
  await page.getByLabel('Secret').fill(credentials.client_secret);
  await page.getByRole('button', { name: 'Use it' }).click();
}

describe.skipIf(installed === null)('a token', () => {
  it('takes the delay away, and a wrong secret leaves everything as it was', async () => {
    const credentials = await newCredentials(service.app.context.database);
    const { page } = await open('/market', {}, [401]);
    await page.locator('.badge', { hasText: 'delayed 15 min' }).waitFor();
    await page.getByRole('button', { name: 'token' }).click();
    await enterToken(page, { ...credentials, client_secret: 'not the secret' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Client').inputValue()).toBe(credentials.client_id);
    await enterToken(page, credentials);
    await page.locator('.badge', { hasText: 'real-time' }).waitFor();
    // Nothing of it outlives the page.
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toContain(credentials.client_secret);
    await page.reload();
    await page.locator('.badge', { hasText: 'delayed 15 min' }).waitFor();
  });

  it('shows a new minute as soon as it is announced', async () => {
    const { page, asked } = await open(`/stocks/${symbol}`);
    await page.getByRole('button', { name: 'token' }).click();
    asked.length = 0;
    await enterToken(page, await newCredentials(service.app.context.database));
    await page.locator('.badge', { hasText: 'real-time' }).waitFor();
    const price = page.locator('.price-head .price');
    await price.waitFor();
    await expect.poll(() => asked.some(({ pathname }) => pathname.endsWith('/stream'))).toBe(true);
    const close = Math.round(Number(await price.textContent()) * 110) / 100;
    const bar = [at(DATE, '16:29'), close, close, close, close, 900] as const;
    const columns = asBars(barsOf('bars-1m', [bar]));
    await importFeed(
      service.app.context,
      feedOf({ late: [{ kind: 'bars', symbol, interval: '1m', columns }] }),
    );
    await expect
      .poll(async () => Number(await price.textContent()), { timeout: 5_000 })
      .toBeCloseTo(close, 2);
  });
});

describe.skipIf(installed === null)('a first visit', () => {
  it('opens a stock with three hints that go as they are done', async () => {
    const { page, faults } = await open('/', { isFirstVisit: true });
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/stocks\//);
    const hints = page.getByRole('complementary', { name: 'First steps' });
    await hints.getByText('1 of 3').waitFor();
    await page.locator('.ledger-line').first().hover();
    await hints.getByText('2 of 3').waitFor();
    await page.keyboard.press('ArrowLeft');
    await hints.getByText('3 of 3').waitFor();
    await page.getByRole('tab', { name: 'Peers' }).click();
    await expect.poll(() => hints.count()).toBe(0);
    await page.goto(service.base);
    await page.locator('.ledger-line').first().waitFor();
    expect(await hints.count()).toBe(0);
    expect(faults.filter((fault) => !fault.includes('/peers?'))).toEqual([]);
  });
});
