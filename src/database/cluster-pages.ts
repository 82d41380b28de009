import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nextTurn, realTimers, rest } from '../base/timers.ts';
import { isIntact, PAGE_BYTES } from './page-checksum.ts';

/** A page that does not hold what PostgreSQL wrote. */
export interface DamagedPage {
  /** Of the relation, below the cluster's folder. */
  readonly file: string;
  readonly block: number;
  readonly what: 'has a wrong checksum' | 'is empty between others' | 'is cut off';
}

/** Files of relations and their maps; those of temporary ones begin otherwise. */
const RELATION = /^\d+(_(fsm|vm|init))?(\.\d+)?$/;
/** Pages of one file of a relation. */
const SEGMENT_PAGES = 131_072;
const PAGES_AT_ONCE = 128;
/** A page that the server writes at the moment is whole a little later. */
const AGAIN_MS = 50;
const LOOKS = 3;

/**
 * Reads every page of an embedded cluster, whether its server runs or not, and finds those that are not as they were
 * written.
 *
 * @param onPages receives how many pages have been read so far
 */
export async function* damagedPages(
  cluster: string,
  onPages: (read: number, file: string) => void = () => {},
): AsyncGenerator<DamagedPage> {
  let read = 0;
  for (const file of await relationFiles(cluster)) {
    for await (const { pages, damaged } of damagedIn(cluster, file)) {
      read += pages;
      yield* damaged;
      onPages(read, file);
      await nextTurn();
    }
  }
}

async function relationFiles(cluster: string): Promise<string[]> {
  const databases = await readdir(join(cluster, 'base'));
  const files: string[] = [];
  for (const folder of ['global', ...databases.map((name) => `base/${name}`)])
    for (const name of await readdir(join(cluster, folder)))
      if (RELATION.test(name)) files.push(`${folder}/${name}`);
  return files;
}

async function* damagedIn(
  cluster: string,
  file: string,
): AsyncGenerator<{ readonly pages: number; readonly damaged: readonly DamagedPage[] }> {
  // The server may drop a table meanwhile.
  const handle = await open(join(cluster, file)).catch(() => null);
  if (handle === null) return;
  try {
    const [, segment = '0'] = /\.(\d+)$/.exec(file) ?? [];
    const first = Number(segment) * SEGMENT_PAGES;
    const chunk = Buffer.alloc(PAGES_AT_ONCE * PAGE_BYTES);
    /** Maps have gaps; a table or an index has none. */
    let empty: DamagedPage[] = [];
    for (let at = 0; ; at += PAGES_AT_ONCE) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at * PAGE_BYTES);
      if (bytesRead === 0) return;
      const damaged: DamagedPage[] = [];
      for (let offset = 0; offset < bytesRead; offset += PAGE_BYTES) {
        const block = first + at + offset / PAGE_BYTES;
        const page = chunk.subarray(offset, offset + PAGE_BYTES);
        if (offset + PAGE_BYTES > bytesRead) damaged.push({ file, block, what: 'is cut off' });
        else if (isZero(page)) empty.push({ file, block, what: 'is empty between others' });
        else {
          if (!file.includes('_')) damaged.push(...empty);
          empty = [];
          if (!(await isIntactSoon(handle, page, block, at * PAGE_BYTES + offset)))
            damaged.push({ file, block, what: 'has a wrong checksum' });
        }
      }
      yield { pages: Math.ceil(bytesRead / PAGE_BYTES), damaged };
    }
  } finally {
    await handle.close();
  }
}

const ZEROS = Buffer.alloc(PAGE_BYTES);
const isZero = (page: Buffer): boolean => page.equals(ZEROS);

async function isIntactSoon(
  handle: Awaited<ReturnType<typeof open>>,
  page: Buffer,
  block: number,
  position: number,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    if (isIntact(page, block)) return true;
    if (look === LOOKS) return false;
    await rest(realTimers, AGAIN_MS);
    await handle.read(page, 0, PAGE_BYTES, position);
  }
}
