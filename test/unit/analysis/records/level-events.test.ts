import { expect, it } from 'vitest';
import {
  levelEvents,
  movingLevelEvents,
  placeboPrice,
  placeboWeights,
  rangeSoFar,
  type SessionBars,
  STRATA,
  stratumOf,
} from '../../../../src/analysis/records/level-events.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';

/** Bars `[minute, high, low, close]`; ATR is 4, so that 0.15 is 0.6 and 0.25 is 1. */
const ATR = 4;
const LEVEL = 100;
function barsOf(rows: readonly (readonly [number, number, number, number])[]): SessionBars {
  const of = (place: number): Float64Array => Float64Array.from(rows, (row) => row[place]!);
  const bars = { open: of(3), high: of(1), low: of(2), close: of(3) };
  return { minute: Int32Array.from(rows, ([minute]) => minute), ...bars, range: rangeSoFar(bars) };
}
const outcomes = (rows: Parameters<typeof barsOf>[0], from = 0) =>
  levelEvents(barsOf(rows), { price: Float64Array.of(LEVEL), fromMinute: Int32Array.of(from) }, ATR).map(
    ({ minute, side, outcome, isAmbiguous }) => [
      minute,
      side,
      outcome,
      ...(isAmbiguous ? ['ambiguous'] : []),
    ],
  );
const ABOVE = [0, 101, 100.7, 100.8] as const;

it.each([
  [
    'holds when price goes back before it goes beyond',
    [ABOVE, [1, 100.8, 99.8, 100.1], [2, 101, 100, 100.9]],
    [[1, 1, 'true']],
  ],
  ['is lost when price goes beyond', [ABOVE, [1, 100.8, 99.8, 100], [2, 100.2, 99, 99.2]], [[1, 1, 'false']]],
  ['is lost by the bar that reaches it and goes through', [ABOVE, [1, 100.8, 98.9, 99]], [[1, 1, 'false']]],
  [
    'is not held by the bar that reaches it',
    [ABOVE, [1, 101.2, 99.9, 101], [2, 100.5, 98.9, 99]],
    [[1, 1, 'false']],
  ],
  [
    'is lost, and counted, by one bar that goes both ways',
    [ABOVE, [1, 100.8, 99.9, 100], [2, 101.1, 98.8, 100]],
    [[1, 1, 'false', 'ambiguous']],
  ],
  [
    'stays undecided at the close',
    [ABOVE, [1, 100.8, 99.9, 100], [2, 100.3, 99.7, 100]],
    [[1, 1, 'undecided']],
  ],
  [
    'has a gap where five minutes lack',
    [ABOVE, [1, 100.8, 99.9, 100], [7, 101.2, 100.9, 101]],
    [[1, 1, 'gap']],
  ],
  [
    'needs a close far enough away first',
    [
      [0, 100.6, 100.2, 100.5],
      [1, 100.6, 99.9, 100],
      [2, 101, 100, 101],
    ],
    [],
  ],
  [
    'is approached from below too',
    [
      [0, 99.3, 99, 99.2],
      [1, 100.1, 99.2, 100],
      [2, 100, 98.9, 99],
    ],
    [[1, -1, 'true']],
  ],
  [
    'has one event after the other, each after a close away',
    [ABOVE, [1, 100.8, 99.8, 100], [2, 101.2, 100, 101.1], [3, 101, 99.9, 100], [4, 100, 98.8, 99]],
    [
      [1, 1, 'true'],
      [3, 1, 'false'],
    ],
  ],
] as const)('a level %s', (_, rows, expected) => {
  expect(outcomes(rows as Parameters<typeof barsOf>[0])).toEqual(expected);
});

it('begins no event after 15:00, nor before the window of an opening range is over', () => {
  const rows = [ABOVE, [1, 100.8, 99.8, 100], [2, 101, 100, 100.9]] as Parameters<typeof barsOf>[0];
  expect(outcomes(rows, 5)).toEqual([]);
  expect(outcomes(rows.map(([minute, ...bar]) => [minute + 330, ...bar] as const))).toEqual([]);
});

it('parts events by direction, distance from the open, hour and the range so far', () => {
  const event = { level: 0, outcome: 'true', isAmbiguous: false, decidedAt: 1 } as const;
  const all = [0, 65, 130, 200, 250, 310].flatMap((minute) =>
    [0.1, 0.3, 0.5, 0.9].flatMap((far) =>
      [0.3, 0.6, 1, 2].flatMap((wide) =>
        ([1, -1] as const).map((side) =>
          stratumOf({ ...event, minute, side, range: wide * ATR }, LEVEL + far * ATR, LEVEL, ATR),
        ),
      ),
    ),
  );
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: STRATA }, (_, stratum) => stratum));
});

it('knows of the range what came before the bar that reached the level', () => {
  const bars = barsOf([ABOVE, [1, 104, 100.7, 101], [2, 100.8, 90, 91]]);
  const level = { price: Float64Array.of(LEVEL), fromMinute: Int32Array.of(0) };
  expect(levelEvents(bars, level, ATR)).toMatchObject([{ minute: 2, range: 104 - 100.7 }]);
});

