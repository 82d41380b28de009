import type { Calendar } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/database.ts';
import type { Embedder } from '../base/embedder.ts';
import type { LiveStatus } from '../base/live-status.ts';
import type { Deriver } from '../blocks/deriver.ts';
import type { Tape } from '../market/tape/index.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Backtester } from './backtest/backtester.ts';
import type { Diffuser, TopologyMemory } from './diffuser.ts';
import type { MarketMemory } from './market-memory.ts';
import type { PeersOnDemand } from './peers-on-demand.ts';
import type { ScreenerWorld } from './screener/screener-world.ts';
import type { StateMemory } from './state-memory.ts';

export type { Viewer } from './viewer.ts';

/** What operations stand on. The composition root builds it once; nothing below reaches for a global. */
export interface World {
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly deriver: Deriver;
  readonly backtester: Backtester;
  readonly answers: AnswerCache;
  readonly markets: MarketMemory;
  readonly screener: ScreenerWorld;
  readonly states: StateMemory;
  readonly peersOnDemand: Pick<PeersOnDemand, 'ask'>;
  /** Null where the operator has switched diffusion off. */
  readonly diffusion: { readonly diffuser: Diffuser; readonly topologies: TopologyMemory } | null;
  /** Makes vectors of texts; null where there is none, for the reason beside it. */
  readonly embedder: Embedder | null;
  readonly embedderAbsence: string | null;
  /** How the live feed of this process fares. */
  readonly live: LiveStatus;
  readonly queryTimeoutMs: number;
}
