import type { ServerResponse } from 'node:http';
import { realTimers } from '../../base/timers.ts';
import type { HeaderLines } from './fixed-headers.ts';

/** Of the copies of a second. */
const BYTES_MAX = 8_388_608;

/**
 * Sends an answer that many callers get within the same second. Node renders and checks the head for each of them and
 * writes head and body as two parts, together a third of what a hot answer takes. All bytes stay the same until the
 * header `Date` changes, so from the third on it is one write of one buffer.
 */
export class RepeatedAnswers {
  /** What was sent this second by head: head and body, or null of what was sent once and is worth no copy yet. */
  readonly #sent = new Map<HeaderLines, Buffer | null>();
  #second = 0;
  #bytes = 0;

  /** @param head of this status and body only, and the same array each time */
  send(response: ServerResponse, status: 200 | 304, head: HeaderLines, body: Buffer): void {
    const isKeptAlive = response.shouldKeepAlive;
    const kept = isKeptAlive ? this.#ofThisSecond(head) : undefined;
    if (kept instanceof Buffer) {
      resend(response, status, kept);
      return;
    }
    response.writeHead(status, head as string[]);
    if (isKeptAlive) this.#sent.set(head, kept === null ? this.#copyOf(response as Internals, body) : null);
    response.end(body);
  }

  #ofThisSecond(head: HeaderLines): Buffer | null | undefined {
    const second = Math.floor(realTimers.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#bytes = 0;
      this.#sent.clear();
    }
    return this.#sent.get(head);
  }

  #copyOf({ _header: head }: Internals, body: Buffer): Buffer | null {
    this.#bytes += head!.length + body.length;
    return this.#bytes > BYTES_MAX ? null : Buffer.concat([Buffer.from(head!, 'latin1'), body]);
  }
}

/** Fields of node's own, which is of one version here; a test compares what is sent with them to what is sent without. */
interface Internals extends ServerResponse {
  _header: string | null;
  _headerSent: boolean;
}

/** @param whole head and body */
function resend(response: ServerResponse, status: number, whole: Buffer): void {
  response.statusCode = status;
  (response as Internals)._header = 'part of the buffer';
  (response as Internals)._headerSent = true;
  response.end(whole);
}
