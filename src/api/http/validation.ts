import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { ValidationFault } from '../../base/errors.ts';

/** Parts of a request with a schema, and their names in the answer. */
const PARTS = [
  ['params', 'path'],
  ['querystring', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const;

type Context = (typeof PARTS)[number][0];

/** Faults in one answer; more would make it larger than the request. */
const FAULTS_MAX = 100;

/** The faults of all parts of a request in the vocabulary of pydantic 2, at most 100. */
export function faultsOf(request: FastifyRequest): ValidationFault[] {
  const faults = PARTS.flatMap(([context, part]) => {
    const validate = request.getValidationFunction(context);
    const input = inputOf(request, context);
    if (validate === undefined || validate(input) === true) return [];
    const errors = (validate as { errors?: FastifySchemaValidationError[] | null }).errors ?? [];
    const open = context === 'body' ? openFields(request.routeOptions.schema?.body) : null;
    return errors.slice(0, FAULTS_MAX).map((error) => {
      const fault = faultOf(error, part, input);
      if (!isSmall(fault.input)) return { ...fault, input: TOO_LARGE };
      return open === null ? fault : { ...fault, input: withoutSecrets(fault, open) };
    });
  });
  return faults.slice(0, FAULTS_MAX);
}

/** Size of an offending input that an answer repeats, in characters and values. */
const SHOWN_MAX = 1_000;
const TOO_LARGE = '(too large to be repeated)';

/** True for a value that an answer repeats. Stops at the limit. */
function isSmall(value: unknown): boolean {
  const ahead = [value];
  for (let size = 0; ahead.length > 0; size++) {
    const one = ahead.pop();
    if (typeof one === 'string') size += one.length;
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        if (size++ > SHOWN_MAX) return false;
        size += name.length;
        ahead.push((one as Record<string, unknown>)[name]);
      }
    }
    if (size > SHOWN_MAX) return false;
  }
  return true;
}

/** Fields of a body that an answer may show; null if none of its fields is secret. */
function openFields(schema: unknown): ReadonlySet<string> | null {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { writeOnly?: boolean }> };
  const fields = Object.entries(properties);
  if (!fields.some(([, { writeOnly }]) => writeOnly)) return null;
  return new Set(fields.flatMap(([name, { writeOnly }]) => (writeOnly ? [] : [name])));
}

/** As pydantic masks a secret. */
const MASK = '**********';

/** Masks secret fields, and fields with an unknown name, which may be a misspelt secret: callers log refusals. */
function withoutSecrets({ loc, input }: ValidationFault, open: ReadonlySet<string>): unknown {
  const field = loc[1];
  if (field !== undefined && open.has(field) && !isRecord(input)) return input;
  if (!isRecord(input)) return MASK;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, open.has(name) ? value : MASK]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inputOf = (request: FastifyRequest, context: Context): unknown =>
  context === 'querystring' ? request.query : request[context];

function faultOf(error: FastifySchemaValidationError, part: string, input: unknown): ValidationFault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const { type, msg, ctx, key, input: offender } = translate(error);
  const value = path.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    input,
  );
  const loc = [part, ...path, ...(key === undefined ? [] : [key])];
  const extra = type === 'extra_forbidden' ? (value as Record<string, unknown>)[key!] : value;
  return { loc, msg, type, input: offender ?? extra ?? null, ctx: ctx ?? {} };
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

interface Translated {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Record<string, unknown>;
  /** The property of the fault where the schema's error names only its parent. */
  readonly key?: string;
  /** The offending part of the value. */
  readonly input?: unknown;
}

/** A broken bound, by the names of pydantic. */
const bound =
  (type: string, name: string, sentence: (limit: number) => string) =>
  ({ limit }: { limit?: number }): Translated => ({
    type,
    msg: sentence(limit!),
    ctx: { [name]: limit },
  });

