import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findBrowser, openBrowser } from './find-browser.ts';

const installed = await findBrowser();
if (installed === null)
  console.log('No Chromium or Chrome: the tests of the Explorer skip. npm run browser:install');

/** The browser that the files of a process share, and that ends with it; null where there is none. */
export const browser = installed === null ? null : await openBrowser(installed);

/** A page, and what must never happen on one. */
export interface Watched {
  readonly page: Page;
  /** Console errors, uncaught errors, and requests to another host. */
  readonly faults: string[];
  /** Addresses of the answers that were asked for, in order. */
  readonly asked: URL[];
}

type PageOptions = BrowserContextOptions & {
  readonly isFirstVisit?: boolean;
  /** What becomes of requests for data; by default they are answered. */
  readonly answer?: ((route: Route) => Promise<unknown> | undefined) | undefined;
};

/** Contexts by what their pages are like: what one page has compiled the next finds. */
const shared = new Map<string, Promise<BrowserContext>>();

async function contextOf({ isFirstVisit = false, answer, ...options }: PageOptions) {
  // Without a locale the chart stays empty in some headless builds.
  const context = await browser!.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  if (answer !== undefined) await context.route(/\/(api|health)\//, answer);
  await context.addInitScript(watchLayout);
  if (!isFirstVisit) await context.addInitScript(() => localStorage.setItem('tigraph.hints', '3'));
  return context;
}

const sharedContext = (options: PageOptions): Promise<BrowserContext> =>
  shared.getOrInsertComputed(JSON.stringify(options), () => contextOf(options));

/** @param expected statuses of answers that a test provokes */
export async function openPage(
  url: string,
  options: PageOptions = {},
  expected: readonly number[] = [],
): Promise<Watched> {
  const hasOwn = options.answer !== undefined || options.isFirstVisit === true;
  const context = await (hasOwn ? contextOf : sharedContext)(options);
  const page = await context.newPage();
  onTestFinished(async () => {
    if (hasOwn) return context.close();
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });
  const faults: string[] = [];
  const asked: URL[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    // Refusals are watched below, with their address.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !expected.includes(response.status()))
      faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.origin !== origin && to.protocol.startsWith('http')) faults.push(`request to ${to.origin}`);
    if (to.pathname.startsWith('/api/')) asked.push(to);
  });
  await page.goto(url);
  return { page, faults, asked };
}

interface Shift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Adds up the layout shifts of a page that no input of its reader caused, and names what moved. */
function watchLayout(): void {
  const counted = window as unknown as { shift: number; moved: string[] };
  counted.shift = 0;
  counted.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as Shift[]) {
      if (entry.hadRecentInput) continue;
      counted.shift += entry.value;
      const names = entry.sources.map(
        ({ node, previousRect: from, currentRect: to }) =>
          `${(node as Element | null)?.className ?? ''} from ${from.y} (${from.height}) to ${to.y} (${to.height})`,
      );
      counted.moved.push(`${entry.value.toFixed(3)} ${names.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What has jumped on a page, for a message. */
export const whatMoved = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { moved: string[] }).moved.join('\n'));

/** How far the content of a page has jumped: 0 not at all, 1 by the whole page. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shift: number }).shift);

/** Serious faults of accessibility; of rows that are alike the first few stand for all. */
export async function seriousFaults(page: Page): Promise<unknown[]> {
  const axe = new AxeBuilder({ page });
  for (const rows of ['.screen-row', '.coverage li', '.ledger-line', '.strips > li', '.levels-tab tr'])
    axe.exclude(`${rows}:nth-child(n + 5)`);
  const { violations } = await axe.setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
}
