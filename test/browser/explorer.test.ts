import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PriceChart } from '../../explorer/src/shared/chart/price-chart.ts';
import { revokeGrant } from '../../src/api/access/clients.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { asBars } from '../../src/market/series.ts';
import { factOf } from '../../src/market/validate-fact.ts';
import { syncGraph } from '../../src/pipeline/graph-sync.ts';
import { importFeed } from '../../src/tape/ingest.ts';
import { type Credentials, newCredentials } from '../support/access.ts';
import { feedOf } from '../support/app.ts';
import { inFull, sampled } from '../support/depth.ts';
import { at, barsOf } from '../support/tape.ts';
import { DATE, PAST, type Service, startService } from './service.ts';
import { browser, openPage, seriousFaults, type Watched } from './support.ts';

/** The Explorer in a real browser, against the service on the simulated market at a fixed instant. */

let service: Service;
let symbol: string;

beforeAll(async () => {
  if (browser === null) return;
  service = await startService();
  symbol = service.symbol;
});

afterAll(async () => {
  if (browser === null) return;
  await service.close();
});

const open = (
  path: string,
  options: Parameters<typeof openPage>[1] = {},
  expected: readonly number[] = [],
): Promise<Watched> => openPage(`${service.base}${path}`, options, expected);
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

/** The tabs below the chart, with what each draws. */
const TABS: readonly (readonly [name: string, ...shown: string[]])[] = [
  ['Order flow', '[aria-label="CVD against price"] path', '[aria-label="Venues"] .stack'],
  ['Peers', ':is(.peer-graph, .refused)'],
  ['Company', '[aria-label="Earnings a share by quarter"] rect.up', '[aria-label="Analysts"]'],
  ['News', 'section'],
  ['Playbooks', 'section'],
  ['Ask', 'section'],
  [
    'Options',
    '[aria-label="Dealer gamma by strike"] rect.up',
    '[aria-label="Dealer gamma by expiration"] rect.up',
    '[aria-label^="Implied volatility by strike"] circle',
    '[aria-label="Implied volatility by days to expiration"] circle',
    'tr.best .why',
  ],
];