/** What pydantic calls a fault, by the keyword of JSON Schema or ours. */
const TRANSLATIONS: Readonly<Record<string, (params: FastifySchemaValidationError['params']) => Translated>> =
  {
    required: ({ missingProperty }) => ({
      type: 'missing',
      msg: 'Field required',
      key: missingProperty as string,
    }),
    additionalProperties: ({ additionalProperty }) => ({
      type: 'extra_forbidden',
      msg: 'Extra inputs are not permitted',
      key: additionalProperty as string,
    }),
    // A nullable value gets the fault of its other type.
    type: ({ type }) => typeFault(String(type).replace(/,null$/, '')),
    minLength: bound('string_too_short', 'min_length', (n) => `String ${atLeast(n, 'character')}`),
    maxLength: bound('string_too_long', 'max_length', (n) => `String ${atMost(n, 'character')}`),
    minItems: bound('too_short', 'min_length', (n) => `List ${atLeast(n, 'item')}`),
    maxItems: bound('too_long', 'max_length', (n) => `List ${atMost(n, 'item')}`),
    minimum: bound('greater_than_equal', 'ge', (n) => `Input should be greater than or equal to ${n}`),
    maximum: bound('less_than_equal', 'le', (n) => `Input should be less than or equal to ${n}`),
    exclusiveMinimum: bound('greater_than', 'gt', (n) => `Input should be greater than ${n}`),
    exclusiveMaximum: bound('less_than', 'lt', (n) => `Input should be less than ${n}`),
    pattern: ({ pattern, word }) => ({
      type: 'string_pattern_mismatch',
      msg: `String should match pattern '${pattern}'`,
      ctx: { pattern },
      ...(word === undefined ? {} : { input: word }),
    }),
    enum: ({ allowedValues }) => literalFault(allowedValues as unknown[]),
    wordList: ({ allowedValues, word }) => ({ ...literalFault(allowedValues as unknown[]), input: word }),
    wholeNumber: (params) => numberFault(params as { minimum: number; maximum: number; value: number }),
    existingDate: () => {
      const error = 'no calendar has this day';
      return { type: 'date_parsing', msg: `Input should be a valid date: ${error}`, ctx: { error } };
    },
    existingInstant: ({ isFar }) =>
      instantFault(isFar, 'an RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z'),
    existingDateOrInstant: ({ isFar }) =>
      instantFault(
        isFar,
        'a date, e.g. 2026-02-27, or an RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z',
      ),
  };

function translate({ keyword, params, message = 'Invalid value' }: FastifySchemaValidationError): Translated {
  const translation = TRANSLATIONS[keyword];
  return translation?.(params) ?? { type: 'value_error', msg: message, ctx: { error: message } };
}

const FAR = 'it lies outside of the years 1900 to 2099';

function instantFault(isFar: unknown, form: string): Translated {
  const error = isFar === true ? FAR : `it is not ${form}`;
  return { type: 'datetime_parsing', msg: `Input should be a valid datetime: ${error}`, ctx: { error } };
}

/** A number in an address; `ctx` has both bounds. */
function numberFault(params: { minimum: number; maximum: number; value: number }): Translated {
  const { minimum: ge, maximum: le, value } = params;
  const ctx = { ge, le };
  if (value < ge) return { ...TRANSLATIONS.minimum!({ limit: ge }), ctx };
  if (value > le) return { ...TRANSLATIONS.maximum!({ limit: le }), ctx };
  const msg = 'Input should be a valid integer, unable to parse string as an integer';
  return { type: 'int_parsing', msg, ctx };
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const atLeast = (count: number, noun: string): string => `should have at least ${plural(count, noun)}`;
const atMost = (count: number, noun: string): string => `should have at most ${plural(count, noun)}`;

const TYPE_FAULTS: Readonly<Record<string, { type: string; msg: string }>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
};

const typeFault = (type: string): Translated =>
  TYPE_FAULTS[type] ?? {
    type: 'value_error',
    msg: `Input should be of type ${type}`,
    ctx: { error: `not of type ${type}` },
  };

/** A word outside a closed vocabulary. */
function literalFault(allowed: readonly unknown[]): { type: string; msg: string; ctx: { expected: string } } {
  const words = allowed.map((word) => `'${word}'`);
  const expected = words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } };
}
