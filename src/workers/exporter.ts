import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { abortable } from '../base/abortable.ts';
import { Semaphore } from '../base/semaphore.ts';
import type { FileHead, RowBatch } from '../export/column.ts';
import { limitedThread } from './limited-thread.ts';

export type ToExporter =
  | { readonly kind: 'begin'; readonly head: FileHead }
  | { readonly kind: 'rows'; readonly batch: RowBatch }
  | { readonly kind: 'end' };

export type FromExporter =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'taken' }
  | { readonly kind: 'ended'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Files under way: each has a thread, and up to some hundred megabytes. */
const FILES_AT_ONCE = 2;
const WAITING_MAX = 16;
const REFUSAL = 'Too many exports are under way: ask again when one has ended';

export type Exporter = ReturnType<typeof createExporter>;

type Thread = ReturnType<typeof limitedThread>;

/** Writes files in threads, which stay for the next file. */
export function createExporter() {
  const line = new Semaphore(FILES_AT_ONCE, WAITING_MAX, REFUSAL);
  const idle: Thread[] = [];
  const all = new Set<Thread>();

  function takeThread(): Thread {
    const thread = idle.pop() ?? limitedThread(new URL('./export-thread.ts', import.meta.url), null);
    all.add(thread);
    return thread;
  }

  return {
    /**
     * The bytes of a file as they are made; the reader's pace is that of the rows.
     *
     * @param onEnd receives the number of rows
     * @throws CodedError overloaded, shutting_down; what the batches throw; the reason of the signal
     */
    async *encode(
      head: FileHead,
      batches: AsyncIterable<RowBatch>,
      signal: AbortSignal,
      onEnd: (rows: number) => void = () => {},
    ): AsyncGenerator<Uint8Array> {
      const released = Promise.withResolvers<void>();
      const granted = Promise.withResolvers<void>();
      line
        .run(() => {
          granted.resolve();
          return released.promise;
        }, signal)
        .catch(granted.reject);
      await granted.promise;
      const thread = takeThread();
      let isWhole = false;
      try {
        for await (const bytes of conversation(thread, head, batches, signal, onEnd)) yield bytes;
        isWhole = true;
      } finally {
        if (isWhole) idle.push(thread);
        else {
          all.delete(thread);
          void thread.worker.terminate();
        }
        released.resolve();
      }
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(all, ({ worker }) => worker.terminate()));
    },
  };
}

async function* conversation(
  { worker, ended }: Thread,
  head: FileHead,
  batches: AsyncIterable<RowBatch>,
  signal: AbortSignal,
  onEnd: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const answers = inbox(worker);
  /** Yields bytes up to the answer of a kind. */
  async function* until(kind: 'taken' | 'ended'): AsyncGenerator<Uint8Array> {
    for (;;) {
      const answer = await abortable(Promise.race([answers.next(), ended]), signal);
      if (answer.kind === 'failed') throw answer.error;
      if (answer.kind === 'bytes') yield answer.bytes;
      else if (answer.kind === kind) {
        if (answer.kind === 'ended') onEnd(answer.rows);
        return;
      }
    }
  }
  const send = (message: ToExporter): void => worker.postMessage(message);
  try {
    send({ kind: 'begin', head });
    for await (const batch of batches) {
      const memory = batch.sources.flatMap((source) => ('arrow' in source ? source.arrow.buffer : []));
      worker.postMessage({ kind: 'rows', batch } satisfies ToExporter, memory as ArrayBuffer[]);
      yield* until('taken');
    }
    send({ kind: 'end' });
    yield* until('ended');
  } finally {
    answers.close();
  }
}

/** Messages of a thread in their order. */
function inbox(worker: Worker) {
  const waiting: FromExporter[] = [];
  const take = (message: FromExporter): void => void waiting.push(message);
  worker.on('message', take);
  return {
    async next(): Promise<FromExporter> {
      while (waiting.length === 0) await once(worker, 'message');
      return waiting.shift()!;
    },
    close: (): void => void worker.off('message', take),
  };
}
