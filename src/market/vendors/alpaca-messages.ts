import { newYorkDay } from '../../base/time-zone.ts';
import type { Timers } from '../../base/timers.ts';
import type { FactValues } from '../facts.ts';
import { isMembers, type Members, textOf } from '../feeds/json.ts';
import { type RefusalReason, refusedFile } from '../refusals.ts';
import { factOf } from '../validate-fact.ts';
import type { AlpacaFeed } from './feeds.ts';
import { barOf, type SocketListener, type VendorBar, withoutSecrets } from './vendor.ts';
import type { Reaction, SocketProtocol } from './vendor-socket.ts';

export interface AlpacaStream {
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
  readonly symbols: readonly string[];
}

/** Trades tell of corrections; a free plan streams those of so many symbols. */
const TRADED_MAX = 30;
/** Alpaca holds the place of a connection that died for about this long. */
const HELD_MS = 90_000;
const HELD_RETRY_MS = 10_000;

/** Alpaca's stock stream: its handshake, errors and messages. */
export function alpacaProtocol(
  { keyId, secretKey, feed, symbols }: AlpacaStream,
  listener: SocketListener,
  timers: Timers,
): Omit<SocketProtocol, 'url'> {
  const halted = new Map<string, number>();
  let withTrades = symbols.length <= TRADED_MAX;
  let heldSince: number | null = null;

  const refuse = (reason: RefusalReason, message: unknown): 'read' => {
    const example = withoutSecrets(typeof message === 'string' ? message : JSON.stringify(message), [
      keyId,
      secretKey,
    ]);
    const delivery = refusedFile(reason, 'stream', example);
    listener.onMessage({ kind: 'delivery', delivery });
    return 'read';
  };
  const subscription = () => ({
    action: 'subscribe',
    bars: symbols,
    updatedBars: symbols,
    dailyBars: symbols,
    statuses: symbols,
    ...(withTrades ? { trades: symbols } : {}),
  });

  function onError(code: unknown, says: string, send: (message: object) => void): Reaction {
    switch (code) {
      case 401:
      case 402:
        return { stop: `Alpaca refuses the key of ALPACA_KEY_ID on its stream: ${says}` };
      case 408:
      case 409:
      case 411:
        refuse('not_in_plan', { code, says });
        return { stop: `The plan of the key has no stream of ALPACA_FEED=${feed}: ${says}` };
      case 400:
        return { stop: `Alpaca does not understand the subscription: ${says}` };
      case 403:
        return 'read';
      case 405:
        if (!withTrades) return { stop: `Alpaca streams no ${symbols.length} symbols to this key: ${says}` };
        withTrades = false;
        refuse('not_in_plan', { code, says });
        send(subscription());
        return 'read';
      case 410:
        withTrades = false;
        refuse('not_in_plan', { code, says });
        return 'read';
      case 406: {
        heldSince ??= timers.monotonic();
        const isHeld = timers.monotonic() - heldSince < HELD_MS;
        return {
          again: isHeld
            ? `Alpaca still holds the place of an earlier connection: ${says}`
            : `A second program streams with this key: ${says}`,
          afterMs: HELD_RETRY_MS,
        };
      }
      case 407:
        return { again: `Alpaca found this program too slow: ${says}` };
      default:
        return { again: `Alpaca ends the connection: ${String(code)} ${says}` };
    }
  }

  /** A halt, or its end, by the text of the status: its codes differ by tape. */
  function onStatus(message: Members): Reaction {
    const symbol = textOf(message.S);
    const at = typeof message.t === 'string' ? Date.parse(message.t) : Number.NaN;
    const says = textOf(message.sm);
    if (symbol === '' || Number.isNaN(at)) return refuse('missing_value', message);
    if (/resum/i.test(says)) {
      const from = halted.get(symbol);
      if (/quot/i.test(says) || from === undefined) return 'read';
      halted.delete(symbol);
      halt(symbol, at, { from, to: at, reason: null });
    } else if (/halt|pause/i.test(says)) {
      if (halted.has(symbol)) return 'read';
      halted.set(symbol, at);
      halt(symbol, at, { from: at, to: null, reason: textOf(message.rm) || says });
    }
    return 'read';
  }

  function halt(symbol: string, at: number, value: FactValues['halt']): void {
    const facts = [factOf('halt', at, value)];
    listener.onMessage({ kind: 'delivery', delivery: { kind: 'facts', symbol, facts } });
  }

  return {
    onState: listener.onState,
    onBroken: (reason, frame) => void refuse(reason, frame.slice(0, 200)),
    read(message, send) {
      if (!isMembers(message)) return refuse('unknown_format', message);
      const symbol = textOf(message.S);
      switch (message.T) {
        case 'b':
        case 'u': {
          const bar = alpacaBar(symbol, message, { isDaily: false, isPart: feed === 'iex' });
          listener.onMessage({ kind: 'minute', bar, said: message });
          return 'data';
        }
        case 'd':
          // Of IEX alone it is no day of the stock.
          if (feed !== 'iex')
            listener.onMessage({
              kind: 'day',
              bar: alpacaBar(symbol, message, { isDaily: true, isPart: false }),
              said: message,
            });
          return 'data';
        case 'c':
        case 'x':
          listener.onMessage({ kind: 'corrected', symbol });
          return 'data';
        case 's':
          return onStatus(message);
        case 't':
          return 'data';
        case 'success':
          if (message.msg === 'connected') send({ action: 'auth', key: keyId, secret: secretKey });
          else if (message.msg === 'authenticated') {
            heldSince = null;
            send(subscription());
          }
          return 'read';
        case 'subscription':
          return 'streaming';
        case 'error':
          return onError(message.code, withoutSecrets(textOf(message.msg), [keyId, secretKey]), send);
        default:
          return refuse('unknown_kind', message);
      }
    },
  };
}

/** What a row is of: a minute or a day, of one exchange or of all. */
export interface RowKind {
  readonly isDaily: boolean;
  /** The volume of one exchange is not that of the stock. */
  readonly isPart: boolean;
}

/** A bar of REST and of the socket. */
export function alpacaBar(symbol: string, row: unknown, { isDaily, isPart }: RowKind): VendorBar {
  const { t, o, h, l, c, v } = isMembers(row) ? row : ({} as Members);
  const start = typeof t === 'string' ? Date.parse(t) : Number.NaN;
  // A day of Alpaca begins at midnight in New York.
  const time = isDaily && !Number.isNaN(start) ? newYorkDay(start) : start;
  const bar = barOf(symbol, time, [o, h, l, c, v]);
  return isPart ? { ...bar, volume: Number.NaN } : bar;
}
