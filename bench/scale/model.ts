/**
 * How long a desk takes, as formulas. `simulation.ts` plays the same desk event by event; a test holds the two together.
 * Times are milliseconds, rates are per millisecond.
 */

/** A minute of the live feed, handed to workers in parts. */
export interface Minute {
  readonly parts: number;
  readonly workers: number;
  /** Of each worker; a part is derived by one of them. */
  readonly threads: number;
  /** Mean time of a part on a thread. */
  readonly partMs: number;
  /** Standard deviation of that time over its mean. */
  readonly partSpread: number;
  /** Whether workers have equally many parts, or each part goes to a worker by chance. */
  readonly placement: 'equal' | 'chance';
}

/** Work over threads: what a minute would take if no worker waited for another. It is too short, see `minuteMs`. */
export const minuteWithoutBarrierMs = ({ parts, workers, threads, partMs }: Minute): number =>
  (parts * partMs) / (workers * threads);

/**
 * Mean time from the first part handed out to the last one stored: the expected maximum over the workers, as the integral
 * of 1 - F1(t) F2(t) ... over t >= 0, with F the distribution of one worker's time.
 *
 * A worker with k parts has threads with k / T of them, rounded up or down. The sum of n parts is taken as normal with mean
 * n m and variance n (m spread)^2. Parts placed by chance are a Poisson number on each worker, which has the right
 * expected maximum although the counts of workers depend on each other.
 *
 * Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed. (2003), section 3.1; Poisson counts in place of
 * multinomial ones: M. Mitzenmacher, E. Upfal, Probability and Computing, 2nd ed. (2017), section 5.4.
 */
export function minuteMs(minute: Minute): number {
  const { parts, workers, threads, partMs, partSpread, placement } = minute;
  const counts = Array.from({ length: parts + 1 }, (_, count) => count);
  const timeWithin = (count: number, ms: number): number => {
    const most = Math.ceil(count / threads);
    const withMost = count - threads * (most - 1);
    const within = (parts: number): number =>
      normalWithin(ms, parts * partMs, Math.sqrt(parts) * partSpread * partMs);
    return count === 0 ? 1 : within(most) ** withMost * within(most - 1) ** (threads - withMost);
  };
  if (placement === 'equal') {
    const few = Math.floor(parts / workers);
    const withMore = parts - few * workers;
    return expectedMs(
      (ms) => timeWithin(few + 1, ms) ** withMore * timeWithin(few, ms) ** (workers - withMore),
      parts * partMs,
    );
  }
  const chances =
    workers === 1 ? counts.map((count) => Number(count === parts)) : poisson(parts / workers, parts);
  return expectedMs(
    (ms) => counts.reduce((sum, count) => sum + chances[count]! * timeWithin(count, ms), 0) ** workers,
    parts * partMs,
  );
}

/**
 * The same minute when one worker ends after a share of its parts, for good. The others get the rest once the bus has
 * not heard of it for `takeoverMs`; they have mostly finished their own by then.
 */
export function minuteWithLossMs(minute: Minute, doneShare: number, takeoverMs: number): number {
  const { parts, workers } = minute;
  const lost = parts / workers;
  const left = Math.max(1, Math.round(lost * (1 - doneShare)));
  const lostAtMs = doneShare * minuteWithoutBarrierMs(minute);
  const restMs = minuteMs({ ...minute, parts: left, workers: workers - 1, placement: 'chance' });
  return Math.max(minuteMs(minute), lostAtMs + takeoverMs + restMs);
}

/** Requests of one kind before servers of one kind: an event loop, or the threads that derive. */
export interface Queue {
  /** Arrivals by chance, a millisecond. */
  readonly rate: number;
  readonly servers: number;
  readonly serviceMs: number;
  /** Standard deviation of the service over its mean. */
  readonly serviceSpread: number;
}

/**
 * Mean wait before service in a queue M/G/c: that of M/M/c (Erlang's C), times the mean of 1 and the squared spread.
 *
 * Source: A. O. Allen, Probability, Statistics, and Queueing Theory, 2nd ed. (1990), the Allen-Cunneen approximation;
 * exact for one server (Pollaczek-Khinchine) and for exponential service.
 *
 * @returns infinity at or above saturation
 */
export function waitMs({ rate, servers, serviceMs, serviceSpread }: Queue): number {
  const load = rate * serviceMs;
  if (load >= servers) return Number.POSITIVE_INFINITY;
  const lost = erlangB(servers, load);
  const waiting = lost / (1 - (load / servers) * (1 - lost));
  return ((waiting * serviceMs) / (servers - load)) * ((1 + serviceSpread ** 2) / 2);
}

/**
 * Share of requests that find `room` requests before them, in service and waiting, and are refused: M/M/c/K.
 *
 * Source: L. Kleinrock, Queueing Systems, vol. 1 (1975), section 3.6. The spread of the service hardly matters where the
 * room is many times the servers.
 */
