import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { RefusalReason, Refused } from '../market/refusals.ts';
import { refusedFile } from '../market/refusals.ts';
import { binaryKind } from './binary-kinds.ts';
import { versionOf } from './one-version.ts';

/** A readable file: a plain one, a gunzipped one, or one entry of a zip. */
export interface TextFile {
  /** How a message names it: the archive's key, followed by `/entry` when the archive holds several. */
  readonly where: string;
  /** Its own name, without folders and without `.gz` or `.zip`. */
  readonly name: string;
  /** Its bytes in chunks; each call starts again. An entry is readable until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Bytes from a place on, 0 the beginning and 1 as many before the end, where they can be had without the rest. */
  piece?(place: number, bytes: number): Promise<Uint8Array>;
  /** Of the file on the disk: another once that has changed. */
  readonly version?: string;
  /** When the file was last written, epoch milliseconds; unknown of what lies in a zip. */
  readonly modified?: number;
  /** How many bytes it has, and how many of the file on the disk those are; unknown before they are verified. */
  readonly size?: { readonly bytes: number; readonly packedBytes: number };
}

/** What an archive may cost. Real market data deflates to a tenth or twentieth; a bomb promises a thousandfold. */
export const ARCHIVE_LIMITS = {
  /** Unpacked bytes of one entry. */
  entryBytes: 16 * 2 ** 30,
  entries: 100_000,
  /** Unpacked bytes, of an entry and of the whole archive, for one packed byte ... */
  ratio: 300,
  /** ... which applies beyond this many unpacked bytes. */
  freeBytes: 16 * 2 ** 20,
};
export type ArchiveLimits = Readonly<typeof ARCHIVE_LIMITS>;

/** Entries up to this size are unpacked once and buffered; larger ones are unpacked twice. */
const BUFFERED_BYTES_MAX = 32 * 2 ** 20;
/** Entries up to this size are unpacked once to be looked at, which several readers do one after the other. */
const LOOKED_AT_BYTES_MAX = 2 ** 20;
const CHUNK_BYTES = 128 * 1024;
/** Names with which a workbook or a spreadsheet begins. */
const OFFICE = /^(?:\[Content_Types\]|_rels\/|xl\/|docProps\/|customXml\/|mimetype|content\.xml)/;
/** Parts of a workbook: a few for each sheet. */
const WORKBOOK_PARTS_MAX = 5_000;
const WORKBOOK_BYTES_MAX = 256 * 2 ** 20;
/** Of the mode of a file, which writers on Unix put into archives. */
const FILE_KIND = 0o170000;
const SYMBOLIC_LINK = 0o120000;
const STORED = 0;
const DEFLATED = 8;

interface Fault {
  readonly reason: RefusalReason;
  readonly example: string;
}

