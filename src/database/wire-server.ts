import { createServer, type Socket } from 'node:net';
import {
  backendKeyData,
  copyFail,
  errorResponse,
  LEAVE_LINE,
  type MessageReader,
  messageReader,
  messagesIn,
  type Opening,
  readyForQuery,
  simpleQuery,
  startupMessage,
  textOf,
  typeOf,
} from './wire-messages.ts';

/** The one PostgreSQL backend: takes the messages of a whole turn and returns everything it answers. */
export type Backend = (turn: Uint8Array, processId: number) => Buffer;

export interface WireServer {
  listen(path: string): Promise<void>;
  /** Lets a transaction under way end within the time given, tells all others to go elsewhere, and closes. */
  close(graceMs: number): Promise<void>;
}

interface Connection {
  readonly socket: Socket;
  readonly reader: MessageReader;
  readonly processId: number;
  /** False until the greeting has been exchanged. */
  started: boolean;
  /** Messages of the turn that is still arriving. */
  readonly arriving: Buffer[];
  listening: boolean;
  /** Whether its turns let those of others go first. */
  behind: boolean;
}

interface Turn {
  readonly connection: Connection;
  readonly bytes: Buffer;
  readonly since: number;
}

/** A turn that lets others go first does so for this long, so that passes come to an end however many callers there are. */
const PATIENCE_MS = 250;

/** A turn ends where the backend answers with ReadyForQuery: after Query, Sync or FunctionCall. */
const ENDS_TURN = new Set(['Q', 'S', 'F']);

/**
 * Serves many connections from one backend. The backend is a single session, so the unit of service is the turn: all
 * messages up to the one that ends it run together, and while a transaction is open only its connection is served.
 * (Serving message by message would let one connection's Bind meet another's Parse and hand rows to the wrong caller.)
 * Turns are served in order of arrival, those of connections that are `behind` after all others.
 *
 * Notifications are taken out of whatever answer they ride on and go to every connection that listens.
 *
 * @param idleInTransactionMs after this silence a transaction is undone and its connection closed, lest a stopped
 *   process keep everybody waiting
 */
