import { FUNCTIONS } from './functions.ts';
import type { Expression, Operand } from './screen.ts';

/**
 * Computed expressions as text, e.g. `(last_price - technical.vwap) / technical.daily_atr.14`, read into a tree that
 * only `compute.ts` can evaluate: there is no way from a text to the program's own names.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/") signed }
 *     signed  = "-" signed | value
 *     value   = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
 *     number  = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
 *     name    = word { "." part }, where only a part may begin with a digit
 */

/** Characters of an expression. */
export const TEXT_MAX = 2_000;
/** Numbers, names, operators and calls of an expression. */
export const EXPRESSION_NODES_MAX = 200;
/** Parentheses, calls and minus signs around a value. */
export const EXPRESSION_DEPTH_MAX = 32;

/** Before the name of another computed number. */
export const COMPUTED = 'computed.';

/** A name within an expression, and its offset. */
export interface Reference {
  readonly operand: Operand;
  readonly offset: number;
}

export interface ParsedExpression {
  readonly expression: Expression;
  readonly references: readonly Reference[];
}

/** Why a text is no expression. */
export class ExpressionFault extends Error {
  /** Characters (UTF-16) before the place. */
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.name = 'ExpressionFault';
    this.offset = offset;
  }
}

/**
 * The tree of an expression; its names are not looked up.
 *
 * @throws ExpressionFault with the first place at which the text is none
 */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > TEXT_MAX) {
    throw new ExpressionFault(TEXT_MAX, `an expression has at most ${TEXT_MAX} characters`);
  }
  const parser = new Parser(tokensOf(text));
  return { expression: parser.whole(), references: parser.references };
}

export function operandNamed(name: string): Operand {
  return name.startsWith(COMPUTED)
    ? { kind: 'computed', name: name.slice(COMPUTED.length) }
    : { kind: 'field', path: name };
}

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly offset: number;
}

const SPACES = ' \t\r\n';
const SIGNS = '+-*/(),';

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < text.length) {
    if (SPACES.includes(text[offset]!)) {
      offset++;
      continue;
    }
    const token = tokenAt(text, offset);
    tokens.push(token);
    offset += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', offset: text.length });
  return tokens;
}

function tokenAt(text: string, offset: number): Token {
  const first = text[offset]!;
  if (SIGNS.includes(first)) return { kind: 'sign', text: first, offset };
  if (isDigit(first)) return { kind: 'number', text: text.slice(offset, endOfNumber(text, offset)), offset };
  if (isLetter(first)) return { kind: 'name', text: text.slice(offset, endOfName(text, offset)), offset };
  const shown = String.fromCodePoint(text.codePointAt(offset)!);
  const instead = first === '^' ? '; write pow(a, b)' : '';
  throw new ExpressionFault(offset, `'${shown}' has no meaning here${instead}`);
}

function endOfNumber(text: string, start: number): number {
  let end = skip(text, start, isDigit);
  if (text[end] === '.') end = endOfDigits(text, end + 1);
  if (text[end] === 'e' || text[end] === 'E') {
    const signed = text[end + 1] === '+' || text[end + 1] === '-';
    end = endOfDigits(text, end + (signed ? 2 : 1));
  }
  const next = text[end];
  if (next !== undefined && (isWord(next) || next === '.')) {
    throw new ExpressionFault(end, `'${next}' cannot follow a number`);
  }
  if (!Number.isFinite(Number(text.slice(start, end)))) {
    throw new ExpressionFault(start, 'a number must be finite');
  }
  return end;
}

function endOfDigits(text: string, start: number): number {
  const end = skip(text, start, isDigit);
  if (end === start) throw new ExpressionFault(start, 'a digit is missing');
  return end;
}

function endOfName(text: string, start: number): number {
  let end = skip(text, start, isWord);
  while (text[end] === '.') {
    const part = end + 1;
    end = skip(text, part, isWord);
    if (end === part) throw new ExpressionFault(part, 'a name must go on after its dot');
  }
  return end;
}

