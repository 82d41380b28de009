import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';

const MEGABYTE = 2 ** 20;
/** With 12 a sixth of a running minute's time goes into moving young objects. */
const YOUNG_MEGABYTES = 48;
/** Of an answer in JSON, which is one value. */
const HEAP_MEGABYTES_MAX = 1_024;

const TOO_LARGE = 'the file takes more memory to read than there is: part it, or save it as CSV';

/** Of a thread, where the process itself may have no less. */
export function heapLimit(megabytes: number, youngMegabytes = YOUNG_MEGABYTES) {
  // Of the process, whose own memory has its size by now: for as long as it is set, threads have no other.
  setFlagsFromString('--max-semi-space-size=0');
  return {
    maxOldGenerationSizeMb: Math.min(Math.floor(getHeapStatistics().heap_size_limit / MEGABYTE), megabytes),
    maxYoungGenerationSizeMb: youngMegabytes,
  };
}

/** A thread that reads files. One that takes too much memory ends the thread alone. */
export function limitedThread(file: URL, workerData: unknown) {
  const worker = new Worker(file, {
    workerData,
    // Flags of a test runner are not for it.
    execArgv: [],
    resourceLimits: heapLimit(HEAP_MEGABYTES_MAX),
  });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    ended.reject(isTooLarge ? new CodedError('payload_too_large', TOO_LARGE) : error);
  });
  worker.on('exit', () => ended.reject(new CodedError('shutting_down')));
  /** `ended` rejects with the end of the thread. */
  return { worker, ended: ended.promise };
}
