import { describe, expect, it } from 'vitest';
import { decimalMarkIn, isAbsent, writtenNumber, writtenSplit } from '../../../src/files/numbers.ts';

describe('numbers as sites write them', () => {
  const cases: readonly [text: string, value: number][] = [
    ['$438.73', 438.73],
    ['438.73 USD', 438.73],
    ['€ 12.5', 12.5],
    ['-$1,234.50', -1234.5],
    ['$-3', -3],
    ['−2.5', -2.5],
    ['(1,250)', -1250],
    ['($12.50)', -12.5],
    ['1,234,567.89', 1234567.89],
    ['1 234 567.89', 1234567.89],
    ["1'234.5", 1234.5],
    ['1\u202f234', 1234],
    ['68.75M', 68_750_000],
    ['1.2b', 1_200_000_000],
    ['312K', 312_000],
    ['2.5T', 2.5e12],
    ['25.3%', 0.253],
    ['1e-3', 0.001],
    ['.5', 0.5],
    ['7.', 7],
  ];
  it.each(cases)('reads %s', (text, value) => {
    expect(writtenNumber(text)).toBe(value);
  });

  it('reads a decimal comma where the file has one', () => {
    expect(writtenNumber('1.234.567,89', ',')).toBe(1234567.89);
    expect(writtenNumber('12,5', ',')).toBe(12.5);
    expect(writtenNumber('1.234', ',')).toBe(1234);
  });

  it.each(['12,34', '1,23,456', '1.2.3', '--5', '(-5)', '12 apples', 'Infinity', '1,234.5.6', '$', ''])(
    'takes %s for no number',
    (text) => {
      expect(writtenNumber(text)).toBeNaN();
    },
  );

  it('knows the words for no value', () => {
    const absent = ['', ' ', '-', '--', '—', 'None', 'null', 'NaN', 'N/A', 'n/a', 'NA', '#N/A', 'NaT', '.'];
    expect(absent.filter((text) => !isAbsent(text))).toEqual([]);
    expect(['0', 'x', '-1', 'nano'].filter(isAbsent)).toEqual([]);
  });
});

describe('the decimal mark of a file', () => {
  it.each([
    [['12.5', '1,234'], '.'],
    [['12,5', '1.234'], ','],
    [['1.234,50'], ','],
    [['1,234,567'], '.'],
    [['1.234.567'], ','],
    [['1.234', '5'], '.'],
    [['1,234', '5'], 'open'],
    [['12,5', '12.5'], 'both'],
    [['$1,234.50', '6.71M'], '.'],
  ])('of %j is %s', (texts, mark) => {
    expect(decimalMarkIn(texts)).toBe(mark);
  });
});

describe('a split', () => {
  it.each([
    ['10', '.', 10],
    ['0.1', '.', 0.1],
    ['10,0', ',', 10],
    ['10:1', '.', 10],
    ['1:10', '.', 0.1],
    ['3/2', '.', 1.5],
    ['2 for 1', '.', 2],
    ['', '.', 0],
    ['-', '.', 0],
    ['many', '.', Number.NaN],
  ] as const)('written %s with %s is %s shares for one', (text, mark, shares) => {
    expect(writtenSplit(text, mark)).toBe(shares);
  });
});
