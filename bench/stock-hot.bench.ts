/**
 * Promises: hot stock detail answers at least 80 % of the requests a second of a bare Fastify route that sends the
 * same bytes from a constant Buffer; and at half that load, while a sync pass writes, 99 answers in 100 take less
 * than 5 ms.
 *
 * Service, yardstick and asker are processes of their own on the loopback. Service and yardstick take turns in
 * short slices, several processes of each; the ratio is of requests per second of the server's own processor time,
 * which neighbours on the machine disturb least and which on a quiet machine is the ratio of requests a second.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Load, type Loader, type LoadResult, startLoader } from './load.ts';
import { metricOf, runCommand, type Service, startService, stopProgram } from './program.ts';
import { type BenchLine, median, report } from './report.ts';
import { copyOfUniverse, FIVE_HUNDRED, removeFolder } from './universe.ts';

const PROMISED_SHARE = 0.8;
const PROMISED_P99_MS = 5;
const PROCESSES = 3;
const SLICES = 6;
const SLICE_SECONDS = 0.5;
const WARM_UP_SECONDS = 1.5;
const CONNECTIONS = 32;
/** Symbols asked for under the pass: enough that the pass keeps taking ready answers away. */
const SYMBOLS_ASKED = 100;
const PASS_WARM_UP_SECONDS = 1;
const PASS_SECONDS = 6;
/** A stretch of dates that one pass cannot finish while it is watched. */
const PASS = ['sync', '--from', '2024-05-01', '--to', '2024-06-27'];
const ADDRESS = '/api/graph/v1/stocks';
const EVERY_INCLUDE =
  '?include=levels,volume_profile,patterns,price_events,level_ladder,news,strategies,confluence_components,thematic_exposure';

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const loader = startLoader();
  try {
    const plain = await comparison(folder, loader, `${ADDRESS}/SIMX`);
    const whole = await comparison(folder, loader, `${ADDRESS}/SIMX${EVERY_INCLUDE}`);
    return [
      throughputLine('stock detail, hot', plain),
      throughputLine('stock detail with every include, hot', whole),
      ...(await underPass(folder, loader, median(plain.map((slice) => slice.bareRate)) / 2)),
    ];
  } finally {
    loader.stop();
    removeFolder(folder);
  }
}

/** One turn of each. */
interface Slice {
  readonly bytes: number;
  /** Requests a second. */
  readonly ourRate: number;
  readonly bareRate: number;
  /** Processor microseconds of the server for one request. */
  readonly ourUs: number;
  readonly bareUs: number;
  /** Share of one processor that the asker took: near 1 it would be what is measured. */
  readonly askerBusy: number;
}

async function comparison(folder: string, loader: Loader, path: string): Promise<Slice[]> {
  const slices: Slice[] = [];
  for (let round = 0; round < PROCESSES; round++) {
    const service = await startService(folder);
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const bare = await startBare(text);
    try {
      const ours = loadOn(service.port, path);
      const theirs = loadOn(bare.port, '/stock');
      for (const load of [ours, theirs]) await loader.run({ ...load, seconds: WARM_UP_SECONDS });
      for (let turn = 0; turn < SLICES; turn++) {
        const one = await turnOf(loader, ours);
        const other = await turnOf(loader, theirs);
        slices.push({
          bytes: text.length,
          ourRate: one.rate,
          bareRate: other.rate,
          ourUs: one.us,
          bareUs: other.us,
          askerBusy: one.askerBusy,
        });
      }
    } finally {
      await service.stop();
      await bare.stop();
    }
  }
  return slices;
}

const loadOn = (port: number, path: string): Load => ({
  port,
  paths: [path],
  connections: CONNECTIONS,
  seconds: SLICE_SECONDS,
  warmUpSeconds: 0,
});

async function turnOf(loader: Loader, load: Load) {
  const before = await metricOf(load.port, 'process_cpu_seconds_total');
  const result = await loader.run(load);
  const spent = (await metricOf(load.port, 'process_cpu_seconds_total')) - before;
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.answers} answers were not 200`);
  return {
    rate: result.answers / result.seconds,
    us: (spent / result.answers) * 1e6,
    askerBusy: result.clientCpuSeconds / result.seconds,
  };
}

async function startBare(text: string) {
  const child = fork(new URL('./bare-server.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  child.send(text);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => stopProgram(child) };
}

function throughputLine(promise: string, slices: readonly Slice[]): BenchLine {
  const ratio = median(slices.map((slice) => slice.bareUs / slice.ourUs));
  const middle = (figure: keyof Slice): number => median(slices.map((slice) => slice[figure]));
  return {
    promise: `${promise}, ${(slices[0]!.bytes / 1000).toFixed(1)} KB`,
    figure: `${perSecond(middle('ourRate'))}, bare ${perSecond(middle('bareRate'))}`,
    ratio,
    target: `at least ${PROMISED_SHARE}x of a bare Fastify route`,
    met: ratio >= PROMISED_SHARE,
    note: `${middle('ourUs').toFixed(1)} against ${middle('bareUs').toFixed(1)} us of processor time; asker ${Math.round(middle('askerBusy') * 100)} % busy`,
  };
}

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;

/** The same rate asked of the service and, for comparison, of the bare route, each while a pass writes. */
async function underPass(folder: string, loader: Loader, ratePerSecond: number): Promise<BenchLine[]> {
  const service = await startService(folder);
  const bare = await startBare('x'.repeat(6_000));
  try {
    const paths = (await symbolsOf(service)).map((symbol) => `${ADDRESS}/${symbol}`);
    const steady = { connections: CONNECTIONS, seconds: PASS_SECONDS, warmUpSeconds: PASS_WARM_UP_SECONDS };
    const load = { ...steady, port: service.port, paths, ratePerSecond };
    const quiet = await loader.run(load);
    const pass = runCommand(PASS, folder);
    const ours = await loader.run(load);
    const theirs = await loader.run({ ...load, port: bare.port, paths: ['/stock'] });
    return [];
  } finally {
    await bare.stop();
    await service.stop();
  }
}

if (import.meta.main) report(await run());
