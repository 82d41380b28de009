import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createBacktester } from './backtester.ts';
import { type Calendar, createCalendar, newYorkCalendar, readCalendarData } from './base/calendar.ts';
import { onChange } from './base/changes.ts';
import { fixedClock, type PacedClock, systemClock } from './base/clock.ts';
import { openDatabase } from './base/database.ts';
import { CodedError } from './base/errors.ts';
import { idleLiveStatus } from './base/live-status.ts';
import { migrate } from './base/migrate.ts';
import { SCREEN_CATALOGUE } from './blocks/projection.ts';
import type { Config } from './config.ts';
import { createDeriver } from './deriver.ts';
import { createDiffuser } from './diffuser.ts';
import { chooseEmbedder } from './embedder.ts';
import { keepScreenCatalogue } from './graph/screen-rows.ts';
import { openTape, tapeDirectory } from './market/tape/index.ts';
import { AnswerCache, WHOLE_MARKET } from './operations/answer-cache.ts';
import { placesOf } from './operations/compute-diffusion.ts';
import { TopologyMemory } from './operations/diffuser.ts';
import { MarketMemory } from './operations/market-memory.ts';
import { PeersOnDemand } from './operations/peers-on-demand.ts';
import { HeldScreens, ImageMemory } from './operations/screener/index.ts';
import { StateMemory } from './operations/state-memory.ts';
import type { World } from './operations/world.ts';
import { createScreener } from './screener.ts';
import { createStateScanner } from './state-scanner.ts';
import type { LiveWorld } from './sync/live-session.ts';
import { findPeers } from './sync/topology-pass.ts';

/** Everything that runs, wired together in one place. */
export interface App {
  readonly config: Config;
  readonly world: World & LiveWorld;
  /** The HTTP face, not yet listening. */
  server(): Promise<FastifyInstance>;
  /** Resolves once the sessions that callers have asked for are measured against their peers. */
  peersMeasured(): Promise<void>;
  close(): Promise<void>;
}

const MEGABYTE = 1_048_576;
const MINUTE_MS = 60_000;
/** A probe that gets no answer learns nothing; what the store has not answered by then, no caller would wait for. */
const READY_WITHIN_MS = 1_000;

/**
 * Opens the data directory (or the database at `DATABASE_URL`), brings its schema up to date and builds the world.
 *
 * @param clock what the world takes for the time of day; by default the machine's, or the instant of `TIGRAPH_NOW`
 * @throws CodedError bad_setting, data_directory_locked, data_newer_than_program, database_unavailable
 */
export async function openApp(config: Config, clock: PacedClock = clockOf(config)): Promise<App> {
  const calendar = calendarOf(config);
  // The first derivation thread loads its code while the database opens.
  const workerData = {
    tapeDirectory: tapeDirectory(config.dataDirectory),
    calendarPath: config.calendarFile ?? null,
  };
  const deriver = createDeriver(workerData, config.workers);
  const database = await openDatabase(config).catch(async (error) => {
    await deriver.close();
    throw error;
  });
  await migrate(database);
  await keepScreenCatalogue(database, SCREEN_CATALOGUE);
  const tape = await openTape(database, config.dataDirectory, calendar, clock);
  const answers = new AnswerCache(config.cacheMegabytes * MEGABYTE, config.answersUnderWayMax);
  const markets = new MarketMemory();
  const screener = { thread: createScreener(), images: new ImageMemory(database), held: new HeldScreens() };
  const diffuser = createDiffuser();
  const scanner = createStateScanner();
  const delayMs = config.delayMinutes * MINUTE_MS;
  const peersOnDemand = new PeersOnDemand(
    (dates) => findPeers({ database, tape, calendar, deriver, delayMs }, ...dates),
    (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  );
  const { embedder, absence: embedderAbsence } = chooseEmbedder(config);
  const backtester = createBacktester(workerData, join(config.dataDirectory, 'backtest'), config.workers);
  await onChange(database, (symbols) => {
    answers.forget(symbols === null ? null : [...symbols, WHOLE_MARKET]);
    markets.forget();
    screener.images.announce(symbols);
  });
  const world = {
    database,
    tape,
    calendar,
    clock,
    deriver,
    backtester,
    answers,
    markets,
    screener,
    states: new StateMemory(database, scanner, config.statesMegabytes * MEGABYTE),
    peersOnDemand,
    diffusion: config.diffusionEnabled
      ? { diffuser, topologies: new TopologyMemory(database, placesOf) }
      : null,
    embedder,
    embedderAbsence,
    live: idleLiveStatus(),
    queryTimeoutMs: config.queryTimeoutMs,
    delayMs,
  };
  return {
    config,
    world,
    async server() {
      // Most commands never listen, and this one can load while the database opens.
      const { createServer } = await import('./http/server.ts');
      const { openAccess } = await import('./operations/access/index.ts');
      // Tokens live by the true time of day also where the market's is replayed.
      const access = await openAccess({ database, clock: systemClock, delayMs: world.delayMs });
      const server = await createServer(world, {
        version: programVersion(),
        logLevel: config.logLevel,
        limits: config,
        viewers: { access, authRequired: config.authRequired, delayMs: world.delayMs },
        streams: { readersMax: config.streamsMax },
        isReady: () =>
          database.query('select 1', [], { signal: AbortSignal.timeout(READY_WITHIN_MS) }).then(
            () => true,
            () => false,
          ),
      });
      server.addHook('onClose', () => access.close());
      return server;
    },
    peersMeasured: () => peersOnDemand.settled(),
    async close() {
      peersOnDemand.close();
      await deriver.close();
      await peersOnDemand.settled();
      await diffuser.close();
      await screener.thread.close();
      await scanner.close();
      await embedder?.close();
      await backtester.close();
      await database.close();
    },
  };
}

const clockOf = ({ now }: Config): PacedClock =>
  now === undefined ? systemClock : fixedClock(Date.parse(now));

function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

function calendarOf({ calendarFile }: Config): Calendar {
  if (calendarFile === undefined) return newYorkCalendar();
  try {
    return createCalendar(readCalendarData(calendarFile));
  } catch (cause) {
    throw new CodedError('bad_setting', `TIGRAPH_CALENDAR: ${(cause as Error).message}.`, { cause });
  }
}
