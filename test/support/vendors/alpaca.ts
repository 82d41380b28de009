import type { IncomingMessage } from 'node:http';
import { newYorkCalendar, newYorkMidnight } from '../../../src/base/calendar.ts';
import { dateOf } from '../../../src/base/dates.ts';
import type { Bar } from '../../../src/market/observations.ts';
import type { ContractOfDouble } from './contracts.ts';
import { type Answer, Double, withLargeIds } from './double.ts';
import { decodeMessage, encodeMessages } from './msgpack.ts';
import type { ServerSocket } from './socket-server.ts';
import type { QuoteOfDouble, TicksOfDouble, TradeOfDouble } from './ticks.ts';

/** A market as the double knows it; rows in ascending time. */
export interface MarketOfDouble {
  readonly minutes: ReadonlyMap<string, readonly Bar[]>;
  readonly days: ReadonlyMap<string, readonly Bar[]>;
  readonly actions?: Readonly<Record<string, readonly object[]>>;
  /** Tickers of a symbol with the dates from which they hold. */
  readonly renames?: ReadonlyMap<string, readonly (readonly [from: string, ticker: string])[]>;
  /** Trades and quotes by symbol. */
  readonly ticks?: ReadonlyMap<string, TicksOfDouble>;
  /** Option contracts of a symbol at an instant; none unless set. */
  readonly options?: (symbol: string, at: number) => readonly ContractOfDouble[];
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
  /** Sessions from one date to another; those of this program's calendar unless set. */
  readonly calendar?: (start: string, end: string) => readonly SessionOfDouble[];
  /** Whether the plan has options. */
  readonly hasOptions?: boolean;
  /** Connections to one endpoint. */
  readonly connectionsMax?: number;
}

export interface SessionOfDouble {
  readonly date: string;
  readonly open: string;
  readonly close: string;
}

const calendar = newYorkCalendar();

export const sessionsOfDouble = (start: string, end: string): SessionOfDouble[] =>
  calendar.sessionsBetween(start, end).map((date) => {
    const { midnight, close } = calendar.session(date)!;
    return { date, open: '09:30', close: `${(close - midnight) / 3_600_000}:00` };
  });

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
export class AlpacaDouble extends Double<Stream> {
  readonly keyId: string;
  readonly secretKey: string;
  /** Assets whose symbol is not that of the market's rows any more: by its symbol there that of now. */
  readonly renamed = new Map<string, string>();
  settings: AlpacaSettings;
  readonly #market: MarketOfDouble;

