import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { getRun } from '../backtest/get-run.ts';
import type { RunWatch } from '../backtest/index.ts';
import type { AppContext } from '../app-context.ts';
import type { RunPath } from '../backtest/schema.ts';
import type { Observe } from './metrics.ts';
import { begin, headersOf, type Streams } from './send-stream.ts';
import { callerOf } from './viewer.ts';

/** Server-sent events of an optimisation run. */
export interface RunEvents {
  serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** @param note counts a stream that has begun among the answers, and writes it into the audit trail */
export function serveRunEvents(
  app: FastifyInstance,
  context: AppContext,
  watch: RunWatch,
  streams: Streams,
  note: Observe,
): RunEvents {
  // Before the server waits for answers under way to end, of which streams would be the last.
  app.addHook('preClose', async () => watch.close());
  return {
    async serve(request, reply) {
      const { id } = request.params as Static<typeof RunPath>;
      if (request.method === 'HEAD') {
        await getRun(context, id, callerOf(request));
        return reply.headers(headersOf(request)).send();
      }
      const stream = await watch.open(id, callerOf(request), () => begin(request, reply, note));
      if (stream !== null) streams.guard(request, reply, stream);
      return reply;
    },
  };
}
