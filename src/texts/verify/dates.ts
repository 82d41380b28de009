import { dateOf, midnightUtc, midnightUtcOf } from '../../base/dates.ts';

/** A date of a text. */
export interface WrittenDate {
  readonly kind: 'date';
  readonly start: number;
  readonly end: number;
  /** YYYY-MM-DD; null where the calendar has no such day. */
  readonly date: string | null;
}

export const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DAY = '(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)(?![\\d%]|[.,]\\d)';
const START = '(?<![\\p{L}\\d./-])';
const END = '(?![\\p{L}\\d%/]|[.,]\\d)';

const PATTERNS = [
  `${START}(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)(?:t\\d[\\d:.+-]*z?)?(?!\\d)`,
  `${START}(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4}|\\d\\d)${END}`,
  `(?<=(?<!\\p{L})(?:on|by|of|since|until|till|dated|from|through|before|after|as) )(?<month>0?[1-9]|1[0-2])/(?<day>\\d{1,2})${END}`,
  `${START}(?<month>${MONTH})\\.? ${DAY}(?:,? ${YEAR})?${END}`,
  `${START}${DAY}(?: of)? (?<month>${MONTH})(?:[.,]{0,2} ${YEAR}|(?!\\p{L}))`,
].map((pattern) => new RegExp(pattern, 'gu'));

/**
 * The dates of a text: `2026-08-28`, `8/28/2026`, `on 8/28`, `August 28`, `Aug. 28, 2026`, `28 August 2026`. Without a
 * year the one nearest to the trade date. `may` and `march` are months only with a capital in `signs`.
 */
export function datesIn(lower: string, signs: string, tradeDate: string): WrittenDate[] {
  const found: WrittenDate[] = [];
  for (const pattern of PATTERNS) {
    for (const match of lower.matchAll(pattern)) {
      const { year, month, day } = match.groups as { year?: string; month: string; day: string };
      const [start, end] = [match.index, match.index + match[0].length];
      if (/^mar(?:ch)?$|^may$/.test(month) && !/\b(?:Ma[ry]|MA[RY])/.test(signs.slice(start, end))) continue;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const number = /\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3)) / 3 + 1;
      const instant =
        year === undefined
          ? nearest(number, Number(day), midnightUtc(tradeDate))
          : midnightUtcOf(Number(year.padStart(4, '20')), number, Number(day));
      const date = Number.isNaN(instant) ? null : dateOf(instant);
      found.push({ kind: 'date', start, end, date });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Midnight UTC of the day in the year that is nearest to an instant; NaN where no year has it. */
function nearest(month: number, day: number, to: number): number {
  const year = Number(dateOf(to).slice(0, 4));
  const instants = [year - 1, year, year + 1].map((each) => midnightUtcOf(each, month, day));
  const existing = instants.filter((instant) => !Number.isNaN(instant));
  return existing.sort((one, other) => Math.abs(one - to) - Math.abs(other - to))[0] ?? Number.NaN;
}
