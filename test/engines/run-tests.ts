import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findNats, startNats } from './nats.ts';
import { findObjectStore, startObjectStore } from './object-store.ts';
import { findPostgres, startPostgres } from './postgres.ts';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/**
 * Runs tests beside servers that are started for them: a PostgreSQL in place of the embedded database, an S3-compatible
 * store, and NATS. Tests of one that cannot be had are skipped, and a line says so.
 *
 * @param words for vitest
 * @param needsPostgres whether nothing runs without PostgreSQL
 * @returns the exit code
 */
export async function runTests(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { needsPostgres = true }: { readonly needsPostgres?: boolean } = {},
): Promise<number> {
  const programs = found(needsPostgres ? 'skipped' : 'without PostgreSQL', findPostgres);
  if (programs === null && needsPostgres) return 0;
  const nats = found('without NATS', findNats);
  const python = found('without an object store', findObjectStore);
  await using engines = new AsyncDisposableStack();
  const store = python === null ? null : await startObjectStore(python);
  if (store !== null) engines.defer(store.stop);
  const server = programs === null ? null : await startPostgres(programs);
  if (server !== null) {
    engines.defer(server.stop);
    console.log(`on PostgreSQL ${server.version}`);
  }
  const bus = nats === null ? null : await startNats(nats, 1);
  if (bus !== null) engines.defer(bus.stop);
  const tests = spawn(process.execPath, [VITEST, 'run', ...words], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...environment,
      ...(server !== null && { TIGRAPH_TEST_DATABASE: server.url, POSTGRES_PROGRAMS: programs! }),
      ...(nats !== null && { NATS_SERVER: nats }),
      ...(bus !== null && { TIGRAPH_TEST_NATS: bus.url }),
      ...(store !== null && { TIGRAPH_TEST_S3: store.url }),
    },
  });
  const [code] = await once(tests, 'exit');
  return (code as number | null) ?? 1;
}

/** The program of an engine; null where it cannot be had, which is said. */
function found(what: string, find: () => string): string | null {
  try {
    return find();
  } catch (error) {
    console.log(`${what}: ${(error as Error).message}`);
    return null;
  }
}
