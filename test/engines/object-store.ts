import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { packageDirectory, pythonEngines } from './python-engines.ts';

/** An S3-compatible store of its own, empty, in memory, on the loopback. */
export interface ObjectStore {
  readonly url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/**
 * The Python with the store, from the wheel `moto`.
 *
 * @throws Error where it cannot be had
 */
export function findObjectStore(): string {
  const engines = pythonEngines();
  packageDirectory(engines, 'moto');
  return join(engines, 'bin', 'python');
}

/** @param python as `findObjectStore` finds it */
export async function startObjectStore(python: string): Promise<ObjectStore> {
  const port = await freePort();
  const words = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const server = spawn(python, words, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(50)) {
    if (server.exitCode !== null) break;
    const answers = await fetch(`${url}/moto-api/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!answers) continue;
    return {
      url,
      async stop() {
        const ended = once(server, 'exit');
        server.kill();
        await ended;
      },
    };
  }
  server.kill('SIGKILL');
  throw new Error('moto_server does not answer');
}
