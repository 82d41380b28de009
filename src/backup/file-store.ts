import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile as copyOnDisk, link } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sync } from '../base/synced-files.ts';
import type { DatabaseOptions } from '../database/database.ts';
import { Bucket } from '../tape/segments/bucket.ts';
import type { BucketAddress } from '../tape/segments/bucket-address.ts';
import { PATIENT_MS } from '../tape/segments/segment-store.ts';

/** A store with its tape, as the settings name it. */
export interface StoreOptions extends DatabaseOptions {
  /** Prefix of the tape; without one it lies in the data directory. */
  readonly tapeBucket?: BucketAddress | null | undefined;
}

/** Files of a tape or of a backup, by names with slashes between folder and file. */
export interface FileStore {
  /** Where the files lie on disk; null in a bucket. */
  readonly directory: string | null;
  /** A file as messages name it. */
  nameOf(file: string): string;
  /** @throws errors of the disk; CodedError of the bucket, also for a file that is missing there */
  read(file: string): AsyncIterable<Uint8Array>;
  /** Stores a new file, which is safe once the promise has resolved. Its folder exists. */
  write(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export const directoryFiles = (directory: string): FileStore => ({
  directory,
  nameOf: (file) => join(directory, file),
  read: (file) => createReadStream(join(directory, file)),
  // The stream syncs before it closes.
  write: (file, bytes) =>
    pipeline(bytes, createWriteStream(join(directory, file), { mode: 0o600, flush: true, flags: 'wx' })),
});

const PATIENCE = { patienceMs: PATIENT_MS };

/** @param name of the prefix for messages, as `s3://bucket/prefix` */
export const bucketFiles = (bucket: Bucket, name: string): FileStore => ({
  directory: null,
  nameOf: (file) => `${name}/${file}`,
  read: (file) => bucket.read(file, PATIENCE),
  write: (file, bytes) => bucket.upload(file, bytes, PATIENCE),
});

/** Files of one folder, by their names in it. */
export const filesIn = (files: FileStore, folder: string): FileStore => ({
  directory: files.directory === null ? null : join(files.directory, folder),
  nameOf: (file) => files.nameOf(`${folder}/${file}`),
  read: (file) => files.read(`${folder}/${file}`),
  write: (file, bytes) => files.write(`${folder}/${file}`, bytes),
});

export const tapeFiles = ({ dataDirectory, tapeBucket }: StoreOptions): FileStore =>
  tapeBucket
    ? bucketFiles(new Bucket(tapeBucket), tapeBucket.name)
    : directoryFiles(join(dataDirectory, 'tape'));

export class PassingDigest {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *through(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.length;
      yield piece;
    }
  }

  /** Of everything that has passed. Call it once. */
  end(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

export async function digestFile(files: FileStore, file: string): Promise<FileDigest> {
  const digest = new PassingDigest();
  for await (const _ of digest.through(files.read(file)));
  return digest.end();
}

/**
 * Brings a file that never changes to another store, under the same name. On one disk it becomes a link.
 *
 * @returns digest of the bytes that were copied; null for a link
 */
export async function bringFile(from: FileStore, to: FileStore, file: string): Promise<FileDigest | null> {
  if (from.directory === null || to.directory === null) {
    const digest = new PassingDigest();
    await to.write(file, digest.through(from.read(file)));
    return digest.end();
  }
  const [source, target] = [join(from.directory, file), join(to.directory, file)];
  try {
    await link(source, target);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
  }
  await copyOnDisk(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await sync(target);
  return digestFile(to, file);
}
