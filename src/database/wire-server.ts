import { createServer, type Socket } from 'node:net';
import { nextTurn, realTimers, type Timers } from '../base/timers.ts';
import {
  backendKeyData,
  CANCEL_QUEUED,
  closeStatement,
  copyFail,
  errorResponse,
  keptName,
  type MessageReader,
  messageReader,
  messagesIn,
  type Opening,
  PARSE,
  parseComplete,
  readyForQuery,
  simpleQuery,
  startupMessage,
  syncMessage,
  textOf,
  typeOf,
} from './wire-messages.ts';

/** The one PostgreSQL backend: takes all messages of a request and returns its whole answer. */
export type Backend = (request: Uint8Array, processId: number) => Buffer;

interface Connection {
  readonly socket: Socket;
  readonly reader: MessageReader;
  readonly processId: number;
  /** False until the start-up messages are exchanged. */
  started: boolean;
  /** Messages of the request that is still arriving. */
  readonly arriving: Buffer[];
  listening: boolean;
  /** Whether its requests let those of others go first. */
  lowPriority: boolean;
}

interface Request {
  readonly connection: Connection;
  readonly bytes: Buffer;
  readonly since: number;
}

/** Longest wait of a low-priority request for others, so that passes progress under any load. */
const LOW_PRIORITY_WAIT_MS = 250;
/**
 * After a low-priority request others have so many times as long as it took, if they have asked meanwhile: between two
 * statements of a reader the line is empty, and a pass that filled each of these gaps would have most of the time.
 */
const READERS_SHARE = 4;

/**
 * Age at which a kept plan is made anew: tables grow, and a plan of an empty one reads all of it.
 */
const PLAN_AGE_MS = 5_000;
/** What the planner is told around a statement whose plan is kept: by itself it plans those again that take arrays. */
const KEEP_PLANS = simpleQuery('set plan_cache_mode to force_generic_plan');
const PLAN_EACH = simpleQuery('set plan_cache_mode to auto');

/** A request ends with a message that the backend answers with ReadyForQuery: Query, Sync or FunctionCall. */
const ENDS_REQUEST = new Set(['Q', 'S', 'F']);

/**
 * Serves many connections from one backend. It is a single session, so a request (all messages up to the one that ends
 * it) runs as a whole, and an open transaction serves only its connection. (Serving single messages would let one
 * connection's Bind meet another's Parse and return rows to the wrong caller.) Requests run in order of arrival,
 * low-priority ones after all others and in a fifth of the time while others ask. Notifications are taken out of answers and sent to every listening connection.
 */
export class WireServer {
  readonly #backend: Backend;
  readonly #idleInTransactionMs: number;
  readonly #timers: Timers;
  readonly #greeting: readonly Buffer[];
  readonly #connections = new Map<number, Connection>();
  readonly #queue: Request[] = [];
  /** Statements whose plans are kept, by name. */
  readonly #plans = new Map<string, { readonly parse: Buffer; readonly madeAt: number }>();
  readonly #server = createServer((socket) => this.#connect(socket));
  #inTransaction: Connection | null = null;
  /** The low-priority request, or transaction, that was served last, and whether others were served since. */
  #lowPriority = { begunAt: 0, endedAt: Number.NEGATIVE_INFINITY, othersSince: false };
  #endIdleTimer = (): void => {};
  #scheduled = false;
  #endWait = (): void => {};
  #draining: (() => void) | null = null;
  #nextProcessId = 1;

