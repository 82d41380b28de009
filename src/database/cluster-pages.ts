import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { neighboursOf, PAGE_BYTES, pageState } from './page-checksum.ts';

/** Pages of a relation's file on disk. A large relation has several files. */
export interface FilePages {
  /** Below the cluster, as PostgreSQL names it: `base/5/16880`. */
  readonly file: string;
  readonly pages: number;
  /** Blocks whose checksum is not that of their bytes. */
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
  const { fork, part = '0' } = RELATION_FILE.exec(file.slice(file.lastIndexOf('/') + 1))!.groups!;
  const damaged: number[] = [];
  const empty: number[] = [];
  let lastFilled = -1;
  const bytes = await eachPage(cluster, file, (words, page, block) => {
    const state = pageState(words, page, block + Number(part) * PAGES_OF_A_FILE);
    if (state === 'damaged') damaged.push(block);
    if (state === 'empty') empty.push(block);
    else lastFilled = block;
  });
  if (bytes === null) return null;
  return {
    file,
    pages: Math.floor(bytes / PAGE_BYTES),
    damaged,
    empty: fork === undefined ? empty.filter((block) => block < lastFilled) : [],
    isCut: bytes % PAGE_BYTES !== 0,
  };
}

export const isSuspect = ({ damaged, empty, isCut }: FilePages): boolean =>
  damaged.length > 0 || empty.length > 0 || isCut;

/** Those of the empty blocks of a B-tree that a page in use names as its neighbour: they had content once. */
export async function emptyInUse(cluster: string, { file, empty }: FilePages): Promise<number[]> {
  const named = new Set<number>();
  await eachPage(cluster, file, (words, page) => {
    for (const block of neighboursOf(words, page)) named.add(block);
  });
  return empty.filter((block) => named.has(block));
}

/** @returns bytes of the file; null where there is none */
async function eachPage(
  cluster: string,
  file: string,
  onPage: (words: Uint32Array, page: number, block: number) => void,
): Promise<number | null> {
  const handle = await open(join(cluster, file)).catch(unlessMissing);
  if (handle === null) return null;
  try {
    return await readPages(handle, onPage);
  } finally {
    await handle.close();
  }
}

async function readPages(
  handle: FileHandle,
  onPage: (words: Uint32Array, page: number, block: number) => void,
): Promise<number> {
  const bytes = new Uint8Array(PAGES_AT_ONCE * PAGE_BYTES);
  const words = new Uint32Array(bytes.buffer);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
    const pages = Math.floor(bytesRead / PAGE_BYTES);
    for (let page = 0; page < pages; page++) onPage(words, page, at / PAGE_BYTES + page);
    at += bytesRead;
    if (bytesRead < bytes.length) return at;
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
