import { TigraphError } from './error.ts';

/** As `fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

const ATTEMPTS_MAX = 5;
/** A service that asks for a longer wait is answered with its refusal. */
const WAIT_MAX_S = 60;
/** Body of a 503 before which nothing was done: a POST that met a lost database may have taken effect all the same. */
const NOTHING_DONE = /"code":"(overloaded|shutting_down|topology_not_loaded)"/;

/** The value of a promise that others may wait for too; rejects as soon as the signal aborts. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: settled.signal });
  });
  return Promise.race([promise, aborted]).finally(() => settled.abort());
}

/** Waits; rejects as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
}

/**
 * Repeats a request that was refused for the moment (429, 503) where that is safe, after the seconds of `Retry-After`
 * and up to a tenth more, so that callers do not return together.
 *
 * @throws TigraphError `unreachable` where no answer came
 */
export const retrying =
  (send: Fetch): Fetch =>
  async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send(request.clone()).catch((cause: unknown) => {
        if (request.signal.aborted) throw request.signal.reason;
        throw new TigraphError(0, 'unreachable', 'The service does not answer', undefined, cause);
      });
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (attempt === ATTEMPTS_MAX || !(seconds <= WAIT_MAX_S)) return response;
      if (!(await isRepeatable(request, response))) return response;
      await response.body?.cancel();
      await pause(seconds * 1000 * (1 + Math.random() / 10), request.signal);
    }
  };

const isRepeatable = async ({ method }: Request, response: Response): Promise<boolean> =>
  response.status === 429 ||
  (response.status === 503 && (method !== 'POST' || NOTHING_DONE.test(await response.clone().text())));
