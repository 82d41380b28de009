import type { Queryable, QueryOptions } from '../../database/database.ts';

/** What the tape has of a symbol as of an instant, by the manifest alone. Days count from 1970-01-01. */
export interface Holdings {
  readonly symbol: string;
  /** The newest day of a bar in a segment, whatever the instant; null without one. */
  readonly lastDay: number | null;
  /** Begin of the newest intraday bar of a running session that was final, epoch milliseconds; null without one. */
  readonly runningTime: number | null;
  readonly daily: boolean;
  readonly minute: boolean;
  readonly ticks: boolean;
  readonly chains: boolean;
  readonly facts: boolean;
}

/** An instant, and the newest trade date whose session was over by then. */
export interface HoldingsAt {
  readonly asOf: number;
  readonly endedDay: number;
}

const hasSeries = (kind: string): string =>
  `exists (select from tape_slice s where s.symbol = requested.symbol and s.kind = '${kind}' and s.first_day <= $2::integer)`;

const HOLDINGS = `
select requested.symbol,
  (select max(s.last_day) from tape_slice s
    where s.symbol = requested.symbol and s.kind in ('bars-1d', 'bars-5m', 'bars-1m')) as "lastDay",
  greatest(
    (select max(r.time) from running_row r
      where r.symbol = requested.symbol and r.kind = 'bars-1m' and r.time <= $3::bigint - 60000),
    (select max(r.time) from running_row r
      where r.symbol = requested.symbol and r.kind = 'bars-5m' and r.time <= $3::bigint - 300000)) as "runningTime",
  ${hasSeries('bars-1d')} as daily, ${hasSeries('bars-1m')} as minute, ${hasSeries('flow-minutes')} as ticks,
  exists (select from chain_slice c where c.symbol = requested.symbol and c.taken_at <= $4::timestamptz) as chains,
  exists (select from reported_fact f where f.symbol = requested.symbol and f.known_at <= $4::timestamptz) as facts
from unnest($1::text[]) as requested (symbol)`;

/** One statement for a page of symbols. */
export async function readHoldings(
  database: Queryable,
  symbols: readonly string[],
  { asOf, endedDay }: HoldingsAt,
  options: QueryOptions = {},
): Promise<Map<string, Holdings>> {
  const parameters = [symbols, endedDay, asOf, new Date(asOf).toISOString()];
  const rows = await database.query<Holdings>(HOLDINGS, parameters, options);
  return new Map(rows.map((row) => [row.symbol, row]));
}
