import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The documents that come with the program, as Markdown. */
export interface Document {
  /** Behind the root of the project, such as `docs/bars.md`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['.', 'docs', 'docs/decisions'];

/** Paths of all, in a fixed order; none where the program came without them. */
export async function documentPaths(): Promise<string[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(ROOT, folder)).catch(() => []);
      return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
    }),
  );
  return lists.flatMap((paths) => paths.sort());
}

/** @param path one of `documentPaths` */
export async function readDocument(path: string): Promise<Document> {
  const text = await readFile(join(ROOT, path), 'utf8');
  return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? path, text };
}
