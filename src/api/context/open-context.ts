import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { SharedWork } from '../../base/caller.ts';
import { onChange } from '../../database/changes.ts';
import { MARKETS } from '../../database/symbol-market.ts';
import type { MarketView } from '../../tape/index.ts';
import { createBacktester } from '../../workers/backtester.ts';
import type { TapeWorkerData } from '../../workers/derive-worker.ts';
import { createExporter } from '../../workers/exporter.ts';
import type { OpenPool } from '../../workers/pool.ts';
import { createDiffuser, createScreener, createStateScanner } from '../../workers/task-threads.ts';
import { AnswerCache, WHOLE_MARKET } from './answer-cache.ts';
import type { AppContext } from './app-context.ts';
import { ColumnCache } from './column-cache.ts';
import { HistoryRows } from './history-rows.ts';
import { viewAnnouncer } from './in-view.ts';
import { NewestDays } from './newest-days.ts';
import { peersOnDemand } from './peers-on-demand.ts';
import { openQueryVectors } from './query-vectors.ts';
import { resultCache } from './result-cache.ts';
import { StateCache } from './state-cache.ts';
import { symbolIndex } from './symbol-index.ts';
import { symbolMarkets } from './symbol-markets.ts';
import { tapeCache } from './tape-cache.ts';
import { topologyCache } from './topology-cache.ts';

const MEGABYTE = 1_048_576;
/** A year of dates, some megabytes. */
const MARKETS_MAX = 256;
/** An answer has as much time again for the search that follows. */
const PROVIDER_WAIT_MS = 1_000;

interface ContextSettings {
  readonly dataDirectory: string;
  readonly workers: number;
  readonly cacheMegabytes: number;
  readonly statesMegabytes: number;
  readonly answersUnderWayMax: number;
  readonly diffusionEnabled: boolean;
  readonly queryTimeoutMs: number;
}

type Below = Pick<
  AppContext,
  | 'scope'
  | 'database'
  | 'tape'
  | 'calendar'
  | 'clock'
  | 'bus'
  | 'deriver'
  | 'embedder'
  | 'live'
  | 'metrics'
  | 'notifying'
  | 'tracing'
>;

export interface OpenContext {
  readonly context: AppContext;
  close(): Promise<void>;
}

/** One for each market, which share nothing. */
function byMarket<Of>(make: (simulated: boolean) => Of): (simulated: boolean) => Of {
  const each = MARKETS.map(make);
  return (simulated) => each[+simulated]!;
}

function newestTopologies(database: Below['database']) {
  const caches = byMarket((simulated) => topologyCache(database, simulated));
  return (simulated: boolean) => caches(simulated)();
}

/**
 * Opens what use cases depend on: caches, which drop what announcements say has changed, and threads.
 *
 * @param findPeers measures the peers of sessions that nobody has measured
 */
export async function openContext(
  below: Below,
  settings: ContextSettings,
  openPool: OpenPool,
  workerData: TapeWorkerData,
  findPeers: Parameters<typeof peersOnDemand>[1],
  version: string,
): Promise<OpenContext> {
  const { scope, database, tape, embedder } = below;
  const { timers } = scope;
  const answers = new AnswerCache(
    settings.cacheMegabytes * MEGABYTE,
    settings.answersUnderWayMax,
    below.deriver.noteCaller,
  );
  const warn = (error: unknown): void => process.emitWarning(error instanceof Error ? error : String(error));
  const histories = new HistoryRows(scope, warn);
  const newestDays = new NewestDays(below.metrics);
  const markets = new LRUCache<string, SharedWork<MarketView>>({ max: MARKETS_MAX });
  const screener = {
    thread: createScreener(openPool),
    columns: byMarket((simulated) => new ColumnCache(database, scope, simulated)),
    results: resultCache(undefined, timers.monotonic),
  };
  const tapes = tapeCache(tape);
  const symbols = symbolIndex(database);
  const ofSymbols = symbolMarkets(database);
  const diffuser = createDiffuser(openPool);
  const scanner = createStateScanner(openPool);
  const directory = join(settings.dataDirectory, 'backtest');
  const backtester = createBacktester(workerData, directory, settings.workers, openPool);
  const exporter = createExporter();
  await onChange(database, (change) => {
    const { symbols: changed, dates } = change;
    histories.announce(change);
    newestDays.announce(changed);
    answers.forget(changed === null ? null : [...changed, WHOLE_MARKET], dates);
    for (const simulated of MARKETS) screener.columns(simulated).announce(changed);
    symbols.announce(changed);
    ofSymbols.announce(changed);
    // The name of a market has its date.
    for (const name of markets.keys())
      if (dates === null || dates.some((date) => name.includes(date))) markets.delete(name);
    if (dates === null) tapes.announce(changed);
  });
  return {
    context: {
      ...below,
      tapes,
      backtester,
      exporter,
      answers,
      histories,
      newestDays,
      markets,
      screener,
      symbols,
      symbolMarkets: ofSymbols,
      states: byMarket(
        (simulated) => new StateCache(database, scanner, settings.statesMegabytes * MEGABYTE, simulated),
      ),
      measurePeers: peersOnDemand(scope, findPeers, warn, settings.queryTimeoutMs / 2),
      diffusion: settings.diffusionEnabled ? { diffuser, newestTopology: newestTopologies(database) } : null,
      queryVectors: openQueryVectors(
        embedder,
        ({ message }) => process.emitWarning(`Queries are answered by full-text search: ${message}`),
        { waitMs: Math.min(PROVIDER_WAIT_MS, settings.queryTimeoutMs / 2), timers },
      ),
      noteView: viewAnnouncer(scope, database, below.calendar, below.clock),
      queryTimeoutMs: settings.queryTimeoutMs,
      version,
    },
    async close() {
      await exporter.close();
      await diffuser.close();
      await screener.thread.close();
      await scanner.close();
      await backtester.close();
    },
  };
}
