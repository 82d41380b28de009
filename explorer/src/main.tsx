import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { queries } from './shared/api/query-client.ts';
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/theme/settings.ts';

// A newer build has replaced the file that a link leads to: the address is the whole state, so nothing is lost.
addEventListener('vite:preloadError', () => location.reload());

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
