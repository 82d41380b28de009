import { dateOf, parseDate } from '../base/dates.ts';
import type { CompanyProfile } from '../market/facts.ts';
import type { Delivery, Feed } from '../market/feed.ts';
import { type RefusalTally, refusedFile } from '../market/refusals.ts';
import { factOf } from '../market/validate-fact.ts';
import type { TextFile } from './archive.ts';
import { choice } from './choices.ts';
import { knownAtOf } from './facts/known-at.ts';
import { tickerOf } from './fields.ts';
import { isAbsent, writtenNumber } from './numbers.ts';
import { fileFeed, wholeText } from './source-file.ts';
import { timeReader } from './times.ts';

const READER_VERSION = 3;
/** A table of every listed company has some ten thousand rows; this is a hundred times that. */
const TABLE_BYTES_MAX = 64 * 2 ** 20;

/** What a column of a company table may hold. */
type ProfileField = 'symbol' | keyof CompanyProfile;

/** The usual names of each field, best first, as they look in lower case. */
const USUAL_NAMES: Readonly<Record<ProfileField, readonly string[]>> = {
  symbol: ['symbol', 'ticker'],
  companyName: ['security', 'company name', 'company', 'name'],
  description: ['description', 'business summary'],
  ceo: ['ceo'],
  headquarters: ['headquarters location', 'headquarters'],
  employees: ['employees', 'full time employees'],
  ipoDate: ['ipo date', 'ipo'],
  website: ['website', 'web site'],
  logoUrl: ['logo url', 'logo'],
  sector: ['gics sector', 'sector'],
  industry: ['gics sub-industry', 'sub-industry', 'industry'],
  exchange: ['exchange'],
};

const PROFILE_FIELDS = Object.keys(USUAL_NAMES) as readonly ProfileField[];

export interface ProfileOptions {
  /** A delimited table with a header line, one company a row; plain, `.gz` or `.zip`. */
  readonly path: string;
  /** Column names by field, in any case. Fields not named are found by their usual names. */
  readonly mapping?: Partial<Record<ProfileField, string>> | undefined;
  /**
   * The date, YYYY-MM-DD, at whose end (New York) the table was known, or the instant. Default: the newest date anywhere
   * in the table, because a table cannot be older than its newest entry.
   */
  readonly knownAt?: string | undefined;
}

/** Company profiles from a table such as the list of an index's constituents. */
export function profilesFeed(options: ProfileOptions): Feed {
  const { path, mapping, knownAt } = options;
  return fileFeed('profiles', [path], { version: READER_VERSION, mapping, knownAt }, (file, tally) =>
    profilesIn(file, options, tally),
  );
}

interface TableRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Whether a header is of a table of companies. */
export const isProfilesHeader = (names: readonly string[]): boolean => {
  const columnIndex = columnIndices(names);
  if (typeof columnIndex === 'string') return false;
  return columnIndex.companyName >= 0 && (columnIndex.sector >= 0 || columnIndex.industry >= 0);
};

export async function* profilesIn(
  file: TextFile,
  options: Omit<ProfileOptions, 'path'>,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const { where } = file;
  const text = await wholeText(file, TABLE_BYTES_MAX);
  if (text === null)
    return yield refusedFile('too_large', where, `a table of more than ${TABLE_BYTES_MAX} bytes`);
  const [header, ...rows] = tableRows(text, file, tally);
  const columnIndex = columnIndices(header?.fields ?? [], options.mapping);
  if (typeof columnIndex === 'string') return yield refusedFile('wrong_columns', where, columnIndex);
  const date = options.knownAt ?? newestDate(rows);
  if (date === null) {
    const fault = `the table mentions no date: name the one at which it was known (${choice('known_at')})`;
    return yield refusedFile('bad_time', where, fault);
  }
  const knownAt = knownAtOf(date);
  for (const row of rows) {
    const symbol = tickerOf(row.fields[columnIndex.symbol] ?? '');
    if (symbol === null) tally.note('bad_symbol', `${where}:${row.line}`, row.fields.join(','));
    else if (row.fields.length < header!.fields.length) {
      tally.note('wrong_columns', `${where}:${row.line}`, row.fields.join(','));
    } else yield { kind: 'facts', symbol, facts: [factOf('profile', knownAt, profileOf(row, columnIndex))] };
  }
}

