import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newYorkMidnight } from '../../../src/base/calendar.ts';
import { dateOf } from '../../../src/base/dates.ts';
import type { Bar } from '../../../src/market/observations.ts';
import type { MarketOfDouble } from './alpaca.ts';
import { ServerSocket } from './socket-server.ts';

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

/** A loopback server that speaks Massive's documented wire over a market that the test gives it. */
export class MassiveDouble {
  readonly apiKey = 'massive-double-key';
  readonly calls: string[] = [];
  upgrades = 0;
  readonly #market: MarketOfDouble;
  readonly #now: () => number;
  readonly #settings: MassiveSettings;
  readonly #streams = new Set<Stream>();
  #waiting: (() => void)[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));

  constructor(market: MarketOfDouble, now: () => number, settings: MassiveSettings = {}) {
    this.#market = market;
    this.#now = now;
    this.#settings = settings;
    this.#server.on('upgrade', (request, socket: Duplex) => this.#open(request, socket));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get access() {
    return {
      apiKey: this.apiKey,
      feed: 'realtime' as const,
      url: this.url,
      streamUrl: this.url.replace('http', 'ws'),
    };
  }

  async close(): Promise<void> {
    for (const { socket } of this.#streams) socket.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves with the next subscription. */
  subscribed(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  get sockets(): ServerSocket[] {
    return Array.from(this.#streams, ({ socket }) => socket);
  }

  /** Resolves once every client has read all that was sent. */
  async taken(): Promise<void> {
    await Promise.all(this.sockets.map((socket) => socket.taken()));
  }

  /** The bars of the minute that ends at an instant, as their messages. */
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

  push(messages: readonly object[]): void {
    for (const { socket, channels } of this.#streams) {
      const own = messages.filter((message) => {
        const { ev, sym, T } = message as { ev: string; sym?: string; T?: string };
        return channels.has(`${ev}.${sym ?? T}`) || channels.has(`${ev}.*`);
      });
      if (own.length > 0) socket.send(JSON.stringify(own));
    }
  }

  #open(request: IncomingMessage, duplex: Duplex): void {
    this.upgrades++;
    const stream: Stream = {
      socket: ServerSocket.accept(
        request,
        duplex,
        (bytes) => this.#onMessage(stream, bytes.toString('utf8')),
        () => this.#streams.delete(stream),
      ),
      isAuthenticated: false,
      channels: new Set(),
    };
    this.#streams.add(stream);
    this.#say(stream, 'connected', 'Connected Successfully');
  }

  #say({ socket }: Stream, status: string, message: string): void {
    socket.send(JSON.stringify([{ ev: 'status', status, message }]));
  }

  #onMessage(stream: Stream, text: string): void {
    const { action, params } = JSON.parse(text) as { action: string; params: string };
    if (action === 'auth') {
      if (params !== this.apiKey) {
        this.#say(stream, 'auth_failed', 'authentication failed');
        stream.socket.close();
        return;
      }
      // One connection: the older one is closed, the newcomer lives.
      for (const other of this.#streams) {
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
      for (const waiting of this.#waiting.splice(0)) waiting();
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url!, this.url);
    this.calls.push(`${url.pathname}${url.search}`);
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const isKnown =
      request.headers.authorization === `Bearer ${this.apiKey}` ||
      url.searchParams.get('apiKey') === this.apiKey;
    if (!isKnown) return answer(401, { status: 'ERROR', request_id: '1', error: 'Unknown API Key' });
    const { pathname, searchParams } = url;
    if (pathname === '/v1/marketstatus/now') {
      return answer(200, { market: 'open', serverTime: new Date(this.#now()).toISOString() });
    }
    const ticker = searchParams.get('ticker');
    const listed = [...this.#market.days.keys()].filter((symbol) => ticker === null || symbol === ticker);
    const aggregates = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/1\/(minute|day)\/([^/]+)\/([^/]+)$/.exec(
      pathname,
    );
    if (aggregates !== null)
      return this.#aggregates(url, aggregates.slice(1) as [string, string, string, string], answer);
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
      case '/v3/reference/splits':
      case '/v3/reference/dividends':
      case '/v2/reference/news':
        return answer(200, { status: 'OK', results: this.#market.actions?.[pathname] ?? [] });
      default:
        return answer(404, { status: 'ERROR', error: 'not found' });
    }
  }

  #aggregates(
    url: URL,
    [symbol, timespan, from, to]: readonly [string, string, string, string],
    answer: (status: number, body: object) => void,
  ): void {
    const isDaily = timespan === 'day';
    const instant = (text: string): number => (/^\d+$/.test(text) ? Number(text) : newYorkMidnight(text));
    const bars = (isDaily ? this.#market.days : this.#market.minutes).get(decodeURIComponent(symbol)) ?? [];
    const rows = bars
      .map((bar: Bar) => ({ bar, t: isDaily ? newYorkMidnight(dateOf(bar.time)) : bar.time }))
      .filter(({ t }) => t >= instant(from) && t <= instant(to) && (isDaily || t + 60_000 <= this.#now()));
    const cursor = Number(url.searchParams.get('cursor') ?? 0);
    const end =
      cursor + Math.min(Number(url.searchParams.get('limit') ?? 5_000), this.#settings.pageRows ?? 50_000);
    const next = new URL(url);
    next.searchParams.set('cursor', String(end));
    next.searchParams.delete('apiKey');
    if (this.#settings.nextHost !== undefined) {
      next.host = this.#settings.nextHost;
      next.port = '';
    }
    answer(200, {
      ticker: symbol,
      status: 'OK',
      adjusted: url.searchParams.get('adjusted') !== 'false',
      results: rows.slice(cursor, end).map(({ bar: { open, high, low, close, volume }, t }) => {
        return { o: open, h: high, l: low, c: close, v: volume, vw: close, n: 1, t };
      }),
      ...(end < rows.length ? { next_url: next.href } : {}),
    });
  }
}
