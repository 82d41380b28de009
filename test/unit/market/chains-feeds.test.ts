import { describe, expect, it } from 'vitest';
import { downloadedAt } from '../../../src/files/chains/cboe-table.ts';
import { contractSymbol } from '../../../src/files/chains/contracts.ts';

describe('option symbols', () => {
  it('are read in the form of the clearing house, padded or not', () => {
    const aapl = { root: 'AAPL', expiration: Date.UTC(2026, 7, 21), right: 1, strike: 110 };
    expect(contractSymbol('AAPL260821C00110000')).toEqual(aapl);
    expect(contractSymbol('AAPL  260821C00110000')).toEqual(aapl);
    expect(contractSymbol('SPX251219P12000000')).toMatchObject({ right: -1, strike: 12_000 });
    expect(contractSymbol('XLF260717C00056500')).toMatchObject({ strike: 56.5 });
    expect(contractSymbol('AAPL1260821C00110000')).toMatchObject({ root: 'AAPL1' });
  });

  it('are none of what has no such date or form', () => {
    const others = ['AAPL260231C00110000', 'AAPL260821X00110000', 'AAPL260821C110', '', 'AAPL'];
    expect(others.map(contractSymbol)).toEqual(others.map(() => null));
  });
});

it('quote tables of Cboe date themselves in several shapes', () => {
  const instant = (line: string) => downloadedAt(`SPDR,Last: 1\n${line}\n`);
  const end = (text: string) => Date.parse(text) + 59_999;
  expect(instant('"Date: September 14, 2023 at 4:31 PM EDT",Bid: 1')).toBe(end('2023-09-14T20:31:00Z'));
  expect(instant('Date: 22 March 2024, 9:46 PM EDT,Bid: 445.65')).toBe(end('2024-03-23T01:46:00Z'));
  expect(instant('"Date: January 6, 2025 at 9:26 PM EST",Bid: 1')).toBe(end('2025-01-07T02:26:00Z'));
  expect(instant('Date: Jan 6 2025 12:05 AM ET')).toBe(end('2025-01-06T05:05:00Z'));
  expect(instant('Date: July 6, 2025 at 12:05 PM')).toBe(end('2025-07-06T16:05:00Z'));
  expect(instant('"Date: July 9, 2022 at 5:28 p.m. EDT",Bid: 1')).toBe(end('2022-07-09T21:28:00Z'));
  expect(instant('Jul 16 2018 @ 10:15 ET,Bid,--,Ask,--')).toBe(end('2018-07-16T14:15:00Z'));
  expect(instant('Date: February 30, 2025 at 9:26 PM EST')).toBeNaN();
  expect(instant('Date: January 6, 2025')).toBeNaN();
  expect(instant('Date: January 6, 2025 at 19:26 PM EST')).toBeNaN();
});
