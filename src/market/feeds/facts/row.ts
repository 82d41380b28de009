import { parseDate } from '../../../base/dates.ts';
import { refuseFact } from '../../fact-door.ts';
import { factOf } from '../../fact-keys.ts';
import type { AnyFact, FactKind, FactValues, Halt } from '../../facts.ts';
import type { RefusalReason } from '../../refusals.ts';
import { announcementKnownAt, endOfDayNewYork } from '../fact-times.ts';
import { tickerOf } from '../ticker.ts';
import { type NamedField, namedFields, ROW_NAMES } from './names.ts';

/** A row of a file by the names of its fields; what is empty is left out. Values are text, or what JSON made of them. */
export type Row = ReadonlyMap<string, unknown>;

export interface SymbolFacts {
  readonly symbol: string;
  readonly facts: readonly AnyFact[];
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/** RFC 3339 with a zone: an instant without one would be a guess. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
const SYMBOL_SEPARATOR = /[;,|\s]+/;

/** Thrown nowhere, passed up: why a row says no fact. */
class Refusal {
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    this.reason = reason;
  }
}

/**
 * The facts of one row, or why it has none. A halt that is told together with its end is two facts: that trading
 * stopped, and later that it went on.
 *
 * @param kindOfFile the kind of rows that do not name theirs
 */
export function readRow(row: Row, kindOfFile: FactKind | undefined): SymbolFacts | RefusalReason {
  const symbol = tickerOf(textOf(row.get('symbol')) ?? '');
  if (symbol === null) return 'bad_symbol';
  const kind = textOf(row.get('kind')) ?? kindOfFile ?? '';
  const fields = namedFields(kind);
  if (fields === null) return 'unknown_kind';
  if (hasOtherNames(row, fields)) return 'unknown_field';
  const value = readValue(row, fields, symbol);
  if (value instanceof Refusal) return value.reason;
  const facts = factsOf(kind as FactKind, row, value);
  if (facts instanceof Refusal) return facts.reason;
  for (const fact of facts) {
    const reason = refuseFact(fact);
    if (reason !== null) return reason;
  }
  return { symbol, facts };
}

function hasOtherNames(row: Row, fields: readonly NamedField[]): boolean {
  for (const name of row.keys()) {
    if (!ROW_NAMES.some((known) => known === name) && !fields.some((field) => field.name === name)) return true;
  }
  return false;
}

function readValue(row: Row, fields: readonly NamedField[], symbol: string) {
  const value: Record<string, unknown> = {};
  const stated: Record<string, unknown> = {};
  for (const field of fields) {
    const read = readField(field, row.get(field.name), symbol);
    if (read instanceof Refusal) return read;
    if (!field.isRatio) value[field.field] = read;
    else if (read !== null) stated[field.field] = read;
  }
  if (fields.some((field) => field.isRatio)) value.stated = stated;
  return value;
}

/** The value of a field, null where the row does not say. What is of the wrong shape is left to the door. */
function readField({ field, rule }: NamedField, written: unknown, symbol: string): unknown {
  if (written === undefined) {
    if (field === 'symbols') return [symbol];
    // A source that does not tell the time of day says just that.
    return field === 'time' ? 'unknown' : null;
  }
  switch (rule.holds) {
    case 'text':
    case 'date':
    case 'code':
    case 'word':
      return written;
    case 'instant':
      return instantOf(written) ?? new Refusal('bad_time');
    case 'symbols':
      return typeof written === 'string' ? written.split(SYMBOL_SEPARATOR).filter(Boolean) : written;
    default:
      return numberOf(written) ?? new Refusal('not_a_number');
  }
}

/** One fact, or two of a halt; each with its key and the instant from which it may be quoted. */
function factsOf(kind: FactKind, row: Row, value: Record<string, unknown>): AnyFact[] | Refusal {
  const written = row.get('known_at');
  const key = row.get('key');
  if (key !== undefined && typeof key !== 'string') return new Refusal('bad_word');
  const make = (at: number, values: Record<string, unknown>): AnyFact => {
    // The door looks at the fact before anybody believes that it is one.
    const fact = factOf(kind, at, values as unknown as FactValues[typeof kind]);
    return key === undefined ? fact : ({ ...fact, key } as AnyFact);
  };
  if (missesSubject(kind, value)) return new Refusal('missing_value');
  if (written === undefined && kind === 'halt') return haltFacts(value as unknown as Halt, make);
  const knownAt = written === undefined ? impliedKnownAt(kind, value) : knownAtOf(written);
  if (knownAt === null) return new Refusal('missing_value');
  return Number.isNaN(knownAt) ? new Refusal('bad_time') : [make(knownAt, value)];
}

/** A key can only be made of fields that are there and are what they should be. */
function missesSubject(kind: FactKind, value: Record<string, unknown>): boolean {
  const named = { analyst_grade: 'firm', insider_transaction: 'owner', news: 'headline', theme_exposure: 'theme' };
  const subject = (named as Partial<Record<FactKind, string>>)[kind];
  if (subject !== undefined && typeof value[subject] !== 'string') return true;
  return ['periodEnd', 'date'].some((field) => field in value && field !== 'periodEnd' && value[field] === null);
}

function haltFacts(
  halt: Halt,
  make: (at: number, value: Record<string, unknown>) => AnyFact,
): AnyFact[] | Refusal {
  if (halt.from === null) return new Refusal('missing_value');
  const stopped = make(halt.from, { ...halt, to: null });
  return halt.to === null ? [stopped] : [stopped, make(halt.to, { ...halt })];
}

/** When a fact may be quoted whose row does not say: null where nothing in it tells. */
function impliedKnownAt(kind: FactKind, value: Record<string, unknown>): number | null {
  if (kind === 'earnings_report') {
    const report = value as unknown as FactValues['earnings_report'];
    return announcementKnownAt(report.date, report.time);
  }
  if (kind === 'analyst_grade') return endOfDayNewYork(String(value.date));
  return kind === 'news' ? (value.publishedAt as number | null) : null;
}

/** An instant as it is; a date alone means its end in New York. NaN when it is neither. */
function knownAtOf(written: unknown): number {
  const text = textOf(written);
  if (text === null) return Number.NaN;
  return parseDate(text) === null ? (instantOf(text) ?? Number.NaN) : endOfDayNewYork(text);
}

function instantOf(written: unknown): number | null {
  if (typeof written !== 'string' || !INSTANT.test(written.trim())) return null;
  try {
    return Temporal.Instant.from(written.trim()).epochMilliseconds;
  } catch {
    return null;
  }
}

function numberOf(written: unknown): number | null {
  if (typeof written === 'number') return written;
  return typeof written === 'string' && NUMBER.test(written) ? Number(written) : null;
}

const textOf = (written: unknown): string | null => (typeof written === 'string' ? written.trim() : null);
