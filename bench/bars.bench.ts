/**
 * Promises: a session of minutes takes under 5 ms for 99 callers in 100 when it has been asked for before and under
 * 15 ms when it has not, ten years of daily bars under 10 ms, and a year of minutes as an Arrow stream under 150 ms.
 * Asked one after the other over HTTP; the last of a symbol that nobody asked for before.
 */
import { type Service, startService } from './program.ts';
import { type BenchLine, ms, percentile, report } from './report.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 12, days: 2_520, minuteSessions: 252 };
const SESSION = `interval=1m&session=all&from=${LAST_DATE}&to=${LAST_DATE}`;
const YEAR = `interval=1m&session=all&from=2023-07-01&to=${LAST_DATE}`;
const ARROW = 'application/vnd.apache.arrow.stream';
const AGAIN = 400;
const WARM_UP = 30;

interface Asked {
  readonly took: number;
  readonly bytes: number;
}

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(MARKET);
  const service = await startService(folder);
  try {
    const symbols = symbolsOf(folder);
    // The first answers of a service compile the code.
    for (const symbol of symbols.slice(0, 2)) {
      for (let back = 1; back <= WARM_UP; back++) {
        const day = `2024-05-${String(back).padStart(2, '0')}`;
        await ask(service, symbol, `interval=1m&session=all&from=${day}&to=${day}`);
        await ask(service, symbol, `interval=1d&from=2014-07-01&to=${day}`);
        if (back % 10 === 0) await ask(service, symbol, YEAR.replace('2023-07-01', `2023-07-${back}`), ARROW);
      }
    }
    const rest = symbols.slice(2);
    const cold: Asked[] = [];
    for (const session of ['2024-06-24', '2024-06-25', '2024-06-26', '2024-06-27', LAST_DATE]) {
      const query = `interval=1m&session=all&from=${session}&to=${session}`;
      for (const symbol of rest) cold.push(await ask(service, symbol, query));
    }
    const hot: Asked[] = [];
    for (let at = 0; at < AGAIN; at++) hot.push(await ask(service, rest[at % rest.length]!, SESSION));
    const days: Asked[] = [];
    const years: Asked[] = [];
    for (const symbol of rest) {
      days.push(await ask(service, symbol, 'interval=1d&from=2014-07-01'));
      years.push(await ask(service, symbol, YEAR, ARROW));
    }
    return [
      lineOf('bars: a session of minutes, warm', 0.99, 5, hot),
      lineOf('bars: a session of minutes, cold', 0.99, 15, cold),
      lineOf('bars: ten years of days', 0.5, 10, days),
      lineOf('bars: a year of minutes as Arrow', 0.5, 150, years),
    ];
  } finally {
    await service.stop();
    removeFolder(folder);
  }
}

async function ask({ port }: Service, symbol: string, query: string, accept = '*/*'): Promise<Asked> {
  const start = performance.now();
  const url = `http://127.0.0.1:${port}/api/graph/v1/stocks/${encodeURIComponent(symbol)}/bars?${query}`;
  const response = await fetch(url, { headers: { accept } });
  const { byteLength } = await response.arrayBuffer();
  // One that has left has no such session.
  if (!response.ok && response.status !== 404) throw new Error(`${symbol}: ${response.status}`);
  return { took: performance.now() - start, bytes: byteLength };
}

function lineOf(promise: string, share: number, targetMs: number, asked: readonly Asked[]): BenchLine {
  const times = asked.map(({ took }) => took);
  const figure = percentile(times, share);
  const bytes = Math.round(
    percentile(
      asked.map((one) => one.bytes),
      0.5,
    ) / 1_000,
  );
  return {
    promise,
    figure: `${share === 0.5 ? 'median' : 'p99'} ${ms(figure)}`,
    target: `under ${targetMs} ms`,
    met: figure < targetMs,
    note: `median ${ms(percentile(times, 0.5))}, most ${ms(Math.max(...times))}; ${asked.length} answers of ${bytes} kB`,
  };
}

if (import.meta.main) report(await run());
