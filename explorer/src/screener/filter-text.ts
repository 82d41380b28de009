/**
 * A screen as text: `technical.rsi_14 < 35 and (rel_volume > 1.5 or gex_regime = short_gamma) and not halted = true`.
 * `and` binds closer than `or`; a value is a number, a word, a quoted text, `true`, `false` or another field in braces;
 * `in (a, b)`, `between 1 and 2`, `is null` and `is not null` are as in SQL.
 */

export type Value = string | number | boolean;

export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | {
      readonly field: string;
      readonly op: string;
      readonly value?: Value | readonly Value[];
      readonly other?: string;
    };

/** Where a text stops making sense, as a place in it. */
export class FilterFault extends Error {
  override readonly name = 'FilterFault';
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const TOKEN = /\s*(<=|>=|!=|[<>=(),{}]|"[^"]*"|[^\s<>=!(),{}"]+)/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const at = from + text.slice(from).search(/\S/);
      throw new FilterFault(at, `This is not understood: ${text.slice(at, at + 10)}`);
    }
    tokens.push({ text: match[1]!, at: TOKEN.lastIndex - match[1]!.length });
  }
  return tokens;
}

/** @throws FilterFault */
export function readFilter(text: string): Filter | null {
  const reader = new Reader(tokensOf(text), text.length);
  if (reader.isAtEnd) return null;
  const filter = reader.any();
  if (!reader.isAtEnd) throw reader.fault('Expected and, or, or the end');
  return filter;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #next = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  fault(message: string): FilterFault {
    const token = this.#tokens[this.#next];
    return new FilterFault(
      token?.at ?? this.#end,
      token === undefined ? `${message}, not the end` : `${message}, not ${token.text}`,
    );
  }

  any(): Filter {
    const parts = [this.#all()];
    while (this.#takes('or')) parts.push(this.#all());
    return parts.length === 1 ? parts[0]! : { any: parts };
  }

  #all(): Filter {
    const parts = [this.#one()];
    while (this.#takes('and')) parts.push(this.#one());
    return parts.length === 1 ? parts[0]! : { all: parts };
  }

  #one(): Filter {
    if (this.#takes('not')) return { not: this.#one() };
    if (!this.#takes('(')) return this.#condition();
    const inner = this.any();
    this.#expect(')');
    return inner;
  }

  #condition(): Filter {
    const field = this.#word('a field');
    if (this.#takes('is')) {
      const op = this.#takes('not') ? 'not_null' : 'is_null';
      this.#expect('null');
      return { field, op };
    }
    if (this.#takes('between')) {
      const low = this.#value();
      this.#expect('and');
      return { field, op: 'between', value: [low, this.#value()] };
    }
    const isNot = this.#takes('not');
    if (isNot || this.#peek() === 'in') {
      this.#expect('in');
      return { field, op: isNot ? 'not_in' : 'in', value: this.#values() };
    }
    const op = this.#peek() ?? '';
    if (!/^(?:<=?|>=?|!?=)$/.test(op)) throw this.fault('Expected <, <=, =, !=, >=, >, between, in or is');
    this.#next++;
    if (!this.#takes('{')) return { field, op, value: this.#value() };
    const other = this.#word('a field');
    this.#expect('}');
    return { field, op, other };
  }

  #values(): Value[] {
    this.#expect('(');
    const values = [this.#value()];
    while (this.#takes(',')) values.push(this.#value());
    this.#expect(')');
    return values;
  }

  #value(): Value {
    const text = this.#word('a value');
    if (text.startsWith('"')) return text.slice(1, -1);
    if (text === 'true' || text === 'false') return text === 'true';
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }

  #word(what: string): string {
    const text = this.#peek();
    if (text === undefined || /^[<>=!(),{}]/.test(text)) throw this.fault(`Expected ${what}`);
    this.#next++;
    return this.#tokens[this.#next - 1]!.text;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next]?.text;
  }

  #takes(text: string): boolean {
    if (this.#peek()?.toLowerCase() !== text) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.fault(`Expected ${text}`);
  }
}

const wordOf = (value: Value): string =>
  typeof value === 'string' && (/[\s(),{}"<>=!]/.test(value) || value === '' || !Number.isNaN(Number(value)))
    ? `"${value}"`
    : `${value}`;

/** The text of a filter, as `readFilter` reads it. */
export function writeFilter(filter: Filter, isInner = false): string {
  if ('all' in filter)
    return grouped(filter.all.map((part) => writeFilter(part, true)).join(' and '), isInner);
  if ('any' in filter)
    return grouped(filter.any.map((part) => writeFilter(part, true)).join(' or '), isInner);
  if ('not' in filter) return `not ${writeFilter(filter.not, true)}`;
  const { field, op, value, other } = filter;
  if (op === 'is_null') return `${field} is null`;
  if (op === 'not_null') return `${field} is not null`;
  if (other !== undefined) return `${field} ${op} {${other}}`;
  if (!Array.isArray(value)) return `${field} ${op} ${wordOf(value as Value)}`;
  const words = (value as readonly Value[]).map(wordOf);
  if (op === 'between') return `${field} between ${words.join(' and ')}`;
  return `${field} ${op.replace('_', ' ')} (${words.join(', ')})`;
}

const grouped = (text: string, isInner: boolean): string => (isInner ? `(${text})` : text);
