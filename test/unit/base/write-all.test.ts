import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeAllAt } from '../../../src/base/synced-files.ts';

describe('a disk that takes less than it is given', () => {
  it('gets the rest with the next writes, each at its place', async () => {
    const path = join(tmpdir(), `part-${process.pid}`);
    const content = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(content, fc.nat(50), fc.integer({ min: 1, max: 40 }), async (bytes, offset, most) => {
        const file = await open(path, 'w+');
        const nearlyFull = {
          write: ((from: Uint8Array, start: number, length: number, at: number) =>
            file.write(from, start, Math.min(length, most), at)) as typeof file.write,
        };
        await writeAllAt(nearlyFull, bytes, offset);
        const written = await file.read(Buffer.alloc(400), 0, 400, offset);
        await file.close();
        expect(Buffer.from(written.buffer.subarray(0, written.bytesRead))).toEqual(Buffer.from(bytes));
      }),
      { seed: 7, numRuns: 25 },
    );
  });

  it('fails once it takes nothing', async () => {
    const full = await open('/dev/full', 'r+');
    await expect(writeAllAt(full, new Uint8Array(10), 0)).rejects.toMatchObject({ code: 'ENOSPC' });
    await full.close();
  });
});
