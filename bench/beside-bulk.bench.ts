/**
 * Promise: a stream that begins beside large downloads gets its first answer in time.
 *
 * Callers who want one half-year of minutes after the other as Arrow streams keep every thread busy. Meanwhile each stream
 * watches a stock of its own at a minute that no pass has stored, so that its first answer is derived. The client of all
 * is this process.
 */
import { startService } from './program.ts';
import { type BenchLine, ms, percentile } from './report.ts';
import { STOCKS } from './stock-path.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const STREAMS = 50;
const DOWNLOADERS = 40;
const DOWNLOADS_MIN = 200;
const MARKET = { symbols: STREAMS, days: 260, minuteSessions: 120 };
const ARROW = 'application/vnd.apache.arrow.stream';
/** Minutes up to the middle of the last session; the clock is fixed there. */
const NOW = `${LAST_DATE}T18:00:00Z`;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(MARKET);
  const service = await startService(folder, { TIGRAPH_NOW: NOW });
  try {
    const origin = `http://127.0.0.1:${service.port}`;
    const symbols = symbolsOf(folder).slice(0, STREAMS).map(encodeURIComponent);
    const download = async (symbol: string, from: string): Promise<number> => {
      const url = `${origin}${STOCKS}/${symbol}/bars?interval=1m&session=all&from=${from}`;
      const response = await fetch(url, { headers: { accept: ARROW } });
      await response.arrayBuffer();
      return response.status;
    };
    // The first answers of a service compile the code, and read what the tape has of each stock.
    for (const symbol of symbols) await download(symbol, '2024-06-20');
    const statuses: number[] = [];
    const isBusy = Promise.withResolvers<void>();
    let isOver = false;
    const downloaders = Array.from({ length: DOWNLOADERS }, async () => {
      while (!isOver || statuses.length < DOWNLOADS_MIN) {
        const from = `2024-01-${10 + (Math.floor(statuses.length / symbols.length) % 20)}`;
        statuses.push(await download(symbols[statuses.length % symbols.length]!, from));
        if (statuses.length === DOWNLOADERS) isBusy.resolve();
      }
    });
    await isBusy.promise;
    const streams = await Promise.all(
      symbols.map((symbol) => open(`${origin}/api/graph/v1/stream?symbols=${symbol}`)),
    );
    isOver = true;
    await Promise.all(downloaders);
    const answered = streams.filter(({ status }) => status === 200);
    const late = streams.filter(({ status }) => status === 504).length;
    const whole = statuses.filter((status) => status === 200).length;
    const times = streams.map(({ tookMs }) => tookMs);
    return [
      {
        promise: `${STREAMS} streams that begin beside ${statuses.length} large Arrow answers to ${DOWNLOADERS} callers: begun`,
        figure: `${answered.length}`,
        target: `${STREAMS}`,
        met: answered.length === STREAMS,
        note: `${late} answers of 504, ${STREAMS - answered.length - late} of another refusal; first answer: median ${ms(percentile(times, 0.5))}, most ${ms(Math.max(...times))}; ${whole} downloads whole, the others refused or too late`,
      },
    ];
  } finally {
    await service.stop();
    removeFolder(folder);
  }
}

/** Begins a stream, and leaves it. */
async function open(url: string): Promise<{ readonly status: number; readonly tookMs: number }> {
  const start = performance.now();
  const leave = new AbortController();
  const { status } = await fetch(url, { signal: leave.signal });
  leave.abort();
  return { status, tookMs: performance.now() - start };
}
