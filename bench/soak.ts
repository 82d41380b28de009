/**
 * Promise: a service under mixed load, with streams open and a `sync` and a replay beside it, gives no answer from 500 on
 * for as long as it runs, and its memory at the end is within 10 % of what it was after 10 minutes.
 *
 * Not among the benches that run by default: `npm run bench -- soak --minutes 30`.
 */
import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { added, broken, printTally, startMixedLoad, statusesOf, type Tally, together } from './mixed.ts';
import { type Beside, type Service, startBeside, startService } from './program.ts';
import { type BenchLine, ms, percentile, processors } from './report.ts';
import type { Reading } from './stream-readers.ts';
import { copyOfUniverse, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const MARKET = { symbols: 100, days: 504, minuteSessions: 5 };
const MINUTES = '10';
const MINUTES_MAX = 240;
const RATE_PER_SECOND = 25;
const STREAMS = 50;
const SYMBOLS_OF_A_STREAM = 2;
/** How many times as fast as it was a session is replayed: one takes some minutes, and then comes the next. */
const REPLAY_SPEED = '300';
/** Sessions of one sync; the next takes the sessions before them, and after the last it begins again. */
const SESSIONS_OF_A_SYNC = 5;
const SYNCS = 12;
const PAUSE_BETWEEN_SYNCS_MS = 5_000;
const ASKED_SESSIONS = 20;
/** Memory is compared with what it was at this minute, of a shorter run with what it was after a third. */
const SETTLED_MINUTE = 10;
const GROWTH_MAX = 0.1;
const RESIDENT = 'process_resident_memory_bytes';

/** @param words the words of the command line after `soak` */
export async function run(words: readonly string[]): Promise<BenchLine[]> {
  const { values } = parseArgs({
    args: [...words],
    options: { minutes: { type: 'string', default: MINUTES } },
  });
  const minutes = Number(values.minutes);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MINUTES_MAX) {
    throw new Error(`--minutes must be a whole number from 1 to ${MINUTES_MAX}, not ${values.minutes}`);
  }
  const folder = await copyOfUniverse(MARKET);
  try {
    return await soak(folder, minutes);
  } finally {
    removeFolder(folder);
  }
}

async function soak(folder: string, minutes: number): Promise<BenchLine[]> {
  const sessions = newYorkCalendar().sessionsBetween('2024-01-02', LAST_DATE);
  const symbols = symbolsOf(folder);
  const service = await startService(folder);
  const readers = fork(new URL('./stream-readers.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  const stopping = new AbortController();
  const load = startMixedLoad({
    port: service.port,
    symbols,
    dates: sessions.slice(-ASKED_SESSIONS),
    ratePerSecond: RATE_PER_SECOND,
  });
  const beside = [
    again(stopping.signal, PAUSE_BETWEEN_SYNCS_MS, (turn) => {
      const at = sessions.length - 1 - ASKED_SESSIONS - (turn % SYNCS) * SESSIONS_OF_A_SYNC;
      return startBeside(
        ['sync', '--from', sessions[at - SESSIONS_OF_A_SYNC + 1]!, '--to', sessions[at]!],
        folder,
      );
    }),
    again(stopping.signal, PAUSE_BETWEEN_SYNCS_MS, () =>
      startBeside(['serve', '--replay-from', '--speed', REPLAY_SPEED], folder),
    ),
  ];
  try {
    readers.send({ port: service.port, lists: listsOf(symbols) } satisfies Reading);
    const { tally, resident } = await watch(service, minutes, load.tally);
    stopping.abort();
    const [syncs, replays] = await Promise.all(beside);
    printTally(tally);
    return lines(tally, resident, minutes, `${syncs} syncs and ${replays} replays were begun beside it`);
  } finally {
    stopping.abort();
    load.stop();
    readers.disconnect();
    await Promise.allSettled(beside);
    await service.stop();
  }
}

/** Each stream watches the next symbols of the list. */
const listsOf = (symbols: readonly string[]): string[][] =>
  Array.from({ length: STREAMS }, (_, stream) =>
    Array.from(
      { length: SYMBOLS_OF_A_STREAM },
      (_, place) => symbols[(stream * SYMBOLS_OF_A_STREAM + place) % symbols.length]!,
    ),
  );

/** Runs a command again and again until it is told to stop; answers how many times it was begun. */
async function again(signal: AbortSignal, pauseMs: number, start: (turn: number) => Beside): Promise<number> {
  let turn = 0;
  while (!signal.aborted) {
    const running = start(turn++);
    const stop = (): void => void running.stop();
    signal.addEventListener('abort', stop, { once: true });
    const code = await running.ended;
    signal.removeEventListener('abort', stop);
    if (code !== 0 && !signal.aborted) console.error(`a command beside the service ended with ${code}`);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  return turn;
}

/** Resident memory at the start and after each minute, bytes, and everything that was answered. */
async function watch(service: Service, minutes: number, tallyOf: () => Promise<Tally>) {
  const resident = [await service.metric(RESIDENT)];
  const tallies: Tally[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await delay(60_000);
    resident.push(await service.metric(RESIDENT));
    const tally = await tallyOf();
    tallies.push(tally);
    const all = together(tally);
    console.error(
      `minute ${minute}: ${mebibytes(resident[minute]!)}, p99 ${ms(percentile(all.latencies, 0.99))}, ${statusesOf(all)}`,
    );
  }
  return { resident, tally: added(tallies) };
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

function lines(tally: Tally, resident: readonly number[], minutes: number, beside: string): BenchLine[] {
  const all = together(tally);
  const settled = minutes > SETTLED_MINUTE ? SETTLED_MINUTE : Math.max(1, Math.round(minutes / 3));
  const growth = resident.at(-1)! / resident[settled]! - 1;
  const at = (share: number): string => ms(percentile(all.latencies, share));
  return [
    {
      promise: `soak of ${minutes} min, ${RATE_PER_SECOND} requests/s and ${STREAMS} streams: no answer from 500 on`,
      figure: `${broken(all)} of ${all.latencies.length}`,
      target: 'none',
      met: broken(all) === 0,
      note: `${statusesOf(all)}; p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; ${beside}; ${processors()}`,
    },
    {
      promise: `soak: resident memory at the end against that after ${settled} ${settled === 1 ? 'minute' : 'minutes'}`,
      figure: `${growth < 0 ? '' : '+'}${(growth * 100).toFixed(1)} %`,
      target: `at most ${GROWTH_MAX * 100} % more`,
      // A run that ends before the memory has settled tells nothing.
      met: minutes > SETTLED_MINUTE ? growth <= GROWTH_MAX : null,
      note: [0, settled, resident.length - 1]
        .map((minute) => `minute ${minute} ${mebibytes(resident[minute]!)}`)
        .join(', '),
    },
  ];
}
