import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/**
 * A thread that makes an empty database cluster and ends: in memory first, then copied, synced and renamed into place,
 * so that a crash at any moment leaves either no cluster or a whole one. A thread of its own, because what creation
 * takes in memory is then given back.
 */
export interface CreateClusterData {
  readonly clusterDirectory: string;
}

interface MemoryFiles {
  readdir(path: string): string[];
  readFile(path: string): Uint8Array;
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
}

const { clusterDirectory } = workerData as CreateClusterData;
const pglite = await PGlite.create();
const files = (pglite as unknown as { readonly Module: { readonly FS: MemoryFiles } }).Module.FS;
await pglite.close();

const unfinished = `${clusterDirectory}.new`;
await rm(unfinished, { recursive: true, force: true });
await copyDirectory(PGlite.paths.PGDATA, unfinished);
await rename(unfinished, clusterDirectory);
await sync(dirname(clusterDirectory));

async function copyDirectory(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const names = files.readdir(from).filter((name) => name !== '.' && name !== '..');
  await Promise.all(
    names.map((name) => {
      const source = join(from, name);
      const isDirectory = files.isDir(files.stat(source).mode);
      return isDirectory ? copyDirectory(source, join(to, name)) : copyFile(source, join(to, name));
    }),
  );
  await sync(to);
}

async function copyFile(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await file.writeFile(files.readFile(from));
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync();
  await handle.close();
}
