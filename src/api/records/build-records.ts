import type { Scope } from '../../base/scope.ts';
import type { RecordBuildAnswer } from './schema.ts';

interface BuildProgress {
  readonly done: number;
  readonly planned: number;
}

/** Counts what became of the claims of every past session. */
export type BuildRecords = (
  signal: AbortSignal,
  onProgress: (progress: BuildProgress) => void,
) => Promise<unknown>;

/** Starts the count of past sessions in the background, once at a time, and says how far it is. */
export function openRecordBuild(build: BuildRecords, scope: Scope, onError: (error: unknown) => void) {
  let running: { progress: BuildProgress | null } | null = null;
  let last: 'idle' | 'built' | 'failed' = 'idle';

  function standing(): RecordBuildAnswer {
    if (running === null) return { state: last, share_done: null };
    const { progress } = running;
    const share = progress === null || progress.planned === 0 ? null : progress.done / progress.planned;
    return { state: 'building', share_done: share };
  }

  return {
    standing,
    /** Begins to count; a call meanwhile changes nothing. */
    start(): RecordBuildAnswer {
      if (running !== null) return standing();
      const own: { progress: BuildProgress | null } = { progress: null };
      running = own;
      void scope.run('counting records', async ({ signal }) => {
        try {
          await build(signal, (progress) => {
            own.progress = progress;
          });
          last = 'built';
        } catch (error) {
          last = 'failed';
          if (!signal.aborted) onError(error);
        } finally {
          running = null;
        }
      });
      return standing();
    },
  };
}

export type RecordBuild = ReturnType<typeof openRecordBuild>;
