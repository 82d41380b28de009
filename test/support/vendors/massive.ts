import type { IncomingMessage } from 'node:http';
import { newYorkMidnight } from '../../../src/base/calendar.ts';
import { dateOf } from '../../../src/base/dates.ts';
import type { Bar } from '../../../src/market/observations.ts';
import type { MarketOfDouble } from './alpaca.ts';
import { type Answer, Double } from './double.ts';
import type { ServerSocket } from './socket-server.ts';

/** What the documentation leaves open is a setting; so is what the double is to do wrong. */
export interface MassiveSettings {
  /** Rows of a page at most. */
  readonly pageRows?: number;
  /** Host that `next_url` names in place of this one. */
  readonly nextHost?: string;
}

interface Stream {
  readonly socket: ServerSocket;
  isAuthenticated: boolean;
  readonly channels: Set<string>;
}

/** Conditions by the letter of tape C, as `/v3/reference/conditions` lists them: number, letter, and what is updated. */
const CONDITIONS = (
  [
    [0, '@', true, true, true],
    [37, 'I', true, false, false],
    [14, 'F', true, true, true],
    [10, '4', true, false, false],
    [2, 'W', true, false, false],
    [15, 'M', false, false, false],
  ] as const
).map(([id, letter, volume, highLow, openClose]) => ({
  id,
  type: 'sale_condition',
  name: letter,
  asset_class: 'stocks',
  data_types: ['trade'],
  sip_mapping: { UTP: letter },
  update_rules: {
    consolidated: { updates_volume: volume, updates_high_low: highLow, updates_open_close: openClose },
  },
}));

const numbersOf = (letters: readonly string[]): number[] =>
  letters.map((letter) => CONDITIONS.find(({ name }) => name === letter)!.id);

/** A loopback server that speaks Massive's documented wire over a market that the test gives it. */
export class MassiveDouble extends Double<Stream> {
  readonly apiKey = 'massive-double-key';
  readonly #market: MarketOfDouble;
  readonly #settings: MassiveSettings;

  constructor(market: MarketOfDouble, now: () => number, settings: MassiveSettings = {}) {
    super(now);
    this.#market = market;
    this.#settings = settings;
  }

  get access() {
    return {
      apiKey: this.apiKey,
      feed: 'realtime' as const,
      url: this.url,
      streamUrl: this.url.replace('http', 'ws'),
    };
  }

  barsOf(at: number): object[] {
    return Array.from(this.#market.minutes).flatMap(([sym, bars]) =>
      bars
        .filter(({ time }) => time + 60_000 === at)
        .map(({ open, high, low, close, volume, time }) => {
          const prices = { o: open, h: high, l: low, c: close };
          return {
            ev: 'AM',
            sym,
            v: volume,
            av: volume,
            op: open,
            vw: close,
            a: close,
            ...prices,
            s: time,
            e: at,
          };
        }),
    );
  }

  ticksOf(from: number, to: number): object[] {
    return Array.from(this.#market.ticks ?? [], ([sym, { trades, quotes }]) =>
      [
        ...quotes.map(({ time, bid, ask }) => ({
          ev: 'Q',
          sym,
          bp: bid,
          bs: 1,
          ap: ask,
          as: 1,
          z: 3,
          t: time,
        })),
        ...trades.map(({ id, time, venue, price, size, letters }) => ({
          ev: 'T',
          sym,
          x: venue === 'D' ? 4 : 11,
          i: id,
          z: 3,
          p: price,
          s: size,
          c: numbersOf(letters),
          t: time,
          ...(venue === 'D' ? { trfi: 202 } : {}),
        })),
      ]
        .filter(({ t }) => t >= from && t < to)
        .sort((a, b) => a.t - b.t),
    ).flat();
  }

  push(messages: readonly object[]): void {
    for (const { socket, channels } of this.streams) {
      const own = messages.filter((message) => {
        const { ev, sym, T } = message as { ev: string; sym?: string; T?: string };
        return channels.has(`${ev}.${sym ?? T}`) || channels.has(`${ev}.*`);
      });
      if (own.length > 0 && !this.isMute) socket.send(JSON.stringify(own));
    }
  }

