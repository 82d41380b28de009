import { expect, it } from 'vitest';
import {
  mirrored,
  type SessionColumns,
  sessionColumns,
} from '../../../../src/analysis/backtest/session-columns.ts';
import {
  addTrades,
  type BothSides,
  daysTrade,
  SLIPPAGE_BPS,
  sessionTrade,
  touchedAfter,
  UNTOUCHED,
} from '../../../../src/analysis/records/playbook-trades.ts';
import { MINUTE_MS } from '../../../../src/analysis/sessions.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';

/** Bars `[open, high, low, close]`; ATR is 2, so that a stop and a target 0.5 ATR away are a dollar away. */
const ATR = 2;
const DISTANCES = { stop: 0.5, target: 0.5 };
type Bar = readonly [number, number, number, number];
const FLAT: Bar = [100, 100, 100, 100];
/** What a fill that is not a target's costs, in ATR. */
const SLIP = (100 * SLIPPAGE_BPS * 1e-4) / ATR;

const columnsOf = (bars: readonly Bar[]) => {
  const of = (place: number): Float64Array => Float64Array.from(bars, (bar) => bar[place]!);
  return { open: of(0), high: of(1), low: of(2), close: of(3) };
};
function sessionOf(bars: readonly Bar[]): SessionColumns {
  const time = Float64Array.from(bars, (_, bar) => bar * MINUTE_MS);
  return sessionColumns({ ...columnsOf(bars), time, volume: time.map(() => 1) }, 0, ATR, []);
}

function bothSides(bars: readonly Bar[]): BothSides {
  const columns = sessionOf(bars);
  return { columns, shorts: mirrored(columns) };
}

const CASES: readonly (readonly [string, readonly Bar[], number, number | null, boolean])[] = [
  [
    'earns at its target, where it fills without slippage',
    [FLAT, FLAT, [100, 101.2, 99.5, 101]],
    0.5 - SLIP,
    1,
    false,
  ],
  ['loses at its stop', [FLAT, FLAT, [100, 100.2, 98.9, 99]], -0.5 - 2 * SLIP, 1, false],
  [
    'fills at the open of a bar that opens beyond the stop',
    [FLAT, FLAT, [98, 98.5, 97, 98]],
    -1 - 2 * SLIP,
    1,
    false,
  ],
  ['is stopped by a bar that reaches both', [FLAT, FLAT, [100, 101.5, 98.5, 100]], -0.5 - 2 * SLIP, 1, true],
  ['leaves at the last close', [FLAT, FLAT, [100, 100.8, 99.6, 100.5]], 0.25 - 2 * SLIP, null, false],
];

it.each(CASES)('a trade of a session %s', (_, bars, gain, after, isAmbiguous) => {
  const trade = sessionTrade(bothSides(bars), 0, 1, DISTANCES);
  expect(trade.gain).toBeCloseTo(gain, 12);
  expect([trade.decidedBar, trade.isAmbiguous]).toEqual([after === null ? null : after + 1, isAmbiguous]);
});

it.each(CASES)('a trade over days %s', (_, bars, gain, after, isAmbiguous) => {
  const trade = daysTrade(columnsOf(bars), 1, bars.length, 1, ATR, DISTANCES);
  expect(trade.gain).toBeCloseTo(gain, 12);
  expect(trade.isReached).toBe(after !== null && gain > 0);
  expect([trade.decidedRow, trade.isAmbiguous]).toEqual([after === null ? null : after + 1, isAmbiguous]);
});

it('reaches a target that is touched exactly, though the distance in ATR and back is off by the last bit', () => {
  const [entry, atr] = [33.1, 0.7];
  for (let ticks = 1; ticks < 60; ticks++) {
    const high = Math.round(100 * entry + ticks) / 100;
    const bars: Bar[] = [FLAT, [entry, high, entry, entry]];
    const distances = { stop: 1, target: (high - entry) / atr };
    expect(daysTrade(columnsOf(bars), 1, 2, 1, atr, distances).decidedRow).toBe(1);
    const further = { stop: 1, target: (high + 0.0001 - entry) / atr };
    expect(daysTrade(columnsOf(bars), 1, 2, 1, atr, further).decidedRow).toBeNull();
    const day = sessionColumns(
      { ...columnsOf(bars), time: Float64Array.of(0, MINUTE_MS), volume: Float64Array.of(1, 1) },
      0,
      atr,
      [],
    );
    expect(sessionTrade({ columns: day, shorts: mirrored(day) }, 0, 1, distances).decidedBar).toBe(1);
  }
});

it('is the long of the market turned upside down when it is short', () => {
  for (const [, bars, gain] of CASES) {
    const turned = bars.map(
      ([open, high, low, close]): Bar => [200 - open, 200 - low, 200 - high, 200 - close],
    );
    expect(sessionTrade(bothSides(turned), 0, -1, DISTANCES).gain).toBeCloseTo(gain, 12);
    expect(daysTrade(columnsOf(turned), 1, bars.length, -1, ATR, DISTANCES).gain).toBeCloseTo(gain, 12);
  }
});

it('is compared with trades after each of several bars, and none after the last', () => {
  const day = bothSides([FLAT, FLAT, [100, 101.2, 100, 101], [101, 101, 101, 101]]);
  const all = { count: 0, won: 0, gain: 0 };
  addTrades(all, day, 0, 4, 1, DISTANCES);
  const each = [0, 1, 2].map((bar) => sessionTrade(day, bar, 1, DISTANCES).gain);
  expect(all.count).toBe(3);
  expect(all.won).toBe(each.filter((gain) => gain > 0).length);
  expect(all.gain).toBeCloseTo(each[0]! + each[1]! + each[2]!, 12);
  expect(all.won).toBe(2);
});

it.each([1, -1] as const)(
  'touches each of some distances where a walk for it alone does, side %i',
  (side) => {
    const random = mulberry32(7);
    const distances = Array.from({ length: 30 }, (_, at) => at / 10);
    for (let walk = 0; walk < 50; walk++) {
      let price = 100;
      const bars = columnsOf(
        Array.from({ length: 21 }, (): Bar => {
          const [open, close] = [
            price + Math.round(4 * random() - 2) / 10,
            price + Math.round(30 * random() - 15) / 10,
          ];
          price = close;
          return [open, Math.max(open, close) + 0.1, Math.min(open, close) - 0.1, close];
        }),
      );
      for (const way of ['stop', 'target'] as const) {
        const rows = new Uint8Array(distances.length);
        touchedAfter({ bars, from: 0, to: 21, range: ATR }, side, distances, way, rows, 0, 1);
        const up = (way === 'target') === side > 0;
        for (const [at, distance] of distances.entries()) {
          const [barrier, entry] = [distance * ATR, bars.open[0]!];
          const alone = bars.close.findIndex((_, row) =>
            up ? bars.high[row]! - entry >= barrier - 1e-7 : entry - bars.low[row]! >= barrier - 1e-7,
          );
          expect(rows[at]).toBe(alone < 0 ? UNTOUCHED : alone);
        }
      }
    }
  },
);
