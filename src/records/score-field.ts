import { distance } from 'fastest-levenshtein';
import type { TSchema } from 'typebox';
import { CodedError } from '../base/errors.ts';
import { INCLUDE_FIELDS, StockResult } from '../derive/compose.ts';

/** A number of the answer, by its dotted path, e.g. `technical.rsi_14`. */
export interface ScoreField {
  readonly path: string;
  /** Its value in a parsed answer, NaN where it is null. */
  read(answer: unknown): number;
}

const SUGGESTIONS_MAX = 5;

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * The field at a path of the answer.
 *
 * @throws CodedError validation_failed for an unknown path (with the nearest names), for one that is no number, and for
 *   one in a block that is served on request only
 */
export function scoreField(path: string): ScoreField {
  const parts = path.split('.');
  if ([...INCLUDE_FIELDS.values()].includes(parts[0]!)) {
    throw refused(`${path} is served on request only; a score is a field that every answer has.`);
  }
  let shape: Shape | undefined = StockResult as TSchema as Shape;
  for (const part of parts) shape = memberOf(shape, part);
  if (shape === undefined) {
    throw refused(`The answer has no field ${path}. Near it: ${nearest(path, numberPaths()).join(', ')}.`);
  }
  if (!isNumber(shape)) {
    throw refused(`${path} is ${wordFor(shape)}, not a number, so that stocks cannot be ordered by it.`);
  }
  return { path, read: (answer) => readNumber(answer, parts) };
}

const refused = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

/** Every path of a number that is always served, in order. */
export function numberPaths(): string[] {
  const requested = new Set(INCLUDE_FIELDS.values());
  const paths: string[] = [];
  const walk = (shape: Shape, path: string): void => {
    if (isNumber(shape)) paths.push(path);
    for (const [name, member] of Object.entries(recordOf(shape)?.properties ?? {})) {
      if (path !== '' || !requested.has(name)) walk(member, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(StockResult as TSchema as Shape, '');
  return paths;
}

/** The record of a schema, which may be nullable. */
const recordOf = (shape: Shape | undefined): Shape | undefined =>
  shape?.anyOf === undefined ? shape : shape.anyOf.find(({ type }) => type !== 'null');

function memberOf(shape: Shape | undefined, name: string): Shape | undefined {
  const record = recordOf(shape);
  if (record?.properties !== undefined && Object.hasOwn(record.properties, name))
    return record.properties[name];
  // A map has members of any name.
  return typeof record?.additionalProperties === 'object' ? record.additionalProperties : undefined;
}

function isNumber({ type }: Shape): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.includes('number') || types.includes('integer');
}

function wordFor(shape: Shape): string {
  const type = [recordOf(shape)?.type ?? 'something else'].flat()[0];
  switch (type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'yes or no';
    case 'array':
      return 'a list';
    default:
      return `a record (${Object.keys(recordOf(shape)?.properties ?? {}).join(', ')})`;
  }
}

function readNumber(answer: unknown, parts: readonly string[]): number {
  let value = answer;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null) return Number.NaN;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === 'number' ? value : Number.NaN;
}

/** Names with the same last part first, then those that differ by the fewest letters. */
function nearest(path: string, names: readonly string[]): string[] {
  const changes = (name: string): number =>
    Math.min(distance(path, name), OTHER_RECORD + distance(lastPart(path), lastPart(name)));
  return names
    .map((name) => ({ name, far: lastPart(name) === lastPart(path) ? 0 : changes(name) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

/** Letters that another record counts for. */
const OTHER_RECORD = 2;

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
