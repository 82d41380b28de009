import { describe, expect, it } from 'vitest';
import { AT_THE_OPEN } from '../../../src/analysis/options/quotes.ts';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { classOf, SETTLEMENTS, settlementOf } from '../../../src/base/option-roots.ts';

const { isSession } = newYorkCalendar();

const settles = (
  underlying: string,
  root: string | null,
  date: string,
  style: 'american' | 'european' = 'european',
) => settlementOf({ underlying, root, style }, midnightUtc(date), isSession);

describe('the settlement of a contract', () => {
  // Facts of the exchanges' specifications and calendars.
  it.each([
    ['^SPX', 'SPX', '2024-06-21', 'open'],
    ['^SPX', 'SPXW', '2024-06-21', 'close'],
    // Good Friday and Juneteenth fell on the third Friday.
    ['^SPX', 'SPX', '2025-04-17', 'open'],
    ['^SPX', 'SPX', '2026-06-18', 'open'],
    ['^SPX', 'SPX', '2024-06-20', 'close'],
    // Until 2015 the date was the Saturday.
    ['^SPX', 'SPX', '2014-06-21', 'open'],
    ['^SPX', 'SPX', '2024-06-24', 'close'],
    ['^SPX', 'SPX', '2024-06-28', 'close'],
    ['^XSP', 'XSP', '2024-06-21', 'close'],
    ['^NDX', 'NDX', '2024-06-21', 'open'],
    ['^NDX', 'NDXP', '2024-06-21', 'close'],
    ['^RUT', 'RUT', '2024-06-21', 'open'],
    ['^RUT', 'RUTW', '2024-06-20', 'close'],
    ['^DJX', 'DJX', '2024-06-21', 'open'],
    // Volatility settles in the morning of every expiration.
    ['^VIX', 'VIX', '2024-06-18', 'open'],
    ['^VIX', 'VIXW', '2024-06-26', 'open'],
    ['^XEO', 'XEO', '2024-06-21', 'close'],
  ] as const)('%s of root %s on %s: at the %s', (underlying, root, date, expected) => {
    expect(settles(underlying, root, date)).toBe(expected);
  });

  it('of a stock, a fund and the American index option is the close', () => {
    expect(settles('AAPL', 'AAPL', '2024-06-21', 'american')).toBe('close');
    expect(settles('SPY', null, '2024-06-21', 'american')).toBe('close');
    expect(settles('^OEX', 'OEX', '2024-06-21', 'american')).toBe('close');
  });

  it('without a root is what all classes of the date have in common', () => {
    expect(settles('^SPX', null, '2024-06-21')).toBe('unknown');
    expect(settles('^SPX', null, '2024-06-24')).toBe('close');
    expect(settles('^VIX', null, '2024-06-26')).toBe('open');
    expect(settles('^XSP', null, '2024-06-21')).toBe('close');
  });

  it('at the open has the number that the mathematics knows', () => {
    expect(SETTLEMENTS[AT_THE_OPEN]).toBe('open');
  });

  it('is named by a symbol that is not the index too', () => {
    expect(['SPXW', 'SPX', 'XSP', 'AAPL'].map(classOf)).toEqual(['SPXW', null, null, null]);
  });

  it('of a class that is not in the table is unknown', () => {
    expect(settles('^SPX', 'SPXQ', '2024-06-24')).toBe('unknown');
    expect(settles('^MXEA', 'MXEA', '2024-06-24')).toBe('unknown');
    expect(settles('DAX', 'DAX', '2024-06-24')).toBe('unknown');
  });
});
