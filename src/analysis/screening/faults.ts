import type { ScreenFault } from './screen.ts';

/** Maximum number of reported faults. */
const FAULTS_MAX = 100;

/** Where in the body of a request. */
export type Path = readonly (string | number)[];
type Context = Readonly<Record<string, unknown>>;

/** Faults of a request, in the words of pydantic 2. */
export class Faults {
  readonly list: ScreenFault[] = [];

  /** True when further faults are dropped. */
  get full(): boolean {
    return this.list.length >= FAULTS_MAX;
  }

  add(path: Path, type: string, msg: string, input: unknown, ctx: Context = {}): void {
    if (this.full) return;
    const fault = { path: path.map(shortStep), type, msg, input: shown(input) };
    this.list.push(Object.keys(ctx).length === 0 ? fault : { ...fault, ctx });
  }

  missing(path: Path, parent: unknown, why = ''): void {
    this.add(path, 'missing', `Field required${why}`, parent);
  }

  wrongType(path: Path, expected: keyof typeof TYPES, input: unknown, why = ''): void {
    const { type, noun } = TYPES[expected];
    this.add(path, type, `Input should be a valid ${noun}${why}`, input);
  }

  notAmong(path: Path, words: readonly string[], input: unknown): void {
    const expected = listed(words);
    this.add(path, 'literal_error', `Input should be ${expected}`, input, { expected });
  }

  tooLong(path: Path, max: number, length: number, input: unknown): void {
    const ctx = { field_type: 'List', max_length: max, actual_length: length };
    this.add(path, 'too_long', `List should have at most ${plural(max, 'item')}, not ${length}`, input, ctx);
  }

  tooShort(path: Path, input: unknown): void {
    const ctx = { field_type: 'List', min_length: 1, actual_length: 0 };
    this.add(path, 'too_short', 'List should have at least 1 item, not 0', input, ctx);
  }

  textTooLong(path: Path, max: number, input: string): void {
    const msg = `String should have at most ${plural(max, 'character')}`;
    this.add(path, 'string_too_long', msg, input, { max_length: max });
  }

  wrongValue(path: Path, why: string, input: unknown, ctx: Context = {}): void {
    this.add(path, 'value_error', why, input, { error: why, ...ctx });
  }
}

const TYPES = {
  text: { type: 'string_type', noun: 'string' },
  number: { type: 'float_type', noun: 'number' },
  integer: { type: 'int_type', noun: 'integer' },
  boolean: { type: 'bool_type', noun: 'boolean' },
  list: { type: 'list_type', noun: 'list' },
  record: { type: 'dict_type', noun: 'dictionary' },
} as const;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `'a', 'b' or 'c'`. */
function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** Characters of a name that a fault repeats. */
const NAME_SHOWN_MAX = 100;

/** A name of the caller, cut for a fault. */
export const shortName = (name: string): string =>
  name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name;

const shortStep = (step: string | number): string | number =>
  typeof step === 'string' ? shortName(step) : step;

/** Characters and values of an offending input that a fault repeats. */
const SHOWN_MAX = 1_000;

/** The input, or a note in its place where it is large. */
function shown(input: unknown): unknown {
  const ahead = [input];
  for (let seen = 0; ahead.length > 0; ) {
    const one = ahead.pop();
    if (typeof one === 'string') seen += one.length;
    else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        seen += 1 + name.length;
        if (seen > SHOWN_MAX) break;
        ahead.push((one as Record<string, unknown>)[name]);
      }
    }
    if (seen > SHOWN_MAX) return '(too large to be repeated)';
  }
  return input;
}
