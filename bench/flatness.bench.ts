/**
 * Promise: a request costs at most 1.2 times as much among 10,000 symbols as among 100. Costs are the service's
 * processor time for one request: cold with the store of ready answers switched off, so that every answer is read
 * anew, and hot with every answer ready. The two services of a comparison run at the same time and take turns;
 * each is asked about as many symbols, from all over its universe: what more of them cost is the caches of a processor.
 */
import { type Load, type Loader, startLoader } from './load.ts';
import { type Service, startService, untilIdle } from './program.ts';
import { type BenchLine, median } from './report.ts';
import { STOCKS } from './stock-path.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf, type Universe } from './universe.ts';

const FEW: Universe = { symbols: 100, days: 30, minuteSessions: 0 };
const MANY: Universe = { symbols: 10_000, days: 30, minuteSessions: 0 };
const ALLOWED = 1.2;
const TURNS = 12;
const TURN_SECONDS = 0.4;
const WARM_UP_SECONDS = 1;

interface Temperature {
  readonly word: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly connections: number;
}

const TEMPERATURES: readonly Temperature[] = [
  // The embedded store answers one at a time; a queue before it would be measured as well.
  { word: 'cold', settings: { TIGRAPH_CACHE_MB: '0' }, connections: 2 },
  { word: 'hot', settings: {}, connections: 16 },
];

export async function run(): Promise<BenchLine[]> {
  const loader = startLoader();
  const folders: string[] = [];
  try {
    for (const universe of [FEW, MANY]) folders.push(await copyOfUniverse(universe));
    const lines: BenchLine[] = [];
    for (const temperature of TEMPERATURES) lines.push(await compare(temperature, folders, loader));
    return lines;
  } finally {
    loader.stop();
    for (const folder of folders) removeFolder(folder);
  }
}

async function compare(
  { word, settings, connections }: Temperature,
  folders: readonly string[],
  loader: Loader,
): Promise<BenchLine> {
  const services: Service[] = [];
  try {
    for (const folder of folders) services.push(await startService(folder, settings));
    const loads: Load[] = [];
    for (const [at, service] of services.entries()) {
      const paths = await pathsOf(service, folders[at]!);
      await untilIdle(service);
      loads.push({ port: service.port, paths, connections, seconds: TURN_SECONDS });
    }
    for (const load of loads) await loader.run({ ...load, seconds: WARM_UP_SECONDS });
    const costs: number[][] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const row: number[] = [];
      for (const [at, load] of loads.entries()) row.push(await costUs(loader, load, services[at]!));
      costs.push(row);
    }
    const [few, many] = [0, 1].map((at) => median(costs.map((row) => row[at]!)));
    const ratio = median(costs.map((row) => row[1]! / row[0]!));
    return {
      promise: `stock detail, ${word}, among ${MANY.symbols.toLocaleString('en-US')} symbols and among ${FEW.symbols}`,
      figure: `${many!.toFixed(0)} us and ${few!.toFixed(0)} us of processor`,
      ratio,
      target: `at most ${ALLOWED}x`,
      met: ratio <= ALLOWED,
      note: `medians of ${TURNS} turns; ${loads[1]!.paths.length} and ${loads[0]!.paths.length} symbols asked`,
    };
  } finally {
    for (const service of services) await service.stop();
  }
}

/**
 * Symbols from all over the universe. Each is asked once, so that its answer is ready where answers are kept; one that
 * has left, or was not listed yet, has none.
 */
async function pathsOf(service: Service, folder: string): Promise<string[]> {
  const symbols = symbolsOf(folder);
  const count = FEW.symbols;
  const paths: string[] = [];
  for (let at = 0; at < count; at++) {
    const symbol = symbols[Math.floor((at * symbols.length) / count)]!;
    const path = `${STOCKS}/${encodeURIComponent(symbol)}?date=${LAST_DATE}`;
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`);
    await response.arrayBuffer();
    if (response.ok) paths.push(path);
  }
  return paths;
}

/** Processor microseconds of the service, its threads included, for one answer. */
async function costUs(loader: Loader, load: Load, service: Service): Promise<number> {
  const before = await service.metric('process_cpu_seconds_total');
  const { answers } = await loader.run(load);
  return (((await service.metric('process_cpu_seconds_total')) - before) / answers) * 1e6;
}
