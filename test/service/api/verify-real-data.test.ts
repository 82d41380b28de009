import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { chainsFeed } from '../../../src/market/feeds/chains.ts';
import { factsFor } from '../../../src/api/chat/load-stock-context.ts';
import { csvFeed } from '../../../src/market/feeds/csv.ts';
import { factsFeed } from '../../../src/market/feeds/facts.ts';
import { importFeed } from '../../../src/market/ingest.ts';
import { afterwards } from '../../support/app.ts';
import { passOver } from '../../support/chat-service.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

const LOADED = 'AAPL ABBV ADBE AMAT AMD AMZN AVGO BA BAC CAT COST CRM CSCO DIS GE GOOGL GS HD IBM INTC JNJ JPM KO LLY META MSFT MU NFLX NVDA ORCL QQQ SMH SPY TSLA TSM WMT XLK XOM'.split(' ');
const STOCKS = ['AAPL', 'META', 'NVDA', 'TSLA'];
const DATES = ['2026-02-12', '2026-08-19'];

async function linesOf(path: string, isTaken: (line: string, place: number) => boolean): Promise<string> {
  const packed = await readFile(join(realDataDirectory!, path));
  const lines = gunzipSync(packed).toString().split('\n').filter(isTaken);
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-recorded-'));
  afterwards(() => rmSync(folder, { recursive: true }));
  const file = join(folder, basename(path, '.gz'));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const { app } = await onRealData(
  async (app) => {
    const { calendar } = app.context;
    const bars = (paths: string[], interval: '1m' | '1d', symbol?: string) =>
      csvFeed({ paths, calendar, interval, ...(symbol !== undefined && { symbol }) });
    const loaded = new Set(LOADED);
    const daily = await linesOf('daily/recent_daily_2024_2026.csv.gz', (line, place) => place === 0 || loaded.has(line.split(',', 1)[0]!));
    const minutes = ['NVDA', 'META', 'SPY'].map((symbol) =>
      linesOf(`intraday/1min/${symbol}_1min.csv.gz`, (line, place) => place === 0 || (line >= '2026-01-26' && line < '2026-02-13')));
    const facts = readdirSync(join(realDataDirectory!, 'facts')).map((name) =>
      linesOf(`facts/${name}`, (line) => STOCKS.some((symbol) => new RegExp(`"symbol": ?"${symbol}"`).test(line))));
    for (const feed of [
      bars([daily], '1d'),
      bars([join(realDataDirectory!, 'macro/vix-daily.csv.gz')], '1d', '^VIX'),
      bars(await Promise.all(minutes), '1m'),
      factsFeed({ paths: await Promise.all(facts), calendar }),
      chainsFeed({ paths: ['yfinance_csv', 'iv_history.csv.gz', ...['AAPL','META','NVDA','TSLA'].map((s) => `chains_json/2026-08-19_close/${s}.json.gz`)].map((name) => join(realDataDirectory!, 'options', name)), calendar }),
    ]) await importFeed(app.context, feed);
    for (const date of DATES) await passOver(app, date);
  },
  { TIGRAPH_NOW: '2026-08-20T07:30:00Z' },
);
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
it('dumps', async () => {
  console.time('rec'); const rep = await bringRecordsUpToDate(app.context as never, { kinds: ['level'] as never, range: { from: '2026-02-02', to: '2026-08-19' } as never }); console.timeEnd('rec'); console.log(rep);
  for (const date of DATES) for (const symbol of STOCKS) {
    const f = await factsFor(app.context, { symbol, date }, { source: 'realtime_sip', delayMs: 0, symbols: null } as never, new AbortController().signal);
    writeFileSync(`/tmp/agents-facts-${symbol}-${date}.json`, JSON.stringify({ ...f, facts: f.facts }, null, 1));
    console.log(symbol, f.facts.length, f.tradeDate);
  }
  expect(1).toBe(1);
}, 100000);
