import type { FactKind } from '../facts.ts';
import type { Refused } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { type FieldScanner, fieldScanner, fieldText } from './fields.ts';
import { lineReader } from './lines.ts';
import { type RefusalTally, refusedFile } from './refusal-tally.ts';
import { columnNames, type Row, readRow, type SymbolFacts } from './facts-row.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Reads a table with a header line, one row a line: a stray quote costs its row and not the rest of the file, so a text
 * with line ends goes into JSON Lines. Names of the header that no kind has refuse the file, because nobody could say
 * what is lost.
 *
 * @param beginning the first bytes of the file as text, which hold the header
 */
export async function* delimitedRows(
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
