/**
 * Makes the screens of README and documents from the running product: a simulated market at a fixed instant, in a real
 * browser. `npm run screens` writes them to `docs/images`; `npm run browser:install` brings a browser where none is.
 */
import { mkdirSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { startService } from '../bench/program.ts';
import { removeFolder, temporaryFolder } from '../bench/universe.ts';
import { findBrowser, openBrowser } from '../test/browser/find-browser.ts';

const IMAGES = new URL('./images/', import.meta.url);
const DATE = '2026-06-17';
const NOW = '2026-06-18T01:00:00Z';
const THEN = `${DATE}T19:50:00Z`;
/** More would make every clone heavier than it needs to be. */
const BYTES_MAX = 200_000;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly theme: 'dark' | 'light';
  readonly size: { readonly width: number; readonly height: number };
  /** What the page shows once it is whole. */
  readonly ready: string;
  /** What is pointed at. */
  readonly hover?: string;
}

const screensOf = (symbol: string): readonly Screen[] => [
  {
    name: 'stock-dark',
    path: `/stocks/${symbol}?as_of=${THEN}`,
    theme: 'dark',
    size: DESK,
    ready: '.figure .spot',
    hover: '.ledger-line:has-text("Proximity") >> nth=0',
  },
  {
    name: 'stock-light',
    path: `/stocks/${symbol}?as_of=${THEN}&interval=15m&tab=company`,
    theme: 'light',
    size: DESK,
    ready: '#tab-panel section',
  },
  {
    name: 'phone-dark',
    path: `/stocks/${symbol}?as_of=${THEN}`,
    theme: 'dark',
    size: PHONE,
    ready: '.ledger-line',
  },
  {
    name: 'graph-dark',
    // Events, of which there are dozens, would hide the rest.
    path: `/graph/${symbol}?types=OF,PEER_OF,IN_SECTOR,IN_INDUSTRY,EXPOSED_TO,MATCHES,EXHIBITS`,
    theme: 'dark',
    size: DESK,
    ready: '.graph-canvas .node',
  },
  {
    name: 'screener-light',
    path: `/screener?filter=technical.rsi_14 < 50 and rel_volume > 1.5&symbol=${symbol}`,
    theme: 'light',
    size: DESK,
    ready: '.screen-row',
  },
  {
    name: 'market-dark',
    path: '/market',
    theme: 'dark',
    size: DESK,
    ready: '.over-time .line-figure >> nth=2',
  },
  {
    name: 'plan-light',
    path: `/plan?symbols=${symbol},SIMX&date=${DATE}`,
    theme: 'light',
    size: DESK,
    ready: '.plan-levels >> nth=1',
  },
  {
    name: 'review-dark',
    path: `/review?symbols=${symbol},SIMX&date=${DATE}`,
    theme: 'dark',
    size: DESK,
    ready: '.plan-levels >> nth=1',
  },
];

/** The stock at which a first visit looks. */
async function storyOf(browser: Browser, base: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(base);
  await page.waitForURL('**/stocks/*');
  const symbol = new URL(page.url()).pathname.split('/').at(-1)!;
  await page.close();
  return symbol;
}

async function take(browser: Browser, base: string, screen: Screen): Promise<void> {
  const { name, path, theme, size, ready, hover } = screen;
  const context = await browser.newContext({ locale: 'en-US', viewport: size, colorScheme: theme });
  await context.addInitScript("localStorage.setItem('tigraph.hints', '3')");
  const page: Page = await context.newPage();
  await page.goto(base + path);
  await page.locator(ready).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  if (hover !== undefined) await page.locator(hover).hover();
  // A tooltip comes after a moment; skeletons have gone by then.
  await page.waitForTimeout(600);
  const file = new URL(`${name}.png`, IMAGES);
  await page.screenshot({ path: file.pathname });
  await context.close();
  const { size: bytes } = statSync(file);
  console.log(`${name}.png ${Math.round(bytes / 1000)} KB`);
  if (bytes > BYTES_MAX) throw new Error(`${name}.png is larger than ${BYTES_MAX / 1000} KB`);
}

const installed = await findBrowser();
if (installed === null) {
  console.error('No Chromium or Chrome here. npm run browser:install brings one.');
  process.exit(1);
}
const folder = temporaryFolder();
const service = await startService(folder, { TIGRAPH_NOW: NOW });
const browser = await openBrowser(installed);
try {
  const base = `http://127.0.0.1:${service.port}`;
  mkdirSync(IMAGES, { recursive: true });
  for (const screen of screensOf(await storyOf(browser, base))) await take(browser, base, screen);
} finally {
  await browser.close();
  await service.stop();
  removeFolder(folder);
}
