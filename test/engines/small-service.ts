import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { endsWithUs } from './ends-with-us.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export const PROGRAM = resolve(import.meta.dirname, '../../bin/tigraph');
/** A Friday, after whose close the services of tests stand still. */
export const DATE = '2026-11-20';

/** Settings of a service on its own data, whatever the shell has. */
export const settingsOn = (data: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: '',
  TIGRAPH_DATA_DIR: data,
  TIGRAPH_NOW: `${DATE}T23:00:00Z`,
  // What is asked of the past is derived then.
  TIGRAPH_HISTORY_SESSIONS: '0',
  // A busy machine must not turn an answer into a timeout or a refusal.
  QUERY_TIMEOUT_MS: '60000',
  TIGRAPH_LOOP_DELAY_MAX_MS: '0',
});

/** Starts a service on data that is there, and waits until it answers; it ends with this process. */
export async function startService(
  settings: NodeJS.ProcessEnv,
): Promise<{ home: string; service: ChildProcess }> {
  const port = await freePort();
  const env = { ...settings, PORT: String(port), LOG_LEVEL: 'silent' };
  const service = endsWithUs(spawn(PROGRAM, ['serve'], { env, stdio: 'ignore' }));
  const home = `http://127.0.0.1:${port}`;
  await until({ what: 'the service is ready', withinMs: 60_000, process: service }, async (signal) => {
    const { ok } = await fetch(`${home}/health/ready`, { signal });
    if (!ok) throw new Error('not yet');
  });
  return { home, service };
}

/** Runs a command of the program to its end: what it prints. */
export const runProgram = async (words: readonly string[], settings: NodeJS.ProcessEnv): Promise<string> =>
  (await promisify(execFile)(PROGRAM, words, { env: settings })).stdout;
