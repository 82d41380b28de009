import { join } from 'node:path';
import { stdout } from 'node:process';
import type { Duplex } from 'node:stream';

import Fastify, {
  type FastifyInstance,
  type HTTPMethods,
  LogController,
  type onRequestHookHandler,
} from 'fastify';
import { RunQueue, type RunQueueLimits } from '../../backtests/run-queue.ts';
import { forCaller } from '../../base/caller.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { isLate, late } from '../../base/lateness.ts';
import { onReplica } from '../../database/database.ts';
import { tellWhatIsHeard } from '../../database/serving-processes.ts';
import type { AccessScope } from '../access/scopes.ts';
import { watchRuns } from '../backtest/watch-run.ts';
import type { AppContext } from '../context/app-context.ts';
import { openDemo } from '../demo/demo.ts';
import { refuseOtherTypes } from '../http/answer.ts';
import { authenticate, type ViewerPolicy } from '../http/authentication.ts';
import { compressAnswers } from '../http/compression.ts';
import {
  answerErrors,
  codeOfParser,
  ErrorBody,
  HttpValidationError,
  rawRefusal,
  sendError,
} from '../http/errors.ts';
import { type HttpLimits, harden, socketOptions } from '../http/hardening.ts';
import { guardHosts } from '../http/host-names.ts';
import { joinRepeatedKeys } from '../http/repeated-keys.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { type Observe, serveStreams } from '../http/send-stream.ts';
import { type ImportFiles, Imports } from '../imports/imports.ts';
import { type BuildRecords, openRecordBuild } from '../records/build-records.ts';
import { type StreamLimits, watchStocks } from '../stream/watch-stocks.ts';
import { compilersFactory } from './compile-schemas.ts';
import { answerNothing, serveExplorer } from './explorer.ts';
import { allowedOriginsOf, fixHeaders, GUARD_LINES, GUARDS } from './fixed-headers.ts';
import { HotAnswers } from './hot-answers.ts';
import { serveLlms } from './llms.ts';
import { redacted } from './log-lines.ts';
import { serveMcp } from './mcp.ts';
import { watch, watchStreams } from './metrics.ts';
import { homeOn, serveOAuth } from './oauth.ts';
import { describeRoutes, serveDescription } from './openapi.ts';
import { addProbes, type Unreadiness } from './probes.ts';
import { routes } from './routes.ts';
import { answerSequence, awaitSequence, writes } from './sequence.ts';
import { traceRequests } from './trace-requests.ts';

export interface ServerOptions {
  readonly version: string;
  readonly logLevel: string;
  readonly limits: HttpLimits;
  readonly viewers: ViewerPolicy;
  /** Address by which callers know the service; without one that of each request. */
  readonly publicUrl?: string | undefined;
  readonly streams?: Partial<StreamLimits>;
  /** Null where other processes execute backtests. */
  readonly backtests?: Partial<RunQueueLimits> | null;
  readonly unreadiness: Unreadiness;
  /** Folder for files on their way, which other processes may use too. */
  readonly uploads: string;
  /** File of the operator's calendar. */
  readonly calendarPath?: string | null;
  readonly importFiles: ImportFiles;
  readonly buildRecords: BuildRecords;
}

/** Longer than any parameter that a route accepts, so that the schema refuses and not the router. */
const PARAM_LENGTH_MAX = 8_192;
/** Time for the caller to read a refusal before the connection is destroyed. */
const FLUSH_TIMEOUT_MS = 1_000;

