import type { WrittenDate } from './quantity.ts';
import type { Token } from './tokens.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = new Map(
  'january february march april may june july august september october november december sept'
    .split(' ')
    .flatMap((name) => [name, name.slice(0, 3)])
    .map((name) => [name, MONTHS.indexOf(name.slice(0, 3)) + 1]),
);
/** They are words of other meanings too. */
const ALSO_WORDS = new Set(['may', 'march', 'mar']);
const ORDINALS = new Set(['st', 'nd', 'rd', 'th']);
const BEFORE_DATES = new Set([
  'on',
  'by',
  'of',
  'since',
  'until',
  'till',
  'dated',
  'from',
  'through',
  'before',
  'after',
  'as',
]);
const DAY_MAX = 31;
const DAY_MS = 86_400_000;
const CENTURY = 2000;

/**
 * The date that begins at a token: `2026-08-28`, `8/28/2026`, `August 28`, `Aug. 28, 2026`, `28 August 2026`. A date
 * without a year is the one nearest to the trade date.
 */
export function dateAt(tokens: readonly Token[], at: number, tradeDate: string): WrittenDate | null {
  const token = tokens[at]!;
  if (token.kind === 'number') {
    return isoDate(tokens, at) ?? slashDate(tokens, at, tradeDate) ?? dayFirst(tokens, at, tradeDate);
  }
  return token.kind === 'word' ? monthFirst(tokens, at, tradeDate) : null;
}

function isoDate(tokens: readonly Token[], at: number): WrittenDate | null {
  const [year, one, month, two, day] = tokens.slice(at, at + 5);
  if (day === undefined || year!.text.length !== 4 || !isWhole(month!, 2) || !isWhole(day, 2)) return null;
  if (one!.text !== '-' || two!.text !== '-' || !areTight([one!, month!, two!, day])) return null;
  return { from: at, to: endOfInstant(tokens, at + 5), date: existing(year!.text, month!.text, day.text) };
}

/** The time of day that may follow: `T20:00:00Z`. */
function endOfInstant(tokens: readonly Token[], start: number): number {
  if (!/^t\d/.test(tokens[start]?.text ?? '') || tokens[start]!.gap !== 'none') return start;
  let end = start + 1;
  for (; end < tokens.length && tokens[end]!.gap === 'none'; end++) {
    if (tokens[end]!.kind === 'mark' && !':+-'.includes(tokens[end]!.text)) break;
  }
  return end;
}

function slashDate(tokens: readonly Token[], at: number, tradeDate: string): WrittenDate | null {
  const [month, one, day, two, year] = tokens.slice(at, at + 5);
  if (day === undefined || one!.text !== '/' || !areTight([one!, day])) return null;
  if (!isWhole(month!, 1) || !isWhole(day, 1)) return null;
  const hasYear = year !== undefined && two!.text === '/' && areTight([two!, year]) && isWhole(year, 2);
  if (hasYear) {
    const written = year.text.length === 2 ? `${CENTURY + Number(year.text)}` : year.text;
    return { from: at, to: at + 5, date: existing(written, month!.text, day.text) };
  }
  if (!BEFORE_DATES.has(tokens[at - 1]?.text ?? '') || Number(month!.text) > 12) return null;
  return { from: at, to: at + 3, date: nearest(Number(month!.text), Number(day.text), tradeDate) };
}

/** Month and day, then a year where one follows. */
function monthFirst(tokens: readonly Token[], at: number, tradeDate: string): WrittenDate | null {
  const month = monthOf(tokens[at]!);
  if (month === null) return null;
  const place = tokens[at + 1]?.text === '.' ? at + 2 : at + 1;
  const day = tokens[place];
  if (day === undefined || !isDay(day)) return null;
  const end =
    ORDINALS.has(tokens[place + 1]?.text ?? '') && tokens[place + 1]!.gap === 'none' ? place + 2 : place + 1;
  if (tokens[end]?.gap === 'none' && (tokens[end]!.kind !== 'mark' || tokens[end]!.text === '%')) return null;
  const comma = tokens[end]?.text === ',' ? end + 1 : end;
  return withYear(tokens, { from: at, to: end }, comma, month, Number(day.text), tradeDate);
}

function dayFirst(tokens: readonly Token[], at: number, tradeDate: string): WrittenDate | null {
  const day = tokens[at]!;
  if (!isDay(day)) return null;
  let place = at + 1;
  if (ORDINALS.has(tokens[place]?.text ?? '') && tokens[place]!.gap === 'none') place++;
  if (tokens[place]?.text === 'of') place++;
  const month = tokens[place] === undefined ? null : monthOf(tokens[place]!);
  if (month === null || tokens[place]!.gap === 'none') return null;
  // `5 May 12` is no date and a number.
  const end = tokens[place + 1]?.text === '.' && tokens[place + 2]?.kind === 'number' ? place + 2 : place + 1;
  return withYear(tokens, { from: at, to: place + 1 }, end, month, Number(day.text), tradeDate);
}

function withYear(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  yearAt: number,
  month: number,
  day: number,
  tradeDate: string,
): WrittenDate {
  const year = tokens[yearAt];
  if (year !== undefined && isYear(year)) {
    return { from, to: yearAt + 1, date: existing(year.text, `${month}`, `${day}`) };
  }
  return { from, to, date: nearest(month, day, tradeDate) };
}

/** A whole number that is read as a year wherever nothing says otherwise. */
export const isYear = ({ kind, raw }: Token): boolean => kind === 'number' && /^(?:19|20)\d\d$/.test(raw);

export function monthOf({ kind, text, raw }: Token): number | null {
  if (kind !== 'word') return null;
  const month = MONTH.get(text) ?? null;
  return month !== null && ALSO_WORDS.has(text) && raw.charAt(0) === text.charAt(0) ? null : month;
}

const isDay = (token: Token): boolean =>
  isWhole(token, 1) && Number(token.text) >= 1 && Number(token.text) <= DAY_MAX;
const isWhole = ({ kind, raw }: Token, digits: number): boolean =>
  kind === 'number' && /^\d{1,4}$/.test(raw) && raw.length >= digits;
const areTight = (tokens: readonly Token[]): boolean => tokens.every(({ gap }) => gap === 'none');

function existing(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== date ? null : date;
}

function nearest(month: number, day: number, tradeDate: string): string | null {
  const year = Number(tradeDate.slice(0, 4));
  const now = Date.parse(tradeDate);
  const candidates = [year - 1, year, year + 1]
    .map((each) => existing(`${each}`, `${month}`, `${day}`))
    .filter((date) => date !== null);
  const [first = null] = candidates.sort(
    (one, other) => Math.abs(Date.parse(one) - now) - Math.abs(Date.parse(other) - now),
  );
  return first;
}

/** Calendar days later. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
