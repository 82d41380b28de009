import type { LRUCache } from 'lru-cache';
import type { Notifying } from '../../alerts/channels/channel.ts';
import type { Calendar } from '../../base/calendar.ts';
import type { SharedWork } from '../../base/caller.ts';
import type { Clock } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Scope } from '../../base/scope.ts';
import type { Tracing } from '../../base/tracing.ts';
import type { Bus } from '../../bus/bus.ts';
import type { Database } from '../../database/database.ts';
import type { Deriver } from '../../derive/deriver.ts';
import type { Embedder } from '../../graph/embedder.ts';
import type { LiveStatus } from '../../market/feed.ts';
import type { ClaimCounter } from '../../records/count.ts';
import type { MarketView, Tape } from '../../tape/index.ts';
import type { Backtester } from '../../workers/backtester.ts';
import type { Exporter } from '../../workers/exporter.ts';
import type { Diffuser, Screener } from '../../workers/task-threads.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { ColumnCache } from './column-cache.ts';
import type { HistoryRows } from './history-rows.ts';
import type { viewAnnouncer } from './in-view.ts';
import type { NewestDays } from './newest-days.ts';
import type { openQueryVectors } from './query-vectors.ts';
import type { ResultCache } from './result-cache.ts';
import type { StateCache } from './state-cache.ts';
import type { symbolIndex } from './symbol-index.ts';
import type { SymbolMarkets } from './symbol-markets.ts';
import type { tapeCache } from './tape-cache.ts';
import type { LoadedTopology } from './topology-cache.ts';

export type { Viewer } from '../access/viewer.ts';

/** What use cases depend on. The composition root builds it once; nothing below uses a global. */
export interface AppContext {
  /** Of all background work of the process. */
  readonly scope: Scope;
  readonly database: Database;
  readonly tape: Tape;
  /** The same, of symbols that have not changed since the last use. */
  readonly tapes: Pick<ReturnType<typeof tapeCache>, 'symbolTapes' | 'marketTapes'>;
  readonly calendar: Calendar;
  readonly clock: Clock;
  /** Hands work to other processes; absent where this process does all itself. */
  readonly bus?: Bus | undefined;
  readonly deriver: Deriver & ClaimCounter;
  readonly backtester: Backtester;
  readonly exporter: Pick<Exporter, 'encode'>;
  readonly answers: AnswerCache;
  readonly histories: HistoryRows;
  readonly newestDays: NewestDays;
  /** Markets derived on the spot, by market, date and instant; any change on the tape clears them. */
  readonly markets: LRUCache<string, SharedWork<MarketView>>;
  readonly screener: {
    readonly thread: Screener;
    /** Of the real or of the simulated market. */
    readonly columns: (simulated: boolean) => ColumnCache;
    readonly results: ResultCache;
  };
  readonly symbols: Pick<ReturnType<typeof symbolIndex>, 'all'>;
  readonly symbolMarkets: SymbolMarkets;
  /** Of the real or of the simulated market. */
  readonly states: (simulated: boolean) => StateCache;
  /**
   * Has completed sessions measured against their peers, and waits for that as long as an answer may. Returns by date and
   * symbol the divergences of those that may not be stored yet.
   */
  measurePeers(
    tradeDates: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
  /** Null if the operator has disabled diffusion. */
  readonly diffusion: {
    readonly diffuser: Diffuser;
    newestTopology(simulated: boolean): Promise<LoadedTopology | null>;
  } | null;
  /** The embeddings provider; null where none is configured. */
  readonly embedder: Embedder | null;
  readonly queryVectors: ReturnType<typeof openQueryVectors>;
  /** Where the parts of the process register what they measure. */
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Status of this process's live feed. */
  readonly live: LiveStatus;
  /** Says that a caller looks at a stock. */
  readonly noteView: ReturnType<typeof viewAnnouncer>;
  readonly queryTimeoutMs: number;
  /** By which servers alerts are delivered, and where they may go. */
  readonly notifying: Notifying;
  readonly version: string;
}
