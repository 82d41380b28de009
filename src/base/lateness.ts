import { createHash } from 'node:crypto';
import { realTimers, rest } from './timers.ts';

/** Kinds of events by how late they may be, milliseconds: this share of them, and so on. */
const KINDS = [
  { below: 0.4, mostMs: 0 },
  { below: 0.65, mostMs: 5 },
  { below: 0.85, mostMs: 50 },
  { below: 1, mostMs: 250 },
] as const;
/** Of a kind that comes more often one in eight is late, so that long work still ends. */
const OFTEN = 40;

/**
 * Makes what may take any time late by amounts that follow from a seed: an order of events that fails one in a thousand
 * times then fails with some seed, and again with the same one. An event's kind is its label: with one seed a kind is
 * never late, with another always by a quarter of a second, which turns round the order of two kinds as small delays
 * would not.
 */
export class Lateness {
  readonly #seed: string;
  /** By label; `events` are those so far. */
  readonly #kinds = new Map<string, { readonly mostMs: number; events: number }>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Milliseconds by which the next event of a kind is late. */
  next(label: string): number {
    const kind = this.#kinds.getOrInsertComputed(label, () => {
      const share = this.#share(label);
      return { mostMs: KINDS.find(({ below }) => share < below)!.mostMs, events: 0 };
    });
    const event = ++kind.events;
    if (kind.mostMs === 0 || (event > OFTEN && event % 8 !== 0)) return 0;
    return kind.mostMs * this.#share(`${label}\n${event}`);
  }

  /** From 0 to below 1, equally often. */
  #share(of: string): number {
    return createHash('sha256').update(`${this.#seed}\n${of}`).digest().readUInt32BE() / 2 ** 32;
  }
}

const seed = process.env.TIGRAPH_TEST_LATE ?? '';
const lateness = seed === '' ? null : new Lateness(seed);

export const isLate = lateness !== null;

/** Waits where a test asks for lateness with `TIGRAPH_TEST_LATE`; null where nothing is late. */
export function late(label: string): Promise<void> | null {
  const ms = lateness?.next(label) ?? 0;
  return ms === 0 ? null : rest(realTimers, ms);
}

/** An answer, or a failure, that arrives late where a test asks for it. */
export const lateAnswer = <Answer>(label: string, answer: Promise<Answer>): Promise<Answer> =>
  isLate ? answer.finally(() => late(label)) : answer;

/** Acts on one event after the other, late where a test asks for it. */
export function lateInOrder<Event>(
  labelOf: (event: Event) => string,
  act: (event: Event) => void,
): (event: Event) => void {
  if (!isLate) return act;
  let last = Promise.resolve();
  return (event) => {
    const wait = late(labelOf(event));
    last = last.then(() => wait).then(() => act(event));
  };
}
