import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Answer } from '../stocks/answer-cache.ts';
import { peekStock } from '../stocks/get-stock.ts';
import type { StockRequest } from '../stocks/load-stock.ts';
import type { AppContext } from '../app-context.ts';
import { CACHE_CONTROL, CONTENT_TYPE, codingFor, isKnown, tagOf, VARY } from './answer.ts';
import type { Observe } from './metrics.ts';
import { callerOf } from './viewer.ts';

/** Addresses that are remembered; a caller who varies them without end must not fill the memory. */
const ADDRESSES_MAX = 20_000;

/** Notes how an address was understood, once, so that asking it again needs no parsing and no checking. */
export interface HotAnswers {
  /** Remembers that the address, as it was written, means this request. */
  remember(address: string, request: StockRequest): void;
  /** Sends the ready answer to an address that was understood before, past everything that it need not pass again. */
  readonly onRequest: onRequestHookHandler;
}

/**
 * The short way for hot answers: the same bytes and headers as the long way, for a GET of an address that passed it
 * before. It stands behind the door, which decides each time anew who asks and counts the call; an answer is found by
 * what was asked and by the feed of the one who asks.
 *
 * @param observe counts the answer among the metrics
 */
export function hotAnswers(context: AppContext, observe: Observe): HotAnswers {
  const understood = new Map<string, StockRequest>();
  return {
    remember(address, request) {
      if (understood.size >= ADDRESSES_MAX) understood.clear();
      understood.set(address, request);
    },
    onRequest(request, reply, done) {
      const asked = request.method === 'GET' ? understood.get(request.url) : undefined;
      const answer = asked === undefined ? null : peekStock(context, asked, callerOf(request));
      // Without its compressed copy the long way is taken, which makes one and keeps it for the next caller.
      if (answer === null || !sendReady(context, request, reply, answer, observe)) done();
    },
  };
}

/** @returns false where the answer has not been compressed as the caller reads it */
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
