import type { Calendar } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../database/database.ts';
import type { Embedder } from '../base/embedder.ts';
import type { LiveStatus } from '../market/feed.ts';
import type { Deriver } from '../derive/deriver.ts';
import type { Tape } from '../market/tape/index.ts';
import type { AnswerCache } from './stocks/answer-cache.ts';
import type { Backtester } from '../workers/backtester.ts';
import type { Diffuser } from '../workers/task-threads.ts';
import type { TopologyCache } from './diffusion/topology-cache.ts';
import type { MarketCache } from './market/market-cache.ts';
import type { PeersOnDemand } from './stocks/peers-on-demand.ts';
import type { ScreenerContext } from './screener/screener-context.ts';
import type { QueryVectors } from './chat/query-vectors.ts';
import type { StateCache } from './chat/state-cache.ts';

export type { Viewer } from './access/viewer.ts';

/** What operations stand on. The composition root builds it once; nothing below reaches for a global. */
export interface AppContext {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly deriver: Deriver;
  readonly backtester: Backtester;
  readonly answers: AnswerCache;
  readonly markets: MarketCache;
  readonly screener: ScreenerContext;
  readonly states: StateCache;
  readonly peersOnDemand: Pick<PeersOnDemand, 'ask'>;
  /** Null where the operator has switched diffusion off. */
  readonly diffusion: { readonly diffuser: Diffuser; readonly topologies: TopologyCache } | null;
  /** The embeddings provider; null where none is configured. */
  readonly embedder: Embedder | null;
  readonly queryVectors: Pick<QueryVectors, 'of'>;
  /** How the live feed of this process fares. */
  readonly live: LiveStatus;
  readonly queryTimeoutMs: number;
}
