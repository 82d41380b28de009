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

/** Writes a file for this user alone, and syncs it. @param flags of `open` */
export async function writeSynced(path: string, content: string | Uint8Array, flags: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a file under another name, and renames it: it is there whole, or not at all. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await writeSynced(unfinished, content, 'w');
  await rename(unfinished, path);
  await sync(dirname(path));
}
