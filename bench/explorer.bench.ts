/**
 * Promises of the Explorer, in a real browser against the service of the same run: a stock page of at most 300 KB before
 * data, a chart within 1.5 s of a cold load, on a processor slowed to a quarter too, and 0.4 s of a switch, the next minute
 * within 120 ms of the arrow key, a minute that nobody asked for before within 250 ms, no task over 50 ms while the time handle
 * is dragged over known minutes. Beside each the time that the service alone takes for the same answer.
 */
import { get } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, openBrowser } from '../test/browser/find-browser.ts';
import { startService } from './program.ts';
import { type BenchLine, median, ms, percentile } from './report.ts';
import { removeFolder, temporaryFolder } from './universe.ts';

const DATE = '2026-06-17';
/** The evening of that date, whose session the simulated market then has as its newest. */
const NOW = '2026-06-18T01:00:00Z';
const LOADS = 7;
const SWITCHES = 8;
const STEPS = 24;
const MINUTES = 60;
/** Between steps of a reader who looks at each. */
const LOOK_MS = 100;
const SLOWED = 4;

/** The strict policy of the pages lets no expression in, of the measurement neither. */
const CONTEXT = { locale: 'en-US', viewport: { width: 1440, height: 900 }, bypassCSP: true };

/** True once the chart has candles of the newest answer. */
const DRAWN = `(document.querySelector('.price-chart')?.priceChart?.drawn.bars?.time.length ?? 0) > 0`;

export async function run(): Promise<BenchLine[]> {
  const installed = await findBrowser();
  if (installed === null) {
    return [{ promise: 'explorer', figure: 'no browser here: npm run browser:install', met: null }];
  }
  const folder = temporaryFolder();
  const service = await startService(folder, { TIGRAPH_NOW: NOW });
  const browser = await openBrowser(installed);
  const base = `http://127.0.0.1:${service.port}`;
  try {
    const symbols = await symbolsOf(base);
    return [
      await pageWeight(browser, base, symbols[0]!),
      await coldLoads(browser, base, symbols[0]!, 1),
      await coldLoads(browser, base, symbols[1]!, SLOWED),
      await switches(browser, base, symbols),
      await minutes(browser, base, symbols[0]!),
      ...(await timeHandle(browser, base, symbols[0]!)),
    ];
  } finally {
    await browser.close();
    await service.stop();
    removeFolder(folder);
  }
}

async function symbolsOf(base: string): Promise<string[]> {
  const response = await fetch(`${base}/api/graph/v1/symbols?limit=60`);
  const { symbols } = (await response.json()) as {
    symbols: { symbol: string; has: { minute: boolean; chains: boolean } }[];
  };
  return symbols.filter(({ has }) => has.minute && has.chains).map(({ symbol }) => symbol);
}

async function open(browser: Browser, url: string, slowed = 1): Promise<Page> {
  const context = await browser.newContext(CONTEXT);
  await context.addInitScript("localStorage.setItem('tigraph.hints', '3')");
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}

const stockUrl = (base: string, symbol: string, asOf = `${DATE}T15:30:00Z`): string =>
  `${base}/stocks/${symbol}?as_of=${asOf}`;

/** Bytes of a file as the service sends it to a reader of gzip. */
const gzippedBytes = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });

async function pageWeight(browser: Browser, base: string, symbol: string): Promise<BenchLine> {
  const context = await browser.newContext(CONTEXT);
  const page = await context.newPage();
  const files: string[] = [];
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) files.push(request.url());
  });
  await page.goto(stockUrl(base, symbol));
  await page.waitForFunction(DRAWN);
  await context.close();
  const sizes = await Promise.all(files.map(gzippedBytes));
  const kilobytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
  return {
    promise: 'explorer: stock page before data, gzip',
    figure: `${kilobytes.toFixed(0)} KB`,
    target: 'at most 300 KB',
    met: kilobytes <= 300,
    note: `${files.length} files`,
  };
}

async function coldLoads(browser: Browser, base: string, symbol: string, slowed: number): Promise<BenchLine> {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const start = performance.now();
    const page = await open(browser, stockUrl(base, symbol), slowed);
    await page.waitForFunction(DRAWN);
    times.push(performance.now() - start);
    await page.context().close();
  }
  const answer = await answerTime(`${base}/api/graph/v1/stocks/${symbol}`);
  return {
    promise: `explorer: chart of a cold load${slowed === 1 ? '' : `, processor slowed ${slowed} times`}`,
    figure: `median ${ms(median(times))}`,
    target: 'within 1500 ms',
    met: median(times) <= 1500,
    note: `slowest ${ms(Math.max(...times))}; the stock alone ${ms(answer)}`,
  };
}