  /**
   * @param idleInTransactionMs after this silence a transaction is rolled back and its connection closed, so that a
   *   stopped process does not block the others
   */
  constructor(backend: Backend, idleInTransactionMs: number, timers: Timers = realTimers) {
    this.#backend = backend;
    this.#idleInTransactionMs = idleInTransactionMs;
    this.#timers = timers;
    this.#greeting = [...messagesIn(backend(startupMessage('postgres', 'postgres'), 0))];
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  /** Lets an open transaction end within the time given, refuses all other requests, and closes. */
  async close(graceMs: number): Promise<void> {
    this.#server.close();
    await new Promise<void>((resolve) => {
      this.#draining = resolve;
      this.#timers.after(graceMs, resolve, false);
      this.#schedule();
    });
    if (this.#inTransaction !== null) this.#leave(this.#inTransaction);
    // Sent to every connection before any further request: what it has sent was not started.
    const closingError = errorResponse(
      'FATAL',
      '57P01',
      'The process that serves the data directory is closing.',
    );
    for (const { socket } of this.#connections.values()) socket.end(closingError);
    this.#queue.length = 0;
  }

  #connect(socket: Socket): void {
    const connection: Connection = {
      socket,
      reader: messageReader(),
      processId: this.#nextProcessId++,
      started: false,
      arriving: [],
      listening: false,
      lowPriority: false,
    };
    this.#connections.set(connection.processId, connection);
    socket.on('data', (chunk: Buffer) => this.#receive(connection, chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#leave(connection));
  }

  #receive(connection: Connection, chunk: Buffer): void {
    const { reader, socket } = connection;
    try {
      reader.push(chunk);
      while (!connection.started) {
        const opening = reader.opening();
        if (opening === null) return;
        this.#open(connection, opening);
      }
      for (let message = reader.message(); message !== null; message = reader.message())
        this.#accept(connection, message);
    } catch (error) {
      socket.end(errorResponse('FATAL', '08P01', (error as Error).message));
    }
  }

  #open(connection: Connection, opening: Opening): void {
    if (opening.kind === 'encryption') {
      // Both ends are on this machine, and only the owner can read the socket.
      connection.socket.write('N');
    } else if (opening.kind === 'cancel') {
      connection.started = true;
      connection.socket.end();
    } else {
      connection.started = true;
      connection.lowPriority = opening.lowPriority;
      const key = backendKeyData(connection.processId);
      connection.socket.write(
        Buffer.concat(this.#greeting.map((message) => (typeOf(message) === 'K' ? key : message))),
      );
    }
  }

  #accept(connection: Connection, message: Buffer): void {
    const type = typeOf(message);
    if (type === 'X') {
      connection.socket.end();
      return;
    }
    if (type === typeOf(CANCEL_QUEUED)) {
      this.#cancelQueued(connection);
      return;
    }
    if (type === 'S' && connection.arriving.some(mayCopyIn)) connection.arriving.push(NO_COPY);
    connection.arriving.push(message);
    if (!ENDS_REQUEST.has(type)) return;
    if (type === 'Q' && mayCopyIn(message)) connection.arriving.push(NO_COPY);
    this.#queue.push({
      connection,
      bytes: Buffer.concat(connection.arriving.splice(0)),
      since: this.#timers.monotonic(),
    });
    this.#schedule();
  }

  /** One request per turn of the event loop, so that arrivals, departures and cancellations are seen in between. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    void nextTurn().then(() => {
      this.#scheduled = false;
      this.#serveNext();
    });
  }

  #serveNext(): void {
    if (this.#draining !== null && this.#inTransaction === null) {
      this.#draining();
      return;
    }
    this.#endWait();
    const at = this.#nextInQueue();
    const [request] = at === -1 ? [] : this.#queue.splice(at, 1);
    if (request === undefined) return;
    this.#serve(request);
    this.#schedule();
  }

  /** Index of the next request to serve; -1 for none. */
  #nextInQueue(): number {
    if (this.#inTransaction !== null)
      return this.#queue.findIndex((request) => request.connection === this.#inTransaction);
    const { begunAt, endedAt, othersSince } = this.#lowPriority;
    const now = this.#timers.monotonic();
    const isOverdue = ({ connection, since }: Request): boolean =>
      connection.lowPriority && now - Math.max(since, endedAt) >= LOW_PRIORITY_WAIT_MS;
    const first = this.#queue.findIndex((request) => !request.connection.lowPriority || isOverdue(request));
    if (first !== -1 || this.#queue.length === 0) return first;
    const share = Math.min(READERS_SHARE * (endedAt - begunAt), LOW_PRIORITY_WAIT_MS);
    const waitMs = othersSince ? endedAt + share - now : 0;
    if (waitMs <= 0) return 0;
    this.#endWait = this.#timers.after(waitMs, () => this.#schedule());
    return -1;
  }

  #serve({ connection, bytes }: Request): void {
    const begunAt = this.#timers.monotonic();
    const begins = this.#inTransaction === null;
    const answer = this.#answer(bytes, connection.processId);
    let status = 'I';
    const notifications: Buffer[] = [];
    for (const message of messagesIn(answer)) {
      const type = message[0]!;
      if (type === READY) status = String.fromCharCode(message[5]!);
      else if (type === NOTIFICATION) notifications.push(message);
      else if (type === COMPLETE && textOf(message) === 'LISTEN') connection.listening = true;
    }
    this.#setInTransaction(status === 'I' ? null : connection);
    if (connection.lowPriority)
      this.#lowPriority = {
        begunAt: begins ? begunAt : this.#lowPriority.begunAt,
        endedAt: this.#timers.monotonic(),
        othersSince: false,
      };
    else this.#lowPriority.othersSince = true;
    if (!connection.socket.destroyed) {
      connection.socket.write(notifications.length === 0 ? answer : without(answer, NOTIFICATION));
    }
    if (notifications.length > 0) this.#publish(Buffer.concat(notifications));
  }

  /** Statements whose plans are kept run outside of transactions. */
  #answer(bytes: Buffer, processId: number): Buffer {
    const first: Buffer = messagesIn(bytes).next().value!;
    const name = keptName(first);
    if (name === null) return this.#backend(bytes, processId);
    const brings = first[0] === PARSE;
    if (!this.#plan(name, brings ? first : this.#plans.get(name)?.parse))
      return this.#backend(bytes, processId);
    this.#backend(KEEP_PLANS, 0);
    const answer = this.#backend(brings ? bytes.subarray(first.length) : bytes, processId);
    this.#backend(PLAN_EACH, 0);
    return brings ? Buffer.concat([parseComplete(), answer]) : answer;
  }

  /** Makes a plan that is missing or old. @returns whether there is one; the backend tells the caller why not */
  #plan(name: string, parse: Buffer | undefined): boolean {
    const now = this.#timers.monotonic();
    const known = this.#plans.get(name);
    if (known !== undefined && now - known.madeAt < PLAN_AGE_MS) return true;
    if (parse === undefined) return false;
    const answer = this.#backend(Buffer.concat([closeStatement(name), parse, syncMessage()]), 0);
    const isMade = [...messagesIn(answer)].every((message) => message[0] !== ERROR);
    if (isMade) this.#plans.set(name, { parse: known?.parse ?? Buffer.from(parse), madeAt: now });
    else this.#plans.delete(name);
    return isMade;
  }

  #publish(notifications: Buffer): void {
    for (const each of this.#connections.values()) if (each.listening) each.socket.write(notifications);
  }

  #setInTransaction(connection: Connection | null): void {
    this.#endIdleTimer();
    this.#inTransaction = connection;
    if (connection === null) return;
    this.#endIdleTimer = this.#timers.after(this.#idleInTransactionMs, () => {
      connection.socket.end(errorResponse('FATAL', '25P03', 'The transaction was idle for too long.'));
      this.#leave(connection);
    });
  }

  #leave(connection: Connection): void {
    this.#connections.delete(connection.processId);
    for (let at = this.#queue.length - 1; at >= 0; at--)
      if (this.#queue[at]!.connection === connection) this.#queue.splice(at, 1);
    if (this.#inTransaction === connection) {
      this.#backend(simpleQuery('rollback'), connection.processId);
      this.#setInTransaction(null);
    }
    this.#schedule();
  }

  /** Only queued requests: a running one blocks the thread, and after its answer the message is void. */
  #cancelQueued(connection: Connection): void {
    const at = this.#queue.findLastIndex((request) => request.connection === connection);
    if (at === -1 || connection === this.#inTransaction) return;
    this.#queue.splice(at, 1);
    const refusal = errorResponse('ERROR', '57014', 'The statement was cancelled while it waited.');
    connection.socket.write(Buffer.concat([refusal, readyForQuery('I')]));
  }
}

/**
 * A backend that waits for copy data treats the end of its input as a lost connection. So a request that may copy from
 * the client also sends CopyFail, which PostgreSQL ignores otherwise.
 */
const NO_COPY = copyFail('the embedded database does not copy from the client');

const mayCopyIn = (message: Buffer): boolean =>
  (message[0] === QUERY || message[0] === PARSE) && /\bstdin\b/i.test(message.toString('latin1', 5));

const QUERY = 'Q'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const NOTIFICATION = 'A'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);

const without = (answer: Buffer, type: number): Buffer =>
  Buffer.concat([...messagesIn(answer)].filter((message) => message[0] !== type));
