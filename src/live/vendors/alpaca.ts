import { LRUCache } from 'lru-cache';
import { newYorkMidnight } from '../../base/calendar.ts';
import { chunks } from '../../base/chunks.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../base/dates.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time-zone.ts';
import { alpacaJson } from '../../files/chains/alpaca.ts';
import { alpacaNews } from '../../files/facts/news.ts';
import { isMembers, type Members, memberAt, textOf } from '../../files/json.ts';
import type { Delivery } from '../../market/feed.ts';
import type { CorporateAction } from '../../market/observations.ts';
import {
  type AlpacaAccess,
  alpacaBar,
  alpacaPrint,
  alpacaProtocol,
  alpacaQuote,
  TRADED_MAX,
} from './alpaca-messages.ts';
import {
  type BarsAsked,
  chainInAnswer,
  type Listed,
  listingFact,
  membersIn,
  newsIn,
  numberOf,
  profileFact,
  rowsIn,
  type Vendor,
  type Wiring,
} from './vendor.ts';
import { VendorAnswer, VendorHttp } from './vendor-http.ts';
import { keepSocket } from './vendor-socket.ts';

const TITLE = 'Alpaca';
/** Of all rows of a call. */
const ROWS_MAX = 10_000;
/** Of a call: an address of 2,000 characters. */
const SYMBOLS_AT_ONCE = 200;
const NEWS_MAX = 50;
const CONTRACTS_OF_PAGE = 1_000;
const EXPIRATION_YEARS = 5;
/** Symbols whose open interest is kept: a few megabytes of the fullest chains. */
const INTERESTS_MAX = 100;
const CALLS_PER_MINUTE = 200;
const DELAYED_MS = 15 * MINUTE_MS;
const RENAMED_MS = 5 * 365 * DAY_MS;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Alpaca's market data. */
export function alpacaVendor(access: AlpacaAccess, wiring: Wiring): Vendor {
  const { keyId, secretKey, feed } = access;
  const headers = { 'APCA-API-KEY-ID': keyId, 'APCA-API-SECRET-KEY': secretKey };
  const host = (url: string): VendorHttp =>
    new VendorHttp(
      { title: TITLE, url, headers, secrets: [keyId, secretKey], callsPerMinute: CALLS_PER_MINUTE },
      wiring,
    );
  const data = host(access.dataUrl);
  const trading = host(access.tradingUrl);
  const interests = new LRUCache<string, ReadonlyMap<string, number>>({ max: INTERESTS_MAX });

  /** Open interest by contract, which snapshots lack: that of the morning, so it is asked for once a session. */
  async function openInterest(symbol: string, tradeDate: string, signal: AbortSignal) {
    const key = `${tradeDate} ${symbol}`;
    const known = interests.get(key);
    if (known !== undefined) return known;
    const query = {
      underlying_symbols: symbol,
      status: 'active',
      // Unless both are stated, contracts of the week alone are listed.
      expiration_date_gte: tradeDate,
      expiration_date_lte: `${Number(tradeDate.slice(0, 4)) + EXPIRATION_YEARS}-12-31`,
      limit: ROWS_MAX,
    };
    const pages = trading.pages('/v2/options/contracts', query, { signal, purpose: 'chains' });
    const interest = new Map(
      (await rowsIn(pages, 'option_contracts'))
        .filter((row) => textOf(row.open_interest) !== '')
        .map((row) => [textOf(row.symbol), Number(row.open_interest)]),
    );
    interests.set(key, interest);
    return interest;
  }

  /** By symbol as it was asked for: a ticker may change overnight, and name another company. */
  const ids = new Map<string, string>();

  /** The newest tickers of symbols that a company has given up in the last years. */
  async function nameChanges(symbols: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
    const changed = new Map<string, string>();
    const start = dateOf((wiring.clock ?? wiring.timers).now() - RENAMED_MS);
    for (const some of chunks(symbols, SYMBOLS_AT_ONCE)) {
      const query = { symbols: some.join(','), types: 'name_change', start, limit: 1_000 };
      for await (const answer of data.pages('/v1/corporate-actions', query, { signal })) {
        for (const { old_symbol, new_symbol } of changesIn(answer))
          changed.set(textOf(old_symbol), textOf(new_symbol));
      }
    }
    return changed;
  }

  const lagMs = feed === 'delayed_sip' ? DELAYED_MS : 0;
  return {
    name: 'alpaca',
    title: TITLE,
    lagMs,
    standing: () => ({ ...data.standing(), feed: `alpaca-${feed}`, isPart: feed === 'iex', lagMs }),

    async check(clock) {
      const key = 'ALPACA_KEY_ID';
      await trading.check({ key, host: 'ALPACA_TRADING_URL' }, '/v2/clock', {}, ['timestamp', clock]);
      const latest = { symbols: 'SPY', feed: 'iex' };
      await data.check({ key, host: 'ALPACA_DATA_URL' }, '/v2/stocks/bars/latest', latest);
    },

    async closes(start, end, signal) {
      const answer = await trading.get('/v2/calendar', { start, end }, { signal });
      if (!Array.isArray(answer)) throw new VendorAnswer(200, 'lists no sessions');
      return new Map(
        answer.filter(isMembers).map(({ date, close }) => {
          const [hours, minutes] = textOf(close).split(':').map(Number);
          return [textOf(date), newYorkMidnight(textOf(date)) + (hours! * 60 + minutes!) * MINUTE_MS];
        }),
      );
    },

    async listed(symbols, signal) {
      const all = new Map((await assets(trading, signal)).map((asset) => [asset.symbol, asset]));
      if (symbols === null) return [...all.keys()].sort().map((symbol) => ({ symbol }));
      const byId = new Map(Array.from(all.values(), ({ id, symbol }) => [id, symbol]));
      const unknown = symbols.filter((symbol) => !ids.has(symbol) && !all.has(symbol));
      const changes = await nameChanges(unknown, signal).catch((error: unknown) => {
        // What the vendor does not tell of one symbol must not keep the others away.
        if (error instanceof VendorAnswer) return new Map<string, string>();
        throw error;
      });
      return symbols.flatMap((asked): Listed[] => {
        const known = ids.get(asked);
        const now = known !== undefined ? byId.get(known) : all.has(asked) ? asked : changes.get(asked);
        const asset = all.get(now ?? '');
        if (asset === undefined) return [];
        const { id, symbol } = asset;
        if (id !== '') ids.set(asked, id);
        return [symbol === asked ? { symbol } : { symbol, former: asked }];
      });
    },

    async *bars({ symbols, interval, from, to, isPast, purpose }: BarsAsked, signal) {
      const isDaily = interval === '1d';
      // Past sessions are open to every plan; `delayed_sip` has no history but that of `sip`.
      const of = isPast || feed === 'delayed_sip' ? 'sip' : feed;
      const kind = { isDaily, isPart: of === 'iex' };
      // A day of Alpaca begins at midnight in New York.
      const start = isDaily ? newYorkMidnight(dateOf(from)) : from;
      const end = isDaily ? newYorkMidnight(dateOf(to)) : to;
      const query = {
        timeframe: isDaily ? '1Day' : '1Min',
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
        limit: ROWS_MAX,
        adjustment: 'raw',
        // Whose bars they are follows from the ticker of their newest date.
        asof: dateOf(isDaily ? to : newYorkDay(to)),
        feed: of,
        sort: 'asc',
      };
      for (const some of chunks(symbols, SYMBOLS_AT_ONCE)) {
        const asked = { ...query, symbols: some.join(',') };
        for await (const { bars } of data.pages('/v2/stocks/bars', asked, { signal, purpose })) {
          if (!isMembers(bars)) continue;
          yield Object.entries(bars).flatMap(([symbol, rows]) =>
            Array.isArray(rows) ? rows.map((row) => alpacaBar(symbol, row, kind)) : [],
          );
        }
      }
    },

    traded: (symbols) => (feed === 'iex' ? [] : symbols.slice(0, TRADED_MAX)),

    async *ticks(symbols, from, to, signal) {
      const query = {
        symbols: symbols.join(','),
        start: new Date(from).toISOString(),
        // The end is included.
        end: new Date(to - 1).toISOString().replace('Z', '999999Z'),
        limit: ROWS_MAX,
        feed: 'sip',
        sort: 'asc',
      };
      const asking = { signal, purpose: 'session' } as const;
      for await (const { trades } of data.pages('/v2/stocks/trades', query, asking)) {
        // One that was cancelled or corrected is listed beside what counts in its place.
        yield rowsOf(trades).flatMap(([symbol, row]) =>
          row.u === undefined ? alpacaPrint(symbol, row) : [],
        );
      }
      for await (const { quotes } of data.pages('/v2/stocks/quotes', query, asking)) {
        yield rowsOf(quotes).map(([symbol, row]) => alpacaQuote(symbol, row));
      }
    },

    async *actions(symbols, from, to, signal) {
      const query = {
        symbols: symbols.join(','),
        types: 'cash_dividend,forward_split,reverse_split,stock_dividend,name_change',
        start: from,
        end: to,
        limit: 1_000,
      };
      for await (const answer of data.pages('/v1/corporate-actions', query, { signal })) {
        for (const change of changesIn(answer)) yield* listingsOf(change, from);
        for (const [kind, row] of rowsOf(answer.corporate_actions)) {
          const actionOf = ACTIONS[kind];
          if (actionOf === undefined) continue;
          const action = { exDate: Date.parse(textOf(row.ex_date)), ...actionOf(row) };
          yield { kind: 'actions', symbol: textOf(row.symbol), actions: [action] };
        }
      }
    },

    news(symbols, after, signal, purpose) {
      const query = {
        // An address holds no longer list; what is of other symbols is left out.
        symbols: symbols.length <= SYMBOLS_AT_ONCE ? symbols.join(',') : undefined,
        start: new Date(after).toISOString(),
        limit: NEWS_MAX,
        sort: 'desc',
      };
      return newsIn(alpacaNews, data.pages('/v1beta1/news', query, { signal, purpose }), symbols);
    },

    async *profiles(symbols, knownAt, signal) {
      const wanted = new Set(symbols);
      for (const { symbol, name, exchange } of await assets(trading, signal)) {
        if (wanted.has(symbol) && name !== '')
          yield { kind: 'facts', symbol, facts: [profileFact(name, exchange, knownAt)] };
      }
    },

    async chain(symbol, session, calendar, signal) {
      const snapshots: Record<string, unknown> = {};
      const path = `/v1beta1/options/snapshots/${encodeURIComponent(symbol)}`;
      const asking = { signal, purpose: 'chains' } as const;
      for await (const page of data.pages(path, { limit: CONTRACTS_OF_PAGE }, asking)) {
        if (isMembers(page.snapshots)) Object.assign(snapshots, page.snapshots);
      }
      if (Object.keys(snapshots).length === 0) return [];
      const interest = await openInterest(symbol, session.tradeDate, signal);
      for (const [contract, snapshot] of Object.entries(snapshots)) {
        if (isMembers(snapshot))
          snapshots[contract] = { ...snapshot, open_interest: interest.get(contract) ?? null };
      }
      return chainInAnswer(alpacaJson, { snapshots }, calendar);
    },

    stream: (symbols, listener, signal) =>
      keepSocket(alpacaProtocol(access, symbols, wiring.timers), listener, wiring, signal),
  };
}

