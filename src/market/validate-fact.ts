import { hash } from 'node:crypto';
import { HIDDEN, HIDDEN_IN_PROSE } from '../base/printable.ts';
import { END_INSTANT, FIRST_INSTANT, newYorkMidnight } from '../base/time-zone.ts';
import {
  type AnyFact,
  FACT_SCHEMAS,
  type FactKind,
  type FactValues,
  type FieldSchema,
  schemaOf,
} from './facts.ts';
import type { RefusalReason } from './refusals.ts';

/** Keys go into an index, whose entries are short. */
const KEY_LENGTH_MAX = 200;

type Fields = Readonly<Record<string, unknown>>;

/** Nobody changes a fact, so one that has passed is not looked at again. */
const passed = new WeakSet<AnyFact>();

/**
 * Validates a reported fact against the schema of its kind: null when it is valid, else the reason. It trusts nothing
 * that the compiler believes, since facts come from files.
 */
export function validateFact(fact: AnyFact): RefusalReason | null {
  if (passed.has(fact)) return null;
  if (!Object.hasOwn(FACT_SCHEMAS, fact.kind)) return 'unknown_kind';
  return validateHead(fact) ?? validateFactValue(fact.kind, fact.value) ?? validateKnownAt(fact);
}

/** Validates a fact of a known kind whose value is valid. */
export function validateFactAround(fact: AnyFact): RefusalReason | null {
  const reason = validateHead(fact) ?? validateKnownAt(fact);
  if (reason === null) passed.add(fact);
  return reason;
}

function validateHead({ knownAt, key }: AnyFact): RefusalReason | null {
  if (!isInstant(knownAt)) return 'bad_time';
  return isKey(key) ? null : 'bad_word';
}

/** Validates the value of a fact, before its key and its instant are known. */
export function validateFactValue(kind: FactKind, value: unknown): RefusalReason | null {
  if (typeof value !== 'object' || value === null) return 'missing_value';
  const { properties, subject, ascending } = schemaOf(kind);
  const fields = value as Fields;
  for (const name in fields) if (!Object.hasOwn(properties, name)) return 'unknown_field';
  for (const name in properties) {
    const reason = validateField(properties[name]!, fields[name]);
    if (reason !== null) return reason;
  }
  if (subject !== undefined && saysNothing(fields, subject)) return 'missing_value';
  if (ascending === undefined) return null;
  const [low, high] = ascending.map((name) => fields[name] as number | null);
  return low !== null && high !== null && low! > high! ? 'out_of_range' : null;
}

/** The reason why a field may not hold this value, or null. */
function validateField(schema: FieldSchema, value: unknown): RefusalReason | null {
  const { type } = schema;
  if (value === undefined) return 'missing_value';
  if (value === null) return typeof type === 'string' ? 'missing_value' : null;
  if (schema.format === 'date') {
    return typeof value === 'string' && !Number.isNaN(newYorkMidnight(value)) ? null : 'bad_time';
  }
  if (schema.format === 'instant') return isInstant(value) ? null : 'bad_time';
  switch (typeof type === 'string' ? type : type[0]) {
    case 'string':
      return validateText(schema, value);
    case 'array':
      return validateSymbols(schema, value);
    case 'object':
      return validateMembers(schema, value);
    default:
      return validateNumber(schema, value);
  }
}

function validateText(
  { format, enum: words, maxLength, isProse }: FieldSchema,
  value: unknown,
): RefusalReason | null {
  if (typeof value !== 'string') return 'bad_word';
  if (words !== undefined) return words.includes(value) ? null : 'bad_word';
  if (format === 'code') return /^[A-Z]$/.test(value) ? null : 'bad_word';
  if (value.trim() === '') return 'missing_value';
  if (value.length > maxLength!) return 'too_large';
  if ((isProse ? HIDDEN_IN_PROSE : HIDDEN).test(value)) return 'hidden_character';
  // The database does not store half of a surrogate pair.
  return value.isWellFormed() ? null : 'bad_word';
}

function validateNumber(schema: FieldSchema, value: unknown): RefusalReason | null {
  if (typeof value !== 'number') return 'not_a_number';
  if (!Number.isFinite(value)) return 'not_finite';
  const { type, minimum, exclusiveMinimum, maximum } = schema;
  if (maximum !== undefined) return value < minimum! || value > maximum ? 'out_of_range' : null;
  if (value < (minimum ?? exclusiveMinimum ?? Number.NEGATIVE_INFINITY)) return 'negative_amount';
  if (value === exclusiveMinimum) return 'out_of_range';
  return type[0] === 'integer' && !Number.isSafeInteger(value) ? 'out_of_range' : null;
}

function validateSymbols({ maxItems }: FieldSchema, value: unknown): RefusalReason | null {
  if (!Array.isArray(value) || value.length === 0) return 'missing_value';
  if (value.length > maxItems!) return 'too_large';
  return value.every((symbol) => typeof symbol === 'string' && isKey(symbol)) ? null : 'bad_symbol';
}

function validateMembers({ properties }: FieldSchema, value: unknown): RefusalReason | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'missing_value';
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(properties!, name)) return 'unknown_field';
    const reason = validateNumber(properties![name]!, member);
    if (reason !== null) return reason;
  }
  return null;
}

/** True for a fact of which every field beside its subject is null. */
function saysNothing(fields: Fields, subject: readonly string[]): boolean {
  return Object.entries(fields).every(
    ([name, value]) =>
      value === null ||
      subject.includes(name) ||
      (typeof value === 'object' && Object.keys(value).length === 0),
  );
}

/** Nobody can know what has not happened; expected dates and planned ends of halts are known before. */
function validateKnownAt({ kind, knownAt, value }: AnyFact): RefusalReason | null {
  const { notKnownBefore } = schemaOf(kind);
  if (notKnownBefore === undefined) return null;
  const subject = (value as Fields)[notKnownBefore] as string | number;
  const earliest = typeof subject === 'string' ? newYorkMidnight(subject) : subject;
  return knownAt < earliest ? 'known_too_early' : null;
}

const isInstant = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= FIRST_INSTANT && (value as number) < END_INSTANT;

/** Short, not empty, and without characters that a terminal or a database stumbles over. */
function isKey(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text.trim() !== '' &&
    text.length <= KEY_LENGTH_MAX &&
    !HIDDEN.test(text) &&
    text.isWellFormed()
  );
}

/**
 * The key of a value's revisions, for sources without keys: the same subject has one key, whatever the case and
 * spacing of its names. A subject longer than 200 characters becomes its digest.
 */
export function keyOf<Kind extends FactKind>(kind: Kind, value: FactValues[Kind]): string {
  const subject = schemaOf(kind).key(value as never);
  return subject.length <= KEY_LENGTH_MAX ? subject : hash('sha256', subject);
}

/** A fact under its usual key. */
export function factOf<Kind extends FactKind>(kind: Kind, knownAt: number, value: FactValues[Kind]): AnyFact {
  // The compiler cannot follow that kind and value come from the same member of the union.
  return { kind, key: keyOf(kind, value), knownAt, value } as AnyFact;
}
