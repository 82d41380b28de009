import type { ReactNode } from 'react';

export function ScreenerPage(): ReactNode {
  return <h1>Screener</h1>;
}
