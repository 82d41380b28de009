import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { ValidationFault } from '../../base/errors.ts';

/** The parts of a request that a schema can speak of, and the word that the answer calls each by. */
const PARTS = [
  ['params', 'path'],
  ['querystring', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const;

type Context = (typeof PARTS)[number][0];

/** Faults that an answer lists; beyond them it would be larger than what was sent, and nobody reads them. */
const FAULTS_MAX = 100;

/** Every fault of a request, of all its parts at once, in the vocabulary of pydantic 2; of very many the first. */
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

/** Characters and values of an offending input that an answer repeats. */
const SHOWN_MAX = 1_000;
const TOO_LARGE = '(too large to be repeated)';

/** True for a value that can be repeated for every fault that it has. Looks no further than it must. */
function isSmall(value: unknown): boolean {
  const ahead = [value];
  for (let seen = 0; ahead.length > 0; seen++) {
    const one = ahead.pop();
    if (typeof one === 'string') seen += one.length;
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        if (seen++ > SHOWN_MAX) return false;
        seen += name.length;
        ahead.push((one as Record<string, unknown>)[name]);
      }
    }
    if (seen > SHOWN_MAX) return false;
  }
  return true;
}

/** Fields of a body that may be shown to whoever sees the answer; null where there is no secret among them. */
function openFields(schema: unknown): ReadonlySet<string> | null {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { writeOnly?: boolean }> };
  const fields = Object.entries(properties);
  if (!fields.some(([, { writeOnly }]) => writeOnly)) return null;
  return new Set(fields.flatMap(([name, { writeOnly }]) => (writeOnly ? [] : [name])));
}

/** What pydantic shows of a secret. */
const MASK = '**********';

/**
 * The offending value without what may be a secret: the field itself, whatever its type, and also the field whose name
 * was misspelt. Answers of a refusal end up in logs of callers.
 */
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

function inputOf(request: FastifyRequest, context: Context): unknown {
  return context === 'querystring' ? request.query : request[context];
}

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
  /** The property that the fault is about, where the schema's error only names its parent. */
  readonly key?: string;
  /** The offending part of the value, where not all of it offends. */
  readonly input?: unknown;
}

/** What pydantic would call the fault. */
function translate({ keyword, params, message }: FastifySchemaValidationError): Translated {
  const limit = params.limit as number;
  switch (keyword) {
    case 'required':
      return { type: 'missing', msg: 'Field required', key: params.missingProperty as string };
    case 'additionalProperties': {
      const key = params.additionalProperty as string;
      return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted', key };
    }
    case 'type':
      // Of a value that may be null the fault is that of the other type.
      return typeFault(String(params.type).replace(/,null$/, ''));
    case 'minLength':
      return {
        type: 'string_too_short',
        msg: `String should have at least ${plural(limit, 'character')}`,
        ctx: { min_length: limit },
      };
    case 'maxLength':
      return {
        type: 'string_too_long',
        msg: `String should have at most ${plural(limit, 'character')}`,
        ctx: { max_length: limit },
      };
    case 'pattern': {
      const pattern = params.pattern as string;
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${pattern}'`,
        ctx: { pattern },
        ...(params.word === undefined ? {} : { input: params.word }),
      };
    }
    case 'minimum':
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${limit}`,
        ctx: { ge: limit },
      };
    case 'maximum':
      return {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${limit}`,
        ctx: { le: limit },
      };
    case 'exclusiveMinimum':
      return { type: 'greater_than', msg: `Input should be greater than ${limit}`, ctx: { gt: limit } };
    case 'exclusiveMaximum':
      return { type: 'less_than', msg: `Input should be less than ${limit}`, ctx: { lt: limit } };
    case 'minItems':
      return {
        type: 'too_short',
        msg: `List should have at least ${plural(limit, 'item')}`,
        ctx: { min_length: limit },
      };
    case 'maxItems':
      return {
        type: 'too_long',
        msg: `List should have at most ${plural(limit, 'item')}`,
        ctx: { max_length: limit },
      };
    case 'enum':
      return literalFault(params.allowedValues as unknown[]);
    case 'wordList':
      return { ...literalFault(params.allowedValues as unknown[]), input: params.word };
    case 'wholeNumber':
      return numberFault(params as { minimum: number; maximum: number; value: number });
    case 'existingDate': {
      const error = 'no calendar has this day';
      return { type: 'date_parsing', msg: `Input should be a valid date: ${error}`, ctx: { error } };
    }
    default: {
      const error = message ?? 'Invalid value';
      return { type: 'value_error', msg: error, ctx: { error } };
    }
  }
}

/** Of a number in an address; names both bounds, whichever was broken. */
function numberFault({
  minimum: ge,
  maximum: le,
  value,
}: {
  minimum: number;
  maximum: number;
  value: number;
}) {
  const ctx = { ge, le };
  if (value < ge) {
    return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${ge}`, ctx };
  }
  if (value > le) return { type: 'less_than_equal', msg: `Input should be less than or equal to ${le}`, ctx };
  const msg = 'Input should be a valid integer, unable to parse string as an integer';
  return { type: 'int_parsing', msg, ctx };
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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

/** A word outside a closed vocabulary; the answer lists what would have been understood. */
function literalFault(allowed: readonly unknown[]): { type: string; msg: string; ctx: { expected: string } } {
  const words = allowed.map((word) => `'${word}'`);
  const expected = words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } };
}
