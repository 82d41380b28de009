import type { PacedClock } from '../base/clock.ts';
import { nextTurn } from '../base/timers.ts';
import type { LiveMinute } from '../market/feed.ts';

/** Limits of minutes, and of their deliveries, that are processed together. */
const MINUTES_AT_ONCE = 60;
const DELIVERIES_AT_ONCE = 50_000;

/**
 * The minutes of a feed in its order, each when the clock reaches it. Minutes that became due while the last ones were
 * processed come together, so that a slow process catches up with the market.
 */
export async function* dueMinutes(
  clock: PacedClock,
  source: AsyncIterable<LiveMinute>,
  signal: AbortSignal,
): AsyncIterable<LiveMinute[]> {
  const minutes = source[Symbol.asyncIterator]();
  let next = ask(minutes);
  while (!signal.aborted) {
    const first = await next;
    if (first.done) return;
    await clock.until(first.value.at, signal);
    if (signal.aborted) return;
    const due = [first.value];
    next = ask(minutes);
    let deliveries = first.value.deliveries.length;
    while (due.length < MINUTES_AT_ONCE && deliveries < DELIVERIES_AT_ONCE) {
      const more = await soon(next);
      if (more === null || more.done || more.value.at > clock.now()) break;
      due.push(more.value);
      deliveries += more.value.deliveries.length;
      next = ask(minutes);
    }
    yield due;
  }
}

function ask(minutes: AsyncIterator<LiveMinute>): Promise<IteratorResult<LiveMinute>> {
  const next = minutes.next();
  // The error is thrown where the minute is awaited; until then it must not count as unhandled.
  next.catch(() => {});
  return next;
}

/** The value when it is ready by the next turn of the event loop, else null. */
function soon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, nextTurn().then(() => null)]);
}
