import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { realTimers, stopwatch } from '../../base/timers.ts';
import type { Tracing } from '../../base/tracing.ts';
import { type Caller, viewKey } from '../access/viewer.ts';
import type { StockRequest } from '../answers/load-stock.ts';
import type { Answer, Coding } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';
import {
  ARROW_STREAM,
  CACHE_CONTROL,
  CONTENT_TYPE,
  codingFor,
  isKnown,
  prefers,
  tagOf,
  VARY,
} from '../http/answer.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Hardening } from '../http/hardening.ts';
import type { HostFault } from '../http/host-names.ts';
import { stockKey } from '../stocks/get-stock.ts';
import { STOCK_ROUTE } from '../stocks/routes.ts';
import type { HeaderLines } from './fixed-headers.ts';
import type { RequestTimes } from './metrics.ts';
import { SEQUENCE_HEADER } from './sequence.ts';

/** Bounds the memory that a caller with ever new addresses can fill. */
const ADDRESSES_MAX = 20_000;

const NO_BODY = Buffer.alloc(0);

export interface Guards {
  readonly hardening: Hardening;
  readonly hostFault: HostFault;
  readonly authentication: Authentication;
}

/** What an address means, and the cache keys of its answers by viewer. */
interface Address {
  readonly request: StockRequest;
  readonly keys: Map<string, string>;
}

/** The body and headers of a cached answer, as they are sent. */
interface Ready {
  readonly coding: Coding | null;
  readonly fixed: HeaderLines;
  readonly body: Buffer;
  /** Of an answer, and of a 304. */
  readonly head: HeaderLines;
  readonly knownHead: HeaderLines;
}

/**
 * Sends cached stock answers before the framework sees the request: the same bytes and headers as the long way, behind
 * the same guards. A request that is not plainly one of them, or that a guard refuses, goes the long way.
 */
export class HotAnswers {
  readonly #context: AppContext;
  readonly #addresses = new Map<string, Address>();
  readonly #ready = new WeakMap<Answer, Ready>();
  readonly #repeated = new RepeatedAnswers();

  constructor(context: AppContext) {
    this.#context = context;
  }

  /** Remembers the request that an address, as written, means. */
  remember(address: string, request: StockRequest): void {
    if (this.#addresses.has(address)) return;
    if (this.#addresses.size >= ADDRESSES_MAX) this.#addresses.clear();
    this.#addresses.set(address, { request, keys: new Map() });
  }

  /**
   * Puts itself before the framework.
   *
   * @param times counts and times the answers
   */
  intercept(app: FastifyInstance, guards: Guards, times: RequestTimes, tracing: Tracing): void {
    const sent = times.of(STOCK_ROUTE.url, 200);
    const unchanged = times.of(STOCK_ROUTE.url, 304);
    const [framework, ...others] = app.server.listeners('request') as ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => void)[];
    if (framework === undefined || others.length > 0) throw new Error('the framework has no one listener');
    app.server.off('request', framework);
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const began = stopwatch();
      const status = this.#answer(request, response, guards, app);
      if (status === null) framework.call(app.server, request, response);
      else {
        (status === 200 ? sent : unchanged).observe((stopwatch() - began) / 1000);
        if (tracing.isOn) traceHot(tracing, request, began, status);
      }
    });
  }

  /** @returns the status, or null if the request has to go the long way */
  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    { hardening, hostFault, authentication }: Guards,
    app: FastifyInstance,
  ): number | null {
    const address = request.method === 'GET' ? this.#addresses.get(request.url!) : undefined;
    if (address === undefined || hardening.isClosing()) return null;
    const { headers } = request;
    if (headers[SEQUENCE_HEADER] !== undefined || prefers(headers.accept, ARROW_STREAM)) return null;
    if (hostFault(request, false) !== undefined) return null;
    const caller = authentication.peek(headers.authorization);
    const answer = caller === null ? null : this.#find(address, caller);
    if (answer === null) return null;
    const ready = this.#readyFor(answer, codingFor(headers, answer), app.fixedHeaders(headers));
    if (ready === null || hardening.callWaitMs(request.socket.remoteAddress) > 0) return null;
    const { symbol } = address.request;
    if (!authentication.takes(caller!, STOCK_ROUTE.scope, symbol)) return null;
    const status = isKnown(headers['if-none-match'], answer.etag) ? 304 : 200;
    if (status === 304) this.#repeated.send(response, status, ready.knownHead, NO_BODY);
    else this.#repeated.send(response, status, ready.head, ready.body);
    authentication.note(caller!.holder, STOCK_ROUTE.operationId, symbol, status);
    return status;
  }

  #find({ request, keys }: Address, caller: Caller): Answer | null {
    const view = viewKey(caller);
    let key = keys.get(view);
    if (key === undefined) {
      key = stockKey(request, caller);
      keys.set(view, key);
    }
    const { answers, clock } = this.#context;
    return answers.get(key, clock.now());
  }

  /** Null without a compressed copy: the long way makes one and keeps it for the next caller. */
  #readyFor(answer: Answer, coding: Coding | null, fixed: HeaderLines): Ready | null {
    const kept = this.#ready.get(answer);
    if (kept !== undefined && kept.coding === coding && kept.fixed === fixed) return kept;
    const body = coding === null ? answer.body : this.#context.answers.copyOf(answer.body, coding);
    if (body === undefined) return null;
    const shared = ['etag', tagOf(answer, coding), 'cache-control', CACHE_CONTROL, 'vary', VARY];
    const encoding = coding === null ? [] : ['content-encoding', coding];
    const content = ['content-type', CONTENT_TYPE, 'content-length', String(body.length)];
    const ready: Ready = {
      coding,
      fixed,
      body,
      head: [...shared, ...encoding, ...content, ...fixed],
      knownHead: [...shared, ...fixed],
    };
    this.#ready.set(answer, ready);
    return ready;
  }
}

