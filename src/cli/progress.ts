import cliProgress from 'cli-progress';
import { realTimers, stopwatch } from '../base/timers.ts';

/** Progress of long work: a bar on a terminal, else a line every few seconds. */
export interface Progress {
  /** `detail` is the present step. */
  update(step: { readonly done: number; readonly total: number; readonly detail: string }): void;
  /** Names a step whose progress cannot be counted. */
  waitFor(what: string): void;
}

type Shown = Progress & { end(): void };

/** Interval of lines without a terminal, also without progress. */
const LINE_EVERY_MS = 5_000;

/** Shows the progress of work until it ends. */
export async function withProgress<T>(title: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = process.stderr.isTTY ? movingBar(title) : plainLines(title);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

function movingBar(title: string): Shown {
  const bar = new cliProgress.SingleBar({
    // The time advances even without progress.
    format: `${title} {bar} {percentage}% {detail} ({duration_formatted})`,
    formatBar: cliProgress.Format.BarFormat,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
    stream: process.stderr,
    etaBuffer: 50,
  });
  let started = false;
  const start = (total: number): void => {
    if (!started) bar.start(total, 0, { detail: '' });
    started = true;
  };
  return {
    update({ done, total, detail }) {
      start(total);
      bar.setTotal(total);
      bar.update(done, { detail });
    },
    waitFor(what) {
      start(1);
      bar.update({ detail: what });
    },
    end() {
      if (started) bar.stop();
    },
  };
}

function plainLines(title: string): Shown {
  let percent = 0;
  let detail = '';
  const began = stopwatch();
  const endLines = realTimers.every(LINE_EVERY_MS, () => {
    const seconds = Math.round((stopwatch() - began) / 1000);
    console.error(`${title}: ${percent}% ${detail} (${seconds} s)`);
  });
  return {
    update(step) {
      percent = step.total === 0 ? 100 : Math.floor((step.done / step.total) * 100);
      detail = step.detail;
    },
    waitFor(what) {
      detail = what;
    },
    end: endLines,
  };
}
