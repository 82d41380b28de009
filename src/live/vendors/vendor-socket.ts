import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rest } from '../../base/timers.ts';
import { isMembers, type Members, wireJson } from '../../files/json.ts';
import type { FactValues } from '../../market/facts.ts';
import { type RefusalReason, refusedFile } from '../../market/refusals.ts';
import { factOf } from '../../market/validate-fact.ts';
import { type SocketListener, type VendorMessage, type Wiring, withoutSecrets } from './vendor.ts';
import { retryAfterMs } from './vendor-http.ts';

const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** From the connection to the subscription's answer. */
const HANDSHAKE_MS = 15_000;
/** A minute of 11,000 symbols is 2 MB. */
const MESSAGE_BYTES_MAX = 8 * 2 ** 20;

/** What became of a message: it is read, or read as data; the vendor granted what was asked; it ends the connection. */
export type Reaction =
  | 'read'
  | VendorMessage
  /** Counts as data: the next failure is a first one again. */
  | 'data'
  | 'streaming'
  /** Connect again, not before some time. */
  | { readonly again: string; readonly afterMs?: number }
  /** Never connect again. */
  | { readonly stop: string };

/** What a reader does beside its reaction. */
export interface Stream {
  /** Answers the message. */
  send(message: object): void;
  refuse(reason: RefusalReason, said: unknown): 'read';
  /** A halt, or its end; one that is told already is not told again. */
  halt(symbol: string, at: number, reason: string | null): void;
  resume(symbol: string, at: number): void;
}

/** Reads a message, or refuses a text. */
type Read = (message: unknown, send: Stream['send']) => Reaction;

/** A stream whose vendor speaks first, in lists of messages, as a table: each kind of message with its reader. */
export interface SocketProtocol {
  readonly url: string;
  /** What no sentence may repeat, should a message do so. */
  readonly secrets: readonly string[];
  /** Name of the member that names the kind of a message. */
  readonly kindAt: string;
  readonly readers: Readonly<Record<string, (message: Members, stream: Stream) => Reaction>>;
}

/**
 * Keeps a connection until the signal aborts. After a cut it connects again with full jitter up to a minute, and begins
 * with a second again only once data has come: a socket that connects and says nothing is no success.
 *
 * @returns drops the connection, which then begins again
 */
export function keepSocket(
  protocol: SocketProtocol,
  listener: SocketListener,
  { timers, random }: Wiring,
  signal: AbortSignal,
): () => void {
  const { secrets, kindAt } = protocol;
  const readers = new Map<unknown, SocketProtocol['readers'][string]>(Object.entries(protocol.readers));
  const halted = new Map<string, number>();
  const tell = (symbol: string, at: number, value: FactValues['halt']): void => {
    const facts = [factOf('halt', at, value)];
    listener.onMessage({ kind: 'delivery', delivery: { kind: 'facts', symbol, facts } });
  };
  const stream: Omit<Stream, 'send'> = {
    refuse(reason, said) {
      const example = withoutSecrets(typeof said === 'string' ? said : JSON.stringify(said), secrets);
      listener.onMessage({ kind: 'delivery', delivery: refusedFile(reason, 'stream', example) });
      return 'read';
    },
    halt(symbol, at, reason) {
      if (halted.has(symbol)) return;
      halted.set(symbol, at);
      tell(symbol, at, { from: at, to: null, reason });
    },
    resume(symbol, at) {
      const from = halted.get(symbol);
      if (from === undefined) return;
      halted.delete(symbol);
      tell(symbol, at, { from, to: at, reason: null });
    },
  };
  const read: Read = (message, send) => {
    if (typeof message === 'string')
      return stream.refuse(
        message.length > MESSAGE_BYTES_MAX ? 'too_large' : 'unknown_format',
        message.slice(0, 200),
      );
    if (!isMembers(message)) return stream.refuse('unknown_format', message);
    const reader = readers.get(message[kindAt]);
    if (reader === undefined) return stream.refuse('unknown_kind', message);
    return reader(message, { ...stream, send });
  };
  let dropped = new AbortController();
  const follow = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      dropped = new AbortController();
      const end = await connection(
        protocol.url,
        read,
        listener,
        timers,
        AbortSignal.any([signal, dropped.signal]),
      );
      if (signal.aborted) return;
      listener.onState(false, withoutSecrets(end.says, secrets));
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
  url: string,
  read: Read,
  { onMessage, onState }: SocketListener,
  timers: Wiring['timers'],
  signal: AbortSignal,
): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const socket = new WebSocket(url);
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
    for (const message of messagesIn(data)) {
      const reaction = read(message, send);
      if (reaction === 'data') hadData = true;
      else if (reaction === 'streaming') {
        if (!isUp) onState(true);
        isUp = true;
      } else if (typeof reaction === 'object') {
        if ('stop' in reaction) return finish(reaction.stop, true);
        if ('again' in reaction) return finish(reaction.again, false, reaction.afterMs);
        onMessage(reaction);
        hadData = true;
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

/** The messages of a frame; the frame as a text where it is too large, or no JSON of a list. */
function messagesIn(data: unknown): readonly unknown[] {
  if (typeof data !== 'string') return ['bytes in place of text'];
  if (data.length > MESSAGE_BYTES_MAX) return [data];
  try {
    const value = wireJson(data);
    return Array.isArray(value) ? value : [data];
  } catch {
    return [data];
  }
}
