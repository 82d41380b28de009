import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';
import { freePort } from './free-port.ts';
import { packageDirectory, pythonEngines } from './python-engines.ts';
import { until, untilEnd } from './until.ts';

/** An S3-compatible store of its own, empty, in memory, on the loopback. */
export interface ObjectStore {
  readonly url: string;
  stop(): Promise<void>;
}

const STARTS_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;

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
  const server = endsWithUs(spawn(python, words, { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(
      { what: 'moto_server answers', withinMs: STARTS_WITHIN_MS, process: server },
      async (signal) => {
        const { ok, status } = await fetch(`${url}/moto-api/`, { signal });
        if (!ok) throw new Error(`status ${status}`);
      },
    );
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
  return {
    url,
    async stop() {
      server.kill();
      await untilEnd(server, 'moto_server', ENDS_WITHIN_MS);
    },
  };
}
