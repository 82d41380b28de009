import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createCalendar, newYorkCalendar, readCalendarData } from './base/calendar.ts';
import { onChange } from './base/changes.ts';
import { fixedClock, systemClock } from './base/clock.ts';
import { openDatabase } from './base/database.ts';
import { migrate } from './base/migrate.ts';
import type { Config } from './config.ts';
import { createDeriver } from './deriver.ts';
import { createServer } from './http/server.ts';
import { openTape } from './market/tape/index.ts';
import { AnswerCache } from './operations/answer-cache.ts';
import type { World } from './operations/world.ts';
import type { SyncWorld } from './sync/graph-sync.ts';

/** Everything that runs, wired together in one place. */
export interface App {
  readonly config: Config;
  readonly world: World & SyncWorld;
  /** The HTTP face, not yet listening. */
  server(): Promise<FastifyInstance>;
  close(): Promise<void>;
}

const MEGABYTE = 1_048_576;
const MINUTE_MS = 60_000;

/**
 * Opens the data directory (or the database at `DATABASE_URL`), brings its schema up to date and builds the world.
 *
 * @throws CodedError bad_setting, data_directory_locked, data_newer_than_program, database_unavailable
 */
export async function openApp(config: Config): Promise<App> {
  const clock = config.now === undefined ? systemClock : fixedClock(Date.parse(config.now));
  const calendar =
    config.calendarFile === undefined
      ? newYorkCalendar()
      : createCalendar(readCalendarData(config.calendarFile));
  const database = await openDatabase(config);
  await migrate(database);
  const tape = await openTape(database, config.dataDirectory, systemClock.now());
  const deriver = createDeriver(
    { tapeDirectory: tape.directory, calendarPath: config.calendarFile ?? null },
    config.workers,
  );
  const answers = new AnswerCache(config.cacheMegabytes * MEGABYTE);
  await onChange(database, (symbols) => answers.forget(symbols));
  const world = {
    database,
    tape,
    calendar,
    clock,
    deriver,
    answers,
    queryTimeoutMs: config.queryTimeoutMs,
    delayMs: config.delayMinutes * MINUTE_MS,
  };
  return {
    config,
    world,
    server: () =>
      createServer(world, {
        version: programVersion(),
        logLevel: config.logLevel,
        bodyLimitBytes: config.bodyLimitBytes,
        viewers: {
          authRequired: config.authRequired,
          anonymous: { source: 'delayed', delayMs: world.delayMs },
        },
        isReady: () =>
          database.query('select 1').then(
            () => true,
            () => false,
          ),
      }),
    async close() {
      await deriver.close();
      await database.close();
    },
  };
}

function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

/** True when the data directory has never held anything. */
export const isFresh = (config: Config): boolean =>
  config.databaseUrl === undefined && !existsSync(join(config.dataDirectory, 'tape'));
