import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { AppContext } from '../app-context.ts';
import type { Answer } from '../stocks/answer-cache.ts';
import { peekStock } from '../stocks/get-stock.ts';
import type { StockRequest } from '../stocks/load-stock.ts';
import { CACHE_CONTROL, CONTENT_TYPE, codingFor, isKnown, tagOf, VARY } from './answer.ts';
import { callerOf } from './authentication.ts';
import type { Observe } from './metrics.ts';

/** Bounds the memory that a caller with ever new addresses can fill. */
const ADDRESSES_MAX = 20_000;

export interface HotAnswers {
  /** Remembers the request that an address, as written, means. */
  remember(address: string, request: StockRequest): void;
  /** Sends the cached answer to a remembered address without parsing or validating it again. */
  readonly onRequest: onRequestHookHandler;
}

/**
 * The fast path for cached stock answers: the same bytes and headers as the slow path. It runs after authentication,
 * and looks the answer up by request and feed of the caller.
 *
 * @param observe counts the answer among the metrics
 */
export function hotAnswers(context: AppContext, observe: Observe): HotAnswers {
  const requests = new Map<string, StockRequest>();
  return {
    remember(address, request) {
      if (requests.size >= ADDRESSES_MAX) requests.clear();
      requests.set(address, request);
    },
    onRequest(request, reply, done) {
      const stock = request.method === 'GET' ? requests.get(request.url) : undefined;
      const answer = stock === undefined ? null : peekStock(context, stock, callerOf(request));
      // Without a compressed copy the slow path makes one and keeps it for the next caller.
      if (answer === null || !sendReady(context, request, reply, answer, observe)) done();
    },
  };
}

/** @returns false if the cache has no copy in the caller's encoding */
function sendReady(
  { answers }: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  observe: Observe,
): boolean {
  const coding = codingFor(request, answer);
  const body = coding === null ? answer.body : answers.copyOf(answer.body, coding);
  if (body === undefined) return false;
  reply.hijack();
  const { raw } = reply;
  const fixed = reply.server.fixedHeaders(request);
  const head = ['etag', tagOf(answer, coding), 'cache-control', CACHE_CONTROL, 'vary', VARY];
  if (isKnown(request.headers['if-none-match'], answer.etag)) {
    raw.writeHead(304, [...head, ...fixed]);
    raw.end();
    observe(request, reply, 304);
    return true;
  }
  if (coding !== null) head.push('content-encoding', coding);
  head.push('content-type', CONTENT_TYPE, 'content-length', String(body.length), ...fixed);
  raw.writeHead(200, head);
  raw.end(body);
  observe(request, reply, 200);
  return true;
}
