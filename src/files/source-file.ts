import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { nextTurn } from '../base/timers.ts';
import type { Delivery, Feed, SourceUnit } from '../market/feed.ts';
import type { RefusalReason, Refused } from '../market/refusals.ts';
import { type RefusalTally, refusalTally } from '../market/refusals.ts';
import { isTextFile, type TextFile, textFiles } from './archive.ts';
import { type FoundFile, type KeyedFile, keyedFiles } from './found-files.ts';
import { ofOneVersion, versionOf } from './one-version.ts';

/** Rows after which a series is delivered; a delivery has at most about 50,000. */
export const DELIVERY_ROWS = 40_000;

/** Bytes of rows that are taken in one turn of the event loop: about a millisecond. */
const STEP_BYTES = 16 * 1024;

/** SHA-256 over the bytes and over how they are read: the reader's version and every setting that changes a row. */
export async function fileFingerprint(path: string, reading: unknown): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.update(`\n${JSON.stringify(reading)}`).digest('hex');
}

/** Files whose rows belong together. */
export interface Joining {
  /** The files, those that are read as one unit together. */
  groups(files: readonly KeyedFile[]): Promise<readonly (readonly KeyedFile[])[]>;
  /**
   * The deliveries of a unit.
   *
   * @param current the text that the last one is of
   */
  joined(deliveries: AsyncIterable<Delivery>, current: () => TextFile): AsyncIterable<Delivery>;
}

/**
 * A feed of delimited or JSON files, one unit a file or file of a folder. A path that does not exist rejects when the
 * units are listed.
 *
 * @param reading the reader's version and every setting that changes a row
 * @param joining where several files may be parts of one
 */
export function fileFeed(
  name: string,
  paths: readonly (string | FoundFile)[],
  reading: object,
  rowsOf: (file: TextFile, tally: RefusalTally) => AsyncIterable<Delivery>,
  joining?: Joining,
): Feed {
  const unitOf = async (
    files: readonly KeyedFile[],
    listed: ReadonlyMap<KeyedFile, string>,
  ): Promise<SourceUnit> => {
    let weightRead = 0;
    let current: TextFile | undefined;
    const rows = (file: TextFile, tally: RefusalTally): AsyncIterable<Delivery> => {
      current = file;
      const counted = countingReads(file, (bytes) => {
        weightRead += bytes;
      });
      return rowsOf(counted, tally);
    };
    async function* deliveries(): AsyncGenerator<Delivery> {
      for (const { path, key } of files) yield* readUnit(path, key, rows);
    }
    const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
    const prints = () =>
      Promise.all(files.map(({ path }) => fileFingerprint(path, { reader: name, ...reading })));
    const unit: SourceUnit = {
      key: files.map(({ key }) => key).join(' + '),
      weight: sizes.reduce((sum, size) => sum + size, 0),
      weightRead: () => weightRead,
      fingerprint: async () => (await prints()).join('+'),
      read: () => (joining === undefined ? deliveries() : joining.joined(deliveries(), () => current!)),
    };
    // Which files are parts of one chain was found in them.
    return ofOneVersion(files, unit, files.length > 1 ? files.map((file) => listed.get(file)!) : undefined);
  };
  return {
    name,
    simulated: false,
    async units() {
      const { files, leftOut } = await keyedFiles(paths);
      const versions =
        joining === undefined ? [] : await Promise.all(files.map(({ path }) => versionOf(path)));
      const listed = new Map(versions.map((version, at) => [files[at]!, version]));
      const groups = joining === undefined ? files.map((file) => [file]) : await joining.groups(files);
      const units = await Promise.all(groups.map((group) => unitOf(group, listed)));
      return [...units, ...leftOut.map((refused) => refusedUnit(refused, `left out: ${refused.example}`))];
    },
  };
}

/** The file, which tells how much of what lies on the disk has been read. */
function countingReads(file: TextFile, onRead: (packedBytes: number) => void): TextFile {
  const { size } = file;
  if (size === undefined) return file;
  return {
    ...file,
    async *chunks() {
      for await (const chunk of file.chunks()) {
        onRead((chunk.length / size.bytes) * size.packedBytes);
        yield chunk;
      }
    },
  };
}

/** The rows of every text in a file, and in the end what was refused of them. */
export async function* readUnit(
  path: string,
  key: string,
  rowsOf: (file: TextFile, tally: RefusalTally) => AsyncIterable<Delivery>,
): AsyncGenerator<Delivery> {
  const tally = refusalTally();
  for await (const file of textFiles(path, key)) {
    if (isTextFile(file)) yield* rowsOf(file, tally);
    else yield file;
  }
  yield* tally.refusals();
}

