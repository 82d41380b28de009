import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { sessionsOld } from '../shared/age.ts';
import { client } from '../shared/api/client.ts';
import { fieldsQuery, type ScreenField, stockQuery } from '../shared/api/queries.ts';
import { Ledgers } from '../shared/ledgers.tsx';
import { PriceHead } from '../shared/price-head.tsx';
import { SelectionProvider } from '../shared/selection.tsx';
import { ABSENT } from '../shared/sentences.ts';
import { Answered, Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { ConditionTree } from './condition-tree.tsx';
import { csvOf } from './csv.ts';
import { type Filter, FilterFault, readFilter, writeFilter } from './filter-text.ts';
import {
  columnsOf,
  computedOf,
  type ScreenSearch,
  savedScreens,
  saveScreen,
  sortOf,
} from './screen-search.ts';
import { type Row, ScreenTable } from './screen-table.tsx';
import './screener.css';

const route = getRouteApi('/screener');
const PAGE = 500;
const NEAR_MISSES = 10;
const EXAMPLE = 'technical.rsi_14 < 45 and rel_volume > 1';

/** A text that may be a filter. */
function read(text: string): { readonly filter: Filter | null; readonly fault: FilterFault | null } {
  try {
    return { filter: readFilter(text), fault: null };
  } catch (error) {
    if (error instanceof FilterFault) return { filter: null, fault: error };
    throw error;
  }
}

/** Stocks that pass a screen, built by hand or typed. */
export function ScreenerPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(search.filter ?? '');
  const [isJson, showJson] = useState(false);
  const { filter, fault } = useMemo(() => read(text), [text]);
  const change = useCallback(
    (part: { readonly [Name in keyof ScreenSearch]?: ScreenSearch[Name] | undefined }): void =>
      void navigate({
        search: (before) =>
          Object.fromEntries(
            Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined && value !== ''),
          ),
        replace: true,
      }),
    [navigate],
  );
  const write = (next: string): void => {
    setText(next);
    if (read(next).fault === null) change({ filter: next.trim() });
  };
  useEffect(() => {
    document.title = 'Screener · tigraph';
  }, []);
  const fields = useQuery(fieldsQuery);
  const byPath = useMemo(
    () => new Map((fields.data?.fields ?? []).map((field) => [field.path, field])),
    [fields.data],
  );
  const columns = useMemo(() => columnsOf(search), [search]);
  const sort = sortOf(search);
  const asked = useScreen(search);
  const rows = useMemo(
    () => (asked.data?.pages ?? []).flatMap((page) => page.rows as readonly Row[]),
    [asked.data],
  );
  const first = asked.data?.pages[0];
  return (
    <div className="screener-page" data-split={search.symbol !== undefined || undefined}>
      <section className="screen-builder" aria-label="Screen">
        <h1>
          Screener{' '}
          <small>
            {first === undefined
              ? ''
              : `${first.total} of ${first.universe} stocks pass on ${first.date}, ${first.source}${first.sessions_behind > 0 ? `, ${sessionsOld(first.sessions_behind)}` : ''}`}
          </small>
        </h1>
        <textarea
          aria-label="Filter as text"
          rows={2}
          spellCheck={false}
          placeholder={EXAMPLE}
          value={text}
          aria-invalid={fault !== null}
          onChange={({ target }) => write(target.value)}
        />
        {fault === null ? null : (
          <p className="fault" role="alert">
            At character {fault.at + 1}: {fault.message}.
          </p>
        )}
        <ConditionTree
          filter={filter}
          fields={fields.data?.fields ?? []}
          onChange={(next) => write(next === null ? '' : writeFilter(next))}
        />
        <Options
          search={search}
          change={change}
          rows={rows}
          columns={columns}
          fields={fields.data?.fields ?? []}
        />
        <button type="button" className="switch" aria-pressed={isJson} onClick={() => showJson(!isJson)}>
          as JSON
        </button>
        {isJson ? <pre>{JSON.stringify(bodyOf(search), null, 2)}</pre> : null}
      </section>
      <section className="screen-results" aria-label="Results">
        {asked.error !== null ? (
          <Refused error={asked.error} onRetry={() => void asked.refetch()} />
        ) : first === undefined ? (
          <Skeleton rows={12} />
        ) : rows.length === 0 ? (
          <Missing reason={ABSENT.screen} height={120} />
        ) : (
          <ScreenTable
            rows={rows}
            total={first.total}
            date={first.date}
            columns={columns}
            fields={byPath}
            sort={sort}
            selected={search.symbol}
            onSort={(path) =>
              change({ sort: sort.field === path && sort.order === 'desc' ? path : `-${path}` })
            }
            onSelect={(symbol) => change({ symbol })}
            onEnd={() => {
              if (asked.hasNextPage && !asked.isFetchingNextPage) void asked.fetchNextPage();
            }}
          />
        )}
        {first === undefined || first.near_misses.length === 0 ? null : (
          <p className="near">
            Nearest misses:{' '}
            {first.near_misses.map(({ symbol, condition, value }) => (
              <button
                key={symbol}
                type="button"
                className="chip"
                data-tip={`${(condition as { field?: string }).field ?? ''} is ${value ?? 'not known'}`}
                onClick={() => change({ symbol })}
              >
                {symbol}
              </button>
            ))}
          </p>
        )}
      </section>
      {search.symbol === undefined ? null : (
        <Split symbol={search.symbol} onClose={() => change({ symbol: undefined })} />
      )}
    </div>
  );
}

