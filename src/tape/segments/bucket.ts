import { createHash } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { inOrder } from '../../base/in-order.ts';
import type { BucketAddress } from './bucket-address.ts';
import {
  type BucketAnswer,
  BucketRequests,
  type BucketSubject,
  elementOf,
  elementsOf,
  type Patience,
} from './bucket-requests.ts';
import { abort, openUploads, partsOf, uploadParts } from './bucket-uploads.ts';

export interface BucketObject {
  /** Its key without the prefix. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/** Of a thousand objects each. */
const PAGES_MAX = 1_000;
const DIGEST_HEADER = 'x-amz-meta-sha256';
/** A large object is read in ranges of so many bytes, of which so many are under way. */
const RANGE_BYTES = 4 * 1_048_576;
const RANGES_AHEAD = 2;

const THE_TAPE: BucketSubject = {
  bucket: 'The bucket of the tape',
  file: 'The segment file',
  unavailable: 'tape_unavailable',
  damaged: 'tape_damaged',
};

/** The objects under one prefix of an S3-compatible bucket. Errors are those of the subject. */
export class Bucket {
  readonly #requests: BucketRequests;

  constructor(address: BucketAddress, subject: BucketSubject = THE_TAPE) {
    this.#requests = new BucketRequests(address, subject);
  }

  /**
   * Stores an object unless the name is taken. An answer that was lost on its way is asked for again: the same bytes
   * under the name are those of the earlier attempt.
   *
   * @returns whether the name has these bytes now
   * @throws CodedError tape_unavailable
   */
  async put(name: string, bytes: Uint8Array, patience: Patience): Promise<boolean> {
    const digest = createHash('sha256').update(bytes).digest('hex');
    const headers = { 'if-none-match': '*', 'x-amz-content-sha256': digest, [DIGEST_HEADER]: digest };
    const request = { method: 'PUT', name, headers, body: bytes, answers: [200, 412] } as const;
    const { status } = await this.#requests.send(request, patience);
    if (status === 200) return true;
    const stored = await this.#requests.send({ method: 'HEAD', name, answers: [200, 404] }, patience);
    return stored.headers.get(DIGEST_HEADER) === digest;
  }

  /**
   * Stores an object of any size under a name that nobody else uses. At most three parts of 16 MB are in memory.
   *
   * @throws CodedError tape_unavailable, tape_damaged where the store has other bytes in the end; an error of `bytes`
   */
  async upload(name: string, bytes: AsyncIterable<Uint8Array>, patience: Patience): Promise<void> {
    const parts = partsOf(bytes);
    const first = (await parts.next()).value ?? new Uint8Array(0);
    const second = (await parts.next()).value;
    if (second === undefined) {
      if (await this.put(name, first, patience)) return;
    } else {
      const sent = await uploadParts(this.#requests, name, chain([first, second], parts), patience);
      if ((await this.size(name, patience)) === sent) return;
    }
    throw this.#damaged(name, 'is not what was stored under this name');
  }

  /** Drops uploads in parts that have not ended, of objects whose names are wanted. */
  async abortUploads(isWanted: (name: string) => boolean, patience: Patience): Promise<void> {
    for (const upload of await openUploads(this.#requests, patience))
      if (isWanted(upload.name)) await abort(this.#requests, upload, patience);
  }

  /** A whole small object; null where there is none. */
  async get(name: string, patience: Patience): Promise<Uint8Array | null> {
    const { status, bytes } = await this.#requests.send(
      { method: 'GET', name, answers: [200, 404] },
      patience,
    );
    return status === 404 ? null : bytes;
  }

  /**
   * Bytes from a position on, fewer where the object ends before.
   *
   * @throws CodedError tape_unavailable; tape_damaged where the object does not reach so far
   */
  async getRange(
    name: string,
    from: number,
    length: number,
    patience: Patience,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { status, bytes } = await this.#range(name, from, length, patience);
    if (status === 206) return bytes;
    throw this.#damaged(name, `ends before byte ${from}`);
  }

  /**
   * The bytes of an object of any size. A range that breaks off is asked for again, so a read goes on where it was.
   *
   * @throws CodedError tape_unavailable; tape_damaged where there is none
   */
  async *read(name: string, { patienceMs }: Patience): AsyncIterable<Uint8Array> {
    const stop = new AbortController();
    const patience = { patienceMs, signal: stop.signal };
    try {
      const { status, headers, bytes } = await this.#range(name, 0, RANGE_BYTES, patience);
      if (status === 206) yield bytes;
      const total = Number(headers.get('content-range')?.split('/')[1]);
      const get = (at: number) => this.getRange(name, at, RANGE_BYTES, patience);
      yield* inOrder(startsOf(RANGE_BYTES, total), get, RANGES_AHEAD);
    } finally {
      stop.abort();
    }
  }

  /** 206, or 416 where the object does not reach so far. */
  async #range(name: string, from: number, length: number, patience: Patience): Promise<BucketAnswer> {
    const headers = { range: `bytes=${from}-${from + length - 1}` };
    const request = { method: 'GET', name, headers, answers: [206, 404, 416] } as const;
    const answer = await this.#requests.send(request, patience);
    if (answer.status === 404) throw this.#damaged(name, 'is missing');
    return answer;
  }

  /** Bytes of an object; null where there is none. */
  async size(name: string, patience: Patience): Promise<number | null> {
    const request = { method: 'HEAD', name, answers: [200, 404] } as const;
    const { status, headers } = await this.#requests.send(request, patience);
    return status === 404 ? null : Number(headers.get('content-length'));
  }

  async delete(name: string, patience: Patience): Promise<void> {
    await this.#requests.send({ method: 'DELETE', name, answers: [200, 204, 404] }, patience);
  }

  /**
   * The objects under the prefix, a page of up to a thousand at a time.
   *
   * @param how `deep` for those in folders too
   */
  async *pages(
    patience: Patience,
    { deep = false }: { readonly deep?: boolean } = {},
  ): AsyncIterable<BucketObject[]> {
    const { prefix } = this.#requests;
    let next: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = {
        'list-type': '2',
        ...(!deep && { delimiter: '/' }),
        prefix,
        ...(next !== undefined && { 'continuation-token': next }),
      };
      const { bytes } = await this.#requests.send(
        { method: 'GET', name: '', query, answers: [200] },
        patience,
      );
      const text = new TextDecoder().decode(bytes);
      yield elementsOf(text, 'Contents').map((entry) => ({
        name: elementOf(entry, 'Key')!.slice(prefix.length),
        modifiedAt: Date.parse(elementOf(entry, 'LastModified')!),
      }));
      next = elementOf(text, 'NextContinuationToken');
      if (next === undefined) return;
    }
  }

  #damaged(name: string, fault: string): CodedError {
    const { damaged, file } = this.#requests.subject;
    return new CodedError(damaged, `${file} ${name} ${fault}`);
  }
}

/** Where the ranges between two positions begin. */
function* startsOf(from: number, to: number): Iterable<number> {
  for (let at = from; at < to; at += RANGE_BYTES) yield at;
}

async function* chain<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncIterable<T> {
  yield* first;
  yield* rest;
}
