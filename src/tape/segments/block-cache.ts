import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { isDiskFull } from '../../base/errors.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { realTimers } from '../../base/timers.ts';
import { BLOCK_BYTES, type BlockBoard, type BlockQuestion, type FileBlock } from './block-board.ts';
import type { Bucket } from './bucket.ts';

/** Name of a block in the cache directory. */
export const blockName = ([file, number]: FileBlock): string => `${file}.${number}`;

/** Requests to the bucket at a time. */
const FETCHES_MAX = 16;
/** Blocks in memory while the disk takes none. */
const MEMORY_BLOCKS = 64;
/** After an eviction so much of the limit is filled. */
const FILLED_AFTER = 0.9;
/** Part of the limit after which the directory is counted again: other processes fill it too. */
const COUNT_AFTER = 1 / 16;
/** An unfinished block that is older was left by a crash. */
const UNFINISHED_MS = 3_600_000;

export interface CacheSettings {
  readonly directory: string;
  /** Bytes of all blocks together, of every process that shares the directory. */
  readonly limitBytes: number;
  /** Receives one sentence when the disk stops taking blocks. */
  readonly onWarning: (sentence: string) => void;
}

/**
 * Blocks of segment files on disk, fetched from the bucket as they are asked for. Each is written under a name of its own
 * and renamed, so that several processes share a directory. Those that have been unused longest go first.
 */
export class BlockCache {
  readonly #bucket: Bucket;
  readonly #settings: CacheSettings;
  readonly #board: BlockBoard;
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  readonly #unwritten = new LRUCache<string, Uint8Array>({ max: MEMORY_BLOCKS });
  readonly #fetches = new Semaphore(FETCHES_MAX, Number.POSITIVE_INFINITY);
  #bytes = 0;
  #sinceCount = 0;
  #hasWarned = false;

  constructor(bucket: Bucket, settings: CacheSettings, board: BlockBoard) {
    this.#bucket = bucket;
    this.#settings = settings;
    this.#board = board;
    this.#makeRoom(settings.limitBytes);
  }

  /** @throws CodedError tape_unavailable, tape_damaged */
  async answer({ blocks, want, patienceMs }: BlockQuestion): Promise<Uint8Array | null> {
    const loads = blocks.map((block) => this.#load(block, { want, patienceMs }));
    // All end before an error is answered: none is left without a handler.
    const ended = await Promise.allSettled(loads);
    const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed !== undefined) throw failed.reason;
    return want === 'bytes' ? await loads[0]! : null;
  }

  /** The bytes of a block, where they are wanted or had to be fetched. */
  async #load(
    block: FileBlock,
    { want, patienceMs }: Pick<BlockQuestion, 'want' | 'patienceMs'>,
  ): Promise<Uint8Array | null> {
    const name = blockName(block);
    const path = join(this.#settings.directory, name);
    if (want === 'origin') {
      this.#unwritten.delete(name);
      await rm(path, { force: true });
    } else {
      if (want === 'disk' && (this.#unwritten.has(name) || existsSync(path))) return null;
      const known = this.#unwritten.get(name) ?? (await readFile(path).catch(() => null));
      if (known !== null) return known;
    }
    // A caller that waits shorter must not end the patience of another.
    const key = `${name} ${patienceMs}`;
    return this.#underWay.getOrInsertComputed(key, () =>
      this.#fetch(block, patienceMs).finally(() => this.#underWay.delete(key)),
    );
  }

  #fetch([file, number]: FileBlock, patienceMs: number): Promise<Uint8Array> {
    return this.#fetches.run(async () => {
      const bytes = await this.#bucket.getRange(file, number * BLOCK_BYTES, BLOCK_BYTES, { patienceMs });
      this.#board.count('fetchedBytes', bytes.length);
      await this.#keep(blockName([file, number]), bytes);
      return bytes;
    });
  }

  async #keep(name: string, bytes: Uint8Array): Promise<void> {
    const { directory, limitBytes } = this.#settings;
    const unfinished = join(directory, `${name}.${randomBytes(6).toString('hex')}.unfinished`);
    try {
      // The operator may have removed it.
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, bytes);
      await rename(unfinished, join(directory, name));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      this.#unwritten.set(name, bytes);
      this.#onUnwritten(error);
      return;
    }
    this.#bytes += bytes.length;
    this.#sinceCount += bytes.length;
    this.#board.count('bytes', bytes.length);
    if (this.#bytes > limitBytes || this.#sinceCount > limitBytes * COUNT_AFTER) this.#makeRoom(limitBytes);
  }

  #onUnwritten(error: unknown): void {
    this.#board.count('unwritten', 1);
    // Old blocks make room for those that are read now.
    if (isDiskFull(error)) this.#makeRoom(this.#bytes - 1);
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { code, message } = error as NodeJS.ErrnoException;
    this.#settings.onWarning(
      `The cache of the tape cannot be written (${code ?? message}); reads go on from memory.`,
    );
  }

  /** Counts the directory and, where it is fuller than the limit, removes blocks. */
  #makeRoom(limitBytes: number): void {
    const blocks = this.#blocksOnDisk();
    let bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
    if (bytes > limitBytes) {
      for (const block of blocks.sort((a, b) => a.usedAt - b.usedAt)) {
        if (bytes <= limitBytes * FILLED_AFTER) break;
        rmSync(block.path, { force: true });
        bytes -= block.bytes;
        this.#board.count('evictions', 1);
      }
    }
    this.#board.count('bytes', bytes - this.#board.counts().bytes);
    this.#bytes = bytes;
    this.#sinceCount = 0;
  }

  #blocksOnDisk(): { path: string; bytes: number; usedAt: number }[] {
    const { directory } = this.#settings;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      return readdirSync(directory).flatMap((name) => {
        const path = join(directory, name);
        const found = statSync(path, { throwIfNoEntry: false });
        if (found === undefined) return [];
        const isLeft = name.endsWith('.unfinished') && realTimers.now() - found.mtimeMs > UNFINISHED_MS;
        if (isLeft) rmSync(path, { force: true });
        return isLeft ? [] : [{ path, bytes: found.size, usedAt: found.mtimeMs }];
      });
    } catch {
      // Writing will fail as well, and says so.
      return [];
    }
  }
}
