import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notifying } from './alerts/channels/channel.ts';
import type { AppContext } from './api/context/app-context.ts';
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
import type { Database } from './database/database.ts';
import { chooseAnnouncements } from './database/installation.ts';
import { fileLeases, type Leases, rowLeases, watchLeases } from './database/leases.ts';
import { untilServed } from './database/serving-processes.ts';
import type { Embedder } from './graph/embedder.ts';
import { idleLiveStatus } from './market/feed.ts';
import type { LiveContext } from './pipeline/live-session.ts';
import type { TextPassContext } from './pipeline/text-pass.ts';
import { openTape, type Tape } from './tape/index.ts';
import { type OnStage, openMigrated } from './tape/open-database.ts';
import { type BucketAddress, bucketAddress } from './tape/segments/bucket-address.ts';
import { directoryStore } from './tape/segments/directory-store.ts';
import type { SegmentStore } from './tape/segments/segment-store.ts';
import type { OpenPool } from './workers/pool.ts';

type Server = Awaited<ReturnType<typeof import('./api/server/server.ts').createServer>>;

export interface Opening {
  /** By default the machine's, or the instant of `TIGRAPH_NOW`. */
  readonly clock?: PacedClock | undefined;
  readonly openPool?: OpenPool | undefined;
  /** Receives each step of creating or migrating a database. */
  readonly onStage?: OnStage | undefined;
  /** Of all background work. */
  readonly timers?: Timers | undefined;
}

