import { hash } from 'node:crypto';
import { DAY_MS, dateOf, midnightUtc, openCalendar } from '../base/calendar.ts';
import { isCoded } from '../base/errors.ts';
import { packTexts } from '../base/packed-text.ts';
import { Kept } from '../blocks/kept.ts';
import { type BarRowsRequest, barRows } from '../derive/bar-rows.ts';
import { type BarsAnswer, type BarsRequest, barsAnswer } from '../derive/bars-answer.ts';
import { chainAnswer } from '../derive/chain.ts';
import { deriveStock } from '../derive/compose.ts';
import { DERIVATION } from '../derive/derivation.ts';
import type {
  ChainAnswer,
  ChainRequest,
  ColumnsWork,
  DayOutcome,
  DayToDerive,
  DerivedColumns,
  DeriveJob,
  FailedDay,
  MarketRequest,
  MarketSnapshot,
  PeersWork,
  ScreenOutcome,
  StatesRequest,
  StoreOutcome,
} from '../derive/deriver.ts';
import { marketSnapshots } from '../derive/market.ts';
import { type DayMoments, dayMoments, type MomentsRequest } from '../derive/moments.ts';
import { newestSessions, type SessionsRequest } from '../derive/newest-session.ts';
import { type PanelPart, type PanelRequest, panelPart } from '../derive/panel.ts';
import type { MeasuredPeers } from '../derive/peer-topology.ts';
import { peersOfMonth } from '../derive/peers.ts';
import { projectStock, screenOf } from '../derive/projection.ts';
import { packColumns } from '../derive/scalar-columns.ts';
import { symbolStates } from '../derive/states.ts';
import type { ScreenRow } from '../derive/stock-day.ts';
import type { SymbolStates } from '../derive/stock-state.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { type TradesAnswer, type TradesRequest, tradesAnswer } from '../derive/trades-answer.ts';
import { type MarketView, unknownMarket } from '../market/market-view.ts';
import { type CountedRecords, type RecordsWork, recordsFrom } from '../records/count.ts';
import { type RegimesWork, regimesOf } from '../records/date-regimes.ts';
import { type ClaimKind, RECORD_KINDS } from '../records/index.ts';
import type { FoundClaims } from '../records/kind.ts';
import type { DateRegime } from '../records/regimes.ts';
import { readStockView, SegmentReader, WalkingReader } from '../tape/index.ts';
import { KeptParts } from '../tape/kept-parts.ts';
import { neighbouringDays } from '../tape/read-view.ts';
import { IMPATIENT_MS, PATIENT_MS, type SegmentLocation } from '../tape/segments/segment-store.ts';
import { unpackFacts } from '../tape/symbol-tape.ts';
import { fileShelf } from './shelf.ts';
import { lowerPriority, type PriorityLevel, threadEntry } from './thread.ts';

/** What derivation and backtest threads are started with. */
export interface TapeWorkerData {
  readonly segments: SegmentLocation;
  readonly calendarPath: string | null;
  /** Folder of what threads keep beyond the life of their process. */
  readonly shelf: string;
}

export interface DeriveThreadData extends TapeWorkerData {
  readonly level: PriorityLevel;
  /** What the thread may keep of parts of views. */
  readonly keptBytes: number;
  /** Its number among those of its level. */
  readonly place: number;
  /** Shared: one number, the bytes that the thread keeps of parts of views. */
  readonly kept: Float64Array;
}

export interface DaysTask {
  readonly kind: 'days';
  readonly jobs: readonly DeriveJob[];
  readonly markets: Readonly<Record<string, MarketView>>;
  /** Outcomes are `DayOutcome`, `ScreenOutcome` or `StoreOutcome`. */
  readonly form: 'answer' | 'screen' | 'stored';
  /** Of answers: see `DeriveOptions`. */
  readonly includes?: readonly string[] | undefined;
}

