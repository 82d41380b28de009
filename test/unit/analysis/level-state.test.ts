import { describe, expect, it } from 'vitest';
import {
  gapMinutesOf,
  type LevelTrack,
  newTrack,
  outcomeOf,
  trackBars,
} from '../../../src/analysis/level-state.ts';
import { floorPivots } from '../../../src/analysis/levels.ts';
import {
  levelEvents,
  movingLevelEvents,
  rangeSoFar,
  type SessionBars,
  sessionBars,
} from '../../../src/analysis/records/level-events.ts';
import { movingLevels } from '../../../src/analysis/records/moving-levels.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { columnsFrom } from '../../support/bar-columns.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { levelStateOf } from '../../support/level-states.ts';
import { minuteSessions, minuteSymbols } from '../../support/real-data.ts';

/** Every minute of a symbol takes longer than a test may else. */
const LONG_MS = 600_000;
const ATR = 4;
const LEVEL = 100;

/** Bars `[minute, open, high, low, close]`; ATR is 4, so that 0.15 is 0.6 and 0.25 is 1. */
type Row = readonly [minute: number, open: number, high: number, low: number, close: number];
function barsOf(rows: readonly Row[]): SessionBars {
  const of = (place: number): Float64Array => Float64Array.from(rows, (row) => row[place]!);
  const bars = { open: of(1), high: of(2), low: of(3), close: of(4) };
  return { ...bars, minute: Int32Array.from(rows, ([minute]) => minute), range: rangeSoFar(bars) };
}

/** Closes a minute apart, each bar from the close before to its own. */
const walked = (...closes: number[]): Row[] =>
  closes.map((close, minute): Row => {
    const open = closes[minute - 1] ?? close;
    return [minute, open, Math.max(open, close), Math.min(open, close), close];
  });

function stateAfter(rows: readonly Row[], { isClosed = false, from = 0 } = {}) {
  const bars = barsOf(rows);
  const track = newTrack();
  trackBars(track, { bars, atr: ATR, gapMinutes: 5 }, LEVEL, { from: 0, to: rows.length }, from);
  const { state, touched, decided, holds } = outcomeOf(track, bars, isClosed ? rows.length - 1 : -1);
  return [state, touched, decided, holds];
}

describe('a level at 100 with an ATR of 4', () => {
  it.each([
    ['is untouched where no bar reached it', walked(101, 100.5, 100.01), ['untouched', -1, -1, 0]],
    ['is touched by touching it exactly', walked(100.3, 100), ['touched', 1, -1, 0]],
    ['is touched without a close away before', walked(100.1, 99.9), ['touched', 1, -1, 0]],
    ['is held by a quarter of an ATR back', walked(100.3, 100, 101), ['held', 1, 2, 1]],
    ['is held from below', walked(99.7, 100, 99), ['held', 1, 2, 1]],
    ['is broken by a quarter of an ATR beyond', walked(101, 100, 99), ['broken', 1, 2, 0]],
    ['is broken by a bar that jumps over it', [...walked(101), [1, 98, 98, 97, 97.5]], ['broken', 1, 1, 0]],
    ['is broken by a run through from nearby', walked(100.2, 99.3, 99.2), ['broken', 1, 1, 0]],
    ['waits for the barrier where price came from afar', walked(101, 99.3, 99.2), ['touched', 1, -1, 0]],
    ['that held is broken by a later test', walked(101, 100, 101, 99), ['broken', 1, 3, 1]],
    ['that broke stays broken', walked(101, 99, 101, 100, 101), ['broken', 1, 1, 0]],
    ['where the session began held once price left it', walked(100, 100.5, 101), ['held', 0, 2, 1]],
    [
      'is broken by one bar that goes both ways',
      [...walked(101, 100), [2, 100, 101, 99, 100]],
      ['broken', 1, 2, 0],
    ],
  ] as [string, Row[], unknown[]][])('%s', (_, rows, expected) => {
    expect(stateAfter(rows)).toEqual(expected);
  });

  it('is decided by the last close where the session ends in a test', () => {
    expect(stateAfter(walked(101, 99.9), { isClosed: true })).toEqual(['broken', 1, 1, 0]);
    expect(stateAfter(walked(101, 100, 100.1), { isClosed: true })).toEqual(['held', 1, 2, 1]);
    expect(stateAfter(walked(101, 100.1), { isClosed: true })).toEqual(['untouched', -1, -1, 0]);
  });

  it('is not touched by the bars that make it', () => {
    expect(stateAfter(walked(99, 100, 99.9), { from: 5 })).toEqual(['untouched', -1, -1, 0]);
  });
});

