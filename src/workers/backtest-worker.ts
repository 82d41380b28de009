import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { BacktestPartial } from '../analysis/backtest/partial.ts';
import { mergePartials } from '../analysis/backtest/merge-partials.ts';
import { openBacktest } from '../analysis/backtest/open-backtest.ts';
import { type Calendar, dateOf, openCalendar } from '../base/calendar.ts';
import { threadEntry } from './thread-answers.ts';
import { lowerPriority } from './thread-priority.ts';
import { readStockView, WalkingReader } from '../market/tape/index.ts';
import { type OptimizationText, resultText } from '../derive/backtest-text.ts';
import { WALK_SHARED, type WalkOutcome, type WalkRequest } from './backtest-tasks.ts';

/** What each backtest thread is started with. */
export interface BacktestWorkerData {
  readonly tapeDirectory: string;
  readonly calendarPath: string | null;
}

/** A symbol to be walked. */
export interface WalkTask extends WalkRequest {
  readonly kind: 'walk';
  /** Shared memory; its places are those of `WALK_SHARED`. */
  readonly shared: Int32Array;
}

/** Files of walked symbols to be merged. */
export interface MergeTask {
  readonly kind: 'merge';
  readonly files: readonly string[];
}

export type BacktestTask = WalkTask | MergeTask;

/** What came of a task. */
export type BacktestOutcome =
  | { readonly kind: 'walked'; readonly outcome: WalkOutcome }
  | { readonly kind: 'called_off' }
  | { readonly kind: 'merged'; readonly text: OptimizationText };

interface Source {
  readonly reader: WalkingReader;
  readonly calendar: Calendar;
}

/** Tape in, a file for each symbol, wire JSON out of all of them. */
export function open({
  tapeDirectory,
  calendarPath,
}: BacktestWorkerData): (task: BacktestTask) => BacktestOutcome {
  lowerPriority('behind_derivations');
  const calendar = openCalendar(calendarPath);
  const source = { reader: new WalkingReader(tapeDirectory), calendar };
  return (task) => {
    if (task.kind === 'walk') return walk(source, task);
    return { kind: 'merged', text: resultText(mergePartials(task.files.map(readWhole))) };
  };
}

export default threadEntry(open);

function walk({ reader, calendar }: Source, { spec, tape, file, shared }: WalkTask): BacktestOutcome {
  const kept = readPartial(file);
  if (kept !== null) {
    Atomics.store(shared, WALK_SHARED.daysDone, spec.tradeDays.length);
    return walked(kept);
  }
  const run = openBacktest(spec, tape.symbol);
  for (const day of spec.tradeDays) {
    if (Atomics.load(shared, WALK_SHARED.calledOff) !== 0) return { kind: 'called_off' };
    const date = dateOf(day);
    const view = readStockView(reader, tape, calendar, date, calendar.session(date)!.close);
    if (view !== null) run.session(view);
    Atomics.add(shared, WALK_SHARED.daysDone, 1);
  }
  const partial = run.partial();
  writePartial(file, partial);
  return walked(partial);
}

const walked = ({ symbol, outcomes }: BacktestPartial): BacktestOutcome => ({
  kind: 'walked',
  outcome: { symbol, outcomes },
});

/** Bytes before a partial that hold the checksum of those after. */
const CHECKSUM_BYTES = 4;

/** A crash leaves the whole file or none: it gets its name once it is written. */
function writePartial(file: string, partial: BacktestPartial): void {
  const body = serialize(partial);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  const unfinished = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(unfinished, Buffer.concat([checksum, body]));
  renameSync(unfinished, file);
}

/** Null for what is not there, or not as it was written. */
function readPartial(file: string): BacktestPartial | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const body = bytes.subarray(CHECKSUM_BYTES);
  if (bytes.length < CHECKSUM_BYTES || bytes.readUInt32LE() !== crc32(body)) return null;
  return deserialize(body) as BacktestPartial;
}

function readWhole(file: string): BacktestPartial {
  const partial = readPartial(file);
  if (partial === null) throw new Error(`The file ${file} of a walked symbol is gone or damaged.`);
  return partial;
}