export function wireServer(backend: Backend, idleInTransactionMs: number): WireServer {
  const greeting = [...messagesIn(backend(startupMessage('postgres', 'postgres'), 0))];
  const connections = new Map<number, Connection>();
  const line: Turn[] = [];
  let holder: Connection | null = null;
  let holderTimer: NodeJS.Timeout | undefined;
  let scheduled = false;
  let draining: (() => void) | null = null;
  let nextProcessId = 1;

  const server = createServer((socket) => {
    const connection: Connection = {
      socket,
      reader: messageReader(),
      processId: nextProcessId++,
      started: false,
      arriving: [],
      listening: false,
      behind: false,
    };
    connections.set(connection.processId, connection);
    socket.on('data', (chunk: Buffer) => receive(connection, chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => leave(connection));
  });

  function receive(connection: Connection, chunk: Buffer): void {
    const { reader, socket } = connection;
    try {
      reader.push(chunk);
      while (!connection.started) {
        const opening = reader.opening();
        if (opening === null) return;
        open(connection, opening);
      }
      for (let message = reader.message(); message !== null; message = reader.message())
        accept(connection, message);
    } catch (error) {
      socket.end(errorResponse('FATAL', '08P01', (error as Error).message));
    }
  }

  function open(connection: Connection, opening: Opening): void {
    if (opening.kind === 'encryption') {
      // Both ends are on this machine, and the socket is readable by its owner alone.
      connection.socket.write('N');
    } else if (opening.kind === 'cancel') {
      connection.started = true;
      connection.socket.end();
    } else {
      connection.started = true;
      connection.behind = opening.behind;
      const key = backendKeyData(connection.processId);
      connection.socket.write(
        Buffer.concat(greeting.map((message) => (typeOf(message) === 'K' ? key : message))),
      );
    }
  }

  function accept(connection: Connection, message: Buffer): void {
    const type = typeOf(message);
    if (type === 'X') {
      connection.socket.end();
      return;
    }
    if (type === typeOf(LEAVE_LINE)) {
      leaveLine(connection);
      return;
    }
    if (type === 'S' && connection.arriving.some(mayCopyIn)) connection.arriving.push(NO_COPY);
    connection.arriving.push(message);
    if (!ENDS_TURN.has(type)) return;
    if (type === 'Q' && mayCopyIn(message)) connection.arriving.push(NO_COPY);
    line.push({ connection, bytes: Buffer.concat(connection.arriving.splice(0)), since: performance.now() });
    schedule();
  }

  /** One turn per pass of the event loop, so that arrivals, departures and cancel requests are seen in between. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      serveNext();
    });
  }

  function serveNext(): void {
    if (draining !== null && holder === null) {
      draining();
      return;
    }
    const at = nextInLine();
    const [turn] = at === -1 ? [] : line.splice(at, 1);
    if (turn === undefined) return;
    serve(turn);
    schedule();
  }

  /** Place in the line of the turn to be served; -1 for none. */
  function nextInLine(): number {
    if (holder !== null) return line.findIndex((turn) => turn.connection === holder);
    const patientUntil = performance.now() - PATIENCE_MS;
    const first = line.findIndex((turn) => !turn.connection.behind || turn.since < patientUntil);
    return first === -1 && line.length > 0 ? 0 : first;
  }

  function serve({ connection, bytes }: Turn): void {
    const answer = backend(bytes, connection.processId);
    let status = 'I';
    const notifications: Buffer[] = [];
    for (const message of messagesIn(answer)) {
      const type = message[0]!;
      if (type === READY) status = String.fromCharCode(message[5]!);
      else if (type === NOTIFICATION) notifications.push(message);
      else if (type === COMPLETE && textOf(message) === 'LISTEN') connection.listening = true;
    }
    hold(status === 'I' ? null : connection);
    if (!connection.socket.destroyed) {
      connection.socket.write(notifications.length === 0 ? answer : without(answer, NOTIFICATION));
    }
    if (notifications.length > 0) publish(Buffer.concat(notifications));
  }

  function publish(notifications: Buffer): void {
    for (const each of connections.values()) if (each.listening) each.socket.write(notifications);
  }

  function hold(connection: Connection | null): void {
    clearTimeout(holderTimer);
    holder = connection;
    if (connection === null) return;
    holderTimer = setTimeout(() => {
      connection.socket.end(errorResponse('FATAL', '25P03', 'The transaction was idle for too long.'));
      leave(connection);
    }, idleInTransactionMs);
  }

  function leave(connection: Connection): void {
    connections.delete(connection.processId);
    for (let at = line.length - 1; at >= 0; at--) if (line[at]!.connection === connection) line.splice(at, 1);
    if (holder === connection) {
      backend(simpleQuery('rollback'), connection.processId);
      hold(null);
    }
    schedule();
  }

  /** A turn that runs keeps the thread, so no word reaches it here; what comes after its answer means nothing any more. */
  function leaveLine(connection: Connection): void {
    const at = line.findLastIndex((turn) => turn.connection === connection);
    if (at === -1 || connection === holder) return;
    line.splice(at, 1);
    const refusal = errorResponse('ERROR', '57014', 'The statement was cancelled while it waited.');
    connection.socket.write(Buffer.concat([refusal, readyForQuery('I')]));
  }

  return {
    listen(path) {
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(path, () => {
          server.off('error', reject);
          resolve();
        });
      });
    },

    async close(graceMs) {
      server.close();
      await new Promise<void>((resolve) => {
        draining = resolve;
        setTimeout(resolve, graceMs).unref();
        schedule();
      });
      if (holder !== null) leave(holder);
      // Said to everybody, and before anything else is served: what a connection has sent was not begun.
      const farewell = errorResponse(
        'FATAL',
        '57P01',
        'The process that serves the data directory is closing.',
      );
      for (const { socket } of connections.values()) socket.end(farewell);
      line.length = 0;
    },
  };
}

/**
 * A backend that waits for copy data finds its turn at an end and takes the connection for lost. So a turn that may copy
 * from the client also says that no data come; outside of such a copy PostgreSQL passes over the message.
 */
const NO_COPY = copyFail('the embedded database does not copy from the client');

const mayCopyIn = (message: Buffer): boolean =>
  (message[0] === QUERY || message[0] === PARSE) && /\bstdin\b/i.test(message.toString('latin1', 5));

const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const NOTIFICATION = 'A'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);

const without = (answer: Buffer, type: number): Buffer =>
  Buffer.concat([...messagesIn(answer)].filter((message) => message[0] !== type));