it('comes to a level, back from it and beyond it by touching the price exactly', () => {
  // 33.1 + 0.25 * 0.4 and the like are off by the last bit.
  const [price, atr] = [33.1, 0.4];
  const of = (...rows: [number, number, number, number][]) =>
    levelEvents(barsOf(rows), { price: Float64Array.of(price + 1e-14), fromMinute: Int32Array.of(0) }, atr);
  const touched: [number, number, number, number] = [1, 33.2, 33.1, 33.15];
  expect(of([0, 33.3, 33.2, 33.3], touched, [2, 33.2 - 1e-14, 33.12, 33.15])).toMatchObject([
    { minute: 1, outcome: 'true', decidedAt: 2 },
  ]);
  expect(of([0, 33.3, 33.2, 33.3], touched, [2, 33.15, 33 + 1e-14, 33.1])).toMatchObject([
    { minute: 1, outcome: 'false', decidedAt: 2 },
  ]);
});

it('puts placebo levels where levels of earlier dates were, on a tick as they were', () => {
  const [was, is] = [
    { priorClose: 50, atr: 2 },
    { priorClose: 100, atr: ATR },
  ];
  expect([49, 50.33, 51].map((level) => placeboPrice(level, was, is))).toEqual([98, 100.66, 102]);
  const third = { priorClose: 100, atr: 4 / 3 };
  expect(placeboPrice(50.01, was, third)).toBe(100.01);
  expect(placeboPrice(50.015, was, third)).toBeCloseTo(100.01, 10);
  expect(placeboPrice(0.4999, { priorClose: 0.5, atr: 0.01 }, { priorClose: 0.6, atr: 0.013 })).toBe(0.5999);
});

it('leaves out placebos beside a level of the family, and lets the others stand for them', () => {
  expect([...placeboWeights([98, 99.5, 100.5, 104], [100], ATR)]).toEqual([2, 0, 0, 2]);
  expect([...placeboWeights([98, 104, 106], [100, 106], ATR)]).toEqual([1.5, 1.5, 0]);
  const beside = Array.from({ length: 30 }, () => 100);
  expect(placeboWeights([...beside, 104], [100], ATR).at(-1)).toBe(10);
  expect([...placeboWeights([98], [], ATR)]).toEqual([1]);
});

it('meets a level that moves where it was before the bar, and holds it to that', () => {
  const bars = barsOf([
    [0, 102, 101, 101.5],
    [1, 101.6, 100.2, 100.4],
    [2, 101.5, 100.3, 101.4],
  ]);
  // At the end of the second bar it has moved away; the bar met it at 100.3.
  const path = Float64Array.of(100.3, 99, 99);
  const events = movingLevelEvents(bars, path, ATR);
  expect(events).toMatchObject([{ minute: 1, price: 100.3, side: 1, outcome: 'true', decidedAt: 2 }]);
});

it('does not meet a level that jumps past price, or that was none for a while', () => {
  const rows = [ABOVE, [1, 100.8, 100.3, 100.4], [2, 100.4, 100.2, 100.3], [3, 101.5, 100.3, 101.4]] as const;
  const bars = barsOf([...rows, [4, 101.4, 100.1, 100.2]]);
  const events = (...path: number[]) => movingLevelEvents(bars, Float64Array.from(path), ATR);
  expect(events(100, 100.5, 100.5, 100.5, 100.5)).toMatchObject([{ minute: 4, side: 1 }]);
  expect(events(100, Number.NaN, 100.2, 100.2, 100.2)).toMatchObject([{ minute: 4, side: 1 }]);
  expect(events(100, 100, 100.2, 100.2, 100.2)).toMatchObject([{ minute: 4, side: 1 }]);
  expect(events(100, 100.25, 100.25, 99, 99)).toMatchObject([{ minute: 2, side: 1, price: 100.25 }]);
});

it('passes over bars without a level and finds the same, wherever these begin among the others', () => {
  let seen = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = mulberry32(seed);
    let price = LEVEL;
    const rows = Array.from({ length: 390 }, (_, minute) => {
      const [open, close] = [price, price + random() - 0.5];
      price = close;
      const [high, low] = [Math.max(open, close) + random() / 4, Math.min(open, close) - random() / 4];
      return [minute, high, low, close] as const;
    });
    const levels = { price: Float64Array.of(98, 99, LEVEL, 101, 102), fromMinute: new Int32Array(5) };
    const found = (lead: number) => {
      // Bars at the first price say no more of a level than the first does.
      const before = Array.from({ length: lead }, (_, at) => [at - lead, LEVEL, LEVEL, LEVEL] as const);
      return levelEvents(barsOf([...before, ...rows]), levels, 8);
    };
    const places = (lead: number) =>
      found(lead).map(({ level, minute, side, outcome, decidedAt }) => [
        level,
        minute,
        side,
        outcome,
        decidedAt,
      ]);
    for (let lead = 1; lead < 16; lead++) expect(places(lead)).toEqual(places(0));
    seen += places(0).length;
  }
  expect(seen).toBeGreaterThan(20);
});
