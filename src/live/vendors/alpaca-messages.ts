import { newYorkDay } from '../../base/time-zone.ts';
import type { Timers } from '../../base/timers.ts';
import { isMembers, type Members, textOf } from '../../files/json.ts';
import { PRINT, printOfLetters } from '../../market/sale-conditions.ts';
import { barOf, numberOf, quoteOf, type VendorBar } from './vendor.ts';
import {
  type PrintChange,
  printKey,
  refusePrint,
  type VendorPrint,
  type VendorQuote,
} from './vendor-flow.ts';
import type { Reaction, SocketProtocol, Stream } from './vendor-socket.ts';

export interface AlpacaAccess {
  readonly keyId: string;
  readonly secretKey: string;
  /** One exchange, all of them, all of them 15 minutes late. */
  readonly feed: 'iex' | 'sip' | 'delayed_sip';
  /** Origins of the three hosts. */
  readonly dataUrl: string;
  readonly tradingUrl: string;
  readonly streamUrl: string;
}

/** Symbols of which trades are asked for, which also tell of corrections: a free plan streams no more. */
export const TRADED_MAX = 30;
/** Alpaca holds the place of a connection that died for about this long. */
const HELD_MS = 90_000;
const HELD_RETRY_MS = 10_000;

/** Alpaca's stock stream: its handshake, errors and messages. */
export function alpacaProtocol(
  { keyId, secretKey, feed, streamUrl }: AlpacaAccess,
  symbols: readonly string[],
  timers: Timers,
): SocketProtocol {
  const isPart = feed === 'iex';
  const traded = symbols.slice(0, TRADED_MAX);
  let withTrades = true;
  // Of one exchange they are no order flow of the stock.
  let withQuotes = !isPart;
  let heldSince: number | null = null;

  const subscription = () => ({
    action: 'subscribe',
    bars: symbols,
    updatedBars: symbols,
    dailyBars: symbols,
    statuses: symbols,
    ...(withTrades ? { trades: traded } : {}),
    ...(withTrades && withQuotes ? { quotes: traded } : {}),
  });

  function onError(message: Members, { send, refuse }: Stream): Reaction {
    const { code } = message;
    const says = textOf(message.msg);
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
        send(subscription());
        return refuse('not_in_plan', { code, says });
      case 410:
        withTrades = false;
        return refuse('not_in_plan', { code, says });
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

  const minute = (said: Members): Reaction => {
    return { kind: 'minute', bar: alpacaBar(textOf(said.S), said, { isDaily: false, isPart }), said };
  };
  const corrected = (said: Members): Reaction => {
    return { kind: 'corrected', symbol: textOf(said.S), change: alpacaChange(said) };
  };
  return {
    url: `${streamUrl.replace(/\/$/, '')}/v2/${feed}`,
    secrets: [keyId, secretKey],
    kindAt: 'T',
    readers: {
      b: minute,
      u: minute,
      // Of IEX alone it is no day of the stock.
      d: (said) =>
        isPart
          ? 'data'
          : { kind: 'day', bar: alpacaBar(textOf(said.S), said, { isDaily: true, isPart }), said },
      c: corrected,
      x: corrected,
      s: onStatus,
      t: (said) => (isPart ? 'data' : alpacaPrint(textOf(said.S), said)),
      q: (said) => alpacaQuote(textOf(said.S), said),
      success({ msg }, { send }) {
        if (msg === 'connected') send({ action: 'auth', key: keyId, secret: secretKey });
        else if (msg === 'authenticated') {
          heldSince = null;
          send(subscription());
        }
        return 'read';
      },
      subscription: () => 'streaming',
      error: onError,
    },
  };
}

/** A halt, or its end, by the text of the status: its codes differ by tape. */
function onStatus(message: Members, { refuse, halt, resume }: Stream): Reaction {
  const symbol = textOf(message.S);
  const at = timeOf(message.t);
  const says = textOf(message.sm);
  if (symbol === '' || Number.isNaN(at)) return refuse('missing_value', message);
  if (/resum/i.test(says)) {
    if (!/quot/i.test(says)) resume(symbol, at);
  } else if (/halt|pause/i.test(says)) halt(symbol, at, textOf(message.rm) || says);
  return 'read';
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
  const start = timeOf(t);
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

/** A quote of REST and of the socket. */
export const alpacaQuote = (symbol: string, { t, bp, ap }: Members): VendorQuote =>
  quoteOf(symbol, instantOf(t), bp, ap);

/** What a correction, or a cancelled or erroneous trade, changes; null for a correction to what cannot be. */
function alpacaChange({ T, x, z, i, oi, ci, cp, cs, cc }: Members): PrintChange | null {
  if (T === 'x') return { key: printKey(x, z, i), to: null };
  const to = { key: printKey(x, z, ci), price: numberOf(cp), size: numberOf(cs), print: printOf(x, cc) };
  return refusePrint({ time: 0, ...to }) === null ? { key: printKey(x, z, oi), to } : null;
}

const timeOf = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);

/** Characters of `2024-03-05T14:30:00.123`, behind which microseconds and nanoseconds follow. */
const MILLISECONDS = 23;

/** Epoch milliseconds with a fraction. */
function instantOf(text: unknown): number {
  const ms = timeOf(text);
  if (typeof text !== 'string') return ms;
  return text.length <= MILLISECONDS + 1 ? ms : ms + Number(`0.${text.slice(MILLISECONDS, -1)}`);
}