/** The first place from `start` on whose character does not belong. */
function skip(text: string, start: number, belongs: (character: string) => boolean): number {
  for (let at = start; at < text.length; at++) if (!belongs(text[at]!)) return at;
  return text.length;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isLetter = (character: string): boolean =>
  (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character === '_';
const isWord = (character: string): boolean => isLetter(character) || isDigit(character);

/** One method for each rule of the grammar. Rules call each other no deeper than `EXPRESSION_DEPTH_MAX` allows. */
class Parser {
  readonly references: Reference[] = [];
  readonly #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#sum();
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator');
    return expression;
  }

  #sum(): Expression {
    let left = this.#product();
    while (this.#isSign('+') || this.#isSign('-'))
      left = this.#call(this.#take().text, [left, this.#product()]);
    return left;
  }

  #product(): Expression {
    let left = this.#signed();
    while (this.#isSign('*') || this.#isSign('/'))
      left = this.#call(this.#take().text, [left, this.#signed()]);
    return left;
  }

  #signed(): Expression {
    if (!this.#isSign('-')) return this.#value();
    this.#take();
    const negated = this.#deeper(() => this.#signed());
    return this.#call('-', [{ kind: 'constant', value: 0 }, negated]);
  }

  #value(): Expression {
    const { kind, text, offset } = this.#token;
    if (kind === 'number') {
      this.#take();
      return this.#node({ kind: 'constant', value: Number(text) });
    }
    if (kind === 'name') {
      this.#take();
      if (this.#isSign('(')) return this.#called(text, offset);
      const operand = operandNamed(text);
      this.references.push({ operand, offset });
      return this.#node(operand);
    }
    if (!this.#isSign('(')) throw this.#unexpected('a value');
    this.#take();
    const inner = this.#deeper(() => this.#sum());
    this.#close();
    return inner;
  }

  #called(name: string, offset: number): Expression {
    const known = FUNCTIONS.get(name);
    if (known === undefined) {
      const names = [...FUNCTIONS.keys()].join(', ');
      throw new ExpressionFault(offset, `no function is called '${short(name)}'; there are ${names}`);
    }
    this.#take();
    const of = [this.#deeper(() => this.#sum())];
    while (this.#isSign(',')) {
      this.#take();
      of.push(this.#deeper(() => this.#sum()));
    }
    this.#close();
    const { min, max } = known;
    if (of.length < min || of.length > max) {
      const count = max > min ? `${min} values or more` : min === 1 ? '1 value' : `${min} values`;
      throw new ExpressionFault(offset, `${name} takes ${count}, not ${of.length}`);
    }
    return this.#call(name, of);
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #take(): Token {
    return this.#tokens[this.#at++]!;
  }

  #isSign(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign;
  }

  #close(): void {
    if (!this.#isSign(')')) throw this.#unexpected(`an operator or ')'`);
    this.#take();
  }

  #deeper(rule: () => Expression): Expression {
    if (++this.#depth > EXPRESSION_DEPTH_MAX) {
      throw new ExpressionFault(this.#token.offset, `values may stand ${EXPRESSION_DEPTH_MAX} deep at most`);
    }
    const expression = rule();
    this.#depth--;
    return expression;
  }

  #call(name: string, of: readonly Expression[]): Expression {
    return this.#node({ kind: 'call', name, of });
  }

  #node(expression: Expression): Expression {
    if (++this.#nodes > EXPRESSION_NODES_MAX) {
      const offset = this.#tokens[this.#at - 1]!.offset;
      throw new ExpressionFault(
        offset,
        `an expression has at most ${EXPRESSION_NODES_MAX} numbers, names, operators and calls`,
      );
    }
    return expression;
  }

  #unexpected(expected: string): ExpressionFault {
    const { kind, text, offset } = this.#token;
    const actual = kind === 'end' ? 'the end' : `'${short(text)}'`;
    return new ExpressionFault(offset, `${expected} is expected, not ${actual}`);
  }
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
