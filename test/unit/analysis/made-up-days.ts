import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import * as yauzl from 'yauzl';
import type { BarColumns, SessionBounds } from '../../../src/market/observations.ts';
import { columnsFrom, mapColumns, prefix } from '../../support/bar-columns.ts';
import { wholeBetween } from '../../support/for-all.ts';
import { realDataFile } from '../../support/real-data.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Session of a New York summer date (UTC-4) given as midnight UTC; `closeHour` 13 is a half day. */
export function summerSession(day: number, closeHour = 16): SessionBounds {
  const at = (hour: number): number => day + (hour + 4) * 60 * MINUTE;
  return { preOpen: at(4), open: at(9.5), close: at(closeHour), postClose: at(closeHour + 4) };
}

/** Open, high, low, close, volume of a bar that starts so many minutes after 09:30. */
export type Row = readonly [
  minute: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

export function barsFrom(start: number, rows: readonly Row[], barMinutes = 1): BarColumns {
  return columnsFrom((name, at) =>
    Float64Array.from(rows, (row) => (name === 'time' ? start + row[0] * barMinutes * MINUTE : row[at]!)),
  );
}

/** Bars that close at the given prices, one a minute, each from the close before; no wicks, 100 shares each. */
export function closesFrom(start: number, closes: readonly number[], first = closes[0]!): BarColumns {
  const rows = closes.map((close, at): Row => {
    const open = at === 0 ? first : closes[at - 1]!;
    return [at, open, Math.max(open, close), Math.min(open, close), close, 100];
  });
  return barsFrom(start, rows);
}

/** Only the rows that start before the instant. */
export function cutAt(columns: BarColumns, instant: number): BarColumns {
  const rows = columns.time.filter((time) => time < instant).length;
  return prefix(columns, rows);
}

export { mapColumns };

/** One-minute bars from `start` on in whole cents, with gaps, wicks and minutes without volume. */
export function barDay(start: number, maxBars = 420): fc.Arbitrary<BarColumns> {
  const step = fc.record({
    gap: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: wholeBetween(2, 20) }),
    jump: wholeBetween(-4, 4),
    move: wholeBetween(-25, 25),
    over: wholeBetween(0, 12),
    under: wholeBetween(0, 12),
    volume: fc.oneof(
      { weight: 15, arbitrary: wholeBetween(1, 90_000) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
  });
  return fc
    .tuple(wholeBetween(12_000, 60_000), fc.array(step, { minLength: 1, maxLength: maxBars, size: 'max' }))
    .map(([cents, steps]) => {
      let minute = -1;
      let price = cents;
      const rows = steps.map((each): Row => {
        minute += each.gap;
        const open = price + each.jump;
        price = open + each.move;
        const high = Math.max(open, price) + each.over;
        const low = Math.min(open, price) - each.under;
        return [minute, open / 100, high / 100, low / 100, price / 100, each.volume];
      });
      return barsFrom(start, rows);
    });
}

/** Path of a minute file in the Lean layout, or null where the real data is not there. */
export const leanMinuteFile = (symbol: string, date: string): string | null =>
  realDataFile(`lean/equity/usa/minute/${symbol}/${date}_trade.zip`);

/** Its bars, for a summer date: milliseconds since New York midnight, prices in hundredths of a cent. */
export async function leanMinutes(path: string, day: number): Promise<BarColumns> {
  const archive = await yauzl.openPromise(path);
  const { value: entry } = await archive.eachEntry()[Symbol.asyncIterator]().next();
  const lines = (await text(await archive.openReadStreamPromise(entry))).trim().split('\n');
  const numbers = lines.map((line) => line.split(',').map(Number));
  return columnsFrom((name, at) =>
    Float64Array.from(numbers, (row) => {
      if (name === 'time') return day + 4 * 60 * MINUTE + row[0]!;
      return name === 'volume' ? row[at]! : row[at]! / 10_000;
    }),
  );
}
