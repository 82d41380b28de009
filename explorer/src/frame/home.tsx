import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { symbolsQuery } from '../api/queries.ts';
import { Answered } from '../ui/states.tsx';

const LAST_KEY = 'tigraph.symbol';

/** The symbol that was shown last; null on a first visit. */
export function lastSymbol(): string | null {
  try {
    return localStorage.getItem(LAST_KEY);
  } catch {
    return null;
  }
}

export function rememberSymbol(symbol: string): void {
  try {
    localStorage.setItem(LAST_KEY, symbol);
  } catch {
    // Without storage the next visit begins like the first.
  }
}

/** Opens the stock that was shown last, else the one with the most kinds of data. */
export function Home(): ReactNode {
  const asked = useQuery(symbolsQuery(''));
  const last = lastSymbol();
  if (last !== null) return <Navigate to="/stocks/$symbol" params={{ symbol: last }} replace />;
  return (
    <Answered asked={asked}>
      {({ symbols }) => {
        const kinds = (at: number): number => Object.values(symbols[at]!.has).filter(Boolean).length;
        const best = symbols.map((_, at) => at).sort((a, b) => kinds(b) - kinds(a))[0];
        if (best === undefined) {
          return (
            <div className="refused">
              <p>Nothing is on the tape yet.</p>
              <p className="way">
                <code>npm run tigraph -- import --help</code> lists the importers;{' '}
                <a href="/docs">the documentation</a> says more.
              </p>
            </div>
          );
        }
        return <Navigate to="/stocks/$symbol" params={{ symbol: symbols[best]!.symbol }} replace />;
      }}
    </Answered>
  );
}
