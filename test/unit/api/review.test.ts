import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeSoFar, type SessionBars } from '../../../src/analysis/records/level-events.ts';
import { countsSay, reviewCounts, sumOfCounts } from '../../../src/api/plan/review-counts.ts';
import { reviewOfStock, type SeenSession } from '../../../src/api/plan/review-stock.ts';
import type { PlanStock } from '../../../src/api/plan/schema.ts';
import { levelStateOf } from '../../support/level-states.ts';

const OPEN = Date.parse('2024-03-13T13:30:00Z');
const ATR = 4;

/** Bars `[open, high, low, close]`, a minute apart. */
type Row = readonly [open: number, high: number, low: number, close: number];
function barsOf(rows: readonly Row[]): SessionBars {
  const of = (place: number): Float64Array => Float64Array.from(rows, (row) => row[place]!);
  const bars = { open: of(0), high: of(1), low: of(2), close: of(3) };
  return { ...bars, minute: Int32Array.from(rows, (_, at) => at), range: rangeSoFar(bars) };
}
/** Closes a minute apart, each bar from the close before to its own. */
const walked = (...closes: number[]): Row[] =>
  closes.slice(1).map((close, at) => {
    const open = closes[at]!;
    return [open, Math.max(open, close), Math.min(open, close), close];
  });
const seen = (rows: readonly Row[], rest: Partial<SeenSession> = {}): SeenSession => ({
  open: OPEN,
  bars: barsOf(rows),
  close: rows.at(-1)![3],
  isOver: true,
  ...rest,
});
const planned = (stock: object): PlanStock =>
  ({
    symbol: 'ACME',
    price: 100,
    atr: ATR,
    above: [],
    below: [],
    setups: [],
    expected_move: null,
    ...stock,
  }) as never;
const setup = (direction: string, trigger: number, stop: number, target: number) =>
  planned({ setups: [{ strategy: 's', name: 's', direction, trigger, stop, target }] });

describe('the review of a stock', () => {
  it('says of each level what its definition says, for every path', () => {
    const closes = fc.array(fc.integer({ min: 94, max: 106 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(
        closes,
        fc.double({ min: 95, max: 105, noNaN: true }),
        fc.boolean(),
        (drawn, price, isOver) => {
          const rows = walked(...drawn);
          const level = { name: 'pdh', family: 'prior_day', price, with: [], record: null };
          const { levels } = reviewOfStock(planned({ above: [level] }), seen(rows, { isOver }));
          const bars = barsOf(rows);
          const path = rows.map(() => price);
          const told = { bars, atr: ATR, path, isFixed: true, fromMinute: 0 };
          const [state, touched, decided, holds] = levelStateOf(told, rows.length, isOver);
          const endOf = (row: number) => (row < 0 ? null : new Date(OPEN + (row + 1) * 60_000).toISOString());
          expect(levels[0]).toMatchObject({
            state,
            touched_at: endOf(touched),
            decided_at: endOf(decided),
            holds,
          });
          if (state === 'untouched') expect(levels[0]!.reach_atr).toBeNull();
        },
      ),
    );
  });

  it.each([
    ['not_triggered', 'bullish', [100, 100.5, 99], null],
    ['target', 'bullish', [100, 101, 103, 105.5], 2],
    ['stopped', 'bullish', [100, 101.2, 98.9], -1],
    ['closed', 'bullish', [100, 101.2, 102], 0.5],
    ['target', 'bearish', [100, 98.9, 97, 94.9], 2],
    ['stopped', 'bearish', [100, 98.5, 101.5], -1],
  ])('says of a setup: %s (%s)', (outcome, direction, closes, r) => {
    const side = direction === 'bullish' ? 1 : -1;
    const plan = setup(direction, 100 + side, 100 - side, 100 + 5 * side);
    const [found] = reviewOfStock(plan, seen(walked(...closes))).setups;
    expect(found).toMatchObject({ outcome, r: r === null ? null : expect.closeTo(r, 9) });
  });

  it.each<[string, Row[], object]>([
    // Entered and stopped in one bar: nobody knows which came first.
    ['stop before target in a bar that has both', [[100, 106, 98, 105]], { outcome: 'stopped', r: -1 }],
    // A gap over the trigger is entered at the open.
    [
      'the open where it jumps over the trigger',
      [
        [103, 103, 102, 103],
        [103, 105, 103, 105],
      ],
      { outcome: 'target', r: 0.5 },
    ],
    ['nothing where it opens beyond the target', [[107, 108, 106, 107]], { outcome: 'not_triggered' }],
  ])('takes %s', (_, rows, expected) => {
    expect(reviewOfStock(setup('bullish', 101, 99, 105), seen(rows)).setups[0]).toMatchObject(expected);
  });

  it('judges an expected move by the close, once there is one', () => {
    const move = { low: 98, high: 102, move: 2, move_pct: 2, from: 100 };
    const of = (close: number, isOver: boolean) =>
      reviewOfStock(planned({ expected_move: move }), seen(walked(100, 105, close), { isOver, close }))
        .expected_move;
    expect(of(101.9, true)).toMatchObject({ kept: true });
    expect(of(102.1, true)).toMatchObject({ kept: false });
    expect(of(102.1, false)).toMatchObject({ kept: null, position: expect.closeTo(1.05, 9) });
  });

  it('says why there is nothing without minutes', () => {
    const level = { name: 'pdh', family: 'prior_day', price: 101, with: [], record: null };
    const { levels, missing } = reviewOfStock(
      planned({ above: [level] }),
      seen(walked(1, 1), { bars: null }),
    );
    expect(levels[0]!.state).toBeNull();
    expect(missing).toMatchObject([{ field: 'levels' }]);
  });
});

describe('the counts of reviews', () => {
  const state = fc.constantFrom(null, 'untouched', 'touched', 'held', 'broken');
  const level = fc.record({ state, chance: fc.constantFrom(null, 0.25, 0.5) });
  const outcome = fc.constantFrom('not_triggered', 'stopped', 'target', 'no_prices');
  const stock = fc.record({
    levels: fc.array(level, { maxLength: 6 }),
    expected_move: fc.constantFrom(null, { kept: null }, { kept: true }, { kept: false }),
    setups: fc.array(
      outcome.map((each) => ({ outcome: each, r: each === 'stopped' ? -1 : each === 'target' ? 2 : null })),
      { maxLength: 3 },
    ),
  });

  it('of days add up to those of all their stocks, and chance is known where it is of all that was decided', () => {
    fc.assert(
      fc.property(fc.array(fc.array(stock, { maxLength: 4 }), { maxLength: 4 }), (days) => {
        const counts = days.map((day) => reviewCounts(day as never));
        const sum = sumOfCounts(counts);
        const { chance, ...all } = reviewCounts(days.flat() as never);
        expect(sum).toMatchObject(all);
        if (chance === null) expect(sum.chance).toBeNull();
        else expect(sum.chance).toBeCloseTo(chance, 9);
        expect(sum.held + sum.broken).toBeLessThanOrEqual(sum.touched);
      }),
    );
  });

  it('are a sentence', () => {
    const levels = [
      { state: 'held', chance: 0.5 },
      { state: 'broken', chance: 0.5 },
      { state: 'untouched', chance: null },
    ];
    const counts = reviewCounts([{ levels, expected_move: { kept: true }, setups: [] }] as never);
    expect(countsSay(counts, true)).toBe(
      '3 levels: 2 touched, 1 held (chance 1.0). Expected move kept by 1 of 1.',
    );
    expect(countsSay(counts, false)).toMatch(/^So far: 3 levels/);
  });
});
