import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { busiestStock } from '../shared/api/busiest.ts';
import { symbolsQuery } from '../shared/api/queries.ts';
import { instantAt, startOfDate } from '../shared/chart/wall-clock.ts';
import { MINUTE_MS, minuteOf } from '../shared/instant.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { Answered } from '../shared/ui/states.tsx';

/** Minute of the day at which a first visit looks: the day has its shape, and its chain is known. */
const FIRST_LOOK_MINUTE = 15 * 60 + 50;

/** Where something happens: a broken opening range and a side that little would turn, on the busiest such stock. */
const firstLookQuery = queryOptions({
  queryKey: ['first look'],
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn({ signal }) {
    const both = [
      { field: 'levels.orb_15m_status', op: 'in', value: ['breakout_up', 'breakout_down'] },
      { field: 'confluence_components.nearest_flip.input', op: 'not_null' },
    ];
    const found = await busiestStock(both, signal);
    if (found === null) return null;
    const instant = instantAt((startOfDate(found.date) + (FIRST_LOOK_MINUTE * MINUTE_MS) / 1000) as never);
    return { symbol: found.symbol, as_of: minuteOf(instant) };
  },
});

/** Opens the stock that was shown last; on a first visit a minute at which something happens. */
export function Home(): ReactNode {
  const last = lastSymbol();
  if (last !== null) return <Navigate to="/stocks/$symbol" params={{ symbol: last }} replace />;
  return <FirstLook />;
}

function FirstLook(): ReactNode {
  const look = useQuery(firstLookQuery);
  const listed = useQuery({ ...symbolsQuery(''), enabled: look.data === null });
  return (
    <Answered asked={look}>
      {(found) =>
        found !== null ? (
          <Navigate
            to="/stocks/$symbol"
            params={{ symbol: found.symbol }}
            search={{ as_of: found.as_of }}
            replace
          />
        ) : (
          <Answered asked={listed}>
            {({ symbols }) => {
              const kinds = (at: number): number => Object.values(symbols[at]!.has).filter(Boolean).length;
              const best = symbols.map((_, at) => at).sort((a, b) => kinds(b) - kinds(a))[0];
              return best === undefined ? (
                <EmptyTape />
              ) : (
                <Navigate to="/stocks/$symbol" params={{ symbol: symbols[best]!.symbol }} replace />
              );
            }}
          </Answered>
        )
      }
    </Answered>
  );
}

function EmptyTape(): ReactNode {
  return (
    <div className="refused">
      <p>Nothing is on the tape yet.</p>
      <p className="way">
        <Link to="/data">Data</Link> takes files; <code>npm run tigraph -- import --help</code> lists the
        importers; <a href="/docs">the documentation</a> says more.
      </p>
    </div>
  );
}
