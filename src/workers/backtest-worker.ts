import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32, zstdCompressSync } from 'node:zlib';
import { mergePartials } from '../analysis/backtest/merge-partials.ts';
import { openBacktest } from '../analysis/backtest/open-backtest.ts';
import type { BacktestPartial, SessionOutcome } from '../analysis/backtest/partial.ts';
import type { BacktestSpec, OwnSignal } from '../analysis/backtest/spec.ts';
import { DAY_MS, dateOf, openCalendar } from '../base/calendar.ts';
import { at } from '../base/fault-points.ts';
import { type OptimizationText, resultText } from '../derive/backtest-text.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import type { KeptEntries } from '../derive/trades-answer.ts';
import type { QuoteBarColumns } from '../market/observations.ts';
import { readStockView, type SymbolTape, WalkingReader } from '../tape/index.ts';
import type { TapeWorkerData } from './derive-worker.ts';
import { lowerPriority, threadEntry } from './thread.ts';

/** One symbol to simulate on every cell of a grid. */
export interface WalkRequest {
  readonly spec: BacktestSpec;
  /** Without facts: a backtest reads only bars. */
  readonly tape: SymbolTape;
  /** Entries of the caller in this symbol, ascending; empty for those of signals. */
  readonly own: readonly OwnSignal[];
  /** Receives the result; a symbol whose file is complete is not simulated again. */
  readonly file: string;
}

interface WalkTask extends WalkRequest {
  readonly kind: 'walk';
  /** Shared: trade days done so far. */
  readonly daysDone: Int32Array;
  /** Shared: not 0 once the caller has cancelled. */
  readonly calledOff: Int32Array;
}

/** Result files of symbols to merge. */
interface MergeTask {
  readonly kind: 'merge';
  readonly files: readonly string[];
}

export type BacktestTask = WalkTask | MergeTask;

/** The outcome of a run as it is stored: its text, and the entries of each symbol, packed. */
export interface MergedRun {
  readonly text: OptimizationText;
  readonly entries: readonly { readonly symbol: string; readonly packed: Uint8Array }[];
}

/** How the trade days of one symbol ended. */
export interface WalkOutcome {
  readonly symbol: string;
  readonly outcomes: Readonly<Record<SessionOutcome, number>>;
}

export type BacktestOutcome =
  | { readonly kind: 'walked'; readonly outcome: WalkOutcome }
  | { readonly kind: 'called_off' }
  | { readonly kind: 'merged'; readonly merged: MergedRun };

export function open({ segments, calendarPath }: TapeWorkerData): (task: BacktestTask) => BacktestOutcome {
  lowerPriority('behind_derivations');
  const calendar = openCalendar(calendarPath);
  const source = { reader: new WalkingReader(segments), calendar };
  return (task) => {
    if (task.kind === 'walk') return walk(source, task);
    return { kind: 'merged', merged: merge(task.files.map(readWhole)) };
  };
}

export default threadEntry(open);

function walk(
  { reader, calendar }: TapeSource,
  { spec, tape, own, file, daysDone, calledOff }: WalkTask,
): BacktestOutcome {
  const earlier = readPartial(file);
  if (earlier !== null) {
    Atomics.store(daysDone, 0, spec.tradeDays.length);
    return walked(earlier);
  }
  const run = openBacktest(spec, tape.symbol, own);
  for (const day of spec.tradeDays) {
    if (Atomics.load(calledOff, 0) !== 0) return { kind: 'called_off' };
    const date = dateOf(day);
    const view = readStockView(reader, tape, calendar, date, calendar.session(date)!.close);
    const quotes = spec.halfSpread ? reader.rows(tape, 'quotes-1m', day / DAY_MS, day / DAY_MS) : undefined;
    if (view !== null) run.session(view, quotes as unknown as QuoteBarColumns | undefined);
    Atomics.add(daysDone, 0, 1);
  }
  const partial = run.partial();
  writePartial(file, partial);
  return walked(partial);
}

function merge(partials: readonly BacktestPartial[]): MergedRun {
  return {
    text: resultText(mergePartials(partials)),
    entries: partials.map((partial) => ({ symbol: partial.symbol, packed: packEntries(partial) })),
  };
}

export const packEntries = ({ spec, symbol, walked, entries }: KeptEntries): Uint8Array =>
  zstdCompressSync(serialize({ spec, symbol, walked, entries }));

const walked = ({ symbol, outcomes }: BacktestPartial): BacktestOutcome => ({
  kind: 'walked',
  outcome: { symbol, outcomes },
});

/** The checksum before the serialised result. */
const CHECKSUM_BYTES = 4;

/** Writes under a temporary name and renames, so that a crash leaves the whole file or none. */
function writePartial(file: string, partial: BacktestPartial): void {
  const body = serialize(partial);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  const unfinished = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(unfinished, Buffer.concat([checksum, body]));
  at('slice.written');
  renameSync(unfinished, file);
  at('slice.stored');
}

/** Null for a missing or damaged file. */
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
  if (partial === null) throw new Error(`The result file ${file} of a symbol is missing or damaged.`);
  return partial;
}
