import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type components, dataOf, type paths } from '@tigraph/client';
import { dateOf, type Instant, instantKey, instantSearch } from '../instant.ts';
import { client } from './client.ts';

/** What the pages ask, by the instant that they show: every key contains it. */

type Schemas = components['schemas'];
export type Stock = Schemas['StockResult'];
export type Bars = Schemas['Bars'];
export type Exposure = Schemas['Exposure'];
export type Surface = Schemas['VolatilitySurface'];
export type DteScores = Schemas['DteScores'];
export type Peers = Schemas['Peers'];
export type MarketContext = Schemas['MarketContext'];
export type ListedSymbol = Schemas['ListedSymbol'];
export type ScreenField = Schemas['ScreenField'];
export type ChatContext = Schemas['ChatContext'];
export type Run = Schemas['OptimizationRun'];
export type Status = Schemas['Status'];
export type RunRequest = Schemas['OptimizationRequest'];
export type RunCell = Schemas['BacktestCell'];
export type Trade = Schemas['BacktestTrade'];
export type LedgerLine = Schemas['ScoreLedgerLine'];
export type LiveFeed = Schemas['LiveFeed'];
export type Pattern = Schemas['Pattern'];
export type ClaimRecord = Schemas['ClaimRecord'];
export type Claim = Schemas['ClaimEvent'];
export type Explanation = Schemas['Explanation'];
export type Interval = Bars['interval'];
export type Import = Schemas['Import'];
export type Choices =
  paths['/api/internal/imports/{id}/reading']['post']['requestBody']['content']['application/json'];
export type ImportChoice = Schemas['ImportChoice'];
export type Loaded = Schemas['Loaded'];
export type LoadedSeries = Schemas['LoadedSeries'];
export type RefusedRows = Schemas['RefusedRows'];
export type ScreenBody = Schemas['ScreenRequest'];

/** A list of stocks; its symbols are null where it fills itself by its screen. */
export type Watchlist = Schemas['WatchlistHead'];
export type Plan = Schemas['Plan'];
export type PlanStock = Schemas['PlanStock'];
export type PlanLevel = Schemas['PlanLevel'];
export type Review = Schemas['Review'];
export type ReviewStock = Schemas['ReviewStock'];

/** Keeps the last answer in place of the next one, if its key begins alike: another stock begins empty. */
const ofSame =
  (...names: readonly string[]) =>
  <Data>(previous: Data | undefined, query?: { readonly queryKey: readonly unknown[] }): Data | undefined =>
    names.every((name, at) => query?.queryKey[at + 1] === name) ? previous : undefined;

/** Newest data is asked again at least this often, besides what the stream announces. */
const LIVE_REFRESH_MS = 60_000;
const past = { staleTime: Number.POSITIVE_INFINITY };
const timing = (asOf: Instant) =>
  asOf === undefined ? { staleTime: LIVE_REFRESH_MS / 2, refetchInterval: LIVE_REFRESH_MS } : past;

/**
 * What is known at an instant.
 *
 * @param key what else the answer depends on
 * @param same what the key of the last answer has in common with this one if it is shown in place of the next; null: none is
 */
const atInstant = <Data>(
  key: readonly unknown[],
  asOf: Instant,
  same: readonly string[] | null,
  ask: (signal: AbortSignal) => Parameters<typeof dataOf<Data>>[0],
) =>
  queryOptions({
    queryKey: [...key, instantKey(asOf)],
    queryFn: ({ signal }) => dataOf<Data>(ask(signal)),
    ...(same === null ? {} : { placeholderData: ofSame(...same) }),
    ...timing(asOf),
  });

