import type { Choices } from '../shared/api/queries.ts';

/** What is said of a file that is not read, in the fields of the page. */

export const LABELS: Readonly<Record<keyof Choices, string>> = {
  symbol: 'Symbol',
  interval: 'Length of a bar',
  stamps: 'Times are the',
  time_zone: 'Time zone',
  prices: 'Prices are',
  volumes: 'Volumes are',
  date_format: 'Dates begin with',
  final_through: 'Final through',
  known_at: 'Known at',
};

const SENTENCE_MAX = 400;
/** Where a reader quotes a file that is no text. */
const MARKUP = ['<?xml', '<html', '<!doctype', 'PK\u0003'];

function withoutMarkup(message: string): string {
  const low = message.toLowerCase();
  const begins = MARKUP.map((mark) => low.indexOf(mark.toLowerCase())).filter((at) => at >= 0);
  const end = Math.min(SENTENCE_MAX, ...begins);
  return end >= message.length ? message : `${message.slice(0, end).trimEnd()} …`;
}

/** Options of the command line by the fields of the page, and a question where a field answers it. */
export function inFields(message: string): string {
  const said = withoutMarkup(message)
    .replace(/,? or (?:with )?--file-name(?: [A-Z]+)?/g, '')
    .replaceAll('--no-volume', '--volumes unknown')
    .replace(/--([a-z-]+)/g, (option, name: string) => {
      const label = LABELS[name.replaceAll('-', '_') as keyof Choices];
      return label === undefined ? option : `“${label}”`;
    });
  if (/mentions no date/.test(message)) return 'What date is this table of?';
  if (message.includes('--time-zone') && message.includes('--stamps'))
    return `Which time zone are these times in, and do they mark a bar's start or its end? ${said}`;
  return said;
}
