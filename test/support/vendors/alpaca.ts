import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newYorkMidnight } from '../../../src/base/calendar.ts';
import { dateOf } from '../../../src/base/dates.ts';
import type { Bar } from '../../../src/market/observations.ts';
import { decodeMessage, encodeMessages } from './msgpack.ts';
import { ServerSocket } from './socket-server.ts';

/** A market as the double knows it; rows in ascending time. */
export interface MarketOfDouble {
  readonly minutes: ReadonlyMap<string, readonly Bar[]>;
  readonly days: ReadonlyMap<string, readonly Bar[]>;
  readonly actions?: Readonly<Record<string, readonly object[]>>;
  readonly news?: readonly { readonly created_at: string; readonly symbols: readonly string[] }[];
}

/** What the documentation leaves open is a setting; so is what the double is to do wrong. */
export interface AlpacaSettings {
  readonly keyId?: string;
  readonly secretKey?: string;
  /** Rows of a page at most. */
  readonly pageRows?: number;
  /** Symbols that may be streamed of trades and quotes, or with `all` of bars too. */
  readonly symbolsMax?: number;
  readonly limitsBars?: boolean;
  /** Error with which a stream refuses the plan: its code and text. */
  readonly streamError?: readonly [number, string];
  /** Whether the plan opens the last 15 minutes of `sip`. */
  readonly opensSip?: boolean;
  /** Connections to one endpoint. */
  readonly connectionsMax?: number;
}

const KEY = 'PKDOUBLE';
const SECRET = 'double-secret';

interface Stream {
  readonly socket: ServerSocket;
  readonly isPacked: boolean;
  isAuthenticated: boolean;
  readonly channels: Map<string, Set<string>>;
}

const CHANNELS = ['trades', 'quotes', 'bars', 'updatedBars', 'dailyBars', 'statuses', 'lulds', 'imbalances'];

/** A loopback server that speaks Alpaca's documented wire over a market that the test gives it. */
export class AlpacaDouble {
  readonly keyId: string;
  readonly secretKey: string;
  /** Calls by path, in their order. */
  readonly calls: string[] = [];
  /** Answers of the next calls in place of data: status and headers. */
  readonly faults: {
    readonly status: number;
    readonly message?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }[] = [];
  /** Statuses with which the next upgrades are refused. */
  readonly refusedUpgrades: number[] = [];
  upgrades = 0;
  /** Accepts connections and says nothing. */
  isMute = false;
  settings: AlpacaSettings;
  readonly #market: MarketOfDouble;
  readonly #now: () => number;
  readonly #streams = new Set<Stream>();
  #waiting: (() => void)[] = [];
  #gone: (() => void)[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));

