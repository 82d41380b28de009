import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Bucket } from '../../../src/tape/segments/bucket.ts';
import { makeTestBucket, objectStore } from '../../support/bucket.ts';

const MEGABYTE = 1_048_576;
const PATIENCE = { patienceMs: 5_000 };

async function* piecesOf(
  bytes: Uint8Array,
  beforeLast: () => Promise<void> = async () => {},
): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_000) {
    if (at + 700_000 >= bytes.length) await beforeLast();
    yield bytes.subarray(at, at + 700_000);
  }
}

async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

describe.skipIf(objectStore === null)('an object of any size', () => {
  it('is stored and read through failures and broken connections', async () => {
    const bucket = await makeTestBucket();
    const objects = new Bucket(bucket.address);
    const large = randomBytes(33 * MEGABYTE);
    const sizes = {
      large,
      part: large.subarray(0, 16 * MEGABYTE),
      small: large.subarray(0, 10),
      none: large.subarray(0, 0),
    };
    for (const [name, bytes] of Object.entries(sizes)) {
      await bucket.proxy.set({ cut: 'answer', method: 'POST', times: 2 });
      // Of the last part, or of the end of the upload.
      const loseAnswer = () => bucket.proxy.set({ cut: 'answer', times: 1 });
      await objects.upload(name, piecesOf(bytes, loseAnswer), PATIENCE);
      await bucket.proxy.set({ cut: 'body', method: 'GET', times: 2 });
      expect(await digestOf(objects.read(name, PATIENCE)), name).toBe(await digestOf(piecesOf(bytes)));
    }
    // Of begins whose answer was lost nobody knows the upload.
    expect(await bucket.uploads()).toEqual(['desk/tape/large', 'desk/tape/large']);
    await objects.abortUploads((name) => name === 'large', PATIENCE);
    expect(await bucket.uploads()).toEqual([]);
  });

  it('that is not stored whole leaves nothing', async () => {
    const bucket = await makeTestBucket();
    const objects = new Bucket(bucket.address);
    const endsEarly = () => {
      throw new Error('the line is dead');
    };
    const large = randomBytes(33 * MEGABYTE);
    await expect(objects.upload('part', piecesOf(large, endsEarly), PATIENCE)).rejects.toThrow('is dead');
    const refuse = () => bucket.proxy.set({ status: 403, method: 'PUT', times: 1 });
    await expect(objects.upload('part', piecesOf(large, refuse), PATIENCE)).rejects.toThrow('refuses');
    expect([await bucket.keys(), await bucket.uploads()]).toEqual([[], []]);
  });
});
