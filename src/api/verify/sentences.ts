import type { Token } from './tokens.ts';
import { ABBREVIATIONS, CLAUSE_STARTS, LEADING_ON } from './words.ts';

/** For each token the number of its sentence and of its clause, and how deep in brackets it is. */
export interface Structure {
  readonly sentence: Uint32Array;
  readonly clause: Uint32Array;
}

/** Ends sentences, also those that only a line ends. */
export function structureOf(tokens: readonly Token[]): Structure {
  const sentence = new Uint32Array(tokens.length);
  const clause = new Uint32Array(tokens.length);
  let [sentences, clauses] = [0, 0];
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    if (before !== undefined && beginsSentence(token, before, tokens[at - 2])) {
      sentences++;
      clauses++;
    } else if (before !== undefined && beginsClause(token, before)) clauses++;
    sentence[at] = sentences;
    clause[at] = clauses;
  });
  return { sentence, clause };
}

function beginsSentence(token: Token, before: Token, earlier: Token | undefined): boolean {
  if (token.opensItem || token.gap === 'paragraph') return true;
  if (token.gap === 'line' && !leadsOn(token, before)) return true;
  if (before.text === ';') return true;
  if (before.text === '!' || before.text === '?') return token.gap !== 'none';
  if (before.text !== '.') return false;
  if (token.gap === 'none' && !startsWithCapital(token)) return false;
  // The point of a numbered item, or of a word cut short.
  return earlier === undefined || before.gap !== 'none' || !ABBREVIATIONS.has(earlier.text);
}

const startsWithCapital = ({ kind, raw, text }: Token): boolean =>
  kind === 'word' && raw.charAt(0) !== text.charAt(0);

/** True where a line only wraps. */
function leadsOn(token: Token, before: Token): boolean {
  if (before.kind === 'word' && LEADING_ON.has(before.text)) return true;
  return token.kind === 'word' && !startsWithCapital(token);
}

const beginsClause = (token: Token, before: Token): boolean =>
  before.text === ',' || before.text === '\u2014' || before.text === ':' || CLAUSE_STARTS.has(token.text);
