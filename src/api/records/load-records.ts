import { LRUCache } from 'lru-cache';
import type { Verdict } from '../../analysis/records/verdicts.ts';
import { NEVER } from '../../base/abortable.ts';
import { lastClose } from '../../base/calendar.ts';
import type { Database } from '../../database/database.ts';
import type { CountedRecords } from '../../records/count.ts';
import type { BestCell, RecordFigures } from '../../records/estimate/record.ts';
import { type ClaimKind, RECORD_KINDS } from '../../records/index.ts';
import { DAY_REGIMES, type DayRegime } from '../../records/regimes.ts';
import {
  areFiguresOf,
  claimVersion,
  readClaimDays,
  readCounts,
  readFigures,
  readWholeMarket,
} from '../../records/store.ts';
import type { AppContext } from '../context/app-context.ts';

/** What of a kind is counted. */
export interface RecordsQuestion {
  /** Records of the simulated market count nothing of the real one, nor the other way. */
  readonly simulated: boolean;
  readonly kind: ClaimKind;
  /** Null for all; of others the figures are explored, and have no verdict. */
  readonly symbols: readonly string[] | null;
  readonly regime?: string | undefined;
  /** Trade dates, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

export type WireRecord = ReturnType<typeof wireRecord>;
export type WireBest = ReturnType<typeof wireBest>;

/** Each key of a kind once, and the best of those tested; null of what a caller chose, and where none was. */
export interface LoadedRecords {
  readonly records: readonly WireRecord[];
  readonly best: WireBest | null;
}

/** Records by what was asked at which close; some kilobytes each. */
const KEPT_MAX = 200;
const kept = new WeakMap<Database, LRUCache<string, LoadedRecords, () => Promise<LoadedRecords>>>();

type LoadContext = Pick<AppContext, 'database' | 'calendar' | 'deriver'>;

/** The records of a kind as of the last close before an instant. */
export async function loadRecords(
  { database, calendar, deriver }: LoadContext,
  question: RecordsQuestion,
  signal?: AbortSignal,
): Promise<LoadedRecords> {
  const { simulated, kind, symbols, regime, from, to } = question;
  const asOf = lastClose(calendar, question.asOf);
  const version = await claimVersion(database, { signal });
  const cache = kept.getOrInsertComputed(
    database,
    () =>
      new LRUCache({
        max: KEPT_MAX,
        ignoreFetchAbort: true,
        fetchMethod: (_key, _former, { context: make }) => make(),
      }),
  );
  const key = JSON.stringify([version, simulated, kind, symbols, regime, from, to, asOf]);
  return cache.forceFetch(key, { context: make });

  // Shared by all who ask meanwhile, so that the signal of one does not end it.
  async function make(): Promise<LoadedRecords> {
    const { version: formula } = RECORD_KINDS[kind];
    const isExplored = symbols !== null || regime !== undefined || from !== undefined || to !== undefined;
    const stored = isExplored ? null : await readFigures(database, simulated, kind);
    if (areFiguresOf(stored, { formula, version, asOf })) return wireRecords(JSON.parse(stored.figures));
    const kept = isExplored ? null : await readCounts(database, simulated, kind, { formula, version });
    const dayRegime = DAY_REGIMES.find((known) => known === regime) ?? null;
    const counted = await deriver.records(
      { kind, counts: kept ?? (await rowsAsked(formula, dayRegime)), asOf, isExplored, dayRegime },
      // Before passes: somebody waits for it.
      { signal: NEVER },
    );
    return wireRecords(counted);
  }

  async function rowsAsked(formula: number, dayRegime: DayRegime | null) {
    const whole = await readWholeMarket(database, simulated, kind, formula);
    const rows = symbols === null ? whole : await readClaimDays(database, simulated, kind, formula, symbols);
    const isWanted = ({ tradeDate, regime: own }: (typeof whole)[number]): boolean =>
      (from === undefined || tradeDate >= from) &&
      (to === undefined || tradeDate <= to) &&
      (regime === undefined || dayRegime !== null || (own ?? '').split(' ').includes(regime));
    const bySymbol = Map.groupBy(rows, ({ tradeDate }) => tradeDate);
    // A date without an event of these symbols counts too.
    return whole
      .filter(isWanted)
      .flatMap(({ tradeDate }) => bySymbol.get(tradeDate) ?? [{ tradeDate, sums: '{}' }])
      .map(({ tradeDate, sums }) => ({ tradeDate, sums }));
  }

  function wireRecords({ all, best, since }: CountedRecords): LoadedRecords {
    return {
      records: all.map((own, at) => wireRecord(kind, own, since[at]!, { simulated, regime: regime ?? null })),
      best: best === null ? null : wireBest(kind, best, simulated),
    };
  }
}

const rounded = (value: number | null | undefined): number | null =>
  value == null ? null : Math.round(value * 1e6) / 1e6;

function wireRecord(
  kind: ClaimKind,
  own: RecordFigures,
  since: RecordFigures,
  { simulated, regime }: { readonly simulated: boolean; readonly regime: string | null },
) {
  const { version, releasedAt, horizonOf } = RECORD_KINDS[kind];
  return {
    id: `${kind}.${own.key}`,
    kind,
    key: own.key,
    regime,
    horizon_sessions: horizonOf(own.key),
    ...countsOf(own),
    edge: rounded(own.edge?.value),
    edge_low: rounded(own.edge?.low),
    edge_high: rounded(own.edge?.high),
    correlation: rounded(own.correlation?.value),
    correlation_low: rounded(own.correlation?.low),
    correlation_high: rounded(own.correlation?.high),
    mean_r: rounded(own.gain?.value),
    mean_r_low: rounded(own.gain?.low),
    mean_r_high: rounded(own.gain?.high),
    chance_r: rounded(own.gain?.chance),
    reliability: wireReliability(own),
    shared_with: own.sharedWith.map(({ key, share }) => ({ key, share: rounded(share)! })),
    tested: own.tested,
    q: rounded(own.q),
    verdict: own.verdict as Verdict,
    simulated,
    formula_version: version,
    released_at: releasedAt,
    since: countsOf(since),
  };
}

const wireReliability = ({ reliability }: RecordFigures) =>
  reliability && {
    n: reliability.n,
    miscalibration: rounded(reliability.miscalibration)!,
    discrimination: rounded(reliability.discrimination)!,
    uncertainty: rounded(reliability.uncertainty)!,
    bins: reliability.bins.map(({ n, forecast, observed }) => ({
      forecast: rounded(forecast)!,
      observed: rounded(observed)!,
      n,
    })),
  };

const wireBest = (kind: ClaimKind, { key, edge, p, of }: BestCell, simulated: boolean) => ({
  kind,
  key,
  edge: rounded(edge)!,
  p: rounded(p)!,
  of,
  simulated,
});

const countsOf = (own: RecordFigures) => ({
  n: own.n,
  dates: own.dates,
  true: own.true,
  undecided: own.undecided,
  gap: own.gap,
  gone: own.gone,
  ambiguous: own.ambiguous,
  controls: own.controls,
  rate: rounded(own.rate?.value),
  low: rounded(own.rate?.low),
  high: rounded(own.rate?.high),
  chance: rounded(own.chance),
});
