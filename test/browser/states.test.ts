import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJudged } from '../../src/alerts/store.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { MINUTE_MS } from '../../src/base/dates.ts';
import { csvFeed } from '../../src/files/bars/csv.ts';
import { mulberry32 } from '../support/daily-recipe.ts';
import { inFull, SEED, sampled } from '../support/depth.ts';
import { temporaryDirectory } from '../support/tape.ts';
import { DATE, type Service, sharedService, startService } from './service.ts';
import { browser, layoutShift, openPage, seriousFaults, whatMoved } from './support.ts';

/**
 * Every page with every state of the data, at every size and in both themes: nothing fails, jumps, runs over the edge or is
 * hard to read. TIGRAPH_PICTURES names a folder that takes a picture of each, to be looked at.
 */

const calendar = newYorkCalendar();
const PICTURES = process.env.TIGRAPH_PICTURES;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const THEMES = ['dark', 'light'] as const;

/** A file of bars of a walk, as a newcomer brings it. */
function fileOf(symbol: string, rows: readonly { readonly time: string; readonly shares: number }[]): string {
  const draw = mulberry32(7);
  let price = 42;
  const lines = rows.map(({ time, shares }) => {
    const open = price;
    price = Math.max(1, open * (1 + (draw() - 0.5) * 0.01));
    const high = Math.max(open, price) * 1.001;
    const low = Math.min(open, price) * 0.999;
    return [time, ...[open, high, low, price].map((value) => value.toFixed(2)), shares].join(',');
  });
  const path = join(temporaryDirectory(), `${symbol}.csv`);
  writeFileSync(path, `date,open,high,low,close,volume\n${lines.join('\n')}\n`);
  return path;
}

const daysOf = (symbol: string): string =>
  fileOf(
    symbol,
    calendar.sessionsBetween('2023-01-03', DATE).map((time) => ({ time, shares: 1_000_000 })),
  );

const twoDaysOf = (symbol: string): string =>
  fileOf(
    symbol,
    ['2024-03-04', DATE].flatMap((date) => {
      const { open, close } = calendar.session(date)!;
      return Array.from({ length: (close - open) / MINUTE_MS }, (_, minute) => ({
        time: new Date(open + minute * MINUTE_MS).toISOString(),
        shares: minute === 0 ? 90_000 : 4_000,
      }));
    }),
  );

interface State {
  readonly name: string;
  /** The service on which the state is seen. */
  readonly market: 'simulated' | 'days' | 'two days' | 'nothing';
  readonly now?: string;
  /** What becomes of requests for data; by default they are answered. */
  readonly answer?: (route: Route) => Promise<unknown> | undefined;
}

const STATES: readonly State[] = [
  { name: 'full', market: 'simulated' },
  { name: 'thin', market: 'two days' },
  { name: 'days', market: 'days' },
  { name: 'stale', market: 'simulated', now: '2024-03-22T21:30:00Z' },
  { name: 'empty', market: 'nothing' },
  { name: 'loading', market: 'simulated', answer: () => undefined },
  {
    name: 'refused',
    market: 'simulated',
    answer: (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Retry-After': '1' },
        json: { code: 'overloaded', message: 'The service is busy.', retryable: true },
      }),
  },
  { name: 'stopped', market: 'simulated', answer: (route) => route.abort('connectionrefused') },
];

const PAGES: readonly (readonly [name: string, path: (symbol: string) => string])[] = [
  ['stock', (symbol) => `/stocks/${symbol || 'AAPL'}`],
  ['levels', (symbol) => `/stocks/${symbol || 'AAPL'}?tab=levels`],
  ['tour', (symbol) => `/stocks/${symbol || 'AAPL'}?tour=2`],
  ['compare', (symbol) => `/compare?symbols=${symbol || 'AAPL'},NOPE`],
  ['one scale', (symbol) => `/compare?symbols=${symbol || 'AAPL'},NOPE&view=lines`],
  ['plan', (symbol) => `/plan?symbols=${symbol || 'AAPL'}`],
  ['review', (symbol) => `/review?symbols=${symbol || 'AAPL'}`],
  ['alerts', () => '/alerts'],
  ['screener', () => '/screener'],
  ['market', () => '/market'],
  ['graph', (symbol) => `/graph/${symbol || 'AAPL'}`],
  ['backtest', () => '/backtest'],
  ['records', () => '/records'],
  ['data', () => '/data'],
  ['status', () => '/status'],
];

const VIEWS = STATES.flatMap((state) =>
  PAGES.flatMap(([page, path]) =>
    SIZES.flatMap((size) => THEMES.map((theme) => ({ state, page, path, size, theme }))),
  ),
);

