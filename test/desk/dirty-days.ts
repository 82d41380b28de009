import pg from 'pg';
import { DAY_MS, midnightUtc, newYorkCalendar } from '../../src/base/calendar.ts';

/** Runs one statement on a database that may be away at any time. */
export async function onDatabase<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql, parameters)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Marks sessions of every symbol dirty, as an import of corrections would; returns how many stock-days they are. */
export async function touchAll(url: string, lastDate: string, sessions: number): Promise<number> {
  const calendar = newYorkCalendar();
  const dates = [lastDate];
  while (dates.length < sessions) dates.push(calendar.previousSession(dates.at(-1)!)!);
  const touched = await onDatabase(
    url,
    `insert into tape_touched (symbol, kind, first_day, last_day)
     select symbol, 'bars-1d', day, day
     from (select distinct symbol from tape_slice where kind = 'bars-1d' and symbol not like '^%') as stocks,
       unnest($1::integer[]) as day
     on conflict (symbol, kind, last_day) do nothing returning symbol`,
    [dates.map((date) => midnightUtc(date) / DAY_MS)],
  );
  return touched.length;
}

/** Lets a pass begin at once. */
export const announceAll = (url: string) => onDatabase(url, `select announce('tigraph_changed', '*')`);

/** Dirty ranges that no pass has derived yet. */
export async function waiting(url: string): Promise<number> {
  const [row] = await onDatabase<{ waiting: string }>(url, 'select count(*) as waiting from tape_touched');
  return Number(row!.waiting);
}