async function answerTime(url: string): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 9; call++) {
    const start = performance.now();
    await (await fetch(url)).arrayBuffer();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** From the choice of another symbol to its candles. */
async function switches(browser: Browser, base: string, symbols: readonly string[]): Promise<BenchLine> {
  const page = await open(browser, stockUrl(base, symbols[0]!));
  await page.waitForFunction(DRAWN);
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (const symbol of symbols.slice(1, SWITCHES + 1)) {
    await page.keyboard.press('/');
    await page.keyboard.type(symbol);
    await page.locator('[role="option"]', { hasText: symbol }).first().waitFor();
    await page.evaluate(`window.startedAt = performance.now()`);
    await page.keyboard.press('Enter');
    const took = await page.waitForFunction(
      `document.querySelector('h1')?.textContent?.startsWith('${symbol}') && ${DRAWN} ? performance.now() - window.startedAt : null`,
      null,
      { polling: 'raf' },
    );
    times.push((await took.jsonValue()) as number);
    await page.waitForLoadState('networkidle');
  }
  await page.context().close();
  return {
    promise: 'explorer: chart of a switched symbol',
    figure: `median ${ms(median(times))}`,
    target: 'within 400 ms',
    met: median(times) <= 400,
    note: `slowest of ${times.length} ${ms(Math.max(...times))}`,
  };
}

/** From the arrow key to the next minute. */
async function minutes(browser: Browser, base: string, symbol: string): Promise<BenchLine> {
  const page = await open(browser, stockUrl(base, symbol, `${DATE}T14:00:00Z`));
  await page.waitForFunction(DRAWN);
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (let step = 1; step <= MINUTES; step++) {
    times.push(await stepTime(page, 'ArrowRight'));
    await page.waitForTimeout(LOOK_MS);
  }
  await page.context().close();
  const p99 = percentile(times, 0.99);
  return {
    promise: 'explorer: the next minute by the arrow key',
    figure: `p99 ${ms(p99)}`,
    target: 'under 120 ms',
    met: p99 < 120,
    note: `median of ${times.length} ${ms(median(times))}`,
  };
}

/** Time from a key to the head of the minute that it leads to. */
async function stepTime(page: Page, key: string): Promise<number> {
  await page.evaluate(
    `window.minute = () => document.querySelector('.price-head .instant').textContent.split(' ·')[0];
     window.before = window.minute();
     addEventListener('keydown', () => { window.startedAt = performance.now(); }, { once: true, capture: true });`,
  );
  await page.keyboard.press(key);
  const took = await page.waitForFunction(
    `window.minute() !== window.before ? performance.now() - window.startedAt : null`,
    null,
    { polling: 'raf' },
  );
  return (await took.jsonValue()) as number;
}

async function timeHandle(browser: Browser, base: string, symbol: string): Promise<BenchLine[]> {
  const page = await open(browser, stockUrl(base, symbol, `${DATE}T17:30:00Z`));
  await page.waitForFunction(DRAWN);
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (let step = 1; step <= STEPS; step++) {
    // Steps of a quarter of an hour: the minutes to both sides are fetched when the page is idle.
    times.push(await stepTime(page, 'Shift+ArrowLeft'));
    await page.waitForTimeout(120);
  }
  const track = (await page.locator('[role="slider"]').boundingBox())!;
  const drag = async (): Promise<void> => {
    await page.mouse.move(track.x + track.width * 0.3, track.y + 12);
    await page.mouse.down();
    for (let at = 0; at <= 120; at++) {
      await page.mouse.move(track.x + track.width * (0.3 + at * 0.0005), track.y + 12);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
  };
  await drag();
  await page.waitForLoadState('networkidle');
  await page.evaluate(WATCH_FRAMES);
  await drag();
  const { frames, elapsed, tasks } = (await page.evaluate('window.endWatch()')) as Frames;
  await page.context().close();
  const longest = Math.max(0, ...tasks);
  return [
    {
      promise: 'explorer: a minute that nobody asked for',
      figure: `median ${ms(median(times))}`,
      target: 'within 250 ms',
      met: median(times) <= 250,
      note: `p95 of ${times.length} ${ms(percentile(times, 0.95))}`,
    },
    {
      promise: 'explorer: dragging over known minutes',
      figure: `${((frames.length / elapsed) * 1000).toFixed(0)} frames/s, longest task ${ms(longest)}`,
      target: '60 frames/s, no task over 50 ms',
      met: longest <= 50,
      note: `${tasks.length} tasks over 50 ms; longest gap of frames ${ms(longestGap(frames))}`,
    },
  ];
}

interface Frames {
  readonly frames: number[];
  readonly elapsed: number;
  readonly tasks: number[];
}

/** Notes frames and long tasks until it is ended. */
const WATCH_FRAMES = `
  (() => {
    const frames = [];
    const tasks = [];
    const began = performance.now();
    let isOver = false;
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: 'longtask' });
    const note = (time) => { frames.push(time); if (!isOver) requestAnimationFrame(note); };
    requestAnimationFrame(note);
    window.endWatch = () => { isOver = true; observer.disconnect(); return { frames, tasks, elapsed: performance.now() - began }; };
  })()`;

const longestGap = (frames: readonly number[]): number =>
  Math.max(0, ...frames.slice(1).map((time, at) => time - frames[at]!));
