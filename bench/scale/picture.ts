import { line, picture, text, WIDTH } from '../../src/cli/svg.ts';
import { minuteMs } from './model.ts';

const TITLE = 'A minute of the live feed, from the first part handed out to the last stored';
const HEIGHT = 420;
const PLOT = { left: 76, right: 150, top: 64, bottom: 52 };
const INK = { text: '#24292f', faint: '#d0d7de', limit: '#b3541e', line: '#4878a8' };
const SYMBOLS = [1_000, 2_000, 5_000, 11_000, 20_000, 50_000, 100_000] as const;
const SECONDS = [0.05, 0.2, 1, 5, 20, 60, 200] as const;
/** Workers of four threads each. */
const WORKERS = [1, 2, 4, 8, 16] as const;
const THREADS = 4;
const PARTS = 64;

/** Time of a live minute by symbols, for several desks, with what a minute may take. */
export function drawMinutes(stockMinuteMs: number): string {
  const x = logarithmic(SYMBOLS[0], SYMBOLS.at(-1)!, PLOT.left, WIDTH - PLOT.right);
  const y = logarithmic(SECONDS[0], SECONDS.at(-1)!, HEIGHT - PLOT.bottom, PLOT.top);
  const end = WIDTH - PLOT.right;
  const secondsOf = (symbols: number, workers: number): number =>
    minuteMs({
      parts: PARTS,
      workers,
      threads: THREADS,
      partMs: (stockMinuteMs * symbols) / PARTS,
      partSpread: Math.sqrt(PARTS / symbols),
      placement: 'equal',
    }) / 1_000;
  return picture(`${HEIGHT}`, INK.text, [
    `<title>${TITLE}</title>`,
    text(PLOT.left, 28, TITLE, 'font-size="16"'),
    text(
      PLOT.left,
      48,
      `model; ${stockMinuteMs} ms of a thread for each stock, 64 parts, workers of ${THREADS} threads`,
    ),
    ...SYMBOLS.map((symbols) =>
      text(x(symbols), HEIGHT - PLOT.bottom + 18, symbols.toLocaleString('en-US'), 'text-anchor="middle"'),
    ),
    text((PLOT.left + end) / 2, HEIGHT - 12, 'live symbols', 'text-anchor="middle"'),
    ...SECONDS.flatMap((seconds) => [
      line(PLOT.left, y(seconds), end, y(seconds), `stroke="${INK.faint}"`),
      text(PLOT.left - 8, y(seconds) + 4, `${seconds} s`, 'text-anchor="end"'),
    ]),
    ...[5, 60].map((seconds) =>
      line(PLOT.left, y(seconds), end, y(seconds), `stroke="${INK.limit}" stroke-dasharray="6 4"`),
    ),
    ...WORKERS.flatMap((workers) => {
      const points = SYMBOLS.map((symbols) => [x(symbols), y(secondsOf(symbols, workers))] as const);
      const lines = points.slice(1).map(([toX, toY], at) => {
        const [fromX, fromY] = points[at]!;
        return line(fromX, fromY, toX, toY, `stroke="${INK.line}" stroke-width="2"`);
      });
      const name = workers === 1 ? '1 worker' : `${workers} workers`;
      return [...lines, text(end + 8, points.at(-1)![1] + 4, name)];
    }),
  ]);
}

/** A place for each value from `low` to `high`, evenly by their logarithms. */
const logarithmic =
  (low: number, high: number, from: number, to: number) =>
  (value: number): number =>
    from + (Math.log(value / low) / Math.log(high / low)) * (to - from);