/**
 * All rows, the header first, without empty ones and those whose quoting is broken, which are refused. A quoted field may
 * have several lines.
 */
function tableRows(text: string, { where }: TextFile, tally: RefusalTally): TableRow[] {
  const rows: TableRow[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const { fields, end } = rowAt(text, at);
    if (fields === null) tally.note('wrong_columns', `${where}:${line}`, text.slice(at, end).trimEnd());
    else if (fields.length > 1 || fields[0] !== '') rows.push({ line, fields });
    line += text.slice(at, end).match(/\r\n|\n|\r/g)?.length ?? 0;
    at = end;
  }
  return rows;
}

/** The row at a place, null where its quoting is broken, and where the next begins: then on the next line. */
function rowAt(text: string, from: number): { readonly fields: string[] | null; readonly end: number } {
  const fields: string[] = [];
  for (let at = from; ; at++) {
    const isQuoted = text[at] === '"';
    let end = endOfField(text, at);
    if (isQuoted) {
      end = text.indexOf('"', at + 1);
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      end++;
    }
    const field = isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end);
    const isBroken = isQuoted ? end === 0 || endOfField(text, end) !== end : field.includes('"');
    if (isBroken) {
      const newline = text.indexOf('\n', from);
      return { fields: null, end: newline < 0 ? text.length : newline + 1 };
    }
    fields.push(field);
    if (text[end] === ',') at = end;
    else return { fields, end: text.startsWith('\r\n', end) ? end + 2 : end + 1 };
  }
}

function endOfField(text: string, from: number): number {
  let at = from;
  while (at < text.length && !',\r\n'.includes(text[at]!)) at++;
  return at;
}

function columnIndices(names: readonly string[], mapping: ProfileOptions['mapping'] = {}) {
  const plain = names.map((name) => name.trim().toLowerCase());
  const columnIndex = {} as Record<ProfileField, number>;
  for (const field of PROFILE_FIELDS) {
    const named = mapping[field];
    const candidates = named === undefined ? USUAL_NAMES[field] : [named.trim().toLowerCase()];
    const name = candidates.find((candidate) => plain.includes(candidate));
    if (named !== undefined && name === undefined) return `no column ${named} among ${names.join(', ')}`;
    columnIndex[field] = name === undefined ? -1 : plain.indexOf(name);
  }
  return columnIndex.symbol < 0 ? `no column for symbol among ${names.join(', ')}` : columnIndex;
}

function newestDate(rows: readonly TableRow[]): string | null {
  const dates = rows.flatMap(({ fields }) => fields.filter((field) => parseDate(field) !== null));
  return dates.reduce<string | null>(
    (newest, date) => (newest === null || date > newest ? date : newest),
    null,
  );
}

const readNewYork = timeReader('America/New_York');

function profileOf({ fields }: TableRow, columnIndex: Record<ProfileField, number>): CompanyProfile {
  const textOf = (field: ProfileField): string | null => {
    const text = fields[columnIndex[field]]?.trim() ?? '';
    return isAbsent(text) ? null : text;
  };
  const employees = writtenNumber(textOf('employees') ?? '');
  const { day: ipoDay } = readNewYork(textOf('ipoDate') ?? '');
  return {
    companyName: textOf('companyName'),
    description: textOf('description'),
    ceo: textOf('ceo'),
    headquarters: textOf('headquarters'),
    employees: Number.isInteger(employees) && employees > 0 ? employees : null,
    ipoDate: Number.isNaN(ipoDay) ? null : dateOf(ipoDay),
    website: textOf('website'),
    logoUrl: textOf('logoUrl'),
    sector: textOf('sector'),
    industry: textOf('industry'),
    exchange: textOf('exchange'),
  };
}
