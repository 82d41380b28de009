import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerSocket } from './socket-server.ts';

/** An answer in place of data. */
export interface Fault {
  readonly status: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Answer = (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => void;

/** A loopback server in place of a vendor: what all of them share, and what each can be made to do wrong. */
export abstract class Double<Stream extends { readonly socket: ServerSocket }> {
  /** Calls by path, in their order. */
  readonly calls: string[] = [];
  /** Answers of the next calls. */
  readonly faults: Fault[] = [];
  /** Calls that got one of these, until they are made again. */
  readonly refused = new Set<string>();
  /** Statuses with which the next upgrades are refused, and for how many seconds. */
  readonly refusedUpgrades: (number | readonly [status: number, retryAfterS: number])[] = [];
  upgrades = 0;
  /** Accepts connections and says nothing. */
  isMute = false;
  protected readonly now: () => number;
  protected readonly streams = new Set<Stream>();
  #waiting: (() => void)[] = [];
  #gone: (() => void)[] = [];
  readonly #server = createServer((request, response) => this.#take(request, response));

  /** @param now the vendor's clock, epoch milliseconds */
  constructor(now: () => number) {
    this.now = now;
    this.#server.on('upgrade', (request, duplex: Duplex) => {
      this.upgrades++;
      const refused = this.refusedUpgrades.shift();
      if (refused === undefined) {
        const stream: Stream = this.accepted(
          request,
          ServerSocket.accept(
            request,
            duplex,
            (bytes) => this.heard(stream, bytes),
            () => {
              this.streams.delete(stream);
              this.#tellGone();
            },
          ),
        );
        this.opened(stream, request);
        return;
      }
      const [status, retryAfterS] = [refused].flat();
      const wait = retryAfterS === undefined ? '' : `Retry-After: ${retryAfterS}\r\n`;
      duplex.end(`HTTP/1.1 ${status} Refused\r\n${wait}Content-Length: 0\r\n\r\n`);
      this.#tellGone();
    });
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(port, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const { socket } of this.streams) socket.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves with the next subscription. */
  subscribed(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Resolves with the next connection that ends or is refused. */
  gone(): Promise<void> {
    return new Promise((resolve) => void this.#gone.push(resolve));
  }

  /** The open streams' sockets. */
  get sockets(): ServerSocket[] {
    return Array.from(this.streams, ({ socket }) => socket);
  }

  /** Resolves once every client has read all that was sent. */
  async taken(): Promise<void> {
    await Promise.all(this.sockets.map((socket) => socket.taken()));
  }

  protected tellSubscribed(): void {
    for (const waiting of this.#waiting.splice(0)) waiting();
  }

  #tellGone(): void {
    for (const gone of this.#gone.splice(0)) gone();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, this.url);
    const call = `${url.pathname}${url.search}`;
    this.calls.push(call);
    this.refused.delete(call);
    const answer: Answer = (status, body, headers = {}) => {
      const date = new Date(this.now()).toUTCString();
      response.writeHead(status, { 'content-type': 'application/json', date, ...headers });
      response.end(withLargeIds(body));
    };
    const fault = this.faults.shift();
    if (fault === undefined) {
      this.answer(request, url, answer);
      return;
    }
    this.refused.add(call);
    answer(fault.status, { message: fault.message ?? 'fault' }, fault.headers);
  }

  /** The bars of the minute that ends at an instant, as their messages. */
  abstract barsOf(at: number): object[];
  /** The trades and quotes from one instant to before another, as their messages in the order of time. */
  abstract ticksOf(from: number, to: number): object[];
  /** Sends each stream those of the messages that it has subscribed to. */
  abstract push(messages: readonly object[]): void;

  /** A stream that has been accepted. */
  protected abstract accepted(request: IncomingMessage, socket: ServerSocket): Stream;
  protected abstract opened(stream: Stream, request: IncomingMessage): void;
  protected abstract heard(stream: Stream, bytes: Buffer): void;
  protected abstract answer(request: IncomingMessage, url: URL, answer: Answer): void;
}

export type AnyDouble = Double<{ readonly socket: ServerSocket }>;

/** JSON in which ids of trades beyond 2^53 are numbers. */
export const withLargeIds = (value: unknown): string =>
  JSON.stringify(value).replace(/"(i|oi|ci)":"(\d{16,})"/g, '"$1":$2');
