import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { wordsOf } from '../shared/instant.ts';
import { rememberSymbol } from '../shared/last-symbol.ts';
import { Ledgers } from '../shared/ledgers.tsx';
import { present } from '../shared/present.ts';
import { PriceHead } from '../shared/price-head.tsx';
import { SelectionProvider } from '../shared/selection.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, Refused, Skeleton } from '../shared/ui/states.tsx';
import { askBeside, DEFAULT_INTERVAL } from './ask-ahead.ts';
import { ChartPanel } from './chart-panel.tsx';
import { hasChain } from './has-chain.ts';
import { HeadFacts } from './head-facts.tsx';
import { sinceWords } from './head-words.ts';
import { Hints } from './hints.tsx';
import { Ladder } from './ladder.tsx';
import { DEFAULT_LAYERS } from './layers.ts';
import { Playbooks } from './playbooks.tsx';
import { Rail } from './rail.tsx';
import { Standing } from './standing.tsx';
import type { StockSearch } from './stock-search.ts';
import { TabPanel } from './tab-panel.tsx';
import { TimeHandle } from './time-handle.tsx';
import { Tour } from './tour.tsx';
import { useLiveStock } from './use-live-stock.ts';
import { useStockAt } from './use-stock-at.ts';
import { useStockKeys } from './use-stock-keys.ts';

const route = getRouteApi('/stocks/$symbol');

/** One stock at one instant: chart, ledger and what lies below, on one time handle. */
export function StockPage(): ReactNode {
  const { symbol } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (part: Partial<Record<keyof StockSearch, unknown>>, replace = false): void => {
      void navigate({
        search: (before) => present({ ...before, ...part }) as StockSearch,
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  const { instants, stock, market, clock, standpoint, newestMs, restMs } = useStockAt(symbol, search.as_of);
  useLiveStock([symbol], search.as_of === undefined);
  useEffect(() => {
    document.title = `${symbol} · tigraph`;
    if (stock.data !== undefined) rememberSymbol(symbol);
  }, [symbol, stock.data]);
  const interval = search.interval ?? DEFAULT_INTERVAL;
  useEffect(() => {
    return restMs === null || newestMs === null ? undefined : askBeside(symbol, interval, restMs, newestMs);
  }, [symbol, interval, restMs, newestMs]);
  const layers = search.layers ?? DEFAULT_LAYERS;
  // Without a chain the first tab would be empty.
  const tab = search.tab ?? (stock.data === undefined || hasChain(stock.data) ? 'options' : 'levels');
  useStockKeys(layers, change);
  const shown = useMemo(() => {
    const { updated_at, source } = stock.data ?? {};
    return { asOf: updated_at === undefined ? '' : wordsOf(Date.parse(updated_at)), source: source ?? '' };
  }, [stock.data]);
  const rail = (
    <Rail symbol={symbol} search={search} clock={clock?.clock} simulated={stock.data?.simulated} />
  );
  if (stock.error !== null && stock.data === undefined)
    return (
      <div className="stock-page">
        {rail}
        <div className="area-chart page-refused">
          <h1>{symbol}</h1>
          <Refused error={stock.error} onRetry={() => void stock.refetch()} />
          {search.as_of === undefined ? null : (
            <button type="button" onClick={() => change({ as_of: undefined })}>
              Show the newest minute
            </button>
          )}
        </div>
      </div>
    );
  return (
    <ShownContext value={shown}>
      <SelectionProvider first={search.select}>
        {search.tour === undefined ? (
          <Hints asOf={search.as_of} tab={tab} onTour={() => change({ tour: 1 })} />
        ) : (
          <Tour symbol={symbol} at={search.tour} standpoint={standpoint} change={change} />
        )}
        <div className="stock-page" data-late={stock.isPlaceholderData || undefined}>
          {rail}
          <section className="area-chart" aria-label="Chart">
            <PriceHead
              symbol={symbol}
              asked={stock}
              market={clock}
              isNewest={search.as_of === undefined}
              since={stock.data === undefined ? null : sinceWords(stock.data, clock)}
              facts={
                stock.data === undefined ? null : (
                  <HeadFacts stock={stock.data} market={clock} asOf={instants.settled} />
                )
              }
            />
            <ChartPanel
              symbol={symbol}
              instants={instants}
              stock={stock.data}
              newestMs={standpoint?.newestMs ?? null}
              chosen={search.interval}
              layers={layers}
              change={change}
            />
            {standpoint === null ? (
              <Skeleton height={49} />
            ) : (
              <TimeHandle
                symbol={symbol}
                asOf={search.as_of}
                standpoint={standpoint}
                market={market}
                isCompared={search.compare === true}
                change={change}
              />
            )}
          </section>
          <aside className="area-side" aria-label="Reasons">
            <Answered asked={stock} rows={16}>
              {(data) => (
                <>
                  <Ladder stock={data} asOf={instants.settled} />
                  <Ledgers
                    stock={data}
                    asOf={instants.settled}
                    setups={<Playbooks stock={data} asOf={instants.settled} />}
                    {...(search.compare && search.as_of !== undefined ? { compareTo: symbol } : {})}
                  />
                  <Standing stock={data} />
                </>
              )}
            </Answered>
          </aside>
          <TabPanel
            symbol={symbol}
            asOf={instants.settled}
            asked={stock}
            tab={tab}
            onTab={(tab) => change({ tab }, true)}
          />
        </div>
      </SelectionProvider>
    </ShownContext>
  );
}
