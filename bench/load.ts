import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What to ask a server on this machine, how often and for how long. */
export interface Load {
  readonly port: number;
  /** Asked in turn. */
  readonly paths: readonly string[];
  /** Sent to each of them; absent for a GET. */
  readonly post?: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second; absent for as many as the server can answer. */
  readonly ratePerSecond?: number;
  /** Seconds of the same rate before those that count. */
  readonly leadSeconds?: number;
}

export interface LoadResult {
  readonly answers: number;
  /** Answers with another status than 200; they are among `answers`. */
  readonly refused: number;
  /** Those of them that say 503: come back later. */
  readonly busy: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly clientCpuSeconds: number;
  readonly latencyMs: {
    readonly p50: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
}

export interface Loader {
  run(load: Load): Promise<LoadResult>;
  stop(): void;
}

/** A process of its own that asks, so that asking and answering never share an event loop. */
export function startLoader(): Loader {
  const child = fork(new URL('./load-process.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  return {
    async run(load) {
      child.send(load);
      const [result] = (await once(child, 'message', { signal: AbortSignal.timeout(120_000) })) as [
        LoadResult,
      ];
      return result;
    },
    stop: () => child.disconnect(),
  };
}
