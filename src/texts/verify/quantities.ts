import { COUNTS as NUMBER_WORDS } from '../glossary.ts';
import { MONTH } from './dates.ts';
import { NUMBER } from './read.ts';
import { DOWNWARD, UPWARD } from './words.ts';

/** Which side of a number is meant, where it is not the number itself. */
export type Bound = 'above' | 'below' | 'at least' | 'at most' | 'within';

/** A number of a text as it is written. */
export type Quantity = NonNullable<ReturnType<typeof quantityOf>>;

/** By the first letter of its word, or the first two. */
const MAGNITUDES: Readonly<Record<string, number>> = { k: 1e3, th: 1e3, m: 1e6, b: 1e9, t: 1e12 };
const MAGNITUDE_WORDS = 'thousand|mm|mn|mln|millions?|mio|bn|bln|billions?|tn|trn?|trillions?';

const UNITS = [
  ['percentage points', 'pp|ppts?|percent(?:age)? points?'],
  ['percent', '%|percent|pct|per cent'],
  ['percent', 'bps?|basis points?', 0.01],
  ['times', 'x|times'],
  ['USD', '(?:us )?dollars?|usd|bucks'],
  ['USD', 'cents?', 0.01],
  ['other currency', 'euros?|eur|gbp|pounds|yen|jpy|chf|cad'],
  ['shares', 'shares?'],
  ['days', '(?:trading |calendar )?days?'],
  ['days', 'weeks?', 7],
  ['minutes', 'minutes?|mins?'],
  ['minutes', 'hours?', 60],
  ['quarters', 'quarters?'],
  ['ATR', 'atrs?|average true ranges?'],
  ['points', 'points?|pts?|/(?:100|10|5)'],
  ['deviations', '(?:standard )?deviations?|sigmas?'],
  ['contracts', 'contracts?'],
  ['people', 'employees|people'],
] as const satisfies readonly (readonly [unit: string, words: string, scale?: number])[];

/** What a number of a text counts. */
export type WrittenUnit = (typeof UNITS)[number][0];

const UNIT_PATTERNS = UNITS.map(([unit, words, scale = 1]) => ({
  unit,
  scale,
  pattern: new RegExp(`^(?:${words})$`),
}));

const WORD_END = '(?![\\p{L}\\d])';
const MAGNITUDE = `(?:(?<magnitude>[kmbt]|(?<=\\d)[ -]?(?:${MAGNITUDE_WORDS}))${WORD_END})?`;
const UNIT = `(?:[ \\n\\u00a0]?(?<unit>%|(?:${UNITS.map(([, words]) => words.replace('%|', '')).join('|')})${WORD_END})|-(?<tied>percent|pct|(?:share|dollar|cent|point)s?)${WORD_END})?`;
const CURRENCY = '(?:us\\$|usd[ \\u00a0]|[$\\u20ac\\u00a3\\u00a5])';
/** `COVID-19`, `v4.5`, `1.2.3`, `9:30`, `2:1`, `50/50`, `#1` before; `3rd`, `50-day`, `10-K` behind: names. */
const NAME_BEFORE = '(?<![\\p{L}\\d#.]|\\p{L}-|\\d[:/])';
const NAME_BEHIND = '(?![\\p{L}\\d]|[.:/]\\d|-\\p{L})';
/** Behind a number or a word a dash parts. */
const SIGN = '(?<![\\p{L}\\d)%\\u0001\\u0003]|\\d )[+-]';
const QUANTITY = new RegExp(
  `${NAME_BEFORE}(?<sign>${SIGN})?(?<currency>${CURRENCY})?(?<inner>(?<=\\$)[+-])?(?<digits>${NUMBER})${MAGNITUDE}${UNIT}${NAME_BEHIND}`,
  'gu',
);

/** Numbers in words state something only with what they count: `seven days`, `five straight beats`. */
const COUNTS = NUMBER_WORDS.slice(0, 13);
const COUNTED = UNITS.filter(([unit]) => /^(?:days|minutes|quarters|ATR|people)$/.test(unit));
const COUNT = new RegExp(
  `(?<![\\p{L}\\d'-])(?<count>${COUNTS.join('|')})(?: (?<unit>${COUNTED.map(([, words]) => words).join('|')})${WORD_END}|(?= (?:straight|consecutive|\\u0001)))`,
  'gu',
);

const BOUNDS = Object.entries({
  'at least': 'no less than|at least',
  'at most': 'no more than|at most|up to',
  above: '(?:more|greater|higher) than|north of|in excess of|above|over|exceed(?:s|ing)|beyond|>',
  below: '(?:less|lower) than|south of|shy of|below|under|beneath|<',
  within: 'within',
}).map(([bound, words]) => {
  const pattern = `(?<!\\p{L}|no )(?:${words}) ?(?:(?:the|its|a|about|roughly|approximately|just|=) ?)*$`;
  return [bound as Bound, new RegExp(pattern, 'u')] as const;
});
const APPROXIMATE =
  /(?:~|(?<!\p{L})(?:about|roughly|approximately|approx\.?|around|circa|nearly|almost|some|near|close|slightly|just (?:above|below|over|under))(?!\p{L}))[ \u00a0]?(?:[^\s\d]+ )?$/u;
