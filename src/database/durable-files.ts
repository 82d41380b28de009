import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Numbers that the embedded server's thread and the thread that started it both see. */
export const SHARED = {
  /** The connection whose turn runs now, or 0. */
  executing: 0,
  /** The connection whose turn shall stop, or 0. */
  interrupt: 1,
  /** Kilobytes written to files since the start; wraps. */
  kilobytesWritten: 2,
  /** Files and directories synced since the start; wraps. */
  syncs: 3,
  size: 4,
} as const;

type Options = Parameters<NodeFS['init']>[1];

interface Stream {
  readonly nfd: number;
}

interface StreamOperations {
  fsync?: (stream: Stream) => number;
  read(stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number): number;
  write(stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number): number;
}

interface Module {
  readonly FS: { readonly filesystems: { readonly NODEFS: { readonly stream_ops: StreamOperations } } };
  readonly HEAPU8: Uint8Array;
  readonly _InterruptPending: number;
  readonly _QueryCancelPending: number;
}

/**
 * PGlite's files on disk, made durable: as shipped it never syncs one, because its file layer knows no sync. Here every
 * sync that PostgreSQL asks for, of files and of directories, reaches the disk.
 *
 * Reads and writes are also the only moments in a long statement when foreign code runs in its thread, so this is where
 * it learns that it shall stop: PostgreSQL then ends the statement by itself at its next check.
 *
 * @param broken called when the disk refuses a sync or PostgreSQL gives up; must not return, because PGlite would go on
 */
export class DurableFiles extends NodeFS {
  readonly #shared: Int32Array;
  readonly #broken: (reason: string) => never;

  constructor(directory: string, shared: Int32Array, broken: (reason: string) => never) {
    super(directory);
    this.#shared = shared;
    this.#broken = broken;
  }

  override async init(pglite: PGlite, options: Options) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const prepare = (module: unknown): void => this.#prepare(module as Module);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        onAbort: (reason: unknown) => this.#broken(`PostgreSQL gave up ${String(reason ?? '')}`.trim()),
        preRun: [...(emscriptenOpts.preRun as ((module: unknown) => void)[]), prepare],
      },
    };
  }

  #prepare(module: Module): void {
    const operations = module.FS.filesystems.NODEFS.stream_ops;
    const { read, write } = operations;
    const shared = this.#shared;
    const checkInterrupt = (): void => {
      if (Atomics.load(shared, SHARED.interrupt) === 0) return;
      if (Atomics.load(shared, SHARED.interrupt) !== Atomics.load(shared, SHARED.executing)) return;
      module.HEAPU8[module._QueryCancelPending] = 1;
      module.HEAPU8[module._InterruptPending] = 1;
    };
    operations.fsync = (stream) => {
      try {
        fsyncSync(stream.nfd);
      } catch (error) {
        // After a failed sync nobody knows what the disk holds; only recovery from the log may go on.
        this.#broken(`a file could not be synced: ${(error as Error).message}`);
      }
      Atomics.add(shared, SHARED.syncs, 1);
      return 0;
    };
    operations.read = (stream, buffer, offset, length, position) => {
      checkInterrupt();
      return read(stream, buffer, offset, length, position);
    };
    operations.write = (stream, buffer, offset, length, position) => {
      checkInterrupt();
      Atomics.add(shared, SHARED.kilobytesWritten, Math.ceil(length / 1024));
      return write(stream, buffer, offset, length, position);
    };
  }
}
