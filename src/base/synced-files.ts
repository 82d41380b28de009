import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Syncs a file, or the names in a directory. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes all bytes at a place of a file: a disk that is nearly full takes some of them without an error. */
export async function writeAllAt(
  file: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}

/** Writes a file for this user alone, and syncs it. @param flags of `open` @param onWritten called in between */
export async function writeSynced(
  path: string,
  content: string | Uint8Array,
  flags: string,
  onWritten = (): void => {},
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    onWritten();
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Writes a file under another name, and renames it: it is there whole, or not at all.
 *
 * @param done called after each step, which a crash may follow
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  done: Partial<Record<'written' | 'synced' | 'renamed', () => void>> = {},
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await writeSynced(unfinished, content, 'w', done.written);
  done.synced?.();
  await rename(unfinished, path);
  done.renamed?.();
  await sync(dirname(path));
}
