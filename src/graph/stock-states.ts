import { at } from '../base/fault-points.ts';
import type { Database, Queryable, QueryOptions } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { StateYear, StateYearDays } from '../derive/stock-state.ts';
import { columns } from './columns.ts';

/** By symbol the digest of its states' sources. */
export async function readStateSources(
  database: Queryable,
  symbols: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ symbol: string; source: string }>(
    'select symbol, source from stock_state_source where symbol = any($1::text[])',
    [symbols],
  );
  return new Map(rows.map(({ symbol, source }) => [symbol, source]));
}

/** Names of the stored years. */
export async function readStateYears(database: Queryable, symbols: readonly string[]): Promise<StateYear[]> {
  return database.query<StateYear>(
    `select symbol, year, digest from stock_state_year
     where symbol = any($1::text[]) order by symbol, year`,
    [symbols],
  );
}

/** Serialises writers, so that versions become visible in order. */
const VERSION_LOCK = 7_461_726_171;

/** Writes years in one transaction, each with a new version. */
export async function putStateYears(database: Database, years: readonly StateYearDays[]): Promise<void> {
  if (years.length === 0) return;
  await database.atomically([
    { sql: 'select pg_advisory_xact_lock($1)', parameters: [VERSION_LOCK] },
    {
      sql: `insert into stock_state_year (symbol, year, digest, days, log_returns, states)
       select * from unnest($1::text[], $2::integer[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[])
       on conflict (symbol, year) do update set digest = excluded.digest, version = default, days = excluded.days,
         log_returns = excluded.log_returns, states = excluded.states`,
      parameters: [
        ...columns(years, ['symbol', 'year', 'digest']),
        years.map(({ days }) => bytesOf(days)),
        years.map(({ logReturns }) => bytesOf(logReturns)),
        years.map(({ states }) => bytesOf(states)),
      ],
    },
  ]);
  at('state-years.committed');
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Stores the sources of symbols' states; call after `putStateYears` of all their years. */
export async function putStateSources(
  database: Queryable,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  await database.write(
    `insert into stock_state_source (symbol, source) select * from unnest($1::text[], $2::text[])
     on conflict (symbol) do update set source = excluded.source`,
    [[...sources.keys()], [...sources.values()]],
  );
  at('state-sources.committed');
}

export interface VersionedYear extends StateYearDays {
  readonly version: number;
}

/** Years of a market written after a version, in order of version, at most `limit`. */
export async function readStateYearsAfter(
  database: Queryable,
  simulated: boolean,
  version: number,
  limit: number,
  options: QueryOptions = {},
): Promise<VersionedYear[]> {
  const rows = await database.query<
    StateYear & { version: number; days: Uint8Array; logReturns: Uint8Array; states: Uint8Array }
  >(
    `select symbol, year, digest, version, days, log_returns as "logReturns", states
     from stock_state_year y where version > $1::bigint and ${ofMarket('y.symbol', '$3')}
     order by version limit $2`,
    [version, limit, simulated],
    options,
  );
  return rows.map(({ days, logReturns, states, ...row }) => ({
    ...row,
    version: Number(row.version),
    days: new Int32Array(copied(days)),
    logReturns: new Float64Array(copied(logReturns)),
    states: new Int16Array(copied(states)),
  }));
}

/** Copies into a new buffer: typed arrays need aligned offsets. */
const copied = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
