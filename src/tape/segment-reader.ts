import { DAY_MS } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import { SETTLEMENTS, settlementWithoutClass } from '../base/option-roots.ts';
import { contractColumns, type OptionChain } from '../market/chains.ts';
import {
  type Columns,
  columnsInOrder,
  isIntraday,
  mergeRows,
  rowAtOrAfter,
  type SegmentKind,
  type SeriesKind,
  sliceRows,
  startOfTradeDay,
  tradeDay,
} from '../market/series.ts';
import { tradedRows } from '../market/untraded.ts';
import type { ChainSlice } from './chain-slices.ts';
import { KeptParts } from './kept-parts.ts';
import { bodyChecksum, bodyLength, type ReadBytes, readColumns, readRows } from './segment-file.ts';
import { BlockSource } from './segments/block-source.ts';
import { DirectorySource } from './segments/directory-store.ts';
import type { ByteRange, SegmentLocation, SegmentSource } from './segments/segment-store.ts';
import { holdsDays, type RunningRows, type Slice, type SymbolTape } from './symbol-tape.ts';

/** Rows or contracts in a segment file. */
export type PlacedSlice = Pick<Slice, 'segmentId' | 'file' | 'bodyOffset' | 'rows' | 'checksum'> & {
  readonly kind: SegmentKind;
};

/** Reads rows of any symbol out of the segment files of one tape. One per thread. */
export class SegmentReader {
  readonly #source: SegmentSource;
  /** Slices with a verified checksum since their bytes came here. */
  readonly #verified = new Set<string>();
  readonly #kept: KeptParts;

  constructor(location: SegmentLocation, kept = new KeptParts()) {
    this.#kept = kept;
    this.#source =
      location.kind === 'directory'
        ? new DirectorySource(location.directory)
        : new BlockSource(location.cacheDirectory, location.board);
  }

  /** @param patienceMs how long a read tries again while the bucket of the tape fails */
  retryFor(patienceMs: number): void {
    this.#source.patienceMs = patienceMs;
  }

  /** Brings slices near that several reads need, in one round trip; of files in a directory none is asked for. */
  fetch(slices: () => readonly PlacedSlice[]): void {
    this.#source.fetch(() => slices().map(rangeOf));
  }

  /** As `fetch`, while the event loop goes on. */
  fetchAhead(slices: () => readonly PlacedSlice[]): Promise<void> {
    return this.#source.fetchAhead(() => slices().map(rangeOf));
  }

