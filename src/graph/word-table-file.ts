import { hash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { placesOf, type WordTable } from './word-table.ts';

/** First line of the file as JSON; behind it words, scales and vectors. */
interface Head {
  readonly layout: typeof LAYOUT;
  /** Names what the table was made of. */
  readonly source: string;
  readonly count: number;
  readonly dimensions: number;
  readonly wordBytes: number;
  /** SHA-256 of everything behind the line. */
  readonly digest: string;
}

const LAYOUT = 1;
const NEWLINE = 10;

/**
 * Writes the table: synced and renamed into place, so that a crash leaves the file of before or the new one.
 *
 * @throws Error of the file system
 */
export function writeTableFile(file: string, source: string, table: WordTable): void {
  const words = Buffer.from(table.words.join('\n'));
  const body = Buffer.concat([words, bytesOf(table.scales), bytesOf(table.vectors)]);
  const head: Head = {
    layout: LAYOUT,
    source,
    count: table.words.length,
    dimensions: table.dimensions,
    wordBytes: words.length,
    digest: hash('sha256', body),
  };
  mkdirSync(dirname(file), { recursive: true });
  // Two processes that write at once write the same bytes, and what either leaves half is told by its digest.
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, 'w');
  try {
    writeFileSync(descriptor, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncDirectory(dirname(file));
}

/** Null when there is no such file, when it was made of another source, or when it does not hold what was written. */
export function readTableFile(file: string, source: string): WordTable | null {
  try {
    return tableOf(readFileSync(file), source);
  } catch {
    // What cannot be read can be made again.
    return null;
  }
}

function tableOf(bytes: Buffer, source: string): WordTable | null {
  const line = bytes.indexOf(NEWLINE);
  const head = JSON.parse(bytes.toString('utf8', 0, line)) as Head;
  const body = bytes.subarray(line + 1);
  if (head.layout !== LAYOUT || head.source !== source || head.digest !== hash('sha256', body)) return null;
  const words = body.toString('utf8', 0, head.wordBytes).split('\n');
  const scaleBytes = head.count * Float32Array.BYTES_PER_ELEMENT;
  // Copies, because numbers of four bytes may not begin just anywhere.
  const scales = new Float32Array(copyOf(body, head.wordBytes, scaleBytes));
  const vectors = new Int8Array(copyOf(body, head.wordBytes + scaleBytes, head.count * head.dimensions));
  return { dimensions: head.dimensions, words, scales, vectors, places: placesOf(words) };
}

const copyOf = (bytes: Buffer, from: number, length: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(from, from + length)).buffer;

const bytesOf = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
