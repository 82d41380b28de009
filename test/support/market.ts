import { midnightUtc, newYorkCalendar } from '../../src/base/calendar.ts';
import type { Delivery } from '../../src/market/feed.ts';
import type { BarColumns } from '../../src/market/observations.ts';
import { asBars } from '../../src/market/series.ts';
import { mapColumns } from './bar-columns.ts';
import { type BarRow, barsOf } from './tape.ts';

/** A small made-up market whose every row follows from its place, for tests of what moves rows. */

const calendar = newYorkCalendar();

/** A wave around a base price; different for every symbol, the same on every run. */
const priceOn = (seed: number, step: number): number =>
  100 + seed * 10 + 5 * Math.sin(step / 9 + seed) + 2 * Math.sin(step / 2.3);

export function dailyBars(symbol: string, from: string, to: string): Extract<Delivery, { kind: 'bars' }> {
  const seed = symbol.charCodeAt(0) % 7;
  const rows = calendar.sessionsBetween(from, to).map((date): BarRow => {
    const step = midnightUtc(date) / 86_400_000;
    const [open, close] = [priceOn(seed, step), priceOn(seed, step + 0.7)];
    const volume = 1_000_000 + 200_000 * Math.round(3 * Math.sin(step / 5));
    return [midnightUtc(date), open, Math.max(open, close) + 1, Math.min(open, close) - 1, close, volume];
  });
  return { kind: 'bars', symbol, interval: '1d', columns: bars('bars-1d', rows) };
}

/** One-minute bars of the regular sessions, flat in volume, and a few before the open. */
export function minuteBars(symbol: string, from: string, to: string): Extract<Delivery, { kind: 'bars' }> {
  const seed = symbol.charCodeAt(0) % 7;
  const rows = calendar.sessionsBetween(from, to).flatMap((date) => {
    const session = calendar.session(date)!;
    const times: number[] = [];
    for (let time = session.open - 5 * 60_000; time < session.close; time += 60_000) times.push(time);
    return times.map((time): BarRow => {
      const step = (time / 60_000) % 100_000;
      const [open, close] = [priceOn(seed, step), priceOn(seed, step + 0.5)];
      return [time, open, Math.max(open, close) + 0.2, Math.min(open, close) - 0.2, close, 1_000];
    });
  });
  return { kind: 'bars', symbol, interval: '1m', columns: bars('bars-1m', rows) };
}

const bars = (kind: 'bars-1d' | 'bars-1m', rows: readonly BarRow[]): BarColumns => asBars(barsOf(kind, rows));

/** The same delivery with every row from an instant on made into something else. */
export function alteredAfter(
  delivery: Extract<Delivery, { kind: 'bars' }>,
  instant: number,
  factor: number,
): Extract<Delivery, { kind: 'bars' }> {
  const alter = (column: Float64Array): Float64Array =>
    column.map((value, row) => (delivery.columns.time[row]! >= instant ? value * factor : value));
  const columns = mapColumns(delivery.columns, (column, name) => (name === 'time' ? column : alter(column)));
  return { ...delivery, columns };
}

/** The rows of a delivery that begin within a stretch of time, its end left out. */
export function rowsBetween(
  delivery: Extract<Delivery, { kind: 'bars' }>,
  from: number,
  to: number,
): Extract<Delivery, { kind: 'bars' }> {
  const { time } = delivery.columns;
  const cut = (column: Float64Array): Float64Array =>
    column.filter((_, row) => time[row]! >= from && time[row]! < to);
  return { ...delivery, columns: mapColumns(delivery.columns, cut) };
}
