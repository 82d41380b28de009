/**
 * Promises: a session of minutes takes at most 1.3 times as long as of a bare server for 99 callers in 100 when it has
 * been asked for before and under 30 ms when it has not, and a year of minutes as an Arrow stream under 120 ms.
 * Asked one after the other over HTTP; the last of a symbol that nobody asked for before. A stock at a past minute that
 * nobody asked for takes under 40 ms for 99 callers in 100. The yardstick is a bare Fastify route that sends the bytes of
 * a session, and as many as those of a year, to the same client in turns; both as they are, since a client would spend
 * longer on a compressed answer than a server on sending it.
 */
import { newYorkCalendar } from '../src/base/calendar.ts';
import { MINUTE_MS } from '../src/base/dates.ts';
import { type Service, startBare, startService } from './program.ts';
import { type BenchLine, ms, percentile } from './report.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 12, days: 2_520, minuteSessions: 252 };
const SESSION = `interval=1m&session=all&from=${LAST_DATE}&to=${LAST_DATE}`;
const YEAR = `interval=1m&session=all&from=2023-07-01&to=${LAST_DATE}`;
const ARROW = 'application/vnd.apache.arrow.stream';
/** About what a year of minutes takes. */
const YEAR_BYTES = 10_350_000;
const AS_IT_IS = { 'accept-encoding': 'identity' };
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
    const bare: Asked[] = [];
    const text = await (await fetch(addressOf(service, rest[0]!, SESSION))).text();
    const yardstick = await startBare([text, 'x'.repeat(YEAR_BYTES)]);
    for (const symbol of rest) await ask(service, symbol, SESSION);
    for (let at = 0; at < AGAIN; at++) {
      hot.push(await take(addressOf(service, rest[at % rest.length]!, SESSION), AS_IT_IS));
      bare.push(await take(`http://127.0.0.1:${yardstick.port}/0`, AS_IT_IS));
    }
    const minutes: Asked[] = [];
    for (const [at, instant] of minutesOfYear().entries()) {
      minutes.push(await askStock(service, rest[at % rest.length]!, instant));
    }
    // Last: nine megabytes each leave their garbage to the next answer.
    const years: Asked[] = [];
    const bareYears: Asked[] = [];
    for (const symbol of rest) {
      years.push(await ask(service, symbol, YEAR, ARROW));
      bareYears.push(await take(`http://127.0.0.1:${yardstick.port}/1`, AS_IT_IS));
    }
    await yardstick.stop();
    return [
      lineOf('bars: a session of minutes, warm', 0.99, 1.3 * p99(bare), hot, bare),
      lineOf('bars: a session of minutes, cold', 0.99, 30, cold, bare),
      lineOf('bars: a year of minutes as Arrow', 0.5, 120, years, bareYears),
      lineOf('stock detail at a minute that nobody asked for', 0.99, 40, minutes),
    ];
  } finally {
    await service.stop();
    removeFolder(folder);
  }
}

const p99 = (asked: readonly Asked[]): number =>
  percentile(
    asked.map(({ took }) => took),
    0.99,
  );

const addressOf = ({ port }: Service, symbol: string, query: string): string =>
  `http://127.0.0.1:${port}/api/graph/v1/stocks/${encodeURIComponent(symbol)}/bars?${query}`;

const ask = (service: Service, symbol: string, query: string, accept = '*/*'): Promise<Asked> =>
  take(addressOf(service, symbol, query), { accept });

const askStock = ({ port }: Service, symbol: string, asOf: string): Promise<Asked> =>
  take(`http://127.0.0.1:${port}/api/graph/v1/stocks/${encodeURIComponent(symbol)}?as_of=${asOf}`);

async function take(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const start = performance.now();
  const response = await fetch(url, { headers });
  const { byteLength } = await response.arrayBuffer();
  // One that has left has no such session.
  if (!response.ok && response.status !== 404) throw new Error(`${url}: ${response.status}`);
  return { took: performance.now() - start, bytes: byteLength };
}

const MINUTES_ASKED = 200;

/** Minutes of the sessions of half a year, one after the other and then from its begin: half past ten to half past three. */
function minutesOfYear(): string[] {
  const calendar = newYorkCalendar();
  const dates = calendar.sessionsBetween('2024-01-02', LAST_DATE);
  return Array.from({ length: MINUTES_ASKED }, (_, at) => {
    const { open } = calendar.session(dates[at % dates.length]!)!;
    return new Date(open + (60 + ((at * 37) % 300)) * MINUTE_MS).toISOString();
  });
}

/** @param bare the same client asking the yardstick: the ratio is of the medians */
function lineOf(
  promise: string,
  share: number,
  targetMs: number,
  asked: readonly Asked[],
  bare: readonly Asked[] = [],
): BenchLine {
  const times = asked.map(({ took }) => took);
  const figure = percentile(times, share);
  const middle = percentile(times, 0.5);
  const bareTimes = bare.map(({ took }) => took);
  const bytes = percentile(
    asked.map((one) => one.bytes),
    0.5,
  );
  const yardstick =
    bare.length === 0
      ? ''
      : `; a bare server: median ${ms(percentile(bareTimes, 0.5))}, p99 ${ms(percentile(bareTimes, 0.99))}`;
  return {
    promise,
    figure: `${share === 0.5 ? 'median' : 'p99'} ${ms(figure)}`,
    ...(bare.length === 0 ? {} : { ratio: middle / percentile(bareTimes, 0.5) }),
    target: `under ${ms(targetMs)}`,
    met: figure < targetMs,
    note: `median ${ms(middle)}, most ${ms(Math.max(...times))}; ${asked.length} answers of ${Math.round(bytes / 1_000)} kB${yardstick}`,
  };
}
