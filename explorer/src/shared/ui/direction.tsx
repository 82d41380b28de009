import type { ReactNode } from 'react';

const SIGNS: Readonly<Record<string, readonly [tone: string, sign: string]>> = {
  bullish: ['up', '▲'],
  bearish: ['down', '▼'],
};

/** To which side something speaks. */
export function Direction({ of }: { readonly of: string | null }): ReactNode {
  const [tone, sign] = SIGNS[of ?? ''] ?? ['neutral', '◆'];
  return <span className={tone}>{sign}</span>;
}
