import { FilterFault } from './filter.ts';
import { JOINS } from './trade-phrases.ts';

/** The words, numbers and signs of a screen. */

export interface Token {
  readonly text: string;
  readonly at: number;
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
    tokens.push({ text: match[1]!, at: TOKEN.lastIndex - match[1]!.length });
  }
  return tokens;
}

/** `or more` and `or less` as one word, so that they begin no alternative. */
export function withOrMore(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const word = (by: number): string | undefined => tokens[at + by]?.text.toLowerCase();
    const endsAt = (by: number): boolean => /^(?:or|\)|)$/.test(word(by) ?? '') || JOINS.has(word(by)!);
    const boundAt = (by: number): string | undefined =>
      word(by - 1) === 'or' && endsAt(by + 1) ? BOUNDS[word(by) ?? ''] : undefined;
    const bound = boundAt(0);
    if (bound !== undefined) return [{ text: bound, at: token.at }];
    return boundAt(1) === undefined ? [token] : [];
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
