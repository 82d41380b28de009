/**
 * Promises: asked for three times as much as it can do, the service answers 503 for what it cannot do in time, keeps
 * at least 85 % of its capacity, and two seconds later answers everything again. It refuses nothing to a lone caller,
 * however busy the machine.
 *
 * Every request is one of its own, derived on demand: stock details as of minutes that nobody has asked for.
 */
import { spawn } from 'node:child_process';
import { type Load, startLoader } from './load.ts';
import { startService } from './program.ts';
import { type BenchLine, ms, percentile } from './report.ts';
import { STOCKS } from './stock-path.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const TIMES_CAPACITY = 3;
const KEPT_PROMISED = 0.85;
const RECOVERY_SECONDS = 2;
/** Minutes of the session as of which each symbol is asked for. */
const AFTERNOON_MS = 15 * 3_600_000;
const MINUTES = 80;
/** A prime: every path comes once. */
const STRIDE = 7_919;
const CONNECTIONS = 400;
const LONE_REQUESTS = 200;
const BUSY_PROCESSES = 4;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const service = await startService(folder);
  const loader = startLoader();
  try {
    const paths = pathsOf(symbolsOf(folder));
    const ask = (load: Pick<Load, 'connections' | 'seconds' | 'ratePerSecond' | 'leadSeconds'>) =>
      loader.run({ port: service.port, paths, ...load });
    await ask({ connections: 4, seconds: 6 });
    const alone = await ask({ connections: 16, seconds: 4 });
    const capacity = (alone.answers - alone.refused) / alone.seconds;
    const under = await ask({
      connections: CONNECTIONS,
      ratePerSecond: TIMES_CAPACITY * capacity,
      leadSeconds: 4,
      seconds: 10,
    });
    const recovered = await ask({
      connections: 64,
      ratePerSecond: capacity / 2,
      leadSeconds: RECOVERY_SECONDS,
      seconds: 4,
    });
    const kept = (under.answers - under.refused) / under.seconds / capacity;
    const others = under.refused - under.busy;
    const lone = await askAlone(service.port, symbolsOf(folder));
    return [
      {
        promise: `asked for ${TIMES_CAPACITY} times its capacity: answered in time, of its capacity`,
        figure: `${(100 * kept).toFixed(0)} %`,
        target: `at least ${100 * KEPT_PROMISED} %`,
        met: kept >= KEPT_PROMISED && others === 0,
        note: `capacity ${capacity.toFixed(0)} derivations a second at 16 callers; ${under.busy} answers of 503, ${others} of another refusal; p99 ${ms(under.latencyMs.p99)}`,
      },
      {
        promise: `refused at half of the capacity, ${RECOVERY_SECONDS} s after the overload`,
        figure: `${recovered.refused}`,
        target: '0',
        met: recovered.refused === 0,
        note: `of ${recovered.answers}; p99 ${ms(recovered.latencyMs.p99)}`,
      },
      {
        promise: `refused to a lone caller beside ${BUSY_PROCESSES} busy processes`,
        figure: `${lone.refused.length}`,
        target: '0',
        met: lone.refused.length === 0,
        note: `of ${lone.times.length} screens, sparklines, options tables and stocks${lone.refused.length === 0 ? '' : `, with status ${[...new Set(lone.refused)].join(', ')}`}; median ${ms(percentile(lone.times, 0.5))}, p99 ${ms(percentile(lone.times, 0.99))}`,
      },
    ];
  } finally {
    loader.stop();
    await service.stop();
    removeFolder(folder);
  }
}

/** One request after the other, as a browser on a busy laptop asks. */
async function askAlone(port: number, symbols: readonly string[]) {
  const busy = Array.from({ length: BUSY_PROCESSES }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const times: number[] = [];
  const refused: number[] = [];
  try {
    for (let at = 0; at < LONE_REQUESTS; at++) {
      const start = performance.now();
      const response = await fetch(...requestOf(port, symbols[at % symbols.length]!, at));
      await response.arrayBuffer();
      times.push(performance.now() - start);
      if (!response.ok) refused.push(response.status);
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  return { times, refused };
}

/** In turn the screener, a sparkline, an options table and a stock, each as nobody has asked for it. */
function requestOf(port: number, symbol: string, at: number): [string, RequestInit] {
  const ticker = encodeURIComponent(symbol);
  const api = `http://127.0.0.1:${port}/api/graph/v1`;
  const minute = new Date(Date.parse(`${LAST_DATE}T16:00:00Z`) + at * 60_000).toISOString();
  const filter = { field: 'last_price', op: '>=', value: at };
  const screen = { method: 'POST', body: JSON.stringify({ filter }) };
  return [
    [`${api}/screener`, { ...screen, headers: { 'content-type': 'application/json' } }],
    [`${api}/stocks/${ticker}/bars?interval=1d&limit=60`, {}],
    [`${api}/options/${ticker}/exposure`, {}],
    [`${api}/stocks/${ticker}?as_of=${minute}`, {}],
  ][at % 4] as [string, RequestInit];
}

/**
 * In an order that mixes stocks and minutes, so that a refusal costs what comes after it as little as an answer does: of a
 * stock whose minutes follow one another the first costs most. The warm-up pays for the markets of all minutes.
 */
function pathsOf(symbols: readonly string[]): string[] {
  const paths = symbols.flatMap((symbol) =>
    Array.from({ length: MINUTES }, (_, minute) => {
      const time = new Date(AFTERNOON_MS + minute * 60_000).toISOString().slice(11, 19);
      return `${STOCKS}/${encodeURIComponent(symbol)}?as_of=${LAST_DATE}T${time}Z`;
    }),
  );
  return paths.map((_, at) => paths[(at * STRIDE) % paths.length]!);
}
