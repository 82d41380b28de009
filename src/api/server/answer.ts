import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Coding } from '../stocks/answer-cache.ts';
import { COMPRESSED_BYTES_MIN, codingOf } from './compression.ts';

export const CONTENT_TYPE = 'application/json; charset=utf-8';
/** Keep it, but ask each time whether it is still the answer. */
export const CACHE_CONTROL = 'no-cache';
/** What is seen depends on who asks, and its form on what they can read. */
export const VARY = 'authorization, accept-encoding';

/** Sends a ready answer, or word that the caller has it already. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.header('etag', tagOf(answer, codingFor(request, answer)));
  reply.header('cache-control', CACHE_CONTROL);
  reply.header('vary', VARY);
  if (isKnown(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
  reply.header('content-type', CONTENT_TYPE);
  return reply.send(answer.body);
}

/** How the answer is compressed for a caller; null where it goes out as it is. */
export const codingFor = ({ headers }: FastifyRequest, { body }: Answer): Coding | null =>
  body.length < COMPRESSED_BYTES_MIN ? null : codingOf(headers['accept-encoding']);

/** A compressed answer is the same answer, but not the same bytes (RFC 9110, section 8.8.1). */
export const tagOf = ({ etag }: Answer, coding: Coding | null): string =>
  coding === null ? etag : `W/${etag}`;

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
