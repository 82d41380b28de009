import { TigraphError } from './error.ts';

/** As `fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

const ATTEMPTS_MAX = 5;
/** A service that asks for a longer wait is answered with its refusal. */
const WAIT_MAX_S = 60;

/** Waits; rejects as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    setTimeout(() => resolve(signal.removeEventListener('abort', stop)), ms);
  });
}

/**
 * Repeats a request that was refused for the moment (429, 503), after the seconds of `Retry-After` and up to a tenth
 * more, so that callers do not return together. Both refuse before anything was done, so every method is repeated.
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
      if (response.status !== 429 && response.status !== 503) return response;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (attempt === ATTEMPTS_MAX || !(seconds <= WAIT_MAX_S)) return response;
      await response.body?.cancel();
      await pause(seconds * 1000 * (1 + Math.random() / 10), request.signal);
    }
  };
