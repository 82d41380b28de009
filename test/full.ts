/**
 * Runs the tests that `npm test` only samples, over every minute and every draw, and records what they proved.
 *
 *   npm run test:full                    runs them
 *   npm run test:full -- --if-changed    only where the sources differ from those of the last recorded run
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORD = join(ROOT, 'test', 'full.json');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort();

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replaceAll('\r\n', '\n');

const sampled = filesIn('test', '.test.ts').filter((file) => textOf(file).includes('support/depth.ts'));
const sources = [...filesIn('src', '.ts'), ...filesIn('migrations', '.sql'), ...sampled];

const hash = createHash('sha256');
for (const file of sources) hash.update(file).update('\0').update(textOf(file)).update('\0');
const digest = hash.digest('hex');

const proved = (): unknown => (JSON.parse(readFileSync(RECORD, 'utf8')) as { digest: unknown }).digest;

if (process.argv.includes('--if-changed') && proved() === digest) {
  console.log('The full versions of the sampled tests have passed on these very sources.');
} else {
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...sampled], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TIGRAPH_TEST_FULL: '1' },
  });
  if (status === 0) writeFileSync(RECORD, `${JSON.stringify({ digest }, null, 2)}\n`);
  process.exitCode = status ?? 1;
}
