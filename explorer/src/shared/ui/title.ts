import { useEffect } from 'react';

/** What the browser calls the page. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · tigraph`;
  }, [title]);
