import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enterSession, entryTables } from '../../../../src/analysis/backtest/first-touch.ts';
import { walkCells } from '../../../../src/analysis/backtest/grid-walk.ts';
import { metricsOf } from '../../../../src/analysis/backtest/metrics.ts';
import { FIGURE_COUNT, FIGURES } from '../../../../src/analysis/backtest/partial.ts';
import { mirrored, type SessionColumns } from '../../../../src/analysis/backtest/session-columns.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { walkDay } from './made-up-market.ts';
import { type Costs, expectMetrics, slowMetrics, slowTrades } from './slow-walk.ts';

interface Grid extends Costs {
  readonly stops: readonly number[];
  readonly targets: readonly number[];
}

const FREE: Costs = { commissionPerShare: 0, slippageBps: 0 };

/** Figures of both directions and the session's R, cell by cell. */
function walked(day: SessionColumns, sides: Int8Array, grid: Grid) {
  const cells = grid.stops.length * grid.targets.length;
  const tables = entryTables(grid);
  const shorts = mirrored(day);
  enterSession(sides, day, shorts, { ...grid }, tables);
  const figures = [0, 1].map(() => new Float64Array(cells * FIGURE_COUNT));
  const dayR = [0, 1].map(() => new Float64Array(cells));
  const inverse = Float64Array.from(grid.stops, (stop) => 1 / stop);
  const rows = (side: number) => ({ figures: figures[side]!, figuresFrom: 0, dayR: dayR[side]!, dayFrom: 0 });
  walkCells(tables, inverse, new Int32Array(cells), rows(0), rows(1));
  return { figures, dayR };
}

/** One cell: trades, R and ambiguous trades of longs and shorts. */
function cellOf(day: SessionColumns, sides: readonly number[], grid: Grid, cell = 0) {
  const { figures, dayR } = walked(day, Int8Array.from(sides), grid);
  const at = (side: number, figure: number): number => figures[side]![cell * FIGURE_COUNT + figure]!;
  const trades = (side: number): number => at(side, FIGURES.wins) + at(side, FIGURES.losses);
  return {
    longs: trades(0),
    shorts: trades(1),
    longR: dayR[0]![cell]!,
    shortR: dayR[1]![cell]!,
    ambiguous: at(0, FIGURES.ambiguous) + at(1, FIGURES.ambiguous),
  };
}

const cell = (stop: number, target: number, costs = FREE): Grid => ({
  stops: [stop],
  targets: [target],
  ...costs,
});

