import { stat } from 'node:fs/promises';
import type { AnyFact, FactKind } from '../facts.ts';
import type { Delivery, Feed, Refused, SourceUnit } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { columnNames, readRow, type Row, type SymbolFacts } from './facts-row.ts';
import { type FieldScanner, fieldScanner, fieldText } from './fields.ts';
import { fileFingerprint, filesAt, lineReader, shortKeys } from './source-file.ts';
import { type RefusalTally, refusalTally, refusedFile } from './refusal-tally.ts';

/** Goes up when the reader changes what it makes of the same bytes; files read before are then read again. */
const READER_VERSION = 1;
/** Facts that are handed out together. */
const DELIVERY_FACTS = 5_000;

interface FactsOptions {
  /** Files, or folders of files: delimited tables or JSON Lines; plain, `.gz` or `.zip`. */
  readonly paths: readonly string[];
  /** The kind of rows that do not name theirs. */
  readonly kind?: FactKind | undefined;
}

/** Reported facts from files, one unit a file; see `docs/data-formats.md`. A path that does not exist rejects when the units are listed. */
export function factsFeed({ paths, kind }: FactsOptions): Feed {
  return {
    name: 'facts',
    simulated: false,
    async units() {
      const files = await filesAt(paths);
      return Promise.all(shortKeys(files).map((key, index) => unitOf(files[index]!, key, kind)));
    },
  };
}

async function unitOf(path: string, key: string, kind: FactKind | undefined): Promise<SourceUnit> {
  return {
    key,
    weight: (await stat(path)).size,
    fingerprint: () => fileFingerprint(path, { reader: 'facts', version: READER_VERSION, kind }),
    async *read() {
      const tally = refusalTally();
      for await (const file of textFiles(path, key)) {
        if (isTextFile(file)) yield* deliveriesOf(file, kind, tally);
        else yield file;
      }
      yield* tally.refusals();
    },
  };
}

async function* deliveriesOf(
  file: TextFile,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  let pending: SymbolFacts[] = [];
  for await (const read of rowsOf(file, kind, tally)) {
    if ('reason' in read) yield read;
    else pending.push(read);
    if (pending.length < DELIVERY_FACTS) continue;
    yield* bySymbol(pending);
    pending = [];
  }
  yield* bySymbol(pending);
}

async function* rowsOf(
  file: TextFile,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts | Refused> {
  const beginning = await beginningOf(file);
  // No header begins with a brace, and no line of JSON without one.
  if (beginning.startsWith('{')) yield* jsonLines(file, kind, tally);
  else yield* delimitedRows(file, beginning, kind, tally);
}

async function beginningOf(file: TextFile): Promise<string> {
  for await (const chunk of file.chunks()) return new TextDecoder().decode(chunk).trimStart();
  return '';
}

function* bySymbol(rows: readonly SymbolFacts[]): Generator<Delivery> {
  for (const [symbol, own] of Map.groupBy(rows, (row) => row.symbol)) {
    const facts: AnyFact[] = own.flatMap((row) => row.facts);
    yield { kind: 'facts', symbol, facts };
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Reads a table with a header line, one row a line: a stray quote costs its row and not the rest of the file, so a text
 * with line ends goes into JSON Lines. Names of the header that no kind has refuse the file, because nobody could say
 * what is lost.
 *
 * @param beginning the first bytes of the file as text, which hold the header
 */
async function* delimitedRows(
  file: TextFile,
  beginning: string,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts | Refused> {
  const { where } = file;
  const scanner = fieldScanner(delimiterOf(beginning));
  let names: readonly string[] | null = null;
  let fault: string | null = null;
  let read: SymbolFacts[] = [];
  const lines = lineReader(
    (bytes, start, end, line) => {
      if (fault !== null) return;
      const cells = cellsIn(bytes, start, end, scanner);
      if (names === null) {
        names = (cells ?? []).map((cell) => cell.toLowerCase());
        fault = headerFault(names, kind);
        return;
      }
      const facts = factsIn(names, cells, kind);
      if (typeof facts === 'string') tally.row(facts, where, line, bytes, start, end);
      else read.push(facts);
    },
    (line, text) => tally.note('too_large', `${where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) {
    lines.push(chunk);
    yield* read;
    read = [];
    if (fault !== null) break;
  }
  lines.end();
  yield* read;
  if (names === null) fault = 'the file is empty';
  if (fault !== null) yield refusedFile('wrong_columns', where, fault);
}

function delimiterOf(beginning: string): string {
  const header = beginning.split('\n', 1)[0]!;
  const parts = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.reduce<string>(
    (best, delimiter) => (parts(delimiter) > parts(best) ? delimiter : best),
    ',',
  );
}

/** The trimmed texts of a row, or null when its quoting is broken. */
function cellsIn(bytes: Uint8Array, start: number, end: number, scanner: FieldScanner): string[] | null {
  const count = scanner.scan(bytes, start, end);
  if (count < 0) return null;
  return Array.from({ length: count }, (_, place) =>
    fieldText(bytes, scanner.starts[place]!, scanner.ends[place]!).replaceAll('""', '"'),
  );
}

function headerFault(names: readonly string[], kind: FactKind | undefined): string | null {
  const known = columnNames(kind);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) return `no field is called "${unknown}"`;
  if (new Set(names).size < names.length) return 'a column is named twice';
  if (!names.includes('symbol')) return 'no column for symbol';
  return kind === undefined && !names.includes('kind') ? 'no column for kind, and no --kind' : null;
}

function factsIn(
  names: readonly string[],
  cells: readonly string[] | null,
  kind: FactKind | undefined,
): SymbolFacts | RefusalReason {
  if (cells === null || cells.length !== names.length) return 'wrong_columns';
  const cellsByName = names.map((name, place) => [name, cells[place]!] as const);
  const row: Row = new Map(cellsByName.filter(([, text]) => text !== ''));
  return readRow(row, kind);
}

/** Reads a file of JSON objects, one a line. Lines longer than 64 KiB are refused; see `lines.ts`. */
async function* jsonLines(
  file: TextFile,
  kind: FactKind | undefined,
  tally: RefusalTally,
): AsyncGenerator<SymbolFacts> {
  const { where } = file;
  let read: SymbolFacts[] = [];
  const lines = lineReader(
    (bytes, start, end, line) => {
      const row = rowIn(fieldText(bytes, start, end));
      const facts = row === null ? 'unknown_format' : readRow(row, kind);
      if (typeof facts === 'string') tally.row(facts, where, line, bytes, start, end);
      else read.push(facts);
    },
    (line, beginning) => tally.note('too_large', `${where}:${line}`, beginning),
  );
  for await (const chunk of file.chunks()) {
    lines.push(chunk);
    yield* read;
    read = [];
  }
  lines.end();
  yield* read;
}

/** The members of the object that the line is, or null when it is none. Null and empty text say nothing. */
function rowIn(line: string): Row | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  const members = Object.entries(parsed).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return new Map(members.filter(([, value]) => value !== null && value !== ''));
}
