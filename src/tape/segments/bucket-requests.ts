import { AwsClient } from 'aws4fetch';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { realTimers, rest, stopwatch } from '../../base/timers.ts';
import type { BucketAddress } from './bucket-address.ts';

interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
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

export interface BucketAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How errors name what lies in a bucket, and their codes. Messages name neither the bucket nor its prefix. */
export interface BucketSubject {
  readonly bucket: string;
  readonly file: string;
  readonly unavailable: ErrorCode;
  readonly damaged: ErrorCode;
}

/** Longest time of one attempt. */
const READ_ATTEMPT_MS = 10_000;
/** A segment has some ten megabytes, which a slow line takes this long for. */
const WRITE_ATTEMPT_MS = 60_000;
const FIRST_DELAY_MS = 100;
const DELAY_MAX_MS = 2_000;

/** Signed requests to one prefix of an S3-compatible bucket, tried again while their failure may pass. */
export class BucketRequests {
  readonly prefix: string;
  readonly subject: BucketSubject;
  readonly #url: string;
  readonly #client: AwsClient;

  constructor(address: BucketAddress, subject: BucketSubject) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = address;
    this.prefix = address.prefix;
    this.subject = subject;
    this.#url = address.url;
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      region,
      service: 's3',
    });
  }

  /** @throws CodedError of the subject */
  async send(request: BucketRequest, { patienceMs, signal }: Patience): Promise<BucketAnswer> {
    const end = stopwatch() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request, signal);
      if (!(outcome instanceof Failure)) return outcome;
      const limit = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** attempt);
      // Processes that failed at once must not come back at once.
      const waitMs = limit * (0.5 + Math.random() / 2);
      if (!outcome.mayPass || signal?.aborted || stopwatch() + waitMs > end) {
        const { bucket, unavailable } = this.subject;
        throw new CodedError(unavailable, `${bucket} ${outcome.what}`, { cause: outcome.cause });
      }
      await rest(realTimers, waitMs);
    }
  }

  async #attempt(
    { method, name, query = {}, headers = {}, body, answers }: BucketRequest,
    signal: AbortSignal | undefined,
  ): Promise<BucketAnswer | Failure> {
    const key = name === '' ? '' : `/${this.prefix}${name}`;
    const limit = AbortSignal.timeout(method === 'PUT' ? WRITE_ATTEMPT_MS : READ_ATTEMPT_MS);
    const signed = await this.#client.sign(`${this.#url}${key}?${new URLSearchParams(query)}`, {
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
      // The end of an upload in parts answers 200 before it knows whether it succeeds.
      const isFault = code === NO_BUCKET || (method === 'POST' && response.status === 200);
      const isAnswer = answers.includes(response.status) && !(isFault && code !== undefined);
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
  readonly what: string;
  /** Whether another attempt may succeed. */
  readonly mayPass: boolean;
  readonly cause: unknown;

  constructor(what: string, mayPass: boolean, cause?: unknown) {
    this.what = what;
    this.mayPass = mayPass;
    this.cause = cause;
  }
}

function failureOf(status: number, code: string | undefined): Failure {
  const answer = code === undefined ? `${status}` : `${status} ${code}`;
  if (status === 401 || status === 403) return new Failure(`refuses the credentials (${answer})`, false);
  if (status === 404) return new Failure(`does not exist (${answer})`, false);
  if (status === 301 || status === 307) return new Failure(`lies in another region (${answer})`, false);
  // 409: another conditional write of the same name is under way.
  const passes = [200, 408, 409, 429];
  return new Failure(`answers ${answer}`, (status >= 500 && status !== 501) || passes.includes(status));
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
export function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** The insides of the elements of a name, none within another. */
export const elementsOf = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')), ([, inside]) => inside!);