describe('one trade by hand', () => {
  // Open, high, low, close; the daily ATR is 1 dollar, so a stop of 0.5 is 50 cents.
  const flat = [100, 100.1, 99.9, 100] as const;

  it('enters at the next open and leaves at the target', () => {
    // Long at 100.10, target 1 at 101.10, reached in the third bar: 1.00 over a risk of 0.50.
    const day = walkDay([flat, [100.1, 100.4, 100, 100.3], [100.3, 101.2, 100.2, 101], flat]);
    expect(cellOf(day, [1, 0, 0, 0], cell(0.5, 1))).toMatchObject({ longs: 1, shorts: 0, ambiguous: 0 });
    expect(cellOf(day, [1, 0, 0, 0], cell(0.5, 1)).longR).toBeCloseTo(2, 12);
  });

  it('is stopped by the bar of the entry itself', () => {
    const day = walkDay([flat, [100, 100.2, 99.4, 100.1], flat]);
    expect(cellOf(day, [1, 0, 0], cell(0.5, 1)).longR).toBeCloseTo(-1, 12);
  });

  it('touches a level when it trades at it, and not a cent before', () => {
    const at = walkDay([flat, flat, [100, 100, 99.5, 99.6], flat]);
    const before = walkDay([flat, flat, [100, 100, 99.51, 99.6], flat]);
    expect(cellOf(at, [1, 0, 0, 0], cell(0.5, 1)).longR).toBe(-1);
    // Out at the last close, 100: nothing won, nothing lost.
    expect(cellOf(before, [1, 0, 0, 0], cell(0.5, 1)).longR).toBe(0);
  });

  it('fills a stop at the open of a bar that opens beyond it, and a target at its better open', () => {
    const down = walkDay([flat, flat, [99.2, 99.3, 99, 99.1], flat]);
    const up = walkDay([flat, flat, [101.5, 101.6, 101.4, 101.5], flat]);
    expect(cellOf(down, [1, 0, 0, 0], cell(0.5, 1)).longR).toBeCloseTo(-1.6, 12);
    expect(cellOf(up, [1, 0, 0, 0], cell(0.5, 1)).longR).toBeCloseTo(3, 12);
  });

  it('counts a bar that touches both as the stop, and as ambiguous', () => {
    const day = walkDay([flat, flat, [100, 101, 99.5, 100.8], flat]);
    expect(cellOf(day, [1, 0, 0, 0], cell(0.5, 1))).toMatchObject({ longR: -1, ambiguous: 1 });
    expect(cellOf(day, [1, 0, 0, 0], cell(0.5, 1.01))).toMatchObject({ longR: -1, ambiguous: 0 });
    expect(cellOf(day, [1, 0, 0, 0], cell(0.51, 1))).toMatchObject({ ambiguous: 0 });
  });

  it('leaves at the last close', () => {
    const day = walkDay([flat, [100, 100.3, 99.9, 100.2], [100.2, 100.3, 100.1, 100.25]]);
    expect(cellOf(day, [1, 0, 0], cell(0.5, 1)).longR).toBeCloseTo(0.5, 12);
    // Entered at the open of the last bar, left at its close.
    expect(cellOf(day, [0, 1, 0], cell(0.5, 1)).longR).toBeCloseTo(0.1, 12);
    expect(cellOf(day, [0, 0, 1], cell(0.5, 1)).longs).toBe(0);
  });

  it('sells short with everything the other way round', () => {
    const day = walkDay([flat, flat, [100, 100.2, 99, 99.1], flat]);
    expect(cellOf(day, [-1, 0, 0, 0], cell(0.5, 1))).toMatchObject({ shorts: 1, longs: 0, shortR: 2 });
    const gap = walkDay([flat, flat, [100.8, 101, 100.7, 100.9], flat]);
    expect(cellOf(gap, [-1, 0, 0, 0], cell(0.5, 1)).shortR).toBeCloseTo(-1.6, 12);
  });

  it('takes one position at a time: a signal up to the bar of the exit is not taken', () => {
    const target = [100, 101, 99.9, 100] as const;
    const day = walkDay([flat, flat, target, flat, flat, flat]);
    const longs = (sides: number[]): number => cellOf(day, sides, cell(0.5, 1)).longs;
    expect(longs([1, 1, 0, 0, 0, 0])).toBe(1);
    expect(longs([1, 0, 1, 0, 0, 0])).toBe(1);
    expect(longs([1, 0, 0, 1, 0, 0])).toBe(2);
    // A wider target keeps the position, and the third signal out.
    expect(cellOf(day, [1, 0, 0, 1, 0, 0], cell(0.5, 2)).longs).toBe(1);
    expect(cellOf(day, [1, 0, 0, -1, 0, 0], cell(0.5, 1))).toMatchObject({ longs: 1, shorts: 1 });
  });

  it('pays commission on both sides, and slippage wherever it is not a limit order', () => {
    const costs = { commissionPerShare: 0.01, slippageBps: 5 };
    const up = walkDay([flat, flat, [100, 101, 100, 101], flat]);
    const down = walkDay([flat, flat, [100, 100, 99.5, 99.6], flat]);
    // 5 bp of 100 are 5 cents: 1.00 - 0.02 - 0.05, and -0.50 - 0.02 - 0.10, over 0.50.
    expect(cellOf(up, [1, 0, 0, 0], cell(0.5, 1, costs)).longR).toBeCloseTo(1.86, 12);
    expect(cellOf(down, [1, 0, 0, 0], cell(0.5, 1, costs)).longR).toBeCloseTo(-1.24, 12);
  });

  it('refuses more bars than a session has minutes', () => {
    const day = walkDay(Array.from({ length: 391 }, () => flat));
    expect(() => walked(day, new Int8Array(391), cell(1, 1))).toThrow(RangeError);
  });
});

