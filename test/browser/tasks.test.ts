import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATE, PAST, type Service, sharedService } from './service.ts';
import { browser, openPage } from './support.ts';

/** What a trader comes for, done as he does it: each in so many clicks at most. */

let service: Service;

beforeAll(async () => {
  if (browser !== null) service = await sharedService();
});

/** A page with a hand that counts its clicks. */
async function begin(path: string, options: Parameters<typeof openPage>[1] = {}) {
  const { page } = await openPage(`${service.base}${path}`, options);
  await page.locator('.ledger-line').first().waitFor();
  await page.locator('.price-chart').waitFor();
  // The sessions before this one are known.
  await page.waitForFunction(() => {
    const { min, value } = document.querySelector<HTMLInputElement>('.moment input[type=date]')!;
    return min < value;
  });
  const began = performance.now();
  let clicks = 0;
  return {
    page,
    click: async (what: Locator): Promise<void> => {
      clicks++;
      await what.click();
    },
    /** Says what it took. */
    end: (task: string, most: number): void => {
      const seconds = (performance.now() - began) / 1000;
      console.log(`${task}: ${clicks} of ${most} clicks, ${seconds.toFixed(1)} s`);
      expect(clicks).toBeLessThanOrEqual(most);
    },
  };
}

const asOf = (page: Page): string | null => new URL(page.url()).searchParams.get('as_of');

