import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AnswerCache, WHOLE_MARKET } from './api/context/answer-cache.ts';
import type { AppContext } from './api/context/app-context.ts';
import { ColumnCache } from './api/context/column-cache.ts';
import { PeersOnDemand } from './api/context/peers-on-demand.ts';
import { QueryVectors } from './api/context/query-vectors.ts';
import { ResultCache } from './api/context/result-cache.ts';
import { StateCache } from './api/context/state-cache.ts';
import { SymbolIndex } from './api/context/symbol-index.ts';
import { TapeCache } from './api/context/tape-cache.ts';
import { TopologyCache } from './api/context/topology-cache.ts';
import { type Calendar, openCalendar } from './base/calendar.ts';
import { clockOn, fixedClock, type PacedClock, replayClock, systemClock } from './base/clock.ts';
import { MINUTE_MS } from './base/dates.ts';
import { CodedError, type ErrorCode, isCoded } from './base/errors.ts';
import { Metrics } from './base/metrics.ts';
import { Scope } from './base/scope.ts';
import { realTimers, type Timers } from './base/timers.ts';
import { NO_TRACING, type Tracing } from './base/tracing.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config.ts';
import { onChange } from './database/changes.ts';
import { type Database, type DatabaseOptions, hasCluster, openDatabase } from './database/database.ts';
import { chooseAnnouncements } from './database/installation.ts';
import { fileLeases, type Leases, rowLeases, watchLeases } from './database/leases.ts';
import { migrate, readApplied, readMigrations } from './database/migrate.ts';
import { untilServed } from './database/serving-processes.ts';
import { refuseHalfRestored } from './database/unfinished-restore.ts';
import { SCREEN_CATALOGUE } from './derive/projection.ts';
import type { Embedder } from './graph/embedder.ts';
import { httpEmbedder } from './graph/http-embedder.ts';
import { writeScreenCatalogue } from './graph/screen-rows.ts';
import { idleLiveStatus } from './market/feed.ts';
import { bucketAddress } from './market/segments/bucket-address.ts';
import { directoryStore, refuseLoneTape } from './market/segments/directory-store.ts';
import type { SegmentStore } from './market/segments/segment-store.ts';
import { type MarketView, openTape } from './market/tape/index.ts';
import type { LiveContext } from './pipeline/live-session.ts';
import { findPeers } from './pipeline/topology-pass.ts';
import { createBacktester } from './workers/backtester.ts';
import { createDeriver } from './workers/deriver.ts';
import { type OpenPool, openThreadPool } from './workers/pool.ts';
import { createDiffuser, createScreener, createStateScanner } from './workers/task-threads.ts';

type Server = Awaited<ReturnType<typeof import('./api/server/server.ts').createServer>>;

interface ServerChoice {
  /** Resolves when the first requests are as fast as later ones; the service is not ready before. */
  readonly warm?: Promise<void>;
  /** Whether this process executes backtests; true unless set. */
  readonly executesBacktests?: boolean;
  /** Aborts when the process is about to close: it is not ready any more, and still answers. */
  readonly draining?: AbortSignal;
}

/** The wired application. */
export interface App {
  readonly config: Config;
  readonly context: AppContext & LiveContext;
  /** Leases for work that one process of the installation does. */
  readonly leases: Leases;
  /** The HTTP server, not yet listening. */
  server(choice?: ServerChoice): Promise<Server>;
  /** The server of a process that answers no callers. */
  probeServer(): Promise<Server>;
  /** Makes the most frequent requests, which starts threads, compiles code and fills caches. */
  warmUp(onError: (error: unknown) => void): Promise<void>;
  /** Resolves once nothing runs in the background: what does, and what it starts, has ended or waits for time. */
  idle(): Promise<void>;
  /**
   * Resolves once every process that answers callers has acted on all that has been written so far.
   *
   * @returns how many processes answer callers
   */
  served(): Promise<number>;
  /** @throws Error that names background work which does not end */
  close(): Promise<void>;
}

/** Progress of creating or migrating a database: steps done, their number, and the present one. */
export type OnStage = (stage: {
  readonly done: number;
  readonly total: number;
  readonly detail: string;
}) => void;

const MEGABYTE = 1_048_576;
/** A year of dates, some megabytes. */
const MARKETS_MAX = 256;
/** Time that a readiness probe waits for the store and the tape. */
const READY_WITHIN_MS = 1_000;
/** An answer has as much time again for the search that follows. */
const PROVIDER_WAIT_MS = 1_000;

/**
 * Opens the data directory (or the database at `DATABASE_URL`), brings its schema up to date and wires the parts
 * together.
 *
 * @param clock by default the machine's, or the instant of `TIGRAPH_NOW`
 * @param timers of all background work
 * @param openPool creates the thread pools
 * @param onStage receives each step of creating or migrating a database
 * @throws CodedError bad_setting, bus_unavailable, data_directory_locked, data_newer_than_program, database_unavailable,
 *   tape_unavailable, tape_of_another_installation
 */
