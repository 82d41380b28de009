import { describe, expect, it } from 'vitest';
import { bollinger } from '../../../src/analysis/indicators/bollinger.ts';
import { technicalColumns } from '../../../src/analysis/indicators/technical-columns.ts';
import { atr } from '../../../src/analysis/indicators/true-range.ts';
import {
  averageDollarVolume,
  averageVolume,
  momentumBlend,
  momentumSlope,
} from '../../../src/analysis/momentum.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { dailyRecipe } from '../../support/daily-recipe.ts';
import { ABSENT, realDataFile } from '../../support/real-data.ts';
import { realDailies, referenceTable } from '../../support/reference-columns.ts';

/** Our columns under the names of the reference tables; see fixtures/indicators/metadata.json. */
function ourColumns({ high, low, close, volume }: BarColumns): Map<string, Float64Array> {
  const byRow = (figure: (row: number) => number) => Float64Array.from(close, (_, row) => figure(row));
  const technical = Object.entries(technicalColumns(high, low, close));
  return new Map([
    ...technical.map(([name, column]) => [name.replace(/[A-Z]/, '_$&').toLowerCase(), column] as const),
    ['atr20', atr(high, low, close, 20)],
    ['bollinger_middle', bollinger(close).middle],
    ['momentum_blend', byRow((row) => momentumBlend(close, row))],
    ['momentum_slope_60d', byRow((row) => momentumSlope(close, row))],
    ['volume_mean5', byRow((row) => averageVolume(volume, row, 5))],
    ['volume_mean20', byRow((row) => averageVolume(volume, row, 20))],
    ['dollar_volume_mean20', byRow((row) => averageDollarVolume(close, volume, row, 20))],
  ]);
}

/** What the tables hold besides. */
const OTHER_COLUMNS = new Set('row symbol date volume_slope20 true_range plus_di14 minus_di14'.split(' '));

/** 1e-9 for prices and percentages; a figure in the millions is right to the same number of digits. */
function expectSame(ours: number, reference: string, what: string): void {
  if (reference === '') {
    expect(ours, what).toBeNaN();
    return;
  }
  const tolerance = 1e-9 * Math.max(1, Math.abs(Number(reference)) / 1000);
  expect(Math.abs(ours - Number(reference)), what).toBeLessThan(tolerance);
}

describe('the indicators against TA-Lib and numpy', () => {
  const { columns, rows } = referenceTable('recipe-columns.csv');
  const ours = ourColumns(dailyRecipe(1000, rows.length));

  for (const name of new Set([...ours.keys(), ...columns.filter((column) => !OTHER_COLUMNS.has(column))])) {
    it(`${name}: every row of the recipe`, () => {
      for (const [row, cells] of rows.entries()) {
        expectSame(ours.get(name)![row]!, cells.get(name)!, `${name} row ${row}`);
      }
    });
  }

  for (const symbol of ['SPY', 'AAPL', 'JPM']) {
    it(`every column on the recorded dailies of ${symbol}`, ({ skip }) => {
      const file = realDataFile('daily/recent_daily_2024_2026.csv.gz');
      if (file === null) skip(ABSENT);
      const { dates, bars } = realDailies(file!, symbol);
      const real = ourColumns(bars);
      const table = referenceTable('real-columns.csv');
      const checked = table.rows.filter((cells) => cells.get('symbol') === symbol);
      expect(checked.length).toBe(11);
      for (const cells of checked) {
        const row = dates.indexOf(cells.get('date')!);
        for (const name of table.columns.filter((column) => !OTHER_COLUMNS.has(column))) {
          expectSame(real.get(name)![row]!, cells.get(name)!, `${symbol} ${cells.get('date')} ${name}`);
        }
      }
    });
  }
});
