import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../operations/answer-cache.ts';

export const CONTENT_TYPE = 'application/json; charset=utf-8';
/** Keep it, but ask each time whether it is still the answer. */
export const CACHE_CONTROL = 'no-cache';
/** What is seen depends on who asks. */
export const VARY = 'authorization';

/** Sends a ready answer, or word that the caller has it already. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.header('etag', answer.etag);
  reply.header('cache-control', CACHE_CONTROL);
  reply.header('vary', VARY);
  if (request.headers['if-none-match'] === answer.etag) return reply.code(304).send();
  reply.header('content-type', CONTENT_TYPE);
  return reply.send(answer.body);
}
