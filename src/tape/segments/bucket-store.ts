import { Worker } from 'node:worker_threads';
import { DAY_MS } from '../../base/dates.ts';
import { CodedError, isCoded } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import type { Database } from '../../database/database.ts';
import { installationId, takeOrphanRound } from '../../database/installation.ts';
import { BlockBoard } from './block-board.ts';
import type { BlockThreadData } from './block-thread.ts';
import { Bucket } from './bucket.ts';
import type { BucketAddress } from './bucket-address.ts';
import { readNewestSegment, unnamedFiles } from './named-files.ts';
import { PATIENT_MS, type SegmentStore } from './segment-store.ts';
import { isSegment, markPrefix, ownerOf } from './tape-prefix.ts';

const PATIENCE = { patienceMs: PATIENT_MS };
/** An object that no manifest row names for this long was left behind by a crash. */
const ORPHAN_MS = DAY_MS;

export interface BucketCache {
  readonly directory: string;
  readonly limitBytes: number;
}

/** Segment files under a prefix of a bucket, with a bounded cache of their blocks on disk. */
export function bucketStore(address: BucketAddress, cache: BucketCache): SegmentStore {
  const bucket = new Bucket(address);
  const board = new BlockBoard();
  const workerData: BlockThreadData = { address, ...cache, board: board.memory };
  const thread = new Worker(new URL('./block-thread.ts', import.meta.url), { workerData });
  thread.on('message', (sentence: string) => process.emitWarning(sentence));
  return {
    location: { kind: 'bucket', cacheDirectory: cache.directory, board: board.memory },
    async open(database, now) {
      try {
        await takePrefix(bucket, database);
      } catch (error) {
        throw isCoded(error)
          ? new CodedError(error.code, `TIGRAPH_TAPE=${address.name}: ${error.message}`)
          : error;
      }
      if (await takeOrphanRound(database)) await removeOrphans(bucket, database, now);
    },
    async put(name, image) {
      if (!(await bucket.put(name, image, PATIENCE))) throw new Error(`another object has the name ${name}`);
      at('segment.uploaded');
    },
    has: async (name, bytes, { signal } = {}) =>
      (await bucket.size(name, { patienceMs: 0, ...(signal !== undefined && { signal }) })) === bytes,
    remove: async (name) => {
      await bucket.delete(name, PATIENCE);
    },
    cacheCounts: () => board.counts(),
    async close() {
      await thread.terminate();
    },
  };
}

/**
 * Marks the prefix as that of this installation, unless it is so already.
 *
 * @throws CodedError tape_of_another_installation, tape_damaged, tape_unavailable
 */
async function takePrefix(bucket: Bucket, database: Database): Promise<void> {
  const own = await installationId(database);
  const owner = (await ownerOf(bucket, () => readNewestSegment(database))) ?? (await markPrefix(bucket, own));
  if (owner === own) return;
  throw new CodedError(
    'tape_of_another_installation',
    `The prefix belongs to the installation ${owner}, and this database to ${own}: name another prefix, or use the database that belongs to it`,
  );
}

/** Removes objects that a crash left between their upload and the manifest's commit; returns how many. */
async function removeOrphans(bucket: Bucket, database: Database, now: number): Promise<number> {
  let removed = 0;
  for await (const objects of bucket.pages(PATIENCE)) {
    const old = objects.filter((object) => isSegment(object) && now - object.modifiedAt > ORPHAN_MS);
    const orphans = await unnamedFiles(
      database,
      old.map(({ name }) => name),
    );
    for (const name of orphans) await bucket.delete(name, PATIENCE);
    removed += orphans.length;
  }
  return removed;
}
