import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { busiestStock } from '../shared/api/busiest.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { Answered, Missing } from '../shared/ui/states.tsx';

const route = getRouteApi('/graph');

const HAS_PEERS = { field: 'peer_divergence_v1.peers_local', op: '>', value: 0 };

const startQuery = (last: string | null) =>
  queryOptions({
    queryKey: ['graph start', last],
    async queryFn({ signal }) {
      const isLast = { field: 'symbol', op: 'in', value: [last] };
      const found = last === null ? null : await busiestStock([HAS_PEERS, isLast], signal);
      return (found ?? (await busiestStock([HAS_PEERS], signal)))?.symbol ?? last;
    },
  });

/** Opens the graph of the stock that was shown last if it has peers, else of the busiest that has some. */
export function GraphStart(): ReactNode {
  const search = route.useSearch();
  const start = useQuery(startQuery(lastSymbol()));
  return (
    <Answered asked={start} height={480}>
      {(symbol) =>
        symbol === null ? (
          <Missing reason="No stock has peers yet: they are found at the end of each month." height={240} />
        ) : (
          <Navigate to="/graph/$symbol" params={{ symbol }} search={search} replace />
        )
      }
    </Answered>
  );
}
