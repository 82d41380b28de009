import type { Calendar } from '../base/calendar.ts';
import { nextTurn } from '../base/timers.ts';
import type { Database } from '../database/database.ts';
import { marketGuard } from '../database/symbol-market.ts';
import { Admission, type Admitted } from '../market/admit.ts';
import type { OptionChain } from '../market/chains.ts';
import type { Feed, SourceUnit } from '../market/feed.ts';
import type { CorporateAction } from '../market/observations.ts';
import {
  asBars,
  barsInterval,
  type Columns,
  columnsOf,
  concatRows,
  emptyColumns,
  mergeRows,
  rowAtOrAfter,
  SERIES,
  type SeriesKind,
  sliceRows,
  startOfTradeDay,
  tradeDay,
} from '../market/series.ts';
import {
  type DeliveredSeries,
  isUntraded,
  mayBeUntraded,
  type SortedRows,
  statesVolumes,
  tradedRows,
  VOLUMES_REACH_DAYS,
  withoutRepeatedDays,
  withoutUntradedPrices,
} from '../market/untraded.ts';
import { chainKey, newChains, type WrittenChains, writeChains, writeSegmentFile } from './chain-segments.ts';
import { commitToManifest, type RunningBatch, type WrittenSegment } from './commit.ts';
import type { SymbolFact } from './commit-facts.ts';
import { type FinishedUnit, readSymbolTapes } from './manifest.ts';
import { SegmentReader } from './segment-reader.ts';
import type { SegmentStore } from './segments/segment-store.ts';
import { holdsDays, type SymbolTape } from './symbol-tape.ts';
import type { Batch } from './write-segment.ts';

/** Pending rows before they go to a segment: about 40 MB, whatever the size of the source. */
const PENDING_ROWS_MAX = 750_000;
/**
 * Finished units that are not yet in the manifest; bounds what an interruption can lose of a folder of tiny files.
 */
const PENDING_UNITS_MAX = 20_000;
/** Pending facts; while they are written, the embedded database serves no other query. */
const PENDING_FACTS_MAX = 2_000;

/** Rows of one series that a unit has delivered. */
interface UnitSeries {
  readonly kind: SeriesKind;
  readonly symbol: string;
  /** Of the parts that wait to be written, the first of the unit. */
  from: number;
  hasZeros: boolean;
  hasVolumes: boolean;
}

/**
 * Makes deliveries of one feed visible a segment at a time: file written, synced and renamed first, then one
 * transaction with its manifest rows, the facts and the finished units. A crash leaves the manifest as it was
 * before or after a flush, never between.
 */
export class TapeWriter {
  readonly #database: Database;
  readonly #store: SegmentStore;
  readonly #calendar: Calendar;
  readonly #feed: Pick<Feed, 'name' | 'simulated'>;
  #guard: ((symbol: string) => void) | null = null;
  readonly #reader: SegmentReader;
  readonly #runningDay: number | null;
  #pending = new Map<SeriesKind, Map<string, Columns[]>>();
  #pendingRows = 0;
  /** By symbol and instant: the last delivery counts. */
  #chains = new Map<string, OptionChain>();
  /** Series of the unit that is being read, by kind and symbol. */
  #unit = new Map<string, UnitSeries>();
  #actions: { symbol: string; action: CorporateAction }[] = [];
  #facts: SymbolFact[] = [];
  #units: FinishedUnit[] = [];
  readonly #taken = new Map<string, number>();
  #rowsUnchanged = 0;
  #factsUnchanged = 0;

  /** @param runningDay the trade date of the session that runs now, as days since 1970-01-01; null while none does */
  constructor(
    database: Database,
    store: SegmentStore,
    calendar: Calendar,
    feed: Pick<Feed, 'name' | 'simulated'>,
    runningDay: number | null,
  ) {
    this.#database = database;
    this.#calendar = calendar;
    this.#runningDay = runningDay;
    this.#store = store;
    this.#feed = feed;
    this.#reader = new SegmentReader(store.location);
  }

  /** Rows and facts of each symbol that units delivered and that were admitted, so far. */
  get taken(): ReadonlyMap<string, number> {
    return this.#taken;
  }

