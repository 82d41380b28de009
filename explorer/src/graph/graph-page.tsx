import type { ReactNode } from 'react';

export function GraphPage(): ReactNode {
  return <h1>Graph</h1>;
}
