import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { describeSettings } from './src/config.ts';
import { makeScratchDirectory } from './test/support/scratch.ts';

// Settings of the shell are no part of a test; what says how to test is.
const settings = new Set(describeSettings().flatMap(({ env }) => [env, `${env}_FILE`]));
const saysHowToTest = /^TIGRAPH_(?:TEST_|(?:REAL_DATA|PICTURES|PYTHON|TALIB|YARDSTICKS)$)/;
for (const name of Object.keys(process.env)) {
  const isSetting = settings.has(name) || name.startsWith('TIGRAPH_');
  if (isSetting && !saysHowToTest.test(name)) delete process.env[name];
}
// Threads that tests start compile what others compiled before: half of their time otherwise.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/code', import.meta.url));
process.env.TMPDIR = makeScratchDirectory();

// Under lateness every answer of the database takes longer.
const slower = process.env.TIGRAPH_TEST_LATE ? 4 : 1;
/** Files share what they load: a third of the processor time of those with a browser. */
const common = { isolate: false, testTimeout: slower * 60_000, hookTimeout: slower * 120_000 };
/** The runtime reads TypeScript itself, in tests as in service. */
const native = { experimental: { viteModuleRunner: false } };

/**
 * `unit` tests functions, `explorer` those of the Explorer, `service` an app on a database of its own, `process` whole programs: started, killed, spoken to
 * over sockets, `browser` the Explorer in a real browser.
 */
export default defineConfig(({ mode }) => {
  if (mode === 'full') process.env.TIGRAPH_TEST_FULL = '1';
  return {
    test: {
      // Under lateness most of the time is waiting; else none is: a third file on two processors gains nothing.
      maxWorkers: (process.env.TIGRAPH_TEST_LATE ? 3 : 1) * availableParallelism(),
      projects: [
        {
          test: {
            name: 'unit',
            include: ['test/unit/**/*.test.ts'],
            exclude: ['test/unit/explorer/**'],
            pool: 'threads',
            ...common,
            ...native,
          },
        },
        {
          // Its pages are JSX, which the runtime does not read.
          resolve: {
            alias: {
              '@tigraph/client': fileURLToPath(new URL('clients/typescript/src/index.ts', import.meta.url)),
            },
          },
          test: {
            name: 'explorer',
            include: ['test/unit/explorer/**/*.test.ts'],
            pool: 'threads',
            ...common,
          },
        },
        {
          test: {
            name: 'service',
            include: ['test/service/**/*.test.ts'],
            pool: 'forks',
            ...common,
            ...native,
          },
        },
        {
          test: {
            name: 'browser',
            globalSetup: 'test/browser/bring-browser.ts',
            include: ['test/browser/**/*.test.ts'],
            pool: 'forks',
            ...common,
            ...native,
          },
        },
        {
          test: {
            name: 'process',
            include: ['test/process/**/*.test.ts'],
            pool: 'forks',
            ...common,
            ...native,
          },
        },
      ],
    },
  };
});
