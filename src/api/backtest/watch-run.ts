import type { Writable } from 'node:stream';
import { CodedError } from '../../base/errors.ts';
import type { Caller } from '../access/viewer.ts';
import { closeFrame, HEARTBEAT, retryFrame } from '../stream/frames.ts';
import type { OpenStream } from '../stream/watch-stocks.ts';
import type { AppContext } from '../app-context.ts';
import { getRun } from './get-run.ts';
import { onRunChange, type RunStatus, readRunStatus } from './run-rows.ts';
import { isOver } from './run-states.ts';

export interface RunWatchLimits {
  /** Readers of this process at a time. */
  readonly readersMax: number;
  /** Between signs of life. */
  readonly heartbeatMs: number;
  readonly retryMs: number;
}

const LIMITS: RunWatchLimits = { readersMax: 200, heartbeatMs: 15_000, retryMs: 3_000 };

/** What tells how far runs have come to everybody who watches: one for each process. */
export interface RunWatch {
  /**
   * Begins a stream of a run: `progress` now and whenever it has come further, then one event named as the state in
   * which it is over, and the end.
   *
   * @param accept called once nothing can be refused any more; null when the reader has gone
   * @throws CodedError overloaded, shutting_down, unknown_run, symbol_not_granted
   */
  open(id: string, caller: Caller, accept: () => Writable | null): Promise<OpenStream | null>;
  /** Says goodbye to every reader. */
  close(): void;
}

/** One reader of a run. */
interface RunReader {
  readonly id: string;
  readonly sink: Writable;
  /** What it was told last. */
  told: string;
}

export async function watchRuns(
  context: Pick<AppContext, 'database'>,
  options: Partial<RunWatchLimits> = {},
  onError: (error: unknown) => void = () => {},
): Promise<RunWatch> {
  const limits = { ...LIMITS, ...options };
  const readers = new Set<RunReader>();
  let openings = 0;
  let isClosed = false;

  const look = (id: string): Promise<void> =>
    readRunStatus(context.database, id).then((runStatus) => {
      for (const reader of readers) if (reader.id === id) tell(reader, runStatus);
    });
  const stopListening = await onRunChange(
    context.database,
    (id) => {
      if (readers.values().some((reader) => reader.id === id)) look(id).catch(onError);
    },
    () => {
      for (const id of new Set(readers.values().map((reader) => reader.id))) look(id).catch(onError);
    },
  );
  const beating = setInterval(() => {
    for (const { sink } of readers) sink.write(HEARTBEAT);
  }, limits.heartbeatMs).unref();

  return {
    async open(id, caller, accept) {
      if (isClosed) throw new CodedError('shutting_down');
      if (readers.size + openings >= limits.readersMax) {
        throw new CodedError(
          'overloaded',
          `This service keeps ${limits.readersMax} streams of runs at a time`,
        );
      }
      openings++;
      try {
        const run = await getRun(context, id, caller);
        const sink = isClosed ? null : accept();
        if (sink === null || sink.destroyed) return null;
        const reader: RunReader = { id: run.id, sink, told: '' };
        readers.add(reader);
        sink.on('close', () => readers.delete(reader));
        // What the connection breaks with is of no concern: it is closed after it.
        sink.on('error', () => {});
        sink.write(retryFrame(limits.retryMs));
        tell(reader, run);
        // What changed while the run was read is not announced again.
        await look(run.id);
        return { refuse: (code, detail) => end(reader, closeFrame('unauthorized', code, detail)) };
      } finally {
        openings--;
      }
    },
    close() {
      isClosed = true;
      stopListening();
      clearInterval(beating);
      const farewell = closeFrame(
        'closing',
        'shutting_down',
        'The service is closing; come back in a moment',
      );
      for (const reader of readers) end(reader, farewell);
    },
  };

  function tell(reader: RunReader, runStatus: RunStatus | null): void {
    // A run that was forgotten meanwhile has been over for a month.
    if (runStatus === null) {
      end(reader, null);
      return;
    }
    const frame = statusFrame(runStatus);
    if (frame === reader.told || reader.sink.writableEnded) return;
    reader.told = frame;
    if (isOver(runStatus.status)) end(reader, frame);
    else reader.sink.write(frame);
  }

  function end({ sink }: RunReader, lastWords: Buffer | string | null): void {
    if (!sink.writableEnded) sink.end(lastWords ?? undefined);
  }
}

function statusFrame({ id, status, progress_pct, error_message }: RunStatus): string {
  const data = JSON.stringify({ id, status, progress_pct, error_message });
  return `event: ${isOver(status) ? status : 'progress'}\ndata: ${data}\n\n`;
}
