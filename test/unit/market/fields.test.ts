import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { announcedSplit, decimal, fieldScanner, fieldText, tickerOf } from '../../../src/files/fields.ts';
import { words } from '../../support/tables.ts';

const decimalOf = (text: string): number => {
  const bytes = Buffer.from(text);
  return decimal(bytes, 0, bytes.length);
};

describe('decimal', () => {
  it('is the very double that Number reads, for every finite number however it is written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimalOf(String(value))).toBe(Number(String(value)));
        expect(decimalOf(value.toExponential())).toBe(Number(value.toExponential()));
      }),
    );
  });

  it('is exact for prices and volumes', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(8), (mantissa, decimals) => {
        const text = (mantissa / 10 ** decimals).toFixed(decimals);
        expect(decimalOf(text)).toBe(Number(text));
        expect(decimalOf(` -${text} `)).toBe(-Number(text));
      }),
    );
    expect(decimalOf('12345678901234567890.123456789')).toBe(Number('12345678901234567890.123456789'));
    expect(decimalOf('0.30000000000000004')).toBe(0.30000000000000004);
    expect(decimalOf('.5')).toBe(0.5);
    expect(decimalOf('5.')).toBe(5);
  });

  it('is no number where a reader would have to guess', () => {
    for (const text of [
      '',
      ' ',
      '-',
      '.',
      '1,234',
      '1_000',
      '12a',
      'NaN',
      'Infinity',
      '0x10',
      '1.2.3',
      '--1',
      '$5',
      '5%',
      '1 2',
    ]) {
      expect(decimalOf(text), text).toBeNaN();
    }
  });
});

describe('fieldScanner', () => {
  const fieldsOf = (line: string, delimiter = ','): string[] | null => {
    const scanner = fieldScanner(delimiter);
    const bytes = Buffer.from(`xx${line}yy`);
    const count = scanner.scan(bytes, 2, bytes.length - 2);
    if (count < 0) return null;
    return Array.from({ length: count }, (_, at) => fieldText(bytes, scanner.starts[at]!, scanner.ends[at]!));
  };

  it('cuts what a writer joined', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', '.', ',', '"', ';') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (fields) => {
        const line = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
        expect(fieldsOf(line)).toEqual(fields.map((field) => field.replaceAll('"', '""')));
      }),
    );
  });

  it('keeps empty fields, also the last', () => {
    expect(fieldsOf('a,,c,')).toEqual(['a', '', 'c', '']);
    expect(fieldsOf('')).toEqual(['']);
    expect(fieldsOf('a;"b;c"', ';')).toEqual(['a', 'b;c']);
  });

  it('knows broken quoting', () => {
    expect(fieldsOf('"a,b')).toBeNull();
    expect(fieldsOf('"a"b,c')).toBeNull();
    expect(fieldsOf(','.repeat(600))).toBeNull();
  });
});

describe('tickerOf', () => {
  it('writes share classes behind a dot and knows what is no ticker', () => {
    expect(['brk-b', 'BRK/B', ' BRK.B ', '^vix', 'FB.1', 'aapl'].map(tickerOf)).toEqual(
      words`BRK.B BRK.B BRK.B ^VIX FB.1 AAPL`,
    );
    for (const text of [
      '',
      ' ',
      '12',
      'vix-daily',
      'A B',
      '../X',
      'AAPL;DROP',
      'TOOLONGTICKER',
      '^',
      'RY.TO',
      'VOD.L',
    ]) {
      expect(tickerOf(text), text).toBeNull();
    }
  });
});

describe('announcedSplit', () => {
  it('finds the ratio that was announced', () => {
    // AAPL 2014 from Lean's factors and from Alpha Vantage; GE 2021 1:8 and a 3:2 to seven digits.
    expect(announcedSplit(0.25 / 0.0357143)).toBe(7);
    expect(announcedSplit(7.000007)).toBe(7);
    expect(announcedSplit(0.125)).toBe(1 / 8);
    expect(announcedSplit(1.4999996)).toBe(1.5);
    expect(announcedSplit(1 / 30)).toBe(1 / 30);
    // Alphabet's class C dividend of 2015: 1.0027 new shares for one.
    expect(announcedSplit(1 / 0.997307)).toBe(1.0027);
  });
});