describe.skipIf(browser === null)('the page of a stock', () => {
  it('shows price, chart, ledgers and tabs, without a fault', async () => {
    const { page, faults } = await open(`/stocks/${symbol}`);
    await chartOf(page);
    expect(await page.locator('h1').textContent()).toContain(symbol);
    expect(await page.locator('.ledger-line').count()).toBeGreaterThan(20);
    expect(Number(await page.locator('.price-head .price').textContent())).toBeGreaterThan(0);
    for (const [tab, ...shown] of TABS) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      for (const part of shown)
        await page.locator(`#tab-panel ${part}`).first().waitFor({ state: 'attached' });
    }
    // So small a market has no peers before its last month ends: the tab says so.
    expect(faults.filter((fault) => !/peers\b/.test(fault))).toEqual([]);
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
    // What the first minute asks for is asked before the handle leaves it.
    await page.waitForLoadState('networkidle');
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

  it('says how old data is that lacks completed sessions, and does not call it live', async () => {
    const fresh = await open(`/stocks/${symbol}`);
    await fresh.page.getByRole('button', { name: 'live', exact: true }).waitFor();
    expect(await fresh.page.locator('.badge.old, .instant.stale').count()).toBe(0);
    // Thirteen sessions later.
    const old = await service.at('2024-03-22T21:30:00Z');
    const { page, faults } = await openPage(`${old}/stocks/${symbol}`);
    await chartOf(page);
    expect(await page.locator('.badge.old').textContent()).toBe(`${DATE}, 13 sessions old`);
    expect(await page.locator('.price-head .instant.stale').textContent()).toMatch(
      /^13 sessions old, of Tue, Mar 5, 2024, \d\d:\d\d ET/,
    );
    expect(await page.locator('.warnings').textContent()).toMatch(/^⚠ Scores are of Tue, Mar 5, 2024$/);
    await page.getByRole('button', { name: 'newest', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'live', exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
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
    // Typed at once, before the list of the last letter is there.
    await page.keyboard.press('/');
    await page.keyboard.type(symbol);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/stocks/${symbol}`);
  });

  it('says what is wrong and what to do, and recovers when the service is back', async () => {
    const unknown = await open('/stocks/NOBODY', {}, [404]);
    await unknown.page.getByText('No data for the symbol NOBODY').waitFor();
    await unknown.page.getByText('finds every symbol with data').waitFor();
    const { page } = await open(stockPath());
    await chartOf(page);
    await page.context().setOffline(true);
    await page.keyboard.press('ArrowLeft');
    await page.getByText('No answer from the service').first().waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => page.locator('.offline').count(), { timeout: 15_000 }).toBe(0);
  });

  it('fits a phone', async () => {
    const { page, faults } = await open(stockPath(), { viewport: { width: 390, height: 844 } });
    await chartOf(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const box = (await page.locator('.price-chart').boundingBox())!;
    expect(box.height).toBeGreaterThanOrEqual(320);
    expect(box.y).toBeLessThanOrEqual(300);
    expect((await page.locator('header.frame').boundingBox())!.height).toBeLessThanOrEqual(80);
    await page.setViewportSize({ width: 1024, height: 900 });
    expect((await page.locator('header.frame').boundingBox())!.height).toBeLessThanOrEqual(44);
    expect(faults).toEqual([]);
  });

  it('closes what lies over it by Escape and by a press beside it, and keeps the selection', async () => {
    const { page } = await open(stockPath());
    await chartOf(page);
    const line = page.locator('.ledger-line', { hasText: /^Proximity/ }).first();
    await line.click();
    const families = page.locator('details.groups');
    const isOpen = (): Promise<boolean> => families.evaluate((element: HTMLDetailsElement) => element.open);
    await families.locator('summary').click();
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    expect((await drawn(page)).selected).toContain('component:proximity');
    await families.locator('summary').click();
    await page.getByRole('tab', { name: 'Peers' }).click();
    expect(await isOpen()).toBe(false);
  });
});

describe.skipIf(browser === null)('an address', () => {
  const PHONE = { viewport: { width: 390, height: 844 } };
  const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

  it.each(['/nowhere', '/stocks', '/stocks/A/B'])(
    '%s, at which nothing is, says so and leads on',
    async (path) => {
      const { page, faults } = await open(path, PHONE, [404]);
      await page.getByRole('heading', { name: 'No such page' }).waitFor();
      expect(await page.locator('#page').textContent()).toContain(`Nothing is at ${path}`);
      expect(await widthOf(page)).toBeLessThanOrEqual(390);
      expect(await seriousFaults(page)).toEqual([]);
      await page.locator('#page').getByRole('link', { name: 'Market' }).click();
      await page.locator('.market-head').waitFor();
      expect(faults).toEqual([]);
    },
  );

  it.each(['/stocks', '/graph'])(
    '%s/SYMBOL with an unreadable minute says so and leads to the newest',
    async (root) => {
      for (const asked of sampled(['yesterday', '1700-01-01', '2024-03-05', '2024-13-05T17:00:00Z'], 2)) {
        const { page, faults } = await open(`${root}/${symbol}?as_of=${asked}`, PHONE);
        await page.getByRole('heading', { name: 'No such minute' }).waitFor();
        expect(await page.locator('#page').textContent()).toContain(`as_of=${asked}, which is no minute`);
        expect(await widthOf(page)).toBeLessThanOrEqual(390);
        await page.getByRole('link', { name: 'Show the newest minute' }).click();
        await page.getByRole('heading', { name: symbol }).first().waitFor();
        expect(new URL(page.url()).search).toBe('');
        expect(faults.filter((fault) => !/peers\b/.test(fault))).toEqual([]);
      }
    },
  );

  it('with a minute that has not come names the newest in New York', async () => {
    for (const path of [`/stocks/${symbol}`, `/graph/${symbol}`, '/market']) {
      const { page } = await open(`${path}?as_of=2098-01-01T00:00:00Z`, {}, [422]);
      await page.getByText('the newest one is Tue, Mar 5, 2024, 16:15 ET').waitFor();
      await page
        .getByRole('button', { name: /newest/ })
        .first()
        .click();
      await page.waitForURL((url) => url.search === '');
    }
  });
});

describe.skipIf(browser === null)('words of files', () => {
  const newsAt = (publishedAt: number, headline: string) => ({
    publishedAt,
    headline,
    summary: null,
    source: 'רויטרס',
    url: 'javascript:alert(1)',
    symbols: [symbol],
    sentiment: null,
    eventType: null,
    relevance: null,
  });

  it('are shown as they are written, and leave what is beside them in its place', async () => {
    const hostile = {
      companyName: '<img src=x onerror="document.title=1"> שטראוס (1)',
      description: 'One <script>document.title=2</script>\nשתיים',
      ceo: '=1+1',
      headquarters: null,
      employees: null,
      ipoDate: null,
      website: 'javascript:alert(1)',
      logoUrl: 'javascript:alert(1)',
      sector: '"><b>שטראוס</b>',
      industry: "'; drop table node; --",
      exchange: 'XNYS',
    };
    const news = newsAt(at(DATE, '10:00'), 'שטראוס עולה 5% <i>');
    const facts = [factOf('profile', at(DATE, '04:01'), hostile), factOf('news', news.publishedAt, news)];
    const feed = { ...feedOf({ 'hostile.jsonl': [{ kind: 'facts', symbol, facts }] }), simulated: true };
    expect(await importFeed(service.app.context, feed)).toMatchObject({ factsKept: 2, refusals: [] });
    await syncGraph(service.app.context, { kind: 'touched' });
    const { page, faults } = await open(`/stocks/${symbol}?tab=news`);
    await page.locator('bdi', { hasText: hostile.companyName }).waitFor();
    await page.locator('bdi', { hasText: news.headline }).waitFor();
    await page.locator('bdi', { hasText: news.source }).waitFor();
    await page.getByRole('tab', { name: 'Company' }).click();
    await page.locator('.about bdi', { hasText: 'One <script>' }).waitFor();
    await page.getByText(`\u2068${hostile.sector}\u2069`).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(symbol);
    await page.locator('.found-symbol bdi', { hasText: hostile.companyName }).waitFor();
    expect(await page.title()).toBe(`${symbol} · tigraph`);
    expect(await page.locator('#page :is(img, script, b b), a[href^="javascript"]').count()).toBe(0);
    expect(faults.filter((fault) => !/peers\b/.test(fault))).toEqual([]);
  });

  it('move nothing out of its place in a headline of 10,000 letters', async () => {
    const news = newsAt(at(DATE, '10:01'), `${'Long words '.repeat(450)}${'x'.repeat(5_050)}`);
    const facts = [factOf('news', news.publishedAt, news)];
    const feed = { ...feedOf({ 'long.jsonl': [{ kind: 'facts', symbol, facts }] }), simulated: true };
    expect(await importFeed(service.app.context, feed)).toMatchObject({ factsKept: 1, refusals: [] });
    for (const width of [1440, 390]) {
      const { page, faults } = await open(`/stocks/${symbol}?tab=news`, { viewport: { width, height: 844 } });
      await page.locator('.news bdi, .news li').first().waitFor();
      await page.getByText('Long words').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const box = (await page.locator('.news li').first().boundingBox())!;
      expect(box.height).toBeLessThan(400);
      expect(faults).toEqual([]);
    }
  });
});

describe.skipIf(browser === null)('the screener', () => {
  it('takes a filter as text or by hand, and says where a text goes wrong', async () => {
    const { page, faults } = await open('/screener');
    await page.locator('.screen-row').first().waitFor();
    const all = await page.locator('.screen-row').count();
    const text = page.getByLabel('Filter as text');
    await text.fill('last_price > 100');
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('last_price > 100');
    await expect.poll(() => page.locator('.screen-row').count()).toBeLessThan(all);
    const prices = await page.locator('.screen-row td:nth-of-type(4)').allTextContents();
    expect(prices.every((price) => Number(price.replaceAll(',', '')) > 100)).toBe(true);
    await page.locator('.condition input').nth(1).fill('0');
    await expect.poll(() => text.inputValue()).toBe('last_price > 0');
    await expect.poll(() => page.locator('.screen-row').count()).toBe(all);
    await text.fill('last_price above vwap, gap > 3');
    await page.getByRole('alert').getByRole('button', { name: 'price.gap_pct', exact: true }).click();
    await expect.poll(() => text.inputValue()).toBe('last_price above vwap, price.gap_pct > 3');
    await page.getByLabel('Field').first().fill('dealer gamma');
    await page.getByRole('option', { name: /^gex_regime/ }).click();
    // What is wrong is said beside its condition.
    await page.locator('.condition', { hasText: 'gex_regime is never' }).getByRole('alert').waitFor();
    await text.fill('last_price > 0');
    await expect.poll(() => page.locator('.screen-row').count()).toBe(all);
    await text.fill('last_price >');
    await page.getByRole('alert').waitFor();
    // What was typed stays; a refused screen shows no old answer and no count.
    expect(await text.inputValue()).toBe('last_price >');
    expect(await page.locator('.screen-row').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Screener' }).textContent()).not.toMatch(/pass/);
    expect(faults).toEqual([]);
  });

  it('opens with at most 25 requests, and shows numbers first on a phone', async () => {
    const { page, faults } = await open('/market', { viewport: { width: 390, height: 844 } });
    // What the first page still asks for is not the screener's.
    await page.waitForLoadState('networkidle');
    let requests = 0;
    page.on('request', () => requests++);
    await page.goto(new URL('/screener', page.url()).href);
    await page.locator('.screen-row').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(requests).toBeLessThanOrEqual(25);
    const cells = await page.locator('.screen-row').first().locator('td').allTextContents();
    expect(cells.slice(0, 2).every((cell) => /^[−\d.,]+$|^–$/.test(cell))).toBe(true);
    expect(faults).toEqual([]);
  });

  it('sorts by a heading, opens a row beside the table and saves the rows as CSV', async () => {
    const { page, asked } = await open('/screener');
    await page.locator('.screen-row').first().waitFor();
    // The sessions of all rows come with one answer more.
    await expect
      .poll(() => page.locator('.session-line polyline').count())
      .toBe(await page.locator('.screen-row').count());
    expect(asked.filter(({ pathname }) => pathname.endsWith('/screener'))).toHaveLength(2);
    // Each row has the picture of its day, of fields that came with it.
    expect(await page.locator('.screen-row').first().locator('.day-range rect').count()).toBe(3);
    await page.getByRole('button', { name: /^price/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-price.day_price');
    await expect
      .poll(async () => {
        const shown = await page.locator('.screen-row td:nth-of-type(4)').allTextContents();
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

describe.skipIf(browser === null)('the graph', () => {
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

describe.skipIf(browser === null)('a backtest', () => {
  it('runs from the form to its verdict, and is there after a reload', async () => {
    const { page, faults } = await open('/backtest');
    // None starts by itself; the first is offered, of what has minute bars.
    await page.getByText('No run yet').waitFor();
    expect(await page.locator('.runs li').count()).toBe(0);
    await page.getByRole('button', { name: 'Start one of a few symbols' }).click();
    await page.locator('.verdict').waitFor();
    await page.getByLabel('Symbols').fill(symbol);
    await page.getByLabel('First date').fill('2024-03-01');
    await page.getByLabel('Last date').fill(DATE);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(() => page.locator('.runs li').count()).toBe(2);
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.heat-map [role="button"]').count()).toBe(20);
    await page.locator('.heat-map [role="button"]').last().click();
    await page.getByRole('heading', { name: 'Stop 2, target 4 ATR' }).waitFor();
    // Its trades: on the chart, by R, and in a table in which another one is chosen.
    await page.getByRole('img', { name: 'Equity' }).waitFor();
    await page.getByRole('img', { name: 'Trades by R' }).waitFor();
    const rows = page.getByRole('region', { name: 'Trades', exact: true }).locator('tbody tr');
    expect(await rows.count()).toBeGreaterThan(1);
    await rows.last().getByRole('button').click();
    const [entry, name] = (await rows.last().innerText()).split('\t');
    await page.getByRole('heading', { name: `${name}, `, exact: false }).waitFor();
    const drawn = await page
      .locator('.price-chart')
      .evaluate(
        (chart) =>
          (chart as unknown as { priceChart: { drawn: { content: { trades: { from: number }[] } } } })
            .priceChart.drawn.content.trades,
      );
    expect(drawn.map(({ from }) => new Date(from * 1000).toISOString().slice(0, 10))).toContain(
      entry!.slice(0, 10),
    );
    await page.reload();
    await page.locator('.verdict').waitFor();
    expect(await page.getByLabel('Symbols').inputValue()).toBe(symbol);
    expect(await page.locator('.runs li').count()).toBe(2);
    expect(faults).toEqual([]);
  });

  it('says what the form lacks', async () => {
    const { page, faults } = await open('/backtest');
    await page.getByLabel('Symbols').fill('');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Name at least one symbol.').waitFor();
    await page.getByLabel('Symbols').fill(symbol);
    await page.getByLabel('Stops, ATR').fill('0.5, much');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Stops and targets are numbers').waitFor();
    expect(faults).toEqual([]);
  });
});

describe.skipIf(browser === null)('a token', () => {
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

  it('that is revoked is said to be, with a way on', async () => {
    const { database } = service.app.context;
    const credentials = await newCredentials(database);
    const { page } = await open(stockPath(), {}, [401]);
    await page.getByRole('button', { name: 'token' }).click();
    await enterToken(page, credentials);
    await page.locator('.badge', { hasText: 'real-time' }).waitFor();
    await revokeGrant(database, credentials.grant_id, Date.now());
    await page.keyboard.press('ArrowLeft');
    await page.getByText('The token is no longer accepted').waitFor();
    await page.getByRole('button', { name: 'Go on without' }).click();
    await page.locator('.badge', { hasText: 'delayed 15 min' }).waitFor();
    await page.locator('.ledger-line').first().waitFor();
    expect(await page.getByText('The token is no longer accepted').count()).toBe(0);
  });

  it('shows a new minute as soon as it is announced', async () => {
    const { page, asked } = await open(`/stocks/${symbol}`);
    await page.getByRole('button', { name: 'token' }).click();
    asked.length = 0;
    await enterToken(page, await newCredentials(service.app.context.database));
    await page.locator('.badge', { hasText: 'real-time' }).waitFor();
    const printed = async (): Promise<number> => {
      const text = await page.locator('.price-head .extended').textContent();
      return Number(/after hours ([\d.]+)/.exec(text ?? '')?.[1]);
    };
    await page.locator('.price-head .extended').waitFor();
    await expect.poll(() => asked.some(({ pathname }) => pathname.endsWith('/stream'))).toBe(true);
    const close = Math.round((await printed()) * 110) / 100;
    const bar = [at(DATE, '16:29'), close, close, close, close, 900] as const;
    const columns = asBars(barsOf('bars-1m', [bar]));
    const feed = feedOf({ late: [{ kind: 'bars', symbol, interval: '1m', columns }] });
    await importFeed(service.app.context, { ...feed, simulated: true });
    await expect.poll(printed, { timeout: 5_000 }).toBeCloseTo(close, 2);
  });
});

describe.skipIf(browser === null)('a first visit', () => {
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
    expect(faults.filter((fault) => !/peers\b/.test(fault))).toEqual([]);
  });
});

/** Bytes of a large file. */
const LARGE = inFull(200e6, 40e6);

// The last: with a file of somebody's own the market that is shown is no longer the simulated one.
describe.skipIf(browser === null)('the page Data', () => {
  const days = (count: number): string => {
    const rows = newYorkCalendar()
      .sessionsBetween('2020-01-02', DATE)
      .slice(-count - 1, -1);
    return ['Date,Open,High,Low,Close,Volume', ...rows.map((date) => `${date},5,5.2,4.9,5.1,1000`), ''].join(
      '\n',
    );
  };
  const bring = (page: Page, name: string, content: string): Promise<void> =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('shows how a file is read, imports it, and then what is loaded', async () => {
    const { page, faults } = await open('/data');
    await bring(page, 'NEWC_daily.csv', days(60).replace(',5.1,', ',high,'));
    const card = cardOf(page, 'NEWC_daily.csv');
    await card.getByRole('row', { name: /^Symbol NEWC/ }).waitFor();
    await card.getByRole('row', { name: /^Bars of 1d/ }).waitFor();
    await card.getByRole('button', { name: 'Import' }).focus();
    await page.keyboard.press('Enter');
    await card.getByText('59 rows kept.').waitFor();
    await card.getByText('NEWC_daily.csv:2', { exact: true }).waitFor();
    await page.getByPlaceholder('ticker').fill('newc');
    const strips = page.getByRole('region', { name: 'Loaded' }).locator('.strips > li');
    await expect.poll(() => strips.count()).toBe(1);
    await strips.getByText(/59 sessions$/).waitFor();
    await card.getByRole('link', { name: 'NEWC' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/stocks/NEWC');
    expect(faults).toEqual([]);
  });

  it('says why a file cannot be read, and what decides where it can be read in two ways', async () => {
    const { page, faults } = await open('/data');
    await bring(page, 'history.csv', '<!DOCTYPE html><html><body>Please sign in</body></html>');
    const bad = cardOf(page, 'history.csv');
    await bad.getByRole('alert').waitFor();
    expect(await bad.getByRole('alert').textContent()).toMatch(/page/);
    // What cannot be imported is not offered, and is gone with the next visit.
    expect(await bad.getByRole('button', { name: 'Import' }).count()).toBe(0);
    // No name of a stock, and dates that may begin with the month or the day.
    const rows = ['Date,Open,High,Low,Close,Volume', '03/01/2024,5,5,5,5,10', '03/04/2024,5,5,5,5,10'];
    await bring(page, 'prices.csv', rows.join('\n'));
    const open2 = cardOf(page, 'prices.csv');
    await open2.getByRole('alert').waitFor();
    await open2.getByLabel('Dates begin with').selectOption('month-first');
    await open2.getByLabel('Symbol').fill('newd');
    await page.keyboard.press('Enter');
    await open2.getByRole('row', { name: /^Symbol NEWD/ }).waitFor();
    await open2.getByRole('row', { name: /^From 2024-03-01 to 2024-03-04/ }).waitFor();
    await open2
      .getByRole('table')
      .getByRole('row', { name: /NEWD 2024-03-01 5.00/ })
      .waitFor();
    await open2.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => open2.count()).toBe(0);
    await page.reload();
    await page.getByRole('region', { name: 'Loaded' }).waitFor();
    expect(await bad.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('asks what volumes count where they are no whole shares, and reads them so', async () => {
    const { page, faults } = await open('/data');
    await bring(page, 'NEWE_daily.csv', days(60).replaceAll(',1000', ',1.25'));
    const card = cardOf(page, 'NEWE_daily.csv');
    const alert = card.getByRole('alert');
    expect(await alert.textContent()).toMatch(/no whole shares/);
    expect(await alert.textContent()).not.toMatch(/--/);
    const volumes = card.getByLabel('Volumes are');
    for (const [chosen, first] of [
      ['thousands', '1,250'],
      ['lots', '125'],
      ['unknown', 'not stated'],
    ] as const) {
      await volumes.selectOption(chosen);
      await card.locator('.first-bars td:last-child').getByText(first, { exact: true }).first().waitFor();
      // The choices of a file hide with the first that lets it be read.
      if (chosen === 'thousands') await card.getByText('Read it otherwise').click();
    }
    await volumes.selectOption('');
    await alert.waitFor();
    await card.getByRole('button', { name: 'Close' }).click();
    expect(faults).toEqual([]);
  });

  it(`sends ${LARGE / 1e6} MB part by part, imports them with progress, and stops either when told to`, async () => {
    const { page, faults } = await open('/data');
    const bringLarge = () =>
      page.evaluate((bytes) => {
        // The winter days of many stocks: 39 sessions of 390 minutes each.
        const day = Array.from({ length: 390 }, (_, at) => {
          const time = new Date(Date.UTC(2023, 0, 3, 14, 30) + at * 60_000).toISOString();
          return `SYMB,${time},5,5.2,4.9,5.1,${1_000 + at}\n`;
        }).join('');
        const dates = Array.from({ length: 57 }, (_, at) => new Date(Date.UTC(2023, 0, 3 + at)))
          .filter((date) => ![0, 6].includes(date.getUTCDay()))
          .map((date) => date.toISOString().slice(0, 10))
          .filter((date) => date !== '2023-01-16' && date !== '2023-02-20');
        const parts = ['symbol,timestamp,open,high,low,close,volume\n'];
        for (let at = 0; parts.length * day.length < bytes; at++) {
          const symbol = `BG${String.fromCharCode(65 + (Math.floor(at / dates.length) % 26))}${String.fromCharCode(65 + Math.floor(at / dates.length / 26))}`;
          parts.push(day.replaceAll('SYMB', symbol).replaceAll('2023-01-03', dates[at % dates.length]!));
        }
        const file = new File(parts, 'BIGF.csv');
        const data = new DataTransfer();
        data.items.add(file);
        document
          .querySelector('.drop-zone')!
          .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
      }, LARGE);
    const card = cardOf(page, 'BIGF.csv');
    const shareOf = async (label: string): Promise<number> =>
      card.getByLabel(label).evaluate((bar: HTMLProgressElement) => bar.value / bar.max);
    await page.locator('.drop-zone').waitFor();
    await bringLarge();
    await expect.poll(() => shareOf('Sending BIGF.csv'), { timeout: 20_000 }).toBeGreaterThan(0.05);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => card.count()).toBe(0);
    await bringLarge();
    await card.getByRole('button', { name: 'Import' }).click({ timeout: 60_000 });
    await expect.poll(() => shareOf('Importing BIGF.csv'), { timeout: 20_000 }).toBeGreaterThan(0.02);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByText('What was written until then stays').waitFor();
    expect(faults).toEqual([]);
  }, 120_000);
});

/** Fills the dialog of the token. */
async function enterToken(page: Page, credentials: Credentials): Promise<void> {
  await page.getByLabel('Client').fill(credentials.client_id);
  await page.getByLabel('Grant').fill(credentials.grant_id);
  await page.getByLabel('Secret').fill(credentials.client_secret);
  await page.getByRole('button', { name: 'Use it' }).click();
}
