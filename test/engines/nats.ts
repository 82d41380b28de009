import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { makeScratchDirectory } from '../support/scratch.ts';
import { endsWithUs } from './ends-with-us.ts';
import { freePorts } from './free-port.ts';
import { pythonEngines } from './python-engines.ts';
import { hasEnded, until, untilEnd } from './until.ts';

/** NATS servers with JetStream, on the loopback: one, or a cluster. */
export interface NatsServers {
  /** Of all servers, as `NATS_URL` takes it. */
  readonly url: string;
  readonly servers: readonly NatsServer[];
  stop(): Promise<void>;
}

interface NatsServer {
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on its port and files. */
  start(): Promise<void>;
  /** Removes its files, while it does not run. */
  loseFiles(): void;
}

const STARTS_WITHIN_MS = 20_000;
const ENDS_WITHIN_MS = 10_000;

/** The server's program. @throws Error without Python or without its package index */
export const findNats = (): string => join(pythonEngines(), 'bin', 'nats-server');

/** @param count 1, or 3 for a cluster */
export async function startNats(
  program: string,
  count: number,
  words: readonly string[] = [],
): Promise<NatsServers> {
  const directory = makeScratchDirectory();
  const free = await freePorts(2 * count);
  const ports = Array.from({ length: count }, (_, at) => ({
    client: free[2 * at]!,
    route: free[2 * at + 1]!,
  }));
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(',');
  const servers = ports.map(({ client, route }, at) => {
    const files = join(directory, `nats-${at}`);
    mkdirSync(files);
    const cluster =
      count === 1
        ? []
        : ['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${route}`, '--routes', routes];
    const own = ['-a', '127.0.0.1', '-p', String(client), '-n', `n${at}`, '-js', '-sd', files];
    return serverOf(program, [...own, ...cluster, ...words], client, files);
  });
  await Promise.all(servers.map((server) => server.start()));
  return {
    url: ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

function serverOf(program: string, words: readonly string[], port: number, files: string): NatsServer {
  let running: ChildProcess | null = null;
  return {
    async kill() {
      if (running === null || hasEnded(running)) return;
      running.kill('SIGKILL');
      await untilEnd(running, 'NATS', ENDS_WITHIN_MS);
      running = null;
    },
    async start() {
      running = endsWithUs(spawn(program, words, { stdio: 'ignore' }));
      await untilOpen(running, port);
    },
    loseFiles: () => rmSync(files, { recursive: true }),
  };
}

async function untilOpen(server: ChildProcess, port: number): Promise<void> {
  const what = `NATS answers on port ${port}`;
  await until({ what, withinMs: STARTS_WITHIN_MS, process: server }, async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
}
