/**
 * Runs tests on a PostgreSQL server that is started for them, in place of the embedded database.
 *
 *   npm run test:postgres                      every test that has a database
 *   npm run test:postgres -- test/service/api  those of a folder
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findNats } from './engines/nats.ts';
import { findPostgres, startPostgres } from './engines/postgres.ts';

/** The program of a NATS server, for the tests that start one. */
function natsProgram(): { readonly NATS_SERVER?: string } {
  try {
    return { NATS_SERVER: findNats() };
  } catch (error) {
    console.log(`without NATS: ${(error as Error).message}`);
    return {};
  }
}

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const PROJECTS = ['--project', 'service', '--project', 'process'];

let programs: string | null = null;
try {
  programs = findPostgres();
} catch (error) {
  console.log(`skipped: ${(error as Error).message}`);
}
if (programs !== null) {
  const server = await startPostgres(programs);
  console.log(`on PostgreSQL ${server.version}`);
  const tests = spawn(process.execPath, [VITEST, 'run', ...PROJECTS, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: server.url, POSTGRES_PROGRAMS: programs, ...natsProgram() },
  });
  const [code] = await once(tests, 'exit');
  await server.stop();
  process.exitCode = (code as number | null) ?? 1;
}
