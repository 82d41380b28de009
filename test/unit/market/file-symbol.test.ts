import { describe, expect, it } from 'vitest';
import { symbolOfFile } from '../../../src/market/feeds/file-symbol.ts';
import { words } from '../../support/tables.ts';

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
    ['^spx_d.csv', '^SPX'],
    ['spy_d.csv', 'SPY'],
    ['TVC_VIX, 1D.csv', '^VIX'],
    ['NASDAQ_AAPL, 1D_a1b2c.csv', 'AAPL'],
    ['AAPL.OQ.csv', 'AAPL'],
    ['BRK_B.csv', 'BRK.B'],
    ['GSPC.csv', '^SPX'],
    ['AAPL copy.csv', 'AAPL'],
  ])('of %s is %s', (name, symbol) => {
    expect(symbolOfFile(name)).toEqual({ symbol });
  });

  it.each<[string, string]>([
    ['prices.csv', 'no symbol'],
    ...words`portfolio results out file_1 Book1 test1 untitled df`.map((name): [string, string] => [
      `${name}.csv`,
      'no symbol',
    ]),
    ['9984.T.csv', 'listed in another country'],
    ['0700.HK.csv', 'listed in another country'],
    ['my_backup.csv', 'no symbol'],
    ['SHOP_TO.csv', '2 that could be symbols (SHOP, TO)'],
    ['SPY_QQQ.csv', '2 that could be symbols (SPY, QQQ)'],
    ['SAP.DE.csv', 'listed in another country'],
    ['ry.to_daily.csv', 'listed in another country'],
  ])('is not guessed of %s', (name, why) => {
    expect(symbolOfFile(name)).toEqual({ fault: expect.stringContaining(why) });
  });
});
