import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rest } from '../../base/timers.ts';
import { wireJson } from '../../files/json.ts';
import type { Wiring } from './vendor.ts';
import { retryAfterMs } from './vendor-http.ts';

const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** From the connection to the subscription's answer. */
const HANDSHAKE_MS = 15_000;
/** A minute of 11,000 symbols is 2 MB. */
const MESSAGE_BYTES_MAX = 8 * 2 ** 20;

/** What became of a message: it is read; the vendor granted what was asked; it ends the connection. */
export type Reaction =
  | 'read'
  /** Counts as data: the next failure is a first one again. */
  | 'data'
  | 'streaming'
  /** Connect again, not before some time. */
  | { readonly again: string; readonly afterMs?: number }
  /** Never connect again. */
  | { readonly stop: string };

export interface SocketProtocol {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @param send what answers the message */
  read(message: unknown, send: (message: object) => void): Reaction;
  onState(isUp: boolean, says?: string): void;
  /** A frame that is too large, or no JSON of objects. */
  onBroken(reason: 'too_large' | 'unknown_format', frame: string): void;
}

/**
 * Keeps a connection until the signal aborts. After a cut it connects again with full jitter up to a minute, and begins
 * with a second again only once data has come: a socket that connects and says nothing is no success.
 *
 * @returns drops the connection, which then begins again
 */
export function keepSocket(
  protocol: SocketProtocol,
  { timers, random }: Wiring,
  signal: AbortSignal,
): () => void {
  let dropped = new AbortController();
  const follow = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      dropped = new AbortController();
      const end = await connection(protocol, timers, AbortSignal.any([signal, dropped.signal]));
      if (signal.aborted) return;
      protocol.onState(false, end.says);
      if (end.isFinal) return;
      failures = end.hadData ? 1 : failures + 1;
      const most = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (failures - 1));
      await rest(timers, Math.max(end.afterMs, random() * most), { signal });
    }
  };
  void follow();
  return () => dropped.abort();
}

interface Ended {
  readonly says: string;
  readonly hadData: boolean;
  readonly isFinal: boolean;
  readonly afterMs: number;
}

/** One connection from its begin to its end. */
function connection(
  { url, headers, read, onState, onBroken }: SocketProtocol,
  timers: Wiring['timers'],
  signal: AbortSignal,
): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  // Node's own; the headers are its addition to the standard.
  const socket = new WebSocket(url, { headers: { ...headers } } as never);
  let hadData = false;
  let isUp = false;
  let refused: RefusedUpgrade | null = null;
  const stopHearing = hearRefusal(url, (refusal) => {
    refused = refusal;
  });
  const finish = (says: string, isFinal = false, afterMs = 0): void => {
    callOff();
    stopHearing();
    signal.removeEventListener('abort', drop);
    socket.onopen = socket.onclose = socket.onerror = socket.onmessage = null;
    socket.close();
    resolve({ says, hadData, isFinal, afterMs });
  };
  const drop = (): void => finish('the connection was silent');
  const callOff = timers.after(HANDSHAKE_MS, () => {
    if (!isUp) finish('the connection did not come about in time');
  });
  signal.addEventListener('abort', drop, { once: true });
  socket.onopen = stopHearing;
  socket.onclose = ({ code, reason }) => {
    if (refused === null) return finish(`the connection was cut (${code}${reason && ` ${reason}`})`);
    const waitMs = retryAfterMs(refused.retryAfter, timers.now());
    finish(`the connection was refused (${refused.status})`, false, waitMs);
  };
  socket.onerror = () => {};
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') return onBroken('unknown_format', 'bytes in place of text');
    if (data.length > MESSAGE_BYTES_MAX) return onBroken('too_large', data);
    const messages = parsed(data);
    if (messages === null) return onBroken('unknown_format', data);
    for (const message of messages) {
      const reaction = read(message, send);
      if (reaction === 'data') hadData = true;
      else if (reaction === 'streaming') {
        if (!isUp) onState(true);
        isUp = true;
      } else if (typeof reaction === 'object') {
        if ('stop' in reaction) return finish(reaction.stop, true);
        return finish(reaction.again, false, reaction.afterMs);
      }
    }
  };
  return promise;
}

interface RefusedUpgrade {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** What Node's channel says of the answer to a request. */
interface Headers {
  readonly request: { readonly origin: string; readonly path: string; readonly upgrade?: unknown };
  readonly response: { readonly statusCode: number; readonly headers: readonly Uint8Array[] };
}

const CHANNEL = 'undici:request:headers';

/**
 * Hears how an upgrade is refused, which `WebSocket` keeps for itself: a vendor says there how long to stay away.
 *
 * @returns ends the hearing
 */
function hearRefusal(url: string, hear: (refused: RefusedUpgrade) => void): () => void {
  const { origin, pathname, search } = new URL(url.replace(/^ws/, 'http'));
  const listen = (message: unknown): void => {
    const { request, response } = message as Headers;
    if (!request.upgrade || request.origin !== origin || request.path !== pathname + search) return;
    const headers = response.headers.map((part) => Buffer.from(part).toString('latin1'));
    const at = headers.findIndex((text, index) => index % 2 === 0 && /^retry-after$/i.test(text));
    hear({ status: response.statusCode, retryAfter: at < 0 ? null : headers[at + 1]! });
  };
  subscribe(CHANNEL, listen);
  return () => void unsubscribe(CHANNEL, listen);
}

function parsed(data: string): unknown[] | null {
  try {
    const value = wireJson(data);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
