import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { busiestStock } from '../shared/api/busiest.ts';
import { type Bars, barsQuery, symbolsQuery } from '../shared/api/queries.ts';
import { MINUTE_MS, minuteOf } from '../shared/instant.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { Answered } from '../shared/ui/states.tsx';

/** Minutes of the opening range whose break is shown. */
const RANGE_MINUTES = 15;
/** After the break: entry and gates have had time to follow it. */
const AFTER_BREAK_MINUTES = 5;

/** Where something happens: a broken opening range and a side that little would turn, on the busiest such stock. */
const firstLookQuery = queryOptions({
  queryKey: ['first look'],
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn({ signal, client: queryClient }) {
    const both = [
      { field: 'levels.orb_15m_status', op: 'in', value: ['breakout_up', 'breakout_down'] },
      { field: 'confluence_components.nearest_flip.input', op: 'not_null' },
    ];
    const found = await busiestStock(both, signal);
    if (found === null) return null;
    const range = { interval: '1m', from: found.date, session: 'regular' } as const;
    const bars = await queryClient.fetchQuery(barsQuery(found.symbol, range, undefined));
    const at = breakOf(bars);
    const instant = Date.parse(bars.time[at] ?? `${found.date}T15:30:00Z`) + AFTER_BREAK_MINUTES * MINUTE_MS;
    return { symbol: found.symbol, as_of: minuteOf(instant) };
  },
});

/** The bar that first closes beyond the opening range; of a day without a break the widest after it. */
export function breakOf({ high, low, close }: Pick<Bars, 'high' | 'low' | 'close'>): number {
  const top = Math.max(...high.slice(0, RANGE_MINUTES));
  const bottom = Math.min(...low.slice(0, RANGE_MINUTES));
  const at = close.findIndex((price, bar) => bar >= RANGE_MINUTES && (price > top || price < bottom));
  if (at >= 0) return at;
  const widths = high.map((price, bar) => (bar < RANGE_MINUTES ? 0 : price - low[bar]!));
  return widths.indexOf(Math.max(...widths));
}

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
        <Link to="/data">Data</Link> takes files; <a href="/docs">the documentation</a> says what they may
        hold.
      </p>
    </div>
  );
}
