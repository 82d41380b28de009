import { NEVER } from '../../base/abortable.ts';
import type { PacedClock } from '../../base/clock.ts';
import { CodedError, isCoded } from '../../base/errors.ts';
import { rest } from '../../base/timers.ts';
import { isMembers, type Members, memberAt, parsedJson, textOf, wireJson } from '../../files/json.ts';
import { type SourceStanding, skewSentence } from '../../market/feed.ts';
import { type Purpose, type Wiring, withoutSecrets } from './vendor.ts';

const MINUTE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const CALLS_MAX = 6;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 60_000;
/** A page of 50,000 bars is 6 MB. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20;
/** Part of the calls of a minute that back-fill and chains have together: the rest is for what a running session misses. */
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
  readonly purpose?: Purpose | undefined;
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
  /** The calls of the last minute. */
  #calls: { readonly at: number; readonly purpose: Purpose }[] = [];
  /** Those that wait for the budget. */
  readonly #waiting = new Set<{ readonly purpose: Purpose }>();
  /** How far the clock here is ahead of the vendor's. */
  #aheadMs: number | null = null;
  /** No call before. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(vendor: HttpVendor, wiring: Wiring) {
    this.#vendor = vendor;
    this.#wiring = wiring;
    this.#limit = vendor.callsPerMinute;
  }

  /** The budget, and the vendor's clock, as the newest answer says them. */
  standing(): Pick<SourceStanding, 'callsPerMinute' | 'callsLeft' | 'clockAheadMs'> {
    const now = this.#wiring.timers.monotonic();
    const made = this.#calls.filter(({ at }) => at > now - MINUTE_MS).length;
    const callsLeft = this.#notBefore > now ? 0 : Math.max(0, this.#limit - made);
    return { callsPerMinute: this.#limit, callsLeft, clockAheadMs: this.#aheadMs };
  }

  /**
   * @param path on the host, or an absolute address on it, as the vendor gave it
   * @throws VendorAnswer for a refusal; CodedError vendor_unavailable when it does not answer
   */
  async get(
    path: string,
    query: Query,
    { signal = NEVER, purpose = 'back-fill', callsMax = CALLS_MAX }: Asking = {},
  ) {
    const url = this.#address(path, query);
    for (let call = 1; ; call++) {
      await this.#turn(purpose, signal);
      const outcome = await this.#call(url, signal);
      signal.throwIfAborted();
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
      await rest(this.#wiring.timers, jitter, { signal });
    }
  }

  /**
   * The answers to a question, page by page. The next page is named by a token, or by its address.
   *
   * @throws as `get`
   */
  async *pages(path: string, query: Query, asking: Asking): AsyncIterable<Members> {
    for (let [next, rest] = [path, query]; ; ) {
      const answer = await this.get(next, rest, asking);
      if (!isMembers(answer)) throw new VendorAnswer(200, 'answers with no object');
      yield answer;
      const { next_url: address, next_page_token: token } = answer;
      if (typeof address === 'string') [next, rest] = [address, {}];
      else if (typeof token === 'string' && token !== '') rest = { ...query, page_token: token };
      else return;
    }
  }

  /**
   * Makes the first call. A vendor that is busy or broken counts as there: its key may be right.
   *
   * @param settings of the key, and of the host
   * @param told the member of the answer that tells the vendor's time, and the clock to compare with
   * @throws CodedError vendor_refused, in one sentence, for a wrong key or host, and for a clock that is off
   */
  async check(
    settings: { readonly key: string; readonly host: string },
    path: string,
    query: Query,
    told?: readonly [member: string, clock: PacedClock],
  ): Promise<void> {
    const { title, url } = this.#vendor;
    const refused = (sentence: string) => new CodedError('vendor_refused', sentence);
    try {
      const answer = await this.get(path, query, { callsMax: 1 });
      if (told === undefined) return;
      const stated = Date.parse(textOf(memberAt(answer, told[0])));
      if (Number.isNaN(stated)) throw new VendorAnswer(200, 'tells no time');
      const sentence = skewSentence(title, told[1].now() - stated);
      if (sentence !== null) throw refused(sentence);
    } catch (error) {
      if (error instanceof VendorAnswer) {
        throw error.status === 401 || error.status === 403
          ? refused(
              `${title} refuses the key of ${settings.key} at ${new URL(url).host}: it ${error.message}.`,
            )
          : refused(
              `${settings.host} is ${url}, which does not answer as ${title} does: it ${error.message}.`,
            );
      }
      if (!isCoded(error, 'vendor_unavailable')) throw error;
      if (error.facts.status === 0) throw refused(`${settings.host} is ${url}: ${error.message}`);
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
  async #turn(purpose: Purpose, signal: AbortSignal): Promise<void> {
    const { timers } = this.#wiring;
    const waiting = { purpose };
    this.#waiting.add(waiting);
    try {
      for (;;) {
        signal.throwIfAborted();
        const now = timers.monotonic();
        this.#calls = this.#calls.filter(({ at }) => at > now - MINUTE_MS);
        const wait = Math.max(this.#freeAt(purpose, now), this.#notBefore) - now;
        if (wait <= 0) {
          this.#calls.push({ at: now, purpose });
          return;
        }
        await rest(timers, wait, { signal });
      }
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** When the budget has a call for a purpose: while back-fill and chains both want some, each has half of theirs. */
  #freeAt(purpose: Purpose, now: number): number {
    const freeAt = (calls: readonly { readonly at: number }[], most: number): number =>
      calls.length < most ? now : calls[calls.length - most]!.at + MINUTE_MS;
    if (purpose === 'session') return freeAt(this.#calls, this.#limit);
    const most = Math.max(1, Math.floor(this.#limit * PATIENT_SHARE));
    const rival = purpose === 'chains' ? 'back-fill' : 'chains';
    const isShared = this.#waiting.values().some((waiting) => waiting.purpose === rival);
    const own = this.#calls.filter((call) => call.purpose === purpose);
    const free = freeAt(this.#calls, most);
    return isShared ? Math.max(free, freeAt(own, Math.max(1, Math.floor(most / 2)))) : free;
  }

  async #call(url: URL, signal: AbortSignal) {
    try {
      const response = await fetch(url, {
        headers: this.#vendor.headers,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      this.#heed(response);
      const text = await bodyOf(response);
      if (response.ok) return { value: wireJson(text) };
      const { status } = response;
      return {
        isPassing: PASSING.has(status),
        status,
        says: `answers ${status}${withoutSecrets(messageOf(text), this.#vendor.secrets)}`,
      };
    } catch (cause) {
      return { isPassing: true, status: 0, says: `does not answer${reasonOf(cause)}`, cause };
    }
  }

  /** What an answer says of the calls that are left. */
  #heed({ status, headers }: Response): void {
    const { timers, clock = timers } = this.#wiring;
    const time = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(time)) this.#aheadMs = clock.now() - time;
    const stated = Math.floor(Number(headers.get('x-ratelimit-limit') ?? Number.NaN));
    if (stated > 0) this.#limit = stated;
    const now = timers.monotonic();
    const isSpent = status === 429 || headers.get('x-ratelimit-remaining') === '0';
    const resetMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1_000 - timers.now();
    if (isSpent && resetMs > 0) this.#notBefore = now + Math.min(resetMs, MINUTE_MS);
    const waitMs = retryAfterMs(headers.get('retry-after'), timers.now());
    if (waitMs > 0) this.#notBefore = Math.max(this.#notBefore, now + waitMs);
  }
}

/** Whether a vendor refused a call, or does not answer now. */
export const isOfVendor = (error: unknown): boolean =>
  error instanceof VendorAnswer || isCoded(error, 'vendor_unavailable');

/** What a vendor answers; null where it refuses the call, or does not answer now. */
export const answered = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (isOfVendor(error)) return null;
    throw error;
  });

/** How long `Retry-After` asks to wait, in seconds or as a date; 0 without it, and never longer than ten minutes. */
export function retryAfterMs(stated: string | null, now: number): number {
  if (stated === null) return 0;
  const seconds = Number(stated);
  const ms = Number.isNaN(seconds) ? Date.parse(stated) - now : seconds * 1_000;
  return ms > 0 ? Math.min(ms, 10 * MINUTE_MS) : 0;
}

async function bodyOf(response: Response): Promise<string> {
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
  const body = parsedJson(text);
  const said = memberAt(body, 'message') ?? memberAt(body, 'error');
  return typeof said === 'string' ? `: ${said.slice(0, MESSAGE_MAX)}` : '';
}

/** Of `fetch`, which hides the reason in its cause. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return ` (${code ?? message})`;
}
