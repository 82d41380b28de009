import { newYorkMidnight } from '../base/time-zone.ts';
import { BARE_FIELDS, FACT_FIELDS, type FieldRule, RATIOS_NOT_NEGATIVE } from './fact-fields.ts';
import { type AnyFact, type FactKind, STATED_RATIOS, type StatedRatio } from './facts.ts';
import type { RefusalReason } from './refusals.ts';

/** Characters of a text: the longest description of a company that a vendor keeps is a tenth of it. */
const TEXT_LENGTH_MAX = 20_000;
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
  return refuseValue(fact.kind, fact.value) ?? refuseTooEarly(fact);
}

/** The door for what a fact says, before anybody knows its key and its instant. */
export function refuseValue(kind: FactKind, value: unknown): RefusalReason | null {
  if (typeof value !== 'object' || value === null) return 'missing_value';
  const rules: Readonly<Record<string, FieldRule>> = FACT_FIELDS[kind];
  const fields = value as Fields;
  if (Object.keys(fields).some((name) => !Object.hasOwn(rules, name))) return 'unknown_field';
  for (const [name, rule] of Object.entries(rules)) {
    const reason = refuseField(rule, fields[name]);
    if (reason !== null) return reason;
  }
  if (saysNothing(kind, fields)) return 'missing_value';
  return contradictsItself(kind, fields) ? 'out_of_range' : null;
}

/** The reason why a field may not hold this value, or null. */
function refuseField({ holds, required, words }: FieldRule, value: unknown): RefusalReason | null {
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
function saysNothing(kind: FactKind, fields: Fields): boolean {
  const bare = BARE_FIELDS[kind];
  if (bare === undefined) return false;
  return Object.entries(fields).every(
    ([name, value]) =>
      bare.includes(name) ||
      value === null ||
      (name === 'stated' && Object.keys(value as object).length === 0),
  );
}

function contradictsItself(kind: FactKind, fields: Fields): boolean {
  const bounds = BOUNDS[kind];
  if (bounds === undefined) return false;
  const [low, high] = bounds.map((name) => fields[name] as number | null);
  return low !== null && high !== null && low! > high!;
}

/** Fields of which the first cannot lie above the second. */
const BOUNDS: Readonly<Partial<Record<FactKind, readonly [string, string]>>> = {
  price_target: ['low', 'high'],
  analyst_estimates: ['epsLow', 'epsHigh'],
  halt: ['from', 'to'],
};

/** Nobody can know what has not happened; expected dates and planned ends of halts are known before. */
function refuseTooEarly({ kind, knownAt, value }: AnyFact): RefusalReason | null {
  switch (kind) {
    case 'fundamentals':
      return knownAt < newYorkMidnight(value.periodEnd) ? 'known_too_early' : null;
    case 'listing':
      return knownAt < newYorkMidnight(value.from) ? 'known_too_early' : null;
    case 'earnings_report':
    case 'analyst_grade':
    case 'insider_transaction':
      return knownAt < newYorkMidnight(value.date) ? 'known_too_early' : null;
    case 'news':
      return knownAt < value.publishedAt ? 'known_too_early' : null;
    default:
      return null;
  }
}

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
