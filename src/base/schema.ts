import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Type } from './type.ts';

/**
 * JSON Schema 2020-12 as OpenAPI 3.1 reads best: a nullable scalar is one schema with `type: [x, "null"]`, a nullable
 * record is `anyOf` of the record and null. Bounds are inclusive limits of a number or of a string's length.
 */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Bounds that fields share. */
export const NOT_NEGATIVE: Bounds = { minimum: 0 };
export const FRACTION: Bounds = { minimum: 0, maximum: 1 };
export const HUNDRED: Bounds = { minimum: 0, maximum: 100 };
export const SIGNED_UNIT: Bounds = { minimum: -1, maximum: 1 };
export const SIGNED_HUNDRED: Bounds = { minimum: -100, maximum: 100 };

const plain = <T>(schema: object) => Type.Unsafe<T>(schema as TSchema);

const bounded =
  <T>(type: string | readonly string[]) =>
  (description: string, bounds: Bounds = {}) =>
    plain<T>({ type, ...bounds, description });

const described =
  <T>(schema: object) =>
  (description: string) =>
    plain<T>({ ...schema, description });

export const number = bounded<number>('number');
export const nullableNumber = bounded<number | null>(['number', 'null']);
export const integer = bounded<number>('integer');
export const nullableInteger = bounded<number | null>(['integer', 'null']);

export const string = described<string>({ type: 'string' });
export const nullableString = described<string | null>({ type: ['string', 'null'] });

/** A boolean that is never null. */
export const flag = (description: string, byDefault = false) =>
  plain<boolean>({ type: 'boolean', default: byDefault, description });

export const nullableBoolean = described<boolean | null>({ type: ['boolean', 'null'] });

/** An RFC 3339 instant in UTC. */
export const dateTime = described<string>({ type: 'string', format: 'date-time' });
export const nullableDateTime = described<string | null>({ type: ['string', 'null'], format: 'date-time' });

/** A calendar date of New York, YYYY-MM-DD. */
export const date = described<string>({ type: 'string', format: 'date' });
export const nullableDate = described<string | null>({ type: ['string', 'null'], format: 'date' });

/** One word of a closed vocabulary. */
export const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  plain<Word>({ type: 'string', enum: [...words], description });

export const nullableOneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  plain<Word | null>({ type: ['string', 'null'], enum: [...words, null], description });

/** The schema with the default that a reader may assume. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: unknown): Schema => ({
  ...schema,
  default: value,
});

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  plain<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }] });

export const listOf = <Schema extends TSchema>(items: Schema, description: string) =>
  plain<Static<Schema>[]>({ type: 'array', items, description });

export const nullableListOf = <Schema extends TSchema>(items: Schema, description: string) =>
  plain<Static<Schema>[] | null>({ type: ['array', 'null'], items, description });

/** A map with arbitrary keys. */
export const mapOf = <Schema extends TSchema>(values: Schema, description: string) =>
  plain<Record<string, Static<Schema>>>({ type: 'object', additionalProperties: values, description });

/**
 * A record on the wire. We always send every property, so its static type has them all; `required` lists those that the
 * contract guarantees (default: all but optional ones).
 */
export const record = <Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
  required?: readonly (keyof Properties & string)[],
): TObject<Properties> =>
  Type.Object(properties, {
    title,
    description,
    ...(required === undefined ? {} : { required: [...required] }),
    additionalProperties: false,
  });
