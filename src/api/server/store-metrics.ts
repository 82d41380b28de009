import type { Metrics, Sample } from '../../base/metrics.ts';
import type { Timers } from '../../base/timers.ts';
import type { AppContext } from '../context/app-context.ts';
import { type OperatorStatus, readOperatorStatus } from '../status/get-status.ts';

/** The statements read the whole manifest. After a failure the next reading tries again. */
const STATUS_KEPT_MS = 60_000;
const READ_WITHIN_MS = 5_000;

/** How fresh the data is and how much of it there is, read at most once a minute. */
export function watchStore(
  metrics: Metrics,
  context: Pick<AppContext, 'scope' | 'calendar' | 'clock' | 'database' | 'symbols'>,
): void {
  const status = keptReading(context.scope.timers, STATUS_KEPT_MS, (signal) =>
    readOperatorStatus(context, signal),
  );
  const gauge = (name: string, help: string, figure: (status: OperatorStatus) => number | Sample[]): void =>
    metrics.gauge(name, help, async () => {
      const read = await status();
      return read === null ? [] : figure(read);
    });

  metrics.gauge('tigraph_database_up', 'Whether the database answered the last reading.', async () =>
    (await status()) === null ? 0 : 1,
  );
  gauge(
    'tigraph_feed_age_seconds',
    'Age of the newest row of a feed; it grows while the market is closed.',
    ({ feeds }) =>
      feeds.flatMap(({ feed, age_seconds: age }) => (age === null ? [] : { labels: { feed }, value: age })),
  );
  gauge(
    'tigraph_feed_promised_seconds',
    'Age that a feed may have during the regular session.',
    ({ feeds }) => feeds.map(({ feed, promised_seconds: value }) => ({ labels: { feed }, value })),
  );
  gauge(
    'tigraph_feed_late',
    'Whether a feed is older than promised during the regular session.',
    ({ feeds }) => feeds.map(({ feed, state }) => ({ labels: { feed }, value: Number(state === 'late') })),
  );
  gauge('tigraph_tape_files', 'Segment files of a series on the tape.', ({ tape }) =>
    tape.map(({ series, files: value }) => ({ labels: { series }, value })),
  );
  gauge('tigraph_tape_bytes', 'Bytes of the segment files of a series on the tape.', ({ tape }) =>
    tape.map(({ series, bytes: value }) => ({ labels: { series }, value })),
  );
  gauge(
    'tigraph_facts_behind_seconds',
    'Time since the oldest change of the tape that no pass has derived; else 0.',
    ({ waiting }) => waiting.factsBehindSeconds,
  );
  gauge(
    'tigraph_facts_waiting_symbols',
    'Symbols with new data that no pass has derived.',
    ({ waiting }) => waiting.symbols,
  );
  gauge('tigraph_backtest_runs', 'Optimisation runs that wait or run.', ({ waiting }) => [
    { labels: { status: 'pending' }, value: waiting.pendingRuns },
    { labels: { status: 'running' }, value: waiting.runningRuns },
  ]);
}

/** One reading for all metrics that come from it; null where it failed. */
export function keptReading<T>(
  { monotonic }: Timers,
  keptMs: number,
  read: (signal: AbortSignal) => Promise<T>,
): () => Promise<T | null> {
  let readAt = Number.NEGATIVE_INFINITY;
  let kept: Promise<T | null> = Promise.resolve(null);
  return () => {
    if (monotonic() - readAt < keptMs) return kept;
    readAt = monotonic();
    kept = read(AbortSignal.timeout(READ_WITHIN_MS)).catch(() => {
      readAt = Number.NEGATIVE_INFINITY;
      return null;
    });
    return kept;
  };
}