  /**
   * Rows with a trade date in [fromDay, toDay], days since 1970-01-01, ascending; of each time the newest version. Bars
   * have traded.
   */
  rows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    return tradedRows(kind, this.storedRows(tape, kind, fromDay, toDay));
  }

  /** As `rows`, with those of bars that say that nothing traded. */
  storedRows(tape: SymbolTape, kind: SeriesKind, fromDay: number, toDay: number): Columns {
    const slices = tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, fromDay, toDay));
    this.#prepare(slices);
    const parts = slices.map((slice) => this.#sliceRows(slice, fromDay, toDay));
    for (const running of tape.running) {
      if (running.kind !== kind) continue;
      parts.push(withinDays(kind, columnsInOrder(kind, running.columns), fromDay, toDay));
    }
    return mergeRows(kind, parts);
  }

  /** The feed of the newest version of a row that was read. */
  feedOfRow(tape: SymbolTape, kind: SeriesKind, time: number): string | null {
    const running = tape.running.find((rows) => rows.kind === kind && hasTime(rows.columns[0]!, time));
    if (running !== undefined) return running.feed;
    const day = tradeDay(kind, time);
    const slices = tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, day, day));
    if (slices.length < 2) return slices[0]?.feed ?? null;
    this.#prepare(slices);
    return slices.findLast((one) => hasTime(this.#sliceRows(one, day, day).time, time))?.feed ?? null;
  }

  /**
   * A part of the stock's views, the same object while the slices of some series and what else it is read from stay.
   *
   * @param name of the part, unique in its stock
   * @param basis what else names the part
   */
  keptPart<Part extends object>(
    tape: SymbolTape,
    name: string,
    kinds: readonly SeriesKind[],
    [fromDay, toDay]: readonly [number, number],
    basis: string,
    read: () => Part,
  ): Part {
    const of = new Set(kinds);
    if (tape.running.some((rows) => of.has(rows.kind) && hasDays(rows, fromDay, toDay))) return read();
    const slices = tape.slices.filter((slice) => of.has(slice.kind) && holdsDays(slice, fromDay, toDay));
    return this.#kept.of(tape.symbol, name, `${basis}|${slices.map(keyOf).join()}`, read);
  }

  chain(slice: ChainSlice): OptionChain {
    const { symbol, kind, takenAt, underlyingPrice, style, multiplier, simulated } = slice;
    this.#prepare([slice]);
    this.#verify(slice);
    const [, ...columns] = readColumns(this.#bytesOf(slice), kind, slice, 0, slice.rows);
    return {
      symbol,
      takenAt,
      underlyingPrice: underlyingPrice ?? Number.NaN,
      style,
      multiplier,
      simulated,
      contracts: contractColumns((_, index) => columns[index] ?? unnamedClasses(slice)),
    };
  }

  close(): void {
    this.#source.close();
  }

  #sliceRows(slice: Slice, fromDay: number, toDay: number): Columns {
    this.#verify(slice);
    const { kind, rows, days, starts } = slice;
    const read = this.#bytesOf(slice);
    if (!isIntraday(kind)) return withinDays(kind, readRows(read, kind, slice, 0, rows), fromDay, toDay);
    const first = days.findIndex((day) => day >= fromDay);
    let after = first;
    while (after < days.length && days[after]! <= toDay) after++;
    return readRows(read, kind, slice, starts[first]!, starts[after] ?? rows);
  }

  /** Brings slices near; those of which bytes came anew are to be verified. */
  #prepare(slices: readonly PlacedSlice[]): void {
    if (!this.#source.prepare(() => slices.map(rangeOf))) return;
    for (const slice of slices) this.#verified.delete(keyOf(slice));
  }

  /** A store that returns other bytes than it was given must not become a price. Each slice is read whole once. */
  #verify(slice: PlacedSlice): void {
    const key = keyOf(slice);
    if (this.#verified.has(key)) return;
    const read = this.#bytesOf(slice);
    const isIntact = (): boolean => bodyChecksum(read, slice.kind, slice) === slice.checksum;
    if (!isIntact() && !(this.#source.refresh(rangeOf(slice)) && isIntact())) {
      throw new CodedError(
        'tape_damaged',
        `The segment file ${slice.file} does not hold what was written to it`,
      );
    }
    this.#verified.add(key);
  }

  #bytesOf({ file }: PlacedSlice): ReadBytes {
    return (target, position) => this.#source.read(file, target, position);
  }
}

/** Whether rows of the running session have a trade date in a range. */
const hasDays = ({ kind, columns: [time] }: RunningRows, fromDay: number, toDay: number): boolean =>
  time!.length > 0 &&
  tradeDay(kind, time![0]!) <= toDay &&
  tradeDay(kind, time![time!.length - 1]!) >= fromDay;

const hasTime = (times: Float64Array, time: number): boolean => times[rowAtOrAfter(times, time)] === time;

/** The column that a file of the kind without classes lacks. */
const unnamedClasses = ({ symbol, style, rows }: ChainSlice): Float64Array =>
  new Float64Array(rows).fill(SETTLEMENTS.indexOf(settlementWithoutClass({ underlying: symbol, style })));

const keyOf = ({ segmentId, bodyOffset }: PlacedSlice): string => `${segmentId} ${bodyOffset}`;

const rangeOf = ({ kind, file, bodyOffset, rows }: PlacedSlice): ByteRange => ({
  file,
  from: bodyOffset,
  length: bodyLength(kind, rows),
});

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

  /** Its views are of many dates, each once. */
  override keptPart<Part extends object>(...[, , , , , read]: Parameters<SegmentReader['keptPart']>): Part {
    return read() as Part;
  }

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
