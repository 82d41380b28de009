import type { PacedClock } from '../../base/clock.ts';
import { dateOf, MINUTE_MS } from '../../base/dates.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time-zone.ts';
import { factsOfItems } from '../feeds/facts-answers.ts';
import { massiveNews } from '../feeds/facts-news.ts';
import { isMembers, type Members, textOf } from '../feeds/json.ts';
import { refusalTally } from '../refusals.ts';
import type { MassiveFeed } from './feeds.ts';
import { massiveBar, massiveProtocol } from './massive-messages.ts';
import { profileFact, refuseSkew, type Vendor, type VendorBar, type Wiring } from './vendor.ts';
import { firstAnswer, type Query, VendorAnswer, VendorHttp } from './vendor-http.ts';
import { keepSocket } from './vendor-socket.ts';

export interface MassiveAccess {
  readonly apiKey: string;
  readonly feed: MassiveFeed;
  /** Origins of the two hosts. */
  readonly url: string;
  readonly streamUrl: string;
}

const TITLE = 'Massive';
const DELAYED_MS = 15 * MINUTE_MS;
const ROWS_MAX = 50_000;
const LISTED_MAX = 1_000;
const NEWS_PAGES_MAX = 10;
/** Of the free plan, and of the others, which state no limit. */
const CALLS_PER_MINUTE = { end_of_day: 5, delayed: 600, realtime: 600 };
const LAG_MS = { end_of_day: null, delayed: DELAYED_MS, realtime: 0 };

/** Massive's market data, Polygon's until 2025. */
export function massiveVendor({ apiKey, feed, url, streamUrl }: MassiveAccess, wiring: Wiring): Vendor {
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
  const isAlone = feed === 'end_of_day';

  /** The rows of an answer and of the pages that follow it. */
  async function* pages(
    path: string,
    query: Query,
    signal: AbortSignal,
    isUrgent = isAlone,
  ): AsyncIterable<readonly unknown[]> {
    for (let [next, rest] = [path, query]; ; [rest] = [{}]) {
      const answer = await http.get(next, rest, { signal, isUrgent });
      if (!isMembers(answer)) throw new VendorAnswer(200, 'answers with no object');
      if (Array.isArray(answer.results)) yield answer.results;
      if (typeof answer.next_url !== 'string') return;
      next = answer.next_url;
    }
  }

  /** Of each symbol by a question of its own. */
  async function* ofEach(symbols: readonly string[], path: string, query: Query, signal: AbortSignal) {
    for (const symbol of symbols) {
      for await (const rows of pages(path, { ...query, ticker: symbol }, signal)) {
        for (const row of rows.filter(isMembers)) yield { symbol, row };
      }
    }
  }

  return {
    name: 'massive',
    title: TITLE,
    lagMs: LAG_MS[feed],

    async check(clock: PacedClock) {
      const of = { title: TITLE, key: 'MASSIVE_API_KEY', host: 'MASSIVE_URL', url };
      await firstAnswer(async () => {
        const answer = await http.get('/v1/marketstatus/now', {}, { callsMax: 1 });
        const stated = isMembers(answer) ? Date.parse(textOf(answer.serverTime)) : Number.NaN;
        if (Number.isNaN(stated)) throw new VendorAnswer(200, 'tells no time');
        refuseSkew(TITLE, clock.now() - stated);
      }, of);
    },

    async listed(symbols, signal) {
      // A list is cheaper asked for than compared with all that there is.
      if (symbols !== null) return symbols;
      const all: string[] = [];
      const query = { market: 'stocks', active: 'true', limit: LISTED_MAX };
      for await (const rows of pages('/v3/reference/tickers', query, signal)) {
        all.push(...rows.filter(isMembers).map(({ ticker }) => textOf(ticker)));
      }
      return all.filter((symbol) => symbol !== '' && canonicalSymbol(symbol) === symbol).sort();
    },

    async *bars({ symbols, interval, from, to, isUrgent = isAlone }, signal) {
      const isDaily = interval === '1d';
      const [first, last] = isDaily ? [dateOf(from), dateOf(to)] : [from, to];
      const query = { adjusted: 'false', sort: 'asc', limit: ROWS_MAX };
      for (const symbol of symbols) {
        const range = `range/1/${isDaily ? 'day' : 'minute'}/${first}/${last}`;
        const path = `/v2/aggs/ticker/${encodeURIComponent(symbol)}/${range}`;
        for await (const rows of pages(path, query, signal, isUrgent)) {
          yield rows.map((row): VendorBar => {
            const bar = massiveBar(symbol, row, 't');
            return isDaily && !Number.isNaN(bar.time) ? { ...bar, time: newYorkDay(bar.time) } : bar;
          });
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

    async *news(symbols, after, signal) {
      const wanted = new Set(symbols);
      const tally = refusalTally();
      const query = { 'published_utc.gte': new Date(after).toISOString(), order: 'desc', limit: LISTED_MAX };
      let page = 0;
      for await (const results of pages('/v2/reference/news', query, signal)) {
        const items = massiveNews.itemsIn({ results }) ?? [];
        for (const { symbol, facts } of factsOfItems(items, massiveNews.facts, 'news', {}, tally)) {
          if (wanted.has(symbol)) yield { kind: 'facts', symbol, facts };
        }
        if (++page === NEWS_PAGES_MAX) break;
      }
      yield* tally.refusals();
    },

    async *profiles(symbols, knownAt, signal) {
      for await (const { symbol, row } of ofEach(symbols, '/v3/reference/tickers', {}, signal)) {
        const { name, primary_exchange: exchange } = row as Members;
        if (textOf(name) === '') continue;
        yield {
          kind: 'facts',
          symbol,
          facts: [profileFact(textOf(name), textOf(exchange) || null, knownAt)],
        };
      }
    },

    stream(symbols, listener, signal) {
      const protocol = massiveProtocol({ apiKey, feed, symbols }, listener);
      return keepSocket({ ...protocol, url: `${streamUrl.replace(/\/$/, '')}/stocks` }, wiring, signal);
    },
  };
}
