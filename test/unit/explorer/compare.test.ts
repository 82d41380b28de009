import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedOf, readCompareSearch } from '../../../explorer/src/stock/compare/compare-search.ts';
import { percentLines, spread } from '../../../explorer/src/stock/compare/percent-lines.ts';

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

  it('have labels that keep apart within the field and in order', () => {
    const height = 400;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: height }), { minLength: 1, maxLength: 4 }), (wished) => {
        const placed = spread(wished, 16, height);
        const order = wished.map((_, at) => at).sort((a, b) => wished[a]! - wished[b]!);
        const sorted = order.map((at) => placed[at]!);
        expect(sorted.every((place) => place >= 0 && place <= height)).toBe(true);
        expect(sorted.slice(1).every((place, at) => place - sorted[at]! >= 16)).toBe(true);
      }),
    );
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
