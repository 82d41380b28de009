import AjvCompiler from '@fastify/ajv-compiler';
import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import { midnightUtc, parseDate, parseInstant } from '../../base/dates.ts';
import { splitWords } from '../../base/parameters.ts';
import { END_INSTANT, FIRST_INSTANT } from '../../base/time-zone.ts';

type Fault = NonNullable<SchemaValidateFunction['errors']>[number];

/** A keyword of texts that JSON Schema lacks, so that ajv checks and reports our parameters with all others. */
function keyword<Rule>(
  name: string,
  schemaType: 'boolean' | 'array' | 'object',
  faultsOf: (rule: Rule, text: string) => Partial<Fault>[],
): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (rule: Rule, text: string) => {
    validate.errors = faultsOf(rule, text).map((fault) => ({ keyword: name, params: {}, ...fault }));
    return validate.errors.length === 0;
  };
  return { keyword: name, type: 'string', schemaType, errors: 'full', validate };
}

/** Refuses a text that does not exist as what it names, and a time of which New York's clock is not known. */
const existing = (name: string, timeOf: (text: string) => number | null): FuncKeywordDefinition =>
  keyword(name, 'boolean', (isOn: boolean, text) => {
    const time = isOn ? timeOf(text) : FIRST_INSTANT;
    if (time === null) return [{}];
    return time >= FIRST_INSTANT && time < END_INSTANT ? [] : [{ params: { isFar: true } }];
  });

const dateTime = (text: string): number | null => (parseDate(text) === null ? null : midnightUtc(text));

const KEYWORDS: FuncKeywordDefinition[] = [
  // Such as 2013-02-30. Another shape is left to `pattern`, a day that no session has to the calendar.
  existing('existingDate', (text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(text) === null ? null : FIRST_INSTANT,
  ),
  existing('existingInstant', parseInstant),
  existing('existingDateOrInstant', (text) => dateTime(text) ?? parseInstant(text)),
  /** A comma-separated list of words of a closed vocabulary. */
  keyword('wordList', 'array', (allowedValues: readonly string[], text) =>
    splitWords(text).flatMap((word) =>
      allowedValues.includes(word) ? [] : [{ params: { allowedValues, word } }],
    ),
  ),
  /** A comma-separated list of one item or more, each of a pattern. */
  keyword('itemList', 'object', ({ maxItems, pattern }: { maxItems: number; pattern: string }, text) => {
    const items = splitWords(text);
    const expression = new RegExp(pattern);
    const invalid = items.filter((item) => !expression.test(item));
    return [
      ...(items.length < 1 ? [{ keyword: 'minItems', params: { limit: 1 } }] : []),
      ...(items.length > maxItems ? [{ keyword: 'maxItems', params: { limit: maxItems } }] : []),
      ...invalid.map((word) => ({ keyword: 'pattern', params: { pattern, word } })),
    ];
  }),
  /** A whole number within bounds, as text of an address. */
  keyword('wholeNumber', 'object', (bounds: { minimum: number; maximum: number }, text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    const isWithin = value >= bounds.minimum && value <= bounds.maximum;
    return isWithin ? [] : [{ params: { ...bounds, value } }];
  }),
];

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Factory = Exclude<Compilers['buildValidator'], undefined>;
type Compile = ReturnType<Factory>;

/** Made when the module is loaded: while the database opens, nothing else needs the processor. */
const compile = AjvCompiler()(
  {},
  {
    customOptions: {
      allErrors: true,
      removeAdditional: false,
      coerceTypes: false,
      strict: false,
      keywords: KEYWORDS,
    },
  },
);

type Validate = ReturnType<typeof compile>;

/** Compiles the schema of a part of a request when the first one comes: most routes are called late or never. */
const compileOnUse = ((route: Parameters<typeof compile>[0]) => {
  let compiled: Validate | null = null;
  const validate: { (value: unknown): unknown; errors?: Validate['errors'] } = (value) => {
    compiled ??= compile(route);
    const isValid = compiled(value);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}) as unknown as Compile;

export const compilersFactory: Compilers = {
  buildValidator: (() => compileOnUse) as unknown as Factory,
  // Most answers are ready JSON text; compiled serialisers would not pay.
  buildSerializer: () => () => JSON.stringify,
};
