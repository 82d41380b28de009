import { QueryClient } from '@tanstack/react-query';
import { TigraphError } from '@tigraph/client';
import { isPutOff, noteTokenRefused, retryAfterS, whenBack } from './reachability.ts';

/** A request that broke on the service is sent again so often. */
const RETRIES = 3;
const [WAIT_MIN_MS, WAIT_MAX_MS] = [500, 10_000];
/** Answers that a reader may come back to. */
const KEPT_MS = 10 * 60_000;

/** Grows, and differs from page to page, so that they do not return together. */
export const waitMs = (failures: number): number =>
  Math.min(WAIT_MIN_MS * 2 ** failures, WAIT_MAX_MS) * (0.75 + Math.random() / 2);

/** The answers that the pages have. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: KEPT_MS,
      // What the browser thinks of its network says nothing of a service on this machine.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      retry: (failures, error) => {
        if (!(error instanceof TigraphError)) return false;
        if (error.status === 401) noteTokenRefused();
        // A service that is away or busy is asked until it answers.
        return error.status === 0 || isPutOff(error.status) || (error.isTemporary && failures < RETRIES);
      },
      // A wait that the service names is its own; of the others none knows how long.
      retryDelay: (failures, { cause }) => {
        const seconds = cause instanceof Response ? retryAfterS(cause) : 0;
        return seconds > 0 ? seconds * 1000 * (1 + Math.random() / 10) : waitMs(failures);
      },
    },
  },
});

/** Asks at once what waits to be asked again. */
export async function askAgain(): Promise<void> {
  const waiting = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => state.fetchStatus === 'fetching' });
  const filters = { predicate: (query: (typeof waiting)[number]) => waiting.includes(query) };
  await queries.cancelQueries(filters);
  await queries.refetchQueries(filters);
}

whenBack(() => void askAgain());
