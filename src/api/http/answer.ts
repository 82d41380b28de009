import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { type Answer, type Coding, sealAnswer } from '../context/answer-cache.ts';
import { COMPRESSED_BYTES_MIN, codingOf } from './compression.ts';
import type { RouteEntry } from './route-entry.ts';

export const CONTENT_TYPE = 'application/json; charset=utf-8';
/** Clients may store the answer but revalidate it each time. */
export const CACHE_CONTROL = 'no-cache';
export const VARY = 'authorization, accept-encoding';

/** Sends an answer, as soon as it is made, or 304 if the caller has it; one that is not final without a tag. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Promise<Answer>,
  form: { readonly contentType?: string; readonly vary?: string } = {},
): FastifyReply | Promise<FastifyReply> {
  if (answer instanceof Promise) return answer.then((made) => sendAnswer(request, reply, made, form));
  if (answer.isFinal === false) return sendUncached(reply, answer.body);
  const { contentType = CONTENT_TYPE, vary = VARY } = form;
  reply.header('etag', tagOf(answer, codingFor(request.headers, answer)));
  reply.header('cache-control', CACHE_CONTROL);
  reply.header('vary', vary);
  if (isKnown(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
  reply.header('content-type', contentType);
  return reply.send(answer.body);
}

export const sendJson = (request: FastifyRequest, reply: FastifyReply, value: unknown) =>
  sendAnswer(request, reply, sealAnswer(JSON.stringify(value)));

/** Sends JSON that no cache may store. */
export const sendUncached = (reply: FastifyReply, text: string | Buffer): FastifyReply =>
  reply
    .header('content-type', CONTENT_TYPE)
    .header('cache-control', 'no-store')
    .header('vary', VARY)
    .send(text);

/** How to compress an answer for a caller; null for not at all. */
export const codingFor = (headers: IncomingHttpHeaders, { body }: Answer): Coding | null =>
  body.length < COMPRESSED_BYTES_MIN ? null : codingOf(headers['accept-encoding']);

/** A compressed answer is equivalent but not the same bytes, so its tag is weak (RFC 9110, section 8.8.1). */
export const tagOf = ({ etag, isWeak = false }: Answer, coding: Coding | null): string =>
  coding === null && !isWeak ? etag : `W/${etag}`;

/**
 * Whether an `If-None-Match` names the answer: compared weakly, in a list or by `*` (RFC 9110, section 13.1.2).
 *
 * @param etag a strong one
 */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  for (const [, opaque] of header.matchAll(/(?:^|[,\s])(?:W\/)?("[^"]*")(?=[,\s]|$)/g)) {
    if (opaque === etag) return true;
  }
  return false;
}

export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';

const ANY_JSON = /(?:^|[,\s])(?:\*\/\*|application\/(?:\*|json))/i;

/** Whether a caller wants another media type rather than JSON. */
export const prefers = (accept: string | undefined, type: string): boolean =>
  accept?.toLowerCase().includes(type) ?? false;

/**
 * Refuses callers that ask for Arrow alone where it is not served. Other types get JSON all the same, as RFC 9110,
 * section 12.4.1, allows: browsers and tools ask for all sorts of them.
 */
export function refuseOtherTypes({ alsoServed }: RouteEntry): onRequestHookHandler[] {
  if (alsoServed === ARROW_STREAM) return [];
  return [
    ({ headers: { accept } }, _reply, done) => {
      if (!prefers(accept, ARROW_STREAM) || ANY_JSON.test(accept!)) done();
      else done(new CodedError('not_acceptable', `This is served as JSON only, not as ${ARROW_STREAM}`));
    },
  ];
}
