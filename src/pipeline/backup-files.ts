import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { RowDigest } from '../base/row-digest.ts';

/** The files of a backup: the one place that reads and writes them. */

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface RowsDigest extends FileDigest {
  readonly rows: number;
  readonly digest: string;
}

/** Rows are JSON strings, one a line, as Zstandard. The file is synced when this resolves. */
export async function writeRows(path: string, groups: AsyncIterable<readonly string[]>): Promise<RowsDigest> {
  const digest = new RowDigest();
  async function* lines(): AsyncIterable<string> {
    for await (const rows of groups) {
      for (const row of rows) digest.add(row);
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  const { hash, passing } = hashed();
  // The stream syncs before it closes.
  const target = createWriteStream(path, { mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), createZstdCompress(), passing, target);
  return {
    rows: digest.rows,
    digest: String(digest),
    bytes: target.bytesWritten,
    sha256: hash.digest('hex'),
  };
}

/** Characters of rows that come together. */
const GROUP_CHARACTERS = 1_048_576;
const GROUP_ROWS_MAX = 5_000;

/** The rows of `writeRows` in groups of about a megabyte. */
export async function* readRowsOf(path: string): AsyncIterable<string[]> {
  let group: string[] = [];
  let characters = 0;
  for await (const line of linesOf(path)) {
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
async function* linesOf(path: string): AsyncIterable<string> {
  const text = createReadStream(path).pipe(createZstdDecompress()).setEncoding('utf8');
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

export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Links a file that never changes; where that is impossible, as on another disk, it is copied and synced. */
export async function keepFile(from: string, to: string): Promise<'linked' | 'copied'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
  }
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await sync(to);
  return 'copied';
}

/** Writes a file under another name, and renames it: it is there whole, or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await sync(dirname(path));
}

/** Syncs a file, or the names in a directory. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hashed(): { readonly hash: Hash; readonly passing: Transform } {
  const hash = createHash('sha256');
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { hash, passing };
}