/** The HTTP server, not yet listening. */
export async function createServer(context: AppContext, options: ServerOptions): Promise<FastifyInstance> {
  // Request identifiers stay unique across restarts.
  const process = context.scope.timers.now().toString(36);
  const scope = context.scope.child('server');
  let requests = 0;
  const nextId = (): string => `${process}-${(requests++).toString(36)}`;
  const app = Fastify({
    ...socketOptions(options.limits),
    logger: { level: options.logLevel, stream: redacted(stdout) },
    // Metrics count and time every request; the log has errors only.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: nextId,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    schemaController: { compilersFactory },
    // Hooks do not run for a request without a route.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply.headers(GUARDS)),
    clientErrorHandler: (error, socket) => refuseRaw(socket, codeOfParser(error.code), GUARD_LINES),
  });
  function refuseRaw(socket: Duplex, code: ErrorCode, fixedLines: string): void {
    if (!socket.writable) return;
    const id = nextId();
    app.log.debug({ request_id: id, code }, 'refused before it was a request');
    socket.on('error', () => {});
    socket.end(rawRefusal(code, id, fixedLines));
    // A caller that does not close its side would keep the connection.
    scope.timers.after(FLUSH_TIMEOUT_MS, () => socket.destroy(), false);
  }
  // The first hook is the last to run.
  app.addHook('onClose', () => scope.close());
  // Without this node closes the connection of a CONNECT without an answer.
  app.server.on('connect', (_request, socket) =>
    refuseRaw(socket, 'method_not_allowed', `${GUARD_LINES}allow: GET, HEAD, POST, PUT, DELETE\r\n`),
  );
  // Bodies are JSON only.
  app.removeContentTypeParser('text/plain');
  answerErrors(app, answerNothing);
  traceRequests(app, context.tracing);
  const hardening = harden(app, options.limits, scope, () => context.database.expectedWaitMs());
  const hostFault = guardHosts(app, options.limits.host, options.limits.allowedHosts);
  const allowedOrigins = allowedOriginsOf(options.limits.allowedOrigins);
  fixHeaders(app, allowedOrigins);
  compressAnswers(app, context.answers);
  const { metrics, times, observe, show } = watch(app, context, options.viewers.access, hardening);
  const authentication = authenticate(app, options.viewers);
  app.addHook('onSend', (request, reply, _payload, done) => {
    authentication.noteCall(request, reply.statusCode);
    done();
  });
  await describeRoutes(app, options.version);
  const addRefusals = refuseOtherMethods(app);
  const observeStream: Observe = (request, reply, status) => {
    observe(request, reply, status);
    authentication.noteCall(request, status);
  };
  const onRunError = (what: string, error: unknown): void => app.log.error({ err: error }, what);
  const [stocks, runs] = await Promise.all([
    watchStocks(context, options.streams, (symbol, error) =>
      app.log.error({ err: error }, `refreshing ${symbol} for its streams`),
    ),
    watchRuns(context, {}, (error) => onRunError('watching backtest runs', error)),
    tellWhatIsHeard(scope, context.database),
  ]);
  watchStreams(metrics, stocks);
  // Before the server waits for open answers, among which streams would be the last.
  app.addHook('preClose', async () => {
    await Promise.all([stocks.close(), runs.close()]);
  });
  if (options.backtests !== null) {
    const queue = await RunQueue.open(context, options.backtests, onRunError);
    app.addHook('onClose', () => queue.close());
  }
  const { access } = options.viewers;
  const hot = new HotAnswers(context);
  hot.intercept(app, { hardening, hostFault, authentication }, times, context.tracing);
  const streams = serveStreams(scope, access, observeStream);
  const imports = new Imports(
    context,
    options.importFiles,
    scope,
    join(options.uploads, process),
    options.calendarPath ?? null,
  );
  app.addHook('preClose', () => imports.close());
  const demo = openDemo(context, scope, (err) => app.log.error({ err }, 'leaving the simulated market'));
  const build = openRecordBuild(options.buildRecords, scope, (err) =>
    app.log.error({ err }, 'counting records'),
  );
  const entries = routes(context, access, hot, streams, stocks, runs, imports, demo, build);
  for (const entry of entries) {
    const read = context.database.replica === null ? endingWithCaller : readingOnReplica;
    const served = writes(entry) ? entry : read(entry);
    const { authRequired } = options.viewers;
    const hooks = [authentication.at(entry), hardening.refuseUnderLoad, awaitSequence(context)];
    addRoute(app, context, isLate ? handledLate(served) : served, hooks, authRequired);
  }
  const homeOf = homeOn(options.publicUrl);
  serveMcp(app, { version: options.version, viewers: options.viewers, allowedOrigins, homeOf });
  serveOAuth(app, access, homeOf);
  await serveLlms(app, context, { entries, homeOf, delayMs: options.viewers.delayMs });
  await serveExplorer(app);
  addProbes(app, options.unreadiness, hardening.isClosing);
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
    const { type, text } = await show();
    return reply.type(type).send(text);
  });
  serveDescription(app, context, entries, options.viewers.delayMs, homeOf);
  addRefusals();
  return app;
}