/** What a command that fills the tape needs: database, tape, and who has heard of what was written. */
export interface Store {
  readonly config: Config;
  readonly context: StoreContext;
  /** Leases for work that one process of the installation does. */
  readonly leases: Leases;
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

interface StoreContext {
  readonly scope: Scope;
  readonly database: Database;
  readonly tape: Tape;
  readonly calendar: Calendar;
  readonly clock: PacedClock;
  readonly bus: Bus | undefined;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Minimum age of data before callers without the real-time feed see it. */
  readonly delayMs: number;
  readonly keepMonths: number | undefined;
  readonly historySessions: number;
  readonly notifying: Notifying;
}

/** What a command that derives needs: the store, and threads for it. */
export interface Pipeline extends Store {
  readonly context: StoreContext & LiveContext & TextPassContext;
}

interface ServerChoice {
  /** Resolves once the first answer is there; the service is not ready before. */
  readonly warm?: Promise<void>;
  /** Whether this process executes backtests; true unless set. */
  readonly executesBacktests?: boolean;
  /** Aborts when the process is about to close: it is not ready any more, and still answers. */
  readonly draining?: AbortSignal;
}

/** What answers callers: the pipeline, and the caches and threads of use cases. */
export interface App extends Pipeline {
  readonly context: StoreContext & LiveContext & AppContext;
  /** The HTTP server, not yet listening. */
  server(choice?: ServerChoice): Promise<Server>;
  /** The server of a process that answers no callers. */
  probeServer(): Promise<Server>;
  /**
   * Makes the most frequent requests, which starts threads, compiles code and fills caches; resolves with the first, to what
   * makes the others.
   */
  warmUp(onError: (error: unknown) => void): Promise<() => void>;
}

const MEGABYTE = 1_048_576;
const IMPORT_THREAD = new URL('./cli/import-thread.ts', import.meta.url);
/** Time that a readiness probe waits for the store and the tape. */
const READY_WITHIN_MS = 1_000;

/**
 * Opens the data directory (or the database at `DATABASE_URL`) and brings its schema up to date.
 *
 * @throws CodedError bad_setting, bus_unavailable, data_directory_locked, data_newer_than_program, database_unavailable,
 *   tape_unavailable, tape_of_another_installation
 */
export const openStore = async (config: Config, opening: Opening = {}): Promise<Store> =>
  (await openParts(config, opening)).store;

/** What is there while the database still opens. */
interface Ground {
  readonly segments: SegmentStore;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/**
 * The store, and what follows with its parts but is not for commands.
 *
 * @param beside called when the thread of the database has started
 */
async function openParts(
  config: Config,
  { clock = clockOf(config), onStage, timers = realTimers }: Opening,
  beside: (ground: Ground) => void = () => {},
) {
  const whole = new Scope('tigraph', timers);
  const scope = whole.child('background');
  const calendar = calendarOf(config);
  const metrics = new Metrics();
  const { tracesEndpoint } = config;
  // A call that awaits neither has started the database's thread when it returns.
  const tracing = tracesEndpoint === undefined ? NO_TRACING : await tracingOf(tracesEndpoint);
  const address = bucketAddress(config);
  const segments =
    address === null ? directoryStore(join(config.dataDirectory, 'tape')) : await bucketOf(address, config);
  const opening = openMigrated({ ...config, metrics, tracing }, onStage);
  beside({ segments, metrics, tracing });
  const closeSegments = async (error: unknown): Promise<never> => {
    await segments.close();
    throw error;
  };
  const database = await opening.catch(closeSegments);
  const bus = await openBus(config, database, whole, { tracing, metrics }).catch(closeSegments);
  const closeAll = async (): Promise<void> => {
    await segments.close();
    await bus?.close();
    await database.close();
    await tracing.close();
  };
  const tape = await openTape(database, segments, calendar, clock).catch(async (error) => {
    await closeAll();
    throw error;
  });
  const store: Store = {
    config,
    context: {
      scope,
      database,
      tape,
      calendar,
      clock,
      bus,
      metrics,
      tracing,
      delayMs: config.delayMinutes * MINUTE_MS,
      keepMonths: config.keepMonths,
      historySessions: config.historySessions,
      notifying: {
        allowsPrivate: config.alertsPrivate,
        smtpUrl: config.smtpUrl,
        smtpFrom: config.smtpFrom,
        publicUrl: config.publicUrl,
      },
    },
    leases: watchLeases(bus?.leases ?? leasesOf(config, database), metrics),
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
      const [ended] = await Promise.allSettled([scope.close()]);
      await closeAll();
      if (ended.status === 'rejected') throw ended.reason;
    },
  };
  return { store, timers };
}

/** Opens the store and what derives from it; errors as those of `openStore`. */
export const openPipeline = async (config: Config, opening: Opening = {}): Promise<Pipeline> =>
  (await openDeriving(config, opening)).pipeline;

async function openDeriving(config: Config, opening: Opening, loadBeside: () => void = () => {}) {
  let deriving: ReturnType<typeof startDeriver> | undefined;
  const parts = await openParts(config, opening, (ground) => {
    deriving = startDeriver(config, opening, ground);
    loadBeside();
  }).catch(async (error) => {
    await (await deriving)?.deriver.close();
    throw error;
  });
  const { store } = parts;
  const { database } = store.context;
  const { deriver, openPool, workerData, noteProgram } = await deriving!;
  // What runs ends sooner without its threads. The store says what does not end.
  let ended: Promise<unknown> | null = null;
  const endWork = (): Promise<unknown> => {
    ended ??= Promise.allSettled([store.context.scope.close(), deriver.close()]);
    return ended;
  };
  await noteProgram(database);
  const pipeline: Pipeline = {
    ...store,
    context: { ...store.context, deriver, live: idleLiveStatus(), embedder: await embedderOf(config) },
    async close() {
      await endWork();
      await store.close();
    },
  };
  return { ...parts, pipeline, endWork, openPool, workerData };
}

/** Its first thread starts while the database opens, and this one loads meanwhile. */
async function startDeriver(config: Config, opening: Opening, { segments, metrics, tracing }: Ground) {
  const [{ createDeriver }, { openThreadPool }] = await Promise.all([
    import('./workers/deriver.ts'),
    import('./workers/pool.ts'),
  ]);
  const { openPool = openThreadPool } = opening;
  const workerData = {
    segments: segments.location,
    calendarPath: config.calendarFile ?? null,
    shelf: join(config.dataDirectory, 'kept'),
  };
  const deriver = createDeriver(workerData, config.workers, openPool, { metrics, tracing });
  const [{ writeScreenCatalogue }, { markOldDays }, { SCREEN_CATALOGUE }, { DERIVATION }] = await Promise.all(
    [
      import('./graph/screen-rows.ts'),
      import('./graph/stock-days.ts'),
      import('./derive/projection.ts'),
      import('./derive/derivation.ts'),
    ],
  );
  async function noteProgram(database: Database): Promise<void> {
    await writeScreenCatalogue(database, SCREEN_CATALOGUE);
    await markOldDays(database, DERIVATION);
  }
  return { deriver, openPool, workerData, noteProgram };
}

/** Opens everything that answers take; errors as those of `openStore`. */
export async function openApi(config: Config, opening: Opening = {}): Promise<App> {
  const load = () =>
    Promise.all([import('./api/context/open-context.ts'), import('./pipeline/topology-pass.ts')]);
  const { pipeline, endWork, openPool, workerData, timers } = await openDeriving(config, opening, load);
  const [{ openContext }, { findPeersOnce }] = await load();
  const { database, tape, bus, delayMs, scope } = pipeline.context;
  const opened = await openContext(
    pipeline.context,
    config,
    openPool,
    workerData,
    (dates, waiting) => findPeersOnce(pipeline.context, dates, waiting),
    programVersion(),
  );
  const context = { ...opened.context, ...pipeline.context };
  async function unreadiness(): Promise<ErrorCode | null> {
    if (bus?.isHere() === false) return 'bus_unavailable';
    const signal = AbortSignal.timeout(READY_WITHIN_MS);
    try {
      return (await tape.isHere({ signal })) ? null : 'tape_damaged';
    } catch (error) {
      const isOfStore = isCoded(error, 'tape_unavailable') || isCoded(error, 'data_damaged');
      return isOfStore ? error.code : 'database_unavailable';
    }
  }
  return {
    ...pipeline,
    context,
    async server({ warm = Promise.resolve(), executesBacktests = true, draining } = {}) {
      let isWarm = false;
      void warm.then(() => {
        isWarm = true;
      });
      // Most commands never listen.
      const { createServer } = await import('./api/server/server.ts');
      const { openAccess } = await import('./api/access/access.ts');
      // Tokens use the real time of day, also while the market's is replayed.
      const access = await openAccess({ database, clock: clockOn(timers), delayMs, scope });
      const server = await createServer(context, {
        version: context.version,
        logLevel: config.logLevel,
        limits: config,
        viewers: { access, authRequired: config.authRequired, delayMs },
        publicUrl: config.publicUrl,
        streams: { readersMax: config.streamsMax },
        backtests: executesBacktests ? {} : null,
        uploads: join(config.dataDirectory, 'uploads'),
        calendarPath: workerData.calendarPath,
        async importFiles(files, onProgress, signal) {
          const { importInThread } = await import('./workers/file-importer.ts');
          return importInThread(IMPORT_THREAD, { ...files, config }, timers, onProgress, signal);
        },
        async buildRecords(signal, onProgress) {
          const [{ bringRecordsUpToDate }, { behindReaders }] = await Promise.all([
            import('./pipeline/record-pass.ts'),
            import('./database/database.ts'),
          ]);
          const options = { range: {}, signal };
          await behindReaders(() => bringRecordsUpToDate(pipeline.context, options, onProgress));
        },
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
      return warmUp(context, onError);
    },
    async close() {
      await endWork();
      await opened.close();
      await pipeline.close();
    },
  };
}

async function tracingOf(tracesEndpoint: string): Promise<Tracing> {
  const { otlpTracing } = await import('./base/otlp-tracing.ts');
  return otlpTracing(tracesEndpoint, programVersion(), (message) =>
    process.emitWarning(`Traces are lost: ${message}`),
  );
}

/** The segment files of a tape in a bucket, with a cache in the data directory. */
async function bucketOf(address: BucketAddress, config: Config): Promise<SegmentStore> {
  const { bucketStore } = await import('./tape/segments/bucket-store.ts');
  return bucketStore(address, {
    directory: join(config.dataDirectory, 'tape-cache'),
    limitBytes: config.tapeCacheMegabytes * MEGABYTE,
  });
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
async function embedderOf({ embeddings, ...provider }: Config): Promise<Embedder | null> {
  if (embeddings !== 'http') return null;
  const { httpEmbedder } = await import('./graph/http-embedder.ts');
  return httpEmbedder({
    url: provider.embeddingsUrl!,
    model: provider.embeddingsModel!,
    apiKey: provider.embeddingsApiKey,
    dimensions: provider.embeddingsDimensions,
  });
}

/** The setting is an instant, or one that runs from a real instant on: `INSTANT*SPEED@INSTANT`. */
function clockOf({ now }: Config): PacedClock {
  if (now === undefined) return systemClock;
  const [from, speed, since] = now.split(/[*@]/);
  return since === undefined
    ? fixedClock(Date.parse(from!))
    : replayClock({ from: Date.parse(from!), speed: Number(speed), since: Date.parse(since) });
}

/** Of `package.json`. */
export const programVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

function calendarOf({ calendarFile }: Config): Calendar {
  try {
    return openCalendar(calendarFile ?? null);
  } catch (cause) {
    throw new CodedError('bad_setting', `TIGRAPH_CALENDAR: ${(cause as Error).message}.`, { cause });
  }
}
