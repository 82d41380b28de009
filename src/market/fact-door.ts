import { newYorkMidnight } from '../base/time-zone.ts';
import { BARE_FIELDS, FACT_FIELDS, type FieldRule, RATIOS_NOT_NEGATIVE } from './fact-fields.ts';
import { type AnyFact, STATED_RATIOS, type StatedRatio } from './facts.ts';
import type { RefusalReason } from './refusals.ts';

/** Characters of a text: the longest description of a company that a vendor keeps is a tenth of it. */
export const TEXT_LENGTH_MAX = 20_000;
/** Keys go into an index, whose entries are short. */
export const KEY_LENGTH_MAX = 200;
/** Symbols that one news item may mention. */
const SYMBOLS_MAX = 1_000;
/** What the program's clocks know; see `base/time-zone.ts`. */
const FIRST_INSTANT = Date.UTC(1900, 0, 1);
const END_INSTANT = Date.UTC(2100, 0, 1);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The door for reported facts: null when the fact may pass, else the reason. It trusts nothing that the compiler
 * believes, since facts come from files.
 */
export function refuseFact(fact: AnyFact): RefusalReason | null {
  if (!Object.hasOwn(FACT_FIELDS, fact.kind)) return 'unknown_kind';
  if (!isInstant(fact.knownAt)) return 'bad_time';
  if (!isKey(fact.key)) return 'bad_word';
  const rules: Readonly<Record<string, FieldRule>> = FACT_FIELDS[fact.kind];
  const fields = fact.value as unknown as Fields;
  if (typeof fields !== 'object' || fields === null) return 'missing_value';
  if (Object.keys(fields).some((name) => !Object.hasOwn(rules, name))) return 'unknown_field';
  for (const [name, rule] of Object.entries(rules)) {
    const reason = refuseField(rule, fields[name]);
    if (reason !== null) return reason;
  }
  if (saysNothing(fact, fields)) return 'missing_value';
  return refuseTogether(fact);
}

/** The reason why a field may not hold this value, or null. */
export function refuseField({ holds, required, words }: FieldRule, value: unknown): RefusalReason | null {
  if (value === undefined) return 'missing_value';
  if (value === null) return required ? 'missing_value' : null;
  switch (holds) {
    case 'text':
      return refuseText(value);
    case 'word':
      return words!.includes(value as string) ? null : 'bad_word';
    case 'code':
      return typeof value === 'string' && /^[A-Z]$/.test(value) ? null : 'bad_word';
    case 'date':
      return typeof value === 'string' && !Number.isNaN(newYorkMidnight(value)) ? null : 'bad_time';
    case 'instant':
      return isInstant(value) ? null : 'bad_time';
    case 'symbols':
      return refuseSymbols(value);
    case 'ratios':
      return refuseRatios(value);
    default:
      return refuseNumber(value) ?? refuseRange(holds, value as number);
  }
}

function refuseText(value: unknown): RefusalReason | null {
  if (typeof value !== 'string') return 'bad_word';
  if (value.trim() === '') return 'missing_value';
  if (value.length > TEXT_LENGTH_MAX) return 'too_large';
  // Neither can be stored: no text of the database holds the character zero or half of a character.
  return value.includes('\0') || !value.isWellFormed() ? 'bad_word' : null;
}

function refuseNumber(value: unknown): RefusalReason | null {
  if (typeof value !== 'number') return 'not_a_number';
  return Number.isFinite(value) ? null : 'not_finite';
}

function refuseRange(holds: FieldRule['holds'], value: number): RefusalReason | null {
  switch (holds) {
    case 'amount':
      return value < 0 ? 'negative_amount' : null;
    case 'positive':
      return value < 0 ? 'negative_amount' : value === 0 ? 'out_of_range' : null;
    case 'count':
      return value < 0 ? 'negative_amount' : Number.isSafeInteger(value) ? null : 'out_of_range';
    case 'share':
      return value < 0 || value > 1 ? 'out_of_range' : null;
    case 'tone':
      return value < -1 || value > 1 ? 'out_of_range' : null;
    case 'opinion':
      return value < 1 || value > 5 ? 'out_of_range' : null;
    default:
      return null;
  }
}

function refuseSymbols(value: unknown): RefusalReason | null {
  if (!Array.isArray(value) || value.length === 0) return 'missing_value';
  if (value.length > SYMBOLS_MAX) return 'too_large';
  return value.every((symbol) => typeof symbol === 'string' && isKey(symbol)) ? null : 'bad_symbol';
}

function refuseRatios(value: unknown): RefusalReason | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'missing_value';
  for (const [name, ratio] of Object.entries(value)) {
    if (!STATED_RATIOS.includes(name as StatedRatio)) return 'unknown_field';
    const reason = refuseNumber(ratio);
    if (reason !== null) return reason;
    if (ratio < 0 && RATIOS_NOT_NEGATIVE.has(name as StatedRatio)) return 'negative_amount';
  }
  return null;
}

/** True for a fact that names its subject and tells nothing of it. */
function saysNothing({ kind }: AnyFact, fields: Fields): boolean {
  const bare = BARE_FIELDS[kind];
  if (bare === undefined) return false;
  return Object.entries(fields).every(
    ([name, value]) =>
      bare.includes(name) ||
      value === null ||
      (name === 'stated' && Object.keys(value as object).length === 0),
  );
}

/** What single fields cannot show: fields that contradict each other, and a fact that is known too early. */
function refuseTogether(fact: AnyFact): RefusalReason | null {
  const { kind, knownAt, value } = fact;
  switch (kind) {
    case 'fundamentals':
      return knownAt < newYorkMidnight(value.periodEnd) ? 'known_too_early' : null;
    case 'earnings_report':
    case 'analyst_grade':
    case 'insider_transaction':
      return knownAt < newYorkMidnight(value.date) ? 'known_too_early' : null;
    case 'news':
      return knownAt < value.publishedAt ? 'known_too_early' : null;
    case 'halt':
      return value.to !== null && value.to < value.from ? 'out_of_range' : null;
    case 'price_target':
      return inOrder(value.low, value.high) ? null : 'out_of_range';
    case 'analyst_estimates':
      return inOrder(value.epsLow, value.epsHigh) ? null : 'out_of_range';
    default:
      return null;
  }
}

const inOrder = (low: number | null, high: number | null): boolean =>
  low === null || high === null || low <= high;

const isInstant = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= FIRST_INSTANT && (value as number) < END_INSTANT;

/** Short, not empty, and without characters that a terminal or a database stumbles over. */
function isKey(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text.trim() !== '' &&
    text.length <= KEY_LENGTH_MAX &&
    !/\p{Cc}/u.test(text) &&
    text.isWellFormed()
  );
}