/** Bars on a coarse grid, where touches, gaps and bars that reach both levels happen all the time. */
const session = fc
  .array(
    fc.record({
      gap: wholeBetween(-3, 3),
      move: wholeBetween(-4, 4),
      over: wholeBetween(0, 3),
      under: wholeBetween(0, 3),
      side: fc.constantFrom(0, 0, 0, 1, -1),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let price = 800;
    const rows = steps.map(({ gap, move, over, under }) => {
      const open = price + gap;
      price = open + move;
      return [
        open / 8,
        (Math.max(open, price) + over) / 8,
        (Math.min(open, price) - under) / 8,
        price / 8,
      ] as const;
    });
    return { day: walkDay(rows), sides: Int8Array.from(steps, ({ side }) => side) };
  });

const rowsOf = ({ open, high, low, close }: SessionColumns) =>
  Array.from(open, (_, at) => [open[at]!, high[at]!, low[at]!, close[at]!] as const);

const multipliers = fc
  .uniqueArray(wholeBetween(1, 24), { minLength: 1, maxLength: 6 })
  .map((eighths) => eighths.sort((one, other) => one - other).map((eighth) => eighth / 8));
const costs = fc.constantFrom(FREE, { commissionPerShare: 0.03, slippageBps: 7 });
const grid = fc
  .record({ stops: multipliers, targets: multipliers, costs })
  .map(({ stops, targets, costs: paid }): Grid => ({ stops, targets, ...paid }));

const cellsOf = ({ stops, targets }: Grid) =>
  stops.flatMap((stop, row) =>
    targets.map((target, column) => ({ stop, target, cell: row * targets.length + column })),
  );

describe('the grid walk', () => {
  it('agrees with the slow walk in every cell and every figure', () => {
    forAll([session, grid], { numRuns: 400 }, ({ day, sides }, asked) => {
      const { figures, dayR } = walked(day, sides, asked);
      for (const { stop, target, cell: at } of cellsOf(asked)) {
        const trades = slowTrades(day, sides, day.dailyAtr, stop, target, asked);
        for (const side of [0, 1]) {
          const expected = slowMetrics([trades.filter(({ long }) => long === (side === 0))]);
          const found = metricsOf(dayR[side]!.subarray(at, at + 1), figures[side]!, at * FIGURE_COUNT);
          expectMetrics(found, expected);
        }
      }
    });
  });

  it('mirrors: prices upside down and sides exchanged swap longs and shorts', () => {
    forAll([session, grid], { numRuns: 200 }, ({ day, sides }, asked) => {
      const free = { ...asked, ...FREE };
      const turned = walkDay(rowsOf(day).map(([o, h, l, c]) => [250 - o, 250 - l, 250 - h, 250 - c]));
      const up = walked(day, sides, free);
      const down = walked(
        turned,
        sides.map((side) => -side),
        free,
      );
      expect(down.figures).toEqual([up.figures[1], up.figures[0]]);
      expect(down.dayR).toEqual([up.dayR[1], up.dayR[0]]);
    });
  });

  it('knows nothing of the bars after an exit', () => {
    forAll([session, multipliers, multipliers], { numRuns: 200 }, ({ day, sides }, stops, targets) => {
      const asked = { stops: [stops[0]!], targets: [targets[0]!], ...FREE };
      const first = sides.findIndex((side) => side !== 0);
      const [trade] = slowTrades(day, sides, 1, stops[0]!, targets[0]!, FREE);
      fc.pre(trade !== undefined && trade.exitBar < sides.length - 1);
      const only = sides.map((side, bar) => (bar === first ? side : 0));
      const other = walkDay(rowsOf(day).map((row, at) => (at > trade!.exitBar ? [7, 900, 1, 33] : row)));
      expect(walked(other, only, asked)).toEqual(walked(day, only, asked));
    });
  });

  it('never wins more often with a wider target, at the same stop and from the same entry', () => {
    forAll([session, grid], { numRuns: 200 }, ({ day, sides }, asked) => {
      // One entry: with more of them a wider target also changes which entries are taken.
      const first = sides.findIndex((side) => side !== 0);
      const only = sides.map((side, bar) => (bar === first ? side : 0));
      const { figures } = walked(day, only, { ...asked, ...FREE });
      const atTarget = (at: number): number =>
        figures[0]![at * FIGURE_COUNT + FIGURES.wins]! + figures[1]![at * FIGURE_COUNT + FIGURES.wins]!;
      for (const { cell: at } of cellsOf(asked)) {
        if (at % asked.targets.length === 0) continue;
        expect(atTarget(at)).toBeLessThanOrEqual(atTarget(at - 1));
      }
    });
  });

  it('is never helped by costs', () => {
    forAll(
      [session, grid, fc.nat(20), fc.nat(30)],
      { numRuns: 200 },
      ({ day, sides }, asked, cents, slippageBps) => {
        const paid = { ...asked, commissionPerShare: asked.commissionPerShare + cents / 100 };
        const more = { ...paid, slippageBps: asked.slippageBps + slippageBps };
        const before = walked(day, sides, asked);
        const after = walked(day, sides, more);
        for (const { cell: at } of cellsOf(asked)) {
          for (const side of [0, 1]) {
            const [cheap, dear] = [before, after].map(({ figures, dayR }) =>
              metricsOf(dayR[side]!.subarray(at, at + 1), figures[side]!, at * FIGURE_COUNT),
            );
            assert.equal(dear!.totalTrades, cheap!.totalTrades);
            assert(dear!.totalR <= cheap!.totalR + 1e-12);
            assert((dear!.winRate ?? 0) <= (cheap!.winRate ?? 0));
            assert((dear!.maxDrawdown ?? 0) >= (cheap!.maxDrawdown ?? 0) - 1e-12);
            if (cheap!.profitFactor !== null) {
              assert(dear!.profitFactor! <= cheap!.profitFactor + 1e-12);
            }
          }
        }
      },
    );
  });
});
