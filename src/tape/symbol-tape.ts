import { hash } from 'node:crypto';
import type { AnyFact, KnownFacts } from '../market/facts.ts';
import { FactHistory } from '../market/known-facts.ts';
import type { CorporateAction } from '../market/observations.ts';
import { barsInterval, isIntraday, type SeriesKind, tradeDay } from '../market/series.ts';
import type { ChainSlice } from './chain-slices.ts';
import type { KeptParts } from './kept-parts.ts';

/** One symbol's rows inside one segment file, as the manifest describes them. */
export interface Slice {
  readonly kind: SeriesKind;
  /** Ascending: where two slices have the same time, the larger id is newer. */
  readonly segmentId: number;
  readonly file: string;
  /** Provenance of its rows, e.g. `csv` or `alpaca`. */
  readonly feed: string;
  readonly simulated: boolean;
  readonly bodyOffset: number;
  readonly rows: number;
  /** CRC-32 of the rows' bytes in the file. */
  readonly checksum: number;
  /** Trade dates as days since 1970-01-01, inclusive. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Of an intraday slice: its trade dates and the row at which each begins. Empty for daily bars. */
  readonly days: readonly number[];
  readonly starts: readonly number[];
}

/** Provenance of daily bars that are summed from intraday ones. */
export const SUMMED_FEED = 'from-intraday';

/** Where rows of the running session come from: the feed of the newest of them, and whether any is simulated. */
export interface RowSource {
  readonly feed: string;
  readonly simulated: boolean;
}

/** Rows of the running session that are not yet in a segment, as plain arrays for workers. */
export interface RunningRows extends RowSource {
  readonly kind: SeriesKind;
  /** Columns in the order of `SERIES`. */
  readonly columns: readonly Float64Array[];
}

/**
 * A symbol's part of the manifest: enough for a worker thread to read any of its sessions without a database.
 * Slices are ordered by segment id, actions and facts by time.
 */
export interface SymbolTape {
  readonly symbol: string;
  readonly slices: readonly Slice[];
  readonly running: readonly RunningRows[];
  readonly actions: readonly CorporateAction[];
  /** Ascending `knownAt`. Empty unless read by `Tape.withFacts`. */
  readonly facts: readonly AnyFact[];
  /** The facts in place of `facts`: see `packText`. */
  readonly packedFacts?: Uint8Array;
  /** Of their text. */
  readonly factsDigest?: string;
  /** What is known of the facts at an instant, in place of `facts`. */
  readonly known?: (asOf: number) => KnownFacts;
  /** Ascending `takenAt`. Empty unless read by `Tape.withFacts`. */
  readonly chains: readonly ChainSlice[];
}

/** Whether a tape with rows is of the simulated market: each symbol is of one market, with all its rows. */
export const isSimulated = ({ slices, running }: Pick<SymbolTape, 'slices' | 'running'>): boolean =>
  slices.some((slice) => slice.simulated) || running.some((rows) => rows.simulated);

/** Whether a slice has rows of the trade dates from one day to another, both included, as far as its index tells. */
export function holdsDays(slice: Slice, fromDay: number, toDay: number): boolean {
  if (slice.lastDay < fromDay || slice.firstDay > toDay) return false;
  if (!isIntraday(slice.kind)) return true;
  const first = slice.days.find((day) => day >= fromDay);
  return first !== undefined && first <= toDay;
}

/** Series from which a view takes its bars. */
const VIEW_SERIES: ReadonlySet<SeriesKind> = new Set(['bars-1m', 'bars-5m', 'bars-1d']);
const holdsPrices = (kind: SeriesKind): boolean => VIEW_SERIES.has(kind);

/** Bars that no view has, since none of their sessions made a day. */
export const barsWithoutView = ({ slices }: SymbolTape): Slice[] =>
  slices.filter(({ kind }) => barsInterval(kind) !== null && !holdsPrices(kind));

/**
 * The newest trade date not after `day` on which a view may find a bar, or null. Exact for intraday bars; inside the
 * range of a daily slice it is `day` itself, which may turn out to have none.
 */
export function newestDay(tape: SymbolTape, day: number): number | null {
  let newest: number | null = null;
  const consider = (candidate: number): void => {
    if (candidate <= day && (newest === null || candidate > newest)) newest = candidate;
  };
  for (const slice of tape.slices) {
    if (!holdsPrices(slice.kind)) continue;
    if (slice.lastDay <= day) consider(slice.lastDay);
    else if (isIntraday(slice.kind)) for (const candidate of slice.days) consider(candidate);
    else if (slice.firstDay <= day) consider(day);
  }
  for (const rows of tape.running) {
    if (!holdsPrices(rows.kind)) continue;
    for (const time of rows.columns[0]!) consider(tradeDay(rows.kind, time));
  }
  return newest;
}

/** The first trade date with a bar, or null for a symbol of which only other facts are known. */
export function oldestDay(tape: SymbolTape): number | null {
  let oldest: number | null = null;
  for (const slice of tape.slices) {
    if (holdsPrices(slice.kind) && (oldest === null || slice.firstDay < oldest)) oldest = slice.firstDay;
  }
  for (const rows of tape.running) {
    const first = rows.columns[0]![0];
    if (first === undefined || !holdsPrices(rows.kind)) continue;
    const day = tradeDay(rows.kind, first);
    if (oldest === null || day < oldest) oldest = day;
  }
  return oldest;
}

/** @returns the tape with its facts, the text of a JSON array, on memory that threads share */
export function packText(tape: SymbolTape, facts: string): SymbolTape {
  const packed = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(facts)));
  packed.write(facts);
  const factsDigest = hash('sha1', facts);
  return { ...tape, facts: [], packedFacts: new Uint8Array(packed.buffer), factsDigest };
}

/** What is known and what follows from it takes, by a byte of the text of the facts. */
const KNOWN_BYTES = 2;

/**
 * @param kept keeps what is known at an instant, which takes half of what the list does; null for a walk over many, which
 *   reads the list once
 * @returns the tape with its facts
 */
export function unpackFacts(tape: SymbolTape, kept: KeptParts | null): SymbolTape {
  if (tape.packedFacts === undefined) return tape;
  const { packedFacts, factsDigest, ...bare } = tape;
  const { buffer, byteOffset, byteLength } = packedFacts;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const read = (): readonly AnyFact[] => JSON.parse(bytes.toString());
  if (kept === null) return { ...bare, facts: read() };
  const size = (): number => KNOWN_BYTES * byteLength;
  const history = kept.of(tape.symbol, 'facts', factsDigest!, () => new FactHistory(), size);
  return { ...bare, known: (asOf) => history.at(asOf, read) };
}
