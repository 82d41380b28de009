import { type VixRegime, vixRegime } from '../analysis/market-state.ts';
import {
  addSums,
  CLAIMS,
  type ClaimKind,
  type DaySums,
  type ProbabilityBin,
  SUM_FIELDS,
  type Sum,
  type SymbolClaims,
} from '../analysis/records/claims.ts';
import { type BestCell, type RecordFigures, recordsOf } from '../analysis/records/record.ts';
import { dayOf } from '../base/dates.ts';
import { VIX_SYMBOLS } from '../market/market-view.ts';
import type { SymbolTape } from '../market/tape/index.ts';
import { DailyPrices } from './daily-prices.ts';
import { type LevelClaimsWork, levelClaims } from './level-claims.ts';
import { type PatternClaimsWork, patternClaims } from './pattern-claims.ts';
import {
  type DivergenceClaimsWork,
  divergenceClaims,
  type ScoreClaimsWork,
  scoreClaims,
} from './ranking-claims.ts';
import type { TapeSource } from './tape-source.ts';

/** Claims of one kind on some dates. */
export type ClaimsWork =
  | ({ readonly of: 'level' } & LevelClaimsWork)
  | ({ readonly of: 'pattern' } & PatternClaimsWork)
  | ({ readonly of: 'score' } & ScoreClaimsWork)
  | ({ readonly of: 'divergence' } & DivergenceClaimsWork);

export interface FoundClaims {
  /** Dates on which the kind could be observed, ascending, those without an event too. */
  readonly observed: readonly string[];
  readonly claims: readonly SymbolClaims[];
  /** By trade date and key what the date as a whole measured. */
  readonly measures: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By trade date the bins of scores that are read as probabilities. */
  readonly bins?: ReadonlyMap<string, readonly ProbabilityBin[]>;
}

/** @param isCalledOff checked before each symbol; the result is not whole once it is true */
export function findClaims(source: TapeSource, work: ClaimsWork, isCalledOff: () => boolean): FoundClaims {
  if (work.of === 'level') {
    const claims = levelClaims(source, work, isCalledOff);
    const observed = [...new Set(claims.map(({ tradeDate }) => tradeDate))].sort();
    return { observed, claims, measures: new Map() };
  }
  if (work.of === 'pattern') return { ...patternClaims(source, work, isCalledOff), measures: new Map() };
  const dates = work.of === 'score' ? scoreClaims(source, work) : divergenceClaims(source, work);
  return {
    observed: dates.map(({ tradeDate }) => tradeDate),
    claims: dates.flatMap(({ claims }) => claims),
    measures: new Map(dates.map(({ tradeDate, measures }) => [tradeDate, measures])),
    bins: new Map(dates.map(({ tradeDate, bins }) => [tradeDate, bins])),
  };
}

export interface RegimesWork {
  /** Of `VIX_SYMBOLS`. */
  readonly tapes: readonly SymbolTape[];
  /** Ascending. */
  readonly dates: readonly string[];
}

/** The regime of the volatility index that a trader reads before the open of each date; null where none is known. */
export function regimesOf(
  { reader, calendar }: TapeSource,
  { tapes, dates }: RegimesWork,
): (VixRegime | null)[] {
  const [first, last] = [dayOf(dates[0]!), dayOf(dates.at(-1)!)];
  const indices = VIX_SYMBOLS.flatMap((symbol) => tapes.filter((tape) => tape.symbol === symbol)).map(
    (tape) => new DailyPrices(reader, tape, calendar, { first, last }),
  );
  return dates.map((date) => {
    const prior = calendar.previousSession(date);
    if (prior === null) return null;
    for (const index of indices) {
      const row = index.rowOn(dayOf(prior));
      if (row >= 0) return vixRegime(index.inSharesOf(dayOf(prior)).close[row]!);
    }
    return null;
  });
}

export interface RecordsWork {
  readonly kind: ClaimKind;
  /** Rows of one trade date stand together, dates ascend; `sums` as `packSums` writes them. */
  readonly days: readonly { readonly tradeDate: string; readonly sums: string }[];
  /** Instant of the question, epoch milliseconds: claims that ended later do not count. */
  readonly asOf: number;
  readonly isExplored: boolean;
}

/** The records of a kind, and of the dates since its rule was released. */
export interface CountedRecords {
  readonly all: readonly RecordFigures[];
  readonly best: BestCell | null;
  readonly since: readonly RecordFigures[];
}

export function recordsFrom({ calendar }: TapeSource, work: RecordsWork): CountedRecords {
  const { kind, asOf, isExplored } = work;
  const days = Array.from(
    Map.groupBy(work.days, ({ tradeDate }) => tradeDate),
    ([tradeDate, rows]) => {
      const all = rows.map(({ sums }) => unpackSums(sums));
      return { tradeDate, sums: all.length === 1 ? all[0]! : addSums(all) };
    },
  );
  const isClosed = (tradeDate: string, horizon: number): boolean => {
    const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon);
    return end !== null && end.close <= asOf;
  };
  const { releasedAt } = CLAIMS[kind];
  const since = days.filter(({ tradeDate }) => tradeDate >= releasedAt);
  const { records: all, best } = recordsOf(kind, days, isClosed, isExplored);
  // Of what came since the counts are served, without verdicts.
  return { all, best, since: recordsOf(kind, since, isClosed, true).records };
}

/** JSON text: by key the counts of each stratum, in the order of `SUM_FIELDS`. */
export const packSums = (sums: DaySums): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(sums).map(([key, cells]) => [
        key,
        cells.map((cell) => SUM_FIELDS.map((field) => cell[field])),
      ]),
    ),
  );

function unpackSums(text: string): DaySums {
  const packed = JSON.parse(text) as Record<string, number[][]>;
  const sums: Record<string, Sum[]> = {};
  for (const key in packed) sums[key] = packed[key]!.map(sumOf);
  return sums;
}

function sumOf(counts: readonly number[]): Sum {
  const sum: Partial<Sum> = {};
  for (let at = 0; at < SUM_FIELDS.length; at++) sum[SUM_FIELDS[at]!] = counts[at]!;
  return sum as Sum;
}
