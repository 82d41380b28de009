import { parentPort, workerData } from 'node:worker_threads';
import { BlockBoard } from './block-board.ts';
import { BlockCache } from './block-cache.ts';
import { Bucket } from './bucket.ts';
import type { BucketAddress } from './bucket-address.ts';

export interface BlockThreadData {
  readonly address: BucketAddress;
  readonly directory: string;
  readonly limitBytes: number;
  readonly board: SharedArrayBuffer;
}

/** The thread that fetches blocks for all others of the process, and sends warnings to its parent. */
const { address, directory, limitBytes, board: memory } = workerData as BlockThreadData;
const board = new BlockBoard(memory);
const onWarning = (sentence: string): void => parentPort!.postMessage(sentence);
const cache = new BlockCache(new Bucket(address), { directory, limitBytes, onWarning }, board);
await board.serve((question) => cache.answer(question));