const YEAR_BEFORE = new RegExp(
  `(?<!\\p{L})(?:in|since|of|by|fiscal|fy|during|from|until|early|late|mid|for|through|to|q[1-4]|h[12]|${MONTH})\\.? $`,
  'u',
);
const LOOKED_BACK = 40;
/** No figure of a market is longer; identifiers are. */
const DIGITS_MAX = 24;

/**
 * The numbers of a text.
 *
 * @param masked in small letters; names of measures and dates are blotted out, so that no number in them is found
 */
export function quantitiesIn(masked: string): Quantity[] {
  const found = [QUANTITY, COUNT].flatMap((pattern) => [...masked.matchAll(pattern)]);
  const quantities = found.flatMap((match) => quantityOf(masked, match) ?? []);
  return withRanges(
    masked,
    quantities.sort((one, other) => one.start - other.start),
  );
}

function quantityOf(masked: string, { 0: text, index, groups = {} }: RegExpExecArray) {
  const { sign, inner, currency, digits: figures = '', count, magnitude, unit: word, tied } = groups;
  const plain = figures.replaceAll(/[,\u00a0]/g, '');
  const size = count === undefined ? Number(plain) : COUNTS.indexOf(count);
  const before = masked.slice(Math.max(0, index - LOOKED_BACK), index);
  const name = magnitude?.replace(/^[ -]/, '') ?? '';
  const factor = MAGNITUDES[name.slice(0, 2)] ?? MAGNITUDES[name.slice(0, 1)] ?? 1;
  const counted = word ?? tied;
  const unit = UNIT_PATTERNS.find(({ pattern }) => counted !== undefined && pattern.test(counted));
  const money = currency === undefined ? null : /\$|usd/.test(currency) ? 'USD' : 'other currency';
  if (plain.length > DIGITS_MAX) return null;
  if (/^(?:19|20)\d\d$/.test(figures) && unit === undefined && money === null && YEAR_BEFORE.test(before))
    return null;
  // `$187 a share`, `$4.5 per share`: the dollars count.
  const scale = factor * (unit?.scale ?? 1);
  const decimals = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0;
  return {
    kind: 'number' as const,
    start: index,
    end: index + text.length,
    value: Number(((sign ?? inner) === '-' ? -size * scale : size * scale).toPrecision(15)),
    /** What one more of its last digit would be. */
    step: 10 ** -decimals * scale,
    digits: Math.max(plain.replace('.', '').replace(/^0+/, '').length, decimals, 1),
    /** What magnitude and unit multiply its digits by. */
    scale,
    unit: (money ?? unit?.unit ?? null) as WrittenUnit | null,
    /** Items of a list are not numbered so. */
    isExact: count === undefined && (money !== null || unit !== undefined || factor !== 1 || decimals > 0),
    isSigned: (sign ?? inner) !== undefined,
    isApproximate: APPROXIMATE.test(before),
    isMagnified: factor >= 1e6,
    bound: BOUNDS.find(([, pattern]) => pattern.test(before))?.[0] ?? null,
    /** Of a range that it is one end of: the other end. */
    rangeTo: null as number | null,
  };
}

const STEP_BEFORE = new RegExp(`(?<!\\p{L})(?:from|${UPWARD}|${DOWNWARD}) $`, 'u');

/** Joins the two ends of `180-185`, `180 to 185` and `between 180 and 185`; the first shares what the second counts. */
function withRanges(masked: string, quantities: readonly Quantity[]): Quantity[] {
  const joinedUp = [...quantities];
  for (let at = 0; at + 1 < joinedUp.length; at++) {
    const [low, high] = [joinedUp[at]!, joinedUp[at + 1]!];
    if (!isRange(masked, low, high)) continue;
    const factor = low.scale === 1 && (low.unit === null || high.isMagnified) ? high.scale : 1;
    const value = low.value * factor;
    const isMagnified = low.isMagnified || (factor > 1 && high.isMagnified);
    const shared = { value, step: low.step * factor, unit: low.unit ?? high.unit, isMagnified };
    joinedUp[at] = { ...low, ...shared, rangeTo: high.value };
    joinedUp[at + 1] = { ...high, unit: high.unit ?? low.unit, rangeTo: value, bound: null };
  }
  return joinedUp;
}

function isRange(masked: string, { start, end, unit }: Quantity, other: Quantity): boolean {
  const between = other.start - end > 8 ? '' : masked.slice(end, other.start).trim();
  const before = masked.slice(Math.max(0, start - LOOKED_BACK), start);
  if (between === '-') return unit === null || unit === 'USD' || unit === other.unit;
  if (between === 'and') return /(?<!\p{L})between $/u.test(before);
  // `fell 3.2% to 187` and `from 70 to 62` are steps, not ranges.
  return between === 'to' && !STEP_BEFORE.test(before) && (unit === null || unit === other.unit);
}
