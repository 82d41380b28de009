import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import { writeWhole } from '../../base/synced-files.ts';
import { RESTORE_HINT } from '../../database/cluster-fault.ts';
import type { Queryable } from '../../database/database.ts';
import { unnamedFiles } from './named-files.ts';
import { isAlive, writerOf } from './segment-name.ts';
import { PATIENT_MS, type SegmentSource, type SegmentStore } from './segment-store.ts';

const SEGMENT_STEPS = {
  written: () => at('segment.written'),
  synced: () => at('segment.synced'),
  renamed: () => at('segment.renamed'),
};

/** Segment files in a directory of the machine. */
export function directoryStore(directory: string): SegmentStore {
  return {
    location: { kind: 'directory', directory },
    async open(database, now) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      await removeOrphans(database, directory, now);
    },
    async put(name, image) {
      await writeWhole(join(directory, name), image, SEGMENT_STEPS);
      at('segment.stored');
    },
    has: (name, bytes) =>
      stat(join(directory, name)).then(
        ({ size }) => size === bytes,
        () => false,
      ),
    remove: async (name) => rmSync(join(directory, name), { force: true }),
    cacheCounts: () => null,
    close: async () => {},
  };
}

/**
 * Refuses a tape beside a database that is empty: its files would be removed as leftovers.
 *
 * @throws CodedError data_directory_unusable
 */
export function refuseLoneTape(directory: string): void {
  if (!existsSync(directory)) return;
  const files = readdirSync(directory).filter((file) => file.endsWith('.arrow')).length;
  if (files === 0) return;
  throw new CodedError(
    'data_directory_unusable',
    `${directory} holds ${files} files of a tape, and the database that names them is missing or another. ` +
      `${RESTORE_HINT} To begin without data, remove that folder.`,
  );
}

/** A file of another machine that no manifest row names for this long was left behind by a crash. */
const FOREIGN_ORPHAN_MS = DAY_MS;

/**
 * Removes segment files that a crash left between the rename and the manifest's commit, or unfinished.
 *
 * @returns how many files were removed
 */
export async function removeOrphans(database: Queryable, directory: string, now: number): Promise<number> {
  const files = readdirSync(directory).filter((file) => /\.arrow(\.unfinished)?$/.test(file));
  const orphans = (await unnamedFiles(database, files)).filter((file) => isAbandoned(directory, file, now));
  for (const file of orphans) rmSync(join(directory, file), { force: true });
  return orphans.length;
}

function isAbandoned(directory: string, file: string, now: number): boolean {
  const pid = writerOf(file);
  if (pid !== null) return pid !== process.pid && !isAlive(pid);
  const modified = statSync(join(directory, file), { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && now - modified > FOREIGN_ORPHAN_MS;
}

/** Open descriptors; opening another closes the oldest. */
const OPEN_FILES_MAX = 64;

/** Reads the segment files of a directory. One per thread. */
export class DirectorySource implements SegmentSource {
  patienceMs = PATIENT_MS;
  readonly #directory: string;
  readonly #files = new Map<string, number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  prepare(): boolean {
    return false;
  }

  fetch(): void {}

  async fetchAhead(): Promise<void> {}

  read(file: string, target: Uint8Array, position: number): void {
    const descriptor = this.#open(file);
    for (let at = 0; at < target.length; ) {
      const read = readSync(descriptor, target, at, target.length - at, position + at);
      if (read === 0) {
        throw new CodedError('tape_damaged', `A segment file ends ${target.length - at} bytes early`);
      }
      at += read;
    }
  }

  refresh(): boolean {
    return false;
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #open(name: string): number {
    const open = this.#files.get(name);
    if (open !== undefined) return open;
    if (this.#files.size >= OPEN_FILES_MAX) {
      const [oldest, descriptor] = this.#files.entries().next().value!;
      this.#files.delete(oldest);
      closeSync(descriptor);
    }
    const descriptor = openSegment(join(this.#directory, name), name);
    this.#files.set(name, descriptor);
    return descriptor;
  }
}

function openSegment(path: string, name: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new CodedError('tape_damaged', `The segment file ${name} cannot be opened`, { cause });
  }
}
