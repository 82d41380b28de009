import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Refused, refusedFile } from '../market/refusals.ts';

/** A file of a feed and the name that it has in messages. */
export interface KeyedFile {
  readonly path: string;
  readonly key: string;
}

/** A file or an entry of a folder that is not read. */
export interface FoundFile {
  readonly path: string;
  /** Why it is left out. */
  readonly leftOut?: string;
}

/** What an entry of a folder is, but for files and folders: it may lead anywhere, or never end. */
export function leftOutOf(entry: Dirent): string | undefined {
  if (entry.isFile() || entry.isDirectory()) return undefined;
  return entry.isSymbolicLink()
    ? 'a symbolic link, which is not followed: name the file or folder that it leads to'
    : 'neither a file nor a folder';
}

/**
 * The given files and the entries of the given folders by name. Names that begin with a point are passed over, folders in
 * folders too unless `isDeep`.
 */
export async function foundFiles(given: readonly string[], isDeep = false): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const path of given) {
    if ((await stat(path)).isDirectory()) found.push(...(await inFolder(path, isDeep)));
    else found.push({ path });
  }
  return found;
}

async function inFolder(folder: string, isDeep: boolean): Promise<FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
  const found: FoundFile[] = [];
  for (const entry of shown.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const leftOut = leftOutOf(entry);
    if (leftOut !== undefined) found.push({ path, leftOut });
    else if (entry.isFile()) found.push({ path });
    else if (isDeep) found.push(...(await inFolder(path, isDeep)));
  }
  return found;
}

/** Files to read, and refusals of those that are left out. */
export async function keyedFiles(given: readonly (string | FoundFile)[]) {
  const found: FoundFile[] = [];
  for (const one of given)
    if (typeof one !== 'string') found.push(one);
    else found.push(...(await foundFiles([one])));
  const byPath = new Map(found.map((one) => [resolve(one.path), one]));
  const keys = shortKeys([...byPath.keys()]);
  const files: KeyedFile[] = [];
  const leftOut: Refused[] = [];
  for (const [at, [path, one]] of [...byPath].entries())
    if (one.leftOut === undefined) files.push({ path, key: keys[at]! });
    else leftOut.push(refusedFile('not_read', keys[at]!, one.leftOut));
  return { files, leftOut };
}

/** Each path's last names, as few as distinguish it from the others. */
function shortKeys(paths: readonly string[]): string[] {
  const names = paths.map((path) => basename(path));
  const folders = paths.map((path) => dirname(path));
  const keys = names.slice();
  for (let open = [...keys.keys()]; open.length > 0; ) {
    const times = Map.groupBy(open, (at) => keys[at]!);
    open = open.filter((at) => times.get(keys[at]!)!.length > 1);
    for (const at of open) {
      keys[at] = `${basename(folders[at]!)}/${keys[at]!}`;
      folders[at] = dirname(folders[at]!);
    }
  }
  return keys;
}