  constructor(market: MarketOfDouble, now: () => number, settings: AlpacaSettings = {}) {
    this.#market = market;
    this.#now = now;
    this.settings = settings;
    this.keyId = settings.keyId ?? KEY;
    this.secretKey = settings.secretKey ?? SECRET;
    this.#server.on('upgrade', (request, socket: Duplex) => {
      this.upgrades++;
      const refused = this.refusedUpgrades.shift();
      if (refused === undefined) {
        this.#open(request, socket);
        return;
      }
      socket.end(`HTTP/1.1 ${refused} Refused\r\nContent-Length: 0\r\n\r\n`);
      this.#tellGone();
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get access() {
    return {
      keyId: this.keyId,
      secretKey: this.secretKey,
      feed: 'iex' as const,
      dataUrl: this.url,
      tradingUrl: this.url,
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

  /** Resolves with the next connection that ends or is refused. */
  gone(): Promise<void> {
    return new Promise((resolve) => void this.#gone.push(resolve));
  }

  #tellGone(): void {
    for (const gone of this.#gone.splice(0)) gone();
  }

  /** The open streams' sockets. */
  get sockets(): ServerSocket[] {
    return Array.from(this.#streams, ({ socket }) => socket);
  }

  /** Resolves once every client has read all that was sent. */
  async taken(): Promise<void> {
    await Promise.all(this.sockets.map((socket) => socket.taken()));
  }

  /** The bars of the minute that ends at an instant, as their messages. */
  barsOf(at: number, symbols: readonly string[] = [...this.#market.minutes.keys()]): object[] {
    return symbols.flatMap((symbol) =>
      (this.#market.minutes.get(symbol) ?? [])
        .filter(({ time }) => time + 60_000 === at)
        .map((bar) => ({ T: 'b', S: symbol, ...wireBar(bar, bar.time) })),
    );
  }

  /** Sends messages to those who are subscribed to them. */
  push(messages: readonly object[]): void {
    for (const { socket, isPacked, channels } of this.#streams) {
      const own = messages.filter((message) => {
        const { T, S } = message as { T: string; S: string };
        const symbols = channels.get(CHANNEL_OF[T] ?? '');
        return symbols?.has(S) || symbols?.has('*');
      });
      if (own.length > 0 && !this.isMute) send({ socket, isPacked }, own);
    }
  }

  #open(request: IncomingMessage, duplex: Duplex): unknown {
    const { streamError, connectionsMax = 1 } = this.settings;
    const stream: Stream = {
      socket: ServerSocket.accept(
        request,
        duplex,
        (bytes) => this.#onMessage(stream, bytes),
        () => {
          this.#streams.delete(stream);
          this.#tellGone();
        },
      ),
      isPacked: request.headers['content-type'] === 'application/msgpack',
      isAuthenticated: false,
      channels: new Map(),
    };
    if (this.isMute) return this.#streams.add(stream);
    const say = (message: object): void => send(stream, [message]);
    say({ T: 'success', msg: 'connected' });
    if (this.#streams.size >= connectionsMax) {
      say({ T: 'error', code: 406, msg: 'connection limit exceeded' });
      return stream.socket.close();
    }
    this.#streams.add(stream);
    const { headers } = request;
    if (headers['apca-api-key-id'] === undefined) return null;
    if (streamError !== undefined) return this.#refuse(stream, ...streamError);
    if (this.#isKnown(headers['apca-api-key-id'], headers['apca-api-secret-key'])) {
      stream.isAuthenticated = true;
      return say({ T: 'success', msg: 'authenticated' });
    }
    return this.#refuse(stream, 402, 'auth failed');
  }

  #refuse(stream: Stream, code: number, msg: string): void {
    send(stream, [{ T: 'error', code, msg }]);
    stream.socket.close();
  }

  #isKnown = (key: unknown, secret: unknown): boolean => key === this.keyId && secret === this.secretKey;

  #onMessage(stream: Stream, bytes: Buffer): unknown {
    const say = (message: object): void => send(stream, [message]);
    const { streamError, symbolsMax = Number.POSITIVE_INFINITY, limitsBars = false } = this.settings;
    let message: Record<string, unknown>;
    try {
      message = (stream.isPacked ? decodeMessage(bytes) : JSON.parse(bytes.toString('utf8'))) as never;
    } catch {
      return say({ T: 'error', code: 400, msg: 'invalid syntax' });
    }
    if (message.action === 'auth') {
      if (stream.isAuthenticated) return say({ T: 'error', code: 403, msg: 'already authenticated' });
      if (!this.#isKnown(message.key, message.secret)) return this.#refuse(stream, 402, 'auth failed');
      if (streamError !== undefined) return this.#refuse(stream, ...streamError);
      stream.isAuthenticated = true;
      return say({ T: 'success', msg: 'authenticated' });
    }
    if (!stream.isAuthenticated) return this.#refuse(stream, 401, 'not authenticated');
    if (message.action !== 'subscribe' && message.action !== 'unsubscribe') {
      return say({ T: 'error', code: 400, msg: 'invalid syntax' });
    }
    for (const channel of CHANNELS) {
      const symbols = Array.isArray(message[channel]) ? (message[channel] as string[]) : [];
      const isLimited = limitsBars || channel === 'trades' || channel === 'quotes';
      if (isLimited && symbols.length > symbolsMax) {
        return say({ T: 'error', code: 405, msg: 'symbol limit exceeded' });
      }
    }
    for (const channel of CHANNELS) {
      const symbols = Array.isArray(message[channel]) ? (message[channel] as string[]) : [];
      const held = stream.channels.getOrInsertComputed(channel, () => new Set());
      for (const symbol of symbols) message.action === 'subscribe' ? held.add(symbol) : held.delete(symbol);
    }
    const answer = Object.fromEntries(
      CHANNELS.map((channel) => [channel, [...(stream.channels.get(channel) ?? [])]]),
    );
    say({ T: 'subscription', ...answer, corrections: answer.trades, cancelErrors: answer.trades });
    for (const waiting of this.#waiting.splice(0)) waiting();
    return stream;
  }

  #answer(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url!, this.url);
    this.calls.push(`${url.pathname}${url.search}`);
    const answer = (status: number, body: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const fault = this.faults.shift();
    if (fault !== undefined)
      return answer(fault.status, { message: fault.message ?? 'fault' }, fault.headers);
    if (!this.#isKnown(request.headers['apca-api-key-id'], request.headers['apca-api-secret-key'])) {
      return answer(401, { message: 'unauthorized.' });
    }
    const query = Object.fromEntries(url.searchParams);
    switch (url.pathname) {
      case '/v2/clock':
        return answer(200, { timestamp: new Date(this.#now()).toISOString(), is_open: true });
      case '/v2/assets':
        return answer(
          200,
          Array.from(this.#market.days.keys(), (symbol) => ({
            id: symbol,
            class: 'us_equity',
            exchange: 'NASDAQ',
            symbol,
            name: `${symbol} Inc.`,
            status: 'active',
          })),
        );
      case '/v2/stocks/bars/latest':
        return answer(200, { bars: {} });
      case '/v2/stocks/bars':
        return this.#bars(query, answer);
      case '/v1/corporate-actions':
        return answer(200, { corporate_actions: this.#market.actions ?? {}, next_page_token: null });
      case '/v1beta1/news': {
        const since = Date.parse(query.start!);
        const news = (this.#market.news ?? []).filter(({ created_at }) => {
          const at = Date.parse(created_at);
          return at >= since && at <= this.#now();
        });
        return answer(200, { news, next_page_token: null });
      }
      default:
        return answer(404, { message: 'not found' });
    }
  }

  #bars(query: Record<string, string>, answer: (status: number, body: unknown) => void): unknown {
    const { opensSip = false, pageRows = 10_000 } = this.settings;
    const isDaily = query.timeframe === '1Day';
    const [start, end] = [Date.parse(query.start!), Date.parse(query.end!)];
    if (query.feed === 'delayed_sip') return answer(422, { message: 'invalid feed' });
    if (query.feed === 'sip' && !opensSip && end > this.#now() - 900_000) {
      return answer(403, { message: 'subscription does not permit querying recent SIP data' });
    }
    const market = isDaily ? this.#market.days : this.#market.minutes;
    const rows = query
      .symbols!.split(',')
      .toSorted()
      .flatMap((symbol) =>
        (market.get(symbol) ?? []).map((bar) => {
          const time = isDaily ? newYorkMidnight(dateOf(bar.time)) : bar.time;
          return { symbol, time, bar };
        }),
      )
      .filter(({ time }) => time >= start && time <= end && (isDaily || time + 60_000 <= this.#now()));
    const from = Number(query.page_token ?? 0);
    const to = from + Math.min(Number(query.limit ?? 1_000), pageRows);
    const page = Map.groupBy(rows.slice(from, to), ({ symbol }) => symbol);
    const bars = Object.fromEntries(
      Array.from(page, ([symbol, own]) => [symbol, own.map(({ time, bar }) => wireBar(bar, time))]),
    );
    return answer(200, { bars, next_page_token: to < rows.length ? String(to) : null });
  }
}

/** JSON, or MessagePack to those who asked for it. */
const send = ({ socket, isPacked }: Pick<Stream, 'socket' | 'isPacked'>, messages: readonly object[]): void =>
  socket.send(isPacked ? encodeMessages(messages) : JSON.stringify(messages));

const CHANNEL_OF: Readonly<Record<string, string>> = {
  b: 'bars',
  u: 'updatedBars',
  d: 'dailyBars',
  s: 'statuses',
  t: 'trades',
  c: 'trades',
  x: 'trades',
};

export const wireBar = ({ open, high, low, close, volume }: Bar, time: number) => ({
  t: new Date(time).toISOString().replace('.000Z', 'Z'),
  o: open,
  h: high,
  l: low,
  c: close,
  v: volume,
  n: 1,
  vw: close,
});
