import {
  type KnownField,
  LAST,
  nearAverages,
  nearSayings,
  PRICE,
  pathsOf,
  searchFields,
} from './field-words.ts';
import { type Filter, FilterFault, isDate, type Read, type Value } from './filter.ts';
import { inFull, type Token, tokensOf } from './filter-tokens.ts';
import { isNumeric, type Operand, type Place, readValue } from './filter-value.ts';
import {
  ALONE,
  type Amount,
  amountOf,
  COMPARISONS,
  COMPUTED,
  CROSSES,
  FACTORS,
  FILLERS,
  HOUR,
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
 * `and`, `with` and a comma bind closer than `or`, except between phrases of one field: `up, energy or tech`.
 * `in (a, b)`, `between 1 and 2`, `is null` and `is not null` are as in SQL. What may mean two things is refused, with
 * both.
 */

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
const EXPECTED = 'Expected <, <=, =, !=, >=, >, between, in or is';

class Reader {
  readonly computed: Record<string, string> = {};
  readonly #tokens: readonly Token[];
  readonly #text: string;
  readonly #fields: readonly KnownField[];
  #next = 0;
  /** Whether a phrase ended before its words did: the next condition follows without a join. */
  #isSplit = false;
  /** The condition that was read last; null where one begins. */
  #before: Filter | null = null;
  /** Where the condition begins that is read. */
  #start = 0;

  constructor(text: string, fields: readonly KnownField[]) {
    if (text.length > LENGTH_MAX)
      throw new FilterFault(LENGTH_MAX, `A screen has at most ${LENGTH_MAX} letters`);
    this.#text = text;
    this.#fields = fields;
    this.#tokens = fields.length === 0 ? tokensOf(text) : inFull(tokensOf(text));
  }

  whole(): Filter | null {
    if (this.#isAtEnd) return null;
    const filter = this.#any();
    if (!this.#isAtEnd) throw this.#fault('Expected and, or, or the end');
    return filter;
  }

  /** Whether names are taken as they are written, for lack of a catalogue. */
  get #isFree(): boolean {
    return this.#fields.length === 0;
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
    this.#before = parts[0]!;
    while (JOINS.has(this.#peek()) || this.#isSplit || (!this.#isFree && this.#verb() !== null)) {
      this.#isSplit = false;
      // `, and` and `and with` join once.
      for (let joins = 0; joins < 2 && JOINS.has(this.#peek()); joins++) this.#next++;
      parts.push(this.#one());
      this.#before = parts.at(-1)!;
    }
    this.#before = null;
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
    if (this.#isFree && this.#peek() !== 'not') return false;
    this.#next++;
    return true;
  }

  #condition(): Filter {
    if (!this.#isFree) while (FILLERS.has(this.#peek())) this.#next++;
    const from = this.#next;
    this.#start = this.#tokens[from]?.at ?? this.#text.length;
    const subject = this.#wordsUntil(() => this.#verb() !== null || this.#beginsOther());
    const place = { at: this.#start, length: this.#lengthSince(from) };
    if (this.#takes('within')) return IS_PRICE.test(subject) ? this.#within() : this.#due(subject, place);
    const comparison = this.#comparison();
    if (comparison !== null) return this.#behind(subject, place, comparison);
    const cross = this.#cross();
    if (cross !== null) {
      if (this.#isWhole(subject, cross.length)) return this.#phrase(subject, place);
      this.#next += cross.length;
      return this.#crossed(subject, place, cross.op);
    }
    if (this.#takes('between')) return this.#between(subject, place);
    return this.#isIn() || this.#isNotIn() ? this.#among(subject, place) : this.#phrase(subject, place);
  }

  /** Whether what follows compares a field in another way than a verb does. */
  #beginsOther(): boolean {
    return /^(?:between|within|[{}])$/.test(this.#peek()) || this.#isIn() || this.#isNotIn();
  }

  /** A comparison that comes next, which may also be one of a distance, or begin the next condition. */
  #behind(subject: string, place: Place, comparison: Verb): Filter {
    const size = amountOf(subject);
    if (/^[<>]$/.test(comparison.op) && isDistance(size)) return this.#away('>=', size!);
    if (this.#isWhole(subject, comparison.length)) return this.#phrase(subject, place);
    if (this.#followsNull(comparison)) {
      this.#next += comparison.length + 1;
      return { field: this.#field(subject, place).path, op: comparison.op === '=' ? 'is_null' : 'not_null' };
    }
    this.#next += comparison.length;
    return this.#compared(subject, place, comparison.op);
  }

  #between(subject: string, place: Place): Filter {
    const first = this.#operand();
    this.#expect('and');
    const last = this.#operand();
    const turned = subject === '' && !this.#isFree ? this.#turned(last) : null;
    return this.#inRange(turned?.subject ?? subject, place, first, turned?.operand ?? last);
  }

  #inRange(subject: string, place: Place, first: Operand, high: Operand): Filter {
    const low = this.#isFree ? first : inUnitOf(first, high);
    const [moved, least] = [moveOf(subject, high.text), amountOf(low.text)];
    if (!this.#isFree && moved !== null && least !== null) {
      const [one, other] = [
        this.#moved(moved.move, '>=', least, low),
        this.#moved(moved.move, '<=', moved.amount, high),
      ];
      return { all: [one, other] };
    }
    const unit = amountOf(low.text)?.unit ?? amountOf(high.text)?.unit;
    const isPrice = subject === '' && unit === 'USD';
    const field = this.#compares(this.#field(isPrice ? PRICE : subject, place, unit), '>', place);
    const value = [readValue(field, low, this.#isFree), readValue(field, high, this.#isFree)];
    if (!this.#isFree && value[0]! > value[1]!)
      throw new FilterFault(low.at, `${low.text} is above ${high.text}`, high.at + high.length - low.at, [
        `${high.text} to ${low.text}`,
      ]);
    return { field: field.path, op: 'between', value };
  }

  #among(subject: string, place: Place): Filter {
    if (subject === '') throw this.#fault('Expected a field');
    const isNot = this.#takes('not');
    this.#expect('in');
    const field = this.#field(subject, place);
    return { field: field.path, op: isNot ? 'not_in' : 'in', value: this.#values(field) };
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
      lengths.push({ at: token.at, length: token.end - token.at, text: token.text, isQuoted: false });
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
    const said = this.#isFree ? written.text : written.text.replace(TAIL, '');
    const operand = written.isQuoted ? written : { ...written, text: said };
    const move = this.#isFree ? null : moveOf(subject, written.text);
    if (move !== null) return this.#moved(move.move, op, move.amount, operand);
    const times = timesOf(subject, operand, this.#isFree);
    if (times !== null) return this.#volume(op, times);
    if (subject === '') return this.#bare(place, op, operand);
    if (!this.#isFree && pathsOf(subject, this.#fields).length === 0) {
      if (MOVES[partOf(subject.toLowerCase()).rest] !== undefined) this.#refuseRest(operand);
      const phrase = this.#firstPhrase(subject, place);
      if (phrase !== null) return phrase;
      // What is offered instead says the whole condition, but a price is one of its own.
      const isOfPrice = amountOf(said)?.unit === 'USD' || this.#unitOf(operand) === 'USD';
      const length = operand.at + operand.length - place.at;
      this.#unknown(subject, isOfPrice ? place : { at: place.at, length });
    }
    return this.#withValue(subject, place, op, operand);
  }

  /** A comparison without a field: of a distance, of an amount before its field, or else of the price. */
  #bare(place: Place, op: string, operand: Operand): Filter {
    const amount = operand.isQuoted ? null : amountOf(operand.text);
    if (isDistance(amount) && this.#comparison() !== null) return this.#away(op, amount!);
    const turned = amount === null && !this.#isFree ? this.#turned(operand) : null;
    if (turned !== null) return this.#comparedWith(turned.subject, operand, op, turned.operand);
    const isPrice = amount?.unit === 'USD' || (amount === null && this.#unitOf(operand) === 'USD');
    if (isPrice) return this.#withValue(PRICE, place, op, operand);
    if (amount === null && !this.#isFree) {
      this.#refuseRest(operand, false);
      this.#field(operand.text, operand);
    }
    const whole = { at: place.at, length: operand.at + operand.length - place.at };
    throw new FilterFault(
      whole.at,
      `What is to be ${op} ${operand.text}? A price is written with its dollars`,
      whole.length,
      amount === null ? [] : this.#withSubject(this.#written(whole), amount),
    );
  }

  /** An amount with what it may be of: the price, the field that was named last, or what has its unit. */
  #withSubject(said: string, { unit }: Amount): string[] {
    if (unit !== null) return (OF_UNIT[unit] ?? []).map((subject) => `${subject} ${said}`);
    const before = this.#fields.find(({ path }) => path === fieldOf(this.#before));
    const isOther = before !== undefined && isNumeric(before) && before.unit !== 'USD';
    return [said.replace(/(?=[\d.])/, '$'), ...(isOther ? [`${before.path} ${said}`] : [])];
  }

  /** The words of a place as they were typed. */
  #written({ at, length }: Place): string {
    return this.#text.slice(at, at + length);
  }

  #isKnown(said: string): boolean {
    return amountOf(partOf(said).rest) !== null || pathsOf(said, this.#fields).length > 0;
  }

  /** @throws FilterFault where words behind a value say nothing: `30 on the 5 min chart`, `vwap all morning` */
  #refuseRest(operand: Operand, isOfField = true): void {
    if (operand.isQuoted || this.#isKnown(operand.text)) return;
    if (nearAverages(operand.text, this.#fields).length > 0) return;
    const words = operand.text.split(' ');
    for (let length = words.length - 1; length > 0; length--) {
      const [value, rest] = [words.slice(0, length).join(' '), words.slice(length).join(' ')];
      const isOpen = amountOf(value)?.unit === null && !isOfField;
      if (isOpen || !this.#isKnown(value) || pathsOf(value, this.#fields).length > 1) continue;
      const why = UNKNOWN.find(([pattern]) => pattern.test(rest.toLowerCase()))?.[1];
      throw new FilterFault(operand.at, why ?? `“${rest}” is not understood`, operand.length, [value]);
    }
  }

  /** A field against a value, or against the field that the words name. */
  #withValue(subject: string, place: Place, op: string, operand: Operand): Filter {
    const amount = operand.isQuoted ? null : amountOf(operand.text);
    const field = this.#compares(this.#field(subject, place, amount?.unit), op, place);
    if (!this.#isFree && isNumeric(field)) this.#refuseRest(operand);
    const isOfDays = amount?.unit === 'days' && field.unit === 'USD';
    const isName = (amount === null || isOfDays) && mayBeName(operand);
    if (isName && (this.#isFree ? /^[<>]/.test(op) : isNumeric(field)))
      return this.#withOther(field, op, operand);
    return { field: field.path, op, value: readValue(field, operand, this.#isFree) };
  }

  /** The field, unless its values have no order and are asked for one. */
  #compares(field: KnownField, op: string, place: Place): KnownField {
    if (!this.#isFree && /^[<>]/.test(op) && (field.type === 'text' || field.type === 'boolean'))
      throw new FilterFault(place.at, `${field.path} has no order to be ${op}`, place.length);
    return field;
  }

  /** A field against another of its kind. */
  #withOther(field: KnownField, op: string, operand: Operand): Filter {
    const other = this.#field(operand.text, operand, field.unit as Amount['unit']);
    const isAlike = isNumeric(field)
      ? isNumeric(other) && (field.unit === null || other.unit === null || field.unit === other.unit)
      : field.type === other.type;
    if (!this.#isFree && !isAlike)
      throw new FilterFault(operand.at, `${other.path} is not compared with ${field.path}`, operand.length);
    return { field: field.path, op, other: other.path };
  }

  /** What has no comparison: a phrase of the trade, a move with its size, or a field that is true. */
  #phrase(subject: string, place: Place): Filter {
    if (subject === '') throw this.#fault('Expected a field');
    if (this.#isFree) {
      const [first, second] = this.#text.slice(place.at).split(/\s+/);
      if (second === undefined || subject === first) throw this.#fault(EXPECTED);
      throw new FilterFault(place.at + first!.length + 1, `${EXPECTED}, not ${second}`);
    }
    const said = subject.toLowerCase().replaceAll(/\s+/g, ' ');
    const known = phraseOf(said) ?? ALONE[said];
    if (known !== undefined) return this.#alternatives(this.#meaning(known));
    return (
      this.#sized(said, subject, place) ??
      this.#counted(said, place) ??
      this.#stacked(said, place) ??
      this.#named(said, subject, place)
    );
  }

  /** `up 3 %`, `up premarket`. */
  #sized(said: string, subject: string, place: Place): Filter | null {
    const [, words] = SIZED.exec(said) ?? [];
    if (words !== undefined && MOVES[partOf(words).rest] !== undefined) {
      // The size ends where a condition begins: `up 3 % on news`.
      const end = this.#next;
      this.#next = this.#tokens.findIndex(({ at }) => at === place.at) + words.split(' ').length;
      const operand = this.#operand();
      const move = moveOf(words, operand.text);
      if (move !== null) return this.#moved(move.move, '>=', move.amount, operand);
      this.#refuseRest(operand);
      this.#next = end;
    }
    const { field, rest } = partOf(said);
    const way = field === null ? undefined : MOVES[rest];
    const operand = { ...place, text: subject, isQuoted: false };
    return way === undefined ? null : this.#moved([field!, way[1]], '>', NO_MOVE, operand);
  }

  /** `earnings in 5 days`, `twice the usual volume`. */
  #counted(said: string, place: Place): Filter | null {
    const [, due, days] = /^(.+?) in (?:the )?(?:next )?(\d+ days)$/.exec(said) ?? [];
    if (due !== undefined) return this.#due(due, place, { ...place, text: days!, isQuoted: false });
    const times = TIMES_VOLUME.exec(said);
    if (times === null) return null;
    return this.#volume('>=', times[1] === undefined ? FACTORS[times[2]!]! : Number(times[1]));
  }

  /** A field that is true, or a level that the price is on the side of that was named last. */
  #named(said: string, subject: string, place: Place): Filter {
    const near = NEAR.exec(said);
    if (near !== null)
      throw new FilterFault(place.at, 'How near?', place.length, [
        `within 0.5 % of ${near[1]}`,
        `within 0.25 ATR of ${near[1]}`,
      ]);
    const paths = pathsOf(said, this.#fields);
    const field = paths.length === 1 ? this.#fields.find(({ path }) => path === paths[0]) : undefined;
    // `above vwap and 9 ema`: the price against both.
    const side = this.#before === null ? null : sideOf(this.#before);
    if (field?.unit === 'USD' && side !== null) return { field: PRICE, op: side, other: field.path };
    if (field?.type === 'boolean') return { field: field.path, op: '=', value: true };
    if (paths.length === 0) {
      const phrase = this.#firstPhrase(subject, place);
      if (phrase !== null) return phrase;
      this.#refuseSize(said, place);
    }
    if (field === undefined) this.#field(subject, place);
    throw new FilterFault(place.at + place.length, `${subject} is compared with nothing: ${EXPECTED}`);
  }

  /** @throws FilterFault where words are a field and a size, and do not say on which side of it */
  #refuseSize(said: string, place: Place): void {
    const [, words, size] = SIZED.exec(said) ?? [];
    if (words === undefined || amountOf(size!) === null || pathsOf(words, this.#fields).length === 0) return;
    throw new FilterFault(place.at, `Is ${words} to be above or below ${size}?`, place.length, [
      `${words} > ${size}`,
      `${words} < ${size}`,
    ]);
  }

  /** A phrase in names of fields. */
  #meaning(phrase: string): Filter {
    const read = readScreen(phrase, this.#fields);
    Object.assign(this.computed, read.computed);
    return read.filter!;
  }

  /** `energy or tech`, `small or mid caps`: phrases of one field with `or` between them are one condition. */
  #alternatives(first: Filter): Filter {
    const any = [first];
    while ('field' in first && this.#takes('or')) {
      const from = this.#next;
      const text = this.#wordsUntil(() => this.#verb() !== null || this.#beginsOther());
      const known = phraseOf(text) ?? '';
      const next = known === '' ? null : this.#meaning(known);
      if (next !== null && 'field' in next && next.field === first.field) any.push(next);
      else {
        this.#next = from - 1;
        break;
      }
    }
    return any.length === 1 ? first : { any };
  }

  /** `stacked 9/20 emas`: each average above the next longer one. */
  #stacked(said: string, place: Place): Filter | null {
    const [, lengths, kind] = /^(?:stacked )?([\d/]+\/\d+) ([se]?ma)s?(?: stacked)?$/.exec(said) ?? [];
    if (lengths === undefined) return null;
    const names = lengths.split('/').map((length) => `${length} ${kind}`);
    const paths = names.map((name) => pathsOf(name, this.#fields)[0] ?? null);
    const near = names.map((name, at) => paths[at] ?? nearAverages(name, this.#fields)[0]!);
    const pairs = near.slice(1).map((longer, at) => `${near[at]} > ${longer}`);
    if (!paths.includes(null)) return this.#meaning(pairs.join(' and '));
    const missing = names.filter((_, at) => paths[at] === null).join(', ');
    throw new FilterFault(place.at, `There is no ${missing}`, place.length, [
      pairs.join(' and '),
      'trend stack',
    ]);
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
      const rest = words.split(' ').slice(length).join(' ');
      // An hour is of the phrase before it.
      if (phrase === undefined || ` ${rest}`.replace(TAIL, '') === '' || HOUR.test(rest)) continue;
      this.#next = first + length;
      this.#isSplit = true;
      return this.#alternatives(this.#meaning(phrase));
    }
    return null;
  }

  /** @throws FilterFault where words mean what no field says, with what does */
  #unknown(words: string, place: Place): void {
    const said = words.toLowerCase();
    const found = UNKNOWN.find(([pattern]) => pattern.test(said));
    if (found === undefined) return;
    const length = this.#lengthWithin(said, found[0], place);
    // Behind a comparison only another field says the same.
    const isOperand = place.at !== this.#start;
    const near = isOperand
      ? found[2]
          .map((one) => one.replace(/^(?:above|below) /, ''))
          .filter((one) => pathsOf(one, this.#fields).length === 1)
      : found[2];
    throw new FilterFault(place.at, found[1], length, near);
  }

  /** How much of a place words are about that match: `semis red on the day` ends with a condition of its own. */
  #lengthWithin(said: string, pattern: RegExp, place: Place): number {
    const { index, 0: matched } = pattern.exec(said)!;
    const words = said
      .slice(index + matched.length)
      .split(' ')
      .slice(1);
    const rests = words.map((_, at) => words.slice(at).join(' '));
    const rest = rests.find((one) => phraseOf(one) !== undefined || this.#begins(one));
    if (rest === undefined) return place.length;
    const count = said.split(' ').length - rest.split(' ').length;
    const first = this.#tokens.findIndex(({ at }) => at === place.at);
    return this.#tokens[first + count - 1]!.end - place.at;
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
    if (this.#isFree || said === '') return false;
    const next = this.#tokens[this.#next + comparisonLength]?.text ?? '';
    const isNumber = /^[-+−]?\$?[\d.]/.test(next);
    const [, way, size] = SIZED.exec(said) ?? [];
    if (TIMES_VOLUME.test(said) || (way !== undefined && this.#isMove(way, size!))) return true;
    // What has a size of its own, or is a field, may go on: `gap up over 3 %`, `news sentiment > 0`.
    const goesOn =
      isNumber &&
      !(next.startsWith('$') && /ers$/.test(said)) &&
      (MOVES[partOf(said).rest] !== undefined || pathsOf(said, this.#fields).length > 0);
    if (phraseOf(said) !== undefined && !goesOn) return true;
    return ALONE[said] !== undefined && !isNumber && this.#isOfPrices(next, comparisonLength);
  }

  /** `up 5 %`, also with a condition behind it: `up 5 % on news`. */
  #isMove(way: string, size: string): boolean {
    const isWay = MOVES[partOf(way).rest] !== undefined;
    return moveOf(way, size) !== null || (isWay && this.#valueLength(size) !== null);
  }

  /** Whether a comparison of so many words that comes next is with a price. */
  #isOfPrices(next: string, comparisonLength: number): boolean {
    if (next === '' || next.startsWith('{') || !/^[a-z]/i.test(this.#peek())) return false;
    const start = this.#next;
    this.#next += comparisonLength;
    const isOfPrices = this.#unitOf(this.#operand()) === 'USD';
    this.#next = start;
    return isOfPrices;
  }

  #moved([field, sign]: (typeof MOVES)[string], op: string, amount: Amount, operand: Operand): Filter {
    if (amount.unit !== 'percent')
      throw new FilterFault(
        operand.at,
        `How much is ${amount.number}? A move is in percent`,
        operand.length,
        [this.#written(operand).replace(/\$?([\d.]+)\w*/, '$1 %')],
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
    const written = /^(.+?)\s+(?:of|from)\s+(.+)$/i.exec(this.#written(operand));
    if (match === null)
      throw new FilterFault(operand.at, 'Within what of which level?', operand.length, ['0.5 % of vwap']);
    const amount = amountOf(match[1]!);
    if (amount === null || !isDistance(amount))
      throw new FilterFault(operand.at, 'A distance is in percent or ATR', written![1]!.length, [
        '0.5 %',
        '0.25 ATR',
      ]);
    const level = this.#field(match[2]!, {
      at: operand.at + operand.length - written![2]!.length,
      length: written![2]!.length,
    });
    return this.#distance('from', level, operand, '<=', amount);
  }

  /** `more than 5 % above vwap`: how far the price is on that side of a level, which is computed. */
  #away(op: string, amount: Amount): Filter {
    const side = this.#comparison()!;
    this.#next += side.length;
    const operand = this.#operand();
    const level = this.#field(operand.text, operand, 'USD');
    return this.#distance(side.op.startsWith('>') ? 'above' : 'below', level, operand, op, amount);
  }

  /** A computed distance of the price from a level, in percent of it or in ATR. */
  #distance(
    way: 'from' | 'above' | 'below',
    of: KnownField,
    place: Place,
    op: string,
    amount: Amount,
  ): Filter {
    const { path, unit } = of;
    if (unit !== 'USD') throw new FilterFault(place.at, `${path} is no price`, place.length);
    const isPercent = amount.unit === 'percent';
    // Each part of the day has a high.
    const level = path.split('.').slice(/^(?:price|level_ladder)\./.test(path) ? -2 : -1);
    const name = `${way}_${level.join('_')}_${isPercent ? 'pct' : 'atr'}`;
    const gaps = {
      from: `abs(${PRICE} - ${path})`,
      above: `(${PRICE} - ${path})`,
      below: `(${path} - ${PRICE})`,
    };
    this.computed[name] = `${gaps[way]} / ${isPercent ? `${path} * 100` : 'technical.atr_14'}`;
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
    const unnamed = { description: '', words: null, label: words, short_name: null, aliases: [] };
    const asWritten = { path: words, type: 'text', unit: null, ...unnamed } as const;
    if (words.startsWith('computed.')) {
      const name = words.slice('computed.'.length);
      const expression = COMPUTED[name];
      if (expression !== undefined) this.computed[name] = expression;
      return { ...asWritten, type: 'number' };
    }
    if (this.#isFree) return asWritten;
    const paths = pathsOf(words, this.#fields);
    if (paths.length === 1 && paths[0]!.startsWith('computed.')) return this.#field(paths[0]!, place);
    const meant = paths.map((path) => this.#fields.find((field) => field.path === path)!);
    if (meant.length === 1) return meant[0]!;
    const byUnit = unit === null || unit === undefined ? [] : meant.filter((field) => field.unit === unit);
    if (byUnit.length === 1) return byUnit[0]!;
    if (meant.length > 1)
      throw new FilterFault(place.at, `${words} may mean several things`, place.length, paths.slice(0, 5));
    this.#unknown(words, place);
    const near = this.#nearest(words, place.at === this.#start);
    const search = near.length === 0 ? '; + condition searches them by meaning' : '';
    throw new FilterFault(place.at, `No field is called ${words}${search}`, place.length, near);
  }

  /** What is meant by words with a slip, as far as it can be guessed. */
  #nearest(words: string, isStart: boolean): readonly string[] {
    const averages = nearAverages(words, this.#fields);
    if (averages.length > 0) return averages;
    const slips = nearSayings(words, isStart ? SAYINGS : [], this.#fields);
    return slips.length > 0 ? slips : searchFields(words, this.#fields, NEAR_SHOWN).map(({ path }) => path);
  }

  /** The unit of a field that words surely mean. */
  #unitOf({ text }: Operand): string | null {
    const [path, ...others] = pathsOf(text, this.#fields);
    return others.length > 0 ? 'USD' : (this.#fields.find((field) => field.path === path)?.unit ?? null);
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
      values.push(readValue(field, operand, this.#isFree));
    } while (this.#takes(','));
    this.#expect(')');
    return values;
  }

  /** What a comparison is with: a quoted text, or all words up to the next condition. */
  #operand(): Operand {
    const token = this.#tokens[this.#next];
    if (token?.text.startsWith('"') === true) {
      this.#next++;
      return { at: token.at, length: token.end - token.at, text: token.text.slice(1, -1), isQuoted: true };
    }
    const from = this.#next;
    // Without a catalogue a value is one word.
    const text = this.#wordsUntil(() => {
      if (this.#next === from) return false;
      return this.#isFree ? this.#peek() !== '%' : this.#verb() !== null;
    });
    if (text === '') throw this.#fault('Expected a value');
    const length = this.#isFree ? null : this.#valueLength(text);
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
    if (this.#isKnown(text.replace(TAIL, ''))) return null;
    for (let length = words.length - 1; length > 0; length--) {
      const rest = words.slice(length).join(' ').toLowerCase();
      if (this.#begins(rest) && this.#isKnown(words.slice(0, length).join(' '))) return length;
    }
    return null;
  }

  /** Whether words behind a value are a condition, or with the comparison that follows begin one. */
  #begins(rest: string): boolean {
    const [, way, size] = SIZED.exec(rest) ?? [];
    if (way !== undefined && moveOf(way, size!) !== null) return true;
    if (MOVES[partOf(rest).rest] !== undefined) return this.#verb() !== null;
    return phraseOf(rest) !== undefined || NEAR.test(rest) || TIMES_VOLUME.test(rest);
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
    return first === undefined || last === undefined || this.#next <= from ? 0 : last.end - first.at;
  }

  /** What stands between a subject and what it is compared with, or a cross. */
  #verb(): Verb | null {
    return this.#comparison() ?? this.#cross();
  }

  #cross(): { readonly op: '<' | '>'; readonly length: number } | null {
    if (this.#isFree) return null;
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

  #comparison(): Verb | null {
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
    return this.#peek() === 'in' && (this.#isFree || this.#tokens[this.#next + 1]?.text === '(');
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

/** What stands between a subject and what it is compared with, and of how many tokens it is. */
interface Verb {
  readonly op: string;
  readonly length: number;
}

/** What an amount without a field may be of. */
const OF_UNIT: Readonly<Partial<Record<NonNullable<Amount['unit']>, readonly string[]>>> = {
  percent: ['up', 'gap up', 'down'],
  times: ['rvol'],
  ATR: ['range'],
  shares: ['volume', 'float'],
};

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

/** The low end of a range in the unit of the high one, where it has none: `2-10b`, `3 to 5 %`. */
function inUnitOf(low: Operand, high: Operand): Operand {
  const text = `${low.text}${/\d( ?[a-z%].*)$/i.exec(high.text)?.[1] ?? ''}`;
  const isBare = !low.isQuoted && /^[-+−]?\$?[\d.,]+$/.test(low.text);
  return isBare && amountOf(text) !== null ? { ...low, text } : low;
}

const mayBeName = ({ text, isQuoted }: Operand): boolean =>
  !isQuoted && text !== 'true' && text !== 'false' && !isDate(text);

const fieldOf = (filter: Filter | null): string | null =>
  filter !== null && 'field' in filter ? filter.field : null;

const isDistance = (amount: Amount | null): boolean => amount?.unit === 'percent' || amount?.unit === 'ATR';

/** How many times its average the volume is to be; null where it is compared with something else. */
function timesOf(subject: string, { text, isQuoted }: Operand, isFree: boolean): number | null {
  const amount = isQuoted ? null : amountOf(text);
  const isVolume = !isFree && /^volume$/i.test(subject);
  const before = subject === '' ? TIMES_VOLUME.exec(text)?.[1] : undefined;
  if (before !== undefined) return Number(before);
  const many = /^(\d+(?:\.\d+)?) ?(?:x|times)(?: (?:the |its )?(?:average|usual|normal))?$/i.exec(text);
  if (isVolume && many !== null) return Number(many[1]);
  if (/^rvol$/i.test(subject) && amount !== null) return amount.number;
  return isVolume && USUAL.test(text) ? 1 : null;
}

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
