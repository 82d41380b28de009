import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Pages of a relation's file on disk. A large relation has several files. */
export type FilePages = NonNullable<Awaited<ReturnType<typeof checkFile>>>;

/** Files of relations, with their further parts and forks; temporary ones have a letter first. */
const RELATION_FILE = /^\d+(_(?<fork>fsm|vm|init))?(\.(?<part>\d+))?$/;
/** PostgreSQL begins another file of a relation after so many pages. */
const PAGES_OF_A_FILE = 131_072;
/** Read between two turns of the event loop. */
const PAGES_AT_ONCE = 32;

/** The relation files of a cluster, by their names below it. */
export async function listRelationFiles(cluster: string): Promise<string[]> {
  const bases = await readdir(join(cluster, 'base'));
  const files: string[] = [];
  for (const folder of ['global', ...bases.map((base) => join('base', base))]) {
    for (const name of await readdir(join(cluster, folder)))
      if (RELATION_FILE.test(name)) files.push(join(folder, name));
  }
  return files;
}

/**
 * Checks the pages of one file while a server may write it: what is found damaged or empty may be half written, so it
 * counts only once it is found again after a checkpoint. Null for a file that has gone.
 */
export async function checkFile(cluster: string, file: string) {
  const damaged: number[] = [];
  const empty: number[] = [];
  let lastFilled = -1;
  const bytes = await eachPage(cluster, file, (pages, page, block) => {
    const state = pageState(pages.words, page, block);
    if (state === 'damaged') damaged.push(block);
    if (state === 'empty') empty.push(block);
    else lastFilled = block;
  });
  if (bytes === null) return null;
  return {
    /** Below the cluster, as PostgreSQL names it: `base/5/16880`. */
    file,
    pages: Math.floor(bytes / PAGE_BYTES),
    /** Blocks of the relation whose checksum is not that of their bytes. */
    damaged,
    /** Blocks of zeros before one that has bytes; none of a map of free space or of visibility. */
    empty: partsOf(file).fork === undefined ? empty.filter((block) => block < lastFilled) : [],
    /** Whether the file ends within a page. */
    isCut: bytes % PAGE_BYTES !== 0,
  };
}

export const isSuspect = ({ damaged, empty, isCut }: FilePages): boolean =>
  damaged.length > 0 || empty.length > 0 || isCut;

/**
 * The blocks that the sound pages of a B-tree name.
 *
 * @param path of the index, as PostgreSQL has it
 * @param what `neighbours` for blocks of the index, `rows` for those of its table
 */
export async function blocksNamed(
  cluster: string,
  path: string,
  what: 'neighbours' | 'rows',
): Promise<ReadonlySet<number>> {
  const named = new Set<number>();
  const blocksOf = what === 'rows' ? rowBlocksOf : neighboursOf;
  for (const file of await listRelationFiles(cluster)) {
    if (mainPathOf(file) !== path || partsOf(file).fork !== undefined) continue;
    await eachPage(cluster, file, (pages, page, block) => {
      if (pageState(pages.words, page, block) !== 'sound') return;
      for (const one of blocksOf(pages.view, page)) named.add(one);
    });
  }
  return named;
}

/** The path that PostgreSQL gives the relation of a file. */
export const mainPathOf = (file: string): string => file.replace(/[_.].*/, '');

function partsOf(file: string): { readonly fork: string | undefined; readonly part: number } {
  const { fork, part = '0' } = RELATION_FILE.exec(file.slice(file.lastIndexOf('/') + 1))!.groups!;
  return { fork, part: Number(part) };
}

/** The same pages as words and as bytes. */
interface Pages {
  readonly words: Uint32Array;
  readonly view: DataView;
}

/** @param page position in what was read @param block number in the relation */
type OnPage = (pages: Pages, page: number, block: number) => void;

/** @returns bytes of the file; null where there is none */
async function eachPage(cluster: string, file: string, onPage: OnPage): Promise<number | null> {
  const handle = await open(join(cluster, file)).catch(unlessMissing);
  if (handle === null) return null;
  try {
    return await readPages(handle, partsOf(file).part * PAGES_OF_A_FILE, onPage);
  } finally {
    await handle.close();
  }
}

