import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import type { AppContext } from '../context/app-context.ts';
import type { RouteEntry } from '../http/route-entry.ts';

/**
 * Read your writes, across replicas. A write answers with the number of the newest announcement; a request that carries
 * it is answered once this process has acted on all up to it.
 */
export const SEQUENCE_HEADER = 'tigraph-sequence';

const SEQUENCE = /^\d{1,15}$/;

/** Whether a route changes what others read. */
export const writes = ({ method, onlyReads }: RouteEntry): boolean => method !== 'GET' && onlyReads !== true;

/** A hook that lets a request wait for a write that another process has answered. */
export const awaitSequence =
  (context: Pick<AppContext, 'database' | 'queryTimeoutMs'>): onRequestHookHandler =>
  ({ headers }, _reply, done) => {
    const sequence = headers[SEQUENCE_HEADER];
    if (sequence === undefined) return done();
    hearSequence(context, sequence).then(() => done(), done);
  };

async function hearSequence(
  { database, queryTimeoutMs }: Pick<AppContext, 'database' | 'queryTimeoutMs'>,
  sequence: string | readonly string[],
): Promise<void> {
  const isNumber = typeof sequence === 'string' && SEQUENCE.test(sequence);
  if (!isNumber || Number(sequence) > (await database.announced()))
    throw new CodedError('malformed_request', `No write has answered this ${SEQUENCE_HEADER}.`);
  const limit = AbortSignal.timeout(queryTimeoutMs);
  await database.heard(Number(sequence), limit).catch((error) => {
    throw limit.aborted ? new CodedError('query_timeout') : error;
  });
}

/** A hook that adds the number to the answer of a write. */
export const answerSequence =
  ({ database }: Pick<AppContext, 'database'>) =>
  async (_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (reply.statusCode < 300) reply.header(SEQUENCE_HEADER, String(await database.announced()));
    return payload;
  };
