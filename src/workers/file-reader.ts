import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';
import type { anyFiles } from '../files/any-file.ts';
import type { FirstBar } from '../files/bars/csv.ts';
import type { ContentReading } from '../files/content-reading.ts';
import type { Delivery, Feed } from '../market/feed.ts';
import type { Known, KnownBars } from '../market/known-bars.ts';
import type { Refused } from '../market/refusals.ts';

/** Files, and how they are read; passed to the thread. */
export interface FileReaderData {
  readonly paths: readonly string[];
  readonly choices: Omit<Parameters<typeof anyFiles>[1], 'calendar' | 'now' | 'known'>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly calendarPath: string | null;
}

export interface ShownReading {
  readonly where: string;
  readonly read: Pick<Refused, 'reason' | 'example'> | ContentReading;
  readonly first?: readonly FirstBar[];
}

/** A question to the thread; feeds and units go by their places. */
export type Asked =
  | { readonly what: 'readings' | 'feeds' }
  | { readonly what: 'fingerprint'; readonly feed: number; readonly unit: number }
  | { readonly what: 'rows'; readonly feed: number; readonly unit: number; readonly isFirst: boolean };

export type ToReader =
  | { readonly kind: 'ask'; readonly id: number; readonly asked: Asked }
  | ({ readonly kind: 'known'; readonly id: number } & (
      | { readonly known: Known }
      | { readonly error: unknown }
    ));

type FromReader =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error }
  | { readonly kind: 'reading'; readonly reading: ShownReading }
  | { readonly kind: 'known'; readonly id: number; readonly range: Parameters<KnownBars> };

interface Rows {
  readonly deliveries: readonly Delivery[];
  readonly isDone: boolean;
  readonly weightRead: number;
}

type Listed = Pick<Feed, 'name' | 'simulated'> & {
  readonly units: readonly { key: string; weight: number }[];
};

const MEGABYTE = 2 ** 20;
/** Of the values of one file in JSON, which is read as a whole. */
const HEAP_MEGABYTES_MAX = 1_024;

const TOO_LARGE = 'the file takes more memory to read than there is: part it, or save it as CSV';

/** Reads files in a thread that ends with its signal. A file that takes too much memory ends the thread alone. */
export class FileReader {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #ended = Promise.withResolvers<never>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #onReading: (reading: ShownReading) => void = () => {};
  #asked = 0;

  /** @param known reads the tape in this thread */
  constructor(data: FileReaderData, known: KnownBars, signal: AbortSignal) {
    signal.throwIfAborted();
    this.#signal = signal;
    const heapMegabytes = Math.floor(getHeapStatistics().heap_size_limit / MEGABYTE);
    this.#worker = new Worker(new URL('./file-reader-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: Math.min(heapMegabytes, HEAP_MEGABYTES_MAX) },
    });
    this.#ended.promise.catch(() => {});
    this.#worker.on('message', (message: FromReader) => this.#take(message, known));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#ended.reject(isTooLarge ? new CodedError('payload_too_large', TOO_LARGE) : error);
    });
    this.#worker.on('exit', () => this.#ended.reject(new CodedError('shutting_down')));
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#ended.reject(this.#signal.reason);
    void this.#worker.terminate();
  };

  /** @param onReading called with each file as soon as it is read */
  async readings(onReading: (reading: ShownReading) => void): Promise<void> {
    this.#onReading = onReading;
    await this.#ask({ what: 'readings' });
  }

  /** The feeds of the files; their units are read in the thread, one at a time. */
  async feeds(): Promise<readonly Feed[]> {
    const listed = await this.#ask<readonly Listed[]>({ what: 'feeds' });
    return listed.map(({ name, simulated, units }, feed) => ({
      name,
      simulated,
      units: async () =>
        units.map(({ key, weight }, unit) => {
          let weightRead = 0;
          const rows = (isFirst: boolean) => this.#ask<Rows>({ what: 'rows', feed, unit, isFirst });
          async function* read(): AsyncGenerator<Delivery> {
            for (let next = rows(true); ; ) {
              const { deliveries, isDone, weightRead: read } = await next;
              weightRead = read;
              // The next rows are read while these are written.
              if (!isDone) {
                next = rows(false);
                next.catch(() => {});
              }
              yield* deliveries;
              if (isDone) return;
            }
          }
          return {
            key,
            weight,
            weightRead: () => weightRead,
            fingerprint: () => this.#ask<string>({ what: 'fingerprint', feed, unit }),
            read,
          };
        }),
    }));
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    await this.#worker.terminate();
  }

  #ask<Answer>(asked: Asked): Promise<Answer> {
    const id = ++this.#asked;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#worker.postMessage({ kind: 'ask', id, asked } satisfies ToReader);
    return Promise.race([answer.promise, this.#ended.promise]) as Promise<Answer>;
  }

  #take(message: FromReader, known: KnownBars): void {
    if (message.kind === 'reading') this.#onReading(message.reading);
    else if (message.kind === 'known') {
      const { id } = message;
      const answer = (what: { known: Known } | { error: unknown }): void =>
        this.#worker.postMessage({ kind: 'known', id, ...what } satisfies ToReader);
      known(...message.range).then(
        (found) => answer({ known: found }),
        (error: unknown) => answer({ error }),
      );
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.kind === 'failed') waiting?.reject(message.error);
      else waiting?.resolve(message.answer);
    }
  }
}
