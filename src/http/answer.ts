import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../operations/answer-cache.ts';

/** Sends a ready answer, or word that the caller has it already. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.header('etag', answer.etag);
  reply.header('cache-control', 'no-cache');
  if (request.headers['if-none-match'] === answer.etag) return reply.code(304).send();
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(answer.body);
}
