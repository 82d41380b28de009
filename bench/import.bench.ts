/**
 * Promise: a million bars a minute onto the tape at least, in memory that does not grow with the file. Each import
 * is a process of its own on an empty data directory, its start and the database's included. The recorded data, where
 * they are on this machine, are imported and derived in under 150 s.
 */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newYorkCalendar } from '../src/base/calendar.ts';
import { symbolAt } from '../src/simulated/companies.ts';
import { type CommandRun, DONE_WITH_REFUSALS, runCommand } from './program.ts';
import type { BenchLine } from './report.ts';
import { LAST_DATE, removeFolder, temporaryFolder } from './universe.ts';
import { REAL_DATA } from './yardstick.ts';

const PROMISED_PER_MINUTE = 1_000_000;
/** What the memory of an import may differ by, whatever the size of its file. */
const MEMORY_ALLOWED = 1.25;
const RECORDED_PROMISED_S = 150;
const SESSIONS = 26;
const MINUTE_MS = 60_000;
const FEW_ROWS = 1_000_000;
const MANY_ROWS = 4_000_000;
const SIMULATED = [
  '--symbols',
  '300',
  '--days',
  '10',
  '--minutes',
  '10',
  '--ticks',
  '0',
  '--seed',
  '1',
  '--end',
  LAST_DATE,
];

export async function run(): Promise<BenchLine[]> {
  const folder = temporaryFolder();
  try {
    const few = await importOf(folder, FEW_ROWS);
    const many = await importOf(folder, MANY_ROWS);
    const simulated = await runCommand(['simulate', ...SIMULATED], join(folder, 'simulated'));
    return [rateLine(many), memoryLine(few, many), simulateLine(simulated), await recordedLine(folder)];
  } finally {
    removeFolder(folder);
  }
}

interface Imported extends CommandRun {
  readonly rows: number;
  readonly megabytes: number;
}

async function importOf(folder: string, rowsWanted: number): Promise<Imported> {
  const file = join(folder, `${rowsWanted}.csv`);
  const { rows, megabytes } = writeBars(file, rowsWanted);
  const data = join(folder, `${rowsWanted}`);
  const ran = await runCommand(['import', 'csv', file, '--interval', '1m'], data);
  const kept = countIn(ran.output, /([\d,]+) rows kept/);
  if (kept !== rows) throw new Error(`${kept} of ${rows} rows were kept:\n${ran.output}`);
  removeFolder(file);
  removeFolder(data);
  return { ...ran, rows, megabytes };
}

/**
 * Minute bars of whole regular sessions, symbol after symbol, with prices that differ from row to row.
 *
 * @param first place of the first symbol among those of the simulated market
 */
export function writeBars(file: string, rowsWanted: number, first = 0): { rows: number; megabytes: number } {
  const minutes = sessionMinutes();
  const target = openSync(file, 'w');
  let rows = 0;
  let bytes = writeSync(target, 'symbol,time,open,high,low,close,volume\n');
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
      text += `${symbol},${minute},${dollars(open)},${dollars(high)},${dollars(low)},${dollars(price)},${100 + ((row * 37) % 9_000)}\n`;
    }
    bytes += writeSync(target, text);
    rows += minutes.length;
  }
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

const countIn = (text: string, pattern: RegExp): number =>
  Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));

const perMinute = (rows: number, seconds: number): string =>
  `${((rows / seconds) * 60e-6).toFixed(1)} million a minute`;

function rateLine({ rows, megabytes, seconds, cpuSeconds }: Imported): BenchLine {
  return {
    promise: 'import of minute bars from CSV',
    figure: perMinute(rows, seconds),
    target: 'at least 1 million a minute',
    met: (rows / seconds) * 60 >= PROMISED_PER_MINUTE,
    note: `${rows.toLocaleString('en-US')} rows, ${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor)`,
  };
}

function memoryLine(few: Imported, many: Imported): BenchLine {
  const ratio = many.peakBytes / few.peakBytes;
  return {
    promise: `most memory of importing ${(many.rows / few.rows).toFixed(0)} times the rows`,
    figure: `${(many.peakBytes / 1e6).toFixed(0)} MB, of the smaller file ${(few.peakBytes / 1e6).toFixed(0)} MB`,
    ratio,
    target: `at most ${MEMORY_ALLOWED}x`,
    met: ratio <= MEMORY_ALLOWED,
    note: 'resident, the embedded database included',
  };
}

function simulateLine({ output }: CommandRun): BenchLine {
  const rows = countIn(output, /([\d,]+) rows kept/);
  const seconds = Number(/sources, ([\d.]+) s/.exec(output)?.[1]);
  return {
    promise: 'bars of the simulated market',
    figure: perMinute(rows, seconds),
    target: 'at least 1 million a minute',
    met: (rows / seconds) * 60 >= PROMISED_PER_MINUTE,
    note: `${rows.toLocaleString('en-US')} rows made and kept in ${seconds.toFixed(1)} s`,
  };
}

async function recordedLine(folder: string): Promise<BenchLine> {
  const promise = 'the recorded data, imported and derived';
  if (!existsSync(REAL_DATA)) return { promise, figure: '-', met: null, note: `${REAL_DATA} is not there` };
  const data = join(folder, 'recorded');
  const { seconds, cpuSeconds, peakBytes } = await runCommand(['real-data'], data, DONE_WITH_REFUSALS);
  return {
    promise,
    figure: `${seconds.toFixed(0)} s`,
    target: `under ${RECORDED_PROMISED_S} s`,
    met: seconds < RECORDED_PROMISED_S,
    note: `${cpuSeconds.toFixed(0)} s of processor, ${(peakBytes / 1e6).toFixed(0)} MB at most`,
  };
}
