import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { askAgain, queries } from './shared/api/query-client.ts';
import { bringParts } from './shared/part.ts';
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/theme/settings.ts';

/** By then the first page is drawn. */
const PARTS_AFTER_MS = 2_000;

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

addEventListener('online', () => void askAgain());
addEventListener('load', () => setTimeout(bringParts, PARTS_AFTER_MS));
