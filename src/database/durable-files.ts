import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { at } from '../base/fault-points.ts';

/** Indexes of the numbers that the embedded server's thread shares with the thread that started it. */
export const SHARED = {
  /** The connection whose request runs, or 0. */
  executing: 0,
  /** The connection whose request shall stop, or 0. */
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
 * PGlite's files on disk with the syncs that PostgreSQL requests, which its own file layer ignores. Reads and writes
 * are also the only calls into foreign code during a long statement, so they check for an interrupt; PostgreSQL then
 * ends it.
 *
 * @param broken called when a sync fails or PostgreSQL aborts; must not return, because PGlite would continue
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
        // After a failed sync the disk's content is unknown; only recovery from the log may continue.
        this.#broken(`a file could not be synced: ${(error as Error).message}`);
      }
      Atomics.add(shared, SHARED.syncs, 1);
      at('database.synced');
      return 0;
    };
    operations.read = (stream, buffer, offset, length, position) => {
      checkInterrupt();
      return read(stream, buffer, offset, length, position);
    };
    operations.write = (stream, buffer, offset, length, position) => {
      checkInterrupt();
      Atomics.add(shared, SHARED.kilobytesWritten, Math.ceil(length / 1024));
      const written = write(stream, buffer, offset, length, position);
      at('database.written');
      return written;
    };
  }
}
