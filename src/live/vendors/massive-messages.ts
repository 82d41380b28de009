import { isMembers, type Members, textOf } from '../../files/json.ts';
import { PRINT } from '../../market/sale-conditions.ts';
import { type PrintRules, printOfConditions } from './massive-conditions.ts';
import { barOf, numberOf, quoteOf, type VendorBar } from './vendor.ts';
import { printKey, type VendorPrint, type VendorQuote } from './vendor-flow.ts';
import type { Reaction, SocketProtocol, Stream } from './vendor-socket.ts';

export interface MassiveAccess {
  readonly apiKey: string;
  /** Sessions once they are over, all exchanges 15 minutes late, or at once. */
  readonly feed: 'end_of_day' | 'delayed' | 'realtime';
  /** Origins of the two hosts. */
  readonly url: string;
  readonly streamUrl: string;
}

/** A program that takes the stream away is let have it for so long. */
const TAKEN_MS = 60_000;
/** Indicators of LULD messages, of stocks that are listed at Nasdaq. */
const HALT = 17;
const RESUMPTION = 18;
/** Milliseconds of any session are below it, nanoseconds above. */
const NANOSECONDS_FROM = 1e15;

/**
 * Massive's stock stream: its handshake, statuses and messages.
 *
 * @param traded symbols of which trades and quotes are asked for
 */
export function massiveProtocol(
  { apiKey, feed, streamUrl }: MassiveAccess,
  symbols: readonly string[],
  traded: readonly string[],
  rules: PrintRules,
): SocketProtocol {
  function onStatus(message: Members, { send, refuse }: Stream): Reaction {
    const says = textOf(message.message);
    switch (message.status) {
      case 'connected':
        send({ action: 'auth', params: apiKey });
        return 'read';
      case 'auth_success': {
        const channel = (name: string, of: readonly string[]): string[] =>
          of.map((symbol) => `${name}.${symbol}`);
        // Only the plan that streams at once has limits and quotes.
        const atOnce = feed === 'realtime' ? [...channel('LULD', symbols), ...channel('Q', traded)] : [];
        const params = [...channel('AM', symbols), ...channel('T', traded), ...atOnce];
        send({ action: 'subscribe', params: params.join(',') });
        return 'read';
      }
      case 'success':
        return 'streaming';
      case 'auth_failed':
        return { stop: `Massive refuses the key of MASSIVE_API_KEY on its stream: ${says}` };
      case 'max_connections':
        return { again: `Another program took the stream of this key: ${says}`, afterMs: TAKEN_MS };
      case 'slow_consumer':
      case 'force_disconnect':
        return { again: `Massive ends the connection: ${message.status} ${says}` };
      case 'error':
        return refuse('not_in_plan', message);
      default:
        return refuse('not_read', message);
    }
  }

  return {
    url: `${streamUrl.replace(/\/$/, '')}/stocks`,
    secrets: [apiKey],
    kindAt: 'ev',
    readers: {
      AM: (said) => ({ kind: 'minute', bar: massiveBar(textOf(said.sym), said, 's'), said }),
      T: (said, { refuse }) => massivePrint(said, rules) ?? refuse('bad_word', said),
      Q: ({ sym, t, bp, ap }) => quoteOf(textOf(sym), Number(t), bp, ap),
      LULD: onLimits,
      status: onStatus,
    },
  };
}

function onLimits(message: Members, { refuse, halt, resume }: Stream): Reaction {
  const symbol = textOf(message.T);
  const stated = Number(message.t);
  const at = stated > NANOSECONDS_FROM ? Math.floor(stated / 1e6) : stated;
  if (symbol === '' || !Number.isFinite(at)) return refuse('missing_value', message);
  const indicators: readonly unknown[] = Array.isArray(message.i) ? message.i : [];
  if (indicators.includes(HALT)) halt(symbol, at, null);
  else if (indicators.includes(RESUMPTION)) resume(symbol, at);
  return 'data';
}

/** A bar of REST and of the socket, which name its start differently. */
export function massiveBar(symbol: string, row: unknown, startName: 's' | 't'): VendorBar {
  const { o, h, l, c, v, [startName]: start } = isMembers(row) ? row : ({} as Members);
  return barOf(symbol, numberOf(start), [o, h, l, c, v]);
}

/** A trade of the socket; null for conditions that nobody has told of. */
function massivePrint(
  { sym, x, i, z, p, s, ds, c, t, trfi }: Members,
  rules: PrintRules,
): VendorPrint | null {
  const print = printOfConditions(rules, c, z);
  const size = typeof ds === 'string' ? Number(ds) : numberOf(s);
  return print === null
    ? null
    : {
        kind: 'print',
        symbol: textOf(sym),
        key: printKey(x, z, i),
        time: numberOf(t),
        price: numberOf(p),
        size,
        print: print | offExchange(trfi),
      };
}

/** Of a trade that was reported through a facility of FINRA, which is named. */
const offExchange = (facility: unknown): number =>
  typeof facility === 'number' && facility > 0 ? PRINT.offExchange : 0;

/** Of nanoseconds: the socket has milliseconds, and both have one order. */
const millisecondsOf = (nanoseconds: unknown): number =>
  // A number would round them up.
  Number(textOf(nanoseconds).slice(0, -'000000'.length) || Number.NaN);

/** A trade of REST. */
export function massivePrintOf(symbol: string, row: Members, rules: PrintRules): VendorPrint | null {
  const { conditions, exchange, id, price, size, decimal_size, sip_timestamp, tape, trf_id } = row;
  const t = millisecondsOf(sip_timestamp);
  const names = { sym: symbol, x: exchange, i: id, z: tape, c: conditions, trfi: trf_id };
  return massivePrint({ ...names, p: price, s: size, ds: decimal_size, t }, rules);
}

export const massiveQuoteOf = (symbol: string, { sip_timestamp, ...row }: Members): VendorQuote =>
  quoteOf(symbol, millisecondsOf(sip_timestamp), row.bid_price, row.ask_price);
