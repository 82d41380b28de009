import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;

/** What is waited for, in words that a failure prints. */
interface Wait {
  readonly what: string;
  readonly withinMs: number;
  /** A process that alone can bring it about. */
  readonly process?: ChildProcess | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a process until it answers.
 *
 * @param ask rejects while there is no answer; its signal ends the last question
 * @throws Error that names what did not come in time, and why the last question failed; the reason of the signal
 */
export async function until<Answer>(
  { what, withinMs, process, signal }: Wait,
  ask: (limit: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(withinMs);
  const limit = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  for (;;) {
    try {
      return await ask(limit);
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = (cause as Error).message;
      if (process !== undefined && hasEnded(process)) {
        throw new Error(`not "${what}": the process has ended (${reason})`, { cause });
      }
      if (deadline.aborted) throw new Error(`${late(what, withinMs)} (${reason})`, { cause });
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

/**
 * Waits for the end of a process that runs.
 *
 * @returns its exit code; null after a signal
 * @throws Error that names the process, when it does not end in time
 */
export async function untilEnd(
  process: ChildProcess,
  name: string,
  withinMs: number,
): Promise<number | null> {
  if (hasEnded(process)) return process.exitCode;
  try {
    const [code] = await once(process, 'exit', { signal: AbortSignal.timeout(withinMs) });
    return code as number | null;
  } catch (cause) {
    throw new Error(late(`${name} ends`, withinMs), { cause });
  }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const late = (what: string, withinMs: number): string => `not within ${withinMs / 1_000} s: ${what}`;
