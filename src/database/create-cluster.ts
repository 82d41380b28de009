import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { at } from '../base/fault-points.ts';
import { sync, writeSynced } from '../base/synced-files.ts';

/**
 * A thread that creates an empty database cluster and ends, which frees the memory that creation takes. The files are
 * synced under a temporary name and renamed, so a crash leaves no cluster or a whole one. Creation takes seconds of
 * CPU, so the files are cached beside the packages for the same version of PGlite.
 */
export interface CreateClusterData {
  readonly clusterDirectory: string;
}

/** By path below the cluster's folder; null for a folder. Folders precede their contents. */
type ClusterFiles = ReadonlyMap<string, Uint8Array | null>;

interface MemoryFiles {
  readdir(path: string): string[];
  readFile(path: string): Uint8Array;
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
}

/** The checksum before the files detects a truncated cache. */
const CHECKSUM_BYTES = 4;

const { clusterDirectory } = workerData as CreateClusterData;
const cache = fileURLToPath(new URL('../../node_modules/.cache/cluster', import.meta.url));
const cached = join(cache, `${pgliteVersion()}.bin`);

const unfinished = `${clusterDirectory}.new`;
await rm(unfinished, { recursive: true, force: true });
await writeCluster((await readCached()) ?? (await makeCluster()), unfinished);
at('cluster.written');
await rename(unfinished, clusterDirectory);
await sync(dirname(clusterDirectory));
at('cluster.renamed');

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

/** Null without a valid cache. */
async function readCached(): Promise<ClusterFiles | null> {
  try {
    const bytes = await readFile(cached);
    const body = bytes.subarray(CHECKSUM_BYTES);
    return bytes.readUInt32LE() === crc32(body) ? deserialize(body) : null;
  } catch {
    return null;
  }
}

async function makeCluster(): Promise<ClusterFiles> {
  const pglite = await PGlite.create({ initDbStartParams: ['--data-checksums'] });
  const memory = (pglite as unknown as { readonly Module: { readonly FS: MemoryFiles } }).Module.FS;
  await pglite.close();
  const files = new Map<string, Uint8Array | null>();
  const gather = (path: string): void => {
    const source = join(PGlite.paths.PGDATA, path);
    if (!memory.isDir(memory.stat(source).mode)) {
      files.set(path, memory.readFile(source));
      return;
    }
    files.set(path, null);
    for (const name of memory.readdir(source)) if (name !== '.' && name !== '..') gather(join(path, name));
  };
  gather('');
  await writeCache(files);
  return files;
}

async function writeCache(files: ClusterFiles): Promise<void> {
  const body = serialize(files);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  const unfinishedCache = `${cached}.${randomUUID()}`;
  try {
    await mkdir(cache, { recursive: true });
    await writeFile(unfinishedCache, Buffer.concat([checksum, body]));
    await rename(unfinishedCache, cached);
  } catch {
    // Without a cache the next cluster takes some seconds longer.
    await rm(unfinishedCache, { force: true }).catch(() => {});
  }
}

async function writeCluster(files: ClusterFiles, to: string): Promise<void> {
  const folders: string[] = [];
  for (const [path, bytes] of files) {
    if (bytes !== null) continue;
    await mkdir(join(to, path), { mode: 0o700 });
    folders.push(path);
  }
  await Promise.all(Array.from(files, ([path, bytes]) => bytes && writeSynced(join(to, path), bytes, 'wx')));
  for (const path of folders.reverse()) await sync(join(to, path));
}
