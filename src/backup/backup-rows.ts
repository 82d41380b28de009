import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { at } from '../base/fault-points.ts';
import { RowDigest } from '../base/row-digest.ts';
import { type FileStore, PassingDigest } from './file-store.ts';

/** Rows of a table in a backup: JSON strings, one a line, as Zstandard. */

/** Stores rows as they come. They are safe when this resolves. */
export async function writeRows(files: FileStore, file: string, groups: AsyncIterable<readonly string[]>) {
  const digest = new RowDigest();
  async function* lines(): AsyncIterable<string> {
    for await (const rows of groups) {
      for (const row of rows) digest.add(row);
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  const passing = new PassingDigest();
  await pipeline(Readable.from(lines()), createZstdCompress(), (bytes: AsyncIterable<Uint8Array>) =>
    files.write(file, passing.through(bytes)),
  );
  at('backup.table-stored');
  return { rows: digest.rows, digest: String(digest), ...passing.end() };
}

/** Characters of rows that come together. */
const GROUP_CHARACTERS = 1_048_576;
const GROUP_ROWS_MAX = 5_000;

/** The rows of `writeRows` in groups of about a megabyte. @param bytes of the file */
export async function* readRowsOf(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string[]> {
  let group: string[] = [];
  let characters = 0;
  for await (const line of linesOf(bytes)) {
    const row = JSON.parse(line) as string;
    group.push(row);
    characters += row.length;
    if (characters < GROUP_CHARACTERS && group.length < GROUP_ROWS_MAX) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

/** Only at line feeds: the line reader of the runtime also ends lines at separators that occur in texts. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  // An error of either ends the text with it.
  const text = connect(Readable.from(bytes), createZstdDecompress(), () => {}).setEncoding('utf8');
  let parts: string[] = [];
  for await (const chunk of text as AsyncIterable<string>) {
    const [first, ...others] = chunk.split('\n') as [string, ...string[]];
    parts.push(first);
    for (const begun of others) {
      yield parts.join('');
      parts = [begun];
    }
  }
}
