import { COMPUTED, operandNamed } from './expression.ts';
import { type Faults, type Path, shortName } from './faults.ts';
import type { FieldType, Operand, ScreenField } from './screen.ts';

/** The names that a request may use. */
export interface Names {
  readonly fields: ReadonlyMap<string, ScreenField>;
  /** Names of the computed numbers that the request defines, whether their expressions can be read or not. */
  readonly computed: ReadonlySet<string>;
}

export interface KnownNames {
  readonly operand: Operand;
  readonly type: FieldType;
  readonly words: readonly string[] | null;
}

/** The operand of a name; null, with a fault, for an unknown name. */
export function lookUp(name: unknown, path: Path, names: Names, faults: Faults): KnownNames | null {
  if (typeof name !== 'string') {
    faults.wrongType(path, 'text', name, ', the path of a field');
    return null;
  }
  const known = knownAs(operandNamed(name), names);
  if (known === null) addUnknownName(name, path, names, faults);
  return known;
}

export function knownAs(operand: Operand, { fields, computed }: Names): KnownNames | null {
  if (operand.kind === 'computed') {
    return computed.has(operand.name) ? { operand, type: 'number', words: null } : null;
  }
  const field = fields.get(operand.path);
  return field === undefined ? null : { operand, type: field.type, words: field.words };
}

/** Maximum number of suggestions; each is a walk over all names. */
const SUGGESTED_MAX = 20;

/** The fault of an unknown name, with the nearest known name. */
export function addUnknownName(
  name: string,
  path: Path,
  names: Names,
  faults: Faults,
  place: { readonly offset: number } | null = null,
): void {
  const { kind } = operandNamed(name);
  const nearest = faults.list.length < SUGGESTED_MAX ? nearestOf(name, kind, names) : null;
  const where = place === null ? '' : `At offset ${place.offset}: `;
  const what = kind === 'field' ? 'field' : 'computed number';
  const wayOut = nearest === null ? WAYS_OUT[kind] : `did you mean '${nearest}'?`;
  const expected = nearest === null ? {} : { expected: `'${nearest}'` };
  const msg = `${where}no ${what} is called '${shortName(name)}'; ${wayOut}`;
  faults.add(path, 'literal_error', msg, name, { ...expected, ...place });
}

const WAYS_OUT = {
  field: 'the catalogue of fields lists them all',
  computed: `what is computed is defined under 'computed'`,
} as const;

function nearestOf(name: string, kind: Operand['kind'], { fields, computed }: Names): string | null {
  return nearestName(
    name,
    kind === 'field' ? fields.keys() : Array.from(computed, (each) => COMPUTED + each),
  );
}

import { distance } from 'fastest-levenshtein';

/** Maximum length of a name that gets a suggestion. */
const LENGTH_MAX = 80;

/**
 * The name that a caller most likely meant, or null: of those with the same last part (`rsi_14` for `technical.rsi_14`)
 * the nearest, else the one with the fewest letters to change, at most about a third of them, in the whole name or its
 * last parts, else the shortest whose last part starts with the caller's (`rsi`).
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  if (name.length === 0 || name.length > LENGTH_MAX) return null;
  const given = name.toLowerCase();
  const known = Array.from(names, (each) => ({ name: each, lower: each.toLowerCase() }));
  const end = lastParts(given, 1);
  const sameEnd = known.filter(({ lower }) => lastParts(lower, 1) === end);
  if (sameEnd.length > 0) return minBy(sameEnd, ({ lower }) => distance(given, lower));
  return (
    fewestChanges(given, known) ??
    minBy(
      known.filter(({ lower }) => end.length > 1 && lastParts(lower, 1).startsWith(end)),
      ({ lower }) => lower.length,
    )
  );
}

interface KnownName {
  readonly name: string;
  readonly lower: string;
}

function fewestChanges(given: string, known: readonly KnownName[]): string | null {
  const parts = given.split('.').length;
  let nearest: string | null = null;
  let fewest = Math.ceil(given.length / 3) + 1;
  for (const { name, lower } of known) {
    // Missing parts cost a little, so that of equally near names the whole one wins.
    const changes = Math.min(distance(given, lower), distance(given, lastParts(lower, parts)) + 0.5);
    if (changes < fewest) [nearest, fewest] = [name, changes];
  }
  return nearest;
}

const lastParts = (name: string, count: number): string => name.split('.').slice(-count).join('.');

function minBy(known: readonly KnownName[], of: (name: KnownName) => number): string | null {
  const figures = known.map(of);
  return known[figures.indexOf(Math.min(...figures))]?.name ?? null;
}