/** A request waits before it is handled, where a test asks for it. */
const handledLate = (entry: RouteEntry): RouteEntry => ({
  ...entry,
  async handler(request, reply) {
    await late(`request ${entry.method} ${request.url.split('?')[0]}`);
    return entry.handler(request, reply);
  },
});

/** Its authentication still reads on the primary, where a revocation is seen at once. */
const readingOnReplica = (entry: RouteEntry): RouteEntry =>
  endingWithCaller({
    ...entry,
    handler: (request, reply) => onReplica(() => entry.handler(request, reply)),
  });

/** What is read for a caller who has disconnected is read for nobody; what is written is written all the same. */
const endingWithCaller = (entry: RouteEntry): RouteEntry => ({
  ...entry,
  handler(request, reply) {
    const { raw } = reply;
    const left = new AbortController();
    const leave = (): void => {
      if (!raw.writableFinished) left.abort();
    };
    if (raw.destroyed) leave();
    else raw.once('close', leave);
    return forCaller(left.signal, () => entry.handler(request, reply));
  },
});

const PARTS = ['params', 'querystring', 'headers', 'body'] as const;

function addRoute(
  app: FastifyInstance,
  context: AppContext,
  entry: RouteEntry,
  hooks: readonly onRequestHookHandler[],
  authRequired: boolean,
): void {
  // Fastify warns about parts that are undefined.
  const parts = PARTS.filter((part) => entry[part] !== undefined);
  const response: Record<number, unknown> = { 200: answerOf(entry), 422: HttpValidationError };
  for (const status of [...entry.refusals, ...refusalsOf(entry)]) response[status] = ErrorBody;
  app.route({
    method: entry.method,
    url: entry.url,
    schema: {
      operationId: entry.operationId,
      tags: [entry.tag],
      summary: entry.summary,
      description: entry.description,
      ...Object.fromEntries(parts.map((part) => [part, entry[part]])),
      security: securityOf(entry.scope, authRequired),
      response,
    },
    bodyLimit: Math.min(entry.bodyLimitBytes ?? Number.POSITIVE_INFINITY, app.initialConfig.bodyLimit!),
    onRequest: [...refuseOtherTypes(entry), ...hooks],
    ...(writes(entry) && { onSend: answerSequence(context) }),
    preValidation: [...joinRepeatedKeys(entry), ...(entry.preValidation ? [entry.preValidation] : [])],
    handler: entry.handler,
  });
}

/** Statuses that follow from the parts of a request: a type, a body, a name in the path, header lines. */
const refusalsOf = ({ method, params, alsoServed }: RouteEntry): number[] => [
  ...(alsoServed === undefined ? [406] : []),
  ...(method === 'GET' ? [] : [413, 415]),
  ...(params === undefined ? [] : [400, 414]),
  431,
];

/** An answer is JSON, or of its own media type, or both in JSON and in another one. */
function answerOf({ answer, answerType, alsoServed }: RouteEntry): unknown {
  const { description } = answer as { readonly description?: string };
  if (answerType !== undefined) return { description, content: { [answerType]: { schema: answer } } };
  if (alsoServed === undefined) return answer;
  return { description, content: { 'application/json': { schema: answer }, [alsoServed]: { schema: {} } } };
}

/** Security requirement of OpenAPI: no token, an optional or a required one. */
function securityOf(scope: AccessScope | null, authRequired: boolean): Record<string, string[]>[] {
  if (scope === null) return [];
  const withToken = { bearer: [scope] };
  return authRequired ? [withToken] : [{}, withToken];
}

/** Collects the methods of every address, and returns a function that answers 405 with `Allow` for the others. */
function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.getOrInsertComputed(url, () => new Set());
    for (const one of [method].flat()) methods.add(one);
  });
  return () => {
    for (const [url, methods] of [...known]) {
      const others = app.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[];
      const allow = [...methods].join(', ');
      if (others.length === 0) continue;
      app.route({
        method: others,
        url,
        schema: { hide: true },
        // Before the body is read.
        onRequest(_request, reply, done) {
          reply.header('allow', allow);
          done(new CodedError('method_not_allowed', `This address answers ${allow}`));
        },
        handler: () => null,
      });
    }
  };
}
