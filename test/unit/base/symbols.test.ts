import { describe, expect, it } from 'vitest';
import { isOptionIndex } from '../../../src/base/option-roots.ts';
import { canonicalSymbol } from '../../../src/base/symbols.ts';

describe('a symbol', () => {
  it.each([
    ['aapl', 'AAPL'],
    ['BRK-B', 'BRK.B'],
    ['brk/b', 'BRK.B'],
    ['BRK.B', 'BRK.B'],
    ['^spx', '^SPX'],
    ['SPX', '^SPX'],
    ['spxw', '^SPX'],
    ['NDXP', '^NDX'],
    ['NQX', '^NQX'],
    ['VIX', '^VIX'],
    ['GOOG.US', 'GOOG'],
    ['BATS:SPY', 'SPY'],
    ['NYSE:BRK.B', 'BRK.B'],
    ['AAPL US Equity', 'AAPL'],
    ['$AAPL', 'AAPL'],
    ['$SPX', '^SPX'],
    ['$SPX.X', '^SPX'],
    ['SPX.XO', '^SPX'],
    ['I:SPX', '^SPX'],
    ['SPX Index', '^SPX'],
    ['^GSPC', '^SPX'],
    // No share class: a pair, a preferred share, a ticker that ends as a root does.
    ['BTC-USD', 'BTC-USD'],
    ['BAC-PL', 'BAC-PL'],
    ['SPXC', 'SPXC'],
  ])('%s is kept as %s', (written, kept) => {
    expect(canonicalSymbol(written)).toBe(kept);
    expect(canonicalSymbol(kept)).toBe(kept);
  });

  it('is an index with options or not', () => {
    expect([isOptionIndex('^SPX'), isOptionIndex('SPX'), isOptionIndex('^GSPC')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