/** The span of an answer that was sent before the framework saw its request. */
function traceHot(tracing: Tracing, { headers }: IncomingMessage, startedAt: number, status: number): void {
  const { method, url } = STOCK_ROUTE;
  const attributes = { 'http.request.method': method, 'http.route': url };
  tracing
    .begin({ name: `${method} ${url}`, kind: 'server', attributes, headers, startedAt })
    .end({ 'http.response.status_code': status, 'tigraph.cached': true });
}

/** Of the copies of a second. */
const BYTES_MAX = 8_388_608;

/**
 * Sends an answer that many callers get within the same second. Node renders and checks the head for each of them and
 * writes head and body as two parts, together a third of what a hot answer takes. All bytes stay the same until the
 * header `Date` changes, so from the third on it is one write of one buffer.
 */
class RepeatedAnswers {
  /** What was sent this second by head: head and body, or null of what was sent once and is worth no copy yet. */
  readonly #sent = new Map<HeaderLines, Buffer | null>();
  #second = 0;
  #bytes = 0;

  /** @param head of this status and body only, and the same array each time */
  send(response: ServerResponse, status: 200 | 304, head: HeaderLines, body: Buffer): void {
    const isKeptAlive = response.shouldKeepAlive;
    const kept = isKeptAlive ? this.#ofThisSecond(head) : undefined;
    if (kept instanceof Buffer) {
      resend(response, status, kept);
      return;
    }
    response.writeHead(status, head as string[]);
    if (isKeptAlive) this.#sent.set(head, kept === null ? this.#copyOf(response as Internals, body) : null);
    response.end(body);
  }

  #ofThisSecond(head: HeaderLines): Buffer | null | undefined {
    const second = Math.floor(realTimers.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#bytes = 0;
      this.#sent.clear();
    }
    return this.#sent.get(head);
  }

  #copyOf({ _header: head }: Internals, body: Buffer): Buffer | null {
    this.#bytes += head!.length + body.length;
    return this.#bytes > BYTES_MAX ? null : Buffer.concat([Buffer.from(head!, 'latin1'), body]);
  }
}

/** Fields of node's own, which is of one version here; a test compares what is sent with them to what is sent without. */
interface Internals extends ServerResponse {
  _header: string | null;
  _headerSent: boolean;
}

/** @param whole head and body */
function resend(response: ServerResponse, status: number, whole: Buffer): void {
  response.statusCode = status;
  (response as Internals)._header = 'part of the buffer';
  (response as Internals)._headerSent = true;
  response.end(whole);
}
