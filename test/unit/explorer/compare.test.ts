import { describe, expect, it } from 'vitest';
import { comparedOf, readCompareSearch } from '../../../explorer/src/stock/compare/compare-search.ts';
import { percentLines } from '../../../explorer/src/stock/compare/percent-lines.ts';

describe('stocks on one scale', () => {
  it('begin at the first open and lie at the times of all', () => {
    const bars = [
      { symbol: 'A', time: ['09:30', '09:35'], open: [100, 101], close: [101, 102] },
      { symbol: 'B', time: ['09:35', '09:40'], open: [50, 50], close: [49, 50] },
    ];
    expect(percentLines(bars)).toEqual({
      times: ['09:30', '09:35', '09:40'],
      lines: [
        {
          symbol: 'A',
          points: [
            [0, expect.closeTo(1)],
            [1, expect.closeTo(2)],
          ],
        },
        {
          symbol: 'B',
          points: [
            [1, expect.closeTo(-2)],
            [2, 0],
          ],
        },
      ],
    });
  });
});

describe('an address of the page Compare', () => {
  it.each([
    ['aapl,msft', ['AAPL', 'MSFT']],
    ['A,B,A, C D,E', ['A', 'B', 'C', 'D']],
    ['', []],
    [undefined, []],
  ])('%j names %j', (text, symbols) => expect(comparedOf(text)).toEqual(symbols));
  it('leaves out what it cannot read', () =>
    expect(readCompareSearch({ symbols: 'A,B', as_of: 'noon', view: 'pie', since: 'May' })).toEqual({
      symbols: 'A,B',
    }));
});
