import { mean } from '../statistics.ts';
import type { PatternLine, SwingPoint } from './finding.ts';

export function priceAt(line: PatternLine, row: number): number {
  const rows = line.toRow - line.fromRow;
  if (rows === 0) return line.toPrice;
  return line.fromPrice + ((line.toPrice - line.fromPrice) * (row - line.fromRow)) / rows;
}

export function flatLine(fromRow: number, toRow: number, price: number): PatternLine {
  return { fromRow, fromPrice: price, toRow, toPrice: price };
}

export function lineThrough(from: SwingPoint, to: SwingPoint): PatternLine {
  return { fromRow: from.row, fromPrice: from.price, toRow: to.row, toPrice: to.price };
}

/** Dollars per row. */
export function slopeOf(line: PatternLine): number {
  return line.toRow === line.fromRow ? 0 : (line.toPrice - line.fromPrice) / (line.toRow - line.fromRow);
}

/**
 * Least-squares line through three swings, as its values at the first and the third. Rows are counted from the first
 * swing, so that the digits do not hang on where the window begins.
 */
export function lineThroughThree(a: SwingPoint, b: SwingPoint, c: SwingPoint): PatternLine {
  const meanRow = (b.row - a.row + c.row - a.row) / 3;
  const meanPrice = (a.price + b.price + c.price) / 3;
  const da = -meanRow;
  const db = b.row - a.row - meanRow;
  const dc = c.row - a.row - meanRow;
  const slope =
    (da * (a.price - meanPrice) + db * (b.price - meanPrice) + dc * (c.price - meanPrice)) /
    (da * da + db * db + dc * dc);
  return {
    fromRow: a.row,
    fromPrice: meanPrice + slope * da,
    toRow: c.row,
    toPrice: meanPrice + slope * dc,
  };
}

/**
 * Least-squares line of a column over rows `from`..`to`, both included, pushed outward (`side` 1: up, -1: down) until
 * no row lies beyond it: the boundary as a trader draws it along the extremes.
 */
export function envelopeLine(column: Float64Array, from: number, to: number, side: 1 | -1): PatternLine {
  const count = to - from + 1;
  const meanRow = (from + to) / 2;
  let meanPrice = 0;
  for (let row = from; row <= to; row++) meanPrice += column[row]!;
  meanPrice /= count;
  let covariance = 0;
  let variance = 0;
  for (let row = from; row <= to; row++) {
    covariance += (row - meanRow) * (column[row]! - meanPrice);
    variance += (row - meanRow) * (row - meanRow);
  }
  const slope = variance === 0 ? 0 : covariance / variance;
  let shift = 0;
  for (let row = from; row <= to; row++) {
    const beyond = side * (column[row]! - meanPrice - slope * (row - meanRow));
    if (beyond > shift) shift = beyond;
  }
  const middle = meanPrice + side * shift;
  return {
    fromRow: from,
    fromPrice: middle + slope * (from - meanRow),
    toRow: to,
    toPrice: middle + slope * (to - meanRow),
  };
}

/** A fit measure: 0 at `worst` and beyond, 1 at `best` and beyond, straight in between; what is not known fits badly. */
export function fitBetween(value: number, worst: number, best: number): number {
  const share = (value - worst) / (best - worst);
  return share > 0 ? Math.min(share, 1) : 0;
}

/** `fitBetween` of a volume over one before; NaN where one is not known, which speaks for no pattern and against none. */
export const volumeFit = (volume: number, before: number, worst: number, best: number): number =>
  Number.isNaN(volume) || Number.isNaN(before) ? Number.NaN : fitBetween(volume / before, worst, best);

/** The mean of the fit measures that are known. */
export const meanFit = (...fits: readonly number[]): number => mean(fits.filter((fit) => !Number.isNaN(fit)));