  /** Rows that were already on the tape with the same values, so far. */
  get rowsUnchanged(): number {
    return this.#rowsUnchanged;
  }

  /** Reported facts that were already known at their instant, so far. */
  get factsUnchanged(): number {
    return this.#factsUnchanged;
  }

  /**
   * Reads a unit to its end; its rows are safe once a later flush has returned.
   *
   * @throws CodedError other_market
   */
  async take(unit: SourceUnit, fingerprint: string): Promise<FinishedUnit> {
    const admission = new Admission(this.#calendar);
    this.#unit = new Map();
    const sortUntraded = () => this.#sortUntraded(admission, unit.key);
    let rowsKept = 0;
    let factsKept = 0;
    this.#guard ??= await marketGuard(this.#database, this.#feed.simulated);
    for await (const delivery of unit.read()) {
      const admitted = admission.admit(delivery, unit.key);
      if (admitted === null) continue;
      const symbol = admitted.kind === 'chain' ? admitted.chain.symbol : admitted.symbol;
      this.#guard(symbol);
      const before = rowsKept + factsKept;
      if (admitted.kind === 'facts') {
        for (const fact of admitted.facts) this.#facts.push({ symbol: admitted.symbol, fact });
        factsKept += admitted.facts.length;
      } else if (admitted.kind === 'actions') {
        for (const action of admitted.actions) this.#actions.push({ symbol: admitted.symbol, action });
        factsKept += admitted.actions.length;
      } else rowsKept += this.#takeRows(admitted);
      this.#taken.set(symbol, (this.#taken.get(symbol) ?? 0) + rowsKept + factsKept - before);
      if (this.#pendingRows >= PENDING_ROWS_MAX) {
        rowsKept -= await sortUntraded();
        await this.flush();
        for (const series of this.#unit.values()) series.from = 0;
      }
      if (this.#facts.length >= PENDING_FACTS_MAX) await this.#flushFacts();
    }
    rowsKept -= await sortUntraded();
    const finished = { key: unit.key, fingerprint, rowsKept, factsKept, refusals: admission.refused };
    this.#units.push(finished);
    if (this.#units.length >= PENDING_UNITS_MAX) await this.flush();
    return finished;
  }

  /** Adds rows that come from no unit, such as daily bars summed from intraday ones. */
  add(kind: SeriesKind, symbol: string, columns: Columns): void {
    if (columns.time.length === 0) return;
    const bySymbol = this.#pending.getOrInsertComputed(kind, () => new Map<string, Columns[]>());
    bySymbol.getOrInsertComputed(symbol, () => []).push(columns);
    this.#pendingRows += columns.time.length;
  }

  async flush(): Promise<void> {
    if (this.#pendingRows + this.#actions.length + this.#facts.length + this.#units.length === 0) return;
    const segments: WrittenSegment[] = [];
    const running: RunningBatch[] = [];
    for (const [kind, bySymbol] of this.#pending) {
      const batches = await this.#newBatches(kind, bySymbol);
      for (const batch of batches) running.push(...this.#runningPart(kind, batch));
      const finished = batches.flatMap((batch) => this.#finishedPart(kind, batch));
      if (finished.length > 0) segments.push(await writeSegment(this.#store, kind, finished));
    }
    const factsWritten = await commitToManifest(this.#database, this.#calendar, {
      ...this.#origin,
      segments,
      chains: await this.#newChains(),
      running,
      actions: this.#actions,
      facts: this.#facts,
      units: this.#units,
    });
    this.#factsWritten(factsWritten);
    this.#pending = new Map();
    this.#pendingRows = 0;
    this.#chains = new Map();
    this.#actions = [];
    this.#units = [];
  }

  /** Facts are written before the pending rows, so that many facts do not make small segments. */
  async #flushFacts(): Promise<void> {
    const nothing = { segments: [], chains: null, running: [], actions: [], units: [] };
    this.#factsWritten(
      await commitToManifest(this.#database, this.#calendar, {
        ...this.#origin,
        ...nothing,
        facts: this.#facts,
      }),
    );
  }

  #factsWritten(saidNew: number): void {
    this.#factsUnchanged += this.#facts.length - saidNew;
    this.#facts = [];
  }

  get #origin() {
    return { feed: this.#feed.name, simulated: this.#feed.simulated };
  }

  close(): void {
    this.#reader.close();
  }

  /** Returns the number of rows, or of contracts. */
  #takeRows(admitted: Exclude<Admitted, { readonly kind: 'facts' | 'actions' }>): number {
    if (admitted.kind !== 'chain') {
      this.#noteVolumes(admitted);
      this.add(admitted.kind, admitted.symbol, admitted.columns);
      return admitted.columns.time.length;
    }
    const { chain } = admitted;
    this.#chains.set(chainKey(chain), chain);
    const contracts = chain.contracts.strike.length;
    // A contract has twice the columns of a bar.
    this.#pendingRows += 2 * contracts;
    return contracts;
  }

  #noteVolumes({ kind, symbol, columns }: DeliveredSeries): void {
    if (!mayBeUntraded(kind, symbol)) return;
    const series = this.#unit.getOrInsertComputed(`${kind} ${symbol}`, () => {
      const from = this.#pending.get(kind)?.get(symbol)?.length ?? 0;
      return { kind, symbol, from, hasZeros: false, hasVolumes: false };
    });
    series.hasZeros ||= columns.volume!.includes(0);
    series.hasVolumes ||= statesVolumes(columns);
  }

