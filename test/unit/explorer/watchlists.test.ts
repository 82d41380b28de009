import { describe, expect, it } from 'vitest';
import { readScreen } from '../../../explorer/src/shared/screening/filter-text.ts';
import { READY_SCREENS } from '../../../explorer/src/screener/screen-search.ts';
import type { Watchlist } from '../../../explorer/src/shared/api/queries.ts';
import { chosenOf, MORNING } from '../../../explorer/src/shared/morning-lists.ts';
import { nextLevel, readSymbols, symbolsText, wholeSession } from '../../../explorer/src/stock/watchlists.ts';
import { listScreenFields } from '../../../src/api/screener/list-screen-fields.ts';

const { fields } = listScreenFields();

describe('the text of a list', () => {
  it.each([
    ['AAPL, msft;NVDA\nSPY', ['AAPL', 'MSFT', 'NVDA', 'SPY']],
    ['$AAPL NASDAQ:MSFT nyse_arca:spy', ['AAPL', 'MSFT', 'SPY']],
    ['###Big tech,NASDAQ:AAPL,###Funds,AMEX:SPY', ['AAPL', 'SPY']],
    ['# mine, of May\nBRK.B\n\n^SPX', ['BRK.B', '^SPX']],
    ['AAPL aapl AAPL', ['AAPL']],
    [' ,\n; ', []],
  ])('%j is read', (text, symbols) => expect(readSymbols(text)).toEqual(symbols));

  it('comes back as it was written', () => {
    const symbols = ['AAPL', 'BRK.B', '^SPX'];
    expect(readSymbols(symbolsText(symbols))).toEqual(symbols);
  });
});

describe('the next level of a line', () => {
  const side = (word: string, name: string, price: number, atr: number | null, pct: number) => ({
    [`level_ladder.${word}.name`]: name,
    [`level_ladder.${word}.price`]: price,
    [`level_ladder.${word}.distance_atr`]: atr,
    [`level_ladder.${word}.distance_pct`]: pct,
  });
  const above = side('nearest_resistance', 'pdh', 188.1, 0.31, 0.4);
  const below = side('nearest_support', 'developing_poc', 186.9, -0.18, -0.25);

  it('is the nearer of both sides, and both are said', () =>
    expect(nextLevel({ ...above, ...below })).toEqual({
      words: 'POC 0.2 below',
      tip: 'PDH 188.10, 0.31 ATR above\nPOC 186.90, 0.18 ATR below',
    }));
  it('is that of one side where the other has none', () =>
    expect(nextLevel(above)?.words).toBe('PDH 0.3 above'));
  it('is measured in percent without an ATR', () =>
    expect(nextLevel(side('nearest_resistance', 'pdh', 188.1, null, 0.4))?.words).toBe('PDH 0.4 % above'));
  it('is where the price is', () =>
    expect(nextLevel(side('nearest_support', 'vwap', 187, -0.01, -0.02))?.words).toBe('at VWAP'));
  it('is not known without any', () =>
    expect(nextLevel({ 'level_ladder.nearest_support.name': null })).toBeNull());
});

describe('a list of a morning', () => {
  it.each(Object.entries(MORNING))('%s is the ready screen of its name', (name, { filter, sort }) => {
    const ready = READY_SCREENS[name]!;
    expect(readScreen(ready.filter!, fields).filter).toEqual(filter);
    if (name !== 'Near a level') expect(sort).toEqual([{ field: ready.sort!.slice(1), order: 'desc' }]);
  });
});

describe('the list that is shown', () => {
  const lists = ['mine', 'funds'].map(
    (name): Watchlist => ({ name, symbols: [], screen: null, changed_at: '2024-03-05T14:50:00Z' }),
  );
  it.each([
    ['', 'list:mine'],
    ['list:funds', 'list:funds'],
    ['list:deleted', 'list:mine'],
    ['screen:Movers', 'screen:Movers'],
    ['screen:of an older version', 'list:mine'],
  ])('is of %j', (kept, chosen) => expect(chosenOf(kept, lists)).toBe(chosen));
  it('is none without lists', () => expect(chosenOf('list:mine', [])).toBe(''));
});

describe('the session of a past minute', () => {
  const clock = {
    trade_date: '2024-03-05',
    previous_session: '2024-03-04',
    phases: [
      { phase: 'regular', opens_at: '2024-03-05T14:30:00Z', closes_at: '2024-03-05T21:00:00Z' },
      { phase: 'after_hours', opens_at: '2024-03-05T21:00:00Z', closes_at: '2024-03-06T01:00:00Z' },
    ] as const,
  };
  it.each([
    ['2024-03-05T15:15:00Z', '2024-03-04'],
    ['2024-03-06T00:59:00Z', '2024-03-04'],
    ['2024-03-06T01:00:00Z', '2024-03-05'],
  ])('%s knows no end later than of %s', (asOf, date) =>
    expect(wholeSession(asOf, { ...clock, phases: [...clock.phases] })).toBe(date),
  );
  it('is not known without a clock', () =>
    expect(wholeSession('2024-03-05T15:15:00Z', undefined)).toBeNull());
});
