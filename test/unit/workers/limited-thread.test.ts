import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const LIMITS = new URL('../../../src/workers/limited-thread.ts', import.meta.url).href;

/** Makes objects of which many live long, and sends the most that young ones took. */
const THREAD = `
import { getHeapSpaceStatistics } from 'node:v8';
const living = [];
let most = 0;
for (let at = 0; at < 2_000_000; at++) {
  living[at % 100_000] = { at, within: [at] };
  if (at % 20_000 > 0) continue;
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  most = Math.max(most, young.space_size);
}
console.log(most);
`;

const MAIN = `
import { Worker } from 'node:worker_threads';
import { heapLimit } from ${JSON.stringify(LIMITS)};
new Worker(${JSON.stringify(THREAD)}, { eval: true, resourceLimits: heapLimit(256) });
`;

it('a thread has room for young objects where the process has little', () => {
  const flags = ['--max-semi-space-size=4', '--input-type=module', '--eval', MAIN];
  const most = Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
  // Two halves of the process itself are 8 MiB.
  expect(most).toBeGreaterThan(12 * 2 ** 20);
});
