/**
 * Promise: while the service itself takes, reads and imports a file of 200 MB as the page Data brings it, a table or JSON,
 * it answers 25 requests a second over all its read endpoints without a fault, those about stocks within 50 ms for 99 in
 * 100. A bare server that is asked beside it tells what of that is the machine's.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { symbolAt } from '../src/simulated/companies.ts';
import {
  broken,
  type KindTally,
  printTally,
  startMixedLoad,
  statusesOf,
  type Tally,
  together,
} from './mixed.ts';
import { startBare, startService } from './program.ts';
import { type BenchLine, ms, percentile, processors } from './report.ts';
import { STOCKS } from './stock-path.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 100, days: 504, minuteSessions: 5 };
/** Of 200 MB each, of stocks that neither the simulated market nor the other file has. */
const FILES = [
  { name: 'minutes.csv', rows: 3_400_000, first: MARKET.symbols },
  { name: 'minutes.json', rows: 1_650_000, first: MARKET.symbols + 400 },
] as const;
const PROMISED_P99_MS = 50;
const MINUTE_MS = 60_000;
/** Of the file. */
const SESSIONS = 26;
const RATE_PER_SECOND = 25;
const WARM_UP_SECONDS = 8;
const QUIET_SECONDS = 6;
const LOOK_EVERY_MS = 500;
const ASKED = ['2024-05-13', '2024-05-17'] as const;

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(MARKET);
  try {
    return await besideImport(folder);
  } finally {
    removeFolder(folder);
  }
}

async function besideImport(folder: string): Promise<BenchLine[]> {
  const service = await startService(folder);
  const symbols = symbolsOf(folder);
  const answer = await fetch(`http://127.0.0.1:${service.port}${STOCKS}/${symbols[0]}`);
  const bare = await startBare([await answer.text()]);
  const dates = newYorkCalendar().sessionsBetween(...ASKED);
  const asking = { symbols, dates, ratePerSecond: RATE_PER_SECOND };
  const loads = [
    startMixedLoad({ ...asking, port: service.port }),
    startMixedLoad({ ...asking, port: bare.port, round: ['bare'] }),
  ];
  const tally = async () => Object.assign({}, ...(await Promise.all(loads.map((load) => load.tally()))));
  try {
    await delay(WARM_UP_SECONDS * 1000);
    await tally();
    await delay(QUIET_SECONDS * 1000);
    const quiet = await tally();
    const lines: BenchLine[] = [];
    for (const { name, rows, first } of FILES) {
      const file = join(folder, name);
      const { megabytes } = writeBars(file, rows, first);
      await tally();
      const start = performance.now();
      const state = await importOf(file, `http://127.0.0.1:${service.port}/api/internal/imports`);
      const took = `${megabytes.toFixed(0)} MB ${state} in ${((performance.now() - start) / 1000).toFixed(0)} s`;
      lines.push(lineOf(name, quiet, await tally(), took, state === 'imported'));
    }
    return lines;
  } finally {
    for (const load of loads) load.stop();
    await bare.stop();
    await service.stop();
  }
}

function lineOf(name: string, quiet: Tally, beside: Tally, took: string, isImported: boolean): BenchLine {
  const { bare, ...ours } = beside;
  printTally(ours);
  const all = together(ours);
  const p99 = percentile(ofStocks(ours).latencies, 0.99);
  const bareP99 = percentile(bare!.latencies, 0.99);
  const quietP99 = percentile(ofStocks(quiet).latencies, 0.99);
  return {
    promise: `stock detail beside an import of ${name} from the page Data: p99`,
    figure: ms(p99),
    ratio: p99 / bareP99,
    target: `under ${PROMISED_P99_MS} ms`,
    met: p99 < PROMISED_P99_MS && broken(all) === 0 && isImported,
    note: `bare Fastify beside it ${ms(bareP99)}; most ${ms(percentile(ofStocks(ours).latencies, 1))}; without it p99 ${ms(quietP99)}; all ${RATE_PER_SECOND} requests/s p99 ${ms(percentile(all.latencies, 0.99))}, ${statusesOf(all)}; ${took}; ${processors()}`,
  };
}

