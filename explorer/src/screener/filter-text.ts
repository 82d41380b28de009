import { type KnownField, pathsOf, searchFields } from './field-words.ts';
import {
  type Amount,
  amountOf,
  COMPARISONS,
  COMPUTED,
  FACTORS,
  JOINS,
  MIRRORED,
  MOVES,
  PHRASES,
  TIMES_VOLUME,
} from './trade-phrases.ts';

/**
 * A screen as a trader writes it: `gap > 3 % and above vwap`, `rsi below 30, not halted`, `last_price > levels.vwap`.
 * `and`, `with` and a comma bind closer than `or`; `in (a, b)`, `between 1 and 2`, `is null` and `is not null` are as in
 * SQL. What may mean two things is refused, with both.
 */

type Value = string | number | boolean;

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

/** A filter, and the computed numbers that its words need, by name. */
export interface Read {
  readonly filter: Filter | null;
  readonly computed: Readonly<Record<string, string>>;
}

/** Where a text stops making sense, as a place in it, and what may be written there instead. */
export class FilterFault extends Error {
  override readonly name = 'FilterFault';
  readonly at: number;
  readonly length: number;
  readonly instead: readonly string[];

  constructor(at: number, message: string, length = 0, instead: readonly string[] = []) {
    super(message);
    this.at = at;
    this.length = length;
    this.instead = instead;
  }
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(<=|>=|!=|[≤≥≠]|[-+−]?\$?\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?[kmb]?|[<>=(),{}&]|"[^"]*"|%(?!b\b)|[^\s<>=!≤≥≠(),{}"&%]+|%b\b)/giy;

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

/**
 * Without a catalogue names are taken as they are written.
 *
 * @throws FilterFault
 */
export function readScreen(text: string, fields: readonly KnownField[] = []): Read {
  const reader = new Reader(text, fields);
  return { filter: reader.whole(), computed: reader.computed };
}

export const readFilter = (text: string, fields: readonly KnownField[] = []): Filter | null =>
  readScreen(text, fields).filter;

/** Long enough for some hundred conditions, and short enough for parentheses alone. */
const LENGTH_MAX = 4000;
const NEAR_SHOWN = 3;
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text);

class Reader {
  readonly computed: Record<string, string> = {};
  readonly #tokens: readonly Token[];
  readonly #text: string;
  readonly #fields: readonly KnownField[];
  #next = 0;

  constructor(text: string, fields: readonly KnownField[]) {
    if (text.length > LENGTH_MAX)
      throw new FilterFault(LENGTH_MAX, `A screen has at most ${LENGTH_MAX} letters`);
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#fields = fields;
  }

