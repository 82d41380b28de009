import { ErrorBody, HttpValidationError } from '../http/errors.ts';

/** Names the shared parts of an OpenAPI document: every titled schema, and every refusal, stands once and is referenced. */

export type Json = { [name: string]: unknown };

interface Refusal {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly (keyof typeof HEADERS)[];
}

const RETRY_LATER = 'Wait for the seconds in `Retry-After`.';

const REFUSALS: Readonly<Record<string, Refusal>> = {
  400: { name: 'BadRequest', description: 'The request cannot be carried out as it is.' },
  401: {
    name: 'Unauthenticated',
    description: 'A token is needed, or the token is unknown, expired or revoked.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The token lacks the scope, or its grant does not cover the symbol.',
    headers: ['WWW-Authenticate'],
  },
  404: { name: 'NotFound', description: 'Nothing is known under this name, or not of this date.' },
  406: { name: 'NotAcceptable', description: 'This is not served in the media type that `Accept` asks for.' },
  409: { name: 'Conflict', description: 'The state of what is named does not allow it.' },
  410: { name: 'Gone', description: 'The cursor is too old; begin again with the first page.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than what is read here.' },
  414: { name: 'UriTooLong', description: 'The address or one of its parts is too long.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not `application/json`.' },
  422: { name: 'ValidationFailed', description: 'Parameters or the body break their schema.' },
  429: {
    name: 'TooManyRequests',
    description: `Calls of the address by minute, or of the grant by minute or day, are used up; of backtests: too many runs wait. ${RETRY_LATER} Refused calls do not count.`,
    headers: ['Retry-After'],
  },
  431: { name: 'HeadersTooLarge', description: 'Address and header lines together are too large.' },
  503: {
    name: 'Unavailable',
    description: `Too much work waits already, or a part of the service is not there yet. ${RETRY_LATER}`,
    headers: ['Retry-After'],
  },
  504: { name: 'TimedOut', description: 'The answer took longer than the service allows.' },
  507: { name: 'DiskFull', description: 'The disk of the service takes no more.' },
};

const HEADERS = {
  'Retry-After': {
    description: 'Seconds until the call can succeed.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750, with the scope that is missing.',
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    description: 'The identifier under which the log knows this request.',
    required: true,
    schema: { type: 'string' },
  },
} as const;

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/**
 * The document with `components`.
 *
 * @throws if two different schemas have one title, which would leave one of them without a name
 */
export function withComponents(document: Json): Json {
  const schemas = new Map<string, Json>();
  const responses: Json = {};
  const paths = mapValues(document.paths as Json, (methods) =>
    mapValues(methods as Json, (operation) => nameParts(operation as Json, schemas, responses)),
  );
  const byName = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    paths,
    components: {
      ...(document.components as Json),
      schemas: Object.fromEntries(byName),
      responses,
      headers: HEADERS,
    },
  };
}

function nameParts(operation: Json, schemas: Map<string, Json>, responses: Json): Json {
  const content = (part: unknown): Json => {
    const media = (part as { content: Json }).content;
    return {
      ...(part as Json),
      content: mapValues(media, (one) => {
        const { schema, ...rest } = one as Json;
        return { ...rest, schema: named(schema, schemas) };
      }),
    };
  };
  const { 200: answer, ...refusals } = operation.responses as Json;
  const answers: Json = { 200: content(answer) };
  for (const status of Object.keys(refusals)) {
    const refusal = REFUSALS[status]!;
    answers[status] = reference('responses', refusal.name);
    responses[refusal.name] ??= responseOf(status, refusal, schemas);
  }
  return {
    ...operation,
    parameters: ((operation.parameters ?? []) as Json[]).map(describeParameter),
    ...(operation.requestBody === undefined ? {} : { requestBody: content(operation.requestBody) }),
    responses: answers,
  };
}

function responseOf(
  status: string,
  { description, headers = [] }: Refusal,
  schemas: Map<string, Json>,
): Json {
  const body = status === '422' ? HttpValidationError : ErrorBody;
  const shown = ['X-Request-Id', ...headers];
  return {
    description,
    headers: Object.fromEntries(shown.map((name) => [name, reference('headers', name)])),
    content: { 'application/json': { schema: named(body, schemas) } },
  };
}

/** A parameter by the means of OpenAPI: the service checks lists and numbers in an address as text. */
function describeParameter({ schema, example, description, ...parameter }: Json): Json {
  const described = parameterSchema(schema as Json);
  const isList = described.type === 'array';
  return {
    ...parameter,
    description: isList ? `${description} Or as repeated keys.` : description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: described,
    ...(example === undefined ? {} : { example: typedExample(example as string, described.type) }),
  };
}

function parameterSchema({ wholeNumber, wordList, itemList, describedItems, ...text }: Json): Json {
  if (wholeNumber !== undefined) return { type: 'integer', ...(wholeNumber as Json) };
  if (wordList !== undefined) return { type: 'array', items: { type: 'string', enum: wordList } };
  if (itemList === undefined && describedItems === undefined) return standard(text);
  const { maxItems, ...item } = (itemList ?? describedItems) as Json;
  return { type: 'array', items: { type: 'string', ...item }, minItems: 1, maxItems };
}

/** An example of a parameter in the type of its schema. */
export function typedExample(example: string, type: unknown): unknown {
  if (type === 'array') return example.split(',');
  return type === 'integer' ? Number(example) : example;
}

/** A schema whose titled parts are references to `schemas`. */
function named(schema: unknown, schemas: Map<string, Json>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = mapValues(standard(schema as Json), (part, keyword) => {
    if (keyword === 'properties') return mapValues(part as Json, (one) => named(one, schemas));
    if (keyword === 'items' || keyword === 'additionalProperties') return named(part, schemas);
    if (/^(any|one|all)Of$/.test(keyword)) return (part as unknown[]).map((one) => named(one, schemas));
    return part;
  });
  const { title } = parts;
  if (typeof title !== 'string') return parts;
  const known = schemas.get(title);
  if (known === undefined) schemas.set(title, parts);
  else if (JSON.stringify(known) !== JSON.stringify(parts)) throw new Error(`Two schemas are named ${title}`);
  return reference('schemas', title);
}

/** A schema without the keywords that only this service knows. */
function standard({ existingDate, existingInstant, existingDateOrInstant, ...schema }: Json): Json {
  if (existingDate === true) return { ...schema, format: 'date' };
  if (existingInstant === true) return { ...schema, format: 'date-time' };
  return schema;
}

const mapValues = (members: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value, name)]));
