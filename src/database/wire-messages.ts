/** PostgreSQL's wire protocol, version 3, as far as a server needs it that forwards messages and reads few of them. */
const PROTOCOL_MAJOR = 3;
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
/** No message of ours is near it; a larger length is not PostgreSQL's protocol. */
const MESSAGE_BYTES_MAX = 1 << 30;

/** Application name of connections whose requests let those of others go first. */
export const LOW_PRIORITY = 'tigraph behind';

/** Begins the name of a statement whose plan is kept, followed by a digest of its text. */
export const KEPT_PLAN = 'kept ';

export type Opening =
  | { readonly kind: 'start'; readonly lowPriority: boolean }
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel' };

export type MessageReader = ReturnType<typeof messageReader>;

/**
 * Splits a stream of bytes into messages; a large one arrives in many pieces and is joined once.
 *
 * @throws Error (from its methods) for bytes that are not the protocol
 */
export function messageReader() {
  let pieces: Buffer[] = [];
  let length = 0;

  function join(): Buffer {
    const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
    pieces = [whole];
    return whole;
  }

  /** The first `size` bytes, or null while there are fewer. */
  function take(size: number): Buffer | null {
    if (length < size) return null;
    const whole = join();
    pieces = [whole.subarray(size)];
    length -= size;
    return whole.subarray(0, size);
  }

  /** Size of the next message: its length field includes itself but not the type byte before it. */
  function sizeOfNext(typeBytes: 0 | 1): number {
    const header = pieces[0]!.length >= typeBytes + 4 ? pieces[0]! : join();
    const size = header.readInt32BE(typeBytes) + typeBytes;
    if (size < typeBytes + 4 || size > MESSAGE_BYTES_MAX)
      throw new Error(`A message of ${size} bytes was announced.`);
    return size;
  }

  return {
    push(chunk: Buffer): void {
      pieces.push(chunk);
      length += chunk.length;
    },
    /** The next start-up message, which has no type byte; null until it is complete. */
    opening(): Opening | null {
      const bytes = length < 8 ? null : take(sizeOfNext(0));
      return bytes === null ? null : openingOf(bytes);
    },
    /** The next typed message; null until it is complete. */
    message: (): Buffer | null => (length < 5 ? null : take(sizeOfNext(1))),
  };
}

function openingOf(bytes: Buffer): Opening {
  const code = bytes.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption' };
  if (code === CANCEL_REQUEST) return { kind: 'cancel' };
  if (code >>> 16 === PROTOCOL_MAJOR) {
    return { kind: 'start', lowPriority: bytes.includes(`\0application_name\0${LOW_PRIORITY}\0`) };
  }
  throw new Error(`Protocol ${code >>> 16}.${code & 0xffff} is not spoken here.`);
}

export const typeOf = (message: Uint8Array): string => String.fromCharCode(message[0]!);

/** Each whole message in a server's output. */
export function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Body of a message of zero-terminated text. */
export const textOf = (message: Buffer): string => message.toString('utf8', 5, message.length - 1);

export function startupMessage(user: string, database: string): Buffer {
  const fields = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + fields.length, 0);
  head.writeInt32BE(PROTOCOL_MAJOR << 16, 4);
  return Buffer.concat([head, fields]);
}

export const simpleQuery = (sql: string): Buffer => typed('Q', Buffer.from(`${sql}\0`));

export const syncMessage = (): Buffer => typed('S', Buffer.alloc(0));

export const parseComplete = (): Buffer => typed('1', Buffer.alloc(0));

/** Forgets a statement, be it known or not. */
export const closeStatement = (name: string): Buffer => typed('C', Buffer.from(`S${name}\0`));

/** Name of the statement whose plan is kept, of a Parse or Bind message; null for any other. */
export function keptName(message: Buffer): string | null {
  const isParse = message[0] === PARSE;
  if (!isParse && message[0] !== BIND) return null;
  const from = isParse ? HEAD_BYTES : message.indexOf(0, HEAD_BYTES) + 1;
  if (!message.subarray(from, from + KEPT_PLAN.length).equals(KEPT)) return null;
  return message.toString('latin1', from, message.indexOf(0, from));
}

export const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const KEPT = Buffer.from(KEPT_PLAN);
const HEAD_BYTES = 5;

export const copyFail = (reason: string): Buffer => typed('f', Buffer.from(`${reason}\0`));

/**
 * Removes the connection's newest request from the queue. PostgreSQL's own cancel request travels on another connection
 * and may arrive when a later statement runs.
 */
export const CANCEL_QUEUED = typed('k', Buffer.alloc(0));

/** The secret stays 0: cancel requests are ignored. */
export function backendKeyData(processId: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeInt32BE(processId, 0);
  return typed('K', body);
}

export const readyForQuery = (status: string): Buffer => typed('Z', Buffer.from(status));

export function errorResponse(severity: 'ERROR' | 'FATAL', sqlState: string, message: string): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${sqlState}`, `M${message}`];
  return typed('E', Buffer.from(`${fields.join('\0')}\0\0`));
}

function typed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
