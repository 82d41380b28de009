import { availableParallelism, cpus } from 'node:os';

/** One promise of speed, what was measured, and whether it was kept. */
export interface BenchLine {
  readonly promise: string;
  /** What was measured, with its unit. */
  readonly figure: string;
  /** Ours over the yardstick's, both measured in this run. */
  readonly ratio?: number;
  /** What the promise allows, e.g. `at most 0.75x`. */
  readonly target?: string;
  /** Null when it cannot be told, e.g. because the yardstick is not on this machine. */
  readonly met: boolean | null;
  readonly note?: string;
}

/** Prints the lines as one aligned table on standard output. */
export const report = (lines: readonly BenchLine[]): void => {
  const rows = [
    ['promise', 'figure', 'ratio', 'target', 'met', 'note'],
    ...lines.map(({ promise, figure, ratio, target, met, note }) => [
      promise,
      figure,
      ratio === undefined ? '-' : `${ratio.toFixed(2)}x`,
      target ?? '-',
      met === null ? '-' : met ? 'yes' : 'NO',
      note ?? '',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
};

/** The middle of a set of runs: unlike the mean it does not care how badly one of them was disturbed. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that a share of the others does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Milliseconds for a table, two digits that count. */
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

/** What the machine calls itself. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown processor'}, ${processors()}, Node ${process.version}`;

/** What the figures of this run were made on. */
export const processors = (): string => `${availableParallelism()} processors`;

/**
 * Microseconds in which this machine parses and writes a fixed text: what figures without a yardstick of their own are
 * compared by, from run to run and from machine to machine.
 */
export function machineUs(): number {
  const rows = Array.from({ length: 400 }, (_, row) => ({
    symbol: `S${row}`,
    close: row / 7,
    up: row % 2 === 0,
  }));
  const text = JSON.stringify(rows);
  return median(timed(() => JSON.stringify(JSON.parse(text)), 100, 400)) * 1000;
}

/** Milliseconds of each of `runs` calls after `warm` untimed ones. */
export function timed(work: () => void, warm: number, runs: number): number[] {
  for (let count = 0; count < warm; count++) work();
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/** Milliseconds until a call has answered. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The same of `runs` calls after `warm` that do not count, one after the other; each is told how many came before it. */
export async function timedEach(
  work: (call: number) => unknown,
  warm: number,
  runs: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < warm + runs; call++) times.push(await timeOf(() => work(call)));
  return times.slice(warm);
}