  constructor(market: MarketOfDouble, now: () => number, settings: AlpacaSettings = {}) {
    super(now);
    this.#market = market;
    this.settings = settings;
    this.keyId = settings.keyId ?? KEY;
    this.secretKey = settings.secretKey ?? SECRET;
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

  /** Settings of a program that follows it, without its key. */
  get settingsOfHosts() {
    const { dataUrl, tradingUrl, streamUrl } = this.access;
    return { ALPACA_DATA_URL: dataUrl, ALPACA_TRADING_URL: tradingUrl, ALPACA_STREAM_URL: streamUrl };
  }

  barsOf(at: number, symbols: readonly string[] = [...this.#market.minutes.keys()]): object[] {
    return symbols.flatMap((symbol) =>
      (this.#market.minutes.get(symbol) ?? [])
        .filter(({ time }) => time + 60_000 === at)
        .map((bar) => ({ T: 'b', S: this.#nameOf(symbol), ...wireBar(bar, bar.time) })),
    );
  }

  ticksOf(from: number, to: number): object[] {
    return Array.from(this.#market.ticks ?? [], ([S, { trades, quotes }]) =>
      [
        ...quotes.map((quote) => ({ at: quote.time, message: { T: 'q', S, ...wireQuote(quote) } })),
        ...trades.map((trade) => ({ at: trade.time, message: { T: 't', S, ...wireTrade(trade) } })),
      ]
        .filter(({ at }) => at >= from && at < to)
        .sort((a, b) => a.at - b.at)
        .map(({ message }) => message),
    ).flat();
  }

  /** Whether somebody would get the trades of a symbol. */
  streamsTrades = (symbol: string): boolean =>
    [...this.streams].some(({ channels }) => channels.get('trades')?.has(symbol));

  /** Sends messages to those who are subscribed to them. */
  push(messages: readonly object[]): void {
    for (const { socket, isPacked, channels } of this.streams) {
      const own = messages.filter((message) => {
        const { T, S } = message as { T: string; S: string };
        const symbols = channels.get(CHANNEL_OF[T] ?? '');
        return symbols?.has(S) || symbols?.has('*');
      });
      if (own.length > 0 && !this.isMute) send({ socket, isPacked }, own);
    }
  }

  protected accepted({ headers }: IncomingMessage, socket: ServerSocket): Stream {
    const isPacked = headers['content-type'] === 'application/msgpack';
    return { socket, isPacked, isAuthenticated: false, channels: new Map() };
  }

  protected opened(stream: Stream, request: IncomingMessage): unknown {
    const { streamError, connectionsMax = 1 } = this.settings;
    if (this.isMute) return this.streams.add(stream);
    const say = (message: object): void => send(stream, [message]);
    say({ T: 'success', msg: 'connected' });
    if (this.streams.size >= connectionsMax) {
      say({ T: 'error', code: 406, msg: 'connection limit exceeded' });
      return stream.socket.close();
    }
    this.streams.add(stream);
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

  protected heard(stream: Stream, bytes: Buffer): unknown {
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
    this.tellSubscribed();
    return stream;
  }

  protected answer(request: IncomingMessage, url: URL, answer: Answer): unknown {
    if (!this.#isKnown(request.headers['apca-api-key-id'], request.headers['apca-api-secret-key'])) {
      return answer(401, { message: 'unauthorized.' });
    }
    const query = Object.fromEntries(url.searchParams);
    const underlying = /^\/v1beta1\/options\/snapshots\/([^/]+)$/.exec(url.pathname)?.[1];
    if (underlying !== undefined) return this.#snapshots(underlying, query, answer);
    switch (url.pathname) {
      case '/v2/clock':
        return answer(200, { timestamp: new Date(this.now()).toISOString(), is_open: true });
      case '/v2/calendar':
        return answer(200, (this.settings.calendar ?? sessionsOfDouble)(query.start!, query.end!));
      case '/v2/assets':
        return answer(
          200,
          Array.from(this.#market.days.keys(), (symbol) => ({
            id: `id-of-${symbol}`,
            class: 'us_equity',
            exchange: 'NASDAQ',
            symbol: this.#nameOf(symbol),
            name: `${symbol} Inc.`,
            status: 'active',
          })),
        );
      case '/v2/stocks/bars/latest':
        return answer(200, { bars: {} });
      case '/v2/stocks/bars':
        return this.#bars(query, answer);
      case '/v2/stocks/trades':
      case '/v2/stocks/quotes':
        return this.#ticks(url.pathname.endsWith('trades') ? 'trades' : 'quotes', query, answer);
      case '/v2/options/contracts': {
        const contracts = this.#market.options?.(query.underlying_symbols!, this.now()) ?? [];
        const isAsked = ({ expiration }: ContractOfDouble): boolean =>
          expiration >= query.expiration_date_gte! && expiration <= query.expiration_date_lte!;
        return answer(200, {
          option_contracts: contracts.filter(isAsked).map(({ name, expiration, openInterest }) => ({
            symbol: name,
            expiration_date: expiration,
            open_interest: String(openInterest),
            open_interest_date: '2024-03-04',
          })),
          next_page_token: null,
        });
      }
      case '/v1/corporate-actions':
        return answer(200, { corporate_actions: this.#actions(query), next_page_token: null });
      case '/v1beta1/news': {
        const since = Date.parse(query.start!);
        const news = (this.#market.news ?? []).filter(({ created_at }) => {
          const at = Date.parse(created_at);
          return at >= since && at <= this.now();
        });
        return answer(200, { news, next_page_token: null });
      }
      default:
        return answer(404, { message: 'not found' });
    }
  }

  /** Those of the kinds and dates that are asked for. */
  #actions({ types = '', start = '', end = '9999' }: Record<string, string>): object {
    const kinds = Object.entries(this.#market.actions ?? {}).filter(([kind]) =>
      types.includes(kind.slice(0, -1)),
    );
    const isWithin = (row: object): boolean => {
      const { ex_date, process_date } = row as { ex_date?: string; process_date?: string };
      const date = ex_date ?? process_date ?? start;
      return date >= start && date <= end;
    };
    return Object.fromEntries(kinds.map(([kind, rows]) => [kind, rows.filter(isWithin)]));
  }

  #nameOf(symbol: string): string {
    return this.renamed.get(symbol) ?? symbol;
  }

  /** The rows of what trades under a symbol now: its history goes with it. */
  #rowsOf(market: MarketOfDouble['minutes'], asked: string): readonly Bar[] {
    const former = [...this.renamed].find(([, symbol]) => symbol === asked)?.[0];
    return this.renamed.has(asked) ? [] : (market.get(former ?? asked) ?? []);
  }

  #ticks(kind: 'trades' | 'quotes', query: Record<string, string>, answer: Answer): unknown {
    const [start, end] = [Date.parse(query.start!), Date.parse(query.end!)];
    const { opensSip = false } = this.settings;
    if (query.feed === 'sip' && !opensSip && end > this.now() - 900_000) {
      return answer(403, { message: 'subscription does not permit querying recent SIP data' });
    }
    const bySymbol = query.symbols!.split(',').map((symbol) => {
      const { trades = [], quotes = [] } = this.#market.ticks?.get(symbol) ?? {};
      const isAsked = ({ time }: { readonly time: number }): boolean =>
        time >= start && time <= end && time <= this.now();
      return [
        symbol,
        kind === 'trades' ? trades.filter(isAsked).map(wireTrade) : quotes.filter(isAsked).map(wireQuote),
      ] as const;
    });
    return answer(200, { [kind]: Object.fromEntries(bySymbol), next_page_token: null });
  }

  #snapshots(underlying: string, query: Record<string, string>, answer: Answer): unknown {
    const { hasOptions = true, pageRows = 1_000 } = this.settings;
    if (!hasOptions) return answer(403, { message: 'subscription does not permit options' });
    const contracts = this.#market.options?.(underlying, this.now()) ?? [];
    const from = Number(query.page_token ?? 0);
    const to = from + Math.min(Number(query.limit ?? 100), pageRows);
    const t = new Date(this.now()).toISOString();
    const day = newYorkMidnight(dateOf(this.now()));
    const snapshots = contracts.slice(from, to).map(({ name, bid, ask, volume }) => [
      name,
      {
        latestQuote: { bp: bid, bs: 10, ap: ask, as: 10, t },
        dailyBar: { v: volume, c: bid, t: new Date(day).toISOString() },
      },
    ]);
    return answer(200, {
      snapshots: Object.fromEntries(snapshots),
      next_page_token: to < contracts.length ? String(to) : null,
    });
  }

  #bars(query: Record<string, string>, answer: Answer): unknown {
    const { opensSip = false, pageRows = 10_000 } = this.settings;
    const isDaily = query.timeframe === '1Day';
    const [start, end] = [Date.parse(query.start!), Date.parse(query.end!)];
    if (query.feed === 'delayed_sip') return answer(422, { message: 'invalid feed' });
    if (query.feed === 'sip' && !opensSip && end > this.now() - 900_000) {
      return answer(403, { message: 'subscription does not permit querying recent SIP data' });
    }
    const market = isDaily ? this.#market.days : this.#market.minutes;
    const rows = query
      .symbols!.split(',')
      .toSorted()
      .flatMap((symbol) =>
        this.#rowsOf(market, symbol).map((bar) => {
          const time = isDaily ? newYorkMidnight(dateOf(bar.time)) : bar.time;
          return { symbol, time, bar };
        }),
      )
      .filter(({ time }) => time >= start && time <= end && (isDaily || time + 60_000 <= this.now()));
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
  socket.send(isPacked ? encodeMessages(messages) : withLargeIds(messages));

const CHANNEL_OF: Readonly<Record<string, string>> = {
  b: 'bars',
  u: 'updatedBars',
  d: 'dailyBars',
  s: 'statuses',
  t: 'trades',
  q: 'quotes',
  c: 'trades',
  x: 'trades',
};

const wireTrade = ({ id, time, venue, price, size, letters }: TradeOfDouble) => ({
  i: id,
  x: venue,
  p: price,
  s: size,
  c: letters,
  z: 'C',
  t: new Date(time).toISOString(),
});

const wireQuote = ({ time, bid, ask }: QuoteOfDouble) => ({
  bx: 'V',
  bp: bid,
  bs: 1,
  ax: 'V',
  ap: ask,
  as: 1,
  c: ['R'],
  z: 'C',
  t: new Date(time).toISOString(),
});

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
