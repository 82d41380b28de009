import { hash } from 'node:crypto';
import { DAY_MS, midnightUtc } from '../../base/calendar.ts';
import type { SymbolTape } from '../../market/tape/index.ts';

const SERIES_READ: ReadonlySet<string> = new Set(['bars-1d', 'bars-1m', 'bars-5m']);

/** Hashes what a backtest reads of the tape up to a trade date. Later rows matter only within the same slice. */
export function dataVersion(tapes: readonly SymbolTape[], lastSession: string): string {
  const lastDay = midnightUtc(lastSession) / DAY_MS;
  const parts = tapes.map(({ symbol, slices, running, actions }) => [
    symbol,
    slices
      .filter(({ kind, firstDay }) => SERIES_READ.has(kind) && firstDay <= lastDay)
      .map(({ kind, firstDay, lastDay: last, rows, checksum }) => [kind, firstDay, last, rows, checksum]),
    running
      .filter(({ kind, columns }) => SERIES_READ.has(kind) && columns[0]![0]! < (lastDay + 1) * DAY_MS)
      .map(({ kind, columns }) => [kind, ...columns.map((column) => hash('sha1', bytesOf(column)))]),
    actions.filter(({ exDate }) => exDate <= lastDay * DAY_MS),
  ]);
  parts.sort(([one], [other]) => (one! < other! ? -1 : 1));
  return hash('sha256', JSON.stringify(parts)).slice(0, 24);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
