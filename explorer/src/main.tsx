import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { TigraphError } from '@tigraph/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { noteAnswer } from './api/reachability.ts';
import { router } from './router.tsx';
import './theme/tokens.css';
import './theme/base.css';
import './theme/settings.ts';

const RETRIES = 5;
/** Answers that a reader may come back to. */
const KEPT_MS = 10 * 60_000;

const queries = new QueryClient({
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

// A newer build has replaced the file that a link leads to: the address is the whole state, so nothing is lost.
addEventListener('vite:preloadError', () => location.reload());

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
