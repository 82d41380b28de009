import { newYorkDay } from '../../base/time-zone.ts';
import type { Timers } from '../../base/timers.ts';
import { isMembers, type Members, textOf } from '../../files/json.ts';
import type { FactValues } from '../../market/facts.ts';
import { type RefusalReason, refusedFile } from '../../market/refusals.ts';
import { PRINT, printOfLetters } from '../../market/sale-conditions.ts';
import { factOf } from '../../market/validate-fact.ts';
import type { AlpacaFeed } from './feeds.ts';
import { barOf, type SocketListener, type VendorBar, withoutSecrets } from './vendor.ts';
import {
  type PrintChange,
  printKey,
  refusePrint,
  type VendorPrint,
  type VendorQuote,
} from './vendor-flow.ts';
import type { Reaction, SocketProtocol } from './vendor-socket.ts';

export interface AlpacaStream {
  readonly keyId: string;
  readonly secretKey: string;
  readonly feed: AlpacaFeed;
  readonly symbols: readonly string[];
}

/** Symbols of which trades are asked for, which also tell of corrections: a free plan streams no more. */
export const TRADED_MAX = 30;
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
  const traded = symbols.slice(0, TRADED_MAX);
  let withTrades = true;
  // Of one exchange they are no order flow of the stock.
  let withQuotes = feed !== 'iex';
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
    ...(withTrades ? { trades: traded } : {}),
    ...(withTrades && withQuotes ? { quotes: traded } : {}),
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
        // The busiest channel; without quotes the tick rule tells buyers from sellers.
        withQuotes = false;
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
          listener.onMessage({ kind: 'corrected', symbol, change: alpacaChange(message) });
          return 'data';
        case 's':
          return onStatus(message);
        case 't':
          if (feed !== 'iex') listener.onMessage(alpacaPrint(symbol, message));
          return 'data';
        case 'q':
          listener.onMessage(alpacaQuote(symbol, message));
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

/** Where Alpaca says that no exchange executed a trade. */
const FINRA = 'D';

const printOf = (venue: unknown, conditions: unknown): number =>
  printOfLetters(Array.isArray(conditions) ? conditions : []) | (venue === FINRA ? PRINT.offExchange : 0);

/** A trade of REST and of the socket. */
export function alpacaPrint(symbol: string, row: Members): VendorPrint {
  const { i, x, z, t, p, s, c } = row;
  const time = instantOf(t);
  const key = printKey(x, z, i);
  return { kind: 'print', symbol, key, time, price: numberOf(p), size: numberOf(s), print: printOf(x, c) };
}

/** A quote of REST and of the socket; Alpaca writes 0 for a side without one. */
export function alpacaQuote(symbol: string, { t, bp, ap }: Members): VendorQuote {
  const side = (price: unknown): number => (numberOf(price) > 0 ? numberOf(price) : Number.NaN);
  return { kind: 'quote', symbol, time: instantOf(t), bid: side(bp), ask: side(ap) };
}

/** What a correction, or a cancelled or erroneous trade, changes; null for a correction to what cannot be. */
function alpacaChange({ T, x, z, i, oi, ci, cp, cs, cc }: Members): PrintChange | null {
  if (T === 'x') return { key: printKey(x, z, i), to: null };
  const to = { key: printKey(x, z, ci), price: numberOf(cp), size: numberOf(cs), print: printOf(x, cc) };
  return refusePrint({ time: 0, ...to }) === null ? { key: printKey(x, z, oi), to } : null;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** Characters of `2024-03-05T14:30:00.123`, behind which microseconds and nanoseconds follow. */
const MILLISECONDS = 23;

/** Epoch milliseconds with a fraction. */
function instantOf(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  const ms = Date.parse(text);
  return text.length <= MILLISECONDS + 1 ? ms : ms + Number(`0.${text.slice(MILLISECONDS, -1)}`);
}
