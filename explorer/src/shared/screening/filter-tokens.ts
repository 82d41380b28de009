import { FilterFault } from './filter.ts';
import { byWord, COMPARISONS, JOINS } from './trade-phrases.ts';

/** The words, numbers and signs of a screen. */

export interface Token {
  readonly text: string;
  /** Its place in the text, which may have it shorter or longer. */
  readonly at: number;
  readonly end: number;
}

const TOKEN =
  /\s*(<=|>=|!=|[≤≥≠]|[-+−]?\$?\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?[kmb]?|[<>=(),{}&]|"[^"]*"|%(?!b\b)|[^\s<>=!≤≥≠(),{}"&%]+|%b\b)/giy;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const at = from + text.slice(from).search(/\S/);
      throw new FilterFault(at, `This is not understood: ${text.slice(at, at + 10)}`);
    }
    tokens.push({ text: match[1]!, at: TOKEN.lastIndex - match[1]!.length, end: TOKEN.lastIndex });
  }
  return tokens;
}

/** Short forms of words; two words are the short form of the second behind the first. */
const SHORT = byWord({
  volume: 'vol',
  // Volume or volatility.
  vol: 'high vol, low vol, implied vol',
  average: 'avg',
  market: 'mkt',
  premarket: 'pm, pre-market',
  earnings: 'er',
  tomorrow: 'tmrw, tmw, tmr',
  yesterday: 'yest, yday, yesterdays',
  prior: 'prev, previous',
  holding: 'holds, held',
  dollars: 'bucks',
  shares: 'shs',
  percent: 'pct',
  with: 'w/',
  above: 'abv',
  below: 'blw',
  between: 'btwn',
});

const BOUNDS = byWord({ '>=': 'more, higher, better, greater', '<=': 'less, lower' });
const AMOUNT = /^[-+−]?\$?(?:\d[\d,.]*|\.\d+)(?:[kmbx]|atr)?$/i;
const UNIT =
  /^(?:[%xkmb]|thousand|million|billion|percent|times|atr|dollars?|days?|sessions?|shares?|points?)$/i;
const RANGE = /^(\$?[\d.]+[kmb]?)[-–—](\$?[\d.]+[kmb]?)$/i;
const EQUALS = new Set(['=', 'is', 'equals']);
const COMPARES = new Set(COMPARISONS.map(([words]) => words.split(' ').at(-1)!));

/**
 * Tokens in the words that a screen is read by: short forms in full, `5 or more` and `5+` as `>= 5`, `2-20` and
 * `2 to 20` as `between 2 and 20`. What follows an equals sign is of the data, and stays as it is.
 */
export function inFull(tokens: readonly Token[]): Token[] {
  const full: Token[] = [];
  let isValue = false;
  for (let next = 0; next < tokens.length; next++) {
    const token = tokens[next]!;
    const said = token.text.toLowerCase();
    if (JOINS.has(said) || said === 'or' || said === ')') isValue = false;
    const taken = isValue ? 0 : boundAt(full, tokens, next) || rangeAt(full, tokens, next);
    if (taken > 0) next += taken - 1;
    else {
      const before = tokens[next - 1]?.text.toLowerCase();
      const text = isValue ? token.text : (SHORT[`${before} ${said}`] ?? SHORT[said] ?? token.text);
      full.push({ ...token, text });
    }
    isValue ||= said === '=' || said === '!=';
  }
  return full;
}

/** Where the amount begins that tokens end with, or what it is of; null where they end with none. */
function amountAt(full: readonly Token[], isOfField = false): number | null {
  let at = full.length - 1;
  const isPassed = (text: string): boolean =>
    UNIT.test(text) || (isOfField && /^[a-z]/i.test(text) && !JOINS.has(text) && text !== 'or');
  while (at > 0 && isPassed(full[at]!.text)) at--;
  return AMOUNT.test(full[at]?.text ?? '') ? at : null;
}

/** Reads `+` or `or more` behind an amount, and says of how many tokens it is. */
function boundAt(full: Token[], tokens: readonly Token[], next: number): number {
  const token = tokens[next]!;
  const [, amount] = /^(.*\d.*)\+$/.exec(token.text) ?? [];
  if (amount !== undefined && AMOUNT.test(amount)) full.push({ ...token, text: amount });
  const word = tokens[next + 1]?.text.toLowerCase() ?? '';
  const isMore = amount !== undefined || token.text === '+';
  const isSaid = token.text.toLowerCase() === 'or' && tokens[next + 2]?.text.toLowerCase() !== 'than';
  const op = isMore ? '>=' : isSaid ? BOUNDS[word] : undefined;
  const from = amountAt(full, isSaid);
  if (op === undefined || from === null) return 0;
  const taken = isMore ? 1 : 2;
  full.push({ ...full.pop()!, end: tokens[next + taken - 1]!.end });
  const [before, { at }] = [full[from - 1], full[from]!];
  const verb = before?.text.toLowerCase() ?? '';
  if (EQUALS.has(verb)) full[from - 1] = { ...before!, text: op };
  else if (!COMPARES.has(verb)) full.splice(from, 0, { text: op, at, end: at });
  return taken;
}

/** Reads `2-20`, or `to 20` behind an amount, and says of how many tokens it is. */
function rangeAt(full: Token[], tokens: readonly Token[], next: number): number {
  const { text, at, end } = tokens[next]!;
  const [, low, high] = RANGE.exec(text) ?? [];
  const isTo = /^(?:to|[-–—])$/i.test(text) && AMOUNT.test(tokens[next + 1]?.text ?? '');
  if (low !== undefined) full.push({ text: low, at, end: at + low.length });
  else if (!isTo) return 0;
  const from = amountAt(full);
  if (from === null) return 0;
  const before = full[from - 1]?.text.toLowerCase();
  const start = full[from]!.at;
  const between = { text: 'between', at: start, end: start };
  if (before === 'from' || before === 'in') full[from - 1] = { ...full[from - 1]!, text: 'between' };
  else if (before !== 'between') full.splice(from, 0, between);
  full.push({ text: 'and', at, end });
  if (high !== undefined) full.push({ text: high, at: end - high.length, end });
  return 1;
}