interface Day {
  readonly bars: SessionBars;
  readonly atr: number;
  readonly levels: readonly { readonly path: number | Float64Array; readonly fromMinute: number }[];
}

/** Compares the track, taken row by row and in one go, with the rows read by the definition, and with the records. */
function compare({ bars, atr, levels }: Day, counts: readonly number[]): void {
  const rows = bars.minute.length;
  for (const { path, fromMinute } of levels) {
    const isFixed = typeof path === 'number';
    const seen = {
      bars,
      atr,
      path: typeof path === 'number' ? Array.from({ length: rows }, () => path) : [...path],
      isFixed,
      fromMinute,
    };
    const session = { bars, atr, gapMinutes: gapMinutesOf(1) };
    const track = newTrack();
    const byRow: LevelTrack[] = [];
    for (let row = 0; row < rows; row++) {
      trackBars(track, session, path, { from: row, to: row + 1 }, fromMinute);
      byRow.push({ ...track });
    }
    const inOne = newTrack();
    trackBars(inOne, session, path, { from: 0, to: rows }, fromMinute);
    expect(inOne).toEqual(track);
    for (const count of counts) {
      for (const last of count === rows ? [-1, rows - 1] : [-1]) {
        const { state, touched, decided, holds } = outcomeOf(byRow[count - 1]!, bars, last);
        expect([state, touched, decided, holds], `${seen.path[0]} after ${count}`).toEqual(
          levelStateOf(seen, count, last >= 0),
        );
      }
    }
    const events = isFixed
      ? levelEvents(bars, { price: Float64Array.of(path), fromMinute: Int32Array.of(fromMinute) }, atr)
      : movingLevelEvents(bars, path, atr);
    for (const { outcome, minute, decidedAt } of events) {
      if (outcome !== 'true' && outcome !== 'false') continue;
      const at = bars.minute.indexOf(decidedAt);
      const { broken, held } = byRow[at]!;
      const brokeBefore = broken >= 0 && bars.minute[broken]! < minute;
      if (brokeBefore) continue;
      // A bar that went back and closed beyond ended the event first, and broke the level then.
      if (outcome === 'true')
        expect([held, broken < at], `held ${seen.path[0]} at ${decidedAt}`).toEqual([at, true]);
      else expect(broken, `broke ${seen.path[0]} at ${decidedAt}`).toBe(at);
    }
  }
}

/** A day in ticks of a tenth of the distance that decides: levels are touched exactly, and minutes lack. */
function drawnDay(seed: number): Day {
  const random = mulberry32(seed);
  let price = 100;
  const rows: Row[] = [];
  for (let minute = 0; minute < 390; minute++) {
    if (random() < 0.03) minute += Math.floor(random() * 9);
    const step = (): number => Math.round((random() - 0.5) * 8) / 10;
    const open = random() < 0.1 ? price + step() : price;
    const close = open + step();
    const [high, low] = [
      Math.max(open, close) + Math.abs(step()) / 2,
      Math.min(open, close) - Math.abs(step()) / 2,
    ];
    rows.push([minute, open, high, low, close].map((each) => Math.round(each * 100) / 100) as unknown as Row);
    price = close;
  }
  const bars = barsOf(rows);
  const fixed = [-3, -2, -1, -0.5, 0, 0.1, 0.5, 1, 2, 3].map((away) => ({
    path: 100 + away,
    fromMinute: [0, 5, 30, 60][Math.floor(random() * 4)]!,
  }));
  let mean = 100;
  const moving = Float64Array.from(bars.close, (close) => {
    mean += (close - mean) * 0.05;
    return random() < 0.01 ? Number.NaN : Math.round(mean * 100) / 100;
  });
  return { bars, atr: ATR, levels: [...fixed, { path: moving, fromMinute: 0 }] };
}

