import { stdout } from 'node:process';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { anonymousCaller } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { answerErrors } from '../http/errors.ts';
import { LIVE_PROBE, READY_PROBE } from '../http/hardening.ts';
import { getFeeds } from '../status/get-feeds.ts';
import { FEEDS_URL } from '../status/routes.ts';
import { redacted } from './log-lines.ts';
import { watchProcess } from './metrics.ts';

const ANONYMOUS_DELAY_MS = 15 * MINUTE_MS;

/** Why the service is not ready; null when it is. */
export type Unreadiness = () => Promise<ErrorCode | null>;

/** @param isClosing whether the server finishes its last answers */
export function addProbes(app: FastifyInstance, unreadiness: Unreadiness, isClosing: () => boolean): void {
  app.get(LIVE_PROBE, { schema: { hide: true } }, () => ({ status: 'live' }));
  app.get(READY_PROBE, { schema: { hide: true } }, async () => {
    if (isClosing()) throw new CodedError('shutting_down');
    const reason = await unreadiness();
    if (reason !== null) throw new CodedError(reason);
    return { status: 'ready' };
  });
}

/** The server of a process that answers no callers: probes and metrics. */
export function createProbeServer(
  context: AppContext,
  { logLevel, unreadiness }: { readonly logLevel: string; readonly unreadiness: Unreadiness },
): FastifyInstance {
  const app = Fastify({
    logger: { level: logLevel, stream: redacted(stdout) },
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
  });
  answerErrors(app);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  addProbes(app, unreadiness, () => isClosing);
  const { show } = watchProcess(context);
  // Nobody says who asks.
  app.get(FEEDS_URL, () => getFeeds(context, anonymousCaller(ANONYMOUS_DELAY_MS)));
  app.get('/metrics', async (_, reply) => {
    const { type, text } = await show();
    return reply.type(type).send(text);
  });
  return app;
}
