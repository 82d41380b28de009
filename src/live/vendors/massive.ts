import { DAY_MS, dateOf, MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time-zone.ts';
import { massiveJson } from '../../files/chains/massive.ts';
import { massiveNews } from '../../files/facts/news.ts';
import { memberAt, textOf } from '../../files/json.ts';
import type { AnyFact } from '../../market/facts.ts';
import { refusedFile } from '../../market/refusals.ts';
import { type PrintRules, rulesIn, rulesOfText, rulesText } from './massive-conditions.ts';
import {
  type MassiveAccess,
  massiveBar,
  massivePrintOf,
  massiveProtocol,
  massiveQuoteOf,
} from './massive-messages.ts';
import {
  chainInAnswer,
  listingFact,
  membersIn,
  newsIn,
  type Purpose,
  profileFact,
  rowsIn,
  type Vendor,
  type VendorBar,
  type Wiring,
} from './vendor.ts';
import { answered, type Query, VendorAnswer, VendorHttp } from './vendor-http.ts';
import { keepSocket } from './vendor-socket.ts';

const TITLE = 'Massive';
const DELAYED_MS = 15 * MINUTE_MS;
const ROWS_MAX = 50_000;
const LISTED_MAX = 1_000;
const CONTRACTS_OF_PAGE = 250;
/** Symbols of which trades and quotes are streamed: some thousand messages a second. */
const TRADED_MAX = 30;
/** Of the free plan, and of the others, which state no limit. */
const CALLS_PER_MINUTE = { end_of_day: 5, delayed: 600, realtime: 600 };
const LAG_MS = { end_of_day: null, delayed: DELAYED_MS, realtime: 0 };

/** Massive's market data, Polygon's until 2025. */
export function massiveVendor(access: MassiveAccess, wiring: Wiring): Vendor {
  const { apiKey, feed, url } = access;
  const http = new VendorHttp(
    {
      title: TITLE,
      url,
      headers: { authorization: `Bearer ${apiKey}` },
      secrets: [apiKey],
      callsPerMinute: CALLS_PER_MINUTE[feed],
    },
    wiring,
  );
  // Without a stream nothing else needs the calls of a minute.
  const patient = feed === 'end_of_day' ? 'session' : 'back-fill';

  const pages = (path: string, query: Query, signal: AbortSignal, purpose: Purpose = patient) =>
    http.pages(path, query, { signal, purpose });

  /** Of each symbol by a question of its own. */
  async function* ofEach(symbols: readonly string[], path: string, query: Query, signal: AbortSignal) {
    for (const symbol of symbols) {
      for await (const { results } of pages(path, { ...query, ticker: symbol }, signal)) {
        for (const row of membersIn(results)) yield { symbol, row };
      }
    }
  }

  /** Daily bars by symbol, in the order of the symbols; a date without a session has none. */
  async function grouped(
    symbols: readonly string[],
    dates: readonly string[],
    signal: AbortSignal,
    purpose: Purpose | undefined,
  ): Promise<Map<string, VendorBar[]>> {
    const bySymbol = new Map<string, VendorBar[]>(symbols.map((symbol) => [symbol, []]));
    for (const date of dates) {
      const path = `/v2/aggs/grouped/locale/us/market/stocks/${date}`;
      for await (const { results } of pages(path, { adjusted: 'false' }, signal, purpose)) {
        for (const row of membersIn(results)) {
          const symbol = textOf(row.T);
          // Its instant is the end of the day or the begin: the date that was asked for is neither.
          bySymbol.get(symbol)?.push({ ...massiveBar(symbol, row, 't'), time: midnightUtc(date) });
        }
      }
    }
    return bySymbol;
  }

  /** Under which tickers a company has traded; none where Massive does not say. */
  async function listings(symbol: string, signal: AbortSignal): Promise<AnyFact[]> {
    const path = `/vX/reference/tickers/${encodeURIComponent(symbol)}/events`;
    try {
      const answer = await http.get(path, { types: 'ticker_change' }, { signal });
      return membersIn(memberAt(answer, 'results.events')).flatMap((event) => {
        const [from, ticker] = [textOf(event.date), textOf(memberAt(event, 'ticker_change.ticker'))];
        return ticker === '' || Number.isNaN(Date.parse(from)) ? [] : listingFact(from, ticker);
      });
    } catch (error) {
      if (error instanceof VendorAnswer) return [];
      throw error;
    }
  }

  const lagMs = LAG_MS[feed];
  let rules: PrintRules = new Map();
  const traded = (symbols: readonly string[]): readonly string[] =>
    rules.size === 0 ? [] : symbols.slice(0, TRADED_MAX);

  return {
    name: 'massive',
    title: TITLE,
    lagMs,
    standing: () => ({ ...http.standing(), feed: `massive-${feed}`, isPart: false, lagMs }),

    check: (clock) =>
      http.check({ key: 'MASSIVE_API_KEY', host: 'MASSIVE_URL' }, '/v1/marketstatus/now', {}, [
        'serverTime',
        clock,
      ]),

    async listed(symbols, signal) {
      // A list is cheaper asked for than compared with all that there is.
      if (symbols !== null) return symbols.map((symbol) => ({ symbol }));
      const query = { market: 'stocks', active: 'true', limit: LISTED_MAX };
      const rows = await rowsIn(pages('/v3/reference/tickers', query, signal), 'results');
      const known = rows
        .map(({ ticker }) => textOf(ticker))
        .filter((symbol) => symbol !== '' && canonicalSymbol(symbol) === symbol);
      return known.sort().map((symbol) => ({ symbol }));
    },

    async *bars({ symbols, interval, from, to, purpose }, signal) {
      const isDaily = interval === '1d';
      const dates = isDaily ? weekdays(from, to) : [];
      // A day of the whole market is one call.
      if (isDaily && dates.length < symbols.length) {
        const bySymbol = await grouped(symbols, dates, signal, purpose);
        for (const bars of bySymbol.values()) if (bars.length > 0) yield bars;
        return;
      }
      const [first, last] = isDaily ? [dateOf(from), dateOf(to)] : [from, to];
      const query = { adjusted: 'false', sort: 'asc', limit: ROWS_MAX };
      for (const symbol of symbols) {
        const range = `range/1/${isDaily ? 'day' : 'minute'}/${first}/${last}`;
        const path = `/v2/aggs/ticker/${encodeURIComponent(symbol)}/${range}`;
        for await (const { results } of pages(path, query, signal, purpose)) {
          if (!Array.isArray(results)) continue;
          yield results.map((row): VendorBar => {
            const bar = massiveBar(symbol, row, 't');
            return isDaily && !Number.isNaN(bar.time) ? { ...bar, time: newYorkDay(bar.time) } : bar;
          });
        }
      }
    },

    traded,

    async conditions(kept, signal) {
      const query = { asset_class: 'stocks', data_type: 'trade', limit: LISTED_MAX };
      const asked = pages('/v3/reference/conditions', query, signal, 'session');
      const stated = rulesIn((await answered(rowsIn(asked, 'results'))) ?? []);
      rules = stated.size > 0 ? stated : rulesOfText(kept ?? '');
      return rulesText(rules);
    },

    async *ticks(symbols, from, to, signal) {
      const query = {
        'timestamp.gte': nanoseconds(from),
        'timestamp.lt': nanoseconds(to),
        order: 'asc',
        sort: 'timestamp',
        limit: ROWS_MAX,
      };
      for (const symbol of symbols) {
        const [trades, quotes] = ['trades', 'quotes'].map((kind) =>
          pages(`/v3/${kind}/${encodeURIComponent(symbol)}`, query, signal, 'session'),
        );
        for await (const { results } of trades!) {
          // A cancelled or corrected trade stays listed, and is marked.
          const valid = membersIn(results).filter(({ correction }) => (correction ?? 0) === 0);
          yield valid.flatMap((row) => massivePrintOf(symbol, row, rules) ?? []);
        }
        if (feed !== 'realtime') continue;
        for await (const { results } of quotes!) {
          yield membersIn(results).map((row) => massiveQuoteOf(symbol, row));
        }
      }
    },

    async *actions(symbols, from, to, signal) {
      const splits = { 'execution_date.gte': from, 'execution_date.lte': to, limit: LISTED_MAX };
      for await (const { symbol, row } of ofEach(symbols, '/v3/reference/splits', splits, signal)) {
        const value = Number(row.split_to) / Number(row.split_from);
        const exDate = Date.parse(textOf(row.execution_date));
        yield { kind: 'actions', symbol, actions: [{ kind: 'split', exDate, value }] };
      }
      const dividends = { 'ex_dividend_date.gte': from, 'ex_dividend_date.lte': to, limit: LISTED_MAX };
      for await (const { symbol, row } of ofEach(symbols, '/v3/reference/dividends', dividends, signal)) {
        if (textOf(row.currency) !== '' && textOf(row.currency) !== 'USD') continue;
        const exDate = Date.parse(textOf(row.ex_dividend_date));
        const value = Number(row.cash_amount);
        yield { kind: 'actions', symbol, actions: [{ kind: 'dividend', exDate, value }] };
      }
    },

    news(symbols, after, signal, purpose) {
      const query = { 'published_utc.gte': new Date(after).toISOString(), order: 'desc', limit: LISTED_MAX };
      return newsIn(massiveNews, pages('/v2/reference/news', query, signal, purpose), symbols);
    },

    async *profiles(symbols, knownAt, signal) {
      const unlisted = new Set(symbols);
      for await (const { symbol, row } of ofEach(symbols, '/v3/reference/tickers', {}, signal)) {
        unlisted.delete(symbol);
        const [name, exchange] = [textOf(row.name), textOf(row.primary_exchange) || null];
        if (name !== '') yield { kind: 'facts', symbol, facts: [profileFact(name, exchange, knownAt)] };
      }
      if (unlisted.size > 0) {
        yield refusedFile('unlisted', 'tickers', [...unlisted].join(', '), unlisted.size);
      }
      // One more call for each symbol; five a minute are too few for it.
      for (const symbol of patient === 'back-fill' ? symbols : []) {
        const facts = await listings(symbol, signal);
        if (facts.length > 0) yield { kind: 'facts', symbol, facts };
      }
    },

    async chain(symbol, _session, calendar, signal) {
      const results: unknown[] = [];
      const path = `/v3/snapshot/options/${encodeURIComponent(symbol)}`;
      for await (const page of pages(path, { limit: CONTRACTS_OF_PAGE }, signal, 'chains'))
        if (Array.isArray(page.results)) results.push(...page.results);
      return results.length === 0 ? [] : chainInAnswer(massiveJson, { results }, calendar);
    },

    stream: (symbols, listener, signal) =>
      keepSocket(massiveProtocol(access, symbols, traded(symbols), rules), listener, wiring, signal),
  };
}

const nanoseconds = (ms: number): string => `${ms}000000`;

/** The dates from one midnight UTC to another that are on no weekend. */
function weekdays(from: number, to: number): string[] {
  const dates: string[] = [];
  for (let day = from; day <= to; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday > 0 && weekday < 6) dates.push(dateOf(day));
  }
  return dates;
}
