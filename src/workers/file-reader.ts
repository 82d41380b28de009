import { abortable } from '../base/abortable.ts';
import type { FirstBar } from '../files/bars/csv.ts';
import type { FileKind } from '../files/choices.ts';
import type { ContentReading } from '../files/content-reading.ts';
import type { Stated } from '../files/stated.ts';
import type { Known, KnownBars } from '../market/known-bars.ts';
import type { Refused } from '../market/refusals.ts';
import { limitedThread } from './limited-thread.ts';

/** Files, and how they are read; passed to the thread. */
export interface FileReaderData {
  readonly paths: readonly string[];
  readonly stated: Stated;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly calendarPath: string | null;
}

export interface ShownReading {
  readonly where: string;
  readonly kind?: FileKind;
  readonly read: Pick<Refused, 'reason' | 'example'> | ContentReading;
  readonly first?: readonly FirstBar[];
}

export type ToReader = { readonly kind: 'known'; readonly id: number } & (
  | { readonly known: Known }
  | { readonly error: unknown }
);

export type FromReader =
  | { readonly kind: 'reading'; readonly reading: ShownReading }
  | { readonly kind: 'read' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'known'; readonly id: number; readonly range: Parameters<KnownBars> };

/**
 * Says how files are read, in a thread that ends with its signal.
 *
 * @param known reads the tape in this thread
 * @param onReading called with each file as soon as it is read
 * @throws CodedError payload_too_large, shutting_down; the reason of the signal
 */
export async function readInThread(
  data: FileReaderData,
  known: KnownBars,
  onReading: (reading: ShownReading) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { worker, ended } = limitedThread(new URL('./file-reader-worker.ts', import.meta.url), data);
  const outcome = Promise.withResolvers<void>();
  const answer = ({ id, range }: Extract<FromReader, { kind: 'known' }>): void => {
    const send = (what: { known: Known } | { error: unknown }): void =>
      worker.postMessage({ kind: 'known', id, ...what } satisfies ToReader);
    known(...range).then(
      (found) => send({ known: found }),
      (error: unknown) => send({ error }),
    );
  };
  worker.on('message', (message: FromReader) => {
    if (message.kind === 'reading') onReading(message.reading);
    else if (message.kind === 'known') answer(message);
    else if (message.kind === 'failed') outcome.reject(message.error);
    else outcome.resolve();
  });
  try {
    await abortable(Promise.race([outcome.promise, ended]), signal);
  } finally {
    await worker.terminate();
  }
}
