import type { Delivery, Feed, SourceUnit } from '../market/feed.ts';
import type { RefusalReason, Refused } from '../market/refusals.ts';
import type { FinishedUnit, Tape } from './index.ts';

/** Progress of an import; weights are the feed's measure of its units. */
export interface ImportProgress {
  readonly weightDone: number;
  readonly weightTotal: number;
  /** Of the units that were read whole. */
  readonly rowsKept: number;
  /** Of the unit being read. */
  readonly rowsRead: number;
  /** The unit being read, in the end the last. */
  readonly unit: string;
}

/** Refusals of one reason in a feed, with the first example. */
export interface RefusalSummary {
  readonly reason: RefusalReason;
  readonly rows: number;
  readonly units: number;
  readonly where: string;
  readonly example: string;
}

export type ImportReport = Awaited<ReturnType<typeof importFeed>>;

/** Reasons of files that are not read, of repaired values and of rows that tell of no trade, not of lost data. */
export const INFORMATIONAL: ReadonlySet<RefusalReason> = new Set(['not_read', 'repaired', 'untraded']);

export const refusedRows = ({ refusals }: Pick<ImportReport, 'refusals'>): number =>
  refusals.reduce((sum, { reason, rows }) => (INFORMATIONAL.has(reason) ? sum : sum + rows), 0);

/**
 * Brings a feed onto the tape. An interrupted import continues after the last written unit; a second one changes nothing,
 * with the same refusals.
 *
 * @param signal ends it between two deliveries; what was written until then stays
 * @throws the reason of the signal
 */
export async function importFeed(
  { tape }: { readonly tape: Tape },
  feed: Feed,
  onProgress: (progress: ImportProgress) => void = () => {},
  signal?: AbortSignal,
) {
  // Rows of an ended session must be in their file before a correction of them.
  await tape.finalizeEnded();
  const units = await feed.units();
  const delivered = await tape.delivered(feed.name);
  const weightTotal = units.reduce((sum, unit) => sum + unit.weight, 0);
  const tally = new Tally();
  const writer = tape.writer(feed);
  try {
    let weightDone = 0;
    const report = (unit: string, weightRead = 0, rowsRead = 0): void =>
      onProgress({
        weightDone: weightDone + weightRead,
        weightTotal,
        rowsKept: tally.rowsKept,
        rowsRead,
        unit,
      });
    const watched = (unit: SourceUnit): SourceUnit => ({
      ...unit,
      async *read() {
        let rowsRead = 0;
        for await (const delivery of unit.read()) {
          signal?.throwIfAborted();
          yield delivery;
          rowsRead += rowsOf(delivery);
          report(unit.key, Math.min(unit.weightRead?.() ?? 0, unit.weight), rowsRead);
        }
      },
    });
    for (const unit of units) {
      signal?.throwIfAborted();
      report(unit.key);
      const fingerprint = await unit.fingerprint();
      const earlier = delivered.get(unit.key);
      if (earlier?.fingerprint === fingerprint) tally.skip(earlier);
      else tally.add(await writer.take(watched(unit), fingerprint));
      weightDone += unit.weight;
    }
    report(units.at(-1)?.key ?? '');
    await writer.flush();
  } finally {
    writer.close();
  }
  const dailyBarsSummed = await tape.completeDailyBars();
  return {
    feed: feed.name,
    units: units.length,
    /** Units whose content was already on the tape; the other figures include them. */
    unitsSkipped: tally.skipped,
    rowsKept: tally.rowsKept,
    /** Splits, dividends and reported facts. */
    factsKept: tally.factsKept,
    /** Rows and facts of each symbol, of the units that were read. */
    taken: writer.taken,
    /** What named those symbols. */
    namedBy: [...(feed.namedBy ?? [])],
    rowsUnchanged: writer.rowsUnchanged,
    factsUnchanged: writer.factsUnchanged,
    dailyBarsSummed,
    refusals: tally.refusals(),
  };
}

const rowsOf = (delivery: Delivery): number =>
  'columns' in delivery
    ? delivery.columns.time.length
    : 'chain' in delivery
      ? delivery.chain.contracts.strike.length
      : 0;

class Tally {
  rowsKept = 0;
  factsKept = 0;
  skipped = 0;
  readonly #byReason = new Map<RefusalReason, RefusalSummary>();

  skip(unit: FinishedUnit): void {
    this.skipped++;
    this.add(unit);
  }

  add(unit: Pick<FinishedUnit, 'rowsKept' | 'factsKept' | 'refusals'>): void {
    this.rowsKept += unit.rowsKept;
    this.factsKept += unit.factsKept;
    for (const refused of unit.refusals) this.#count(refused);
  }

  refusals(): readonly RefusalSummary[] {
    return [...this.#byReason.values()].sort((a, b) => b.rows - a.rows);
  }

  #count({ reason, where, example, count }: Refused): void {
    const earlier = this.#byReason.get(reason);
    if (earlier === undefined) this.#byReason.set(reason, { reason, rows: count, units: 1, where, example });
    else this.#byReason.set(reason, { ...earlier, rows: earlier.rows + count, units: earlier.units + 1 });
  }
}
