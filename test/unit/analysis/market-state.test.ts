import { describe, expect, it } from 'vitest';
import {
  indexTrend,
  MarketTally,
  type PriceRun,
  percentile252,
  VIX_REGIME_FROM,
  vixRegime,
} from '../../../src/analysis/market-state.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { dailyRecipe, standingBars } from '../../support/daily-recipe.ts';
import { expectClose, figures } from '../../support/tables.ts';

const runOf = ({ high, low, close }: BarColumns, first = 0): PriceRun => ({
  high,
  low,
  close,
  first,
  row: close.length - 1,
});

/** A stock that rises by one each session, high and low half a point from its close. */
function risingRun(rows: number): PriceRun {
  const close = Float64Array.from({ length: rows }, (_, row) => 100 + row);
  return { high: close.map((c) => c + 0.5), low: close.map((c) => c - 0.5), close, first: 0, row: rows - 1 };
}

function tallyOf(
  runs: readonly PriceRun[],
  sectorOf: (at: number) => string | null = () => null,
): MarketTally {
  const tally = new MarketTally();
  for (const [at, run] of runs.entries()) tally.add(run, sectorOf(at));
  return tally;
}

const repeated = (run: PriceRun, count: number): PriceRun[] => Array.from({ length: count }, () => run);

describe('vixRegime', () => {
  it.each([
    [0, 'COMPLACENT'],
    [VIX_REGIME_FROM.NORMAL - 0.01, 'COMPLACENT'],
    [VIX_REGIME_FROM.NORMAL, 'NORMAL'],
    [19.99, 'NORMAL'],
    [20, 'ELEVATED'],
    [29.99, 'ELEVATED'],
    [30, 'EXTREME_FEAR'],
    [82.69, 'EXTREME_FEAR'],
    [-0.01, null],
    [Number.NaN, null],
  ])('%d is %s', (level, regime) => {
    expect(vixRegime(level)).toBe(regime);
  });
});

describe('percentile252', () => {
  // Made by a Python program that walks the same recipe: rows under the value, over the rows before it.
  it.each([
    [299, (44 / 252) * 100],
    [260, (74 / 252) * 100],
    [60, 0],
  ])('ranks row %d among the rows before it', (row, percent) => {
    expect(percentile252(dailyRecipe(7, 300).close, 0, row)).toBe(percent);
  });

  it('needs 60 rows that count', () => {
    const { close } = dailyRecipe(7, 300);
    expect(percentile252(close, 0, 59)).toBeNaN();
    expect(percentile252(close, 100, 159)).toBeNaN();
    expect(percentile252(close, 100, 160)).not.toBeNaN();
  });

  it('puts a level that was never another at the bottom', () => {
    expect(percentile252(standingBars(20, 300).close, 0, 299)).toBe(0);
  });
});

describe('indexTrend', () => {
  it('agrees with a separate program in Python (statistics.fmean and linear_regression)', () => {
    const trend = indexTrend(dailyRecipe(7, 300).close);
    const { slope20Pct, ...rest } = figures`
      return1dPct 0.20811654526535772, return5dPct 2.012711864406791, return20dPct -0.36213140196583726,
      sma50 19.5214, sma200 20.4053, slope20Pct -22.723896696886673`;
    expectClose(trend, rest, 10);
    expect(trend.slope20Pct).toBeCloseTo(slope20Pct!, 9);
  });

  it.each([
    ['return1dPct', 2],
    ['return5dPct', 6],
    ['return20dPct', 21],
    ['slope20Pct', 20],
    ['sma50', 50],
    ['sma200', 200],
  ] as const)('has %s from %d closes on', (field, closes) => {
    const { close } = dailyRecipe(3, 200);
    expect(indexTrend(close.subarray(0, closes))[field]).not.toBeNaN();
    expect(indexTrend(close.subarray(0, closes - 1))[field]).toBeNaN();
  });
});

