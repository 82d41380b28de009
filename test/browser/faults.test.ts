import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PriceChart } from '../../explorer/src/shared/chart/price-chart.ts';
import { newCredentials } from '../support/access.ts';
import { inFull } from '../support/depth.ts';
import { DATE, PAST, type Service, sharedService } from './service.ts';
import { browser, layoutShift, openPage } from './support.ts';

/** The Explorer where the service is away or busy, where or an address is wrong. */

let service: Service;

beforeAll(async () => {
  if (browser !== null) service = await sharedService();
});

const stockPath = (search = ''): string => `/stocks/${service.symbol}?as_of=${PAST}${search}`;

/** What a browser reports of a service that does not answer. */
const isAway = (fault: string): boolean => /ERR_CONNECTION|Failed to fetch/.test(fault);

/** A door to the service that a test closes, opens, and has refuse. */
async function standIn() {
  let server: Server | null = null;
  let refusal: { readonly status: number; readonly retryAfterS: number } | null = null;
  let refused = 0;
  let withheld: RegExp | null = null;
  const to = new URL(service.base);
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((incoming, outgoing) => {
        if (refusal !== null && incoming.url!.startsWith('/api/')) {
          refused++;
          outgoing.writeHead(refusal.status, {
            'content-type': 'application/json',
            'retry-after': `${refusal.retryAfterS}`,
          });
          outgoing.end(JSON.stringify({ detail: 'Too busy', code: 'overloaded', request_id: 'a' }));
          return;
        }
        if (withheld?.test(incoming.url!)) {
          outgoing.destroy();
          return;
        }
        const { method, url, headers } = incoming;
        const passed = request({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
        });
        passed.on('error', () => outgoing.destroy());
        outgoing.on('close', () => passed.destroy());
        incoming.pipe(passed);
      }).listen(port, '127.0.0.1', () => resolve((server!.address() as AddressInfo).port));
    });
  const stop = async (): Promise<void> => {
    server?.closeAllConnections();
    await new Promise((resolve) => server!.close(resolve));
  };
  const port = await listen(0);
  onTestFinished(() => stop().catch(() => {}));
  return {
    base: `http://127.0.0.1:${port}`,
    stop,
    start: () => listen(port),
    refuse: (status: number, retryAfterS: number) => {
      refusal = { status, retryAfterS };
    },
    accept: () => {
      refusal = null;
    },
    /** Leaves what has such an address without an answer. */
    withhold: (address: RegExp) => {
      withheld = address;
    },
    give: () => {
      withheld = null;
    },
    get refused() {
      return refused;
    },
  };
}

const ready = (page: Page) => page.locator('.ledger-line').first().waitFor();

