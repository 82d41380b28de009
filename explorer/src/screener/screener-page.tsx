import {
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type components, dataOf } from '@tigraph/client';
import { Fragment, type ReactNode, useCallback, useMemo, useState } from 'react';
import { sessionsOld } from '../shared/age.ts';
import { client } from '../shared/api/client.ts';
import {
  fieldsQuery,
  putWatchlist,
  type ScreenField,
  stockQuery,
  watchlistsQuery,
} from '../shared/api/queries.ts';
import { dayOf, type Instant, instantSearch, noonOf } from '../shared/instant.ts';
import { Ledgers } from '../shared/ledgers.tsx';
import { present } from '../shared/present.ts';
import { PriceHead } from '../shared/price-head.tsx';
import { SelectionProvider } from '../shared/selection.tsx';
import { ABSENT } from '../shared/sentences.ts';
import { Popover } from '../shared/ui/popover.tsx';
import { Answered, Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { useMedia } from '../shared/use-media.ts';
import { ColumnChoice } from './column-choice.tsx';
import { ConditionTree } from './condition-tree.tsx';
import { csvOf } from './csv.ts';
import { RANGE_FIELDS } from './day-range.tsx';
import { type Filter, FilterFault, type Read, type Value, writeFilter } from '../shared/screening/filter.ts';
import { readScreen } from '../shared/screening/filter-text.ts';
import { missWords } from './miss-words.ts';
import {
  columnsOf,
  computedOf,
  READY_SCREENS,
  type ScreenSearch,
  savedScreens,
  saveScreen,
  sortOf,
  writeComputed,
} from './screen-search.ts';
import { type Row, ScreenTable } from './screen-table.tsx';
import { SIDES_OF_FLIP } from '../shared/screening/trade-phrases.ts';
import './screener.css';

const route = getRouteApi('/screener');
const PAGE = 500;
const NEAR_MISSES = 10;
const EXAMPLE = 'gap > 3 %, above vwap, rsi below 70';
/** The newest session is asked for again this often. */
const REFRESH_MS = 60_000;
const NARROW = '(max-width: 600px)';

interface MaybeRead extends Read {
  readonly fault: FilterFault | null;
}

/** A text that may be a filter. */
function read(text: string, fields: readonly ScreenField[]): MaybeRead {
  try {
    return { ...readScreen(text, fields), fault: null };
  } catch (error) {
    if (error instanceof FilterFault) return { filter: null, computed: {}, fault: error };
    throw error;
  }
}

/** What to leave out of a screen that was refused. */
const WAYS = [
  ['date', 'Show the newest session'],
  ['computed', 'Without computed numbers'],
  ['columns', 'With the usual columns'],
  ['sort', 'With the usual order'],
] as const;
const isDate = (date: string | undefined): boolean => date === undefined || /^\d{4}-\d\d-\d\d$/.test(date);
const NO_FIELDS: readonly ScreenField[] = [];

/** A screen as it is typed or built by hand, beside the address that it is kept in. */
function useScreenText(fields: readonly ScreenField[]) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(search.filter ?? '');
  /** What was built by hand, which may not be readable yet. */
  const [built, setBuilt] = useState<Filter | null>();
  const { filter, computed, fault } = useMemo(() => read(text, fields), [text, fields]);
  const change = useCallback(
    (part: ScreenPart): void =>
      void navigate({ search: (before) => present({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const write = (next: string): void => {
    setText(next);
    setBuilt(undefined);
    if (read(next, fields).fault === null) change({ filter: next.trim() });
  };
  const build = (next: Filter | null): void => {
    const written = next === null ? '' : writeFilter(next);
    write(written);
    setBuilt(next);
    // A distance that words computed keeps its formula: its name alone does not say it.
    if (Object.keys(computed).length > 0)
      change({ computed: writeComputed({ ...computedOf(search), ...computed }) });
  };
  const open = (screen: ScreenSearch): void => {
    setText(screen.filter ?? '');
    setBuilt(undefined);
    void navigate({ search: screen });
  };
  return { search, text, filter: built === undefined ? filter : built, fault, change, write, build, open };
}

/** The rows of a screen as far as they are asked for, or why there are none. */
function useRows(
  search: ScreenSearch,
  body: ScreenBody,
  catalogue: UseQueryResult<unknown>,
  fault: FilterFault | null,
) {
  const dateFault = isDate(search.date) ? null : new Error(`“${search.date}” in the address is no date.`);
  const asked = useScreen(
    body,
    search.date === undefined,
    catalogue.data !== undefined && dateFault === null && fault === null,
  );
  const refusal = catalogue.error ?? dateFault ?? asked.error;
  const rows = useMemo(
    () => (asked.data?.pages ?? []).flatMap((page) => page.rows as readonly Row[]),
    [asked.data],
  );
  // A screen that is refused has no answer, and not that of the screen before it.
  const first = fault === null && refusal === null ? asked.data?.pages[0] : undefined;
  const more = (): void => {
    if (asked.hasNextPage && !asked.isFetchingNextPage) void asked.fetchNextPage();
  };
  const retry = (): void => void (catalogue.error === null ? asked : catalogue).refetch();
  return { rows, first, refusal, more, retry };
}

/** Stocks that pass a screen, built by hand or typed. */
export function ScreenerPage(): ReactNode {
  const catalogue = useQuery(fieldsQuery);
  const fields = catalogue.data?.fields ?? NO_FIELDS;
  const isNarrow = useMedia(NARROW);
  const { search, text, filter, fault, change, write, build, open } = useScreenText(fields);
  useTitle('Screener');
  const byPath = useMemo(() => new Map(fields.map((field) => [field.path, field])), [fields]);
  const { body, chosen } = useMemo(() => screenOf(search, fields), [search, fields]);
  const columns = useMemo(() => {
    const isText = (path: string): boolean => byPath.get(path)?.type === 'text';
    // On a phone the numbers come first.
    return isNarrow ? [...chosen].sort((a, b) => Number(isText(a)) - Number(isText(b))) : chosen;
  }, [chosen, byPath, isNarrow]);
  const { rows, first, refusal, more, retry } = useRows(search, body, catalogue, fault);
  return (
    <div className="screener-page" data-split={search.symbol !== undefined || undefined}>
      <section className="screen-builder" aria-label="Screen">
        <h1>
          Screener <small>{first === undefined ? '' : countWords(first)}</small>
        </h1>
        <div className="screen-line">
          <input
            aria-label="Filter as text"
            spellCheck={false}
            placeholder={EXAMPLE}
            value={text}
            aria-invalid={fault !== null}
            onChange={({ target }) => write(target.value)}
          />
          <ColumnChoice
            columns={columns}
            fields={fields}
            onChange={(next) => change({ columns: next?.join() })}
          />
          <Options
            search={search}
            change={change}
            open={open}
            body={body}
            columns={chosen}
            date={first?.date}
            rows={rows}
          />
        </div>
        {fault === null ? null : <FaultLine fault={fault} text={text} onWrite={write} />}
        <div className="screen-ready">
          {Object.entries(READY_SCREENS).map(([title, screen]) => (
            <button
              key={title}
              type="button"
              className="chip"
              aria-pressed={search.filter === screen.filter}
              data-tip={screen.filter}
              onClick={() => open(screen)}
            >
              {title}
            </button>
          ))}
          <details className="by-hand" open={!isNarrow || undefined}>
            <summary>Conditions</summary>
            <ConditionTree filter={filter} fields={fields} onChange={build} />
          </details>
        </div>
      </section>
      <section className="screen-results" aria-label="Results">
        {refusal === null ? null : (
          <>
            <Refused error={refusal} onRetry={retry} />
            <p className="ways">
              {WAYS.filter(([name]) => search[name] !== undefined).map(([name, words]) => (
                <button key={name} type="button" onClick={() => change({ [name]: undefined })}>
                  {words}
                </button>
              ))}
            </p>
          </>
        )}
        {first !== undefined ? (
          <Results
            first={first}
            rows={rows}
            columns={columns}
            fields={byPath}
            search={search}
            isNarrow={isNarrow}
            change={change}
            onAll={() => open({})}
            onEnd={more}
          />
        ) : fault === null && refusal === null ? (
          <Skeleton rows={12} />
        ) : null}
      </section>
      {search.symbol === undefined ? null : (
        <Split
          symbol={search.symbol}
          // Beside the rows of a past session the stock is as it was at their end.
          asOf={search.date === undefined ? undefined : (first?.as_of.newest ?? undefined)}
          onClose={() => change({ symbol: undefined })}
        />
      )}
    </div>
  );
}

interface ResultsProps {
  readonly first: Answer;
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  readonly fields: ReadonlyMap<string, ScreenField>;
  readonly search: ScreenSearch;
  readonly isNarrow: boolean;
  readonly change: (part: ScreenPart) => void;
  readonly onAll: () => void;
  readonly onEnd: () => void;
}

/** The rows that pass, and the stocks that nearly do. */
function Results(props: ResultsProps): ReactNode {
  const { first, rows, columns, fields, search, isNarrow, change, onAll, onEnd } = props;
  const sort = sortOf(search);
  const onSelect = (symbol: string): void => change({ symbol });
  // Of alternatives that all failed no distance is known.
  const misses = first.near_misses.filter(({ distance }) => distance !== null);
  const alone = first.unknown === 0 ? ABSENT.screenAlone : ABSENT.screenUnknown;
  return (
    <>
      {rows.length === 0 ? (
        <Missing reason={misses.length > 0 ? ABSENT.screen : alone} height={120}>
          <button type="button" onClick={onAll}>
            Show all stocks
          </button>
        </Missing>
      ) : (
        <ScreenTable
          rows={rows}
          total={first.total}
          columns={columns}
          fields={fields}
          sort={sort}
          selected={search.symbol}
          session={isNarrow ? null : { date: first.date, newest: first.as_of.newest }}
          onSort={(path) =>
            change({ sort: sort.field === path && sort.order === 'desc' ? path : `-${path}` })
          }
          onSelect={onSelect}
          onEnd={onEnd}
        />
      )}
      <NearMisses misses={misses} fields={fields} onSelect={onSelect} />
    </>
  );
}

type ScreenPart = { readonly [Name in keyof ScreenSearch]?: ScreenSearch[Name] | undefined };
type Answer = components['schemas']['ScreenAnswer'];

/** `12 of 94 stocks pass, 3 unknown, on Wed, Nov 25, delayed`. */
function countWords({ total, universe, unknown, date, source, sessions_behind }: Answer): string {
  const age = sessions_behind > 0 ? `, ${sessionsOld(sessions_behind)}` : '';
  const notKnown = unknown > 0 ? `, ${unknown} unknown,` : '';
  return `${total} of ${universe} stocks pass${notKnown} on ${dayOf(noonOf(date))}, ${source}${age}`;
}

interface FaultProps {
  readonly fault: FilterFault;
  readonly text: string;
  readonly onWrite: (text: string) => void;
}

/** Where a text goes wrong, with what may be written there. */
function FaultLine({ fault: { message, at, length, instead }, text, onWrite }: FaultProps): ReactNode {
  return (
    <p className="down" role="alert">
      {message}, at “{text.slice(at, at + Math.max(length, 12)) || 'the end'}”.{' '}
      {instead.map((one) => (
        <button
          key={one}
          type="button"
          className="chip"
          onClick={() => onWrite(text.slice(0, at) + one + text.slice(at + length))}
        >
          {one}
        </button>
      ))}
    </p>
  );
}

interface MissesProps {
  readonly misses: Answer['near_misses'];
  readonly fields: ReadonlyMap<string, ScreenField>;
  readonly onSelect: (symbol: string) => void;
}

function NearMisses({ misses, fields, onSelect }: MissesProps): ReactNode {
  if (misses.length === 0) return null;
  return (
    <p className="near">
      Near misses:{' '}
      {misses.map(({ symbol, condition, value }) => {
        const missed = condition as Extract<Filter, { field: string }>;
        const isTold = 'field' in missed && missed.field !== `computed.${SIDES_OF_FLIP}`;
        return (
          <button key={symbol} type="button" className="chip" onClick={() => onSelect(symbol)}>
            {symbol} <small>{isTold ? missWords(missed, value as Value, fields) : ''}</small>
          </button>
        );
      })}
    </p>
  );
}

/** The request of a screen, without its page, and the columns of its table. */
function screenOf(search: ScreenSearch, fields: readonly ScreenField[]) {
  const { filter, computed: ofWords } = read(search.filter ?? '', fields);
  const computed = { ...computedOf(search), ...ofWords };
  const chosen = columnsOf(search, ofWords);
  const body = {
    ...(filter === null ? {} : { filter: filter as Record<string, unknown>, near_misses: NEAR_MISSES }),
    ...(Object.keys(computed).length === 0 ? {} : { computed }),
    sort: [sortOf(search)],
    select: [...new Set([...chosen, ...RANGE_FIELDS])],
    limit: PAGE,
    ...(search.date === undefined ? {} : { date: search.date }),
  };
  return { body, chosen };
}
type ScreenBody = ReturnType<typeof screenOf>['body'];

/** Without the catalogue of fields the words of a screen have no meaning yet. */
const useScreen = (body: ScreenBody, isNewest: boolean, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: ['screen', body],
    enabled,
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
    refetchInterval: isNewest ? REFRESH_MS : false,
  });

interface OptionsProps {
  readonly search: ScreenSearch;
  readonly change: (part: ScreenPart) => void;
  readonly open: (screen: ScreenSearch) => void;
  readonly body: ScreenBody;
  readonly columns: readonly string[];
  /** The date of the rows. */
  readonly date: string | undefined;
  readonly rows: readonly Row[];
}

/** Computed expressions, date, saved screens and download. */
function Options({ search, change, open, body, columns, date, rows }: OptionsProps): ReactNode {
  const [saved, setSaved] = useState(savedScreens);
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const keep = useMutation({
    mutationFn: putWatchlist,
    onSuccess: () => queries.invalidateQueries({ queryKey: watchlistsQuery.queryKey }),
  });
  const download = (): void => {
    const link = document.createElement('a');
    const dated = rows.map((row) => ({ date, ...row }));
    const csv = csvOf(dated, ['date', 'symbol', ...columns]);
    link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
    link.download = `screen-${date}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <input
        aria-label="Date"
        type="date"
        value={search.date ?? ''}
        data-tip="A past session; empty for the newest."
        onChange={({ target }) => change({ date: target.value })}
      />
      <Popover className="menu" summary="More">
        <div className="menu-body">
          <label>
            Computed
            <input
              placeholder="above_vwap = last_price - levels.vwap"
              key={search.computed ?? ''}
              defaultValue={search.computed ?? ''}
              onBlur={({ target }) => change({ computed: target.value })}
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
              placeholder="name of this screen"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <button type="submit">Save</button>
            <button
              type="button"
              disabled={name.trim() === '' || keep.isPending}
              data-tip="A watchlist that fills itself with the stocks of this screen."
              onClick={() => {
                const { filter = null, computed = null, sort } = body;
                keep.mutate({ name: name.trim(), screen: { filter, computed, sort } });
              }}
            >
              Keep as list
            </button>
          </form>
          {keep.isSuccess ? <p className="note">The list {keep.data.name} stands beside the chart.</p> : null}
          {keep.isError ? <Refused error={keep.error} onRetry={keep.reset} /> : null}
          <p>
            {Object.entries(saved).map(([title, screen]) => (
              <Fragment key={title}>
                <button type="button" className="chip" onClick={() => open(screen)}>
                  {title}
                </button>
                <button
                  type="button"
                  className="icon"
                  aria-label={`Delete ${title}`}
                  onClick={() => {
                    saveScreen(title, null);
                    setSaved(savedScreens());
                  }}
                >
                  ✕
                </button>
              </Fragment>
            ))}
          </p>
          <details>
            <summary>as JSON</summary>
            <pre>{JSON.stringify(body, null, 2)}</pre>
          </details>
        </div>
      </Popover>
      <button type="button" disabled={rows.length === 0} onClick={download}>
        CSV
      </button>
    </>
  );
}

interface SplitProps {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly onClose: () => void;
}

/** The chosen stock beside the table. */
function Split({ symbol, asOf, onClose }: SplitProps): ReactNode {
  const asked = useQuery(stockQuery(symbol, asOf));
  return (
    <aside className="screen-split" aria-label={symbol}>
      <p className="split-head">
        <Link to="/stocks/$symbol" params={{ symbol }} search={instantSearch(asOf)}>
          Open {symbol}
        </Link>
        <button type="button" className="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </p>
      <SelectionProvider>
        <PriceHead symbol={symbol} asked={asked} market={undefined} />
        <Answered asked={asked} rows={14}>
          {(stock) => <Ledgers stock={stock} asOf={asOf} />}
        </Answered>
      </SelectionProvider>
    </aside>
  );
}
