import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from './desk.ts';

/** What callers saw. */
export interface Calls {
  readonly statuses: Map<number, number>;
  /** The first answers that callers must not see, with their code. */
  readonly faults: string[];
  /** Times of answers with 200, milliseconds. */
  readonly times: number[];
  /** Calls that no replica took. */
  unreachable: number;
}

/** A refusal that callers may meet while a part of the desk is away. */
const DOCUMENTED = 503;
const FAULTS_SHOWN = 10;
const PAUSE_MS = 40;

/** Calls the replicas in turn until the signal aborts; a call goes to the next replica where one takes no connection. */
export async function callUntil(
  stop: AbortSignal,
  replicas: readonly Member[],
  paths: readonly string[],
  callers: number,
): Promise<Calls> {
  const calls: Calls = { statuses: new Map(), faults: [], times: [], unreachable: 0 };
  const caller = async (first: number): Promise<void> => {
    for (let at = first; !stop.aborted; at += callers) {
      await call(replicas, at, paths[at % paths.length]!, calls);
      await delay(PAUSE_MS, undefined, { signal: stop }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, first) => caller(first)));
  return calls;
}

async function call(replicas: readonly Member[], at: number, path: string, calls: Calls): Promise<void> {
  const begun = performance.now();
  for (let tried = 0; tried < replicas.length; tried++) {
    const { url, name } = replicas[(at + tried) % replicas.length]!;
    const answer = await fetch(`${url}${path}`).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer === null || answer === undefined || text === null || text === undefined) continue;
    const { status } = answer;
    calls.statuses.set(status, (calls.statuses.get(status) ?? 0) + 1);
    if (status === 200) calls.times.push(performance.now() - begun);
    else if (status >= 500 && status !== DOCUMENTED && calls.faults.length < FAULTS_SHOWN) {
      calls.faults.push(`${name} ${path}: ${status} ${text.slice(0, 200)}`);
    }
    return;
  }
  calls.unreachable++;
}

/** The value below which a share of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
