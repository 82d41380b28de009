/**
 * Promise: the first answer about a stock, read from the store, takes under 20 ms for 99 callers in 100, and under
 * 50 ms with every include. Asked one after the other of a service that has just started and that has never been
 * asked for any of these symbols; stored facts, and a date that no pass has derived so that the service has to.
 */
import { type Service, startService } from './program.ts';
import { type BenchLine, ms, percentile } from './report.ts';
import { EVERY_INCLUDE, STOCKS } from './stock-path.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

/** A session before the newest one, which making the market did not derive. */
const UNDERIVED = '2024-06-26';
/** Answers after which code is compiled and files are open; a service has few first answers in its life. */
const WARM_UP = 50;

const ASKED = [
  { promise: 'stock detail, cold, stored', query: `date=${LAST_DATE}`, targetMs: 20 },
  {
    promise: 'stock detail with every include, cold, stored',
    query: `include=${EVERY_INCLUDE}`,
    targetMs: 50,
  },
  { promise: 'stock detail, cold, derived on demand', query: `date=${UNDERIVED}`, targetMs: 20 },
  {
    promise: 'stock detail with every include, cold, derived on demand',
    query: `date=${UNDERIVED}&include=${EVERY_INCLUDE}`,
    targetMs: 50,
  },
] as const;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  try {
    const lines: BenchLine[] = [];
    for (const { promise, query, targetMs } of ASKED) {
      // A service of its own for each, so that nothing has been read before.
      const service = await startService(folder);
      try {
        lines.push(lineOf(promise, targetMs, await firstAnswers(service, symbolsOf(folder), query)));
      } finally {
        await service.stop();
      }
    }
    return lines;
  } finally {
    removeFolder(folder);
  }
}

/** Milliseconds of the first answer about each symbol, in order of asking. */
async function firstAnswers(service: Service, symbols: readonly string[], query: string): Promise<number[]> {
  const times: number[] = [];
  for (const symbol of symbols) {
    const start = performance.now();
    const response = await fetch(
      `http://127.0.0.1:${service.port}${STOCKS}/${encodeURIComponent(symbol)}?${query}`,
    );
    await response.arrayBuffer();
    const took = performance.now() - start;
    if (response.ok) times.push(took);
    // One that has left, or was not listed yet, has no such day.
    else if (response.status !== 404) throw new Error(`${symbol}: ${response.status}`);
  }
  return times;
}

function lineOf(promise: string, targetMs: number, times: readonly number[]): BenchLine {
  const warm = times.slice(WARM_UP);
  const p99 = percentile(warm, 0.99);
  return {
    promise,
    figure: `p99 ${ms(p99)}`,
    target: `under ${targetMs} ms`,
    met: p99 < targetMs,
    note: `median ${ms(percentile(warm, 0.5))}, most ${ms(Math.max(...warm))}; ${warm.length} symbols; the very first answer ${ms(times[0]!)}`,
  };
}
