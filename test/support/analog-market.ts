import { midnightUtc, newYorkCalendar } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { asBars } from '../../src/market/series.ts';
import { dailyRecipe } from './daily-recipe.ts';

/** A made-up market of stocks that walk at random, with an index and its volatility, for tests of states. */

const calendar = newYorkCalendar();

export const ANALOG_STOCKS: readonly string[] = ['AA', 'BB', 'CC', 'DD', 'EE', 'FF'];

export function analogMarket(from: string, to: string): Extract<Delivery, { kind: 'bars' }>[] {
  const dates = calendar.sessionsBetween(from, to);
  return [...ANALOG_STOCKS, 'SPY', '^VIX'].map((symbol, seed) => {
    const columns = { ...dailyRecipe(40 + seed, dates.length), time: Float64Array.from(dates, midnightUtc) };
    return { kind: 'bars', symbol, interval: '1d', columns: asBars(columns) };
  });
}
