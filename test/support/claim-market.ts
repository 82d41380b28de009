import { newYorkCalendar } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import { asBars } from '../../src/market/series.ts';
import { mulberry32 } from './daily-recipe.ts';
import { madeChain } from './made-chain.ts';
import { type BarRow, barsOf } from './tape.ts';

/** A made-up market of stocks with daily bars and, for a few sessions, minutes: some levels, patterns and scores each day. */

const calendar = newYorkCalendar();

export const CLAIM_STOCKS: readonly string[] = Array.from(
  { length: 14 },
  (_, at) => `S${String.fromCharCode(65 + at)}`,
);

export interface ClaimDelivery extends Extract<Delivery, { kind: 'bars' }> {}

/** Daily bars of every stock from one date to another, each the same whichever dates are asked for. */
export function claimDays(first: string, from: string, to: string): ClaimDelivery[] {
  const dates = calendar.sessionsBetween(first, to);
  return CLAIM_STOCKS.map((symbol, stock) => {
    const draw = mulberry32(1_000 + stock);
    let close = 50 + 10 * stock;
    const rows = dates.map((date): BarRow => {
      const open = close * (1 + 0.004 * (draw() - 0.5));
      close = open * (1 + 0.04 * (draw() + draw() - 1));
      const [high, low] = [
        Math.max(open, close) * (1 + 0.01 * draw()),
        Math.min(open, close) * (1 - 0.01 * draw()),
      ];
      return [calendar.session(date)!.midnight, open, high, low, close, 1_000_000].map(
        round,
      ) as unknown as BarRow;
    });
    const kept = rows
      .filter((_, at) => dates[at]! >= from)
      .map(
        ([, ...prices], at): BarRow => [
          Date.parse(
            `${dates[dates.length - rows.filter((_, row) => dates[row]! >= from).length + at]}T00:00:00Z`,
          ),
          ...prices,
        ],
      );
    return { kind: 'bars', symbol, interval: '1d', columns: asBars(barsOf('bars-1d', kept)) };
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Minutes of a stock on a session: a walk from its open to its close within its range. */
export function claimMinutes(
  days: readonly ClaimDelivery[],
  symbol: string,
  dates: readonly string[],
): ClaimDelivery {
  const { columns } = days.find((delivery) => delivery.symbol === symbol)!;
  const rows = dates.flatMap((date): BarRow[] => {
    const row = columns.time.indexOf(Date.parse(`${date}T00:00:00Z`));
    const { open: start, close: end } = calendar.session(date)!;
    const minutes = (end - start) / 60_000;
    const draw = mulberry32(row * 31 + symbol.charCodeAt(1));
    const [open, high, low, close] = [columns.open, columns.high, columns.low, columns.close].map(
      (column) => column[row]!,
    );
    const [first, second] = draw() < 0.5 ? [high!, low!] : [low!, high!];
    const turns = [open!, first, second, close!];
    let before = open!;
    return Array.from({ length: minutes }, (_, minute): BarRow => {
      const part = ((minute + 1) / minutes) * 3;
      const leg = Math.min(2, Math.floor(part));
      const along = turns[leg]! + (turns[leg + 1]! - turns[leg]!) * (part - leg);
      const price = round(Math.min(high!, Math.max(low!, along + 0.15 * (high! - low!) * (draw() - 0.5))));
      const bar: BarRow = [
        start + minute * 60_000,
        before,
        Math.max(before, price),
        Math.min(before, price),
        price,
        2_000,
      ];
      before = price;
      return bar;
    });
  });
  return { kind: 'bars', symbol, interval: '1m', columns: asBars(barsOf('bars-1m', rows)) };
}

/** Chains of a stock, one in each session. */
export const claimChains = (
  days: readonly ClaimDelivery[],
  symbol: string,
  dates: readonly string[],
): Delivery[] => {
  const { columns } = days.find((delivery) => delivery.symbol === symbol)!;
  return dates.map((date) => {
    const spot = columns.close[columns.time.indexOf(Date.parse(`${date}T00:00:00Z`))]!;
    const strikes = Array.from({ length: 21 }, (_, at) => Math.round(spot * (0.7 + 0.03 * at)));
    const expirations = ['2025-06-20', '2025-07-18', '2025-09-19'];
    return { kind: 'chain', chain: madeChain({ symbol, date, spot, strikes, expirations }) };
  });
};
