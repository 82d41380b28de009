/**
 * Promise: while the service itself takes, reads and imports a file of 200 MB as the page Data brings it, it answers 25 requests a second
 * over all its read endpoints without a fault, 99 in 100 within 100 ms.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { writeBars } from './import.bench.ts';
import { broken, printTally, startMixedLoad, statusesOf, together } from './mixed.ts';
import { startService } from './program.ts';
import { type BenchLine, ms, percentile, processors } from './report.ts';
import { copyOfUniverse, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 100, days: 504, minuteSessions: 5 };
const ROWS = 3_400_000;
const PROMISED_P99_MS = 100;
const RATE_PER_SECOND = 25;
const WARM_UP_SECONDS = 30;
const QUIET_SECONDS = 15;
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
  const file = join(folder, 'minutes.csv');
  // Of stocks that the simulated market does not have: what is brought is of the real one.
  const { megabytes } = writeBars(file, ROWS, MARKET.symbols);
  const service = await startService(folder);
  const url = `http://127.0.0.1:${service.port}/api/internal/imports`;
  const load = startMixedLoad({
    port: service.port,
    symbols: symbolsOf(folder),
    dates: newYorkCalendar().sessionsBetween(...ASKED),
    ratePerSecond: RATE_PER_SECOND,
  });
  try {
    await delay(WARM_UP_SECONDS * 1000);
    await load.tally();
    await delay(QUIET_SECONDS * 1000);
    const quiet = together(await load.tally());
    const start = performance.now();
    const brought = await bring(url, file);
    await after('reading', `${url}/${brought}`);
    await send(`${url}/${brought}/start`, {});
    const state = await after('importing', `${url}/${brought}`);
    const seconds = (performance.now() - start) / 1000;
    const tally = await load.tally();
    printTally(tally);
    const all = together(tally);
    const p99 = percentile(all.latencies, 0.99);
    return [
      {
        promise: `${RATE_PER_SECOND} requests/s beside an import from the page Data: p99`,
        figure: ms(p99),
        target: `under ${PROMISED_P99_MS} ms`,
        met: p99 < PROMISED_P99_MS && broken(all) === 0 && state === 'imported',
        note: `most ${ms(percentile(all.latencies, 1))}; without it p99 ${ms(percentile(quiet.latencies, 0.99))}; ${statusesOf(all)}; ${megabytes.toFixed(0)} MB ${state} in ${seconds.toFixed(0)} s; ${processors()}`,
      },
    ];
  } finally {
    load.stop();
    await service.stop();
  }
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
    const { id, part_bytes: partBytes } = await send(url, { name: 'minutes.csv', bytes: size });
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