  whole(): Filter | null {
    if (this.#isAtEnd) return null;
    const filter = this.#any();
    if (!this.#isAtEnd) throw this.#fault('Expected and, or, or the end');
    return filter;
  }

  get #isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  #fault(message: string): FilterFault {
    const token = this.#tokens[this.#next];
    return new FilterFault(
      token?.at ?? this.#text.length,
      token === undefined ? `${message}, not the end` : `${message}, not ${token.text}`,
    );
  }

  #any(): Filter {
    const parts = [this.#all()];
    while (this.#takes('or')) parts.push(this.#all());
    return parts.length === 1 ? parts[0]! : { any: parts };
  }

  #all(): Filter {
    const parts = [this.#one()];
    // `gap up over 3 % above vwap`: a comparison begins what follows without a join.
    while (JOINS.has(this.#peek()) || (this.#fields.length > 0 && this.#comparison() !== null)) {
      // `, and` and `and with` join once.
      for (let joins = 0; joins < 2 && JOINS.has(this.#peek()); joins++) this.#next++;
      parts.push(this.#one());
    }
    return parts.length === 1 ? parts[0]! : { all: parts };
  }

  #one(): Filter {
    if (this.#takes('not')) return { not: this.#one() };
    if (!this.#takes('(')) return this.#condition();
    const inner = this.#any();
    this.#expect(')');
    return inner;
  }

  #condition(): Filter {
    const from = this.#next;
    const subject = this.#wordsUntil(
      () =>
        this.#comparison() !== null || /^(?:between|in|within|[{}])$/.test(this.#peek()) || this.#isNotIn(),
    );
    const place = { at: this.#tokens[from]?.at ?? this.#text.length, length: this.#lengthSince(from) };
    if (this.#takes('within')) return subject === '' ? this.#within() : this.#due(subject, place);
    const comparison = this.#comparison();
    if (comparison === null && !/^(?:between|in)$/.test(this.#peek()) && !this.#isNotIn())
      return this.#phrase(subject, place);
    if (comparison !== null && this.#isWhole(subject, comparison.length)) return this.#phrase(subject, place);
    if (subject === '' && comparison === null) throw this.#fault('Expected a field');
    if (comparison !== null && this.#followsNull(comparison)) {
      this.#next += comparison.length + 1;
      return { field: this.#field(subject, place).path, op: comparison.op === '=' ? 'is_null' : 'not_null' };
    }
    if (this.#takes('between')) {
      const low = this.#operand();
      this.#expect('and');
      const high = this.#operand();
      const field = this.#field(subject, place, amountOf(low.text)?.unit ?? amountOf(high.text)?.unit);
      return { field: field.path, op: 'between', value: [this.#value(field, low), this.#value(field, high)] };
    }
    if (comparison === null) {
      const isNot = this.#takes('not');
      this.#expect('in');
      const field = this.#field(subject, place);
      return { field: field.path, op: isNot ? 'not_in' : 'in', value: this.#values(field) };
    }
    this.#next += comparison.length;
    return this.#compared(subject, place, comparison.op);
  }

  #compared(subject: string, place: Place, op: string): Filter {
    if (this.#takes('{')) {
      const operand = this.#operand();
      this.#expect('}');
      return this.#withOther(this.#compares(this.#field(subject, place), op, place), op, operand);
    }
    const operand = this.#operand();
    const amount = operand.isQuoted ? null : amountOf(operand.text);
    const move = this.#fields.length === 0 ? undefined : MOVES[subject.toLowerCase()];
    if (move !== undefined && amount !== null) return this.#moved(move, op, amount, operand);
    const many = /^(\d+(?:\.\d+)?) ?(?:x|times)(?: (?:the |its )?(?:average|usual|normal))?$/i.exec(
      operand.text,
    );
    if (this.#fields.length > 0 && /^volume$/i.test(subject) && many !== null)
      return this.#volume(op, Number(many[1]));
    if (/^rvol$/i.test(subject) && amount !== null) return this.#volume(op, amount.number);
    if (subject === '') {
      // A comparison alone is of the price, if what follows is a price.
      const isPrice = amount?.unit === 'USD' || (amount === null && this.#unitOf(operand) === 'USD');
      if (!isPrice)
        throw new FilterFault(
          operand.at,
          `What is to be ${op} ${operand.text}? A price is written with its dollars`,
          operand.length,
          amount === null ? [] : [`$${amount.number}`],
        );
      subject = 'last_price';
    }
    const field = this.#compares(this.#field(subject, place, amount?.unit), op, place);
    const isOrdered = /^[<>]/.test(op);
    const isName =
      !operand.isQuoted && amount === null && operand.text !== 'true' && operand.text !== 'false';
    if (isName && !isDate(operand.text) && (this.#fields.length === 0 ? isOrdered : isNumeric(field)))
      return this.#withOther(field, op, operand);
    return { field: field.path, op, value: this.#value(field, operand) };
  }

  /** The field, unless its values have no order and are asked for one. */
  #compares(field: KnownField, op: string, place: Place): KnownField {
    if (this.#fields.length > 0 && /^[<>]/.test(op) && (field.type === 'text' || field.type === 'boolean'))
      throw new FilterFault(place.at, `${field.path} has no order to be ${op}`, place.length);
    return field;
  }

  /** A field against another of its kind. */
  #withOther(field: KnownField, op: string, operand: Operand): Filter {
    const other = this.#field(operand.text, operand);
    const isAlike = isNumeric(field) ? isNumeric(other) : field.type === other.type;
    if (this.#fields.length > 0 && !isAlike)
      throw new FilterFault(operand.at, `${other.path} is not compared with ${field.path}`, operand.length);
    return { field: field.path, op, other: other.path };
  }

  /** What has no comparison: a phrase of the trade, a move with its size, or a field that is true. */
  #phrase(subject: string, place: Place): Filter {
    if (subject === '') throw this.#fault('Expected a field');
    const expected = 'Expected <, <=, =, !=, >=, >, between, in or is';
    if (this.#fields.length === 0) {
      const [first, second] = this.#text.slice(place.at).split(/\s+/);
      if (second === undefined || subject === first) throw this.#fault(expected);
      throw new FilterFault(place.at + first!.length + 1, `${expected}, not ${second}`);
    }
    const said = subject.toLowerCase().replaceAll(/\s+/g, ' ');
    const known = PHRASES[said];
    if (known !== undefined) {
      const read = readScreen(known, this.#fields);
      Object.assign(this.computed, read.computed);
      return read.filter!;
    }
    const moved = /^([a-z ]+?) ([-+−]?\$?[\d.].*)$/.exec(said);
    const move = moved === null ? undefined : MOVES[moved[1]!];
    const amount = moved === null ? null : amountOf(moved[2]!);
    if (move !== undefined && amount !== null)
      return this.#moved(move, '>=', amount, { ...place, text: subject, isQuoted: false });
    const times = TIMES_VOLUME.exec(said);
    if (times !== null)
      return this.#volume('>=', times[1] === undefined ? FACTORS[times[2]!]! : Number(times[1]));
    const near = /^near (.+)$/.exec(said);
    if (near !== null)
      throw new FilterFault(place.at, 'How near?', place.length, [
        `within 0.5 % of ${near[1]}`,
        `within 0.25 ATR of ${near[1]}`,
      ]);
    const paths = pathsOf(said, this.#fields);
    const field = paths.length === 1 ? this.#fields.find(({ path }) => path === paths[0]) : undefined;
    if (field?.type === 'boolean') return { field: field.path, op: '=', value: true };
    if (field === undefined) this.#field(subject, place);
    throw new FilterFault(place.at + place.length, `${subject} is compared with nothing: ${expected}`);
  }

  /** Whether words say a condition by themselves, so that a comparison behind them begins the next one. */
  #isWhole(subject: string, comparisonLength: number): boolean {
    const said = subject.toLowerCase();
    if (this.#fields.length === 0) return false;
    const next = this.#tokens[this.#next + comparisonLength]?.text ?? '';
    return TIMES_VOLUME.test(said) || (PHRASES[said] !== undefined && !/^[-+−]?\$?[\d.]/.test(next));
  }

  #moved([field, sign]: (typeof MOVES)[string], op: string, amount: Amount, operand: Operand): Filter {
    if (amount.unit !== 'percent')
      throw new FilterFault(
        operand.at,
        `How much is ${amount.number}? A move is in percent`,
        operand.length,
        [`${operand.text} %`],
      );
    return { field, op: sign === 1 ? op : (MIRRORED[op] ?? op), value: sign * amount.number };
  }

  #volume(op: string, times: number): Filter {
    return { field: this.#field('computed.volume_over_average', NOWHERE).path, op, value: times };
  }

  /** `within 0.5 % of pdh`, `within 0.25 ATR of vwap`: the distance of the price, which is computed. */
  #within(): Filter {
    const operand = this.#operand();
    const match = /^(.+?) (?:of|from) (.+)$/i.exec(operand.text);
    if (match === null)
      throw new FilterFault(operand.at, 'Within what of which level?', operand.length, ['0.5 % of vwap']);
    const amount = amountOf(match[1]!);
    if (amount === null || (amount.unit !== 'percent' && amount.unit !== 'ATR'))
      throw new FilterFault(operand.at, 'A distance is in percent or ATR', match[1]!.length, [
        '0.5 %',
        '0.25 ATR',
      ]);
    const level = this.#field(match[2]!, {
      at: operand.at + operand.text.length - match[2]!.length,
      length: match[2]!.length,
    });
    if (level.unit !== 'USD') throw new FilterFault(operand.at, `${level.path} is no price`, operand.length);
    const isPercent = amount.unit === 'percent';
    const name = `from_${level.path.split('.').at(-1)!}_${isPercent ? 'pct' : 'atr'}`;
    this.computed[name] = isPercent
      ? `abs(last_price - ${level.path}) / ${level.path} * 100`
      : `abs(last_price - ${level.path}) / technical.atr_14`;
    return { field: `computed.${name}`, op: '<=', value: amount.number };
  }

  /** `earnings within 5 days`: a day that is ahead, and not further than that. */
  #due(subject: string, place: Place): Filter {
    const field = this.#field(subject, place);
    const operand = this.#operand();
    const days = amountOf(operand.text);
    if (field.unit !== 'days' || days === null || days.unit !== null)
      throw new FilterFault(operand.at, `${field.path} has no days to be within`, operand.length);
    return { field: field.path, op: 'between', value: [0, days.number] };
  }

  /** The one field that words mean, by the unit of what it is compared with where they leave it open. */
  #field(words: string, place: Place, unit?: Amount['unit']): KnownField {
    if (words === '') throw new FilterFault(place.at, 'Expected a field');
    const asWritten = { path: words, type: 'text', unit: null, description: '', words: null } as const;
    if (words.startsWith('computed.')) {
      const name = words.slice('computed.'.length);
      const expression = COMPUTED[name];
      if (expression !== undefined) this.computed[name] = expression;
      return { ...asWritten, type: 'number' };
    }
    if (this.#fields.length === 0) return asWritten;
    const paths = pathsOf(words, this.#fields);
    const meant = paths.map((path) => this.#fields.find((field) => field.path === path)!);
    if (meant.length === 1) return meant[0]!;
    const byUnit = unit === null || unit === undefined ? [] : meant.filter((field) => field.unit === unit);
    if (byUnit.length === 1) return byUnit[0]!;
    if (meant.length > 1)
      throw new FilterFault(place.at, `${words} may mean several things`, place.length, paths.slice(0, 5));
    const near = searchFields(words, this.#fields, NEAR_SHOWN).map(({ path }) => path);
    const search = near.length === 0 ? '; + condition searches them by meaning' : '';
    throw new FilterFault(place.at, `No field is called ${words}${search}`, place.length, near);
  }

  /** The unit of a field that words surely mean. */
  #unitOf({ text }: Operand): string | null {
    const [path, ...others] = pathsOf(text, this.#fields);
    return others.length > 0 ? 'USD' : (this.#fields.find((field) => field.path === path)?.unit ?? null);
  }

  #value(field: KnownField, operand: Operand): Value {
    const { text, at, length, isQuoted } = operand;
    const isOfNumbers = isNumeric(field);
    if (isQuoted && !isOfNumbers && field.type !== 'boolean' && field.words === null) return text;
    if (!isOfNumbers && (text === 'true' || text === 'false')) return text === 'true';
    const amount = isQuoted ? null : amountOf(text);
    if (amount !== null && (isOfNumbers || this.#fields.length === 0)) {
      if (this.#fields.length === 0 || amount.unit === null || field.path.startsWith('computed.'))
        return amount.number;
      if (amount.unit === 'percent' && field.unit === 'fraction') return amount.number / 100;
      if (amount.unit === field.unit || (amount.unit === 'times' && field.unit === 'ratio'))
        return amount.number;
      throw new FilterFault(at, `${field.path} is in ${field.unit ?? 'no unit'}, and not ${text}`, length, [
        `${amount.number}`,
      ]);
    }
    if (this.#fields.length > 0 && field.type === 'boolean')
      throw new FilterFault(at, `${field.path} is true or false`, length, ['true', 'false']);
    if (this.#fields.length > 0 && isOfNumbers)
      throw new FilterFault(at, `${field.path} is a number, and “${text}” is none`, length);
    if ((field.type === 'date' || field.type === 'instant') && !isDate(text))
      throw new FilterFault(at, `${field.path} is a date, such as 2026-01-31`, length);
    if (field.words === null) return text;
    const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
    const known = field.words.find((one) => one.toLowerCase() === word);
    if (known === undefined)
      throw new FilterFault(at, `${field.path} is never “${text}”`, length, field.words.slice(0, 6));
    return known;
  }

  #values(field: KnownField): Value[] {
    this.#expect('(');
    const values: Value[] = [];
    do {
      const operand = this.#operand();
      if (!operand.isQuoted && /\d,\d{3}/.test(operand.text))
        throw new FilterFault(operand.at, 'Put a space after each comma of a list', operand.length, [
          operand.text.replaceAll(',', ', '),
        ]);
      values.push(this.#value(field, operand));
    } while (this.#takes(','));
    this.#expect(')');
    return values;
  }

  /** What a comparison is with: a quoted text, or all words up to the next condition. */
  #operand(): Operand {
    const token = this.#tokens[this.#next];
    if (token?.text.startsWith('"') === true) {
      this.#next++;
      return { at: token.at, length: token.text.length, text: token.text.slice(1, -1), isQuoted: true };
    }
    const from = this.#next;
    // Without a catalogue a value is one word.
    const text = this.#wordsUntil(() => {
      if (this.#next === from) return false;
      return this.#fields.length === 0 ? this.#peek() !== '%' : this.#comparison() !== null;
    });
    if (text === '') throw this.#fault('Expected a value');
    return { at: token!.at, length: this.#lengthSince(from), text, isQuoted: false };
  }

  #wordsUntil(stops: () => boolean): string {
    const from = this.#next;
    while (!this.#isAtEnd) {
      const text = this.#peek();
      if (JOINS.has(text) || text === 'or' || /^[<>=(){}"]/.test(text) || text === '!=' || stops()) break;
      this.#next++;
    }
    return this.#tokens
      .slice(from, this.#next)
      .map(({ text }) => text)
      .join(' ');
  }

  #lengthSince(from: number): number {
    const [first, last] = [this.#tokens[from], this.#tokens[this.#next - 1]];
    return first === undefined || last === undefined || this.#next <= from
      ? 0
      : last.at + last.text.length - first.at;
  }

  #comparison(): { readonly op: string; readonly length: number } | null {
    for (const [words, op] of COMPARISONS) {
      const parts = words.split(' ');
      if (parts.every((part, at) => this.#tokens[this.#next + at]?.text.toLowerCase() === part))
        return { op, length: parts.length };
    }
    return null;
  }

  #followsNull({ length }: { readonly length: number }): boolean {
    const [word, after] = [this.#tokens[this.#next], this.#tokens[this.#next + length]];
    return word?.text.toLowerCase() === 'is' && after?.text.toLowerCase() === 'null';
  }

  #isNotIn(): boolean {
    return this.#peek() === 'not' && this.#tokens[this.#next + 1]?.text.toLowerCase() === 'in';
  }

  #peek(): string {
    return this.#tokens[this.#next]?.text.toLowerCase() ?? '';
  }

  #takes(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#fault(`Expected ${text}`);
  }
}

interface Place {
  readonly at: number;
  readonly length: number;
}

const NOWHERE: Place = { at: 0, length: 0 };

interface Operand extends Place {
  readonly text: string;
  readonly isQuoted: boolean;
}

const isNumeric = ({ type }: KnownField): boolean => type === 'number' || type === 'integer';

const KEYWORD =
  /^(?:and|or|not|in|is|between|with|but|within|over|under|above|below|more|less|at|no|equals|greater)$/i;

/** A text is quoted unless it reads as one word; after < and > it is quoted always, since a bare one is a field. */
const wordOf = (value: Value, isOrdered: boolean): string =>
  typeof value === 'string' &&
  (isOrdered
    ? !isDate(value)
    : !/^[a-z][\w.-]*$/i.test(value) || KEYWORD.test(value) || /^(?:true|false)$/.test(value))
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
  const isOrdered = /^[<>]/.test(op);
  if (op === 'is_null') return `${field} is null`;
  if (op === 'not_null') return `${field} is not null`;
  if (other !== undefined) return `${field} ${op} ${isOrdered ? other : `{${other}}`}`;
  if (!Array.isArray(value)) return `${field} ${op} ${wordOf(value as Value, isOrdered)}`;
  const words = (value as readonly Value[]).map((one) => wordOf(one, op === 'between'));
  if (op === 'between') return `${field} between ${words.join(' and ')}`;
  return `${field} ${op.replace('_', ' ')} (${words.join(', ')})`;
}

const grouped = (text: string, isInner: boolean): string => (isInner ? `(${text})` : text);
