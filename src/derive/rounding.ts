import type { TSchema } from 'typebox';
import { unitOf } from './units.ts';

/**
 * Decimal places by unit. Blocks read each other's exact values; only output is rounded, so an answer, a screen and an
 * edge of the graph have the same number.
 */
const PLACES: Readonly<Record<string, number>> = {
  points: 2,
  'points per hour': 2,
  shares: 2,
  contracts: 2,
  percent: 4,
  'percent a year': 4,
  fraction: 6,
  ATR: 4,
  deviations: 6,
  'index points': 4,
  'of 5': 4,
  score: 4,
};
/** For prices, ratios and numbers without a unit; below a cent as many significant digits. */
const PLACES_DEFAULT = 4;
const SMALL = 0.01;
/** For answers that are mostly statistics. */
const STATISTIC_PLACES = 6;
/** Decimal digits that every double keeps. */
const DIGITS = 15;

/** Copies a wire value with its numbers rounded; returns values without numbers unchanged. */
type Rounder = (value: unknown) => unknown;

/** The used parts of a JSON Schema. */
export interface Node {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | boolean;
}

/**
 * Compiles the rounding of all values of a schema.
 *
 * @param path name of the value from the top of its answer, for the unit of each number
 */
export const rounderOf = (schema: TSchema, path = ''): Rounder =>
  compile(schema as Node, path) ?? ((value) => value);

/** Copies an answer with its numbers rounded by name alone: six places without a known unit. */
export function rounded<Value>(value: Value, path = ''): Value {
  if (typeof value === 'number') return roundedNumber(value, path) as Value;
  if (Array.isArray(value)) return value.map((item) => rounded(item, path)) as Value;
  if (!isObject(value) || value instanceof Date) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, child]) => [name, rounded(child, path === '' ? name : `${path}.${name}`)]),
  ) as Value;
}

function roundedNumber(value: number, path: string): number {
  const unit = unitOf(path, '');
  const places = PLACES[unit];
  if (places !== undefined) return toPlaces(value, places);
  return toDigits(value, unit === 'ratio' ? STATISTIC_PLACES : PLACES_DEFAULT);
}

function compile(node: Node, path: string): Rounder | null {
  if (node.anyOf !== undefined) {
    const rounders = node.anyOf.flatMap((each) => compile(each, path) ?? []);
    if (rounders.length > 1) throw new Error(`numbers of ${path} have more than one shape`);
    return rounders[0] ?? null;
  }
  if (node.properties !== undefined) return recordRounder(node.properties, path);
  if (node.items !== undefined) {
    const item = compile(node.items, path);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (typeof node.additionalProperties === 'object') return mapRounder(node.additionalProperties, path);
  return [node.type].flat().includes('number')
    ? ofNumber(roundingOf(unitOf(path, node.description ?? '')))
    : null;
}

/**
 * Copies a record by an object literal of its keys, generated when these keys are first met: V8 makes such a copy in one
 * step, where a spread and stores by name take twice as long. A getter is read once.
 */
function recordRounder(properties: Readonly<Record<string, Node>>, path: string): Rounder | null {
  const rounders = new Map<string, Rounder>();
  for (const [name, child] of Object.entries(properties)) {
    const rounder = compile(child, path === '' ? name : `${path}.${name}`);
    if (rounder !== null) rounders.set(name, rounder);
  }
  if (rounders.size === 0) return null;
  const copiers: [keys: readonly string[], copy: Rounder][] = [];
  return (value) => {
    if (!isObject(value)) return value;
    for (const [keys, copy] of copiers) if (hasKeys(value, keys)) return copy(value);
    const keys = Object.keys(value);
    const copy = copierOf(keys, rounders);
    copiers.push([keys, copy]);
    return copy(value);
  };
}

function copierOf(keys: readonly string[], rounders: ReadonlyMap<string, Rounder>): Rounder {
  const used = [...rounders.keys()];
  const fields = keys.map((key) => {
    const name = JSON.stringify(key);
    return `${name}: ${rounders.has(key) ? `round${used.indexOf(key)}` : ''}(value[${name}])`;
  });
  const make = new Function(...used.map((_, at) => `round${at}`), `return (value) => ({ ${fields} });`);
  return make(...rounders.values());
}

function hasKeys(value: object, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in value) if (key !== keys[at++]) return false;
  return at === keys.length;
}

function mapRounder(values: Node, path: string): Rounder | null {
  const rounder = compile(values, `${path}.*`);
  if (rounder === null) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const copy = { ...value };
    for (const name in copy) copy[name] = rounder(copy[name]);
    return copy;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const ofNumber =
  (round: (value: number) => number): Rounder =>
  (value) =>
    typeof value === 'number' ? round(value) : value;

/** Rounds numbers of a unit; what is rounded already stays as it is. */
export function roundingOf(unit: string): (value: number) => number {
  const places = PLACES[unit];
  return places === undefined
    ? (value) => toDigits(value, PLACES_DEFAULT)
    : (value) => toPlaces(value, places);
}

/** Decimal places, or as many significant digits for small numbers. */
function toDigits(value: number, places: number): number {
  if (Math.abs(value) >= SMALL || value === 0) return toPlaces(value, places);
  return Number(value.toPrecision(places));
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, places) => 10 ** places);

/** Rounds halves away from zero, symmetric for gains and losses; what is rounded already stays as it is. */
export function toPlaces(value: number, places: number): number {
  const factor = POWERS_OF_TEN[places]!;
  const size = Math.abs(value);
  if (!(size * factor < 10 ** DIGITS)) return Number(value.toPrecision(DIGITS));
  const rounded = Math.round(size * factor) / factor;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
