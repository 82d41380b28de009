import type { RunCell, Trade } from '../shared/api/queries.ts';
import { formatNumber } from '../shared/ui/number.tsx';

/** Most bins of a histogram of R. */
const BINS_MAX = 24;
const WIDTHS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly trades: number;
}

/** Number of the bin that a value lies in, by edges that are multiples of the width. */
function binOf(value: number, width: number): number {
  const near = Math.floor(value / width);
  // A quotient may be off by a rounding.
  if ((near + 1) * width <= value) return near + 1;
  return near * width > value ? near - 1 : near;
}

/** Trades by R in bins of one width, from the worst to the best. */
export function binsOfR(all: readonly number[]): Bin[] {
  if (all.length === 0) return [];
  // A stop is −1 R up to a rounding.
  const rs = all.map((r) => Math.round(r * 1e9) / 1e9);
  const [worst, best] = [Math.min(...rs), Math.max(...rs)];
  const width = WIDTHS.find((one) => binOf(best, one) - binOf(worst, one) < BINS_MAX) ?? 50;
  const first = binOf(worst, width);
  const count = binOf(best, width) - first + 1;
  const bins = Array.from({ length: count }, (_, at) => ({
    from: (first + at) * width,
    to: (first + at + 1) * width,
    trades: 0,
  }));
  for (const r of rs) bins[binOf(r, width) - first]!.trades++;
  return bins;
}

/** Which targets have equal figures with every stop, and why; null where none have. */
export function equalWords(cells: readonly RunCell[]): string | null {
  const targets = [...new Set(cells.map(({ parameter_set }) => parameter_set.target_atr))].sort(
    (a, b) => a - b,
  );
  const figures = (target: number): string =>
    JSON.stringify(
      cells
        .filter(({ parameter_set }) => parameter_set.target_atr === target)
        .map(({ parameter_set: _, ...own }) => own),
    );
  if (!cells.some(({ total_trades }) => total_trades > 0)) return null;
  const equal = targets
    .map((target) => targets.filter((other) => figures(other) === figures(target)))
    .find(({ length }) => length > 1);
  if (equal === undefined) return null;
  const list = `${equal.slice(0, -1).join(', ')} and ${equal.at(-1)}`;
  return `Targets ${list} ATR have equal figures: no trade reached ${equal[0]} ATR, so each ended at its stop or at the close.`;
}

/** Of a list of trades: `12 stopped, 5 at the target, 3 at the close; 1 ambiguous bar`. */
export function exitWords(trades: readonly Pick<Trade, 'exit_reason' | 'ambiguous'>[]): string {
  const count = (reason: Trade['exit_reason']): number =>
    trades.filter(({ exit_reason }) => exit_reason === reason).length;
  const ambiguous = trades.filter((trade) => trade.ambiguous).length;
  const bars = ambiguous === 1 ? '1 ambiguous bar' : `${formatNumber(ambiguous, 0)} ambiguous bars`;
  return `${count('stop')} stopped, ${count('target')} at the target, ${count('close')} at the close${ambiguous === 0 ? '' : `; ${bars}`}`;
}