async function assets(trading: VendorHttp, signal: AbortSignal) {
  const answer = await trading.get('/v2/assets', { status: 'active', asset_class: 'us_equity' }, { signal });
  if (!Array.isArray(answer)) throw new VendorAnswer(200, 'lists no assets');
  return answer.filter(isMembers).flatMap((asset) => {
    const [id, symbol, name] = [textOf(asset.id), textOf(asset.symbol), textOf(asset.name)];
    if (symbol === '' || canonicalSymbol(symbol) !== symbol) return [];
    return { id, symbol, name, exchange: textOf(asset.exchange) || null };
  });
}

/** Rows by symbol, as `[symbol, row]`. */
const rowsOf = (bySymbol: unknown): (readonly [string, Members])[] =>
  Object.entries(isMembers(bySymbol) ? bySymbol : {}).flatMap(([symbol, rows]) =>
    membersIn(rows).map((row) => [symbol, row] as const),
  );

const changesIn = (answer: Members): Members[] =>
  membersIn(memberAt(answer, 'corporate_actions.name_changes'));

/** The tickers before and from a change on, as facts of the newer one. */
function* listingsOf({ old_symbol, new_symbol, process_date }: Members, since: string): Iterable<Delivery> {
  const [former, symbol, from] = [textOf(old_symbol), textOf(new_symbol), textOf(process_date)];
  if (former === symbol || canonicalSymbol(symbol) !== symbol || !DATE.test(from)) return;
  yield { kind: 'facts', symbol, facts: [listingFact(since, former), listingFact(from, symbol)] };
}

const splitOf = (row: Members) =>
  ({ kind: 'split', value: numberOf(row.new_rate) / numberOf(row.old_rate) }) as const;

/** Splits and dividends by their kinds at Alpaca. */
const ACTIONS: Readonly<Record<string, (row: Members) => Pick<CorporateAction, 'kind' | 'value'>>> = {
  cash_dividends: ({ rate }) => ({ kind: 'dividend', value: numberOf(rate) }),
  stock_dividends: ({ rate }) => ({ kind: 'split', value: 1 + numberOf(rate) }),
  forward_splits: splitOf,
  reverse_splits: splitOf,
};
