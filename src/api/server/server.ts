import { stdout } from 'node:process';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance, type HTTPMethods, LogController } from 'fastify';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import type { Scope } from '../access/scopes.ts';
import { openRunQueue, type RunQueueLimits, watchRuns } from '../backtest/index.ts';
import { type StreamLimits, watchStocks } from '../stream/watch-stocks.ts';
import type { AppContext } from '../app-context.ts';
import { compressAnswers } from './compression.ts';
import {
  answerErrors,
  codeOfParser,
  ErrorBody,
  HttpValidationError,
  rawRefusal,
  sendError,
} from './errors.ts';
import { allowedOriginsOf, fixHeaders, GUARD_LINES, GUARDS } from './fixed-headers.ts';
import { type Hardening, type HttpLimits, harden, socketOptions } from './hardening.ts';
import { guardHosts } from './host-names.ts';
import { hotAnswers } from './hot-answers.ts';
import { KEYWORDS } from './keywords.ts';
import { redacted } from './log-lines.ts';
import { type Observe, watch } from './metrics.ts';
import { describeRoutes, serveDescription } from './openapi.ts';
import { LIVE_PROBE, READY_PROBE } from './probes.ts';
import type { RouteEntry } from './route-entry.ts';
import { routes } from './routes.ts';
import { serveRunEvents } from './run-events.ts';
import { serveStreams } from './send-stream.ts';
import { type Authentication, authenticate, type ViewerPolicy } from './viewer.ts';

export interface ServerOptions {
  readonly version: string;
  readonly logLevel: string;
  readonly limits: HttpLimits;
  readonly viewers: ViewerPolicy;
  readonly streams?: Partial<StreamLimits>;
  readonly backtests?: Partial<RunQueueLimits>;
  /** True once the service can answer; probes ask it. */
  readonly unreadiness: () => Promise<ErrorCode | null>;
}

/** Beyond any parameter that a route accepts, so that its schema and not the router is what refuses. */
const PARAM_LENGTH_MAX = 8_192;
/** What a caller is told who sent something broken is still read before the connection goes. */
const FLUSH_TIMEOUT_MS = 1_000;

/** The HTTP face of the service, not yet listening. */
export async function createServer(context: AppContext, options: ServerOptions): Promise<FastifyInstance> {
  // Identifiers stay apart over restarts, so that a log names each request once.
  const process = Date.now().toString(36);
  let requests = 0;
  const nextId = (): string => `${process}-${(requests++).toString(36)}`;
  const app = Fastify({
    ...socketOptions(options.limits),
    logger: { level: options.logLevel, stream: redacted(stdout) },
    // Every request is counted and timed by the metrics; the log tells of what went wrong, with its identifier.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: nextId,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    ajv: {
      customOptions: {
        allErrors: true,
        removeAdditional: false,
        coerceTypes: false,
        strict: false,
        keywords: KEYWORDS,
      },
    },
    // What has no route passes no hook.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply.headers(GUARDS)),
    clientErrorHandler: (error, socket) => refuseRaw(socket, codeOfParser(error.code), GUARD_LINES),
  });
  function refuseRaw(socket: Duplex, code: ErrorCode, fixedLines: string): void {
    if (!socket.writable) return;
    const id = nextId();
    app.log.debug({ request_id: id, code }, 'refused before it was a request');
    socket.on('error', () => {});
    socket.end(rawRefusal(code, id, fixedLines));
    // Whoever does not close their side would keep the connection.
    setTimeout(() => socket.destroy(), FLUSH_TIMEOUT_MS).unref();
  }
  // A tunnel through this service leads nowhere; without a word the runtime would just close the connection.
  app.server.on('connect', (_request, socket) =>
    refuseRaw(socket, 'method_not_allowed', `${GUARD_LINES}allow: GET, HEAD, POST, DELETE\r\n`),
  );
  // Answers are joined from ready JSON; what little is not is small. No serialiser has to be compiled.
  app.setSerializerCompiler(() => JSON.stringify);
  // Of the two that the framework reads.
  app.removeContentTypeParser('text/plain');
  answerErrors(app);
  const hardening = harden(app, options.limits, () => context.database.expectedWaitMs());
  guardHosts(app, options.limits.host, options.limits.allowedHosts);
  fixHeaders(app, allowedOriginsOf(options.limits.allowedOrigins));
  compressAnswers(app, context.answers);
  const { registry, observe } = watch(app, context, options.viewers.access, hardening);
  const authentication = authenticate(app, options.viewers);
  app.addHook('onSend', (request, reply, _payload, done) => {
    authentication.noteCall(request, reply.statusCode);
    done();
  });
  await describeRoutes(app, options.version);
  const known = gatherMethods(app);
  const observeHot: Observe = (request, reply, status) => {
    observe(request, reply, status);
    authentication.noteCall(request, status);
  };
  const hot = hotAnswers(context, observeHot);
  const stocks = await watchStocks(context, options.streams, (symbol, error) =>
    app.log.error({ err: error }, `looking at ${symbol} for its streams`),
  );
  const streams = serveStreams(app, stocks, options.viewers.access, registry, observeHot);
  const onRunError = (what: string, error: unknown): void => app.log.error({ err: error }, what);
  const runWatch = await watchRuns(context, {}, (error) => onRunError('watching backtest runs', error));
  const runEvents = serveRunEvents(app, context, runWatch, streams, observeHot);
  const queue = await openRunQueue(context, options.backtests, onRunError);
  app.addHook('onClose', () => queue.close());
  const entries = routes(context, options.viewers.access, hot, streams, runEvents);
  for (const entry of entries) {
    addRoute(app, entry, authentication, hardening, options.viewers.authRequired);
  }
  app.get('/', { schema: { hide: true } }, (_, reply) => reply.redirect('/docs'));
  addProbes(app, options.unreadiness, hardening);
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  serveDescription(app, context, entries, options.viewers.delayMs);
  refuseOtherMethods(app, known);
  return app;
}