async function readPages(handle: FileHandle, firstBlock: number, onPage: OnPage): Promise<number> {
  // Not filled with zeros: there are thousands of files, most of them of a page.
  const bytes = Buffer.allocUnsafeSlow(PAGES_AT_ONCE * PAGE_BYTES);
  const pagesRead = { words: new Uint32Array(bytes.buffer), view: new DataView(bytes.buffer) };
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
    const pages = Math.floor(bytesRead / PAGE_BYTES);
    for (let page = 0; page < pages; page++) onPage(pagesRead, page, firstBlock + at / PAGE_BYTES + page);
    at += bytesRead;
    if (bytesRead < bytes.length) return at;
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** What a page of a B-tree names, by the layout of `nbtree.h` and `itup.h`. */

const HEADER_BYTES = 24;
/** At the end of a page: left neighbour, right neighbour, level, flags. */
const OPAQUE_BYTES = 16;
const FLAGS_AT = 12;
const IS_LEAF = 1;
/** Deleted, meta and half-dead pages have no entries of rows. */
const IS_WITHOUT_ROWS = 0b1_1100;
/** An entry of several rows: the place of their list is where else the block is. */
const HAS_OTHER_TID = 0x2000;
const ROWS_OF_LIST = 0x0fff;
const POINTER_BYTES = 6;

/** The blocks that a page names as its neighbours; 0 for none. */
function neighboursOf(pages: DataView, page: number): number[] {
  const opaque = (page + 1) * PAGE_BYTES - OPAQUE_BYTES;
  return [pages.getUint32(opaque, true), pages.getUint32(opaque + 4, true)];
}

/** The blocks of the table in which the rows of a sound page's entries lie. */
function* rowBlocksOf(pages: DataView, page: number): Iterable<number> {
  const start = page * PAGE_BYTES;
  const opaque = start + PAGE_BYTES - OPAQUE_BYTES;
  const flags = pages.getUint16(opaque + FLAGS_AT, true);
  if ((flags & IS_LEAF) === 0 || (flags & IS_WITHOUT_ROWS) !== 0) return;
  const end = start + pages.getUint16(start + 12, true);
  // Where there is a right neighbour the first entry is a bound.
  const first = pages.getUint32(opaque + 4, true) === 0 ? 0 : 1;
  for (let line = start + HEADER_BYTES + first * 4; line < end; line += 4) {
    const entry = start + (pages.getUint32(line, true) & 0x7fff);
    if ((pages.getUint16(entry + POINTER_BYTES, true) & HAS_OTHER_TID) === 0) {
      yield blockAt(pages, entry);
      continue;
    }
    const rows = pages.getUint16(entry + 4, true) & ROWS_OF_LIST;
    const list = entry + blockAt(pages, entry);
    for (let row = 0; row < rows; row++) yield blockAt(pages, list + row * POINTER_BYTES);
  }
}

const blockAt = (pages: DataView, pointer: number): number =>
  pages.getUint16(pointer, true) * 65_536 + pages.getUint16(pointer + 2, true);

/**
 * PostgreSQL's pages and their checksums, by the layout of `bufpage.h` and the algorithm of `checksum_impl.h`: 32 sums of
 * FNV-1a side by side over the words of a page.
 */
const PAGE_BYTES = 8_192;

const WORDS = PAGE_BYTES / 4;
const FNV_PRIME = 16_777_619;
const ROUNDS_OF_ZEROS = 2;
/** The word whose lower half holds the checksum, which counts as zero. */
const CHECKSUM_WORD = 2;
const BASE = new Uint32Array([
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c, 0xf8d4474f,
  0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc,
  0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6,
  0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
]);
const LANES = BASE.length;
const sums = new Uint32Array(LANES);

function mix(lane: number, word: number): void {
  const mixed = sums[lane]! ^ word;
  sums[lane] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
}

/** The checksum of a page, 1 to 65535. @param words of whole pages @param block number of the page in its relation */
function checksumOf(words: Uint32Array, page: number, block: number): number {
  const from = page * WORDS;
  sums.set(BASE);
  for (let at = 0; at < WORDS; at++) {
    const word = words[from + at]!;
    mix(at % LANES, at === CHECKSUM_WORD ? word & 0xffff0000 : word);
  }
  for (let at = 0; at < ROUNDS_OF_ZEROS * LANES; at++) mix(at % LANES, 0);
  const folded = sums.reduce((all, sum) => all ^ sum, 0);
  return (((folded ^ block) >>> 0) % 65_535) + 1;
}

/** What a page is: `empty` has only zeros, as one that was appended and never written. */
type PageState = 'sound' | 'empty' | 'damaged';

function pageState(words: Uint32Array, page: number, block: number): PageState {
  const from = page * WORDS;
  if (words[from + CHECKSUM_WORD] === 0 && words.subarray(from, from + WORDS).every((word) => word === 0))
    return 'empty';
  const stored = words[from + CHECKSUM_WORD]! & 0xffff;
  return stored === checksumOf(words, page, block) ? 'sound' : 'damaged';
}
