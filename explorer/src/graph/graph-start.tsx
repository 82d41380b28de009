import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { busiestStock } from '../shared/api/busiest.ts';
import { symbolsQuery } from '../shared/api/queries.ts';
import { queries } from '../shared/api/query-client.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { Answered } from '../shared/ui/states.tsx';

const route = getRouteApi('/graph');

const HAS_PEERS = { field: 'peer_divergence_v1.peers_local', op: '>', value: 0 };

const startQuery = (last: string | null) =>
  queryOptions({
    queryKey: ['graph start', last],
    async queryFn({ signal }) {
      const isLast = { field: 'symbol', op: 'in', value: [last] };
      const found = last === null ? null : await busiestStock([HAS_PEERS, isLast], signal);
      const shown = (found ?? (await busiestStock([HAS_PEERS], signal)))?.symbol ?? last;
      return shown ?? (await queries.fetchQuery(symbolsQuery(''))).symbols[0]?.symbol ?? null;
    },
  });

/** Opens the graph of the stock that was shown last if it has peers, else of the busiest that has some. */
export function GraphStart(): ReactNode {
  const search = route.useSearch();
  const start = useQuery(startQuery(lastSymbol()));
  return (
    <Answered asked={start} height={480}>
      {(symbol) =>
        // Without a stock the home page says how one comes.
        symbol === null ? (
          <Navigate to="/" replace />
        ) : (
          <Navigate to="/graph/$symbol" params={{ symbol }} search={search} replace />
        )
      }
    </Answered>
  );
}
