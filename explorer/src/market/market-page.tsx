import type { ReactNode } from 'react';

export function MarketPage(): ReactNode {
  return <h1>Market</h1>;
}
