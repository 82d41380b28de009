import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { peersQuery, stockQuery, symbolsQuery, watchlistsQuery } from '../../shared/api/queries.ts';
import { dateOf } from '../../shared/instant.ts';
import { chosenOf } from '../../shared/morning-lists.ts';
import { present } from '../../shared/present.ts';
import { SelectionProvider } from '../../shared/selection.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { useSettings } from '../../shared/theme/settings.ts';
import { Segments } from '../../shared/ui/choices.tsx';
import { Missing, Refused, Skeleton } from '../../shared/ui/states.tsx';
import { useTitle } from '../../shared/ui/title.ts';
import { TimeHandle } from '../time-handle.tsx';
import { useLiveStock } from '../use-live-stock.ts';
import { useStockAt } from '../use-stock-at.ts';
import { CompareColumn } from './compare-column.tsx';
import { COMPARED_MAX, type CompareSearch, comparedOf } from './compare-search.ts';
import { OneScale } from './one-scale.tsx';
import { ScoreTable } from './score-table.tsx';
import './compare.css';

const route = getRouteApi('/compare');
const VIEWS = { columns: 'side by side', lines: 'one scale' } as const;

/** Two to four stocks at one instant; its address is the whole view. */
export function ComparePage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const symbols = comparedOf(search.symbols);
  useTitle(symbols.length === 0 ? 'Compare' : `${symbols.join(', ')} compared`);
  const change = (part: Partial<Record<keyof CompareSearch, unknown>>, replace = false): void => {
    void navigate({
      search: (before) => present({ ...before, ...part }) as CompareSearch,
      replace,
      resetScroll: false,
    });
  };
  const put = (next: readonly string[]): void => change({ symbols: next.join(',') });
  return (
    <SelectionProvider>
      <div className="compare-page">
        <div className="row page-head">
          <h1>Compare</h1>
          <Adding symbols={symbols} search={search} onAdd={(symbol) => put([...symbols, symbol])} />
          <Segments
            label="View"
            options={VIEWS}
            value={search.view ?? 'columns'}
            onChange={(view) => change({ view: view === 'lines' ? view : undefined }, true)}
          />
        </div>
        {symbols.length === 0 ? (
          <Missing reason={ABSENT.compared} height={240} />
        ) : (
          <Compared symbols={symbols} search={search} change={change} onPut={put} />
        )}
      </div>
    </SelectionProvider>
  );
}

interface ComparedProps {
  readonly symbols: readonly string[];
  readonly search: CompareSearch;
  readonly change: (part: Partial<Record<keyof CompareSearch, unknown>>, replace?: boolean) => void;
  readonly onPut: (symbols: readonly string[]) => void;
}

/** The stocks below their time handle, which moves over the sessions of the first that is known. */
function Compared({ symbols, search, change, onPut }: ComparedProps): ReactNode {
  const asOf = useDeferredValue(search.as_of);
  const stocks = useQueries({
    queries: symbols.map((symbol) => ({ ...stockQuery(symbol, asOf), placeholderData: keepPreviousData })),
  });
  const lead =
    symbols[
      Math.max(
        0,
        stocks.findIndex(({ data }) => data !== undefined),
      )
    ]!;
  const { standpoint, market } = useStockAt(lead, search.as_of);
  const known = symbols.filter((_, at) => stocks[at]!.data !== undefined);
  useLiveStock(known, search.as_of === undefined);
  const date = standpoint === null ? null : dateOf(standpoint.shownMs);
  const isUnknown = stocks.every(({ data, error }) => data === undefined && error !== null);
  return (
    <>
      <div className="compare-time">
        {standpoint !== null ? (
          <TimeHandle
            symbol={lead}
            asOf={search.as_of}
            standpoint={standpoint}
            market={market}
            change={change}
          />
        ) : isUnknown ? null : (
          <Skeleton height={49} />
        )}
      </div>
      {search.view === 'lines' ? (
        date === null ? (
          <div className="one-scale waiting">
            {isUnknown ? <Refused error={stocks[0]!.error!} /> : <Skeleton height="100%" />}
          </div>
        ) : (
          <>
            <label className="since">
              Since the open of{' '}
              <input
                type="date"
                value={search.since ?? date}
                max={date}
                onChange={({ target }) => change({ since: target.value === date ? '' : target.value }, true)}
              />
            </label>
            <OneScale
              symbols={symbols}
              asOf={asOf}
              date={date}
              since={search.since !== undefined && search.since < date ? search.since : date}
            />
          </>
        )
      ) : (
        <div className="compare-columns" data-count={symbols.length}>
          {symbols.map((symbol) => (
            <CompareColumn
              key={symbol}
              symbol={symbol}
              asOf={search.as_of}
              onRemove={() => onPut(symbols.filter((one) => one !== symbol))}
            />
          ))}
        </div>
      )}
      {isUnknown ? null : <ScoreTable symbols={symbols} stocks={stocks.map(({ data }) => data)} />}
    </>
  );
}

const OFFERED_MAX = 5;

interface AddingProps {
  readonly symbols: readonly string[];
  readonly search: CompareSearch;
  readonly onAdd: (symbol: string) => void;
}

/** A field for one more stock, and those that come to mind: of the reader's list, and the peers of the first. */
function Adding({ symbols, search, onAdd }: AddingProps): ReactNode {
  const [text, setText] = useState('');
  const { list: kept } = useSettings();
  const lists = useQuery(watchlistsQuery).data?.watchlists ?? [];
  const first = symbols[0];
  const peers = useQuery({ ...peersQuery(first ?? '', search.as_of), enabled: first !== undefined });
  const { data: found } = useQuery(symbolsQuery(text.trim()));
  if (symbols.length >= COMPARED_MAX) return null;
  const chosen = chosenOf(kept, lists);
  const offered = [
    ...(lists.find(({ name }) => chosen === `list:${name}`)?.symbols ?? []),
    ...(peers.data?.peers ?? []).map(({ symbol }) => symbol),
    ...(found?.symbols ?? []).map(({ symbol }) => symbol),
  ].filter((symbol, at, all) => !symbols.includes(symbol) && all.indexOf(symbol) === at);
  const add = (): void => {
    const [symbol] = comparedOf(text);
    setText('');
    if (symbol !== undefined) onAdd(symbol);
  };
  return (
    <form
      className="row adding"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <input
        aria-label="Add a stock"
        placeholder="add a stock"
        list="compare-symbols"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id="compare-symbols">
        {found?.symbols.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {name}
          </option>
        ))}
      </datalist>
      {offered.slice(0, OFFERED_MAX).map((symbol) => (
        <button key={symbol} type="button" aria-label={`Add ${symbol}`} onClick={() => onAdd(symbol)}>
          + {symbol}
        </button>
      ))}
    </form>
  );
}