/** The work of one method of `Deriver`. */
export type DeriveWork =
  | DaysTask
  | ({ readonly kind: 'columns' } & ColumnsWork)
  | ({ readonly kind: 'market' } & MarketRequest)
  | ({ readonly kind: 'peers' } & PeersWork)
  | ({ readonly kind: 'states' } & StatesRequest)
  | ({ readonly kind: 'bars' } & BarsRequest)
  | ({ readonly kind: 'bar-rows' } & BarRowsRequest)
  | ({ readonly kind: 'panel' } & PanelRequest)
  | ({ readonly kind: 'trades' } & TradesRequest)
  | ({ readonly kind: 'moments' } & MomentsRequest)
  | ({ readonly kind: 'sessions' } & SessionsRequest)
  | ({ readonly kind: 'chain' } & ChainRequest)
  | { readonly kind: 'claims'; readonly of: ClaimKind; readonly work: unknown }
  | ({ readonly kind: 'regimes' } & RegimesWork)
  | { readonly kind: 'records'; readonly work: RecordsWork };

type AnyOutcome = DayOutcome | ScreenOutcome | StoreOutcome;

export type DeriveTask = DeriveWork & {
  /** Whether it bears a bucket that fails for a while; a caller who waits is told at once. */
  readonly isPatient: boolean;
  /** Shared: not 0 once the caller has cancelled. */
  readonly calledOff: Int32Array;
};

export type TaskOutcome =
  | AnyOutcome[]
  | DerivedColumns
  | MarketSnapshot[]
  | MeasuredPeers
  | SymbolStates[]
  | ChainAnswer
  | FoundClaims
  | FoundClaims[]
  | CountedRecords
  | (string | null)[]
  | DateRegime[][]
  | (ScreenRow | null)[]
  | BarsAnswer
  | PanelPart
  | TradesAnswer
  | DayMoments
  | null;

export function open(data: DeriveThreadData): (task: DeriveTask) => TaskOutcome {
  const { segments, calendarPath, shelf, level, keptBytes, place } = data;
  lowerPriority(level);
  const parts = new KeptParts(keptBytes);
  const reader = new SegmentReader(segments, parts);
  const source = { reader, calendar: openCalendar(calendarPath) };
  const kept = new Kept(fileShelf(shelf, DERIVATION, `${level}-${place}`));
  const walk = { ...source, reader: new WalkingReader(segments) };
  return (task) => {
    for (const each of [reader, walk.reader]) each.retryFor(task.isPatient ? PATIENT_MS : IMPATIENT_MS);
    const isCalledOff = (): boolean => Atomics.load(task.calledOff, 0) !== 0;
    if (task.kind === 'market') return marketSnapshots(source, task, isCalledOff);
    if (task.kind === 'peers') return peersOfMonth(source, task, isCalledOff);
    if (task.kind === 'states') return symbolStates(source, task, isCalledOff);
    if (task.kind === 'sessions') return newestSessions(source, task);
    if (task.kind === 'bars') return barsAnswer(source, task);
    if (task.kind === 'panel') return panelPart(source.calendar, task);
    if (task.kind === 'trades') return tradesAnswer(task);
    if (task.kind === 'chain') return chainAnswer(source, task, kept);
    if (task.kind === 'claims') return RECORD_KINDS[task.of].find(walk, task.work as never, isCalledOff);
    if (task.kind === 'regimes') return regimesOf(source, task);
    if (task.kind === 'records') return recordsFrom(source, task.work);
    if (task.kind === 'moments') {
      const tape = unpackFacts(task.tape, parts);
      return dayMoments(walk, { ...task, tape }, kept, isCalledOff);
    }
    if (task.kind === 'bar-rows') return barRows(walk, task, isCalledOff);
    const ground = { source, walk, kept, parts };
    const derive = task.kind === 'columns' ? deriveColumns : deriveDays;
    try {
      return derive(ground, task as never, isCalledOff);
    } finally {
      data.kept[0] = parts.bytes;
    }
  };
}