  protected accepted(_request: IncomingMessage, socket: ServerSocket): Stream {
    return { socket, isAuthenticated: false, channels: new Set() };
  }

  protected opened(stream: Stream): void {
    this.streams.add(stream);
    if (!this.isMute) this.#say(stream, 'connected', 'Connected Successfully');
  }

  #say({ socket }: Stream, status: string, message: string): void {
    socket.send(JSON.stringify([{ ev: 'status', status, message }]));
  }

  protected heard(stream: Stream, bytes: Buffer): void {
    const { action, params } = JSON.parse(bytes.toString('utf8')) as { action: string; params: string };
    if (action === 'auth') {
      if (params !== this.apiKey) {
        this.#say(stream, 'auth_failed', 'authentication failed');
        stream.socket.close();
        return;
      }
      // One connection: the older one is closed, the newcomer lives.
      for (const other of this.streams) {
        if (other === stream || !other.isAuthenticated) continue;
        this.#say(other, 'max_connections', 'Maximum number of websocket connections exceeded.');
        other.socket.close();
      }
      stream.isAuthenticated = true;
      this.#say(stream, 'auth_success', 'authenticated');
    } else if (action === 'subscribe' && stream.isAuthenticated) {
      for (const channel of params.split(',')) {
        if (stream.channels.has(channel)) continue;
        stream.channels.add(channel);
        this.#say(stream, 'success', `subscribed to: ${channel}`);
      }
      this.tellSubscribed();
    }
  }

  protected answer(request: IncomingMessage, url: URL, answer: Answer): unknown {
    const isKnown =
      request.headers.authorization === `Bearer ${this.apiKey}` ||
      url.searchParams.get('apiKey') === this.apiKey;
    if (!isKnown) return answer(401, { status: 'ERROR', request_id: '1', error: 'Unknown API Key' });
    const { pathname, searchParams } = url;
    if (pathname === '/v1/marketstatus/now') {
      return answer(200, { market: 'open', serverTime: new Date(this.now()).toISOString() });
    }
    const ticker = searchParams.get('ticker');
    const listed = [...this.#market.days.keys()].filter((symbol) => ticker === null || symbol === ticker);
    const aggregates = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/1\/(minute|day)\/([^/]+)\/([^/]+)$/.exec(
      pathname,
    );
    if (aggregates !== null)
      return this.#aggregates(url, aggregates.slice(1) as [string, string, string, string], answer);
    const [, date] = /^\/v2\/aggs\/grouped\/locale\/us\/market\/stocks\/([\d-]+)$/.exec(pathname) ?? [];
    if (date !== undefined) {
      const results = Array.from(this.#market.days).flatMap(([T, bars]) =>
        bars
          .filter(({ time }) => dateOf(time) === date)
          .map(({ open, high, low, close, volume, time }) => {
            return {
              T,
              o: open,
              h: high,
              l: low,
              c: close,
              v: volume,
              vw: close,
              n: 1,
              t: time + 75_600_000,
            };
          }),
      );
      return answer(200, { status: 'OK', adjusted: false, results });
    }
    const [, renamed] = /^\/vX\/reference\/tickers\/([^/]+)\/events$/.exec(pathname) ?? [];
    if (renamed !== undefined) {
      const events = this.#market.renames?.get(renamed) ?? [];
      return answer(200, {
        status: 'OK',
        results: {
          name: renamed,
          events: events.map(([from, ticker]) => ({
            type: 'ticker_change',
            date: from,
            ticker_change: { ticker },
          })),
        },
      });
    }
    const [, kind, traded] = /^\/v3\/(trades|quotes)\/([^/]+)$/.exec(pathname) ?? [];
    if (traded !== undefined) return this.#ticks(kind!, traded, url, answer);
    const underlying = /^\/v3\/snapshot\/options\/([^/]+)$/.exec(pathname)?.[1];
    if (underlying !== undefined) return this.#snapshots(underlying, url, answer);
    switch (pathname) {
      case '/v3/reference/tickers':
        return answer(200, {
          status: 'OK',
          results: listed.map((symbol) => ({
            ticker: symbol,
            name: `${symbol} Inc.`,
            primary_exchange: 'XNAS',
            active: true,
          })),
        });
      case '/v3/reference/conditions':
        return answer(200, { status: 'OK', ...this.#page(url, CONDITIONS, 10) });
      case '/v3/reference/splits':
      case '/v3/reference/dividends':
      case '/v2/reference/news':
        return answer(200, { status: 'OK', results: this.#market.actions?.[pathname] ?? [] });
      default:
        return answer(404, { status: 'ERROR', error: 'not found' });
    }
  }

  #ticks(kind: string, symbol: string, url: URL, answer: Answer): void {
    const { trades = [], quotes = [] } = this.#market.ticks?.get(symbol) ?? {};
    const instant = (name: string): number => Number(BigInt(url.searchParams.get(name)!) / 1_000_000n);
    const [from, to] = [instant('timestamp.gte'), instant('timestamp.lt')];
    const isAsked = ({ time }: { readonly time: number }): boolean =>
      time >= from && time < to && time <= this.now();
    const rows =
      kind === 'trades'
        ? trades.filter(isAsked).map(({ id, time, venue, price, size, letters }) => ({
            id,
            exchange: venue === 'D' ? 4 : 11,
            price,
            size,
            conditions: numbersOf(letters),
            tape: 3,
            sip_timestamp: time * 1e6,
            ...(venue === 'D' ? { trf_id: 202 } : {}),
          }))
        : quotes.filter(isAsked).map(({ time, bid, ask }) => ({
            bid_price: bid,
            ask_price: ask,
            sip_timestamp: time * 1e6,
          }));
    answer(200, { status: 'OK', ...this.#page(url, rows, 1_000) });
  }

  #snapshots(underlying: string, url: URL, answer: Answer): void {
    const contracts = this.#market.options?.(underlying, this.now()) ?? [];
    const results = contracts.map(({ name, expiration, strike, right, bid, ask, volume, openInterest }) => ({
      details: {
        ticker: `O:${name}`,
        contract_type: right,
        exercise_style: 'american',
        expiration_date: expiration,
        shares_per_contract: 100,
        strike_price: strike,
      },
      day: { volume, close: bid, last_updated: this.now() * 1e6 },
      last_quote: { bid, ask, last_updated: this.now() * 1e6, timeframe: 'REAL-TIME' },
      open_interest: openInterest,
      underlying_asset: { ticker: underlying },
    }));
    answer(200, { status: 'OK', ...this.#page(url, results, 10) });
  }

  /** The rows of a page, and the address of the next one. */
  #page(url: URL, rows: readonly object[], limit: number): object {
    const { pageRows = 50_000, nextHost } = this.#settings;
    const cursor = Number(url.searchParams.get('cursor') ?? 0);
    const end = cursor + Math.min(Number(url.searchParams.get('limit') ?? limit), pageRows);
    const next = new URL(url);
    next.searchParams.set('cursor', String(end));
    next.searchParams.delete('apiKey');
    if (nextHost !== undefined) {
      next.host = nextHost;
      next.port = '';
    }
    return { results: rows.slice(cursor, end), ...(end < rows.length ? { next_url: next.href } : {}) };
  }

  #aggregates(
    url: URL,
    [symbol, timespan, from, to]: readonly [string, string, string, string],
    answer: Answer,
  ): void {
    const isDaily = timespan === 'day';
    const instant = (text: string): number => (/^\d+$/.test(text) ? Number(text) : newYorkMidnight(text));
    const bars = (isDaily ? this.#market.days : this.#market.minutes).get(decodeURIComponent(symbol)) ?? [];
    const rows = bars
      .map((bar: Bar) => ({ bar, t: isDaily ? newYorkMidnight(dateOf(bar.time)) : bar.time }))
      .filter(({ t }) => t >= instant(from) && t <= instant(to) && (isDaily || t + 60_000 <= this.now()));
    const results = rows.map(({ bar: { open, high, low, close, volume }, t }) => {
      return { o: open, h: high, l: low, c: close, v: volume, vw: close, n: 1, t };
    });
    answer(200, {
      ticker: symbol,
      status: 'OK',
      adjusted: url.searchParams.get('adjusted') !== 'false',
      ...this.#page(url, results, 5_000),
    });
  }
}
