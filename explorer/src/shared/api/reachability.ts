import { useSyncExternalStore } from 'react';

/** Whether the service answers, is away, puts requests off, or refuses the token of the page; from the answers themselves. */
type Standing = 'answers' | 'away' | 'busy' | 'refused';

/** Too many requests, or a service or a proxy before it that cannot answer now: the same request is sent again. */
const PUT_OFF: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A request that nobody sends again is forgotten so long after it could have been. */
const FORGOTTEN_MS = 60_000;

let isAway = false;
let isTokenRefused = false;
/** Requests that were put off and have no answer yet, with what forgets them. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
let standing: Standing = 'answers';
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

/** Seconds after which the service asks for the request again; 0 where it names none. */
export const retryAfterS = ({ headers }: Response): number => Number(headers.get('retry-after')) || 0;

export const isPutOff = (status: number): boolean => PUT_OFF.has(status);

function settle(): void {
  const now = isAway ? 'away' : isTokenRefused ? 'refused' : waiting.size > 0 ? 'busy' : 'answers';
  if (now === standing) return;
  standing = now;
  for (const listener of listeners) listener();
}

function forget(name: string): void {
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  settle();
}

/** `fetch` that notes how the service answers. */
export async function watchedFetch(request: Request): Promise<Response> {
  const name = `${request.method} ${request.url}`;
  const response = await fetch(request).catch((error: unknown) => {
    if (!request.signal.aborted) isAway = true;
    settle();
    throw error;
  });
  const isBack = isAway;
  isAway = false;
  if (response.ok) isTokenRefused = false;
  forget(name);
  if (PUT_OFF.has(response.status)) {
    waiting.set(
      name,
      setTimeout(() => forget(name), FORGOTTEN_MS + 2_000 * retryAfterS(response)),
    );
    request.signal.addEventListener('abort', () => forget(name), { once: true });
  }
  settle();
  if (isBack) for (const act of returns) act();
  return response;
}

/** The service refuses the token for good. */
export function noteTokenRefused(): void {
  isTokenRefused = true;
  settle();
}

/** Calls back each time that the service answers after it was away. */
export const whenBack = (act: () => void): void => void returns.add(act);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useStanding = (): Standing => useSyncExternalStore(listen, () => standing);
