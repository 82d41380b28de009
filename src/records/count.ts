import type { WorkOptions } from '../derive/deriver.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import type { RegimesWork } from './date-regimes.ts';
import { type BestCell, CountColumns, type RecordFigures, recordsOfCounts } from './estimate/record.ts';
import { type DaySums, isOfSide, SIDE_FIELDS, SUM_FIELDS, type Sum } from './events.ts';
import { type ClaimKind, RECORD_KINDS } from './index.ts';
import type { ClaimFinder } from './kind.ts';
import { type DateRegime, type DayRegime, dayRegime } from './regimes.ts';

/** Finds claims and counts them away from the event loop. */
export interface ClaimCounter extends ClaimFinder {
  records(work: RecordsWork, options?: WorkOptions): Promise<CountedRecords>;
  /** The regime of the volatility index before each date, in order; null where unknown. */
  regimes(request: RegimesWork, options?: WorkOptions): Promise<DateRegime[][]>;
}

export interface RecordsWork {
  readonly kind: ClaimKind;
  /**
   * The counts of all dates as an earlier answer had them in `counts`, or rows of each date: those of one trade date stand together, dates
   * ascend, `sums` are as `packSums` writes them.
   */
  readonly counts: string | readonly { readonly tradeDate: string; readonly sums: string }[];
  /** Instant of the question, epoch milliseconds: claims that ended later do not count. */
  readonly asOf: number;
  readonly isExplored: boolean;
  /** Kind of day that the claims were made in, of rows alone; null for all. */
  readonly dayRegime: DayRegime | null;
  /** Whether the counts are wanted too. */
  readonly withCounts?: boolean;
}

/** The records of a kind, and of the dates since its rule was released. */
export interface CountedRecords {
  readonly all: readonly RecordFigures[];
  readonly best: BestCell | null;
  readonly since: readonly RecordFigures[];
  /** JSON text of the counts in columns, from which the records at any close follow; absent where nobody wants them. */
  readonly counts?: string;
}

export function recordsFrom({ calendar }: TapeSource, work: RecordsWork): CountedRecords {
  const { counts, asOf, isExplored } = work;
  const kind = RECORD_KINDS[work.kind];
  const columns =
    typeof counts === 'string' ? CountColumns.unpack(counts) : columnsOf(counts, work.dayRegime);
  const isClosed = (tradeDate: string, horizon: number): boolean => {
    const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon);
    return end !== null && end.close <= asOf;
  };
  const { records: all, best } = recordsOfCounts(kind, columns, isClosed, isExplored);
  // Of what came since the counts are served, without verdicts.
  const since = columns.since(kind.releasedAt);
  return {
    all,
    best,
    since: recordsOfCounts(kind, since, isClosed, true).records,
    ...(work.withCounts ? { counts: columns.pack() } : {}),
  };
}

/** Counts of claims and controls that were made in a kind of day; null for any. */
function columnsOf(
  days: readonly { readonly tradeDate: string; readonly sums: string }[],
  regime: DayRegime | null,
): CountColumns {
  const columns = new CountColumns();
  const wanted = regime === null ? null : dayRegime(regime);
  for (const { tradeDate, sums } of days) {
    columns.addDate(tradeDate);
    for (const [key, cells] of Object.entries(unpackSums(sums)))
      for (const cell of cells) if (wanted === null || cell.regime === wanted) columns.add(key, cell);
  }
  return columns;
}

/** JSON text: by key the counts of each stratum, in the order of `SUM_FIELDS`, or `SIDE_FIELDS`. */
export const packSums = (sums: DaySums): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(sums).map(([key, cells]) => [
        key,
        cells.map((cell) => {
          const counts = (isOfSide(key) ? SIDE_FIELDS : SUM_FIELDS).map((field) => cell[field]);
          // Most cells have nothing in the last fields.
          return counts.slice(0, counts.findLastIndex((count) => count !== 0) + 1);
        }),
      ]),
    ),
  );

export function unpackSums(text: string): DaySums {
  const packed = JSON.parse(text) as Record<string, number[][]>;
  const sums: Record<string, Sum[]> = {};
  for (const key in packed) sums[key] = packed[key]!.map(isOfSide(key) ? sideOf : sumOf);
  return sums;
}

/** As `sumOf`, in the order of `SIDE_FIELDS`. */
const sideOf = ([stratum = 0, regime = 0, controls = 0, events = 0, held = 0]: readonly number[]): Sum =>
  sumOf([stratum, events, held, 0, 0, 0, 0, 0, 0, controls, 0, regime]);

/** Written out, in the order of `SUM_FIELDS`: a record reads some hundred thousand, and objects of one shape are quick. */
function sumOf(counts: readonly number[]): Sum {
  return {
    stratum: counts[0] ?? 0,
    events: counts[1] ?? 0,
    true: counts[2] ?? 0,
    undecided: counts[3] ?? 0,
    gap: counts[4] ?? 0,
    gone: counts[5] ?? 0,
    ambiguous: counts[6] ?? 0,
    judged: counts[7] ?? 0,
    excess: counts[8] ?? 0,
    controls: counts[9] ?? 0,
    measure: counts[10] ?? 0,
    regime: counts[11] ?? 0,
    gain: counts[12] ?? 0,
    excess_gain: counts[13] ?? 0,
  };
}