describe.skipIf(browser === null)('a service that is away', () => {
  it('leaves the reader in the application, which comes back with it', async () => {
    const door = await standIn();
    const { page, faults } = await openPage(`${door.base}${stockPath()}`);
    await ready(page);
    // The programs of the other pages have arrived.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /status-page.*js/.test(name)),
    );
    await page.waitForLoadState('networkidle');
    await door.stop();
    for (const [name, shown] of [
      ['Screener', 'h1'],
      ['Backtest', 'h1'],
      ['Stock', '.chart-panel'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator(shown).first().waitFor();
      await page.getByText('No answer from the service').waitFor();
    }
    expect(new URL(page.url()).pathname).toBe(`/stocks/${service.symbol}`);
    await door.start();
    await ready(page);
    await expect.poll(() => page.locator('.offline').count(), { timeout: 15_000 }).toBe(0);
    expect(faults.filter((fault) => !isAway(fault))).toEqual([]);
  });

  it('and whose page never came is waited for', async () => {
    const door = await standIn();
    door.withhold(/market-page.*js/);
    // A browser of its own: the shared one may hold the page from another test.
    const { page } = await openPage(`${door.base}${stockPath()}`, { locale: 'en-US' });
    await ready(page);
    await door.stop();
    await page.getByRole('link', { name: 'Market', exact: true }).click();
    await page.locator('.offline').waitFor();
    expect(await page.locator('.market-head').count()).toBe(0);
    door.give();
    await door.start();
    await page.locator('.market-head').waitFor({ timeout: 15_000 });
  });
});

describe.skipIf(browser === null)('a busy service', () => {
  it.each([503, 429])(
    'that answers %d is said to be, and is asked again after its seconds',
    async (status) => {
      const door = await standIn();
      door.refuse(status, 1);
      const { page } = await openPage(`${door.base}${stockPath()}`, {}, [status]);
      await page.getByText('Busy: showing the last answer, retrying').waitFor();
      await page.locator('.skeleton').first().waitFor();
      expect(await page.locator('.price-chart, .refused').count()).toBe(0);
      door.accept();
      await ready(page);
      await expect.poll(() => page.locator('.offline').count()).toBe(0);
      expect(await layoutShift(page)).toBeLessThan(0.05);
    },
  );

  it.each(inFull([55, 300], [300]))(
    'that asks for %d seconds is left alone, and asked at once by a button',
    async (seconds) => {
      const door = await standIn();
      door.refuse(503, seconds);
      const { page } = await openPage(`${door.base}${stockPath()}`, {}, [503]);
      const again = page.getByRole('button', { name: 'Try now' });
      await again.waitFor();
      await page.waitForLoadState('networkidle');
      const before = door.refused;
      // Longer than the first of the waits of a service that names none.
      await page.waitForTimeout(2_000);
      expect(door.refused).toBe(before);
      await again.click();
      await expect.poll(() => door.refused).toBeGreaterThan(before);
      door.accept();
      await again.click();
      await ready(page);
    },
  );
});

/** Life of a grant that ends while its page is open. */
const GRANT_MS = 8_000;

describe.skipIf(browser === null)('a token', () => {
  it('whose grant ends while the page is open is said to have ended, with a way on', async () => {
    const terms = { expiresAt: new Date(Date.now() + GRANT_MS) };
    const credentials = await newCredentials(service.app.context.database, terms);
    const { page } = await openPage(`${service.base}${stockPath()}`, {}, [401]);
    await page.getByRole('button', { name: 'token' }).click();
    await page.getByLabel('Client').fill(credentials.client_id);
    await page.getByLabel('Grant').fill(credentials.grant_id);
    await page.getByLabel('Secret').fill(credentials.client_secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('.badge', { hasText: 'real-time' }).waitFor();
    await expect.poll(() => Date.now(), { timeout: GRANT_MS * 2 }).toBeGreaterThan(terms.expiresAt.getTime());
    await page.keyboard.press('ArrowLeft');
    await page.getByText('The token is no longer accepted').waitFor();
    await page.getByRole('button', { name: 'Go on without' }).click();
    await page.locator('.badge', { hasText: 'delayed 15 min' }).waitFor();
    await ready(page);
  });
});

describe.skipIf(browser === null)('an address', () => {
  it('with a Saturday shows the session before, and says why', async () => {
    // The market says why, whose answer may come after that of the stock.
    const shown = Promise.withResolvers<void>();
    const path = `${service.base}/stocks/${service.symbol}?as_of=2024-03-02T17:00:00Z`;
    const { page, faults } = await openPage(path, {
      answer: async (route) => {
        if (route.request().url().includes('/market/context')) await shown.promise;
        return route.continue();
      },
    });
    await ready(page);
    shown.resolve();
    await page.locator('.price-head .instant').getByText('weekend: showing Fri, Mar 1').waitFor();
    expect(await page.getByLabel('Session', { exact: true }).inputValue()).toBe('2024-03-01');
    expect(faults).toEqual([]);
  });

  it('with a holiday says it beside the price, in two rows at 1024 px', async () => {
    const path = `${service.base}/stocks/${service.symbol}?as_of=2024-02-19T17:00:00Z`;
    const { page, faults } = await openPage(path, {
      viewport: { width: 1024, height: 800 },
      answer: async (route) => {
        // The minutes beside it are asked for too, and may be on their way at the end.
        if (!/include=.*T17%3A00/.test(route.request().url())) return route.continue();
        const response = await route.fetch();
        const json = {
          ...(await response.json()),
          company_name: 'A name of a company as long as it may be. '.repeat(4),
        };
        return route.fulfill({ response, json });
      },
    });
    await page.locator('.price-head .instant').getByText('showing Fri, Feb 16').waitFor();
    for (const row of await page.locator('.head-row').all()) {
      const tops = await row
        .locator('> *')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
      expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(10);
    }
    const { width, height } = (await page.locator('.price-head').boundingBox())!;
    expect(height).toBeLessThanOrEqual(72);
    expect(await page.locator('.price-head').evaluate(({ scrollWidth }) => scrollWidth)).toBe(width);
    expect(faults).toEqual([]);
  });

  it('that changes by the time handle says the phase of its own minute, never that of the one before', async () => {
    const { page, faults } = await openPage(
      `${service.base}/stocks/${service.symbol}?as_of=2024-03-04T21:00:00Z`,
    );
    await page.locator('.price-head .instant').getByText('after hours').waitFor();
    await page.evaluate(() => {
      const head = document.querySelector('.price-head')!;
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => said.push(head.querySelector('.instant')?.textContent ?? '')).observe(head, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    // The minutes to both sides are there already.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('ArrowLeft');
    await page.locator('.price-head .instant').getByText('15:59 ET · market open').waitFor();
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said.filter((words) => /15:59.*after hours/.test(words))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('of the graph alone opens a stock that is there', async () => {
    const { page, faults } = await openPage(`${service.base}/graph`);
    await page.waitForURL(/\/graph\/[A-Z]+$/);
    await page.locator('.node').first().waitFor();
    expect(faults).toEqual([]);
  });
});

describe.skipIf(browser === null)('the chart', () => {
  const chart = (page: Page) =>
    page.evaluate(() => {
      const { drawn } = (document.querySelector('.price-chart') as unknown as { priceChart: PriceChart })
        .priceChart;
      return {
        labels: drawn.labels.map(({ left, right, y, levels }) => ({
          x: (left + right) / 2,
          y,
          names: levels.map(({ label }) => label),
        })),
        setups: drawn.content.setups.map(({ id }) => id),
        selected: [...drawn.content.selected],
      };
    });

  it('waits for the bars of the session, and comes with the newest of them in view', async () => {
    const { page } = await openPage(`${service.base}/nowhere`, {}, [404]);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/bars\?.*from=2024-03-05/, async (route) => {
      await released;
      await route.continue();
    });
    const earlier = page.waitForResponse(/\/bars\?.*session=all/);
    await page.goto(`${service.base}/stocks/${service.symbol}?as_of=${DATE}T20:30:00Z`);
    await ready(page);
    await (await earlier).finished();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.locator('.price-chart').count()).toBe(0);
    release();
    await page.locator('.price-chart').waitFor();
    const view = await page.evaluate(
      () =>
        new Promise<{ last: number; from: number; to: number }>((resolve) => {
          requestAnimationFrame(() => {
            const { drawn } = (
              document.querySelector('.price-chart') as unknown as { priceChart: PriceChart }
            ).priceChart;
            resolve({ last: drawn.bars!.time.length - 1, ...drawn.view! });
          });
        }),
    );
    expect(view.from < view.last && view.last < view.to).toBe(true);
  });

  it.each(inFull([1440, 390], [390]))(
    'opens a label to its levels beside it, %d pixels wide',
    async (width) => {
      const { page } = await openPage(`${service.base}${stockPath()}`, {
        viewport: { width, height: 844 },
        hasTouch: width === 390,
      });
      await page.locator('.price-chart').waitFor();
      await expect.poll(async () => (await chart(page)).labels.length).toBeGreaterThan(3);
      await page.waitForLoadState('networkidle');
      const box = (await page.locator('.price-chart').boundingBox())!;
      const { labels } = await chart(page);
      // Three on each side of the price speak, whole within the pane.
      expect(labels.length).toBeLessThanOrEqual(6);
      expect(labels.every(({ y }) => y > 7 && y < box.height - 7)).toBe(true);
      const label = labels.find(({ names }) => names.length > 1)!;
      const [x, y] = [box.x + label.x, box.y + label.y];
      if (width === 390) await page.touchscreen.tap(x, y);
      else await page.mouse.click(x, y);
      const card = page.locator('.level-card[data-kept]');
      await card.waitFor();
      for (const name of label.names) await card.getByText(name, { exact: true }).first().waitFor();
      expect(await card.locator('.full').count()).toBe(label.names.length);
      const over = (await card.boundingBox())!;
      expect(y < over.y || y > over.y + over.height).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(() => card.count()).toBe(0);
    },
  );

  it('lets a finger that moves up move the page', async () => {
    const { page } = await openPage(`${service.base}${stockPath()}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await ready(page);
    const { x, y } = (await page.locator('.price-chart').boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', up: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + 150, y: y + 280 - up }],
      });
    await touch('touchStart', 0);
    for (let up = 25; up <= 250; up += 25) await touch('touchMove', up);
    await touch('touchEnd', 0);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  });

  it('draws the setup that is pointed at or has the focus', async () => {
    const { page } = await openPage(`${service.base}${stockPath()}`);
    await page.locator('.price-chart').waitFor();
    await ready(page);
    const names = page.locator('.playbooks .plain');
    await expect.poll(() => names.count()).toBeGreaterThan(0);
    await names.first().focus();
    const { setups } = await chart(page);
    await expect.poll(async () => (await chart(page)).selected).toEqual([setups[0]]);
    await names.first().blur();
    await expect.poll(async () => (await chart(page)).selected).toEqual([]);
  });
});

describe.skipIf(browser === null)('a hint', () => {
  it.each(inFull([1440, 390], [390]))('never covers what it speaks of, %d pixels wide', async (width) => {
    const { page } = await openPage(`${service.base}${stockPath('&tab=levels')}`, {
      viewport: { width, height: 844 },
    });
    const names = page.locator('.levels-tab .plain');
    await names.nth(20).waitFor();
    // By the keyboard, at both ends of the list.
    for (const at of [0, 20]) {
      await names.nth(at).focus();
      const tip = page.getByRole('tooltip');
      await tip.waitFor();
      expect(await names.nth(at).getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'));
      const [over, of] = [(await tip.boundingBox())!, (await names.nth(at).boundingBox())!];
      expect(over.y >= of.y + of.height || over.y + over.height <= of.y).toBe(true);
      expect(over.x).toBeGreaterThanOrEqual(0);
      expect(over.x + over.width).toBeLessThanOrEqual(width);
      await names.nth(at).blur();
      await expect.poll(() => tip.count()).toBe(0);
    }
  });

  it.each(inFull([1440, 390], [1440]))(
    'of a first visit lies over nothing, %d pixels wide',
    async (width) => {
      const { page } = await openPage(`${service.base}${stockPath()}`, {
        viewport: { width, height: 844 },
        isFirstVisit: true,
      });
      await ready(page);
      const over = (await page.getByRole('complementary', { name: 'First steps' }).boundingBox())!;
      for (const part of ['.price-chart', '.ledgers', '.time-handle', '.tabs']) {
        const box = (await page.locator(part).first().boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(over.y + over.height);
      }
      expect(await layoutShift(page)).toBeLessThan(0.05);
    },
  );
});

describe.skipIf(browser === null)('entry', () => {
  it('shows in the evening the scores of the last minute of the session', async () => {
    const { page, faults } = await openPage(
      `${service.base}/stocks/${service.symbol}?as_of=${DATE}T21:10:00Z`,
    );
    await ready(page);
    await page.getByRole('tab', { name: 'Entry' }).click();
    await page.getByText('The session is over. Its last entry scores, Tue, Mar 5, 2024, 15:59 ET').waitFor();
    expect(await page.locator('.ledger-line').count()).toBe(12);
    expect(faults).toEqual([]);
  });
});

describe.skipIf(browser === null)('replay', () => {
  it('goes to a minute that is typed, says why it cannot, and copies its link', async () => {
    const { page } = await openPage(`${service.base}/stocks/${service.symbol}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await ready(page);
    const asOf = () => new URL(page.url()).searchParams.get('as_of');
    const field = page.getByLabel('Minute in New York');
    await page.keyboard.press('m');
    await page.keyboard.type('10:17');
    await page.keyboard.press('Enter');
    await expect.poll(asOf).toBe(`${DATE}T15:17:00Z`);
    await page.keyboard.press('ArrowRight');
    await expect.poll(asOf).toBe(`${DATE}T15:18:00Z`);
    expect(await field.inputValue()).toBe('10:18');
    await page.getByRole('button', { name: 'copy link' }).click();
    await page.getByText('copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    for (const typed of ['3:05', 'noon', '19:59']) {
      await field.fill(typed);
      await field.press('Enter');
      expect(await field.evaluate((input: HTMLInputElement) => input.validationMessage)).not.toBe('');
      expect(await field.inputValue()).toBe(typed);
      await field.press('Escape');
    }
    expect(asOf()).toBe(`${DATE}T15:18:00Z`);
    // Where the newest is shown the link has its minute all the same.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'newest', exact: true }).click();
    await expect.poll(asOf).toBeNull();
    await page.getByRole('button', { name: 'copy link' }).click();
    await page.getByText('copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).searchParams.get('as_of')).toBe(`${DATE}T21:15:00Z`);
  });
});
