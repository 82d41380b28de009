import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { BarColumns } from '../../src/market/observations.ts';
import { columnsFrom } from './bar-columns.ts';

const FIXTURES = new URL('../../fixtures/indicators/', import.meta.url);

/** Rows of a reference table by column name; an empty cell is null. */
export function referenceTable(file: string): { columns: string[]; rows: Map<string, string>[] } {
  const [head, ...lines] = readFileSync(new URL(file, FIXTURES), 'utf8').trim().split('\n');
  const columns = head!.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return new Map(columns.map((column, at) => [column, cells[at] ?? '']));
  });
  return { columns, rows };
}

/**
 * Bars and dates of one symbol of the recorded dailies (symbol, date, open, high, low, close, volume, ...).
 */
export function realDailies(file: string, symbol: string): { dates: string[]; bars: BarColumns } {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith(`${symbol},`)).map((line) => line.split(','));
  const bars = columnsFrom((name, at) =>
    Float64Array.from(rows, (cells) => (name === 'time' ? Date.parse(cells[1]!) : Number(cells[at + 1]))),
  );
  return { dates: rows.map((cells) => cells[1]!), bars };
}
