import { type Metrics, Times } from '../../base/metrics.ts';

/**
 * The histogram of answers by route and status. A hot route keeps the `Times` of its answers, which saves the look-up for
 * each.
 */
export class RequestTimes {
  readonly #times = new Map<string, Map<number, Times>>();

  constructor(metrics: Metrics) {
    metrics.histogramOf(
      'tigraph_request_duration_seconds',
      'Time from a request to the sending of its answer.',
      () =>
        [...this.#times].flatMap(([route, byStatus]) =>
          [...byStatus].flatMap(([status, times]) => times.samples({ route, status: String(status) })),
        ),
    );
  }

  /** The answers of a route with a status, which are not shown before there is one. */
  of(route: string, status: number): Times {
    return this.#times
      .getOrInsertComputed(route, () => new Map<number, Times>())
      .getOrInsertComputed(status, () => new Times());
  }
}
