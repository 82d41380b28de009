import type { PacedClock } from '../base/clock.ts';
import type { LiveMinute } from '../market/feed.ts';

/** Minutes, and deliveries of theirs, beyond which no more are carried together; bounds what is held at once. */
const MINUTES_AT_ONCE = 60;
const DELIVERIES_AT_ONCE = 50_000;

/**
 * The minutes of a feed in the order in which it tells them, each when the clock has come to it. Those that have become
 * due while the one before was carried come together, so that who falls behind the market catches up with it.
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
  // A feed that breaks is met where its minute is awaited; until then it must not count as unhandled.
  next.catch(() => {});
  return next;
}

/** What is ready by the event loop's next turn, else null. */
function soon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, new Promise<null>((resolve) => setImmediate(resolve, null))]);
}
