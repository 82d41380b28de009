import cliProgress from 'cli-progress';

/** How far a long piece of work has come: a moving bar on a terminal, a line now and then elsewhere. */
export interface Progress {
  /** @param detail a few words on what is being done */
  update(done: number, total: number, detail: string): void;
  end(): void;
}

/** Without a terminal a line is printed when this much time has passed since the last. */
const LINE_EVERY_MS = 5_000;

export function showProgress(title: string): Progress {
  return process.stderr.isTTY ? movingBar(title) : plainLines(title);
}

function movingBar(title: string): Progress {
  const bar = new cliProgress.SingleBar({
    format: `${title} {bar} {percentage}% {detail}`,
    formatBar: cliProgress.Format.BarFormat,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
    stream: process.stderr,
    etaBuffer: 50,
  });
  let started = false;
  return {
    update(done, total, detail) {
      if (!started) bar.start(total, 0, { detail: '' });
      started = true;
      bar.setTotal(total);
      bar.update(done, { detail });
    },
    end() {
      if (started) bar.stop();
    },
  };
}

function plainLines(title: string): Progress {
  let printedAt = performance.now();
  return {
    update(done, total, detail) {
      if (performance.now() - printedAt < LINE_EVERY_MS) return;
      printedAt = performance.now();
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      console.error(`${title}: ${percent}% ${detail}`);
    },
    end() {},
  };
}
