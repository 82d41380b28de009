/**
 * Promise: the state of the market takes under 20 ms for 99 callers in 100, also for the first one after anything on the
 * tape has changed. Asked over HTTP on this machine, of a market of 500 stocks: of a session that is over, and of the
 * minute of a running one that a delayed caller sees. The yardstick is an answer of the same program that computes
 * nothing.
 */
import type { App } from '../src/app.ts';
import { openApi } from '../src/app.ts';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { loadConfig } from '../src/config.ts';
import { readMarketDays } from '../src/graph/market-days.ts';
import { type BenchLine, median, ms, percentile, timedEach } from './report.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, removeFolder } from './universe.ts';

const CONTEXT = '/api/graph/v1/market/context';
const TARGET_MS = 20;
const WARM_UP = 50;
const CALLS = 300;
const MINUTE_MS = 60_000;
const DELAY_MS = 15 * MINUTE_MS;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  try {
    return await measure(folder, LAST_DATE);
  } finally {
    removeFolder(folder);
  }
}

/** @param lastDate a session of the data directory that a pass has derived */
export async function measure(folder: string, lastDate: string): Promise<BenchLine[]> {
  const { open, postClose } = newYorkCalendar().session(lastDate)!;
  const noon = open + 150 * MINUTE_MS;
  return [
    ...(await linesAt(folder, postClose + DELAY_MS, 'completed session')),
    ...(await linesAt(folder, noon + DELAY_MS, 'delayed minute', (app) => keepMinute(app, lastDate, noon))),
  ];
}

/** What a running session leaves behind it every minute. */
async function keepMinute({ context }: App, tradeDate: string, at: number): Promise<void> {
  const [kept] = await readMarketDays(context.database, true, [tradeDate]);
  const market = { ...JSON.parse(kept!.text), asOf: at };
  await context.database.query(
    `insert into running_minute (simulated, trade_date, at, market) values (true, $1::date, $2::timestamptz, $3)
     on conflict (simulated, trade_date, at) do update set market = excluded.market`,
    [tradeDate, new Date(at).toISOString(), JSON.stringify(market)],
  );
}

async function linesAt(
  folder: string,
  now: number,
  what: string,
  prepare: (app: App) => Promise<void> = async () => {},
): Promise<BenchLine[]> {
  const settings = {
    TIGRAPH_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    TIGRAPH_NOW: new Date(now).toISOString(),
  };
  const app = await openApi(loadConfig(settings));
  const server = await app.server();
  try {
    await prepare(app);
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const forget = (): void => {
      app.context.answers.forget(null);
      app.context.markets.clear();
    };
    const yardstick = median(await timesOf(`${address}/health/live`));
    const cold = await timesOf(address + CONTEXT, forget);
    const warm = await timesOf(address + CONTEXT);
    return [
      lineOf(`market context, ${what}, made anew`, cold, yardstick),
      lineOf(`market context, ${what}, kept`, warm, yardstick),
    ];
  } finally {
    await server.close();
    await app.close();
  }
}

const timesOf = (url: string, before: () => void = () => {}): Promise<number[]> =>
  timedEach(
    async () => {
      before();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    },
    WARM_UP,
    CALLS,
  );

function lineOf(promise: string, times: readonly number[], yardstick: number): BenchLine {
  const p99 = percentile(times, 0.99);
  return {
    promise,
    figure: `p99 ${ms(p99)}`,
    ratio: median(times) / yardstick,
    target: `under ${TARGET_MS} ms`,
    met: p99 < TARGET_MS,
    note: `median ${ms(median(times))}; an answer that computes nothing ${ms(yardstick)}`,
  };
}
