import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** The given files, and the files of the given folders in the order of their names. */
export async function filesAt(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) found.push(path);
    else {
      const entries = await readdir(path, { withFileTypes: true });
      const names = entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
      found.push(...names.sort().map((name) => join(path, name)));
    }
  }
  return [...new Set(found.map((path) => resolve(path)))];
}

/** For each path its last name, with as many of its folders as tell it from the others. */
export function shortKeys(paths: readonly string[]): string[] {
  const keyOf = (path: string, names: number): string => path.split(sep).slice(-names).join('/');
  return paths.map((path) => {
    let names = 1;
    while (paths.some((other) => other !== path && keyOf(other, names) === keyOf(path, names))) names++;
    return keyOf(path, names);
  });
}
