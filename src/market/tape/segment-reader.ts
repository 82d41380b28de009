import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../base/calendar.ts';
import { CodedError } from '../../base/errors.ts';
import { CONTRACT_COLUMNS, contractColumns, type OptionChain } from '../chains.ts';
import type { ChainSlice } from './chain-slices.ts';
import { bodyChecksum, readColumns, readRows } from './segment-file.ts';
import {
  type Columns,
  columnsOf,
  isIntraday,
  mergeRows,
  rowAtOrAfter,
  type SegmentKind,
  type SeriesKind,
  sliceRows,
} from './series.ts';
import { type Slice, type SymbolTape, startOfTradeDay } from './symbol-tape.ts';

/** Open descriptors; opening another closes the oldest. */
const OPEN_FILES_MAX = 64;

/** Reads rows of any symbol out of the segment files of one tape directory. One per thread. */
export class SegmentReader {
  readonly #directory: string;
  readonly #files = new Map<string, number>();
  /** Slices with a verified checksum since their file was opened. */
  readonly #verified = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Rows of a series whose trade date lies in [fromDay, toDay], ascending in time, the newest version of each time.
   * Days count from 1970-01-01.
   */
  rows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    const parts: Columns[] = [];
    for (const slice of tape.slices) {
      if (slice.kind !== kind || slice.lastDay < fromDay || slice.firstDay > toDay) continue;
      const part = this.#sliceRows(slice, fromDay, toDay);
      if (part !== null) parts.push(part);
    }
    for (const running of tape.running) {
      if (running.kind !== kind) continue;
      const columns = columnsOf(kind, (_, index) => running.columns[index]!);
      parts.push(withinDays(kind, columns, fromDay, toDay));
    }
    return mergeRows(kind, parts);
  }

  /** The option chain of a slice. */
  chain(slice: ChainSlice): OptionChain {
    const { symbol, takenAt, underlyingPrice, style, multiplier, simulated } = slice;
    this.#verify('chains', slice);
    const [, ...columns] = readColumns(this.#open(slice.file), 'chains', slice, 0, slice.rows);
    return {
      symbol,
      takenAt,
      underlyingPrice: underlyingPrice ?? Number.NaN,
      style,
      multiplier,
      simulated,
      contracts: contractColumns((name) => columns[CONTRACT_COLUMNS.indexOf(name)]!),
    };
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #sliceRows(slice: Slice, fromDay: number, toDay: number): Columns | null {
    this.#verify(slice.kind, slice);
    if (!isIntraday(slice.kind)) {
      return withinDays(
        slice.kind,
        readRows(this.#open(slice.file), slice.kind, slice, 0, slice.rows),
        fromDay,
        toDay,
      );
    }
    const first = slice.days.findIndex((day) => day >= fromDay);
    if (first < 0 || slice.days[first]! > toDay) return null;
    let after = first;
    while (after < slice.days.length && slice.days[after]! <= toDay) after++;
    return readRows(
      this.#open(slice.file),
      slice.kind,
      slice,
      slice.starts[first]!,
      slice.starts[after] ?? slice.rows,
    );
  }

  /** A disk that returns other bytes than it was given must not become a price. Each slice is read whole once. */
  #verify(
    kind: SegmentKind,
    slice: Pick<Slice, 'segmentId' | 'file' | 'bodyOffset' | 'rows' | 'checksum'>,
  ): void {
    const key = `${slice.segmentId} ${slice.bodyOffset}`;
    if (this.#verified.has(key)) return;
    if (bodyChecksum(this.#open(slice.file), kind, slice) !== slice.checksum) {
      throw new CodedError(
        'tape_damaged',
        `The segment file ${slice.file} does not hold what was written to it`,
      );
    }
    this.#verified.add(key);
  }

  #open(name: string): number {
    const open = this.#files.get(name);
    if (open !== undefined) return open;
    if (this.#files.size >= OPEN_FILES_MAX) {
      const [oldest, descriptor] = this.#files.entries().next().value!;
      this.#files.delete(oldest);
      closeSync(descriptor);
    }
    const descriptor = openSegment(join(this.#directory, name), name);
    this.#files.set(name, descriptor);
    return descriptor;
  }
}

function openSegment(path: string, name: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new CodedError('tape_damaged', `The segment file ${name} cannot be opened`, { cause });
  }
}

/** Rows whose trade date lies in the range. */
function withinDays(kind: SeriesKind, columns: Columns, fromDay: number, toDay: number): Columns {
  const from = rowAtOrAfter(columns.time, startOfTradeDay(kind, fromDay));
  const to = rowAtOrAfter(columns.time, startOfTradeDay(kind, toDay + 1));
  return from === 0 && to === columns.time.length ? columns : sliceRows(columns, from, to);
}

/** Cached reads of intraday rows: those of a session and of the one before, of every kind in a view. */
const CACHED_MAX = 8;

/**
 * A reader that walks over the sessions of one symbol: daily rows are read once for all sessions, and those of a
 * session not again as the prior session of the next.
 */
export class WalkingReader extends SegmentReader {
  #tape: SymbolTape | null = null;
  readonly #daily = new Map<SeriesKind, Columns>();
  readonly #intraday = new Map<string, Columns>();

  override rows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    if (tape !== this.#tape) {
      this.#tape = tape;
      this.#daily.clear();
      this.#intraday.clear();
    }
    if (!isIntraday(kind)) return this.#dailyRows(tape, kind, fromDay, toDay);
    const key = `${kind} ${fromDay} ${toDay}`;
    const cached = this.#intraday.get(key);
    if (cached !== undefined) return cached;
    const rows = super.rows(tape, kind, fromDay, toDay);
    this.#intraday.set(key, rows);
    if (this.#intraday.size > CACHED_MAX) this.#intraday.delete(this.#intraday.keys().next().value!);
    return rows;
  }

  #dailyRows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    const all = this.#daily.getOrInsertComputed(kind, () =>
      super.rows(tape, kind, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    );
    return sliceRows(
      all,
      rowAtOrAfter(all.time, fromDay * DAY_MS),
      rowAtOrAfter(all.time, (toDay + 1) * DAY_MS),
    );
  }
}
