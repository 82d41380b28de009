import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import {
  CodedError,
  ERRORS,
  type ErrorCode,
  type ErrorKind,
  type ValidationFault,
  ValidationRefusal,
} from '../../base/errors.ts';
import { faultsOf } from './validation.ts';

/** Where refusals of the catalogue become statuses and bodies, and the only place that does so. */

const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  not_found: 404,
  refused: 400,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 409,
  limited: 429,
  unavailable: 503,
  timed_out: 504,
  internal: 500,
};

/** Codes whose status says more than their kind. */
const STATUS_OF_CODE: Partial<Readonly<Record<ErrorCode, number>>> = {
  validation_failed: 422,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  request_timeout: 408,
  cursor_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  headers_too_large: 431,
  misdirected_request: 421,
};

/** What the framework calls a fault that the catalogue has a word for. */
const CODE_OF_FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
};

/** Refusals under load: they are counted, and a log line for each would be more load. */
const TURNED_AWAY: ReadonlySet<ErrorCode> = new Set(['overloaded', 'shutting_down', 'topology_not_loaded']);

/** Seconds after which a caller who was turned away may come back. */
const RETRY_AFTER_S = 1;

export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'What is wrong and, where there is one, the way out.' }),
    code: Type.String({ description: 'Word of the error catalogue.', examples: ['unknown_symbol'] }),
    request_id: Type.String({ description: 'The identifier under which the log knows this request.' }),
  },
  { title: 'Error', description: 'Any refusal other than a validation error.' },
);

export const HttpValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object(
        {
          loc: Type.Array(Type.String(), {
            description: 'Place of the fault, beginning body, query, path or header.',
          }),
          msg: Type.String(),
          type: Type.String({ examples: ['string_too_short'] }),
          input: Type.Unknown({ description: 'The offending value.' }),
          ctx: Type.Object({}, { description: 'The bound that was broken.' }),
        },
        { title: 'ValidationError' },
      ),
    ),
  },
  { title: 'HTTPValidationError' },
);

const statusOf = (code: ErrorCode): number => STATUS_OF_CODE[code] ?? STATUS_OF_KIND[ERRORS[code].kind];

/** What proxies call an answer that nobody waits for any more; it is counted and never sent. */
const CALLER_GONE = 499;

export function answerErrors(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasHungUp(request)) reply.code(CALLER_GONE);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(
      new CodedError('not_found', `Nothing is served at ${request.method} ${pathOf(request)}`),
      request,
      reply,
    ),
  );
}

const hasHungUp = ({ raw }: FastifyRequest): boolean => raw.readableAborted || raw.socket.destroyed;

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.slice(0, 200);

/** Answers an error of any origin. */
export function sendError(
  error: FastifyError | CodedError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  reply.header('cache-control', 'no-store');
  reply.header('x-request-id', request.id);
  if (refusal instanceof ValidationRefusal) return reply.code(422).send({ detail: refusal.faults });
  const status = statusOf(refusal.code);
  log(request, error, refusal);
  if (status === 503 || status === 429)
    reply.header('retry-after', refusal.facts.retryAfterS ?? RETRY_AFTER_S);
  const challenge = challengeOf(refusal);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  return reply.code(status).send({ detail: refusal.message, code: refusal.code, request_id: request.id });
}

/** A defect is told whole; a part that is missing or late in one line; a caller who has gone is nobody's fault. */
function log(request: FastifyRequest, error: FastifyError | CodedError, { code, message }: CodedError): void {
  if (statusOf(code) < 500 || TURNED_AWAY.has(code)) return;
  const { id, method, routeOptions } = request;
  const what = { request_id: id, method, route: routeOptions.url };
  if (hasHungUp(request)) request.log.debug(what, 'the caller hung up');
  else if (ERRORS[code].kind === 'internal') request.log.error({ ...what, err: error }, message);
  else request.log.error({ ...what, code, cause: (error.cause as Error | undefined)?.message }, message);
}

/** How to come back with a token that will do (RFC 6750, section 3), where that is what is wrong. */
function challengeOf({ code, kind, facts }: CodedError): string | null {
  if (code === 'insufficient_scope') return `Bearer error="insufficient_scope", scope="${facts.scope}"`;
  if (kind !== 'unauthenticated') return null;
  // Who presented nothing is told how, and of no error.
  return code === 'token_required' ? 'Bearer' : `Bearer error="${code}"`;
}

/** The catalogue's word for whatever was thrown; what it does not know is a defect and shows nothing of itself. */
function refusalOf(error: FastifyError | CodedError, request: FastifyRequest): CodedError {
  if (error instanceof CodedError)
    return ERRORS[error.code].kind === 'internal' ? new CodedError('internal') : error;
  if (error.validation !== undefined) return new ValidationRefusal(faultsOf(request));
  const code = CODE_OF_FRAMEWORK[error.code];
  if (code !== undefined) return new CodedError(code, wayOut(code, request));
  if (isBrokenJson(error)) return new ValidationRefusal([brokenJson(error.message)]);
  if (error.statusCode === 503) return new CodedError('overloaded', undefined, { cause: error });
  return new CodedError('internal', undefined, { cause: error });
}

/** What the framework keeps to itself: what would have been read. */
function wayOut(code: ErrorCode, request: FastifyRequest): string | undefined {
  if (code === 'payload_too_large')
    return `The body is larger than the ${request.routeOptions.bodyLimit} bytes that are read here`;
  if (code === 'unsupported_media_type')
    return 'The body is of no media type that is read here; send application/json';
  return undefined;
}

const isBrokenJson = (error: FastifyError): boolean =>
  error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY';

const brokenJson = (reason: string): ValidationFault => ({
  loc: ['body'],
  msg: 'JSON decode error',
  type: 'json_invalid',
  input: {},
  ctx: { error: reason },
});

/** What node's parser calls a fault that the catalogue has a word for. */
const CODE_OF_PARSER: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** @param parserCode what node's parser calls the fault */
export const codeOfParser = (parserCode: string | undefined): ErrorCode =>
  CODE_OF_PARSER[parserCode ?? ''] ?? 'malformed_request';

/**
 * The whole answer, status line and all, to what has not become a request: unreadable lines, header lines beyond the
 * limit, a request that does not arrive, a tunnel.
 *
 * @param fixedLines header lines that stand on every answer, each with its end of line
 */
export function rawRefusal(code: ErrorCode, requestId: string, fixedLines: string): string {
  const status = statusOf(code);
  const body = JSON.stringify({ detail: ERRORS[code].meaning, code, request_id: requestId });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n${fixedLines}\r\n${body}`;
}
