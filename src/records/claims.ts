import { vixRegime } from '../analysis/market-state.ts';
import { dayOf } from '../base/dates.ts';
import { gex } from '../blocks/gex.ts';
import { deriveWith } from '../derive/compose.ts';
import type { WorkOptions } from '../derive/deriver.ts';
import { type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import { INDEX_SYMBOLS, unknownMarket, VIX_SYMBOLS } from '../market/market-view.ts';
import { readStockView, type SymbolTape } from '../tape/index.ts';
import { DailyPrices } from './daily-prices.ts';
import { type BestCell, CountColumns, type RecordFigures, recordsOfCounts } from './estimate/record.ts';
import { type ExpirationClaimsWork, expirationClaims } from './expiration-claims.ts';
import {
  CLAIMS,
  type ClaimKind,
  type DateRegime,
  type DayRegime,
  type DaySums,
  dayRegime,
  type GammaRegime,
  isOfSide,
  type ProbabilityBin,
  SIDE_FIELDS,
  SUM_FIELDS,
  type Sum,
  type SymbolClaims,
} from './kinds.ts';
import { type LevelClaimsWork, levelClaims } from './level-claims.ts';
import { type PatternClaimsWork, patternClaims } from './pattern-claims.ts';
import { type PlaybookClaimsWork, playbookClaims } from './playbook-claims.ts';
import {
  type DivergenceClaimsWork,
  divergenceClaims,
  type ScoreClaimsWork,
  scoreClaims,
} from './ranking-claims.ts';
import { type SwingClaimsWork, swingClaims } from './swing-claims.ts';

/** Counts claims away from the event loop. */
export interface ClaimCounter {
  /** What became of the claims of some dates. */
  claims(work: ClaimsWork, options?: WorkOptions): Promise<FoundClaims>;
  records(work: RecordsWork, options?: WorkOptions): Promise<CountedRecords>;
  /** The regime of the volatility index before each date, in order; null where unknown. */
  regimes(request: RegimesWork, options?: WorkOptions): Promise<DateRegime[][]>;
}

/** Claims of one kind on some dates. */
export type ClaimsWork =
  | ({ readonly of: 'level' } & LevelClaimsWork)
  | ({ readonly of: 'pattern' } & PatternClaimsWork)
  | ({ readonly of: 'playbook' } & PlaybookClaimsWork)
  | ({ readonly of: 'swing_playbook' } & SwingClaimsWork)
  | ({ readonly of: 'score' } & ScoreClaimsWork)
  | ({ readonly of: 'divergence' } & DivergenceClaimsWork)
  | ({ readonly of: 'expiration' } & ExpirationClaimsWork);

export interface FoundClaims {
  /** Dates on which the kind could be observed, ascending, those without an event too. */
  readonly observed: readonly string[];
  readonly claims: readonly SymbolClaims[];
  /** By trade date and key what the date as a whole measured. */
  readonly measures: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By trade date JSON text of what the claims of the whole market rest on, where finding it again would take long. */
  readonly terms?: ReadonlyMap<string, string> | undefined;
  /** By trade date the bins of scores that are read as probabilities. */
  readonly bins?: ReadonlyMap<string, readonly ProbabilityBin[]>;
}

/** @param isCalledOff checked before each symbol; the result is not whole once it is true */
export function findClaims(source: TapeSource, work: ClaimsWork, isCalledOff: () => boolean): FoundClaims {
  if (work.of === 'level' || work.of === 'playbook' || work.of === 'expiration') {
    const claims =
      work.of === 'expiration'
        ? expirationClaims(source, work, isCalledOff)
        : (work.of === 'level' ? levelClaims : playbookClaims)(source, work, isCalledOff);
    const observed = [...new Set(claims.map(({ tradeDate }) => tradeDate))].sort();
    return { observed, claims, measures: new Map() };
  }
  if (work.of === 'pattern') return { ...patternClaims(source, work, isCalledOff), measures: new Map() };
  if (work.of === 'swing_playbook') return { ...swingClaims(source, work, isCalledOff), measures: new Map() };
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
  /** Of `INDEX_SYMBOLS`, with the chains of the dates and of the sessions before them. */
  readonly indices: readonly SymbolTape[];
  /** Ascending. */
  readonly dates: readonly string[];
}

/**
 * The regimes that a trader reads before the open of each date: of the volatility index, and of the dealers' gamma in the
 * newest chain of the index; those that are known.
 */
export function regimesOf(source: TapeSource, { tapes, indices, dates }: RegimesWork): DateRegime[][] {
  const { reader, calendar } = source;
  const [first, last] = [dayOf(dates[0]!), dayOf(dates.at(-1)!)];
  const volatility = inOrderOf(VIX_SYMBOLS, tapes).map(
    (tape) => new DailyPrices(reader, tape, calendar, { first, last }),
  );
  const chained = inOrderOf(INDEX_SYMBOLS, indices).filter(({ chains }) => chains.length > 0);
  return dates.map((date) => {
    const prior = calendar.previousSession(date);
    if (prior === null) return [];
    const index = volatility.find((prices) => prices.rowOn(dayOf(prior)) >= 0);
    const vix = index?.inSharesOf(dayOf(prior)).close[index.rowOn(dayOf(prior))];
    const gamma = gammaRegimeOn(source, chained, date, prior);
    const regime = vix === undefined ? null : vixRegime(vix);
    return [...(regime === null ? [] : [regime]), ...(gamma === null ? [] : [gamma])];
  });
}

const inOrderOf = (symbols: readonly string[], tapes: readonly SymbolTape[]): SymbolTape[] =>
  symbols.flatMap((symbol) => tapes.filter((tape) => tape.symbol === symbol));

/** Null without a chain that was taken between the session before the last one and the open. */
function gammaRegimeOn(
  { reader, calendar }: TapeSource,
  tapes: readonly SymbolTape[],
  date: string,
  prior: string,
): GammaRegime | null {
  const { open } = calendar.session(date)!;
  for (const tape of tapes) {
    const view = unlessDamaged(() => [readStockView(reader, tape, calendar, prior, open)])[0] ?? null;
    if (view === null || view.chain === null) continue;
    const { gex_regime: regime } = deriveWith(gex, view, unknownMarket(prior, open)).flat;
    if (regime !== null) return regime === 'neutral' ? 'neutral_gamma' : regime;
  }
  return null;
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
  const { kind, counts, asOf, isExplored } = work;
  const columns =
    typeof counts === 'string' ? CountColumns.unpack(counts) : columnsOf(counts, work.dayRegime);
  const isClosed = (tradeDate: string, horizon: number): boolean => {
    const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + horizon);
    return end !== null && end.close <= asOf;
  };
  const { records: all, best } = recordsOfCounts(kind, columns, isClosed, isExplored);
  // Of what came since the counts are served, without verdicts.
  const since = columns.since(CLAIMS[kind].releasedAt);
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