const NOT_AS_STATED: Fault = {
  reason: 'broken_archive',
  example: 'the entry does not have the length or checksum that the archive states',
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type Open = () => Chunks | Promise<Chunks>;

/**
 * The files inside a file. Length and checksum are verified before the first row is read, because half of a day would
 * look like a quiet day. Faults are refusals, never exceptions; other entries of a zip are still read. Nothing is
 * written to disk; an entry whose name points outside the archive is refused all the same.
 *
 * @param key its name in messages
 */
export function textFiles(
  path: string,
  key: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): AsyncGenerator<TextFile | Refused> {
  return withVersion(path, filesIn(path, key, limits, true));
}

/** The files inside a file to look at their beginnings: nothing is unpacked that is not asked for, or verified. */
export const unverifiedFiles = (path: string, key: string): AsyncGenerator<TextFile | Refused> =>
  withVersion(path, filesIn(path, key, ARCHIVE_LIMITS, false));

async function* withVersion(
  path: string,
  files: AsyncIterable<TextFile | Refused>,
): AsyncGenerator<TextFile | Refused> {
  const version = await versionOf(path);
  for await (const file of files) yield isTextFile(file) ? { ...file, version } : file;
}

async function* filesIn(
  path: string,
  key: string,
  limits: ArchiveLimits,
  verifies: boolean,
): AsyncGenerator<TextFile | Refused> {
  const kind = await archiveKind(path);
  if (typeof kind !== 'string') yield refusedFile(kind.reason, key, kind.example);
  else if (kind === 'parquet' || kind === 'workbook') yield await binaryTable(path, key, kind);
  else if (kind === 'zip') yield* zipEntries(path, key, limits, verifies);
  else if (kind === 'gzip') {
    const { size, mtimeMs: modified } = await stat(path);
    const file = await packedFile(
      () => gunzipped(path),
      key,
      baseName(key),
      size,
      undefined,
      limits,
      verifies,
    );
    yield isTextFile(file) ? { ...file, modified } : file;
  } else {
    const { size, mtimeMs: modified } = await stat(path);
    // To look at a beginning, half a chunk less is read for nothing.
    const highWaterMark = verifies ? CHUNK_BYTES : CHUNK_BYTES / 2;
    const plain = () => createReadStream(path, { highWaterMark });
    const piece = async (place: number, bytes: number) => {
      const start = Math.max(Math.floor((size - bytes) * place), 0);
      return Buffer.concat(await createReadStream(path, { start, end: start + bytes - 1 }).toArray());
    };
    const whole = { bytes: size, packedBytes: size };
    yield { where: key, name: baseName(key), chunks: () => reopened(plain), piece, modified, size: whole };
  }
}

export function isTextFile(file: TextFile | Refused): file is TextFile {
  return 'chunks' in file;
}

/** The table of a workbook or of Parquet as a text. */
async function binaryTable(
  path: string,
  key: string,
  kind: 'parquet' | 'workbook',
): Promise<TextFile | Refused> {
  const { mtimeMs: modified } = await stat(path);
  const file = { where: key, name: baseName(key), modified };
  try {
    // Their libraries are loaded with the first such file.
    const { parquetText, workbookText } = await import('./binary-tables.ts');
    const table = kind === 'parquet' ? await parquetText(path) : await workbookText(path);
    if ('reason' in table) return refusedFile(table.reason, key, table.example);
    return { ...file, ...table };
  } catch (error) {
    return refusedFile('broken_archive', key, `${kind}, damaged or cut short: ${messageOf(error)}`);
  }
}

/** What some zips are beside archives: the parts of a workbook, or of a spreadsheet that is not read. */
async function zipKind(path: string): Promise<'zip' | 'workbook' | Fault> {
  try {
    const zip = await yauzl.openPromise(path, { decodeStrings: false, autoClose: false });
    try {
      const names = new Set<string>();
      let bytes = 0;
      for await (const entry of zip.eachEntry()) {
        if (names.size === WORKBOOK_PARTS_MAX) return 'zip';
        names.add(entryName(entry));
        bytes += entry.uncompressedSize;
      }
      const instead = 'save it as .xlsx or CSV';
      if (names.has('xl/workbook.bin'))
        return { reason: 'unknown_format', example: `the file is a binary workbook (.xlsb): ${instead}` };
      if (names.has('content.xml') && names.has('mimetype'))
        return { reason: 'unknown_format', example: `the file is an OpenDocument sheet (.ods): ${instead}` };
      if (!names.has('xl/workbook.xml')) return 'zip';
      return bytes <= WORKBOOK_BYTES_MAX
        ? 'workbook'
        : { reason: 'too_large', example: `a workbook of ${bytes} unpacked bytes: save it as CSV` };
    } finally {
      zip.close();
    }
  } catch {
    // What is wrong with it is found as of any archive.
    return 'zip';
  }
}

/** By the first bytes; a file named like an archive without its first bytes is damaged. */
async function archiveKind(path: string): Promise<'zip' | 'gzip' | 'parquet' | 'workbook' | 'plain' | Fault> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const magic = buffer.subarray(0, bytesRead).toString('latin1');
    if (magic.startsWith('PK')) return OFFICE.test(magic.slice(30)) ? await zipKind(path) : 'zip';
    if (magic.startsWith('PAR1')) return 'parquet';
    if (magic.startsWith('\x1f\x8b')) return 'gzip';
    const binary = binaryKind(buffer.subarray(0, bytesRead));
    if (binary !== null) return { reason: 'unknown_format', example: binary };
    if (!/\.(zip|gz)$/i.test(path)) return 'plain';
    return {
      reason: 'broken_archive',
      example: 'the file does not begin like the archive that its name promises',
    };
  } finally {
    await file.close();
  }
}

async function* zipEntries(
  path: string,
  key: string,
  limits: ArchiveLimits,
  verifies: boolean,
): AsyncGenerator<TextFile | Refused> {
  let zip: ZipFile;
  try {
    zip = await yauzl.openPromise(path, { decodeStrings: false, autoClose: false });
  } catch (error) {
    yield refusedFile('broken_archive', key, messageOf(error));
    return;
  }
  try {
    yield* entriesOf(zip, key, limits, verifies);
  } catch (error) {
    yield refusedFile('broken_archive', key, messageOf(error));
  } finally {
    zip.close();
  }
}

async function* entriesOf(
  zip: ZipFile,
  key: string,
  limits: ArchiveLimits,
  verifies: boolean,
): AsyncGenerator<TextFile | Refused> {
  if (zip.entryCount === 0) yield refusedFile('broken_archive', key, 'the archive is empty');
  if (zip.entryCount > limits.entries) {
    yield refusedFile('too_large', key, `${zip.entryCount} entries; the limit is ${limits.entries}`);
    return;
  }
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entryName(entry);
    if (name.endsWith('/') || isHidden(name)) continue;
    const where = zip.entryCount === 1 ? key : `${key}/${name}`;
    const fault = entryFault(entry, name);
    unpackedBytes += entry.uncompressedSize;
    if (fault !== null) yield refusedFile(fault.reason, where, fault.example);
    else if (unpackedBytes > Math.max(limits.freeBytes, limits.ratio * zip.fileSize)) {
      yield refusedFile(
        'too_large',
        where,
        `the archive unpacks to more than ${limits.ratio} times its size`,
      );
      return;
    } else {
      const unpack: Open = () => inflated(zip, entry);
      yield await packedFile(unpack, where, baseName(name), entry.compressedSize, entry, limits, verifies);
    }
  }
}

