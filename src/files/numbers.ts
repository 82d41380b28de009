/** How sites and people write numbers, and the words by which they say that there is none. */

export type DecimalMark = '.' | ',';

const ABSENT = /^(|[-–—.]+|null|none|nil|nan|nat|n\/?a|#n\/a|undefined)$/i;

/** Whether a text says that there is no value: empty, `-`, `--`, `None`, `null`, `NaN`, `N/A`. */
export const isAbsent = (text: string): boolean => ABSENT.test(text.trim());

const CURRENCY = '(?:US\\$|USD|EUR|GBP|[$€£¥])';
const form = (digits: string) =>
  new RegExp(`^([-+−]?) ?${CURRENCY}? ?([-+−]?)(${digits})(e[-+]?\\d+)? ?([KMBT%]?) ?${CURRENCY}?$`, 'i');
const FORMS: Readonly<Record<DecimalMark, RegExp>> = {
  '.': form("\\d{1,3}(?:[,' ]\\d{3})+(?:\\.\\d*)?|\\d+(?:\\.\\d*)?|\\.\\d+"),
  ',': form("\\d{1,3}(?:[.' ]\\d{3})+(?:,\\d*)?|\\d+(?:,\\d*)?|,\\d+"),
};
const MARKS_OF_THOUSANDS: Readonly<Record<DecimalMark, RegExp>> = { '.': /[,' ]/g, ',': /[.' ]/g };
const POWERS: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12, '%': -2 };
/** What `toLocaleString` writes in numbers and before AM. */
export const NO_BREAK_SPACES = /[\u00a0\u2007\u2009\u202f]/g;

/**
 * The number that a text writes, NaN when it writes none: with a currency's sign before or behind it, marks of thousands,
 * `K`, `M`, `B` or `T` behind it (thousand to trillion), `%` (a hundredth), parentheses for minus.
 */
export function writtenNumber(text: string, mark: DecimalMark = '.'): number {
  const trimmed = text.replace(NO_BREAK_SPACES, ' ').trim();
  const inner = /^\((.+)\)$/.exec(trimmed)?.[1];
  const parts = FORMS[mark].exec((inner ?? trimmed).trim());
  if (parts === null) return Number.NaN;
  const [, outerSign = '', innerSign = '', digits = '', exponent = '', suffix = ''] = parts;
  const signs = outerSign + innerSign;
  if (signs.length > 1 || (inner !== undefined && signs !== '')) return Number.NaN;
  const plain = digits.replace(MARKS_OF_THOUSANDS[mark], '').replace(',', '.');
  const power = Number(exponent.slice(1)) + (POWERS[suffix.toUpperCase()] ?? 0);
  // One conversion of the text rounds once: 68.75M is 68750000 and no neighbour of it.
  const value = Number(`${plain}e${power}`);
  return inner !== undefined || /[-−]/.test(signs) ? -value : value;
}

/** What the numbers of a file show of its decimal mark. */
export type SeenMark = DecimalMark | 'both' | 'open';

/**
 * The decimal mark that some numbers of one file show. `1.234,5` and `12,5` have a comma, `1,234.5` and `12.5` a point;
 * `1,234` alone may be either, and a file with nothing else is `open`; `both` contradict each other.
 */
export function decimalMarkIn(texts: Iterable<string>): SeenMark {
  let point = false;
  let comma = false;
  let isOpen = false;
  for (const text of texts) {
    const shown = markIn(text);
    point ||= shown === '.';
    comma ||= shown === ',';
    isOpen ||= shown === 'open';
  }
  if (point && comma) return 'both';
  if (comma) return ',';
  // A lone `1.234` is a price of three decimals as long as no comma is about.
  return isOpen && !point ? 'open' : '.';
}

/** The decimal mark that one number shows; null where its point alone may be either, or it has none. */
function markIn(text: string): DecimalMark | 'open' | null {
  const digits = /\d[\d.,' ]*/.exec(text)?.[0] ?? '';
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return null;
  const behind = digits.slice(digits.lastIndexOf(last) + 1).replace(/\D/g, '').length;
  const isMixed = marks.some((mark) => mark !== last);
  const isDecimal = isMixed || (marks.length === 1 && behind !== 3);
  if (isDecimal || marks.length > 1) return (last === '.') === isDecimal ? '.' : ',';
  return last === ',' ? 'open' : null;
}

/** New shares for an old one: `2`, `0.1`, `10:1`, `3/2`, `2 for 1`; 0 where none is written, NaN for what is no split. */
export function writtenSplit(text: string, mark: DecimalMark = '.'): number {
  if (isAbsent(text)) return 0;
  const [, fresh, old] = /^([\d.,]+)\s*(?::|\/|for|-for-)\s*([\d.,]+)$/i.exec(text.trim()) ?? [];
  if (fresh === undefined || old === undefined) return writtenNumber(text, mark);
  // 0:1 is no split, and not the 0 by which a table says that there is none.
  return writtenNumber(fresh, mark) / writtenNumber(old, mark) || Number.NaN;
}