export async function openApp(
  config: Config,
  clock: PacedClock = clockOf(config),
  openPool: OpenPool = openThreadPool,
  onStage: OnStage = () => {},
  timers: Timers = realTimers,
): Promise<App> {
  const whole = new Scope('tigraph', timers);
  const scope = whole.child('background');
  const calendar = calendarOf(config);
  const metrics = new Metrics();
  const tracing = await tracingOf(config);
  const database = await openMigrated(config, { onStage, metrics, tracing });
  const bus = await openBus(config, database, whole, { tracing, metrics });
  const store = await openStore(config);
  const workerData = { segments: store.location, calendarPath: config.calendarFile ?? null };
  // Its first thread loads its code while the server is put together; before, the database takes that processor.
  const deriver = createDeriver(workerData, config.workers, openPool, { metrics, tracing });
  const closeStores = async (): Promise<void> => {
    await store.close();
    await bus?.close();
    await database.close();
    await tracing.close();
  };
  await writeScreenCatalogue(database, SCREEN_CATALOGUE);
  const tape = await openTape(database, store, calendar, clock).catch(async (error) => {
    await deriver.close();
    await closeStores();
    throw error;
  });
  const answers = new AnswerCache(config.cacheMegabytes * MEGABYTE, config.answersUnderWayMax);
  const markets = new LRUCache<string, Promise<MarketView>>({ max: MARKETS_MAX });
  const screener = {
    thread: createScreener(openPool),
    columns: new ColumnCache(database, scope),
    results: new ResultCache(undefined, timers.monotonic),
  };
  const tapes = new TapeCache(tape);
  const symbols = new SymbolIndex(database);
  const diffuser = createDiffuser(openPool);
  const scanner = createStateScanner(openPool);
  const delayMs = config.delayMinutes * MINUTE_MS;
  const peersOnDemand = new PeersOnDemand(
    scope,
    (dates) => findPeers({ database, tape, calendar, deriver, delayMs }, ...dates),
    (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  );
  const embedder = embedderOf(config);
  const backtester = createBacktester(
    workerData,
    join(config.dataDirectory, 'backtest'),
    config.workers,
    openPool,
  );
  await onChange(database, ({ symbols: changed, dates }) => {
    answers.forget(changed === null ? null : [...changed, WHOLE_MARKET], dates);
    markets.clear();
    screener.columns.announce(changed);
    symbols.announce(changed);
    if (dates === null) tapes.announce(changed);
  });
  const context = {
    scope,
    database,
    tape,
    tapes,
    calendar,
    clock,
    bus,
    deriver,
    backtester,
    answers,
    markets,
    screener,
    symbols,
    states: new StateCache(database, scanner, config.statesMegabytes * MEGABYTE),
    peersOnDemand,
    diffusion: config.diffusionEnabled ? { diffuser, topologies: new TopologyCache(database) } : null,
    embedder,
    queryVectors: new QueryVectors(
      embedder,
      ({ message }) => process.emitWarning(`Queries are answered by full-text search: ${message}`),
      { waitMs: Math.min(PROVIDER_WAIT_MS, config.queryTimeoutMs / 2), timers },
    ),
    metrics,
    tracing,
    live: idleLiveStatus(),
    queryTimeoutMs: config.queryTimeoutMs,
    delayMs,
    keepMonths: config.keepMonths,
    version: programVersion(),
  };
  async function unreadiness(): Promise<ErrorCode | null> {
    if (bus?.isHere() === false) return 'bus_unavailable';
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    return tape.isHere({ signal }).then(
      (isHere) => (isHere ? null : 'tape_damaged'),
      (error) =>
        isCoded(error, 'tape_unavailable') || isCoded(error, 'data_damaged')
          ? error.code
          : 'database_unavailable',
    );
  }
  return {
    config,
    context,
    leases: watchLeases(bus?.leases ?? leasesOf(config, database), metrics),
    async server({ warm = Promise.resolve(), executesBacktests = true, draining } = {}) {
      let isWarm = false;
      void warm.then(() => {
        isWarm = true;
      });
      // Most commands never listen.
      const { createServer } = await import('./api/server/server.ts');
      const { openAccess } = await import('./api/access/access.ts');
      // Tokens use the real time of day, also while the market's is replayed.
      const access = await openAccess({ database, clock: clockOn(timers), delayMs: context.delayMs, scope });
      const server = await createServer(context, {
        version: context.version,
        logLevel: config.logLevel,
        limits: config,
        viewers: { access, authRequired: config.authRequired, delayMs: context.delayMs },
        streams: { readersMax: config.streamsMax },
        backtests: executesBacktests ? {} : null,
        async unreadiness() {
          if (draining?.aborted) return 'shutting_down';
          return isWarm ? unreadiness() : 'starting_up';
        },
      });
      server.addHook('onClose', () => access.close());
      return server;
    },
    async probeServer() {
      const { createProbeServer } = await import('./api/server/probes.ts');
      return createProbeServer(context, { logLevel: config.logLevel, unreadiness });
    },
    async warmUp(onError) {
      const { warmUp } = await import('./api/server/warm-up.ts');
      await warmUp(context, onError);
    },
    async idle() {
      for (let started = -1; started !== whole.started; ) {
        started = whole.started;
        await whole.idle();
        await database.heard(await database.announced());
        await whole.idle();
      }
    },
    async served() {
      return untilServed(whole, database, await database.announced());
    },
    async close() {
      // What runs ends sooner without its threads.
      const [ended] = await Promise.allSettled([scope.close(), deriver.close()]);
      await diffuser.close();
      await screener.thread.close();
      await scanner.close();
      await backtester.close();
      await closeStores();
      if (ended.status === 'rejected') throw ended.reason;
    },
  };
}

/** Where the operator names no collector nothing is loaded. */
async function tracingOf({ tracesEndpoint }: Config): Promise<Tracing> {
  if (tracesEndpoint === undefined) return NO_TRACING;
  const { otlpTracing } = await import('./base/otlp-tracing.ts');
  return otlpTracing(tracesEndpoint, programVersion(), (message) =>
    process.emitWarning(`Traces are lost: ${message}`),
  );
}

/** Where the segment files of the tape lie: in the data directory, or in a bucket with a cache there. */
async function openStore(config: Config): Promise<SegmentStore> {
  const address = bucketAddress(config);
  if (address === null) return directoryStore(join(config.dataDirectory, 'tape'));
  const { bucketStore } = await import('./market/segments/bucket-store.ts');
  return bucketStore(address, {
    directory: join(config.dataDirectory, 'tape-cache'),
    limitBytes: config.tapeCacheMegabytes * MEGABYTE,
  });
}

/** The database with its schema brought up to date. */
async function openMigrated(
  config: Config,
  {
    onStage = () => {},
    ...watching
  }: { readonly onStage?: OnStage } & Pick<DatabaseOptions, 'metrics' | 'tracing'> = {},
): Promise<Database> {
  refuseHalfRestored(config.dataDirectory);
  const migrations = readMigrations();
  const total = migrations.length + 1;
  const isNew = config.databaseUrl === undefined && !hasCluster(config.dataDirectory);
  const refuseTape = (): void => {
    if (bucketAddress(config) === null) refuseLoneTape(join(config.dataDirectory, 'tape'));
  };
  if (isNew) {
    refuseTape();
    onStage({ done: 0, total, detail: 'making its files' });
  }
  const database = await openDatabase({ ...config, ...watching });
  try {
    if ((await readApplied(database)).length === 0) refuseTape();
    await migrate(database, migrations, ({ number, name }) => onStage({ done: number, total, detail: name }));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Connects to the bus of `NATS_URL`; without one PostgreSQL itself carries announcements. */
async function openBus(
  { natsUrl }: Config,
  database: Database,
  scope: Scope,
  { tracing, metrics }: { readonly tracing: Tracing; readonly metrics: Metrics },
): Promise<Bus | undefined> {
  try {
    if (natsUrl !== undefined) {
      const { openNatsBus } = await import('./bus/nats-bus.ts');
      return await openNatsBus(natsUrl, database, scope.child('bus'), { tracing, metrics });
    }
    if (database.kind === 'postgres') await chooseAnnouncements(database, false);
    return undefined;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Without a bus: of the machine that an embedded database is on, or of a PostgreSQL server. */
const leasesOf = ({ dataDirectory }: Config, database: Database): Leases =>
  database.kind === 'embedded' ? fileLeases(dataDirectory) : rowLeases(database, randomUUID());

/** The settings have been checked: a provider has an address and a model. */
const embedderOf = ({ embeddings, ...provider }: Config): Embedder | null =>
  embeddings === 'http'
    ? httpEmbedder({
        url: provider.embeddingsUrl!,
        model: provider.embeddingsModel!,
        apiKey: provider.embeddingsApiKey,
        dimensions: provider.embeddingsDimensions,
      })
    : null;

/** The setting is an instant, or one that runs from a real instant on: `INSTANT*SPEED@INSTANT`. */
function clockOf({ now }: Config): PacedClock {
  if (now === undefined) return systemClock;
  const [from, speed, since] = now.split(/[*@]/);
  return since === undefined
    ? fixedClock(Date.parse(from!))
    : replayClock({ from: Date.parse(from!), speed: Number(speed), since: Date.parse(since) });
}

/** Of `package.json`. */
export function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

function calendarOf({ calendarFile }: Config): Calendar {
  try {
    return openCalendar(calendarFile ?? null);
  } catch (cause) {
    throw new CodedError('bad_setting', `TIGRAPH_CALENDAR: ${(cause as Error).message}.`, { cause });
  }
}

/** Opens only the store, for commands without tape and threads, and closes it afterwards. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openMigrated(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
