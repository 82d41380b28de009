/**
 * Promises: a chat context takes under 25 ms for 99 callers in 100 when it is warm, under 30 ms when its parts are in
 * memory, and under 200 ms when it is cold.
 * Cold: the first question about a stock to a service that has just started, one after the other. Warm: the same again.
 * Between them the context that is made anew for another budget while its parts lie in memory. The yardstick is stock
 * detail with every include of a service of its own, which is what a context begins with.
 */
import { type Service, startService } from './program.ts';
import { type BenchLine, ms, percentile } from './report.ts';
import { EVERY_INCLUDE, STOCKS } from './stock-path.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const CONTEXT = '/api/graph/v1/chat/context';
/** Answers after which code is compiled and files are open; a service has few first answers in its life. */
const WARM_UP = 50;
const [COLD_MS, ANEW_MS, WARM_MS] = [200, 30, 25];
const [BUDGET, OTHER_BUDGET] = [6_000, 8_000];

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  try {
    const symbols = symbolsOf(folder);
    const detail = await during(folder, (service) => timesOf(service, symbols, detailOf));
    return await during(folder, async (service) => {
      const cold = await timesOf(service, symbols, contextOf(BUDGET));
      const anew = await timesOf(service, symbols, contextOf(OTHER_BUDGET));
      const warm = await timesOf(service, symbols, contextOf(BUDGET));
      return [
        lineOf('chat context, cold', COLD_MS, cold, detail),
        lineOf('chat context, its parts in memory', ANEW_MS, anew, detail),
        lineOf('chat context, warm', WARM_MS, warm, detail),
      ];
    });
  } finally {
    removeFolder(folder);
  }
}

async function during<Outcome>(
  folder: string,
  work: (service: Service) => Promise<Outcome>,
): Promise<Outcome> {
  const service = await startService(folder);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const detailOf = (symbol: string): string => `${STOCKS}/${symbol}?date=${LAST_DATE}&include=${EVERY_INCLUDE}`;

const contextOf =
  (tokens: number) =>
  (symbol: string): string =>
    `${CONTEXT}?page_type=stock_detail&symbol=${symbol}&date=${LAST_DATE}&max_tokens=${tokens}`;

/** Milliseconds of an answer about each symbol, in order of asking. */
async function timesOf(
  { port }: Service,
  symbols: readonly string[],
  pathOf: (symbol: string) => string,
): Promise<number[]> {
  const times: number[] = [];
  for (const symbol of symbols) {
    const start = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${pathOf(encodeURIComponent(symbol))}`);
    await response.arrayBuffer();
    const took = performance.now() - start;
    if (response.ok) times.push(took);
    // One that has left, or was not listed yet, has no such day.
    else if (response.status !== 404) throw new Error(`${symbol}: ${response.status}`);
  }
  return times.slice(WARM_UP);
}

function lineOf(
  promise: string,
  targetMs: number,
  times: readonly number[],
  detail: readonly number[],
): BenchLine {
  const p99 = percentile(times, 0.99);
  return {
    promise,
    figure: `p99 ${ms(p99)}`,
    ratio: percentile(times, 0.5) / percentile(detail, 0.5),
    target: `under ${targetMs} ms`,
    met: p99 < targetMs,
    note: `median ${ms(percentile(times, 0.5))}, most ${ms(Math.max(...times))}; ${times.length} symbols; ratio of medians to stock detail with every include, cold`,
  };
}
