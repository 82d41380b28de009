import { createHash } from 'node:crypto';
import { at } from '../../base/fault-points.ts';
import { type BucketRequests, elementOf, elementsOf, type Patience } from './bucket-requests.ts';

/** Parts of a large upload; the last one is shorter. Stores take 10,000 of at least 5 MB each. */
const PART_BYTES = 16 * 1_048_576;

/** Bytes that come in pieces of any size, in parts. */
export async function* partsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (let piece of pieces) {
    while (bytes + piece.length >= PART_BYTES) {
      yield Buffer.concat([...waiting, piece.subarray(0, PART_BYTES - bytes)]);
      piece = piece.subarray(PART_BYTES - bytes);
      waiting = [];
      bytes = 0;
    }
    waiting.push(piece);
    bytes += piece.length;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/**
 * Stores an object from its parts, while the next one is made. The store compares each with its SHA-256.
 *
 * @returns bytes sent
 * @throws CodedError of the subject; an error of `parts`
 */
export async function uploadParts(
  requests: BucketRequests,
  name: string,
  parts: AsyncIterable<Uint8Array>,
  { patienceMs }: Patience,
): Promise<number> {
  const stop = new AbortController();
  const patience = { patienceMs, signal: stop.signal };
  const begun = { method: 'POST', name, query: { uploads: '' }, answers: [200] } as const;
  const uploadId = elementOf(textOf(await requests.send(begun, patience)), 'UploadId')!;
  const tags: Promise<string>[] = [];
  let bytes = 0;
  try {
    for await (const part of parts) {
      await tags.at(-1);
      if (tags.length > 0) at('backup.part-stored');
      const query = { partNumber: `${tags.length + 1}`, uploadId };
      const headers = { 'x-amz-content-sha256': createHash('sha256').update(part).digest('hex') };
      const sent = requests.send(
        { method: 'PUT', name, query, headers, body: part, answers: [200] },
        patience,
      );
      const tag = sent.then((answer) => answer.headers.get('etag')!);
      // Its error is thrown in its turn.
      tag.catch(() => {});
      tags.push(tag);
      bytes += part.length;
    }
    const listed = (await Promise.all(tags)).map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`);
    // 404: it has ended, and the answer was lost.
    await requests.send({ method: 'POST', name, query: { uploadId }, body, answers: [200, 404] }, patience);
    return bytes;
  } catch (error) {
    stop.abort();
    // A part that arrived after the upload was dropped would be kept.
    await Promise.allSettled(tags);
    await abort(requests, { name, uploadId }, { patienceMs: 0 }).catch(() => {});
    throw error;
  }
}

interface Upload {
  readonly name: string;
  readonly uploadId: string;
}

/** Uploads under the prefix that have not ended, up to a thousand. */
export async function openUploads(requests: BucketRequests, patience: Patience): Promise<Upload[]> {
  const { prefix } = requests;
  const query = { uploads: '', prefix };
  const text = textOf(await requests.send({ method: 'GET', name: '', query, answers: [200] }, patience));
  return elementsOf(text, 'Upload').map((upload) => ({
    name: elementOf(upload, 'Key')!.slice(prefix.length),
    uploadId: elementOf(upload, 'UploadId')!,
  }));
}

export async function abort(
  requests: BucketRequests,
  { name, uploadId }: Upload,
  patience: Patience,
): Promise<void> {
  await requests.send({ method: 'DELETE', name, query: { uploadId }, answers: [204, 404] }, patience);
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(bytes);
