import { describe, expect, it } from 'vitest';
import { symbolOfFile } from '../../../src/market/feeds/file-symbol.ts';

describe('the symbol in the name of a file', () => {
  it.each([
    ['SPY.csv', 'SPY'],
    ['spy.us.txt', 'SPY'],
    ['spy_us_d.csv', 'SPY'],
    ['SPY_1min.csv', 'SPY'],
    ['BATS_SPY, 1D.csv', 'SPY'],
    ['NASDAQ_DLY_NDAQ, 15.csv', 'NDAQ'],
    ['SPY Historical Data.csv', 'SPY'],
    ['SPY_daily (1).csv', 'SPY'],
    ['BRK-B.csv', 'BRK.B'],
    ['^GSPC.csv', '^SPX'],
    ['VIX_History.csv', '^VIX'],
  ])('of %s is %s', (name, symbol) => {
    expect(symbolOfFile(name)).toEqual({ symbol });
  });

  it.each([
    ['prices.csv', 'no symbol'],
    ['SPY_QQQ.csv', '2 that could be symbols (SPY, QQQ)'],
    ['SAP.DE.csv', 'listed in another country'],
    ['ry.to_daily.csv', 'listed in another country'],
  ])('is not guessed of %s', (name, why) => {
    expect(symbolOfFile(name)).toEqual({ fault: expect.stringContaining(why) });
  });
});
