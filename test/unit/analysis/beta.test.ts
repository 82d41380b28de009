import { describe, expect, it } from 'vitest';
import { BETA_RETURNS_MIN, beta } from '../../../src/analysis/beta.ts';

const DAY = 86_400_000;

/** Closes that follow from 100 by simple returns, one a day. */
function path(returns: readonly number[]) {
  const close = [100];
  for (const one of returns) close.push(close.at(-1)! * (1 + one));
  return { time: close.map((_, row) => row * DAY), close };
}

const marketReturn = (row: number): number => 0.01 * Math.sin(row);
const stockReturn = (row: number): number => 1.3 * marketReturn(row) + 0.005 * Math.cos(3 * row);
const returns = (of: (row: number) => number, count: number): number[] =>
  Array.from({ length: count }, (_, row) => of(row));

const index = path(returns(marketReturn, 300));
const stock = path(returns(stockReturn, 300));
const without = ({ time, close }: typeof stock, row: number) => ({
  time: time.toSpliced(row, 1),
  close: close.toSpliced(row, 1),
});

describe('beta', () => {
  // References: statistics.linear_regression of Python 3 on the same returns.
  it('is the slope of the last 252 returns', () => {
    expect(beta(stock, index)).toBeCloseTo(1.2991616439039955, 10);
  });

  it('matches closes by date and spans a date that the stock lacks', () => {
    expect(beta(without(stock, 250), index)).toBeCloseTo(1.2977061274432045, 10);
  });

  it('spans a date that the index lacks in the same way', () => {
    expect(beta(stock, without(index, 250))).toBeCloseTo(1.2977061274432045, 10);
  });

  it('passes over dates of the stock alone, beyond either end of the index too', () => {
    const shorter = { time: index.time.slice(40, 290), close: index.close.slice(40, 290) };
    const cut = { time: stock.time.slice(40, 290), close: stock.close.slice(40, 290) };
    expect(beta(stock, shorter)).toBe(beta(cut, shorter));
  });

  it('needs 126 common returns', () => {
    const last = (count: number) => ({ time: stock.time.slice(-count), close: stock.close.slice(-count) });
    // 127 closes make 126 returns. Python on the last 126: 1.29747055040063.
    expect(beta(last(BETA_RETURNS_MIN + 1), index)).toBeCloseTo(1.29747055040063, 10);
    expect(beta(last(BETA_RETURNS_MIN), index)).toBeNaN();
  });

  it('is 1 of the index itself, -2 of its double turned round, and unknown against an index that does not move', () => {
    expect(beta(index, index)).toBeCloseTo(1, 12);
    expect(beta(path(returns((row) => -2 * marketReturn(row), 300)), index)).toBeCloseTo(-2, 10);
    expect(beta(stock, path(returns(() => 0, 300)))).toBeNaN();
    expect(beta({ time: [], close: [] }, index)).toBeNaN();
  });
});