export default threadEntry(open, (outcome) =>
  outcome !== null && 'body' in outcome && typeof outcome.body !== 'string' ? outcome.body.buffer : null,
);

interface Ground {
  readonly source: TapeSource;
  /** For symbols with several days. */
  readonly walk: TapeSource;
  readonly kept: Kept;
  readonly parts: KeptParts;
}

function deriveColumns(
  ground: Ground,
  { job, markets, stored, kept }: ColumnsWork,
  isCalledOff: () => boolean,
): DerivedColumns {
  const outcomes = deriveDays(ground, { jobs: [job], markets, form: 'screen' }, isCalledOff);
  const failed = outcomes.findIndex(({ kind }) => kind === 'failed');
  const before = (failed < 0 ? outcomes : outcomes.slice(0, failed)) as ScreenOutcome[];
  const derived = before.filter((outcome) => outcome.kind === 'derived');
  const rows = derived.map(({ screen }) => screen);
  return {
    tradeDates: derived.map(({ tradeDate }) => tradeDate),
    parts: rows.length === 0 ? {} : packColumns(stored, kept, rows),
    failure: failed < 0 ? null : (outcomes[failed] as FailedDay),
  };
}

function deriveDays(
  { source, walk, kept, parts }: Ground,
  task: Omit<DaysTask, 'kind'>,
  isCalledOff: () => boolean,
): AnyOutcome[] {
  const outcomes: AnyOutcome[] = [];
  for (const { tape: packed, days } of task.jobs) {
    if (isCalledOff()) return outcomes;
    const job = { tape: unpackFacts(packed, days.length > 1 ? null : parts), days };
    for (const day of days) {
      if (isCalledOff()) return outcomes;
      outcomes.push(deriveDay(days.length > 1 ? walk : source, job, day, task, kept));
    }
  }
  return outcomes;
}

function deriveDay(
  { reader, calendar }: TapeSource,
  { tape }: DeriveJob,
  { tradeDate, asOf, peers }: DayToDerive,
  { markets, form, includes: wanted }: Omit<DaysTask, 'kind'>,
  kept: Kept,
): AnyOutcome {
  const { symbol } = tape;
  try {
    const view = readStockView(reader, tape, calendar, tradeDate, asOf);
    if (view === null) return { kind: 'missing', symbol, tradeDate, ...neighbours(reader, tape, tradeDate) };
    const market = markets[tradeDate] ?? unknownMarket(tradeDate, asOf);
    const compared = { ...view, peers };
    const name = { kind: 'derived', symbol, tradeDate, asOf } as const;
    const isFinal = asOf === calendar.session(tradeDate)!.end;
    if (form === 'screen') {
      const screen = screenOf(compared, market, kept);
      return { ...name, isFinal, digest: screen.digest, screen };
    }
    const { core, includes, relations, values } = deriveStock(compared, market, kept, wanted);
    const texts = { core, ...includes };
    if (form === 'answer') return { ...name, facts: texts };
    return {
      ...name,
      isFinal,
      derivation: DERIVATION,
      digest: hash('sha1', `${Object.values(texts).join('\n')}\n${JSON.stringify(relations)}`),
      facts: packTexts(texts),
      relations,
      screen: projectStock(values),
    };
  } catch (error) {
    const code = isCoded(error) ? error.code : 'internal';
    const message =
      code === 'internal' && error instanceof Error
        ? (error.stack ?? error.message)
        : (error as Error).message;
    return { kind: 'failed', symbol, tradeDate, code, message };
  }
}

function neighbours(reader: SegmentReader, tape: DeriveJob['tape'], tradeDate: string) {
  const { before, after } = neighbouringDays(reader, tape, midnightUtc(tradeDate) / DAY_MS);
  const dateOrNull = (day: number | null): string | null => (day === null ? null : dateOf(day * DAY_MS));
  return { before: dateOrNull(before), after: dateOrNull(after) };
}
