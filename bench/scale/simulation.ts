import { mulberry32 } from '../../test/support/daily-recipe.ts';
import { Agenda } from './agenda.ts';
import type { MergedMinutes, Minute, Queue } from './model.ts';

/** The desk of `model.ts`, event by event. The same seed plays the same events. */

/** Waits of the bus: `work-queue.ts`, `nats-bus.ts`, `minute-work.ts`. */
const ACK_WAIT_MS = 10_000;
const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3_000;
const SHARE_MS = 2_000;

/** Mean time of a minute over some of them. */
export function playMinutes(minute: Minute, count: number, seed: number): number {
  const random = mulberry32(seed);
  return mean(count, () => playMinute(minute, random));
}

/** The same when a worker ends once a share of its parts is stored. */
export function playMinutesWithLoss(minute: Minute, doneShare: number, count: number, seed: number): number {
  const random = mulberry32(seed);
  return mean(count, () => playMinute(minute, random, doneShare));
}

interface Worker {
  readonly waiting: number[];
  busy: number;
  done: number;
  given: number;
  isLost: boolean;
}

function playMinute(minute: Minute, random: () => number, doneShare?: number): number {
  const { parts, threads } = minute;
  const agenda = new Agenda();
  const workers = Array.from(
    { length: minute.workers },
    (): Worker => ({
      waiting: [],
      busy: 0,
      done: 0,
      given: 0,
      isLost: false,
    }),
  );
  const isStored = new Array<boolean>(parts).fill(false);
  const lossAt = (worker: Worker): number => Math.floor(doneShare! * worker.given);

  function give(worker: Worker, part: number): void {
    worker.waiting.push(part);
    worker.given++;
  }

  function begin(worker: Worker): void {
    while (!worker.isLost && worker.busy < threads) {
      const part = worker.waiting.shift();
      if (part === undefined) return;
      worker.busy++;
      agenda.after(gamma(random, minute.partMs, minute.partSpread), () => {
        if (worker.isLost) return;
        worker.busy--;
        worker.done++;
        isStored[part] = true;
        storedAt = agenda.now;
        if (worker === victim && worker.done === lossAt(worker)) lose(worker);
        begin(worker);
      });
    }
  }

  /** Its parts are given to others once the bus has missed both its work and the worker. */
  function lose(worker: Worker): void {
    worker.isLost = true;
    const others = workers.filter((other) => other !== worker);
    const messageMs = ACK_WAIT_MS - random() * HEARTBEAT_MS;
    const memberMs = LEASE_MS - random() * HEARTBEAT_MS + random() * SHARE_MS;
    agenda.after(Math.max(messageMs, memberMs), () => {
      for (const part of ownParts) if (!isStored[part]) give(others[pick(random, others.length)]!, part);
      for (const other of others) begin(other);
    });
  }

  let storedAt = 0;
  const victim = doneShare === undefined ? null : workers[0]!;
  for (let part = 0; part < parts; part++) {
    const at = minute.placement === 'equal' ? part % workers.length : pick(random, workers.length);
    give(workers[at]!, part);
  }
  const ownParts = [...(victim?.waiting ?? [])];
  for (const worker of workers) begin(worker);
  if (victim !== null && lossAt(victim) === 0) lose(victim);
  agenda.run();
  return storedAt;
}

interface Played {
  /** Mean wait before service, of requests that were not refused. */
  readonly waitMs: number;
  readonly refusedShare: number;
}

/** Requests that arrive by chance and are served in their order; refused where `room` requests are before them. */
export function playQueue(
  queue: Queue,
  requests: number,
  seed: number,
  room = Number.POSITIVE_INFINITY,
): Played {
  const { rate, servers, serviceMs, serviceSpread } = queue;
  const random = mulberry32(seed);
  const agenda = new Agenda();
  const waiting: number[] = [];
  let busy = 0;
  let arrived = 0;
  let refused = 0;
  let waitedMs = 0;

  function arrive(): void {
    if (++arrived < requests) agenda.after(exponential(random, 1 / rate), arrive);
    if (busy + waiting.length >= room) {
      refused++;
      return;
    }
    waiting.push(agenda.now);
    begin();
  }

  function begin(): void {
    if (busy === servers) return;
    const since = waiting.shift();
    if (since === undefined) return;
    busy++;
    waitedMs += agenda.now - since;
    agenda.after(gamma(random, serviceMs, serviceSpread), () => {
      busy--;
      begin();
    });
  }

  agenda.after(0, arrive);
  agenda.run();
  return { waitMs: waitedMs / (requests - refused), refusedShare: refused / requests };
}

