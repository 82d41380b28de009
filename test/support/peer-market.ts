import { midnightUtc, newYorkCalendar } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { asBars } from '../../src/market/series.ts';
import { type BarRow, barsOf } from './tape.ts';

/** A made-up market of two groups of stocks that move together, for tests of who is whose peer. */

const calendar = newYorkCalendar();

export const GROUP_SIZE = 6;
export const PEER_SYMBOLS: readonly string[] = ['A', 'B'].flatMap((group) =>
  Array.from({ length: GROUP_SIZE }, (_, at) => `${group}${at}`),
);

/** Bars of every stock, each from its own seed; the last session of `from` to `to` moves as `lastReturns` says. */
export function peerMarket(
  from: string,
  to: string,
  lastReturns: Readonly<Record<string, number>> = {},
): Extract<Delivery, { kind: 'bars' }>[] {
  const dates = calendar.sessionsBetween(from, to);
  return PEER_SYMBOLS.map((symbol, stock) => {
    let close = 100;
    const rows = dates.map((date, at): BarRow => {
      const day = midnightUtc(date) / 86_400_000;
      const group = symbol.startsWith('A') ? 0 : 1;
      const move = 0.01 * noise(day, 100) + 0.01 * noise(day, 200 + group) + 0.008 * noise(day, stock);
      const given = at === dates.length - 1 ? lastReturns[symbol] : undefined;
      close *= 1 + (given ?? move);
      return [midnightUtc(date), close, close * 1.001, close * 0.999, close, 100_000];
    });
    return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', rows)) };
  });
}

/** A number between -1 and 1 that follows from the two. */
function noise(day: number, seed: number): number {
  let mixed = Math.imul(day * 2_654_435_761 + seed * 40_503, 0x9e3779b1) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2_147_483_648 - 1;
}
