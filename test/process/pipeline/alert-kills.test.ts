import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FAULT_POINTS } from '../../../src/base/fault-points.ts';
import { FIRED } from '../../support/alert-deliveries.ts';
import { makeTestStore, testsRunOn } from '../../support/database.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const SCRIPT = fileURLToPath(new URL('../../support/alerts-process.ts', import.meta.url));
const POINTS = Object.keys(FAULT_POINTS).filter((point) => point.startsWith('alerts.'));

/** How a process that fires and delivers ends; it goes on where the one before was killed. */
const run = (directory: string, received: string, fault = '') =>
  new Promise<string | number | null>((resolve) => {
    const child = spawn(process.execPath, [SCRIPT, directory, received], {
      env: { ...process.env, TIGRAPH_FAULT: fault },
      stdio: 'ignore',
    });
    child.on('close', (code, signal) => resolve(signal ?? code));
  });

it.skipIf(testsRunOn === 'postgres')(
  'an alert arrives at least once over kills behind every step, and by its id exactly once',
  async () => {
    const { options } = await makeTestStore('cold');
    const { dataDirectory } = options as { readonly dataDirectory: string };
    const received = join(temporaryDirectory(), 'received');
    for (const [at, point] of POINTS.entries())
      expect([point, await run(dataDirectory, received, `${point}:${at + 2}`)]).toEqual([point, 'SIGKILL']);
    expect(await run(dataDirectory, received)).toBe(0);
    const arrived = readFileSync(received, 'utf8').trimEnd().split('\n');
    expect(new Set(arrived).size).toBe(FIRED);
    // What was sent, and not noted, was sent again under its id; nothing else was.
    expect(arrived.length - FIRED).toBe(1);
  },
);
