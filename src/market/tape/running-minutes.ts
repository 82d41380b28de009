import type { Queryable } from '../../database/database.ts';

/** Which minutes of a running session are on the tape, and the market as a whole at each. Instants are epoch milliseconds. */

/** The newest minute of a session that is on the tape; null while none is. */
export async function newestMinute(database: Queryable, tradeDate: string): Promise<number | null> {
  const [row] = await database.query<{ at: Date | null }>(
    'select max(at) as at from running_minute where trade_date = $1::date',
    [tradeDate],
  );
  return row!.at?.getTime() ?? null;
}

/** Says that a minute is on the tape. A minute that a late row reaches back to has no market any more, nor those after. */
export async function recordMinute(
  database: Queryable,
  tradeDate: string,
  { at, lateFrom }: { readonly at: number; readonly lateFrom: number | null },
): Promise<void> {
  await database.query(
    'insert into running_minute (trade_date, at) values ($1::date, $2::timestamptz) on conflict do nothing',
    [tradeDate, new Date(at).toISOString()],
  );
  if (lateFrom === null) return;
  await database.query(
    'update running_minute set market = null where trade_date = $1::date and at >= $2::timestamptz',
    [tradeDate, new Date(lateFrom).toISOString()],
  );
}

export async function writeMinuteMarket(
  database: Queryable,
  tradeDate: string,
  at: number,
  market: string,
): Promise<void> {
  await database.query(
    `insert into running_minute (trade_date, at, market) values ($1::date, $2::timestamptz, $3)
     on conflict (trade_date, at) do update set market = excluded.market`,
    [tradeDate, new Date(at).toISOString(), market],
  );
}

/** JSON text of the market at a minute of a running session; null where none was derived, or a late row has moved it. */
export async function readMinuteMarket(
  database: Queryable,
  tradeDate: string,
  at: number,
  options: { readonly signal?: AbortSignal } = {},
): Promise<string | null> {
  const [row] = await database.query<{ market: string | null }>(
    'select market from running_minute where trade_date = $1::date and at = $2::timestamptz',
    [tradeDate, new Date(at).toISOString()],
    options,
  );
  return row?.market ?? null;
}

/** Forgets the minutes of sessions before a date: their rows are in files, and their markets are kept by the day. */
export async function forgetMinutes(database: Queryable, before: string): Promise<void> {
  await database.query('delete from running_minute where trade_date < $1::date', [before]);
}