/** Share of requests for evenly chosen symbols whose answer another one has had made since all expired. */
export function playCache(
  rate: number,
  symbols: number,
  lifeMs: number,
  requests: number,
  seed: number,
): number {
  const random = mulberry32(seed);
  const madeIn = new Map<number, number>();
  let hits = 0;
  let at = 0;
  for (let request = 0; request < requests; request++) {
    at += exponential(random, 1 / rate);
    const [symbol, life] = [pick(random, symbols), Math.floor(at / lifeMs)];
    if (madeIn.get(symbol) === life) hits++;
    madeIn.set(symbol, life);
  }
  return hits / requests;
}

/** Mean time from the return of the servers until nothing waits, where they were away for a while. */
export function playOutage(queue: Queue, awayMs: number, count: number, seed: number): number {
  const random = mulberry32(seed);
  return mean(count, () => {
    const agenda = new Agenda();
    let waiting = 0;
    let busy = 0;
    let clearedAt: number | null = null;
    const arrive = (): void => {
      if (clearedAt !== null) return;
      waiting++;
      begin();
      agenda.after(exponential(random, 1 / queue.rate), arrive);
    };
    const begin = (): void => {
      while (agenda.now >= awayMs && busy < queue.servers && waiting > 0) {
        waiting--;
        busy++;
        agenda.after(gamma(random, queue.serviceMs, queue.serviceSpread), () => {
          busy--;
          begin();
          if (waiting === 0 && busy < queue.servers) clearedAt ??= agenda.now;
        });
      }
    };
    agenda.after(0, arrive);
    agenda.after(awayMs, begin);
    agenda.run();
    return clearedAt! - awayMs;
  });
}

/** Mean time until a live feed that was away is at most a minute behind, where steps vary by `spread`. */
export function playMergedMinutes(
  awayMs: number,
  { minuteMs, stepMs, addedShare, mergedMax }: MergedMinutes,
  spread: number,
  count: number,
  seed: number,
): number {
  const random = mulberry32(seed);
  return mean(count, () => {
    const agenda = new Agenda();
    let due = 0;
    let caughtUpAt: number | null = null;
    const tick = (): void => {
      due++;
      if (caughtUpAt === null) agenda.after(minuteMs, tick);
    };
    const step = (): void => {
      if (due <= 1) {
        caughtUpAt = agenda.now;
        return;
      }
      const taken = Math.min(due, mergedMax);
      due -= taken;
      agenda.after(gamma(random, stepMs * (1 + addedShare * (taken - 1)), spread), step);
    };
    agenda.after(minuteMs, tick);
    agenda.after(awayMs, step);
    agenda.run();
    return caughtUpAt! - awayMs;
  });
}

function mean(count: number, play: () => number): number {
  let sum = 0;
  for (let round = 0; round < count; round++) sum += play();
  return sum / count;
}

const pick = (random: () => number, count: number): number => Math.floor(random() * count);

const exponential = (random: () => number, mean: number): number => -mean * Math.log(1 - random());

/**
 * A time of the gamma distribution with this mean and standard deviation over it.
 *
 * Source: G. Marsaglia, W. W. Tsang, A Simple Method for Generating Gamma Variables, ACM TOMS 26 (2000); shapes below 1
 * by the power of one more uniform number, as given there.
 */
function gamma(random: () => number, mean: number, spread: number): number {
  if (spread === 0) return mean;
  const shape = 1 / spread ** 2;
  const scale = mean / shape;
  if (shape < 1) return gammaFrom(random, shape + 1) * (1 - random()) ** (1 / shape) * scale;
  return gammaFrom(random, shape) * scale;
}

function gammaFrom(random: () => number, shape: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** By Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