describe.skipIf(browser === null)('a trader sees', () => {
  it('the levels of the day and whether they held', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('tab', { name: 'Levels', exact: true }));
    const states = page.locator('.levels-tab td:nth-child(4)');
    await expect.poll(async () => (await states.allTextContents()).join()).toMatch(/(held|broken) \d\d:\d\d/);
    end('levels of today and whether they held', 2);
  });

  it('what gaps up with volume, in his own words', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('link', { name: 'Screener', exact: true }));
    await click(page.getByLabel('Filter as text'));
    await page.keyboard.type('gap up over 3 % with twice the volume above vwap');
    // Each part is a condition with its own row; where no stock passes, those that nearly do are shown.
    await page.locator('.condition').nth(2).waitFor();
    const fields = await page
      .locator('.condition')
      .evaluateAll((rows) => rows.map((row) => row.querySelector('input')!.value));
    expect(fields).toEqual(['price.gap_pct', 'computed.volume_over_average', 'price.day_price']);
    await page.locator('.screen-row, .near').first().waitFor();
    end('gap up over 3 % with twice the volume above VWAP', 3);
  });

  it('his alert when a stock crosses VWAP', async () => {
    const armed = async (): Promise<number> => {
      const answer = await fetch(`${service.base}/api/graph/v1/alerts`);
      const { alerts } = (await answer.json()) as { alerts: { sentence: string; state: string }[] };
      const sentence = `${service.symbol}, when price crosses VWAP, once a day`;
      return alerts.filter((alert) => alert.sentence === sentence && alert.state === 'armed').length;
    };
    const before = await armed();
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('button', { name: `Alert on ${service.symbol}` }));
    const form = page.getByRole('dialog', { name: 'Alert' });
    // What it would have fired is said before it is kept.
    await form.getByText(/^It would .*sessions?/).waitFor();
    await click(form.getByRole('button', { name: 'Keep alert' }));
    await form.waitFor({ state: 'detached' });
    end('tell me when it crosses VWAP', 3);
    expect(await armed()).toBe(before + 1);
  });

  it('the gappers of the morning above VWAP', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('link', { name: 'Screener', exact: true }));
    await click(page.getByRole('button', { name: 'Gappers above VWAP' }));
    // A gap is one up or down.
    await page.locator('.condition').nth(2).waitFor();
    await page.getByText(/^\d+ of \d+ stocks pass/).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('filter')).toBe('gappers above vwap');
    end('gappers of this morning above VWAP', 2);
  });

  it('where the gamma flips and what that means', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('tab', { name: 'Levels', exact: true }));
    const flip = page.getByRole('row', { name: /^Gamma flip/ });
    expect(await flip.locator('td').nth(1).textContent()).toMatch(/^\d+\.\d\d$/);
    await click(flip.getByRole('button').first());
    await page.getByRole('tooltip').getByText('where the net gamma of dealers changes sign').waitFor();
    end('the flip and what it means', 2);
  });

  it('yesterday at 10:17, and on by minutes', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`);
    await click(page.getByRole('button', { name: 'Previous session' }));
    await click(page.getByLabel('Minute in New York'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('10:17');
    await page.keyboard.press('Enter');
    await expect.poll(() => asOf(page)).toBe('2024-03-04T15:17:00Z');
    for (const minute of [18, 19, 20]) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => asOf(page)).toBe(`2024-03-04T15:${minute}:00Z`);
    }
    end('yesterday at 10:17 and on by minutes', 3);
  });

  it('an entry with stop and target, and why', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}?as_of=${PAST}`);
    await click(page.getByRole('tab', { name: 'Entry' }));
    const setup = page.locator('.playbooks li').first();
    expect(await setup.textContent()).toMatch(/entry[\d.]+stop[\d.]+target[\d.]+R[\d.]+/);
    await click(setup.getByRole('button'));
    await setup.getByText('Met:').waitFor();
    end('an entry with stop and target, and why', 2);
  });

  it('the state of a stock at a glance', async () => {
    const { page, end } = await begin(`/stocks/${service.symbol}?as_of=${PAST}`, {
      viewport: { width: 1440, height: 900 },
    });
    const rows = page.locator('.price-head .head-row');
    // Where to and since when; what is near, was expected and is due.
    await expect.poll(() => rows.first().textContent()).toMatch(/(bullish|bearish|neutral) since \d\d:\d\d/);
    await expect
      .poll(() => rows.nth(1).textContent())
      .toMatch(/↑.*ATR.*↓.*ATR.*exp\. ±[\d.]+ %.*(results|OPEX|close|holiday).*gamma/);
    const { x, width } = (await page.locator('.price-head').boundingBox())!;
    const due = (await page.locator('.head-facts .due').boundingBox())!;
    expect(due.x + due.width).toBeLessThanOrEqual(x + width);
    end('the state of a stock', 0);
  });

  it('two stocks side by side', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}?as_of=${PAST}`);
    await click(page.getByRole('link', { name: 'Compare', exact: true }));
    await click(page.getByRole('button', { name: /^Add / }).first());
    await expect.poll(() => page.locator('.compare-column .price-chart').count()).toBe(2);
    await expect.poll(() => page.locator('.compare-column .ladder tbody tr').count()).toBe(14);
    const link = new URL(page.url());
    expect([link.pathname, link.searchParams.get('as_of')]).toEqual(['/compare', PAST]);
    expect(link.searchParams.get('symbols')).toMatch(new RegExp(`^${service.symbol},[A-Z^]+$`));
    end('compare two', 2);
  });

  it('how to share this view', async () => {
    const { page, click, end } = await begin(`/stocks/${service.symbol}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await click(page.getByRole('button', { name: 'copy link' }));
    await page.getByText('copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).searchParams.get('as_of')).toBe(`${DATE}T21:15:00Z`);
    end('share this view', 1);
  });

  it('the plan of tomorrow, and what became of that of today', async () => {
    const put = await fetch(`${service.base}/api/graph/v1/watchlists/mine`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ symbols: [service.symbol, 'SIMX'] }),
    });
    expect(put.status).toBe(200);
    const { page, click, end } = await begin(`/stocks/${service.symbol}?as_of=${PAST}`);
    await click(page.getByRole('link', { name: 'Plan', exact: true }));
    // Of the next session, from wherever one looks back; who changed stands above all.
    await page.getByRole('heading', { name: 'Plan Wed, Mar 6' }).waitFor();
    await page.getByRole('region', { name: 'Changed since the close' }).waitFor();
    const card = page.getByRole('article', { name: service.symbol });
    await card.waitFor();
    end('plan tomorrow, and which of mine changed', 1);
    const level = card.locator('.plan-levels a').first();
    const name = new URL((await level.getAttribute('href'))!, service.base).searchParams.get('select');
    await click(level);
    await page.locator('.price-chart').waitFor();
    expect(new URL(page.url()).searchParams.get('select')).toBe(name);
    await click(page.getByRole('link', { name: 'Review', exact: true }));
    await page
      .getByText(/^\d+ levels: \d+ touched, \d+ held/)
      .first()
      .waitFor();
    await click(page.locator('.plan-levels td a').first());
    await page.locator('.price-chart').waitFor();
    expect(asOf(page)).toMatch(new RegExp(`^${DATE}T(1[4-9]|2[01]):`));
    end('a day from its plan to its review', 4);
  });
});
