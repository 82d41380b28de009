import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Shelf } from '../blocks/kept.ts';

/** A file that is full becomes the older of two: together those of a thread hold the newest chain of 3,000 stocks. */
const FILE_BYTES_MAX = 2 * 1_048_576;

/**
 * What threads keep beyond the life of their process: a line for each value, by its key and with a checksum. A thread adds
 * to a file of its own and finds again those of all. What cannot be written or read is worked out anew.
 *
 * @param version of the program's formulas; files of others are removed
 * @param thread names its file
 */
export function fileShelf(directory: string, version: number, thread: string): Shelf {
  const folder = join(directory, String(version));
  const path = join(folder, thread);
  return {
    read(take) {
      quietly(() => {
        mkdirSync(folder, { recursive: true });
        for (const other of readdirSync(directory)) {
          if (other !== String(version)) rmSync(join(directory, other), { recursive: true });
        }
        // The older files come before the newer ones.
        for (const file of readdirSync(folder).sort()) {
          for (const line of readFileSync(join(folder, file), 'latin1').split('\n')) {
            const [key, value, checksum] = line.split(' ');
            if (checksum === checksumOf(`${key} ${value}`))
              take(key!, deserialize(Buffer.from(value!, 'base64')));
          }
        }
      });
    },
    add(key, value) {
      quietly(() => {
        const line = `${key} ${serialize(value).toString('base64')}`;
        appendFileSync(path, `${line} ${checksumOf(line)}\n`);
        if (statSync(path).size > FILE_BYTES_MAX) renameSync(path, join(folder, `-${thread}`));
      });
    },
  };
}

const checksumOf = (text: string): string => crc32(text).toString(36);

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The disk may be full, or another process may have removed a file.
  }
}
