import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { neighboursOf, rowBlocksOf } from './btree-page.ts';
import { PAGE_BYTES, pageState } from './page-checksum.ts';

/** Pages of a relation's file on disk. A large relation has several files. */
export interface FilePages {
  /** Below the cluster, as PostgreSQL names it: `base/5/16880`. */
  readonly file: string;
  readonly pages: number;
  /** Blocks of the relation whose checksum is not that of their bytes. */
  readonly damaged: readonly number[];
  /** Blocks of zeros before one that has bytes; none of a map of free space or of visibility. */
  readonly empty: readonly number[];
  /** Whether the file ends within a page. */
  readonly isCut: boolean;
}

/** Files of relations, with their further parts and forks; temporary ones have a letter first. */
const RELATION_FILE = /^\d+(_(?<fork>fsm|vm|init))?(\.(?<part>\d+))?$/;
/** PostgreSQL begins another file of a relation after so many pages. */
const PAGES_OF_A_FILE = 131_072;
/** Read between two turns of the event loop. */
const PAGES_AT_ONCE = 128;

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
export async function checkFile(cluster: string, file: string): Promise<FilePages | null> {
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
    file,
    pages: Math.floor(bytes / PAGE_BYTES),
    damaged,
    empty: partsOf(file).fork === undefined ? empty.filter((block) => block < lastFilled) : [],
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
  const bytes = new Uint8Array(PAGES_AT_ONCE * PAGE_BYTES);
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
