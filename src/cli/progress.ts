import cliProgress from 'cli-progress';
import { realTimers, stopwatch } from '../base/timers.ts';

/** Progress of long work: a bar on a terminal, else a line every few seconds. */
export interface Progress {
  /** @param detail the present step */
  update(done: number, total: number, detail: string): void;
  /** Names a step whose progress cannot be counted. */
  waitFor(what: string): void;
  end(): void;
}

/** Interval of lines without a terminal, also without progress. */
const LINE_EVERY_MS = 5_000;

export function showProgress(title: string): Progress {
  return process.stderr.isTTY ? movingBar(title) : plainLines(title);
}

function movingBar(title: string): Progress {
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
    update(done, total, detail) {
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

function plainLines(title: string): Progress {
  let percent = 0;
  let detail = '';
  const began = stopwatch();
  const endLines = realTimers.every(LINE_EVERY_MS, () => {
    const seconds = Math.round((stopwatch() - began) / 1000);
    console.error(`${title}: ${percent}% ${detail} (${seconds} s)`);
  });
  return {
    update(done, total, what) {
      percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      detail = what;
    },
    waitFor(what) {
      detail = what;
    },
    end() {
      endLines();
    },
  };
}
