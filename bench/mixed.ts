import { fork } from 'node:child_process';
import { once } from 'node:events';
import { percentile } from './report.ts';

/** What to ask a service on this machine, until told to stop. */
export interface Asking {
  readonly port: number;
  readonly symbols: readonly string[];
  /** Trade dates that stocks are asked for. */
  readonly dates: readonly string[];
  readonly ratePerSecond: number;
  /** Kinds of requests in turn; by default every read endpoint as a desk asks them. */
  readonly round?: readonly string[];
}

/** What one kind of request came to. */
export interface KindTally {
  /** How many answers by status, or by the code of the fault where none came. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly latencies: readonly number[];
}

export type Tally = Readonly<Record<string, KindTally>>;

/** Asks a service, in a process of its own. */
export interface MixedLoad {
  /** What has come since it was last asked. */
  tally(): Promise<Tally>;
  stop(): void;
}

export function startMixedLoad(asking: Asking): MixedLoad {
  const child = fork(new URL('./mixed-load.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] });
  child.send(asking);
  return {
    async tally() {
      child.send('tell');
      const [tally] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
      return tally as Tally;
    },
    stop: () => child.disconnect(),
  };
}

/** All kinds in one. */
export const together = (tally: Tally): KindTally => joined(Object.values(tally));

/** Several tallies in one, kind by kind. */
export function added(tallies: readonly Tally[]): Tally {
  const kinds = [...new Set(tallies.flatMap((tally) => Object.keys(tally)))].sort();
  return Object.fromEntries(
    kinds.map((kind) => [kind, joined(tallies.flatMap((tally) => tally[kind] ?? []))]),
  );
}

function joined(kinds: readonly KindTally[]): KindTally {
  const statuses: Record<string, number> = {};
  for (const kind of kinds) {
    for (const [status, count] of Object.entries(kind.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  }
  return { statuses, latencies: kinds.flatMap(({ latencies }) => latencies) };
}

/** Answers that a service should never give, and requests that got none. */
export const broken = ({ statuses }: KindTally): number =>
  Object.entries(statuses)
    .filter(([status]) => !/^[1-4]\d\d$/.test(status))
    .reduce((sum, [, count]) => sum + count, 0);

/** Answers by status, e.g. `200: 4,100, 404: 2`. */
export const statusesOf = ({ statuses }: KindTally): string =>
  Object.entries(statuses)
    .sort()
    .map(([status, count]) => `${status}: ${count.toLocaleString('en-US')}`)
    .join(', ');

/** One aligned line for each kind, on standard error: the table of promises has no room for them. */
export function printTally(tally: Tally): void {
  for (const [kind, one] of [...Object.entries(tally), ['all', together(tally)] as const]) {
    const at = (share: number): string => `${Math.round(percentile(one.latencies, share))}`.padStart(6);
    console.error(`${kind.padEnd(22)} p50${at(0.5)}  p99${at(0.99)}  max${at(1)} ms   ${statusesOf(one)}`);
  }
}