  /**
   * Takes the prices from rows of the unit in which nothing traded. A unit is asked as a whole: its first volume may come
   * late.
   *
   * @returns how many there were
   */
  async #sortUntraded(admission: Admission, where: string): Promise<number> {
    let count = 0;
    for (const series of this.#unit.values()) {
      const { kind, symbol, from, hasZeros, hasVolumes } = series;
      const parts = this.#pending.get(kind)?.get(symbol);
      if (!hasZeros || parts === undefined || from >= parts.length) continue;
      const delivered = { kind, symbol, columns: mergeRows(kind, parts.slice(from)) };
      const sorted = hasVolumes
        ? withoutUntradedPrices(delivered, this.#calendar)
        : await this.#repeatedDays(delivered, parts.slice(0, from));
      if (sorted === null || sorted.count === 0) continue;
      parts.splice(from, parts.length - from, sorted.columns);
      admission.note('untraded', where, sorted.example, sorted.count);
      const left = (this.#taken.get(symbol) ?? 0) - sorted.count;
      if (left > 0) this.#taken.set(symbol, left);
      else this.#taken.delete(symbol);
      count += sorted.count;
    }
    return count;
  }

  /** Of rows without any volume, where the series has volumes elsewhere; null where it has none. */
  async #repeatedDays(delivered: DeliveredSeries, pending: readonly Columns[]): Promise<SortedRows | null> {
    const { kind, symbol, columns } = delivered;
    const { high, low } = asBars(columns);
    // Mostly prices move, and nothing needs to be read.
    if (!high.some((price, row) => price === low[row])) return null;
    const first = columns.time[0]!;
    const known = tradedRows(
      kind,
      mergeRows(kind, [await this.#rowsBefore(symbol, kind, first), ...pending]),
    );
    const row = rowAtOrAfter(known.time, first) - 1;
    return row < 0 || !statesVolumes(known) ? null : withoutRepeatedDays(delivered, known.close![row]!);
  }

  async #rowsBefore(symbol: string, kind: SeriesKind, time: number): Promise<Columns> {
    const day = tradeDay(kind, time);
    const [tape] = await readSymbolTapes(this.#database, [symbol]);
    if (tape === undefined) return emptyColumns(kind);
    const reach = [day - VOLUMES_REACH_DAYS, day] as const;
    await this.#reader.fetchAhead(() =>
      tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, ...reach)),
    );
    return this.#reader.storedRows(tape, kind, ...reach);
  }

  /** The chains that the tape does not hold yet, in a file of their own; null when there are none. */
  async #newChains(): Promise<WrittenChains | null> {
    if (this.#chains.size === 0) return null;
    const pending = [...this.#chains.values()];
    const fresh = await newChains(this.#database, this.#reader, pending);
    this.#rowsUnchanged += contractsOf(pending) - contractsOf(fresh);
    return fresh.length === 0 ? null : writeChains(this.#store, fresh);
  }

  /** Per symbol, the rows that the tape does not hold yet. */
  async #newBatches(kind: SeriesKind, bySymbol: Map<string, Columns[]>): Promise<Batch[]> {
    const symbols = [...bySymbol.keys()].sort();
    const tapes = new Map(
      (await readSymbolTapes(this.#database, symbols)).map((tape) => [tape.symbol, tape]),
    );
    const batches: Batch[] = [];
    for (const symbol of symbols) {
      // A process that serves imports too: callers have the thread between two symbols.
      await nextTurn();
      const merged = mergeRows(kind, bySymbol.get(symbol)!);
      const columns = await this.#newRows(kind, merged, tapes.get(symbol));
      if (columns.time.length > 0) batches.push({ symbol, columns });
    }
    return batches;
  }

  /** Rows of the session that runs now stay in the database: a file for every minute would be many files. */
  #runningPart(kind: SeriesKind, { symbol, columns }: Batch): RunningBatch[] {
    if (this.#runningDay === null) return [];
    const [from, to] = rowsOfDay(kind, columns, this.#runningDay);
    return from === to ? [] : [{ symbol, kind, columns: sliceRows(columns, from, to) }];
  }

  #finishedPart(kind: SeriesKind, { symbol, columns }: Batch): Batch[] {
    if (this.#runningDay === null) return [{ symbol, columns }];
    const [from, to] = rowsOfDay(kind, columns, this.#runningDay);
    if (from === to) return [{ symbol, columns }];
    const parts = [sliceRows(columns, 0, from), sliceRows(columns, to, columns.time.length)];
    const finished = concatRows(kind, parts);
    return finished.time.length === 0 ? [] : [{ symbol, columns: finished }];
  }

  /** The rows that differ from those on the tape. */
  async #newRows(kind: SeriesKind, columns: Columns, tape: SymbolTape | undefined): Promise<Columns> {
    if (tape === undefined) return tradedRows(kind, columns);
    const first = tradeDay(kind, columns.time[0]!);
    const last = tradeDay(kind, columns.time.at(-1)!);
    await this.#reader.fetchAhead(() =>
      tape.slices.filter((slice) => slice.kind === kind && holdsDays(slice, first, last)),
    );
    const known = this.#reader.storedRows(tape, kind, first, last);
    if (known.time.length === 0) return tradedRows(kind, columns);
    const { fresh, unchanged } = compared(kind, columns, known);
    this.#rowsUnchanged += unchanged;
    if (fresh.length === columns.time.length) return columns;
    return columnsOf(kind, (name) => Float64Array.from(fresh, (row) => columns[name]![row]!));
  }
}

const contractsOf = (chains: readonly OptionChain[]): number =>
  chains.reduce((sum, { contracts }) => sum + contracts.strike.length, 0);

function rowsOfDay(kind: SeriesKind, columns: Columns, day: number): [number, number] {
  return [
    rowAtOrAfter(columns.time, startOfTradeDay(kind, day)),
    rowAtOrAfter(columns.time, startOfTradeDay(kind, day + 1)),
  ];
}

export const writeSegment = async (
  store: Pick<SegmentStore, 'put'>,
  kind: SeriesKind,
  batches: readonly Batch[],
): Promise<WrittenSegment> => ({ ...(await writeSegmentFile(store, kind, batches)), batches });

/**
 * Compares rows with those on the tape; both sides ascend in time. A row that says that nothing traded is new only where
 * it takes the place of a bar.
 *
 * @returns indexes of the new rows, and how many bars were there already
 */
function compared(kind: SeriesKind, columns: Columns, known: Columns) {
  const names = SERIES[kind];
  const isBar = barsInterval(kind) === null ? () => true : (row: number) => !isUntraded(columns, row);
  const fresh: number[] = [];
  let unchanged = 0;
  let at = 0;
  for (let row = 0; row < columns.time.length; row++) {
    const time = columns.time[row]!;
    while (at < known.time.length && known.time[at]! < time) at++;
    const isKnown = known.time[at] === time;
    if (isKnown && names.every((name) => Object.is(columns[name]![row], known[name]![at]))) {
      if (isBar(row)) unchanged++;
    } else if (isKnown || isBar(row)) fresh.push(row);
  }
  return { fresh, unchanged };
}
