import type { Writable } from 'node:stream';
import { onRunChange, type RunStatus, readRunStatus } from '../../backtests/run-rows.ts';
import { hasEnded } from '../../backtests/run-states.ts';
import { CodedError } from '../../base/errors.ts';
import type { Caller } from '../access/viewer.ts';
import type { OpenStream } from '../answers/open-stream.ts';
import type { AppContext } from '../context/app-context.ts';
import { CLOSING_FRAME, closeFrame, HEARTBEAT, retryFrame } from '../stream/frames.ts';
import { getRun } from './get-run.ts';

export interface RunWatchLimits {
  readonly readersMax: number;
  readonly heartbeatMs: number;
  readonly retryMs: number;
}

const LIMITS: RunWatchLimits = { readersMax: 200, heartbeatMs: 15_000, retryMs: 3_000 };

/** The streams of runs of a process. */
export type RunWatch = Awaited<ReturnType<typeof watchRuns>>;

interface RunReader {
  readonly id: string;
  readonly sink: Writable;
  sent: string;
}

export async function watchRuns(
  context: Pick<AppContext, 'database' | 'scope'>,
  options: Partial<RunWatchLimits> = {},
  onError: (error: unknown) => void = () => {},
) {
  const limits = { ...LIMITS, ...options };
  const scope = context.scope.child('streams of runs');
  const readers = new Set<RunReader>();
  let openings = 0;
  let isClosed = false;

  const refresh = (id: string): Promise<void> =>
    scope.run(`reading run ${id}`, async () => {
      const runStatus = await readRunStatus(context.database, id);
      for (const reader of readers) if (reader.id === id) send(reader, runStatus);
    });
  const stopListening = await onRunChange(
    context.database,
    (id) => {
      if (readers.values().some((reader) => reader.id === id)) refresh(id).catch(onError);
    },
    () => {
      for (const id of new Set(readers.values().map((reader) => reader.id))) refresh(id).catch(onError);
    },
  );
  scope.every(limits.heartbeatMs, 'heartbeats of streams of runs', async () => {
    for (const { sink } of readers) sink.write(HEARTBEAT);
  });

  return {
    /**
     * Begins a stream of a run: `progress` at once and after each change, then one event named as its final state.
     *
     * @param accept begins the answer once nothing can be refused; null if the reader has disconnected
     * @throws CodedError overloaded, shutting_down, unknown_run, symbol_not_granted
     */
    async open(id: string, caller: Caller, accept: () => Writable | null): Promise<OpenStream | null> {
      if (isClosed) throw new CodedError('shutting_down');
      if (readers.size + openings >= limits.readersMax) {
        const sentence = `This service keeps ${limits.readersMax} streams of runs at a time`;
        throw new CodedError('overloaded', sentence);
      }
      openings++;
      try {
        const run = await getRun(context, id, caller);
        const sink = isClosed ? null : accept();
        if (sink === null || sink.destroyed) return null;
        const reader: RunReader = { id: run.id, sink, sent: '' };
        readers.add(reader);
        sink.on('close', () => readers.delete(reader));
        // `close` follows.
        sink.on('error', () => {});
        sink.write(retryFrame(limits.retryMs));
        send(reader, run);
        // A change during the read is not announced again.
        await refresh(run.id);
        return { refuse: (code, detail) => end(reader, closeFrame('unauthorized', code, detail)) };
      } finally {
        openings--;
      }
    },
    close(): Promise<void> {
      isClosed = true;
      stopListening();
      for (const reader of readers) end(reader, CLOSING_FRAME);
      return scope.close();
    },
  };

  function send(reader: RunReader, runStatus: RunStatus | null): void {
    // The run was deleted.
    if (runStatus === null) {
      end(reader, null);
      return;
    }
    const frame = statusFrame(runStatus);
    if (frame === reader.sent || reader.sink.writableEnded) return;
    reader.sent = frame;
    if (hasEnded(runStatus.status)) end(reader, frame);
    else reader.sink.write(frame);
  }

  function end({ sink }: RunReader, lastFrame: Buffer | string | null): void {
    if (!sink.writableEnded) sink.end(lastFrame ?? undefined);
  }
}

function statusFrame({ id, status, progress_pct, error_message }: RunStatus): string {
  const data = JSON.stringify({ id, status, progress_pct, error_message });
  return `event: ${hasEnded(status) ? status : 'progress'}\ndata: ${data}\n\n`;
}
