import { type CodedError, isCoded } from '../base/errors.ts';
import { ANSWER_BUCKETS_S, type Labels, type Metrics } from '../base/metrics.ts';
import { stopwatch } from '../base/timers.ts';
import { type SpanStart, type Tracing, traced } from '../base/tracing.ts';
import type { ConnectionPool } from './connection-pool.ts';

/** Passes run statements of many seconds. */
const STATEMENT_BUCKETS_S = [...ANSWER_BUCKETS_S, 5, 10, 30, 60];

/** Refusals of the store itself; other errors of statements are defects or the caller's. */
const REASONS: ReadonlySet<string> = new Set<CodedError['code']>([
  'database_unavailable',
  'data_damaged',
  'data_directory_locked',
  'data_directory_unusable',
  'overloaded',
  'write_conflict',
]);

export function statementMeter(metrics: Metrics, tracing: Tracing) {
  const statements = metrics.histogram(
    'tigraph_database_statement_seconds',
    'Time from a statement, batch or transaction being asked for to its end, with its wait for a connection.',
    STATEMENT_BUCKETS_S,
  );
  const waits = metrics.histogram(
    'tigraph_database_wait_seconds',
    'Time that a statement, batch or transaction waited for a connection.',
    STATEMENT_BUCKETS_S,
  );
  const failures = metrics.counter(
    'tigraph_database_failures_total',
    'Statements, batches and transactions that the database refused, by reason.',
  );
  // A counter that begins with its first failure would hide it from a rate.
  for (const reason of REASONS) failures.add(0, { reason });
  return {
    /**
     * Times, counts and traces what runs.
     *
     * @param kind of a short fixed list
     */
    async timed<T>(kind: string, work: () => Promise<T>, sql?: string): Promise<T> {
      const began = stopwatch();
      try {
        return await traced(tracing, () => spanOf(kind, sql), work);
      } catch (error) {
        if (isCoded(error) && REASONS.has(error.code)) failures.add(1, { reason: error.code });
        throw error;
      } finally {
        statements.observe((stopwatch() - began) / 1000, { kind });
      }
    },
    waited(pool: string): (waitedMs: number) => void {
      const labels: Labels = { pool };
      return (waitedMs) => waits.observe(waitedMs / 1000, labels);
    },
  };
}

export function watchPools(
  metrics: Metrics,
  size: number,
  pools: Readonly<Record<string, ConnectionPool>>,
): void {
  const watch = (
    name: string,
    help: string,
    read: (figures: ReturnType<ConnectionPool['figures']>) => number,
  ): void =>
    metrics.gauge(name, help, () =>
      Object.entries(pools).map(([pool, { figures }]) => ({ labels: { pool }, value: read(figures()) })),
    );
  watch('tigraph_database_connections_max', 'Connections that a pool may open.', () => size);
  watch('tigraph_database_connections', 'Open connections to the database.', ({ open }) => open);
  watch(
    'tigraph_database_connections_in_use',
    'Connections that run a statement, batch or transaction.',
    ({ inUse }) => inUse,
  );
  watch(
    'tigraph_database_waiting',
    'Statements, batches and transactions that wait for a connection.',
    ({ waiting }) => waiting,
  );
}

const KINDS: ReadonlySet<string> = new Set(['select', 'insert', 'update', 'delete']);

/** What a statement does, by its first word; `with` counts as select. */
export function kindOf(sql: string): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (word === 'with') return 'select';
  return KINDS.has(word) ? word : 'other';
}

/** Names the statement by kind and first table. Neither text nor parameters leave the process. */
function spanOf(kind: string, sql = ''): SpanStart {
  const table = /\b(?:from|into|update)\s+([a-z_]+)/i.exec(sql)?.[1];
  return {
    name: table === undefined ? kind : `${kind} ${table}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': kind },
  };
}
