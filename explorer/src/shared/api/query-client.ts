import { QueryCache, QueryClient } from '@tanstack/react-query';
import { TigraphError } from '@tigraph/client';
import { noteAnswer } from './reachability.ts';

const RETRIES = 5;
/** Answers that a reader may come back to. */
const KEPT_MS = 10 * 60_000;

/** The answers that the pages have. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onSuccess: () => noteAnswer(null) }),
  defaultOptions: {
    queries: {
      gcTime: KEPT_MS,
      // What the browser thinks of its network says nothing of a service on this machine.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      retry: (failures, error) => {
        noteAnswer(error);
        if (!(error instanceof TigraphError) || !error.isTemporary) return false;
        // A service that is away is asked until it is back.
        return error.status === 0 || failures < RETRIES;
      },
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
    },
  },
});