/** Every other page with full data at one size in one theme, and a few of the rest. */
const someViews = (): typeof VIEWS => [
  ...sampled(PAGES, 2).map(([page, path], at) => {
    const turn = at + SEED;
    return { state: STATES[0]!, page, path, size: SIZES[turn % 3]!, theme: THEMES[turn % 2]! };
  }),
  ...sampled(
    VIEWS.filter(({ state }) => state.name !== 'full'),
    167,
  ),
];

const services = new Map<State['market'], Promise<Service>>();
const serviceOf = (market: State['market']): Promise<Service> =>
  services.getOrInsertComputed(market, () => {
    if (market === 'simulated') return withAlerts(withRun(sharedService()));
    if (market === 'nothing') return startService(null);
    const path = market === 'days' ? daysOf('QZDY') : twoDaysOf('QZTH');
    return startService(csvFeed({ paths: [path], calendar }));
  });

/** With a completed backtest, which the page of backtests shows with its trades. */
async function withRun(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  const body = {
    symbols: [service.symbol],
    start_date: '2024-03-01',
    end_date: DATE,
    signal_types: ['vwap_touch', 'ib_breakout', 'trend_continuation'],
    stop_atr_range: [0.1, 0.25, 0.5],
    target_atr_range: [0.1, 0.25, 0.5, 4],
  };
  await fetch(`${service.base}/api/graph/v1/backtest/optimize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await service.app.idle();
  return service;
}

/** Rules of a reader, what they fired, and where it goes: of each state one. */
async function withAlerts(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  const { app, base, symbol } = service;
  const send = async (method: 'POST' | 'PUT', path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${base}/api/graph/v1/alerts${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string };
  };
  const quiet = { from: '22:00', to: '07:00', time_zone: 'America/New_York' };
  const address = 'https://alerts.example/a/rather/long/address/of/a/hook/that/somebody/has';
  await send('PUT', `/receivers/${randomUUID()}`, { channel: 'webhook', address, quiet });
  const vwap = { field: 'last_price', other: 'levels.vwap' };
  const rule = { kind: 'crosses', parameters: vwap, symbols: [symbol], anyway: true };
  const { id } = await send('POST', '', rule);
  const parameters = { filter: { field: 'rel_volume', op: '>', value: 2 }, name: 'busy ones' };
  await send('POST', '', { kind: 'screen', parameters, paused: true, anyway: true });
  const at = Date.parse(`${DATE}T15:12:00Z`);
  const firing = { id: 'fir_1', rule: id, owner: '', symbol, tradeDate: DATE, at, price: 101.5 };
  const says = 'price crossed above VWAP (101.20), now 101.50';
  const sentence = `${symbol}, when price crosses VWAP, once a day`;
  await writeJudged(app.context.database, {
    simulated: true,
    at,
    firings: [{ ...firing, says, sentence }],
    seen: [],
  });
  return service;
}

beforeAll(async () => {
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
});

afterAll(async () => {
  if (browser === null) return;
  for (const service of services.values()) await (await service).close();
});

/** Waits until nothing on a page is still expected; where nothing is answered, until it says so. */
async function settled(page: Page, { answer }: State): Promise<void> {
  // Its program has come: every page has words of its own, whatever the service says.
  await page.waitForFunction(() => document.querySelector<HTMLElement>('#page')?.innerText.trim());
  if (answer === undefined)
    await page.waitForFunction(() => document.querySelector('#page [aria-busy=true]') === null);
  else
    await page
      .locator('#page :is(.skeleton, [role=status], [role=alert], .refused, form):visible')
      .first()
      .waitFor();
}

describe.skipIf(browser === null)('a page', () => {
  it.each(inFull(VIEWS, someViews()))(
    '$page, $state.name, at $size.width, $theme',
    async ({ state, page: name, path, size, theme }) => {
      const { at, base, symbol } = await serviceOf(state.market);
      const origin = state.now === undefined ? base : await at(state.now);
      const statuses = state.answer === undefined ? [404] : [404, 503];
      const { page, faults } = await openPage(
        `${origin}${path(symbol)}`,
        { viewport: size, colorScheme: theme, answer: state.answer },
        statuses,
      );
      await settled(page, state);
      if (PICTURES !== undefined)
        await page.screenshot({
          fullPage: true,
          path: join(PICTURES, `${state.name}-${name}-${size.width}-${theme}.png`),
        });
      expect(faults).toEqual([]);
      expect((await page.locator('#page').innerText()).trim()).not.toBe(state.name === 'loading' ? null : '');
      expect(await page.getByRole('navigation').first().isVisible()).toBe(true);
      expect(await layoutShift(page), await whatMoved(page)).toBeLessThan(0.05);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      expect(await seriousFaults(page)).toEqual([]);
    },
  );
});