describe('states of levels', () => {
  it(
    'are what the rows say by the definition, and what the events of the records say',
    () => {
      forAll([wholeBetween(0, 2 ** 31)], { seed: SEED, numRuns: inFull(2_000, 25) }, (seed) => {
        const day = drawnDay(seed);
        const rows = day.bars.minute.length;
        compare(day, [...new Set([1, 2, 7, Math.floor(rows / 3), Math.floor(rows / 2), rows - 1, rows])]);
      });
    },
    LONG_MS,
  );

  it('are broken where price ran from a quarter of an ATR on one side to as far on the other, however it did', () => {
    forAll([wholeBetween(0, 2 ** 31)], { seed: SEED, numRuns: inFull(2_000, 100) }, (seed) => {
      const { bars, atr, levels } = drawnDay(seed);
      const rows = bars.minute.length;
      for (const { path } of levels.filter(({ path }) => typeof path === 'number')) {
        const price = path as number;
        const track = newTrack();
        trackBars(track, { bars, atr, gapMinutes: gapMinutesOf(1) }, price, { from: 0, to: rows }, 0);
        const ranThrough = (side: 1 | -1): boolean => {
          const first = bars.close.findIndex((close) => (close - price) * side >= atr / 4);
          const beyond = (side > 0 ? bars.low : bars.high).findLastIndex(
            (reached) => (price - reached) * side >= atr / 4,
          );
          return first >= 0 && beyond > first;
        };
        if (ranThrough(1) || ranThrough(-1)) expect(outcomeOf(track, bars, -1).state).toBe('broken');
      }
    });
  });

  // A bar may close at a level that moves: the side is that of the closes before, an open counts for its own bar alone.
  it.each([
    [
      'a hold that closes at it',
      [100, 99.6, 99, 99.2, 99],
      [
        [0, 99.9, 99.9, 99.9, 99.9],
        [1, 99.9, 100, 99.7, 99.8],
        [2, 99.8, 99.8, 99, 99],
        [3, 99, 99.5, 99, 99.4],
        [4, 99.4, 99.4, 98, 98],
      ],
    ],
    ['the first bar makes it', [100], [[0, 99.5, 100.5, 99.5, 100]]],
    [
      'every bar closes at it',
      [100.1, 100.3, 100.4, 100.5],
      [
        [0, 100, 100.1, 100, 100.1],
        [1, 100.2, 100.3, 100.2, 100.3],
        [2, 100.2, 100.4, 100.2, 100.4],
        [3, 100.4, 101.3, 100.4, 101.3],
      ],
    ],
  ] as [string, number[], Row[]][])('are so where price closes at the level: %s', (_, path, rows) => {
    const levels = [{ path: Float64Array.from(path), fromMinute: 0 }];
    compare(
      { bars: barsOf(rows), atr: ATR, levels },
      [...rows.keys()].map((row) => row + 1),
    );
  });

  it
    .skipIf(minuteSymbols.length === 0)
    .each(minuteSymbols.filter((symbol) => inFull(true, symbol === 'SLB')))(
    'are so at every minute of recorded sessions: %s',
    (symbol) => {
      const sessions = recordedSessions(symbol);
      expect(sessions.length).toBeGreaterThan(20);
      for (let at = 14; at < sessions.length; at++) compare(...recordedDay(sessions, at));
    },
    LONG_MS,
  );
});

/** Sessions with the clock of New York as if it were UTC. */
const recordedSessions = (symbol: string): { columns: BarColumns; open: number }[] =>
  minuteSessions(symbol).map(([date, rows]) => ({
    open: Date.parse(`${date}T09:30:00Z`),
    columns: columnsFrom((name, at) =>
      Float64Array.from(rows, (row) =>
        name === 'time' ? Date.parse(`${date}T${row[0]}:00Z`) : (row[at] as number),
      ),
    ),
  }));

function recordedDay(sessions: ReturnType<typeof recordedSessions>, at: number): [Day, number[]] {
  const { columns, open } = sessions[at]!;
  const bars = sessionBars(columns, open);
  const of = ({ columns: { high, low, close } }: (typeof sessions)[number]) =>
    [Math.max(...high), Math.min(...low), close.at(-1)!] as const;
  const earlier = sessions.slice(at - 14, at).map(of);
  const atr = earlier.reduce((sum, [high, low]) => sum + (high - low) / 14, 0);
  const prior = earlier.at(-1)!;
  const range = (minutes: number): number[] => {
    const rows = [...bars.minute.keys()].filter((row) => bars.minute[row]! < minutes);
    return [Math.max(...rows.map((row) => bars.high[row]!)), Math.min(...rows.map((row) => bars.low[row]!))];
  };
  const levels = [
    ...[...prior, ...Object.values(floorPivots(...prior))].map((price) => ({ price, fromMinute: 0 })),
    ...[5, 15, 30, 60].flatMap((minutes) => range(minutes).map((price) => ({ price, fromMinute: minutes }))),
  ].map(({ price, fromMinute }) => ({ path: price, fromMinute }));
  const moving = movingLevels(columns).map(({ path }) => ({ path, fromMinute: 0 }));
  const rows = bars.minute.length;
  return [
    { bars, atr, levels: [...levels, ...moving] },
    Array.from({ length: rows }, (_, row) => row + 1).filter(
      (count) => inFull(true, count % 29 === 0) || count === rows,
    ),
  ];
}
