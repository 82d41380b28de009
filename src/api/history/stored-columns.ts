import { DAY_MS, dateOf } from '../../base/calendar.ts';
import { quarterOf } from '../../base/dates.ts';
import { COLUMNS_PROGRAM, partOfField, readColumns, type ScalarColumn } from '../../derive/scalar-columns.ts';
import type { ScalarField } from '../../derive/scalar-fields.ts';
import { readStoredColumns } from '../../graph/scalar-history.ts';
import type { AppContext } from '../context/app-context.ts';
import type { CellsOfDay } from './history-columns.ts';

/**
 * Fields of stocks on trade dates that were derived in the background, each as of the end of its date, without those that
 * newer data have outdated.
 *
 * @returns by symbol and trade date; nothing where a field is kept in no columns
 */
export async function storedColumns(
  { database }: Pick<AppContext, 'database'>,
  symbols: readonly string[],
  tradeDates: readonly string[],
  fields: readonly ScalarField[],
  signal: AbortSignal,
): Promise<Map<string, Map<string, CellsOfDay>>> {
  const found = new Map<string, Map<string, CellsOfDay>>();
  const byPart = Map.groupBy(fields, partOfField);
  if (tradeDates.length === 0 || byPart.has(null)) return found;
  const quarters = [...new Set(tradeDates.map(quarterOf))];
  const parts = [...byPart.keys()] as string[];
  const stored = await readStoredColumns(database, symbols, quarters, parts, COLUMNS_PROGRAM, { signal });
  const wanted = new Set(tradeDates);
  for (const own of Map.groupBy(stored, ({ symbol, quarter }) => `${symbol}|${quarter}`).values()) {
    const [{ symbol, days, outdatedFrom }] = own as [(typeof own)[0]];
    const columns = new Map<ScalarField, ScalarColumn>();
    const packed = own.map(({ part, packed }) => ({ name: part, packed, fields: byPart.get(part)! }));
    for (const read of readColumns(packed)) for (const [field, column] of read) columns.set(field, column);
    const cells = found.getOrInsertComputed(symbol, () => new Map());
    for (const [at, day] of days.entries()) {
      if (outdatedFrom !== null && day >= outdatedFrom) break;
      const tradeDate = dateOf(day * DAY_MS);
      if (wanted.has(tradeDate)) cells.set(tradeDate, { columns, at });
    }
  }
  return found;
}