function entryName(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** Files that file managers add: `.DS_Store`, `__MACOSX/._prices.csv`. No data, and not reported. */
function isHidden(name: string): boolean {
  return posix.basename(name).startsWith('.') || name.startsWith('__MACOSX/');
}

function entryFault(entry: Entry, name: string): Fault | null {
  const badName = yauzl.validateFileName(name);
  if (badName !== null) return { reason: 'broken_archive', example: badName };
  if (((entry.externalFileAttributes >>> 16) & FILE_KIND) === SYMBOLIC_LINK)
    return { reason: 'not_read', example: 'a symbolic link, which is not followed' };
  if (entry.isEncrypted()) return { reason: 'unknown_format', example: 'the entry is encrypted' };
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    return { reason: 'unknown_format', example: `compression method ${entry.compressionMethod}` };
  }
  return null;
}

/** The file behind `open`, verified if it unpacks without fault and within the limits, else the refusal. */
async function packedFile(
  open: Open,
  where: string,
  name: string,
  packedBytes: number,
  entry: Entry | undefined,
  limits: ArchiveLimits,
  verifies: boolean,
): Promise<TextFile | Refused> {
  if (!verifies) {
    const isSmall = entry !== undefined && entry.uncompressedSize <= LOOKED_AT_BYTES_MAX;
    let kept: Promise<Uint8Array[]> | undefined;
    const openOnce: Open = () => {
      kept ??= beginningIn(open, LOOKED_AT_BYTES_MAX);
      return kept;
    };
    return { where, name, chunks: () => reopened(isSmall ? openOnce : open) };
  }
  const buffered: Uint8Array[] = [];
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of await open()) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const fault = await faultOf(counted, buffered, packedBytes, entry, limits);
  if (fault !== null) return refusedFile(fault.reason, where, fault.example);
  return {
    where,
    name,
    size: { bytes, packedBytes },
    chunks: () => reopened(buffered.length > 0 ? () => buffered : open),
  };
}

/** What is unpacked until it has some bytes; an entry may have more than its archive states. */
async function beginningIn(open: Open, bytesMax: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await open()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return chunks;
}

/** Unpacks to the end. Fills `buffered` with the bytes if they are few. */
async function faultOf(
  open: Open,
  buffered: Uint8Array[],
  packedBytes: number,
  entry: Entry | undefined,
  limits: ArchiveLimits,
): Promise<Fault | null> {
  const allowedBytes = Math.min(limits.entryBytes, Math.max(limits.freeBytes, packedBytes * limits.ratio));
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of await open()) {
      bytes += chunk.length;
      if (bytes > allowedBytes)
        return { reason: 'too_large', example: `unpacks to more than ${allowedBytes} bytes` };
      // Stopping at the stated length bounds all entries together, since the stated lengths were summed before.
      if (entry !== undefined && bytes > entry.uncompressedSize) return NOT_AS_STATED;
      if (entry !== undefined) checksum = crc32(chunk, checksum);
      if (bytes <= BUFFERED_BYTES_MAX) buffered.push(chunk);
      else buffered.length = 0;
    }
  } catch (error) {
    return { reason: 'broken_archive', example: messageOf(error) };
  }
  if (entry === undefined || (bytes === entry.uncompressedSize && checksum === entry.crc32)) return null;
  return NOT_AS_STATED;
}

async function* reopened(open: Open): AsyncGenerator<Uint8Array> {
  yield* await open();
}

async function gunzipped(path: string): Promise<AsyncIterable<Uint8Array>> {
  return through(
    createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    createGunzip({ chunkSize: CHUNK_BYTES }),
  );
}

/** Inflates the packed bytes here: the chunks of the library's stream are too small for a row reader. */
async function inflated(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  if (entry.compressionMethod === STORED) return zip.openReadStreamPromise(entry);
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  return through(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }));
}

/** Closes the file when a reader stops early, and passes on errors of the source. */
async function* through(
  source: Readable,
  unpacker: Readable & NodeJS.WritableStream,
): AsyncGenerator<Uint8Array> {
  source.on('error', (error) => unpacker.destroy(error));
  source.pipe(unpacker);
  try {
    yield* unpacker;
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

function baseName(name: string): string {
  return posix.basename(name).replace(/\.(gz|zip)$/i, '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
