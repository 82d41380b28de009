import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** One long turn must not turn callers away, a second full of them shall. */
const SAMPLE_MS = 500;

/** How late the event loop is, as its mean over the last sample. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #meanMs = 0;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#read(), SAMPLE_MS).unref();
  }

  /** Milliseconds between when a turn was due and when it came; 0 on an idle loop. */
  get meanMs(): number {
    return this.#meanMs;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #read(): void {
    // What is measured is the time from one tick to the next, which on an idle loop is the resolution. Without a tick
    // there is no mean: the loop has not been free for all of the sample.
    const { mean, count } = this.#histogram;
    this.#meanMs = count === 0 ? SAMPLE_MS : Math.max(0, mean / 1e6 - RESOLUTION_MS);
    this.#histogram.reset();
  }
}
