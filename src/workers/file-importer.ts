import { CodedError } from '../base/errors.ts';
import type { Timers } from '../base/timers.ts';
import type { ImportProgress, ImportReport } from '../tape/ingest.ts';
import type { FileReaderData } from './file-reader.ts';
import { limitedThread } from './limited-thread.ts';

/** What the thread of an import is started with. */
export interface FileImportData extends Pick<FileReaderData, 'paths' | 'stated' | 'now'> {
  /** Settings of the program, by which the thread opens a store of its own. */
  readonly config: unknown;
}

export type FromImporter =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'imported'; readonly reports: readonly ImportReport[] }
  | { readonly kind: 'failed'; readonly sentence: string };

/** An import that does not end at a message by then is ended as a kill ends it, which leaves the tape whole too. */
const STOPS_WITHIN_MS = 500;

/**
 * Imports files in a thread with a store of its own, as the command line does in a process: answers never wait for it.
 *
 * @param file the program of the thread
 * @param signal ends it between two deliveries; what was written until then stays
 * @returns what came of each feed
 * @throws CodedError payload_too_large, shutting_down, import_failed with the sentence of what has failed; the reason of the
 *   signal
 */
export async function importInThread(
  file: URL,
  data: FileImportData,
  timers: Timers,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<readonly ImportReport[]> {
  signal.throwIfAborted();
  const { worker, ended } = limitedThread(file, data);
  const outcome = Promise.withResolvers<readonly ImportReport[]>();
  worker.on('message', (message: FromImporter) => {
    if (message.kind === 'progress') onProgress(message.progress);
    else if (message.kind === 'imported') outcome.resolve(message.reports);
    else outcome.reject(new CodedError('import_failed', message.sentence));
  });
  let callOff = (): void => {};
  const stop = (): void => {
    worker.postMessage('stop');
    callOff = timers.after(STOPS_WITHIN_MS, () => void worker.terminate());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([outcome.promise, ended]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    callOff();
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
