/**
 * Runs the tests that have more than one process, thread or cache under seeded lateness: answers of the database,
 * announcements and tasks come late by amounts that follow from the seed. An order of events that fails fails again with
 * the same seed.
 *
 *   npm run test:late -- --seeds 10                        with the seeds 1 to 10
 *   npm run test:late -- --seed 7 test/service/api/stream  files or folders with one seed
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const PROJECTS = ['--project', 'service', '--project', 'process'];

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, seed: { type: 'string' } },
  allowPositionals: true,
});

/** One after the other, since a seed's run takes all processors. */
function failsWith(seed: string): boolean {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...PROJECTS, ...positionals], {
    stdio: 'inherit',
    env: { ...process.env, TIGRAPH_TEST_LATE: seed },
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`seed ${seed}: ${status === 0 ? 'passed' : 'failed'} after ${seconds} s`);
  return status !== 0;
}

const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, at) => String(at + 1))
    : [values.seed];
const failed = seeds.filter(failsWith);
console.log(`${seeds.length - failed.length} of ${seeds.length} seeds passed`);
for (const seed of failed) console.log(`again: npm run test:late -- --seed ${seed} ${positionals.join(' ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
