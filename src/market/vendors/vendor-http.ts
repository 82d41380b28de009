import { CodedError, isCoded } from '../../base/errors.ts';
import { rest } from '../../base/timers.ts';
import { isMembers } from '../feeds/json.ts';
import type { Wiring } from './vendor.ts';

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const CALLS_MAX = 6;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 60_000;
/** A page of 50,000 bars is 6 MB. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20;
/** Part of the calls of a minute that back-fill may use: the rest is for what a running session misses. */
const PATIENT_SHARE = 0.75;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface HttpVendor {
  /** As sentences name it. */
  readonly title: string;
  /** Origin of its REST interface; the headers go nowhere else. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may repeat, should an answer do so. */
  readonly secrets: readonly string[];
  /** Until an answer states another limit. */
  readonly callsPerMinute: number;
}

/** An answer that is no data. */
export class VendorAnswer extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>;

interface Asking {
  readonly signal?: AbortSignal;
  readonly isUrgent?: boolean;
  /** 1 for no second try. */
  readonly callsMax?: number;
}

/**
 * Calls to one host of a vendor: within its budget of calls a minute, again with full jitter after 429 and 5xx, never
 * before the vendor allows.
 */
export class VendorHttp {
  readonly #vendor: HttpVendor;
  readonly #wiring: Wiring;
  #limit: number;
  /** When the calls of the last minute were made. */
  #calls: number[] = [];
  /** No call before. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(vendor: HttpVendor, wiring: Wiring) {
    this.#vendor = vendor;
    this.#wiring = wiring;
    this.#limit = vendor.callsPerMinute;
  }

  /**
   * @param path on the host, or an absolute address on it, as the vendor gave it
   * @throws VendorAnswer for a refusal; CodedError vendor_unavailable when it does not answer
   */
  async get(path: string, query: Query, { signal, isUrgent = false, callsMax = CALLS_MAX }: Asking = {}) {
    const url = this.#address(path, query);
    for (let call = 1; ; call++) {
      await this.#turn(isUrgent, signal);
      const outcome = await this.#call(url, signal);
      signal?.throwIfAborted();
      if ('value' in outcome) return outcome.value;
      if (!outcome.isPassing) throw new VendorAnswer(outcome.status, outcome.says);
      if (call >= callsMax) {
        const { title } = this.#vendor;
        throw new CodedError(
          'vendor_unavailable',
          `${title} at ${url.host} ${outcome.says} (${call} ${call === 1 ? 'call' : 'calls'}).`,
          { cause: outcome.cause, facts: { status: outcome.status } },
        );
      }
      const jitter = this.#wiring.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** call);
      await rest(this.#wiring.timers, jitter, signal === undefined ? {} : { signal });
    }
  }

  #address(path: string, query: Query): URL {
    const url = new URL(path, this.#vendor.url);
    if (url.origin !== new URL(this.#vendor.url).origin) {
      throw new CodedError(
        'vendor_refused',
        `${this.#vendor.title} names an address at ${url.host}, where the key is not sent.`,
      );
    }
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  /** Waits until the budget has a call, and takes it. */
  async #turn(isUrgent: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { timers } = this.#wiring;
    for (;;) {
      signal?.throwIfAborted();
      const now = timers.monotonic();
      this.#calls = this.#calls.filter((at) => at > now - MINUTE_MS);
      const most = Math.max(1, isUrgent ? this.#limit : Math.floor(this.#limit * PATIENT_SHARE));
      const free = this.#calls.length < most ? now : this.#calls[this.#calls.length - most]! + MINUTE_MS;
      const wait = Math.max(free, this.#notBefore) - now;
      if (wait <= 0) {
        this.#calls.push(now);
        return;
      }
      await rest(timers, wait, signal === undefined ? {} : { signal });
    }
  }

  async #call(url: URL, signal: AbortSignal | undefined) {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        headers: this.#vendor.headers,
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      this.#heed(response);
      const text = await textOf(response);
      if (response.ok) return { value: JSON.parse(text) as unknown };
      const { status } = response;
      return {
        isPassing: PASSING.has(status),
        status,
        says: `answers ${status}${this.#withoutSecrets(messageOf(text))}`,
      };
    } catch (cause) {
      return { isPassing: true, status: 0, says: `does not answer${reasonOf(cause)}`, cause };
    }
  }

  #withoutSecrets(text: string): string {
    return this.#vendor.secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }

  /** What an answer says of the calls that are left. */
  #heed({ status, headers }: Response): void {
    const { timers } = this.#wiring;
    const stated = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
    if (stated > 0) this.#limit = stated;
    const now = timers.monotonic();
    const isSpent = status === 429 || headers.get('x-ratelimit-remaining') === '0';
    const resetMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1_000 - timers.now();
    if (isSpent && resetMs > 0) this.#notBefore = now + Math.min(resetMs, MINUTE_MS);
    const retryAfter = headers.get('retry-after');
    if (retryAfter === null) return;
    const seconds = Number(retryAfter);
    const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - timers.now() : seconds * 1_000;
    if (ms > 0) this.#notBefore = Math.max(this.#notBefore, now + Math.min(ms, 10 * MINUTE_MS));
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`more than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const MESSAGE_MAX = 200;

/** What an error's body says, for a sentence. */
function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const said = isMembers(body) ? (body.message ?? body.error) : undefined;
    return typeof said === 'string' ? `: ${said.slice(0, MESSAGE_MAX)}` : '';
  } catch {
    return '';
  }
}

/** Of `fetch`, which hides the reason in its cause. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return ` (${code ?? message})`;
}

/** What a sentence on the first call of a host names. */
interface FirstCall {
  readonly title: string;
  /** The settings of the key, and of the host. */
  readonly key: string;
  readonly host: string;
  readonly url: string;
}

/**
 * Makes the first call of a host. A vendor that is busy or broken counts as there: its key may be right.
 *
 * @throws CodedError vendor_refused for a wrong key or host
 */
export async function firstAnswer(
  call: () => Promise<unknown>,
  { title, key, host, url }: FirstCall,
): Promise<void> {
  const refused = (sentence: string) => new CodedError('vendor_refused', sentence);
  try {
    await call();
  } catch (error) {
    if (error instanceof VendorAnswer) {
      throw error.status === 401 || error.status === 403
        ? refused(`${title} refuses the key of ${key} at ${new URL(url).host}: it ${error.message}.`)
        : refused(`${host} is ${url}, which does not answer as ${title} does: it ${error.message}.`);
    }
    if (!isCoded(error, 'vendor_unavailable')) throw error;
    if (error.facts.status === 0) throw refused(`${host} is ${url}: ${error.message}`);
  }
}
