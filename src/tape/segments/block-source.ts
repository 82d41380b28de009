import { closeSync, futimesSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { chunks } from '../../base/chunks.ts';
import { CodedError } from '../../base/errors.ts';
import { realTimers } from '../../base/timers.ts';
import { BLOCK_BYTES, BLOCKS_MAX, BlockBoard, type BlockQuestion, type FileBlock } from './block-board.ts';
import { blockName } from './block-cache.ts';
import { type ByteRange, PATIENT_MS, type SegmentSource } from './segment-store.ts';

/** Open blocks; opening another closes the oldest. */
const OPEN_BLOCKS_MAX = 128;
/** Blocks that the disk has not taken, kept by the thread that reads them. */
const MEMORY_BLOCKS = 8;
/** A block that stays open counts as used again after this long. */
const USED_AGAIN_MS = 60_000;

interface OpenBlock {
  readonly descriptor: number;
  usedAt: number;
}

/** Reads segment files of a bucket, by blocks that a thread of the process keeps on disk. One per thread. */
export class BlockSource implements SegmentSource {
  patienceMs = PATIENT_MS;
  readonly #directory: string;
  readonly #board: BlockBoard;
  readonly #open = new Map<string, OpenBlock>();
  readonly #inMemory = new Map<string, Uint8Array>();
  /** Names of blocks that were fetched ahead and not read yet. */
  readonly #ahead = new Set<string>();

  constructor(directory: string, board: SharedArrayBuffer) {
    this.#directory = directory;
    this.#board = new BlockBoard(board);
  }

  prepare(ranges: () => readonly ByteRange[]): boolean {
    const blocks = blocksOf(ranges());
    const missing = this.#missingOf(blocks);
    for (const question of this.#questions(missing, 'disk')) this.#board.ask(question);
    const ahead = blocks.filter((block) => this.#ahead.delete(blockName(block))).length;
    this.#board.count('misses', missing.length);
    this.#board.count('hits', blocks.length - missing.length - ahead);
    return missing.length + ahead > 0;
  }

  fetch(ranges: () => readonly ByteRange[]): void {
    const missing = this.#missingOf(blocksOf(ranges()));
    for (const question of this.#questions(missing, 'disk')) this.#board.ask(question);
    this.#fetched(missing);
  }

  async fetchAhead(ranges: () => readonly ByteRange[]): Promise<void> {
    const missing = this.#missingOf(blocksOf(ranges()));
    for (const question of this.#questions(missing, 'disk')) await this.#board.askAsync(question);
    this.#fetched(missing);
  }

  read(file: string, target: Uint8Array, position: number): void {
    for (let at = 0; at < target.length; ) {
      const block = Math.floor((position + at) / BLOCK_BYTES);
      const from = position + at - block * BLOCK_BYTES;
      const part = target.subarray(at, at + Math.min(target.length - at, BLOCK_BYTES - from));
      this.#readPart([file, block], part, from);
      at += part.length;
    }
  }

  refresh(range: ByteRange): boolean {
    const blocks = blocksOf([range]);
    for (const block of blocks) {
      this.#close(blockName(block));
      this.#inMemory.delete(blockName(block));
    }
    for (const question of this.#questions(blocks, 'origin')) this.#board.ask(question);
    return true;
  }

  close(): void {
    for (const { descriptor } of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
    this.#inMemory.clear();
  }

  /** Fills `part` from a block's byte `from` on. */
  #readPart(block: FileBlock, part: Uint8Array, from: number): void {
    const name = blockName(block);
    const open = this.#inMemory.has(name) ? null : this.#opened(name);
    if (open !== null) {
      if (readSync(open.descriptor, part, 0, part.length, from) === part.length) return;
      this.refresh({ file: block[0], from: block[1] * BLOCK_BYTES, length: BLOCK_BYTES });
    }
    // Not taken by the disk, or removed or cut short since it was.
    const bytes = this.#inMemory.get(name) ?? this.#bytesOf(block);
    const early = from + part.length - bytes.length;
    if (early > 0) throw new CodedError('tape_damaged', `A segment file ends ${early} bytes early`);
    part.set(bytes.subarray(from, from + part.length));
  }

  #bytesOf(block: FileBlock): Uint8Array {
    const [question] = this.#questions([block], 'bytes');
    const bytes = this.#board.ask(question!);
    this.#inMemory.set(blockName(block), bytes);
    if (this.#inMemory.size > MEMORY_BLOCKS) this.#inMemory.delete(this.#inMemory.keys().next().value!);
    return bytes;
  }

  /** The blocks that are not here; the others count as used. */
  #missingOf(blocks: readonly FileBlock[]): FileBlock[] {
    return blocks.filter((block) => {
      const name = blockName(block);
      return !this.#inMemory.has(name) && this.#opened(name) === null;
    });
  }

  #fetched(blocks: readonly FileBlock[]): void {
    this.#board.count('misses', blocks.length);
    for (const block of blocks) this.#ahead.add(blockName(block));
  }

  /** A block of the disk; null where it has none of the name. */
  #opened(name: string): OpenBlock | null {
    let block = this.#open.get(name);
    if (block === undefined) {
      const descriptor = openExisting(join(this.#directory, name));
      if (descriptor === null) return null;
      if (this.#open.size >= OPEN_BLOCKS_MAX) this.#close(this.#open.keys().next().value!);
      block = { descriptor, usedAt: 0 };
      this.#open.set(name, block);
    }
    const now = realTimers.now();
    if (now - block.usedAt > USED_AGAIN_MS) {
      block.usedAt = now;
      markUsed(block.descriptor, now);
    }
    return block;
  }

  #close(name: string): void {
    const open = this.#open.get(name);
    if (open !== undefined) closeSync(open.descriptor);
    this.#open.delete(name);
  }

  #questions(blocks: readonly FileBlock[], want: BlockQuestion['want']): BlockQuestion[] {
    const { patienceMs } = this;
    return Array.from(chunks(blocks, BLOCKS_MAX), (some) => ({ blocks: some, want, patienceMs }));
  }
}

/** The blocks that hold the ranges, each once. */
function blocksOf(ranges: readonly ByteRange[]): FileBlock[] {
  const blocks = new Map<string, FileBlock>();
  for (const { file, from, length } of ranges) {
    const last = Math.floor((from + length - 1) / BLOCK_BYTES);
    for (let number = Math.floor(from / BLOCK_BYTES); number <= last; number++) {
      blocks.set(blockName([file, number]), [file, number]);
    }
  }
  return [...blocks.values()];
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** The cache removes first what has not been used longest. */
function markUsed(descriptor: number, now: number): void {
  try {
    futimesSync(descriptor, now / 1000, now / 1000);
  } catch {
    // Another account owns the block, or the disk is read-only: it goes sooner.
  }
}