/** The request of a screen, without its page. */
function bodyOf(search: ScreenSearch) {
  const { filter } = read(search.filter ?? '');
  const computed = computedOf(search);
  return {
    ...(filter === null ? {} : { filter: filter as Record<string, unknown>, near_misses: NEAR_MISSES }),
    ...(Object.keys(computed).length === 0 ? {} : { computed }),
    sort: [sortOf(search)],
    select: columnsOf(search),
    limit: PAGE,
    ...(search.date === undefined ? {} : { date: search.date }),
  };
}

const useScreen = (search: ScreenSearch) => {
  const body = bodyOf(search);
  return useInfiniteQuery({
    queryKey: ['screen', body],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.POST('/api/graph/v1/screener', {
          body: { ...body, ...(pageParam === null ? {} : { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });
};

interface OptionsProps {
  readonly search: ScreenSearch;
  readonly change: (part: { readonly [Name in keyof ScreenSearch]?: ScreenSearch[Name] | undefined }) => void;
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  readonly fields: readonly ScreenField[];
}

/** Columns, computed expressions, date, saved screens and download. */
function Options({ search, change, rows, columns, fields }: OptionsProps): ReactNode {
  const [saved, setSaved] = useState(savedScreens);
  const [name, setName] = useState('');
  const download = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([csvOf(rows, ['symbol', ...columns])], { type: 'text/csv' }));
    link.download = `screen-${search.date ?? 'newest'}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="screen-options">
      <ColumnChoice
        columns={columns}
        fields={fields}
        computed={Object.keys(computedOf(search)).map((name) => `computed.${name}`)}
        onChange={(next) => change({ columns: next?.join() })}
      />
      <label>
        Computed
        <input
          placeholder="room = last_price - technical.moving_averages.sma_50"
          key={search.computed ?? ''}
          defaultValue={search.computed ?? ''}
          onBlur={({ target }) => change({ computed: target.value })}
        />
      </label>
      <label>
        Date
        <input
          type="date"
          value={search.date ?? ''}
          onChange={({ target }) => change({ date: target.value })}
        />
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          saveScreen(name.trim(), search);
          setSaved(savedScreens());
          setName('');
        }}
      >
        <input
          aria-label="Name of the screen"
          placeholder="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button type="submit">Save</button>
      </form>
      {Object.entries(saved).map(([title, screen]) => (
        <Link key={title} className="chip" to="/screener" search={screen} reloadDocument>
          {title}
        </Link>
      ))}
      <button type="button" disabled={rows.length === 0} onClick={download}>
        CSV
      </button>
    </div>
  );
}

/** The chosen stock beside the table. */
function Split({ symbol, onClose }: { readonly symbol: string; readonly onClose: () => void }): ReactNode {
  const asked = useQuery(stockQuery(symbol, undefined));
  return (
    <aside className="screen-split" aria-label={symbol}>
      <p className="split-head">
        <Link to="/stocks/$symbol" params={{ symbol }}>
          Open {symbol}
        </Link>
        <button type="button" className="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </p>
      <SelectionProvider>
        <PriceHead symbol={symbol} asked={asked} market={undefined} />
        <Answered asked={asked} rows={14}>
          {(stock) => <Ledgers stock={stock} />}
        </Answered>
      </SelectionProvider>
    </aside>
  );
}
