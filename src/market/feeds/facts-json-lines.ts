import type { FactKind } from '../facts.ts';
import type { TextFile } from './archive.ts';
import { fieldText } from './fields.ts';
import { lineReader } from './lines.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { type Row, readRow, type SymbolFacts } from './facts-row.ts';

/** Reads a file of JSON objects, one a line. Lines longer than 64 KiB are refused; see `lines.ts`. */
export async function* jsonLines(
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
