import type { ImportChoice } from '../shared/api/queries.ts';

/** What is said of a file, in the words of the form. */

const SENTENCE_MAX = 400;
/** Where a reader quotes a file that is no text. */
const MARKUP = ['<?xml', '<html', '<!doctype', 'PK\u0003'];

function withoutMarkup(message: string): string {
  const low = message.toLowerCase();
  const begins = MARKUP.map((mark) => low.indexOf(mark)).filter((at) => at >= 0);
  const end = Math.min(SENTENCE_MAX, ...begins);
  return end >= message.length ? message : `${message.slice(0, end).trimEnd()} …`;
}

/** A sentence of the API with its fields, in backticks, by their labels. */
export function inLabels(sentence: string, choices: readonly ImportChoice[]): string {
  const labels = new Map<string, string>(choices.map(({ name, label }) => [name, label]));
  const parts = withoutMarkup(sentence).split('`');
  return parts.reduce((said, part, at) => {
    const label = at % 2 === 1 ? labels.get(part) : undefined;
    if (label !== undefined) return `${said}“${label}”`;
    return `${said}${at % 2 === 1 ? '`' : ''}${part}${at % 2 === 1 && at < parts.length - 1 ? '`' : ''}`;
  }, '');
}