function addRoute(
  app: FastifyInstance,
  entry: RouteEntry,
  authentication: Authentication,
  { refuseUnderLoad }: Hardening,
  authRequired: boolean,
): void {
  const response: Record<number, unknown> = { 200: answerOf(entry), 422: HttpValidationError };
  for (const status of entry.refusals) response[status] = ErrorBody;
  app.route({
    method: entry.method,
    url: entry.url,
    schema: {
      operationId: entry.operationId,
      tags: [entry.tag],
      summary: entry.summary,
      description: entry.description,
      ...(entry.params === undefined ? {} : { params: entry.params }),
      ...(entry.querystring === undefined ? {} : { querystring: entry.querystring }),
      ...(entry.headers === undefined ? {} : { headers: entry.headers }),
      ...(entry.body === undefined ? {} : { body: entry.body }),
      security: securityOf(entry.scope, authRequired),
      response,
    },
    ...(entry.bodyLimitBytes === undefined
      ? {}
      : { bodyLimit: Math.min(entry.bodyLimitBytes, app.initialConfig.bodyLimit!) }),
    onRequest: [
      authentication.at(entry),
      ...(entry.onRequest === undefined ? [] : [entry.onRequest]),
      refuseUnderLoad,
    ],
    ...(entry.preValidation === undefined ? {} : { preValidation: entry.preValidation }),
    handler: entry.handler,
  });
}

/** An answer of a media type of its own stands under its name; what has none is JSON. */
const answerOf = ({ answer, answerType }: RouteEntry): unknown =>
  answerType === undefined
    ? answer
    : { description: 'A stream of events.', content: { [answerType]: { schema: answer } } };

/** What OpenAPI says of an endpoint's tokens: none looked at, one allowed, or one needed. */
function securityOf(scope: Scope | null, authRequired: boolean): Record<string, string[]>[] {
  if (scope === null) return [];
  const withToken = { bearer: [scope] };
  return authRequired ? [withToken] : [{}, withToken];
}

function addProbes(
  app: FastifyInstance,
  unreadiness: ServerOptions['unreadiness'],
  { isClosing }: Hardening,
): void {
  app.get(LIVE_PROBE, { schema: { hide: true } }, () => ({ status: 'live' }));
  app.get(READY_PROBE, { schema: { hide: true } }, async () => {
    if (isClosing()) throw new CodedError('shutting_down');
    const reason = await unreadiness();
    if (reason !== null) throw new CodedError(reason);
    return { status: 'ready' };
  });
}

/** Methods by address, gathered as routes are added. */
type KnownMethods = Map<string, Set<string>>;

function gatherMethods(app: FastifyInstance): KnownMethods {
  const known: KnownMethods = new Map();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.getOrInsertComputed(url, () => new Set());
    for (const one of [method].flat()) methods.add(one);
  });
  return known;
}

/** A known address asked with another method is told so, with the methods that it knows. */
function refuseOtherMethods(app: FastifyInstance, known: KnownMethods): void {
  for (const [url, methods] of [...known]) {
    const others = app.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[];
    const allow = [...methods].join(', ');
    if (others.length === 0) continue;
    app.route({
      method: others,
      url,
      schema: { hide: true },
      // Before the body is read: a wrong method is the first thing to say, whatever was sent with it.
      onRequest(_request, reply, done) {
        reply.header('allow', allow);
        done(new CodedError('method_not_allowed', `This address answers ${allow}`));
      },
      handler: () => null,
    });
  }
}
