import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { CodedError } from '../../base/errors.ts';
import type { BucketAddress } from './bucket-address.ts';

/** An object under the prefix. */
export interface BucketObject {
  /** Its key without the prefix. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key without the prefix; empty for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Statuses that are answers; every other one is a failure. */
  readonly answers: readonly number[];
}

/** How long a request may take. */
export interface Patience {
  /** Time for which failures that may pass are tried again, milliseconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

interface BucketAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Longest time of one attempt. */
const READ_ATTEMPT_MS = 10_000;
/** A segment has some ten megabytes, which a slow line takes this long for. */
const WRITE_ATTEMPT_MS = 60_000;
const FIRST_DELAY_MS = 100;
const DELAY_MAX_MS = 2_000;
/** Of a thousand objects each. */
const PAGES_MAX = 1_000;
const DIGEST_HEADER = 'x-amz-meta-sha256';

/** The objects under one prefix of an S3-compatible bucket. Messages name neither the bucket nor a key. */
export class Bucket {
  readonly #address: BucketAddress;
  readonly #client: AwsClient;

  constructor(address: BucketAddress) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = address;
    this.#address = address;
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      region,
      service: 's3',
    });
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
    const { status } = await this.#send(request, patience);
    if (status === 200) return true;
    const stored = await this.#send({ method: 'HEAD', name, answers: [200, 404] }, patience);
    return stored.headers.get(DIGEST_HEADER) === digest;
  }

  /** A whole small object; null where there is none. */
  async get(name: string, patience: Patience): Promise<Uint8Array | null> {
    const { status, bytes } = await this.#send({ method: 'GET', name, answers: [200, 404] }, patience);
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
    const headers = { range: `bytes=${from}-${from + length - 1}` };
    const { status, bytes } = await this.#send(
      { method: 'GET', name, headers, answers: [206, 404, 416] },
      patience,
    );
    if (status === 206) return bytes;
    const fault = status === 404 ? 'is missing' : `ends before byte ${from}`;
    throw new CodedError('tape_damaged', `The segment file ${name} ${fault}`);
  }

  /** Bytes of an object; null where there is none. */
  async size(name: string, patience: Patience): Promise<number | null> {
    const { status, headers } = await this.#send({ method: 'HEAD', name, answers: [200, 404] }, patience);
    return status === 404 ? null : Number(headers.get('content-length'));
  }

  async delete(name: string, patience: Patience): Promise<void> {
    await this.#send({ method: 'DELETE', name, answers: [200, 204, 404] }, patience);
  }

  /** The objects directly under the prefix, a page of up to a thousand at a time. */
  async *pages(patience: Patience): AsyncIterable<BucketObject[]> {
    const { prefix } = this.#address;
    let next: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = {
        'list-type': '2',
        delimiter: '/',
        prefix,
        ...(next !== undefined && { 'continuation-token': next }),
      };
      const { bytes } = await this.#send({ method: 'GET', name: '', query, answers: [200] }, patience);
      const text = new TextDecoder().decode(bytes);
      yield Array.from(text.matchAll(/<Contents>(.*?)<\/Contents>/gs), ([, entry]) => ({
        name: elementOf(entry!, 'Key')!.slice(prefix.length),
        modifiedAt: Date.parse(elementOf(entry!, 'LastModified')!),
      }));
      next = elementOf(text, 'NextContinuationToken');
      if (next === undefined) return;
    }
  }

  async #send(request: BucketRequest, { patienceMs, signal }: Patience): Promise<BucketAnswer> {
    const end = performance.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request, signal);
      if (!(outcome instanceof Failure)) return outcome;
      const limit = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** attempt);
      // Processes that failed at once must not come back at once.
      const waitMs = limit * (0.5 + Math.random() / 2);
      if (!outcome.mayPass || signal?.aborted || performance.now() + waitMs > end) throw outcome.error;
      await delay(waitMs);
    }
  }

  async #attempt(
    { method, name, query = {}, headers = {}, body, answers }: BucketRequest,
    signal: AbortSignal | undefined,
  ): Promise<BucketAnswer | Failure> {
    const key = name === '' ? '' : `/${this.#address.prefix}${name}`;
    const limit = AbortSignal.timeout(method === 'PUT' ? WRITE_ATTEMPT_MS : READ_ATTEMPT_MS);
    const signed = await this.#client.sign(`${this.#address.url}${key}?${new URLSearchParams(query)}`, {
      method,
      headers,
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    });
    try {
      const response = await fetch(signed);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const code = elementOf(new TextDecoder().decode(bytes.subarray(0, ERROR_BYTES_MAX)), 'Code');
      const isAnswer = answers.includes(response.status) && !(response.status === 404 && code === NO_BUCKET);
      return isAnswer
        ? { status: response.status, headers: response.headers, bytes }
        : failureOf(response.status, code);
    } catch (cause) {
      return new Failure(`does not answer (${reasonOf(cause)})`, true, cause);
    }
  }
}

const ERROR_BYTES_MAX = 4_096;
const NO_BUCKET = 'NoSuchBucket';

class Failure {
  readonly error: CodedError;
  /** Whether another attempt may succeed. */
  readonly mayPass: boolean;

  constructor(what: string, mayPass: boolean, cause?: unknown) {
    this.error = new CodedError('tape_unavailable', `The bucket of the tape ${what}`, { cause });
    this.mayPass = mayPass;
  }
}

function failureOf(status: number, code: string | undefined): Failure {
  const answer = code === undefined ? `${status}` : `${status} ${code}`;
  if (status === 401 || status === 403) return new Failure(`refuses the credentials (${answer})`, false);
  if (status === 404) return new Failure(`does not exist (${answer})`, false);
  if (status === 301 || status === 307) return new Failure(`lies in another region (${answer})`, false);
  // 409: another conditional write of the same name is under way.
  const mayPass = (status >= 500 && status !== 501) || status === 429 || status === 408 || status === 409;
  return new Failure(`answers ${answer}`, mayPass);
}

/** The words of a network error without its addresses. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return (
    code ?? (name === 'TimeoutError' ? 'no answer in time' : name === 'AbortError' ? 'called off' : 'cut off')
  );
}

/** The text of the first element of a name; undefined without one. */
function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