const ofStocks = (tally: Tally): KindTally =>
  together(Object.fromEntries(Object.entries(tally).filter(([kind]) => kind.startsWith('stock'))));

/** Brings a file and imports it; the state in the end. */
async function importOf(file: string, url: string): Promise<string> {
  const brought = await bring(url, file);
  await after('reading', `${url}/${brought}`);
  await send(`${url}/${brought}/start`, {});
  return after('importing', `${url}/${brought}`);
}

/**
 * Minute bars of whole regular sessions, symbol after symbol, with prices that differ from row to row: a table, or a list
 * of records in JSON.
 *
 * @param first place of the first symbol among those of the simulated market
 */
function writeBars(file: string, rowsWanted: number, first: number): { rows: number; megabytes: number } {
  const minutes = sessionMinutes();
  const target = openSync(file, 'w');
  let rows = 0;
  const isJson = file.endsWith('.json');
  const names = ['symbol', 'time', 'open', 'high', 'low', 'close', 'volume'];
  const lineOf = (cells: readonly (string | number)[]): string => {
    if (!isJson) return `${cells.join()}\n`;
    const record = Object.fromEntries(cells.map((cell, at) => [names[at], at > 1 ? Number(cell) : cell]));
    return `${rows === 0 ? '[' : ','}\n${JSON.stringify(record)}`;
  };
  let bytes = isJson ? 0 : writeSync(target, lineOf(names));
  for (let place = first; rows < rowsWanted; place++) {
    const symbol = symbolAt(place);
    let text = '';
    let price = 5_000 + (place % 97) * 250;
    for (const [row, minute] of minutes.entries()) {
      const open = price;
      // A walk without a generator: two steps that share no period with each other.
      price += ((row * 7 + place) % 11) - 5;
      const high = Math.max(open, price) + (row % 3);
      const low = Math.min(open, price) - (row % 5);
      const prices = [open, high, low, price].map(dollars);
      text += lineOf([symbol, minute, ...prices, 100 + ((row * 37) % 9_000)]);
      rows++;
    }
    bytes += writeSync(target, text);
  }
  if (isJson) bytes += writeSync(target, '\n]\n');
  closeSync(target);
  return { rows, megabytes: bytes / 1e6 };
}

const dollars = (cents: number): string => (cents / 100).toFixed(2);

function sessionMinutes(): string[] {
  const calendar = newYorkCalendar();
  const last = calendar.sessionIndex(LAST_DATE);
  const minutes: string[] = [];
  for (let index = last - SESSIONS + 1; index <= last; index++) {
    const { open, close } = calendar.sessionAt(index)!;
    for (let time = open; time < close; time += MINUTE_MS) minutes.push(new Date(time).toISOString());
  }
  return minutes;
}

/** The state that follows one. */
async function after(state: string, url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url);
    // One that is refused for load counts among the answers of the load itself.
    if (response.ok) {
      const { state: now, message } = await answerOf(response);
      if (now === 'failed') throw new Error(`the import has failed: ${message}`);
      if (now !== state) return now;
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Sends a file in parts; returns its identifier. */
async function bring(url: string, path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { id, part_bytes: partBytes } = await send(url, { name: basename(path), bytes: size });
    const buffer = Buffer.alloc(partBytes);
    for (let offset = 0; offset < size; offset += partBytes) {
      const { bytesRead } = await file.read(buffer, 0, partBytes, offset);
      await send(`${url}/${id}/parts`, { offset, base64: buffer.toString('base64', 0, bytesRead) });
    }
    return id;
  } finally {
    await file.close();
  }
}

/** As the page does, a call that is refused for load is made again; the load itself counts refusals. */
async function send(url: string, body: object): Promise<ImportAnswer> {
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 503) return answerOf(response);
    await response.arrayBuffer();
    await delay(LOOK_EVERY_MS);
  }
}

interface ImportAnswer {
  readonly id: string;
  readonly part_bytes: number;
  readonly state: string;
  readonly message: string | null;
}

async function answerOf(response: Response): Promise<ImportAnswer> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const answer = (await response.json()) as { readonly data?: ImportAnswer } & ImportAnswer;
  return answer.data ?? answer;
}
