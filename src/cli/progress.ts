import cliProgress from 'cli-progress';

/** How far a long piece of work has come: a moving bar on a terminal, a line now and then elsewhere. */
export interface Progress {
  /** @param detail a few words on what is being done */
  update(done: number, total: number, detail: string): void;
  /** Says what is waited for while nothing can be counted. */
  waitFor(what: string): void;
  end(): void;
}

/** Without a terminal a line is printed this often, also where nothing has advanced. */
const LINE_EVERY_MS = 5_000;

export function showProgress(title: string): Progress {
  return process.stderr.isTTY ? movingBar(title) : plainLines(title);
}

function movingBar(title: string): Progress {
  const bar = new cliProgress.SingleBar({
    // The time goes on also where nothing else does.
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
  const began = performance.now();
  const beat = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    console.error(`${title}: ${percent}% ${detail} (${seconds} s)`);
  }, LINE_EVERY_MS).unref();
  return {
    update(done, total, what) {
      percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      detail = what;
    },
    waitFor(what) {
      detail = what;
    },
    end() {
      clearInterval(beat);
    },
  };
}
