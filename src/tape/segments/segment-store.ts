import type { Database, QueryOptions } from '../../database/database.ts';
import type { CacheCounts } from './block-board.ts';

/** Where segment files lie: what a thread is started with to read them. */
export type SegmentLocation =
  | { readonly kind: 'directory'; readonly directory: string }
  | {
      readonly kind: 'bucket';
      /** Directory of the blocks that have been fetched. */
      readonly cacheDirectory: string;
      /** Memory of the `BlockBoard` through which a thread asks for blocks. */
      readonly board: SharedArrayBuffer;
    };

export interface ByteRange {
  readonly file: string;
  readonly from: number;
  readonly length: number;
}

/** Segment files as the process that writes them sees them. A file never changes once it has its name. */
export interface SegmentStore {
  readonly location: SegmentLocation;
  /**
   * Readies the store for the installation whose manifest is in the database, and removes files of interrupted writes.
   *
   * @param now epoch milliseconds
   * @throws CodedError tape_unavailable, tape_of_another_installation, tape_damaged
   */
  open(database: Database, now: number): Promise<void>;
  /**
   * Stores a new file; it is safe once the promise has resolved.
   *
   * @throws CodedError tape_unavailable
   */
  put(name: string, image: Uint8Array): Promise<void>;
  /**
   * Whether a file is there with so many bytes.
   *
   * @throws CodedError tape_unavailable
   */
  has(name: string, bytes: number, options?: QueryOptions): Promise<boolean>;
  /** Removes a file that no manifest row names any more. */
  remove(name: string): Promise<void>;
  /** Null where files are read without a cache. */
  cacheCounts(): CacheCounts | null;
  close(): Promise<void>;
}

/** Segment files as one thread reads them. */
export interface SegmentSource {
  /** How long a read tries again while the bucket fails, milliseconds. */
  patienceMs: number;
  /**
   * Brings ranges near that are read next, in one round trip.
   *
   * @param ranges made only where they are needed
   * @returns whether any bytes are new here: they have to be verified
   * @throws CodedError tape_unavailable, tape_damaged
   */
  prepare(ranges: () => readonly ByteRange[]): boolean;
  /** Brings ranges near that several reads need. */
  fetch(ranges: () => readonly ByteRange[]): void;
  /** As `fetch`, while the event loop goes on. */
  fetchAhead(ranges: () => readonly ByteRange[]): Promise<void>;
  /**
   * Fills `target` with the bytes from a position on.
   *
   * @throws CodedError tape_unavailable, tape_damaged
   */
  read(file: string, target: Uint8Array, position: number): void;
  /** Reads a damaged range from its origin again; false where there is no other copy. */
  refresh(range: ByteRange): boolean;
  close(): void;
}

/** Time for which passes, imports and other work without a waiting caller bear a bucket that fails. */
export const PATIENT_MS = 60_000;
/** The same with a caller who waits: less than the time limit of a query. */
export const IMPATIENT_MS = 1_000;
