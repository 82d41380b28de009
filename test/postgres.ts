/**
 * Runs tests on servers that are started for them: a PostgreSQL in place of the embedded database, an S3-compatible store,
 * and the program of a NATS server for the tests that start one. Without one of the last two its tests are skipped.
 *
 *   npm run test:postgres                      every test that has a database
 *   npm run test:postgres -- test/service/api  those of a folder
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findNats } from './engines/nats.ts';
import { findObjectStore, startObjectStore } from './engines/object-store.ts';
import { findPostgres, startPostgres } from './engines/postgres.ts';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const PROJECTS = ['--project', 'service', '--project', 'process'];

/** The program of an engine; null where it cannot be had, which is said. */
function found(what: string, find: () => string): string | null {
  try {
    return find();
  } catch (error) {
    console.log(`${what}: ${(error as Error).message}`);
    return null;
  }
}

const programs = found('skipped', findPostgres);
if (programs !== null) {
  const nats = found('without NATS', findNats);
  const python = found('without an object store', findObjectStore);
  await using engines = new AsyncDisposableStack();
  const store = python === null ? null : await startObjectStore(python);
  if (store !== null) engines.defer(store.stop);
  const server = await startPostgres(programs);
  engines.defer(server.stop);
  console.log(`on PostgreSQL ${server.version}`);
  const tests = spawn(process.execPath, [VITEST, 'run', ...PROJECTS, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_URL: server.url,
      POSTGRES_PROGRAMS: programs,
      ...(nats !== null && { NATS_SERVER: nats }),
      ...(store !== null && { TIGRAPH_TEST_S3: store.url }),
    },
  });
  const [code] = await once(tests, 'exit');
  process.exitCode = (code as number | null) ?? 1;
}
