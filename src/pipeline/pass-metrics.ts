import type { Metrics } from '../base/metrics.ts';
import { realTimers, stopwatch } from '../base/timers.ts';
import { type Tracing, traced } from '../base/tracing.ts';

/** Passes take from a tenth of a second to hours. */
const PASS_BUCKETS_S = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];

/** What a pass did, counted in stock-days, histories, claims or texts. */
export type PassCounts = Readonly<
  Partial<Record<'derived' | 'written' | 'unchanged' | 'missing' | 'failed', number>>
>;

export interface PassWatching {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/**
 * Times and traces the passes of a process and counts what they did.
 *
 * @param pass name of the pass, of a short fixed list
 */
export function passMeter(
  { metrics, tracing }: PassWatching,
  pass: string,
): <Report>(work: () => Promise<Report>, countsOf: (report: Report) => PassCounts) => Promise<Report> {
  const durations = metrics.histogram(
    'tigraph_pass_duration_seconds',
    'Time that a pass took.',
    PASS_BUCKETS_S,
  );
  const items = metrics.counter(
    'tigraph_pass_items_total',
    'What passes did, by outcome: stock-days of graph, histories of states, claims of records, texts of texts.',
  );
  const failures = metrics.counter(
    'tigraph_pass_failures_total',
    'Passes that ended with an error; the next one tries again.',
  );
  let succeededAt: number | null = null;
  let running = 0;
  metrics.gauge(
    'tigraph_pass_last_success_timestamp_seconds',
    'When a pass last ended without an error.',
    () => (succeededAt === null ? [] : [{ labels: { pass }, value: succeededAt / 1000 }]),
  );
  metrics.gauge('tigraph_pass_running', 'Whether a pass runs.', () => [{ labels: { pass }, value: running }]);
  failures.add(0, { pass });
  return async (work, countsOf) => {
    const began = stopwatch();
    running++;
    try {
      const report = await traced(tracing, () => ({ name: `pass ${pass}` }), work);
      for (const [outcome, count] of Object.entries(countsOf(report))) items.add(count, { pass, outcome });
      succeededAt = realTimers.now();
      return report;
    } catch (error) {
      failures.add(1, { pass });
      throw error;
    } finally {
      running--;
      durations.observe((stopwatch() - began) / 1000, { pass });
    }
  };
}
