import type { Calendar } from '../../base/calendar.ts';
import type { FactKind } from '../../market/facts.ts';
import type { Delivery } from '../../market/feed.ts';
import type { RefusalReason, Refused } from '../../market/refusals.ts';
import { type RefusalTally, refusedFile } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { type CsvFeed, readingsOf } from '../bars/csv.ts';
import { choice } from '../choices.ts';
import { type ContentReading, contentReading, orNothing } from '../content-reading.ts';
import { delimiterOf, type FieldScanner, fieldScanner, fieldText } from '../fields.ts';
import { isJson } from '../json.ts';
import { beginningOf, deliverRows, fileFeed, type TakeRow } from '../source-file.ts';
import { answeredFacts, isAnswer } from './answers.ts';
import { columnNames, type Row, readRow, repairsIn, type Stated, type SymbolFacts } from './rows.ts';

/** Raise it when the reader reads the same bytes otherwise: files are then imported again. */
const READER_VERSION = 3;
const DELIVERY_FACTS = 5_000;

interface FactsOptions extends Stated {
  /** Files, or folders of files: delimited tables, JSON Lines or answers of APIs; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  readonly calendar: Calendar;
}

/** Reported facts from files; see `docs/data-formats.md`. */
export function factsFeed({ paths, calendar, kind, knownAt }: FactsOptions): CsvFeed {
  const stated = { kind, knownAt };
  return {
    ...fileFeed('facts', paths, { version: READER_VERSION, ...stated }, (file, tally) =>
      factDeliveries(file, stated, tally),
    ),
    readings: () => readingsOf(paths, async (file) => ({ read: await factReading(file, calendar, stated) })),
  };
}

/** What a file holds of facts, and what of it an import would leave out. */
export const factReading = (
  file: TextFile,
  calendar: Calendar,
  stated: Stated = {},
): Promise<ContentReading | Refused> =>
  contentReading(
    'reported facts',
    file,
    (sample, tally) => factDeliveries(sample, stated, tally),
    calendar,
    async () => ({
      times:
        stated.knownAt === undefined ? 'times of its rows' : `times of its rows, else ${choice('known_at')}`,
      symbols: 'its rows',
    }),
  );

/** Whether a text is an answer of a source that has facts, or lines or a table of them that name their kinds, or are of the stated one. */
export async function isFacts(file: TextFile, kind?: FactKind): Promise<boolean> {
  const beginning = await beginningOf(file);
  const [first = ''] = beginning.split(/\r?\n/, 1);
  if (isJson(beginning)) {
    const row = jsonRow(first);
    return typeof row === 'string' || !row.has('kind') ? isAnswer(file) : row.has('symbol');
  }
  const names = first.split(delimiterOf(first)).map((name) => name.trim().toLowerCase());
  return headerFault(names, kind) === null;
}

export const factDeliveries = (
  file: TextFile,
  stated: Stated,
  tally: RefusalTally,
): AsyncGenerator<Delivery> => orNothing(file, tally, deliveriesOf(file, stated, tally));

async function* deliveriesOf(file: TextFile, stated: Stated, tally: RefusalTally): AsyncGenerator<Delivery> {
  let pending: SymbolFacts[] = [];
  const beginning = await beginningOf(file);
  const answered = await answeredFacts(file, beginning, stated, tally);
  const rows = answered ?? factRows(file, beginning, stated, tally);
  for await (const read of rows) {
    if ('reason' in read) yield read;
    else pending.push(read);
    if (pending.length < DELIVERY_FACTS) continue;
    yield* bySymbol(pending);
    pending = [];
  }
  yield* bySymbol(pending);
}

function* bySymbol(rows: readonly SymbolFacts[]): Generator<Delivery> {
  for (const [symbol, own] of Map.groupBy(rows, (row) => row.symbol)) {
    yield { kind: 'facts', symbol, facts: own.flatMap((row) => row.facts) };
  }
}

/**
 * The facts of each line. In a table, a stray quote costs its row and not the rest of the file, so text with line ends
 * needs JSON Lines. An unknown column refuses the whole table.
 */
async function* factRows(
  file: TextFile,
  beginning: string,
  stated: Stated,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts | Refused> {
  const { kind } = stated;
  let read: SymbolFacts[] = [];
  let names: readonly string[] | null = null;
  let fault: string | null = null;
  const add = (row: Row | RefusalReason, line: number): RefusalReason | null => {
    const facts =
      typeof row === 'string' ? row : readRow(row, stated, repairsIn(tally, `${file.where}:${line}`));
    if (typeof facts === 'string') return facts;
    read.push(facts);
    return null;
  };
  const takeJson: TakeRow = (bytes, start, end, line) => add(jsonRow(fieldText(bytes, start, end)), line);
  const scanner = fieldScanner(delimiterOf(beginning.split('\n', 1)[0]!));
  const takeCells: TakeRow = (bytes, start, end, line) => {
    if (fault !== null) return null;
    const cells = cellsIn(bytes, start, end, scanner);
    if (names !== null) return add(cellsRow(names, cells), line);
    names = (cells ?? []).map((cell) => cell.toLowerCase());
    fault = headerFault(names, kind);
    return null;
  };
  // No header begins with a brace, and every line of JSON does.
  const areLines = beginning.startsWith('{');
  yield* deliverRows(file, tally, areLines ? takeJson : takeCells, () => {
    const due = read;
    read = [];
    return due;
  });
  if (!areLines && names === null) fault = 'the file is empty';
  if (fault !== null) yield refusedFile('wrong_columns', file.where, fault);
}

/** The trimmed texts of a row, or null when its quoting is broken. */
function cellsIn(bytes: Uint8Array, start: number, end: number, scanner: FieldScanner): string[] | null {
  const count = scanner.scan(bytes, start, end);
  if (count < 0) return null;
  return Array.from({ length: count }, (_, column) =>
    fieldText(bytes, scanner.starts[column]!, scanner.ends[column]!).replaceAll('""', '"'),
  );
}

function headerFault(names: readonly string[], kind: FactKind | undefined): string | null {
  const known = columnNames(kind);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) return `no field is called "${unknown}"`;
  if (new Set(names).size < names.length) return 'a column is named twice';
  if (!names.includes('symbol')) return 'no column for symbol';
  return kind === undefined && !names.includes('kind')
    ? `no column for kind, and no ${choice('kind')}`
    : null;
}

function cellsRow(names: readonly string[], cells: readonly string[] | null): Row | RefusalReason {
  if (cells === null || cells.length !== names.length) return 'wrong_columns';
  const named = names.map((name, column) => [name, cells[column]!] as const);
  return new Map(named.filter(([, text]) => text !== ''));
}

/** The members of the object in a line; null and empty text count as absent. */
function jsonRow(line: string): Row | RefusalReason {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'unknown_format';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'unknown_format';
  const members = Object.entries(parsed).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return new Map(members.filter(([, value]) => value !== null && value !== ''));
}