describe('the breadth of a market', () => {
  const rowsOf = (seed: number): number => (seed <= 40 ? 300 : seed <= 46 ? 120 : 15);
  const SECTORS = ['Energy', 'Health Care', 'Technology', null];
  const seeds = Array.from({ length: 50 }, (_, at) => at + 1);
  const fifty = tallyOf(
    seeds.map((seed) => runOf(dailyRecipe(seed, rowsOf(seed)))),
    (at) => SECTORS[seeds[at]! % 4]!,
  );

  it('counts fifty stocks of which six are young and four are new as a Python program does', () => {
    expect(fifty.breadth()).toEqual({
      stocks: 50,
      advancers: 24,
      decliners: 26,
      aboveSma50: 18 / 46,
      aboveSma200: 17 / 40,
      newHighs252: 2,
      newLows252: 2,
    });
  });

  it('ranks sectors by their mean 20-session return; stocks without a sector count in none', () => {
    const sectors = fifty.sectors();
    expect(sectors.map(({ sector, stocks, rank, of }) => [sector, stocks, rank, of])).toEqual([
      ['Health Care', 13, 1, 3],
      ['Energy', 12, 2, 3],
      ['Technology', 13, 3, 3],
    ]);
    const [health, energy, technology] = sectors;
    expect(health!.return1dPct).toBeCloseTo(0.7367619693342183, 10);
    expect(health!.return5dPct).toBeCloseTo(2.4507200839877674, 10);
    expect(health!.return20dPct).toBeCloseTo(2.3435435925380212, 10);
    expect(energy!.return20dPct).toBeCloseTo(0.60040902416833, 10);
    expect(technology!.return20dPct).toBeCloseTo(-1.3431748295883263, 10);
  });

  it('is unknown below twenty stocks', () => {
    expect(tallyOf(repeated(risingRun(30), 19)).breadth()).toBeNull();
    expect(tallyOf(repeated(risingRun(30), 20)).breadth()).toMatchObject({ stocks: 20, advancers: 20 });
  });

  it('has no share of stocks over an average that fewer than twenty of them have', () => {
    const young = repeated(risingRun(30), 10);
    const shares = (old: number) => tallyOf([...young, ...repeated(risingRun(50), old)]).breadth();
    expect(shares(19)).toMatchObject({ stocks: 29, aboveSma50: Number.NaN });
    expect(shares(20)).toMatchObject({ stocks: 30, aboveSma50: 1, aboveSma200: Number.NaN });
  });

  it('has an average from its own first row on', () => {
    const enough = repeated({ ...risingRun(60), first: 10 }, 20);
    expect(tallyOf(enough).breadth()).toMatchObject({ aboveSma50: 1 });
    const short = repeated({ ...risingRun(60), first: 11 }, 20);
    expect(tallyOf(short).breadth()).toMatchObject({ aboveSma50: Number.NaN });
  });

  it('counts a new high from the 253rd row on, and only above every one of the 252 before', () => {
    const highs = (run: PriceRun) => tallyOf(repeated(run, 20)).breadth()!.newHighs252;
    expect(highs(risingRun(252))).toBe(0);
    expect(highs(risingRun(253))).toBe(20);
    const equalled = risingRun(253);
    equalled.high[0] = equalled.high[252]!;
    expect(highs(equalled)).toBe(0);
    // Before the 252 rows a higher one is forgotten.
    const forgotten = risingRun(254);
    forgotten.high[0] = 1_000;
    expect(highs(forgotten)).toBe(20);
  });

  it('counts a new low as the mirror of a new high', () => {
    const { high, low, close, first, row } = risingRun(253);
    const mirrored = {
      high: low.map((price) => 1_000 - price),
      low: high.map((price) => 1_000 - price),
      close: close.map((price) => 1_000 - price),
      first,
      row,
    };
    expect(tallyOf(repeated(mirrored, 20)).breadth()).toMatchObject({
      newLows252: 20,
      newHighs252: 0,
      decliners: 20,
    });
  });

  it('says that an unchanged price is neither up, down, new nor over its average', () => {
    // 0.1 summed fifty times and divided by fifty is not 0.1; the comparison must not see that.
    expect(tallyOf(repeated(runOf(standingBars(0.1, 300)), 20)).breadth()).toEqual(figures`
      stocks 20, advancers 0, decliners 0, aboveSma50 0, aboveSma200 0, newHighs252 0, newLows252 0`);
  });

  it('reads nothing beyond the row', () => {
    const seen = seeds.map((seed) => ({ ...runOf(dailyRecipe(seed, 300)), row: 270 }));
    const cut = seeds.map((seed) => {
      const { high, low, close } = dailyRecipe(seed, 300);
      const upTo = (column: Float64Array) => column.slice(0, 271);
      return { high: upTo(high), low: upTo(low), close: upTo(close), first: 0, row: 270 };
    });
    expect(tallyOf(seen).breadth()).toEqual(tallyOf(cut).breadth());
  });
});

describe('sectors', () => {
  it('count from three stocks with a 20-session return on', () => {
    const sectorsOf = (rows: readonly number[]) =>
      tallyOf(
        rows.map((count) => risingRun(count)),
        () => 'Utilities',
      ).sectors();
    expect(sectorsOf([21, 21])).toEqual([]);
    expect(sectorsOf([21, 21, 20])).toEqual([]);
    // 120 over 100 is 20 %, 120 over 115 4.35 %, 120 over 119 0.84 %; the young one is of the last day alone.
    const [sector] = sectorsOf([21, 21, 21, 2]);
    expect(sector).toMatchObject({ sector: 'Utilities', stocks: 4, rank: 1, of: 1 });
    expect(sector!.return20dPct).toBeCloseTo(20, 10);
    expect(sector!.return5dPct).toBeCloseTo((5 / 115) * 100, 10);
    expect(sector!.return1dPct).toBeCloseTo((3 * (100 / 119) + 1) / 4, 10);
  });

  it('sort by name when they are equal', () => {
    const names = ['Utilities', 'Energy', 'Materials'];
    const sectors = tallyOf(repeated(risingRun(30), 9), (at) => names[at % 3]!).sectors();
    expect(sectors.map(({ sector, rank }) => [sector, rank])).toEqual([
      ['Energy', 1],
      ['Materials', 2],
      ['Utilities', 3],
    ]);
  });
});
