import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { marketQuery, stockQuery } from '../shared/api/queries.ts';
import { useNewest } from '../shared/api/use-newest.ts';
import { clockOf, dayOf } from '../shared/instant.ts';
import { rememberSymbol } from '../shared/last-symbol.ts';
import { Ledgers } from '../shared/ledgers.tsx';
import { PriceHead } from '../shared/price-head.tsx';
import { SelectionProvider } from '../shared/selection.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, Refused, Skeleton } from '../shared/ui/states.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { DEFAULT_INTERVAL } from './ask-ahead.ts';
import { ChartPanel } from './chart-panel.tsx';
import { Hints } from './hints.tsx';
import { DEFAULT_LAYERS, withToggled } from './layers.ts';
import { Playbooks } from './playbooks.tsx';
import { Standing } from './standing.tsx';
import { INTERVALS, type StockSearch, TABS, type Tab } from './stock-search.ts';
import { TabPanel } from './tab-panel.tsx';
import { TimeHandle } from './time-handle.tsx';
import { useLiveStock } from './use-live-stock.ts';
import { useSettled } from './use-settled.ts';

const route = getRouteApi('/stocks/$symbol');

const TAB_KEYS: Readonly<Record<string, Tab>> = {
  o: 'options',
  f: 'flow',
  c: 'company',
  n: 'news',
  a: 'ask',
};
const LAYER_KEYS = { l: 'levels', p: 'profile', g: 'gamma', t: 'patterns', e: 'events' } as const;

/** One stock at one instant: chart, ledger and what lies below, on one time handle. */
export function StockPage(): ReactNode {
  const { symbol } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const asOf = useDeferredValue(search.as_of);
  const change = useCallback(
    (part: Partial<Record<keyof StockSearch, unknown>>, replace = false): void => {
      void navigate({
        search: (before) =>
          Object.fromEntries(
            Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined),
          ) as StockSearch,
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  const stock = useQuery(stockQuery(symbol, asOf));
  const settled = useSettled(asOf);
  const market = useQuery(marketQuery(settled));
  const newestMs = useNewest();
  useLiveStock(symbol, search.as_of === undefined);
  useEffect(() => {
    document.title = `${symbol} · tigraph`;
    if (stock.data !== undefined) rememberSymbol(symbol);
  }, [symbol, stock.data]);
  const layers = search.layers ?? DEFAULT_LAYERS;
  useKeys({
    ...Object.fromEntries(INTERVALS.map((interval, at) => [`${at + 1}`, () => change({ interval }, true)])),
    ...Object.fromEntries(Object.entries(TAB_KEYS).map(([key, tab]) => [key, () => change({ tab }, true)])),
    ...Object.fromEntries(
      Object.entries(LAYER_KEYS).map(([key, layer]) => [
        key,
        () => change({ layers: withToggled(layers, layer) }, true),
      ]),
    ),
  });
  const shown = useMemo(() => {
    const { updated_at, source } = stock.data ?? {};
    const instant = updated_at === undefined ? null : Date.parse(updated_at);
    return {
      asOf: instant === null ? '' : `${dayOf(instant)}, ${clockOf(instant)} ET`,
      source: source ?? '',
    };
  }, [stock.data]);
  if (stock.error !== null && stock.data === undefined) {
    return (
      <div className="page-refused">
        <h1>{symbol}</h1>
        <Refused error={stock.error} onRetry={() => void stock.refetch()} />
        {search.as_of === undefined ? null : (
          <button type="button" onClick={() => change({ as_of: undefined })}>
            Show the newest minute
          </button>
        )}
      </div>
    );
  }
  return (
    <ShownContext value={shown}>
      <SelectionProvider>
        <div className="stock-page" data-late={stock.isPlaceholderData || undefined}>
          <section className="area-chart" aria-label="Chart">
            <PriceHead symbol={symbol} asked={stock} market={market.data} />
            <ChartPanel
              symbol={symbol}
              asOf={asOf}
              settled={settled}
              handle={search.as_of}
              stock={stock.data}
              interval={search.interval ?? DEFAULT_INTERVAL}
              layers={layers}
              change={change}
            />
            {newestMs === null ? (
              <Skeleton height={49} />
            ) : (
              <TimeHandle
                symbol={symbol}
                asOf={search.as_of}
                newestMs={newestMs}
                isCompared={search.compare === true}
                change={change}
              />
            )}
          </section>
          <aside className="area-side" aria-label="Reasons">
            <Answered asked={stock} rows={16}>
              {(data) => (
                <>
                  <Ledgers
                    stock={data}
                    {...(search.compare && search.as_of !== undefined ? { compareTo: symbol } : {})}
                  />
                  <Standing stock={data} />
                  <Playbooks stock={data} />
                </>
              )}
            </Answered>
          </aside>
          <Hints asOf={search.as_of} tab={search.tab ?? TABS[0]} />
          <TabPanel
            symbol={symbol}
            asOf={settled}
            asked={stock}
            tab={search.tab ?? TABS[0]}
            onTab={(tab) => change({ tab }, true)}
          />
        </div>
      </SelectionProvider>
    </ShownContext>
  );
}
