import { parseDate } from '../../base/dates.ts';
import { refuseFact, refuseValue } from '../fact-door.ts';
import { factOf } from '../fact-keys.ts';
import type { AnyFact, FactKind, FactValues, Halt } from '../facts.ts';
import type { RefusalReason } from '../refusals.ts';
import { announcementKnownAt, endOfDayNewYork } from './fact-times.ts';
import { tickerOf } from './ticker.ts';
import { type NamedField, namedFields, ROW_NAMES } from './facts-names.ts';

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

/**
 * The facts of one row, or why it has none. A halt that is told together with its end is two facts: that trading
 * stopped, and later that it went on.
 *
 * @param kindOfFile the kind of rows that do not name theirs
 */
export function readRow(row: Row, kindOfFile: FactKind | undefined): SymbolFacts | RefusalReason {
  const symbol = tickerOf(textOf(row.get('symbol')) ?? '');
  if (symbol === null) return 'bad_symbol';
  const word = textOf(row.get('kind')) ?? kindOfFile ?? '';
  const fields = namedFields(word);
  if (fields === null) return 'unknown_kind';
  if (hasOtherNames(row, fields)) return 'unknown_field';
  const kind = word as FactKind;
  const value = readValue(row, fields, symbol);
  const reason = refuseValue(kind, value);
  if (reason !== null) return reason;
  const facts = factsOf(kind, row, value as unknown as FactValues[FactKind]);
  if (typeof facts === 'string') return facts;
  for (const fact of facts) {
    const refused = refuseFact(fact);
    if (refused !== null) return refused;
  }
  return { symbol, facts };
}

function hasOtherNames(row: Row, fields: readonly NamedField[]): boolean {
  for (const name of row.keys()) {
    if (!ROW_NAMES.some((known) => known === name) && !fields.some((field) => field.name === name))
      return true;
  }
  return false;
}

function readValue(row: Row, fields: readonly NamedField[], symbol: string): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const stated: Record<string, unknown> = {};
  for (const field of fields) {
    const read = readField(field, row.get(field.name), symbol);
    if (!field.isRatio) value[field.field] = read;
    else if (read !== null) stated[field.field] = read;
  }
  if (fields.some((field) => field.isRatio)) value.stated = stated;
  return value;
}

/** The value of a field, null where the row does not say. What cannot be read is left for the door to name. */
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
      return instantOf(written);
    case 'symbols':
      return typeof written === 'string' ? written.split(SYMBOL_SEPARATOR).filter(Boolean) : written;
    default:
      return typeof written === 'string' && NUMBER.test(written) ? Number(written) : written;
  }
}

/** One fact, or two of a halt; each with its key and the instant from which it may be quoted. */
function factsOf(kind: FactKind, row: Row, value: FactValues[FactKind]): AnyFact[] | RefusalReason {
  const key = row.get('key');
  const make = (knownAt: number, said: FactValues[FactKind]): AnyFact => {
    const fact = factOf(kind, knownAt, said);
    return key === undefined ? fact : ({ ...fact, key } as AnyFact);
  };
  const written = row.get('known_at');
  if (written !== undefined) return [make(knownAtOf(written), value)];
  if (kind === 'halt') {
    const halt = value as Halt;
    const stopped = make(halt.from, { ...halt, to: null });
    return halt.to === null ? [stopped] : [stopped, make(halt.to, halt)];
  }
  const knownAt = impliedKnownAt(kind, value);
  return knownAt === null ? 'missing_value' : [make(knownAt, value)];
}

/** When a fact may be quoted whose row does not say; null where nothing in it tells. */
function impliedKnownAt(kind: FactKind, value: FactValues[FactKind]): number | null {
  switch (kind) {
    case 'earnings_report': {
      const { date, time } = value as FactValues['earnings_report'];
      return announcementKnownAt(date, time);
    }
    case 'analyst_grade':
      return endOfDayNewYork((value as FactValues['analyst_grade']).date);
    case 'news':
      return (value as FactValues['news']).publishedAt;
    default:
      return null;
  }
}

/** An instant as it is; a date alone means its end in New York. NaN when it is neither. */
function knownAtOf(written: unknown): number {
  const text = textOf(written);
  if (text === null) return Number.NaN;
  return parseDate(text) === null ? instantOf(text) : endOfDayNewYork(text);
}

function instantOf(written: unknown): number {
  const text = textOf(written);
  if (text === null || !INSTANT.test(text)) return Number.NaN;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}

const textOf = (written: unknown): string | null => (typeof written === 'string' ? written.trim() : null);