export function refusedShare(
  { rate, servers, serviceMs }: Omit<Queue, 'serviceSpread'>,
  room: number,
): number {
  const load = rate * serviceMs;
  // From the state with every server busy on, the chance of one more falls or grows by the same ratio.
  const ratio = load / servers;
  const lost = erlangB(servers, load);
  let sum = 1 / lost;
  let chance = 1;
  for (let waiting = 0; waiting < room - servers; waiting++) {
    chance *= ratio;
    sum += chance;
  }
  return chance / sum;
}

/** The rate from which on more than a share of requests is refused. */
export function refusalsFrom(
  queue: Omit<Queue, 'rate' | 'serviceSpread'>,
  room: number,
  share: number,
): number {
  let [low, high] = [0, (2 * queue.servers) / queue.serviceMs];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (refusedShare({ ...queue, rate: middle }, room) > share) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * Share of requests that find the answer cached, when answers for all symbols expire together every `lifeMs` and callers
 * ask for symbols evenly. Uneven callers find more.
 */
export function hitShare(rate: number, symbols: number, lifeMs: number): number {
  const asked = (rate * lifeMs) / symbols;
  return 1 - (1 - Math.exp(-asked)) / asked;
}

/**
 * Time from the return of a part that was away until the work that has piled up is done, as a fluid: it grew by
 * `rate` while nothing was served, and shrinks by what the servers can do beyond `rate`.
 *
 * Source: G. F. Newell, Applications of Queueing Theory, 2nd ed. (1982), chapter 2.
 *
 * @param utilisation arriving work over what the servers can do, below 1
 */
export const catchUpMs = (awayMs: number, utilisation: number): number =>
  (awayMs * utilisation) / (1 - utilisation);

/** Minutes of a live feed that are processed together when they are due together. */
export interface MergedMinutes {
  readonly minuteMs: number;
  /** Time of a step of one minute. */
  readonly stepMs: number;
  /** What one more minute in a step adds to it, of `stepMs`. */
  readonly addedShare: number;
  readonly mergedMax: number;
}

/**
 * Time from the return until the feed is at most one minute behind: each step takes the minutes that became due in the
 * one before it, so that it lasts a step or two and not `catchUpMs`.
 */
export function mergedCatchUpMs(
  awayMs: number,
  { minuteMs, stepMs, addedShare, mergedMax }: MergedMinutes,
): number {
  let due = Math.floor(awayMs / minuteMs);
  let sinceMinuteMs = awayMs - due * minuteMs;
  let tookMs = 0;
  while (due > 1) {
    const taken = Math.min(due, mergedMax);
    const ms = stepMs * (1 + addedShare * (taken - 1));
    tookMs += ms;
    sinceMinuteMs += ms;
    const became = Math.floor(sinceMinuteMs / minuteMs);
    sinceMinuteMs -= became * minuteMs;
    due += became - taken;
  }
  return tookMs;
}

/** Erlang's B: the share of calls that find `servers` busy where none waits, by its recursion. */
function erlangB(servers: number, load: number): number {
  let lost = 1;
  for (let server = 1; server <= servers; server++) lost = (load * lost) / (server + load * lost);
  return lost;
}

/** Chances of 0 to `most` by Poisson's law, summing to 1. */
function poisson(mean: number, most: number): number[] {
  let chance = Math.exp(-mean);
  const chances = [chance];
  for (let count = 1; count <= most; count++) {
    chance *= mean / count;
    chances.push(chance);
  }
  const sum = chances.reduce((total, one) => total + one, 0);
  return chances.map((one) => one / sum);
}

const STEPS = 4_000;

/** Mean of a time that is within `ms` with the given chance and never above three times `mostMs`. */
function expectedMs(within: (ms: number) => number, mostMs: number): number {
  const end = 3 * mostMs;
  const stepMs = end / STEPS;
  let sum = 0;
  for (let step = 0; step < STEPS; step++) sum += 1 - within((step + 0.5) * stepMs);
  return sum * stepMs;
}

/** The normal distribution function; a step where the deviation is 0. */
function normalWithin(value: number, mean: number, deviation: number): number {
  if (deviation === 0) return value >= mean ? 1 : 0;
  const z = (value - mean) / deviation;
  const half = 0.5 * complementaryError(Math.abs(z) / Math.SQRT2);
  return z > 0 ? 1 - half : half;
}

/** To 1.2e-7. Source: W. H. Press et al., Numerical Recipes, 3rd ed. (2007), section 6.2.2, `erfcc`. */
function complementaryError(x: number): number {
  const t = 2 / (2 + x);
  const powers = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  return t * Math.exp(-x * x + powers.reduceRight((sum, power) => sum * t + power, 0));
}
