import {
  COMPUTED,
  ExpressionFault,
  type ParsedExpression,
  parseExpression,
  type Reference,
  TEXT_MAX,
} from './expression.ts';
import type { Faults } from './faults.ts';
import { addUnknownName, knownAs, type Names } from './names.ts';
import type { Expression, Operand } from './screen.ts';

/** Computed numbers of a request. */
export const COMPUTED_MAX = 20;
/** Characters of the name of one. */
const NAME_MAX = 64;

/** The texts of `computed` with valid names, up to the maximum of a request. */
export function computedTexts(value: unknown, faults: Faults): ReadonlyMap<string, unknown> {
  const texts = new Map<string, unknown>();
  if (value === undefined || value === null) return texts;
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.wrongType(['computed'], 'record', value, ', expressions by name');
    return texts;
  }
  const entries = Object.entries(value);
  if (entries.length > COMPUTED_MAX) faults.tooLong(['computed'], COMPUTED_MAX, entries.length, value);
  for (const [name, text] of entries.slice(0, COMPUTED_MAX)) {
    if (name.length <= NAME_MAX && /^[A-Za-z][A-Za-z0-9_]*$/.test(name)) texts.set(name, text);
    else {
      const why = `a name has a letter first, then letters, digits and _, ${NAME_MAX} characters at most`;
      faults.wrongValue(['computed', name], why, name);
    }
  }
  return texts;
}

/** The expressions, each after those that it refers to. Those with faults are left out. */
export function checkComputed(
  texts: ReadonlyMap<string, unknown>,
  names: Names,
  faults: Faults,
): ReadonlyMap<string, Expression> {
  const parsed = new Map<string, ParsedExpression>();
  for (const [name, text] of texts) {
    const one = checkExpression(name, text, names, faults);
    if (one !== null) parsed.set(name, one);
  }
  return inOrder(parsed, texts, faults);
}

function checkExpression(name: string, text: unknown, names: Names, faults: Faults): ParsedExpression | null {
  const path = ['computed', name];
  if (typeof text !== 'string') {
    faults.wrongType(path, 'text', text, ', an expression');
    return null;
  }
  if (text.length > TEXT_MAX) {
    faults.textTooLong(path, TEXT_MAX, text);
    return null;
  }
  try {
    const parsed = parseExpression(text);
    for (const { operand, offset } of firstOfEach(parsed.references)) {
      const known = knownAs(operand, names);
      if (known === null) {
        addUnknownName(writtenAs(operand), path, names, faults, { offset });
      } else if (known.type !== 'number' && known.type !== 'integer') {
        const why = `At offset ${offset}: ${writtenAs(operand)} is of type ${known.type}; expressions take numbers`;
        faults.wrongValue(path, why, text, { offset });
      }
    }
    return parsed;
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    const { offset } = error;
    faults.wrongValue(path, `At offset ${offset}: ${error.message}`, text, { offset });
    return null;
  }
}

/** Each unknown name is reported once. */
function firstOfEach(references: readonly Reference[]): Iterable<Reference> {
  const first = new Map<string, Reference>();
  for (const each of references) {
    const name = writtenAs(each.operand);
    if (!first.has(name)) first.set(name, each);
  }
  return first.values();
}

const writtenAs = (operand: Operand): string =>
  operand.kind === 'field' ? operand.path : `${COMPUTED}${operand.name}`;

/** Depth-first along the references, at most one level for each name. */
function inOrder(
  parsed: ReadonlyMap<string, ParsedExpression>,
  texts: ReadonlyMap<string, unknown>,
  faults: Faults,
): ReadonlyMap<string, Expression> {
  const done = new Map<string, Expression>();
  const seen = new Set<string>();
  const walk = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) {
      const circle = [...way.slice(way.indexOf(name)), name].join(' -> ');
      faults.wrongValue(['computed', name], `the number refers to itself: ${circle}`, texts.get(name));
      return;
    }
    const one = parsed.get(name);
    if (one === undefined || seen.has(name)) return;
    for (const { operand } of firstOfEach(one.references)) {
      if (operand.kind === 'computed') walk(operand.name, [...way, name]);
    }
    seen.add(name);
    done.set(name, one.expression);
  };
  for (const name of parsed.keys()) walk(name, []);
  return done;
}
