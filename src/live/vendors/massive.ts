import { newYorkMidnight } from '../../base/calendar.ts';
import type { PacedClock } from '../../base/clock.ts';
import { DAY_MS, dateOf, MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time-zone.ts';
import { massiveJson } from '../../files/chains/massive.ts';
import { factsOfItems } from '../../files/facts/answers.ts';
import { massiveNews } from '../../files/facts/news.ts';
import { isMembers, type Members, textOf } from '../../files/json.ts';
import type { AnyFact } from '../../market/facts.ts';
import { refusalTally, refusedFile } from '../../market/refusals.ts';
import { factOf } from '../../market/validate-fact.ts';
import type { MassiveFeed } from './feeds.ts';
import { type PrintRules, rulesIn, rulesOfText, rulesText } from './massive-conditions.ts';
import { massiveBar, massivePrintOf, massiveProtocol, massiveQuoteOf } from './massive-messages.ts';
import {
  chainInAnswer,
  type Purpose,
  profileFact,
  refuseSkew,
  type Vendor,
  type VendorBar,
  type Wiring,
} from './vendor.ts';
import { firstAnswer, isOfVendor, type Query, VendorAnswer, VendorHttp } from './vendor-http.ts';
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
const CONTRACTS_OF_PAGE = 250;
/** Symbols of which trades and quotes are streamed: some thousand messages a second. */
const TRADED_MAX = 30;
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
  const patient = feed === 'end_of_day' ? 'session' : 'back-fill';

  /** The rows of an answer and of the pages that follow it. */
  async function* pages(
    path: string,
    query: Query,
    signal: AbortSignal,
    purpose: Purpose = patient,
  ): AsyncIterable<readonly unknown[]> {
    for (let [next, rest] = [path, query]; ; [rest] = [{}]) {
      const answer = await http.get(next, rest, { signal, purpose });
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
      for await (const rows of pages(path, { adjusted: 'false' }, signal, purpose)) {
        for (const row of rows.filter(isMembers)) {
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
      const events = isMembers(answer) && isMembers(answer.results) ? answer.results.events : [];
      return (Array.isArray(events) ? events.filter(isMembers) : []).flatMap(
        ({ date, ticker_change: to }) => {
          const [from, ticker] = [textOf(date), isMembers(to) ? textOf(to.ticker) : ''];
          if (ticker === '' || Number.isNaN(Date.parse(from))) return [];
          return factOf('listing', newYorkMidnight(from), { from, ticker, exchange: null });
        },
      );
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
      if (symbols !== null) return symbols.map((symbol) => ({ symbol }));
      const all: string[] = [];
      const query = { market: 'stocks', active: 'true', limit: LISTED_MAX };
      for await (const rows of pages('/v3/reference/tickers', query, signal)) {
        all.push(...rows.filter(isMembers).map(({ ticker }) => textOf(ticker)));
      }
      const known = all.filter((symbol) => symbol !== '' && canonicalSymbol(symbol) === symbol);
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
        for await (const rows of pages(path, query, signal, purpose)) {
          yield rows.map((row): VendorBar => {
            const bar = massiveBar(symbol, row, 't');
            return isDaily && !Number.isNaN(bar.time) ? { ...bar, time: newYorkDay(bar.time) } : bar;
          });
        }
      }
    },

    traded,

    async conditions(kept, signal) {
      const query = { asset_class: 'stocks', data_type: 'trade', limit: LISTED_MAX };
      const rows: unknown[] = [];
      try {
        for await (const page of pages('/v3/reference/conditions', query, signal, 'session'))
          rows.push(...page);
      } catch (error) {
        if (!isOfVendor(error)) throw error;
      }
      const stated = rulesIn(rows);
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
        for await (const rows of pages(
          `/v3/trades/${encodeURIComponent(symbol)}`,
          query,
          signal,
          'session',
        )) {
          // A cancelled or corrected trade stays listed, and is marked.
          const valid = rows.filter(isMembers).filter(({ correction }) => (correction ?? 0) === 0);
          yield valid.flatMap((row) => massivePrintOf(symbol, row, rules) ?? []);
        }
        if (feed !== 'realtime') continue;
        for await (const rows of pages(
          `/v3/quotes/${encodeURIComponent(symbol)}`,
          query,
          signal,
          'session',
        )) {
          yield rows.filter(isMembers).map((row) => massiveQuoteOf(symbol, row));
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

    async *news(symbols, after, signal, purpose) {
      const wanted = new Set(symbols);
      const tally = refusalTally();
      const query = { 'published_utc.gte': new Date(after).toISOString(), order: 'desc', limit: LISTED_MAX };
      let page = 0;
      for await (const results of pages('/v2/reference/news', query, signal, purpose)) {
        const items = massiveNews.itemsIn({ results }) ?? [];
        for (const { symbol, facts } of factsOfItems(items, massiveNews.facts, 'news', {}, tally)) {
          if (wanted.has(symbol)) yield { kind: 'facts', symbol, facts };
        }
        if (++page === NEWS_PAGES_MAX) break;
      }
      yield* tally.refusals();
    },

    async *profiles(symbols, knownAt, signal) {
      const unlisted = new Set(symbols);
      for await (const { symbol, row } of ofEach(symbols, '/v3/reference/tickers', {}, signal)) {
        unlisted.delete(symbol);
        const { name, primary_exchange: exchange } = row as Members;
        if (textOf(name) === '') continue;
        yield {
          kind: 'facts',
          symbol,
          facts: [profileFact(textOf(name), textOf(exchange) || null, knownAt)],
        };
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
      for await (const rows of pages(path, { limit: CONTRACTS_OF_PAGE }, signal, 'chains'))
        results.push(...rows);
      return results.length === 0 ? [] : chainInAnswer(massiveJson, { results }, calendar);
    },

    stream(symbols, listener, signal) {
      const protocol = massiveProtocol({ apiKey, feed, symbols, traded: traded(symbols), rules }, listener);
      return keepSocket({ ...protocol, url: `${streamUrl.replace(/\/$/, '')}/stocks` }, wiring, signal);
    },
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
