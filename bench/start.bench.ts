/**
 * Promises: the service answers within 1.5 s of its start on a data directory of 500 symbols and stays under 380 MiB
 * when all of them have been asked for; its first start, on an empty directory, takes under 20 s.
 */
import { join } from 'node:path';
import { type Service, startService } from './program.ts';
import { type BenchLine, median } from './report.ts';
import { EVERY_INCLUDE, STOCKS } from './stock-path.ts';
import { copyOfUniverse, FIVE_HUNDRED, removeFolder, symbolsOf, temporaryFolder } from './universe.ts';

const STARTS = 5;
const MIB = 2 ** 20;
const START_PROMISED_S = 1.5;
const FIRST_START_PROMISED_S = 20;
const RESIDENT_PROMISED_MIB = 380;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const empty = temporaryFolder();
  try {
    return [...(await laterStarts(folder)), await firstStart(join(empty, 'data'))];
  } finally {
    removeFolder(folder);
    removeFolder(empty);
  }
}

async function laterStarts(folder: string): Promise<BenchLine[]> {
  const seconds: number[] = [];
  let residentBytes = 0;
  const symbols = symbolsOf(folder);
  for (let start = 0; start < STARTS; start++) {
    const service = await startService(folder);
    try {
      seconds.push(service.readySeconds);
      if (start < STARTS - 1) continue;
      await serveEach(service, symbols);
      residentBytes = await service.metric('process_resident_memory_bytes');
    } finally {
      await service.stop();
    }
  }
  const middle = median(seconds);
  return [
    {
      promise: 'start on a data directory of 500 symbols, to the first good answer of /health/ready',
      figure: `${middle.toFixed(2)} s`,
      target: `under ${START_PROMISED_S} s`,
      met: middle < START_PROMISED_S,
      note: `${STARTS} starts, ${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} s`,
    },
    {
      promise: 'resident memory after every symbol was served, bare and with every include',
      figure: `${(residentBytes / MIB).toFixed(0)} MiB`,
      target: `under ${RESIDENT_PROMISED_MIB} MiB`,
      met: residentBytes < RESIDENT_PROMISED_MIB * MIB,
      note: `${symbols.length} symbols; the embedded database and the derivation threads included`,
    },
  ];
}

async function serveEach(service: Service, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) {
    for (const query of ['', `?include=${EVERY_INCLUDE}`]) {
      const address = `http://127.0.0.1:${service.port}${STOCKS}/${encodeURIComponent(symbol)}${query}`;
      const response = await fetch(address);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${symbol} answered ${response.status}`);
    }
  }
}

async function firstStart(dataDirectory: string): Promise<BenchLine> {
  const service = await startService(dataDirectory);
  await service.stop();
  return {
    promise: 'first start on an empty directory: a market is made, derived and served',
    figure: `${service.readySeconds.toFixed(1)} s`,
    target: `under ${FIRST_START_PROMISED_S} s`,
    met: service.readySeconds < FIRST_START_PROMISED_S,
  };
}