/** A unit that refuses itself; its content is never opened. */
export const refusedUnit = (refusal: Refused, fingerprint: string): SourceUnit => ({
  key: refusal.where,
  weight: 1,
  fingerprint: async () => fingerprint,
  async *read() {
    yield refusal;
  },
});

export async function beginningOf(file: TextFile): Promise<string> {
  for await (const chunk of file.chunks()) return new TextDecoder().decode(chunk).trimStart();
  return '';
}

/** A file's text, or null when it has more bytes than allowed. */
export async function wholeText(file: TextFile, bytesMax = Number.POSITIVE_INFINITY): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Takes a row, given as a line of a `lineReader`, and returns null or the reason of its refusal. */
export type TakeRow = (bytes: Uint8Array, start: number, end: number, line: number) => RefusalReason | null;

export async function readRows(file: TextFile, tally: RefusalTally, take: TakeRow): Promise<void> {
  for await (const _ of deliverRows(file, tally, take, () => [])) {
    // Nothing is delivered before the end.
  }
}

/**
 * Passes every line of a file to `take`, counts what it refuses, and yields what is `due` after each chunk and, with
 * `finished`, at the end: memory never grows with the file.
 */
export async function* deliverRows<Item>(
  file: TextFile,
  tally: RefusalTally,
  take: TakeRow,
  due: (finished: boolean) => Iterable<Item>,
): AsyncGenerator<Item> {
  const { where } = file;
  const lines = lineReader(
    (bytes, start, end, line) => {
      const reason = take(bytes, start, end, line);
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    },
    (line, beginning) => tally.note('too_large', `${where}:${line}`, beginning),
  );
  for await (const chunk of file.chunks()) {
    // What is unpacked or converted comes in one piece, of which other callers must not wait for the end.
    for (let from = 0; from < chunk.length; from += STEP_BYTES) {
      lines.push(chunk.subarray(from, from + STEP_BYTES));
      yield* due(false);
      await nextTurn();
    }
  }
  lines.end();
  yield* due(true);
}

/** Longest line that is read. A row of market data has some 60 bytes. */
export const LINE_BYTES_MAX = 65_536;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Cuts chunks into lines as byte ranges of the chunks: rows of numbers become no strings. Endings are LF or CRLF, a
 * byte-order mark is dropped, empty lines count but are skipped. Every newline ends a line, also inside quotes: a stray
 * quote must not swallow the rest of a file. `push` each chunk, then `end` once for a last line without a newline.
 *
 * @param take gets a line as the bytes from `start` to `end` (exclusive, without its end-of-line), counted from line 1
 * @param tooLong called for each line over `LINE_BYTES_MAX`, with its first 200 bytes; reading continues after it
 */
export function lineReader(
  take: (bytes: Uint8Array, start: number, end: number, line: number) => void,
  tooLong: (line: number, beginning: string) => void,
) {
  let line = 0;
  let partial: Uint8Array[] = [];
  let partialBytes = 0;
  let skipping = false;

  const emit = (bytes: Uint8Array, from: number, to: number): void => {
    line++;
    const start = line === 1 && startsWithMark(bytes, from, to) ? from + 3 : from;
    const end = to > start && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
    if (end - start > LINE_BYTES_MAX) tooLong(line, excerptOf(bytes.subarray(start, end)));
    else if (end > start) take(bytes, start, end, line);
  };
  const addPartial = (rest: Uint8Array): void => {
    if (skipping || rest.length === 0) return;
    partial.push(rest);
    partialBytes += rest.length;
    if (partialBytes <= LINE_BYTES_MAX + 1) return;
    tooLong(line + 1, excerptOf(Buffer.concat(partial)));
    skipping = true;
    partial = [];
    partialBytes = 0;
  };
  const finishProcessed = (): void => {
    if (skipping) line++;
    else {
      const whole = Buffer.concat(partial);
      emit(whole, 0, whole.length);
    }
    skipping = false;
    partial = [];
    partialBytes = 0;
  };

  return {
    push(chunk: Uint8Array): void {
      let start = 0;
      if (skipping || partialBytes > 0) {
        const newline = chunk.indexOf(NEWLINE);
        addPartial(newline < 0 ? chunk : chunk.subarray(0, newline));
        if (newline < 0) return;
        finishProcessed();
        start = newline + 1;
      }
      for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        emit(chunk, start, end);
        start = end + 1;
      }
      addPartial(chunk.subarray(start));
    },
    end(): void {
      if (skipping || partialBytes > 0) finishProcessed();
    },
  };
}

function startsWithMark(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}

function excerptOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 200)).toString('utf8');
}
