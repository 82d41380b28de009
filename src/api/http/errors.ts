import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CodedError,
  diskRefusal,
  ERRORS,
  type ErrorCode,
  type ErrorKind,
  type ValidationFault,
  ValidationRefusal,
} from '../../base/errors.ts';
import { Type } from '../../base/type.ts';
import { CONTENT_TYPE } from './answer.ts';
import { faultsOf } from './validation.ts';

/** The one place that maps errors of the catalogue to status and body. */

export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
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

/** Codes whose status differs from that of their kind. */
export const STATUS_OF_CODE: Partial<Readonly<Record<ErrorCode, number>>> = {
  validation_failed: 422,
  method_not_allowed: 405,
  not_acceptable: 406,
  unsupported_media_type: 415,
  request_timeout: 408,
  cursor_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  headers_too_large: 431,
  misdirected_request: 421,
  disk_full: 507,
};

/** Errors of fastify that have a code in the catalogue. */
const CODE_OF_FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
};

/** Refusals under load: metrics count them, and logging each would add load. */
const LOAD_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'overloaded',
  'shutting_down',
  'starting_up',
  'topology_not_loaded',
]);

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

/** As proxies count an answer whose caller has disconnected; never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** @param answerNothing for an address at which nothing is */
export function answerErrors(app: FastifyInstance, answerNothing = refuseNothing): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasDisconnected(request)) reply.code(CLIENT_CLOSED_REQUEST);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(answerNothing);
}

const nothingAt = (request: FastifyRequest): CodedError =>
  new CodedError('not_found', `Nothing is served at ${request.method} ${pathOf(request)}`);

export const refuseNothing = (
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> => sendError(nothingAt(request), request, reply);

const hasDisconnected = ({ raw }: FastifyRequest): boolean => raw.readableAborted || raw.socket.destroyed;

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.slice(0, 200);

export function sendError(
  error: FastifyError | CodedError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  reply.header('cache-control', 'no-store');
  reply.header('x-request-id', request.id);
  // The answer may have begun to be of another type.
  reply.type(CONTENT_TYPE);
  if (refusal instanceof ValidationRefusal) return reply.code(422).send({ detail: refusal.faults });
  const status = statusOf(refusal.code);
  log(request, error, refusal);
  if (status === 503 || status === 429)
    reply.header('retry-after', refusal.facts.retryAfterS ?? RETRY_AFTER_S);
  const challenge = challengeOf(refusal);
  // A route may have named where to log in.
  if (challenge !== null && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', challenge);
  return reply.code(status).send({ detail: refusal.message, code: refusal.code, request_id: request.id });
}

/** Logs a defect with its stack, an unavailable part in one line, and a disconnected caller at debug level. */
function log(request: FastifyRequest, error: FastifyError | CodedError, { code, message }: CodedError): void {
  if (statusOf(code) < 500 || LOAD_REFUSALS.has(code)) return;
  const { id, method, routeOptions } = request;
  const fields = { request_id: id, method, route: routeOptions.url };
  if (hasDisconnected(request)) request.log.debug(fields, 'the caller disconnected');
  else if (ERRORS[code].kind === 'internal') request.log.error({ ...fields, err: error }, message);
  else request.log.error({ ...fields, code, cause: (error.cause as Error | undefined)?.message }, message);
}

/** The `WWW-Authenticate` challenge of a refused token (RFC 6750, section 3); null for other errors. */
function challengeOf({ code, kind, facts }: CodedError): string | null {
  if (code === 'insufficient_scope') return `Bearer error="insufficient_scope", scope="${facts.scope}"`;
  if (kind !== 'unauthenticated') return null;
  // A request without a token gets no error code.
  return code === 'token_required' ? 'Bearer' : `Bearer error="${code}"`;
}

/** The catalogue's error for anything thrown; an unknown one becomes `internal` and shows nothing of itself. */
function refusalOf(error: FastifyError | CodedError, request: FastifyRequest): CodedError {
  const { kind } = error instanceof CodedError ? error : ERRORS.internal;
  const disk = kind === 'internal' || kind === 'unavailable' ? diskRefusal(error) : null;
  if (disk !== null) return disk;
  if (error instanceof CodedError) return kind === 'internal' ? new CodedError('internal') : error;
  if (error.validation !== undefined) return new ValidationRefusal(faultsOf(request));
  const code = CODE_OF_FRAMEWORK[error.code];
  if (code !== undefined) return new CodedError(code, sentenceOf(code, request));
  if (isBrokenJson(error)) return new ValidationRefusal([brokenJson(error.message)]);
  // Refusals of libraries that have no code of ours, such as an address that leads out of a folder.
  const { statusCode = 500 } = error;
  if (statusCode === 403 || statusCode === 404) return nothingAt(request);
  if (statusCode >= 400 && statusCode < 500)
    return new CodedError('malformed_request', undefined, { cause: error });
  if (statusCode === 503) return new CodedError('overloaded', undefined, { cause: error });
  return new CodedError('internal', undefined, { cause: error });
}

/** Adds the accepted size or media type, which fastify does not say. */
function sentenceOf(code: ErrorCode, request: FastifyRequest): string | undefined {
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

/** Errors of node's HTTP parser that have a code in the catalogue. */
const CODE_OF_PARSER: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export const codeOfParser = (parserCode: string | undefined): ErrorCode =>
  CODE_OF_PARSER[parserCode ?? ''] ?? 'malformed_request';

/**
 * The whole HTTP answer to input that is no request: unreadable lines, too many headers, a timeout, a tunnel.
 *
 * @param fixedLines header lines of every answer, each with its end of line
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