/** A list that is asked page by page, each by the cursor of the one before. */
export const pagesOf = <Page extends { readonly next_cursor: string | null }>(
  key: readonly unknown[],
  ask: (cursor: { readonly cursor?: string }, signal: AbortSignal) => Parameters<typeof dataOf<Page>>[0],
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      dataOf<Page>(ask(pageParam === null ? {} : { cursor: pageParam }, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

const INCLUDES = [
  'confluence_components',
  'expected_move',
  'level_ladder',
  'levels',
  'news',
  'patterns',
  'price_events',
  'strategies',
  'thematic_exposures',
  'volume_profile',
] as const;

export const stockQuery = (symbol: string, asOf: Instant) =>
  atInstant(['stock', symbol], asOf, [symbol], (signal) =>
    client.GET('/api/graph/v1/stocks/{symbol}', {
      params: { path: { symbol }, query: { include: [...INCLUDES], ...instantSearch(asOf) } },
      signal,
    }),
  );

export interface BarRange {
  readonly interval: Interval;
  readonly from?: string;
  readonly to?: string;
  readonly session?: 'regular' | 'all';
}

export const barsQuery = (symbol: string, range: BarRange, asOf: Instant) =>
  atInstant<Bars>(['bars', symbol, range.interval, range], asOf, [symbol, range.interval], (signal) =>
    client.GET('/api/graph/v1/stocks/{symbol}/bars', {
      params: { path: { symbol }, query: { ...range, ...instantSearch(asOf) } },
      signal,
    }),
  );

export const exposureQuery = (symbol: string, asOf: Instant) =>
  atInstant(['exposure', symbol], asOf, [symbol], (signal) =>
    client.GET('/api/graph/v1/options/{symbol}/exposure', {
      params: { path: { symbol }, query: instantSearch(asOf) },
      signal,
    }),
  );

export const surfaceQuery = (symbol: string, asOf: Instant) =>
  atInstant(['surface', symbol], asOf, [symbol], (signal) =>
    client.GET('/api/graph/v1/options/{symbol}/surface', {
      params: { path: { symbol }, query: instantSearch(asOf) },
      signal,
    }),
  );

type DteQuery = Pick<DteScores, 'timeframe' | 'direction'>;

export const dteQuery = (symbol: string, query: DteQuery, asOf: Instant) =>
  atInstant(['dte', symbol, query], asOf, null, (signal) =>
    client.GET('/api/graph/v1/options/{symbol}/dte-scores', {
      params: { path: { symbol }, query: { ...query, ...instantSearch(asOf) } },
      signal,
    }),
  );

export const peersQuery = (symbol: string, asOf: Instant) =>
  atInstant(['peers', symbol], asOf, null, (signal) =>
    client.GET('/api/graph/v1/stocks/{symbol}/peers', {
      params: { path: { symbol }, query: instantSearch(asOf) },
      signal,
    }),
  );

type NeighborhoodQuery = Pick<Schemas['Neighborhood'], 'depth'> & {
  readonly types: readonly Schemas['Neighborhood']['types'][number][];
};
/** Nodes at most: more cannot be told apart on a screen. */
const NODES = 150;

export const neighborhoodQuery = (symbol: string, { depth, types }: NeighborhoodQuery, asOf: Instant) =>
  atInstant(['neighborhood', symbol, depth, types], asOf, [symbol], (signal) =>
    client.GET('/api/graph/v1/graph/{symbol}/neighborhood', {
      params: {
        path: { symbol },
        query: { depth, types: [...types], limit: NODES, ...instantSearch(asOf) },
      },
      signal,
    }),
  );

export const marketQuery = (asOf: Instant) =>
  atInstant(['market'], asOf, [], (signal) =>
    client.GET('/api/graph/v1/market/context', { params: { query: instantSearch(asOf) }, signal }),
  );

/** The midnight before an instant: what closed by then is the same for a whole day of the time handle. */
const midnightBefore = (asOf: Instant): Instant =>
  asOf === undefined ? undefined : `${dateOf(Date.parse(asOf))}T05:00:00Z`;

/**
 * Every record, once for each date that is shown.
 *
 * @param regime of the dates or of the day alone; '' for all
 */
export const recordsQuery = (asOf: Instant, regime = '') => {
  const until = midnightBefore(asOf);
  return queryOptions({
    queryKey: ['records', instantKey(until), regime],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/records', {
          params: { query: { ...instantSearch(until), ...(regime === '' ? {} : { regime }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: until === undefined ? 5 * LIVE_REFRESH_MS : Number.POSITIVE_INFINITY,
  });
};

/** Claims of a record on a page. */
const CLAIMS_SHOWN = 50;

export const claimsQuery = (id: string, outcome: 'false' | 'true' | 'all', asOf: Instant) =>
  pagesOf(['claims', id, outcome, instantKey(asOf)], (cursor, signal) =>
    client.GET('/api/graph/v1/records/{id}/events', {
      params: { path: { id }, query: { outcome, limit: CLAIMS_SHOWN, ...cursor, ...instantSearch(asOf) } },
      signal,
    }),
  );

export const explainQuery = (symbol: string, field: string, asOf: Instant) =>
  atInstant(['explain', symbol, field], asOf, [symbol, field], (signal) =>
    client.GET('/api/graph/v1/stocks/{symbol}/explain', {
      params: { path: { symbol }, query: { field, ...instantSearch(asOf) } },
      signal,
    }),
  );

/** A run that is at work is asked again this often. */
const RUN_REFRESH_MS = 400;
const isAtWork = (status: Run['status'] | undefined): boolean => status === 'pending' || status === 'running';

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/backtest/optimize/{id}', {
          params: { path: { id }, query: { include: ['grid'] } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (isAtWork(state.data?.status) ? RUN_REFRESH_MS : false),
  });

/** Trades and equity of a cell of a completed run, which never change. */
export const tradesQuery = (id: string, cell: string) =>
  queryOptions({
    queryKey: ['run', id, 'trades', cell],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/backtest/optimize/{id}/trades', {
          params: { path: { id }, query: { cell } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const equityQuery = (id: string, cell: string) =>
  queryOptions({
    queryKey: ['run', id, 'equity', cell],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/backtest/optimize/{id}/equity', {
          params: { path: { id }, query: { cell } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: ({ signal }) =>
    dataOf(client.GET('/api/graph/v1/backtest/optimize', { params: { query: { limit: 20 } }, signal })),
  refetchInterval: ({ state }) => (state.data?.runs.some(({ status }) => isAtWork(status)) ? 2000 : false),
});

/** An import that is at work is asked again this often. */
const IMPORT_REFRESH_MS = 400;

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => dataOf(client.GET('/api/internal/imports', { signal })),
  refetchInterval: ({ state }) =>
    state.data?.imports.some(({ state: of }) => of === 'importing' || of === 'reading')
      ? IMPORT_REFRESH_MS
      : false,
});

/** The simulated market of the first start. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => dataOf(client.GET('/api/internal/demo', { signal })),
  refetchInterval: ({ state }) => (state.data?.state === 'leaving' ? IMPORT_REFRESH_MS : false),
});

/** How far the count of past claims is. */
export const recordBuildQuery = queryOptions({
  queryKey: ['record-build'],
  queryFn: ({ signal }) => dataOf(client.GET('/api/internal/records/build', { signal })),
  refetchInterval: ({ state }) => (state.data?.state === 'building' ? IMPORT_REFRESH_MS : false),
});

/** Begins the keys of what is loaded. */
export const loadedKey = 'loaded';

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => dataOf(client.GET('/api/graph/v1/status', { signal })),
  refetchInterval: 10_000,
});

/** Behind-by is shown in seconds. */
const FEED_REFRESH_MS = 5_000;

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: ({ signal }) => dataOf(client.GET('/health/feeds', { signal })),
  refetchInterval: FEED_REFRESH_MS,
});

export const symbolsQuery = (q: string) =>
  queryOptions({
    queryKey: ['symbols', q],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/graph/v1/symbols', { params: { query: { q, limit: 12 } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** The catalogue of fields: unit and description of every number. */
export const fieldsQuery = queryOptions({
  queryKey: ['fields'],
  queryFn: ({ signal }) => dataOf(client.GET('/api/graph/v1/screener/fields', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

const LISTS = '/api/graph/v1/watchlists';
const LIST = `${LISTS}/{name}` as const;

export const watchlistsQuery = queryOptions({
  queryKey: ['watchlists'],
  queryFn: ({ signal }) => dataOf(client.GET(LISTS, { signal })),
  staleTime: LIVE_REFRESH_MS,
});

/** What a list is to hold: symbols, or a screen by which it fills itself. */
type ListContent = { readonly symbols: string[] } | { readonly screen: ScreenBody };

export const putWatchlist = ({ name, ...content }: { readonly name: string } & ListContent) =>
  dataOf(client.PUT(LIST, { params: { path: { name } }, body: content }));

export const deleteWatchlist = (name: string) => dataOf(client.DELETE(LIST, { params: { path: { name } } }));

const ALERTS = '/api/graph/v1/alerts';
const ALERT = `${ALERTS}/{id}` as const;
const RECEIVERS = `${ALERTS}/receivers` as const;
const RECEIVER = `${RECEIVERS}/{id}` as const;
const FIRINGS_MS = 15_000;

export type Alert = Schemas['Alert'];
export type AlertRule = paths[typeof ALERTS]['post']['requestBody']['content']['application/json'];
export type AlertPreview = Schemas['AlertPreview'];
export type AlertFiring = Schemas['AlertFiring'];
export type AlertReceiver = Schemas['AlertReceiver'];
export type AlertKindOf = Schemas['AlertKindOf'];
type ReceiverBody = paths[typeof RECEIVER]['put']['requestBody']['content']['application/json'];

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => dataOf(client.GET(ALERTS, { signal })),
  refetchInterval: LIVE_REFRESH_MS,
});

export const firingsQuery = queryOptions({
  queryKey: ['alerts', 'firings'],
  queryFn: ({ signal }) => dataOf(client.GET(`${ALERTS}/firings`, { signal })),
  refetchInterval: FIRINGS_MS,
});

export const receiversQuery = queryOptions({
  queryKey: ['alerts', 'receivers'],
  queryFn: ({ signal }) => dataOf(client.GET(RECEIVERS, { signal })),
});

export const alertKindsQuery = queryOptions({
  queryKey: ['alerts', 'kinds'],
  queryFn: ({ signal }) => dataOf(client.GET(`${ALERTS}/kinds`, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What a rule would have fired. */
export const previewQuery = (rule: AlertRule | null) =>
  queryOptions({
    queryKey: ['alerts', 'preview', rule],
    queryFn: ({ signal }) => dataOf(client.POST(`${ALERTS}/preview`, { body: rule!, signal })),
    enabled: rule !== null,
    staleTime: LIVE_REFRESH_MS,
  });

export const addAlert = (rule: AlertRule) => dataOf(client.POST(ALERTS, { body: rule }));

/** Keeps an alert as it is, paused or not. */
export const pauseAlert = ({ id, kind, parameters, symbols, hours, repeat, receivers, state }: Alert) =>
  dataOf(
    client.PUT(ALERT, {
      params: { path: { id } },
      body: {
        ...({ kind, parameters, hours, repeat } as AlertRule),
        ...(symbols !== null && { symbols }),
        ...(receivers !== null && { receivers }),
        paused: state !== 'paused',
        anyway: true,
      },
    }),
  );

export const deleteAlert = (id: string) => dataOf(client.DELETE(ALERT, { params: { path: { id } } }));

/** Keeps a receiver: a new one, or in place of what it was. */
export const keepReceiver = ({
  id = crypto.randomUUID(),
  ...body
}: ReceiverBody & { readonly id?: string }) =>
  dataOf(client.PUT(RECEIVER, { params: { path: { id } }, body }));

export const testReceiver = (id: string) => dataOf(client.POST(RECEIVER, { params: { path: { id } } }));

export const deleteReceiver = (id: string) => dataOf(client.DELETE(RECEIVER, { params: { path: { id } } }));

/** Stocks that a list shows: more have no line of their session. */
export const LINES_SHOWN = 100;
const LINE_FIELDS = [
  'price.day_price',
  'price.change_pct',
  'price.regular.open',
  'directional_bias',
  ...['nearest_resistance', 'nearest_support'].flatMap((side) =>
    ['name', 'price', 'distance_atr', 'distance_pct'].map((field) => `level_ladder.${side}.${field}`),
  ),
];

/** What the lines of a list are made from. */
export interface ListAnswer {
  readonly rows: readonly { readonly symbol: string }[];
  readonly total: number;
  /** Of the session. */
  readonly date: string;
  readonly sessions_behind: number;
  readonly as_of: { readonly newest: string | null };
  readonly source: string;
}

/**
 * The lines of a list.
 *
 * @param name of the list, whose last answer stays while the next one is on its way
 * @param screen its stocks, in their order
 * @param date of a past session; undefined for the newest
 */
export const linesQuery = (name: string, screen: ScreenBody, date: string | undefined) =>
  queryOptions({
    queryKey: ['lines', name, screen, date ?? 'live'],
    queryFn: ({ signal }) => {
      const { cursor: _, ...kept } = screen;
      const body = { ...kept, select: LINE_FIELDS, closes: true, limit: LINES_SHOWN };
      const dated = date === undefined ? body : { ...body, date };
      return dataOf(client.POST('/api/graph/v1/screener', { body: dated, signal }));
    },
    placeholderData: ofSame(name),
    ...timing(date),
  });

/** A handle that is dragged moves on earlier. */
const SETTLED_MS = 300;

/**
 * The same of a list of symbols at a past minute, without the sessions' lines.
 *
 * @param clock of the minute; undefined while it is not known
 */
export const linesAtQuery = (list: string, asOf: string, clock: MarketContext['clock'] | undefined) =>
  queryOptions({
    queryKey: ['lines', list, 'at', asOf, clock?.trade_date],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      signal.throwIfAborted();
      const { previous_session, trade_date: to } = clock!;
      const body = { list, fields: LINE_FIELDS, from: previous_session ?? to, to };
      const panel = await dataOf(
        client.POST('/api/graph/v1/panel', { params: { query: { as_of: asOf } }, body, signal }),
      );
      const rows = panel.stocks.map(({ symbol, columns }) => ({
        symbol,
        ...Object.fromEntries(Object.entries(columns).map(([field, values]) => [field, values.at(-1)])),
      }));
      const newest = { oldest: panel.as_of, newest: panel.as_of };
      return { rows, total: rows.length, date: to, sessions_behind: 0, as_of: newest, source: panel.source };
    },
    placeholderData: ofSame(list),
    ...timing(asOf),
  });

/** Of whose stocks a plan is: a list, or symbols. */
export type PlanOf = { readonly list: string } | { readonly symbols: string[] };

export interface PlanTime {
  readonly date?: string | undefined;
  readonly as_of?: string | undefined;
}

const PLAN = '/api/graph/v1/plan';

export const planQuery = (of: PlanOf, time: PlanTime, all: boolean) =>
  queryOptions({
    queryKey: ['plan', of, time, all],
    queryFn: ({ signal }) =>
      dataOf(client.GET(PLAN, { params: { query: planParameters(of, time, all) }, signal })),
    ...timing(time.as_of),
  });

/** The same for chats and print. */
export const planText = (of: PlanOf, time: PlanTime, all: boolean): Promise<string> =>
  dataOf(
    client.GET(PLAN, {
      params: { query: { ...planParameters(of, time, all), format: 'markdown' } },
      parseAs: 'text',
    }),
  ) as Promise<unknown> as Promise<string>;

const planParameters = (of: PlanOf, { date, as_of }: PlanTime, all: boolean) => ({
  ...of,
  ...(date === undefined ? {} : { date }),
  ...instantSearch(as_of),
  ...(all ? { all: 'true' as const } : {}),
});

/** @param sessions whose plans are counted too */
export const reviewQuery = (of: PlanOf, time: PlanTime, sessions: number) =>
  queryOptions({
    queryKey: ['review', of, time, sessions],
    queryFn: ({ signal }) => {
      const query = { ...planParameters(of, time, false), sessions };
      return dataOf(client.GET('/api/graph/v1/review', { params: { query }, signal }));
    },
    ...timing(time.as_of),
  });

/** Stocks that a screen of a morning gives to a plan. */
const MORNING_STOCKS = 50;

export const morningQuery = (name: string, screen: ScreenBody) =>
  queryOptions({
    queryKey: ['morning', name],
    queryFn: async ({ signal }) => {
      const { cursor: _, ...kept } = screen;
      const body = { ...kept, select: [], limit: MORNING_STOCKS };
      const { rows } = await dataOf(client.POST('/api/graph/v1/screener', { body, signal }));
      return rows.map(({ symbol }) => symbol);
    },
    staleTime: LIVE_REFRESH_MS,
  });
