import { describe, expect, it } from 'vitest';
import {
  averageDollarVolume,
  averageVolume,
  momentumBlend,
  momentumSlope,
  relativeVolume,
  relativeVolume5d,
  returnPct,
  volumeTrend,
} from '../../../src/analysis/momentum.ts';
import { dailyRecipe } from '../../support/daily-recipe.ts';
import { referenceTable } from '../../support/reference-columns.ts';

const column = (rows: number, value: (row: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, row) => value(row));

describe('momentumBlend', () => {
  it('weighs the three returns', () => {
    // Row 90 is 121; 60 sessions before it 110 (+10 %), 90 before 100 (+21 %), 20 before 96.8 (+25 %):
    // 0.5 x 10 + 0.3 x 21 + 0.2 x 25 = 16.3.
    const close = column(91, (row) => (row === 0 ? 100 : row === 30 ? 110 : row === 70 ? 96.8 : 121));
    expect(momentumBlend(close, 90)).toBeCloseTo(16.3, 10);
    expect(momentumBlend(close, 89)).toBeNaN();
    expect(returnPct(close, 90, 20)).toBeCloseTo(25, 10);
    expect(returnPct(close, 91, 20)).toBeNaN();
  });
});

describe('momentumSlope', () => {
  it('is the rate of a price that grows evenly', () => {
    // ln(close) rises by 0.001 a session: 0.001 x 252 x 100 = 25.2 percent a year.
    const close = column(80, (row) => 40 * Math.exp(0.001 * row));
    expect(momentumSlope(close, 79)).toBeCloseTo(25.2, 9);
    expect(momentumSlope(close, 59)).toBeCloseTo(25.2, 9);
    expect(momentumSlope(close, 58)).toBeNaN();
  });
});

describe('volume', () => {
  it('is compared with the 20 sessions that end with its own', () => {
    // Nineteen sessions of 100 and one of 480: mean 119, ratio 480 / 119; the last five: (4 x 100 + 480) / 5
    // = 176.
    const volume = column(20, (row) => (row === 19 ? 480 : 100));
    expect(relativeVolume(volume, 19)).toBeCloseTo(480 / 119, 12);
    expect(relativeVolume5d(volume, 19)).toBeCloseTo(176 / 119, 12);
    expect(relativeVolume(volume, 18)).toBeNaN();
    expect(relativeVolume5d(volume, 18)).toBeNaN();
  });

  it('reads nothing behind the row', () => {
    const volume = column(30, (row) => (row > 20 ? 1e9 : 100 + row));
    expect(relativeVolume(volume, 20)).toBe(relativeVolume(volume.slice(0, 21), 20));
    expect(volumeTrend(volume, 20)).toBe(volumeTrend(volume.slice(0, 21), 20));
  });

  it('has no ratio when nothing has traded', () => {
    expect(relativeVolume(new Float64Array(25), 24)).toBeNaN();
    expect(relativeVolume5d(new Float64Array(25), 24)).toBeNaN();
    expect(volumeTrend(new Float64Array(25), 24)).toBeNull();
  });

  it('averages shares and dollars', () => {
    const volume = column(4, (row) => 100 * (row + 1));
    const close = column(4, (row) => 10 + row);
    // Last three: (200 + 300 + 400) / 3 shares; (200 x 11 + 300 x 12 + 400 x 13) / 3 dollars.
    expect(averageVolume(volume, 3, 3)).toBe(300);
    expect(averageDollarVolume(close, volume, 3, 3)).toBeCloseTo(11_000 / 3, 9);
    expect(averageVolume(volume, 3, 5)).toBeNaN();
    expect(averageDollarVolume(close, volume, 3, 5)).toBeNaN();
    expect(averageVolume(volume, -1, 3)).toBeNaN();
  });
});

describe('volumeTrend', () => {
  // A straight line through 20 volumes whose mean is 1,000: it changes by 19 x step from end to end.
  const line = (change: number): Float64Array => column(20, (row) => 1000 + ((row - 9.5) * change) / 19);

  it('takes a change beyond 30 % of the mean for a trend, on either side', () => {
    expect(volumeTrend(line(301), 19)).toBe('increasing');
    expect(volumeTrend(line(299), 19)).toBe('stable');
    expect(volumeTrend(line(0), 19)).toBe('stable');
    expect(volumeTrend(line(-299), 19)).toBe('stable');
    expect(volumeTrend(line(-301), 19)).toBe('decreasing');
    expect(volumeTrend(line(500), 18)).toBeNull();
  });

  it("follows TA-Lib's regression slope on every row of the recipe", () => {
    const { rows } = referenceTable('recipe-columns.csv');
    const { volume } = dailyRecipe(1000, rows.length);
    const seen = new Set<string>();
    for (const [row, cells] of rows.entries()) {
      if (row < 19) continue;
      const change = (Number(cells.get('volume_slope20')) * 19) / Number(cells.get('volume_mean20'));
      const expected = change > 0.3 ? 'increasing' : change < -0.3 ? 'decreasing' : 'stable';
      expect(volumeTrend(volume, row)).toBe(expected);
      seen.add(expected);
    }
    expect(seen.size).toBe(3);
  });
});
