import {
  type KnownField,
  LAST,
  nearAverages,
  nearSayings,
  PRICE,
  pathsOf,
  searchFields,
} from './field-words.ts';
import {
  ALONE,
  type Amount,
  amountOf,
  COMPARISONS,
  COMPUTED,
  CROSSES,
  FACTORS,
  FILLERS,
  JOINS,
  MIRRORED,
  MOVES,
  NEAR,
  NOTS,
  partOf,
  phraseOf,
  SAYINGS,
  TAIL,
  TIMES_VOLUME,
  UNKNOWN,
} from './trade-phrases.ts';

/**
 * A screen as a trader writes it: `gap > 3 % and above vwap`, `rsi below 30, not halted`, `last_price > levels.vwap`.
 * `and`, `with` and a comma bind closer than `or`; `in (a, b)`, `between 1 and 2`, `is null` and `is not null` are as in
 * SQL. What may mean two things is refused, with both.
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

/** `or more` and `or less` as one word, so that they begin no alternative. */
function withOrMore(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1]?.text.toLowerCase();
    const bound = before === 'or' ? BOUNDS[token.text.toLowerCase()] : undefined;
    const after = tokens[at + 1]?.text.toLowerCase();
    const isEnd = after === undefined || JOINS.has(after) || after === 'or' || after === ')';
    if (bound !== undefined && isEnd) return [{ text: bound, at: token.at }];
    const next = token.text.toLowerCase() === 'or' ? BOUNDS[after ?? ''] : undefined;
    const behind = tokens[at + 2]?.text.toLowerCase();
    const isMerged =
      next !== undefined && (behind === undefined || JOINS.has(behind) || behind === 'or' || behind === ')');
    return isMerged ? [] : [token];
  });
}
const BOUNDS: Readonly<Record<string, string>> = {
  more: '+',
  higher: '+',
  better: '+',
  greater: '+',
  less: 'or-less',
  lower: 'or-less',
};

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
  /** Whether a phrase ended before its words did: the next condition follows without a join. */
  #isSplit = false;
  /** The comparison of the price with a level that was read last; null behind any other condition. */
  #side: string | null = null;
  /** Where the condition begins that is read. */
  #start = 0;

  constructor(text: string, fields: readonly KnownField[]) {
    if (text.length > LENGTH_MAX)
      throw new FilterFault(LENGTH_MAX, `A screen has at most ${LENGTH_MAX} letters`);
    this.#text = text;
    this.#fields = fields;
    this.#tokens = fields.length === 0 ? tokensOf(text) : withOrMore(tokensOf(text));
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
    this.#side = sideOf(parts[0]!);
    while (JOINS.has(this.#peek()) || this.#isSplit || (this.#fields.length > 0 && this.#verb() !== null)) {
      this.#isSplit = false;
      // `, and` and `and with` join once.
      for (let joins = 0; joins < 2 && JOINS.has(this.#peek()); joins++) this.#next++;
      parts.push(this.#one());
      this.#side = sideOf(parts.at(-1)!);
    }
    this.#side = null;
    return parts.length === 1 ? parts[0]! : { all: parts };
  }

  #one(): Filter {
    if (this.#takesNot()) return { not: this.#one() };
    if (!this.#takes('(')) return this.#condition();
    const inner = this.#any();
    this.#expect(')');
    return inner;
  }

  /** `no` and its like, unless a comparison begins with it. */
  #takesNot(): boolean {
    if (!NOTS.has(this.#peek()) || this.#comparison() !== null) return false;
    if (this.#fields.length === 0 && this.#peek() !== 'not') return false;
    this.#next++;
    return true;
  }

  #condition(): Filter {
    if (this.#fields.length > 0) while (FILLERS.has(this.#peek())) this.#next++;
    const from = this.#next;
    this.#start = this.#tokens[from]?.at ?? this.#text.length;
    const subject = this.#wordsUntil(
      () =>
        this.#verb() !== null ||
        /^(?:between|within|[{}])$/.test(this.#peek()) ||
        this.#isIn() ||
        this.#isNotIn(),
    );
    const place = { at: this.#tokens[from]?.at ?? this.#text.length, length: this.#lengthSince(from) };
    if (this.#takes('within')) return IS_PRICE.test(subject) ? this.#within() : this.#due(subject, place);
    const comparison = this.#comparison();
    const cross = this.#cross();
    if (
      comparison === null &&
      cross === null &&
      this.#peek() !== 'between' &&
      !this.#isIn() &&
      !this.#isNotIn()
    )
      return this.#phrase(subject, place);
    const length = comparison?.length ?? cross?.length ?? 0;
    const size = amountOf(subject);
    if (
      comparison !== null &&
      /^[<>]$/.test(comparison.op) &&
      (size?.unit === 'percent' || size?.unit === 'ATR')
    )
      return this.#away('>=', size);
    if (length > 0 && this.#isWhole(subject, length)) return this.#phrase(subject, place);
    if (cross !== null) {
      this.#next += cross.length;
      return this.#crossed(subject, place, cross.op);
    }
    if (subject === '' && comparison === null && this.#peek() !== 'between')
      throw this.#fault('Expected a field');
    if (comparison !== null && this.#followsNull(comparison)) {
      this.#next += comparison.length + 1;
      return { field: this.#field(subject, place).path, op: comparison.op === '=' ? 'is_null' : 'not_null' };
    }
    if (this.#takes('between')) {
      const low = this.#operand();
      this.#expect('and');
      const high = this.#operand();
      const unit = amountOf(low.text)?.unit ?? amountOf(high.text)?.unit;
      const isPrice = subject === '' && unit === 'USD';
      const field = this.#field(isPrice ? PRICE : subject, place, unit);
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
    const averages = IS_PRICE.test(subject) ? this.#averages(priceOf(subject), op) : null;
    return averages ?? this.#comparedWith(subject, place, op, this.#operand());
  }

  /** `above the 20, 50 and 200 day sma`: the price against each; null where no such list follows. */
  #averages(price: string, op: string): Filter | null {
    const start = this.#next;
    this.#takes('the');
    const lengths: Operand[] = [];
    const isAll = this.#takes('all') || this.#takes('every');
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || !/^\d+$/.test(token.text)) break;
      lengths.push({ at: token.at, length: token.text.length, text: token.text, isQuoted: false });
      this.#next++;
      while (JOINS.has(this.#peek())) this.#next++;
    }
    const kind = this.#wordsUntil(() => this.#verb() !== null).replace(/^days? /, '');
    if (isAll && /^(?:(?:the|its) )?(?:mas|moving averages?)$/i.test(kind)) {
      const others = this.#fields.filter(({ path }) => AVERAGE.test(path));
      return { all: others.map(({ path }) => ({ field: price, op, other: path })) };
    }
    if (lengths.length < 2 || !/^(?:days?|[se]?mas?|moving averages?)$/i.test(kind)) {
      this.#next = start;
      return null;
    }
    const name = /^days?$/i.test(kind) ? 'sma' : kind;
    return {
      all: lengths.map((length) => ({
        field: price,
        op,
        other: this.#field(`${length.text} ${name}`, length).path,
      })),
    };
  }

  #comparedWith(subject: string, place: Place, op: string, written: Operand): Filter {
    const said = this.#fields.length === 0 ? written.text : written.text.replace(TAIL, '');
    const operand = written.isQuoted ? written : { ...written, text: said };
    const amount = operand.isQuoted ? null : amountOf(operand.text);
    const move = this.#fields.length === 0 ? null : moveOf(subject, written.text);
    if (move !== null) return this.#moved(move.move, op, move.amount, operand);
    const many = /^(\d+(?:\.\d+)?) ?(?:x|times)(?: (?:the |its )?(?:average|usual|normal))?$/i.exec(
      operand.text,
    );
    if (this.#fields.length > 0 && /^volume$/i.test(subject) && many !== null)
      return this.#volume(op, Number(many[1]));
    if (/^rvol$/i.test(subject) && amount !== null) return this.#volume(op, amount.number);
    if (this.#fields.length > 0 && /^volume$/i.test(subject) && USUAL.test(operand.text))
      return this.#volume(op, 1);
    if (
      subject === '' &&
      (amount?.unit === 'percent' || amount?.unit === 'ATR') &&
      this.#comparison() !== null
    )
      return this.#away(op, amount);
    if (subject === '') {
      const turned = amount === null && this.#fields.length > 0 ? this.#turned(operand) : null;
      if (turned !== null) return this.#comparedWith(turned.subject, operand, op, turned.operand);
      // A comparison alone is of the price, if what follows is a price.
      const isPrice = amount?.unit === 'USD' || (amount === null && this.#unitOf(operand) === 'USD');
      if (!isPrice && amount === null && this.#fields.length > 0) this.#field(operand.text, operand);
      if (!isPrice)
        throw new FilterFault(
          operand.at,
          `What is to be ${op} ${operand.text}? A price is written with its dollars`,
          operand.length,
          amount === null ? [] : [`$${amount.number}`],
        );
      subject = PRICE;
    }
    if (this.#fields.length > 0 && pathsOf(subject, this.#fields).length === 0) {
      const phrase = this.#firstPhrase(subject, place);
      if (phrase !== null) return phrase;
      // What is offered instead says the whole condition.
      const whole = { at: place.at, length: operand.at + operand.length - place.at };
      this.#unknown(subject, whole);
    }
    const field = this.#compares(this.#field(subject, place, amount?.unit), op, place);
    const isOrdered = /^[<>]/.test(op);
    const isOfDays = amount?.unit === 'days' && field.unit === 'USD';
    const isName =
      !operand.isQuoted &&
      !(this.#fields.length > 0 && /^\$?[\d.]+ (?:on|in) /.test(operand.text)) &&
      (amount === null || isOfDays) &&
      operand.text !== 'true' &&
      operand.text !== 'false';
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
    const other = this.#field(operand.text, operand, field.unit as Amount['unit']);
    const isAlike = isNumeric(field)
      ? isNumeric(other) && (field.unit === null || other.unit === null || field.unit === other.unit)
      : field.type === other.type;
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
    const known = phraseOf(said) ?? ALONE[said];
    if (known !== undefined) return this.#meaning(known);
    const bound = /^(.*?) ?([-+−]?\$?\.?\d.*?) ?(\+|or-less)$/.exec(said);
    if (bound !== null && amountOf(bound[2]!) !== null) {
      const operand = { ...place, text: bound[2]!, isQuoted: false };
      const isPrice = bound[1] === '' && amountOf(bound[2]!)!.unit === 'USD';
      return this.#comparedWith(
        isPrice ? 'price' : bound[1]!,
        place,
        bound[3] === '+' ? '>=' : '<=',
        operand,
      );
    }
    const moved = SIZED.exec(said);
    const move = moveOf(moved?.[1] ?? said, moved?.[2] ?? '');
    if (move !== null && moved !== null)
      return this.#moved(move.move, '>=', move.amount, { ...place, text: subject, isQuoted: false });
    const part = partOf(said);
    const way = part.field === null ? undefined : MOVES[part.rest];
    if (way !== undefined)
      return this.#moved([part.field!, way[1]], '>', NO_MOVE, { ...place, text: subject, isQuoted: false });
    const ahead = /^(.+?) in (?:the )?(?:next )?(\d+ days)$/.exec(said);
    if (ahead !== null) return this.#due(ahead[1]!, place, { ...place, text: ahead[2]!, isQuoted: false });
    const times = TIMES_VOLUME.exec(said);
    if (times !== null)
      return this.#volume('>=', times[1] === undefined ? FACTORS[times[2]!]! : Number(times[1]));
    const near = NEAR.exec(said);
    if (near !== null)
      throw new FilterFault(place.at, 'How near?', place.length, [
        `within 0.5 % of ${near[1]}`,
        `within 0.25 ATR of ${near[1]}`,
      ]);
    const paths = pathsOf(said, this.#fields);
    const field = paths.length === 1 ? this.#fields.find(({ path }) => path === paths[0]) : undefined;
    // `above vwap and 9 ema`: the price against both.
    if (field?.unit === 'USD' && this.#side !== null)
      return { field: PRICE, op: this.#side, other: field.path };
    if (field?.type === 'boolean') return { field: field.path, op: '=', value: true };
    if (paths.length === 0) {
      const phrase = this.#firstPhrase(subject, place);
      if (phrase !== null) return phrase;
      const [, words, size] = moved ?? [];
      if (words !== undefined && amountOf(size!) !== null && pathsOf(words, this.#fields).length > 0)
        throw new FilterFault(place.at, `Is ${words} to be above or below ${size}?`, place.length, [
          `${words} > ${size}`,
          `${words} < ${size}`,
        ]);
    }
    if (field === undefined) this.#field(subject, place);
    throw new FilterFault(place.at + place.length, `${subject} is compared with nothing: ${expected}`);
  }

  /** A phrase in names of fields. */
  #meaning(phrase: string): Filter {
    const read = readScreen(phrase, this.#fields);
    Object.assign(this.computed, read.computed);
    return read.filter!;
  }

  /** The longest phrase that words begin with, of which the rest is the next condition; null for none. */
  #firstPhrase(words: string, place: Place): Filter | null {
    const first = this.#tokens.findIndex(({ at }) => at === place.at);
    const count = words.split(' ').length;
    for (let length = count - 1; length > 0; length--) {
      const phrase = phraseOf(
        this.#tokens
          .slice(first, first + length)
          .map(({ text }) => text)
          .join(' '),
      );
      if (phrase === undefined || TAIL.test(` ${words.split(' ').slice(length).join(' ')}`)) continue;
      this.#next = first + length;
      this.#isSplit = true;
      return this.#meaning(phrase);
    }
    return null;
  }

  /** @throws FilterFault where words mean what no field says, with what does */
  #unknown(words: string, place: Place): void {
    const said = words.toLowerCase();
    const found = UNKNOWN.find(([pattern]) => pattern.test(said));
    if (found === undefined) return;
    // Behind a comparison only another field says the same.
    const isOperand = place.at !== this.#start;
    const near = isOperand
      ? found[2]
          .map((one) => one.replace(/^(?:above|below) /, ''))
          .filter((one) => pathsOf(one, this.#fields).length === 1)
      : found[2];
    throw new FilterFault(place.at, found[1], place.length, near);
  }

  /** `5 % gap`, `20m float`: the amount before its field. */
  #turned(operand: Operand): { readonly subject: string; readonly operand: Operand } | null {
    const words = operand.text.split(' ');
    const halves = words.slice(1).flatMap((_, at) => {
      const [first, last] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')];
      return [[first, last.replace(/^(?:of|in) /i, '')] as const, [last, first] as const];
    });
    for (const [amount, subject] of halves) {
      const isKnown = pathsOf(subject, this.#fields).length > 0 || moveOf(subject, amount) !== null;
      if (amountOf(amount) !== null && isKnown) return { subject, operand: { ...operand, text: amount } };
    }
    return null;
  }

  /** The price on one side of a level at the close before, and on the other now. */
  #crossed(subject: string, place: Place, op: '<' | '>'): Filter {
    const operand = this.#operand();
    const text = operand.text.replace(TAIL, '');
    const whole = { at: place.at, length: operand.at + operand.length - place.at };
    const side = op === '>' ? 'above' : 'below';
    const isPrice = IS_PRICE.test(subject);
    const amount = amountOf(text);
    if (isPrice && amount?.unit === 'USD')
      return {
        all: [
          { field: 'price.previous_close', op: MIRRORED[op]!, value: amount.number },
          { field: priceOf(subject), op, value: amount.number },
        ],
      };
    const level = isPrice ? this.#field(text, operand, 'USD') : null;
    if (level !== null && level.unit !== 'USD')
      throw new FilterFault(operand.at, `${level.path} is no price`, operand.length);
    if (level === null || !IS_OF_SESSION_BEFORE.test(level.path))
      throw new FilterFault(
        whole.at,
        `No field says when ${isPrice ? 'the price' : subject} crossed ${text}, only where it is now`,
        whole.length,
        [`${subject} ${side} ${text}`.trim()],
      );
    return {
      all: [
        { field: 'price.previous_close', op: MIRRORED[op]!, other: level.path },
        { field: priceOf(subject), op, other: level.path },
      ],
    };
  }

  /** Whether words say a condition by themselves, so that a comparison behind them begins the next one. */
  #isWhole(subject: string, comparisonLength: number): boolean {
    const said = subject.toLowerCase();
    if (this.#fields.length === 0 || said === '') return false;
    const start = this.#next;
    const next = this.#tokens[start + comparisonLength]?.text ?? '';
    const isNumber = /^[-+−]?\$?[\d.]/.test(next);
    const [, way, size] = SIZED.exec(said) ?? [];
    if (TIMES_VOLUME.test(said) || (way !== undefined && moveOf(way, size!) !== null)) return true;
    // What has a size of its own, or is a field, may go on: `gap up over 3 %`, `news sentiment > 0`.
    const goesOn =
      isNumber && (MOVES[partOf(said).rest] !== undefined || pathsOf(said, this.#fields).length > 0);
    if (phraseOf(said) !== undefined && !goesOn) return true;
    if (ALONE[said] === undefined || isNumber || next === '' || !/^[a-z]/i.test(this.#peek())) return false;
    this.#next = start + comparisonLength;
    const isOfPrices = !next.startsWith('{') && this.#unitOf(this.#operand()) === 'USD';
    this.#next = start;
    return isOfPrices;
  }

  #moved([field, sign]: (typeof MOVES)[string], op: string, amount: Amount, operand: Operand): Filter {
    if (amount.unit !== 'percent')
      throw new FilterFault(
        operand.at,
        `How much is ${amount.number}? A move is in percent`,
        operand.length,
        [`${operand.text} %`],
      );
    return {
      field: field.startsWith('computed.') ? this.#field(field, NOWHERE).path : field,
      op: sign === 1 ? op : (MIRRORED[op] ?? op),
      value: sign * amount.number + 0,
    };
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
      at: operand.at + operand.length - match[2]!.length,
      length: match[2]!.length,
    });
    if (level.unit !== 'USD') throw new FilterFault(operand.at, `${level.path} is no price`, operand.length);
    const isPercent = amount.unit === 'percent';
    const name = `from_${level.path.split('.').at(-1)!}_${isPercent ? 'pct' : 'atr'}`;
    this.computed[name] = isPercent
      ? `abs(${PRICE} - ${level.path}) / ${level.path} * 100`
      : `abs(${PRICE} - ${level.path}) / technical.atr_14`;
    return { field: `computed.${name}`, op: '<=', value: amount.number };
  }

  /** `more than 5 % above vwap`: how far the price is on that side of a level, which is computed. */
  #away(op: string, amount: Amount): Filter {
    const side = this.#comparison()!;
    this.#next += side.length;
    const operand = this.#operand();
    const level = this.#field(operand.text, operand, 'USD');
    if (level.unit !== 'USD') throw new FilterFault(operand.at, `${level.path} is no price`, operand.length);
    const isAbove = side.op.startsWith('>');
    const isPercent = amount.unit === 'percent';
    const name = `${isAbove ? 'above' : 'below'}_${level.path.split('.').at(-1)!}_${isPercent ? 'pct' : 'atr'}`;
    const gap = isAbove ? `(${PRICE} - ${level.path})` : `(${level.path} - ${PRICE})`;
    this.computed[name] = isPercent ? `${gap} / ${level.path} * 100` : `${gap} / technical.atr_14`;
    return { field: `computed.${name}`, op, value: amount.number };
  }

  /** `earnings within 5 days`: a day that is ahead, and not further than that. */
  #due(subject: string, place: Place, operand: Operand = this.#operand()): Filter {
    const field = this.#field(subject, place);
    const days = amountOf(operand.text);
    if (field.unit !== 'days' || days === null || (days.unit !== null && days.unit !== 'days'))
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
    if (paths.length === 1 && paths[0]!.startsWith('computed.')) return this.#field(paths[0]!, place);
    const meant = paths.map((path) => this.#fields.find((field) => field.path === path)!);
    if (meant.length === 1) return meant[0]!;
    const byUnit = unit === null || unit === undefined ? [] : meant.filter((field) => field.unit === unit);
    if (byUnit.length === 1) return byUnit[0]!;
    if (meant.length > 1)
      throw new FilterFault(place.at, `${words} may mean several things`, place.length, paths.slice(0, 5));
    this.#unknown(words, place);
    const isStart = place.at === this.#start;
    const slips = nearSayings(words, isStart ? SAYINGS : []);
    const averages = nearAverages(words, this.#fields);
    const near =
      averages.length > 0
        ? averages
        : slips.length > 0
          ? slips
          : searchFields(words, this.#fields, NEAR_SHOWN).map(({ path }) => path);
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
    const ofMinutes = /^(\S+(?: %)?),? (?:on|in) (.+)$/i.exec(text);
    if (isOfNumbers && ofMinutes !== null && amountOf(ofMinutes[1]!) !== null) {
      const why = UNKNOWN.find(([pattern]) => pattern.test(ofMinutes[2]!.toLowerCase()))?.[1];
      if (why !== undefined) throw new FilterFault(at, why, length, [ofMinutes[1]!]);
    }
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
      return this.#fields.length === 0 ? this.#peek() !== '%' : this.#verb() !== null;
    });
    if (text === '') throw this.#fault('Expected a value');
    const length = this.#fields.length === 0 ? null : this.#valueLength(text);
    if (length !== null) {
      this.#next = from + length;
      this.#isSplit = true;
      return {
        at: token!.at,
        length: this.#lengthSince(from),
        text: text.split(' ').slice(0, length).join(' '),
        isQuoted: false,
      };
    }
    return { at: token!.at, length: this.#lengthSince(from), text, isQuoted: false };
  }

  /** Of how many words the value is, where the rest begins the next condition: `$20 up`; null where all are of it. */
  #valueLength(text: string): number | null {
    const words = text.split(' ');
    const isKnown = (said: string): boolean =>
      amountOf(said) !== null || pathsOf(said, this.#fields).length > 0;
    if (isKnown(text.replace(TAIL, ''))) return null;
    for (let length = words.length - 1; length > 0; length--) {
      const rest = words.slice(length).join(' ').toLowerCase();
      const [, way, size] = SIZED.exec(rest) ?? [];
      const isMove = MOVES[partOf(rest).rest] !== undefined;
      const begins =
        (way !== undefined && moveOf(way, size!) !== null) ||
        (isMove ? this.#verb() !== null : phraseOf(rest) !== undefined || NEAR.test(rest));
      if (begins && isKnown(words.slice(0, length).join(' '))) return length;
    }
    return null;
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

  /** What stands between a subject and what it is compared with, or a cross. */
  #verb(): { readonly op: string; readonly length: number } | null {
    return this.#comparison() ?? this.#cross();
  }

  #cross(): { readonly op: '<' | '>'; readonly length: number } | null {
    if (this.#fields.length === 0) return null;
    for (const [words, op] of CROSSES) {
      const length = this.#lengthOf(words);
      if (length > 0) return { op, length };
    }
    return null;
  }

  /** How many tokens words are that come next; 0 where they do not. */
  #lengthOf(words: string): number {
    const parts = words.split(' ');
    return parts.every((part, at) => this.#tokens[this.#next + at]?.text.toLowerCase() === part)
      ? parts.length
      : 0;
  }

  #comparison(): { readonly op: string; readonly length: number } | null {
    const before = this.#tokens[this.#next - 1]?.text.toLowerCase();
    const isFirst = before === undefined || before === 'or' || before === '(' || JOINS.has(before);
    for (const [words, op] of COMPARISONS) {
      // `min volume 1m`, but `on the 5 min chart`.
      if (/^m(?:in|ax)/.test(words) && !isFirst) continue;
      const length = this.#lengthOf(words);
      if (length > 0) return { op, length };
    }
    return null;
  }

  #followsNull({ length }: { readonly length: number }): boolean {
    const [word, after] = [this.#tokens[this.#next], this.#tokens[this.#next + length]];
    return word?.text.toLowerCase() === 'is' && after?.text.toLowerCase() === 'null';
  }

  /** A list follows; with a catalogue `in` may also be a word of a phrase. */
  #isIn(): boolean {
    return this.#peek() === 'in' && (this.#fields.length === 0 || this.#tokens[this.#next + 1]?.text === '(');
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

/** Levels and averages that the sessions before have set. */
const IS_OF_SESSION_BEFORE =
  /^levels\.(?:pd[hlc]|prior_\w+|pivot_\w+|cpr_\w+)$|^technical\.moving_averages\.|^gex_gamma_flip$/;

/** `up 3 %`, `rsi 30`: words and a size. */
const SIZED = /^(.+?) ([-+−]?\$?\.?\d.*)$/;

/** The comparison of the price with a level; null for any other condition. */
const sideOf = (filter: Filter): string | null =>
  'field' in filter && (filter.field === PRICE || filter.field === LAST) && filter.other !== undefined
    ? filter.op
    : null;

const IS_PRICE = /^(?:|(?:the )?(?:last[ _])?price)$/i;

/** The field that a word for the price means: the last price where it says so. */
const priceOf = (subject: string): string => (/last/i.test(subject) ? LAST : PRICE);

const USUAL = /^(?:the |its )?(?:average|usual|normal)(?: volume)?$/i;

const AVERAGE = /^technical\.moving_averages\./;

const NO_MOVE: Amount = { number: 0, unit: 'percent' };

/** The move that words name with its size, of the part of the day that either names; null for none. */
function moveOf(
  subject: string,
  size: string,
): { readonly move: (typeof MOVES)[string]; readonly amount: Amount } | null {
  const [said, sized] = [partOf(subject.toLowerCase()), partOf(size)];
  const move = MOVES[said.rest];
  const amount = amountOf(sized.rest);
  if (move === undefined || amount === null) return null;
  const part = said.field ?? sized.field;
  // A gap is of the day as it is.
  const isOwn = part === null || part === 'price.change_pct';
  return { move: isOwn ? move : [part, move[1]], amount };
}

const NOWHERE: Place = { at: 0, length: 0 };

interface Operand extends Place {
  readonly text: string;
  readonly isQuoted: boolean;
}

const isNumeric = ({ type }: KnownField): boolean => type === 'number' || type === 'integer';

const KEYWORD =
  /^(?:and|or|not|in|is|between|with|but|within|over|under|above|below|more|less|at|no|equals|greater|then|while|plus)$/i;

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
