import { at } from '../base/fault-points.ts';
import { byteaArray } from '../database/binary-array.ts';
import type { Database, Queryable, QueryOptions } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { ColumnParts } from '../derive/stock-day.ts';

/** Of which program values are. */
export interface OfProgram {
  readonly derivation: number;
  /** Digest of the fields. */
  readonly catalogue: string;
}

/** Which days of a symbol have stored columns in a quarter. */
export interface ScalarQuarter extends OfProgram {
  readonly symbol: string;
  /** Its first day, a date. */
  readonly quarter: string;
  /** Days since 1970-01-01, ascending. */
  readonly days: readonly number[];
  /** Sums of the digests of the markets that they were derived against. */
  readonly markets: readonly number[];
  /** Up to this day those that are missing have no bar. */
  readonly through: number;
}

const QUARTER =
  'h.symbol, h.quarter::text as quarter, h.derivation, h.catalogue, h.days, h.markets, h.through';

/** Reads for a writer: on the primary, where a trim shows at once. */
export const readScalarQuarters = (
  database: Queryable,
  symbols: readonly string[],
  quarters: readonly string[],
): Promise<ScalarQuarter[]> =>
  database.write(
    `select ${QUARTER} from scalar_history h where symbol = any($1::text[]) and quarter = any($2::date[])`,
    [symbols, quarters],
  );

/** How often cleared ranges have trimmed histories; what a writer has read since then still holds while it is the same. */
export async function readTrims(database: Queryable): Promise<number> {
  const [row] = await database.write<{ trims: number }>(
    'select last_value::double precision as trims from history_trim',
  );
  return row!.trims;
}

/** Every part of a quarter of a symbol, for a writer. */
export async function readColumnParts(
  database: Queryable,
  { symbol, quarter }: Pick<ScalarQuarter, 'symbol' | 'quarter'>,
): Promise<ColumnParts> {
  const rows = await database.write<{ part: string; packed: Uint8Array }>(
    'select part, packed from scalar_history_part where symbol = $1 and quarter = $2::date',
    [symbol, quarter],
  );
  return Object.fromEntries(rows.map(({ part, packed }) => [part, packed]));
}

/** Raised by `refuse_trimmed`. */
const TRIMMED = 'TG002';

/**
 * Writes a quarter of a symbol with all of its parts, or without parts what is said of them.
 *
 * @param trims of `readTrims`, before anything was read that the columns follow from
 * @returns whether it is written: not where ranges were cleared meanwhile
 */
export async function writeScalarQuarter(
  database: Database,
  trims: number,
  { symbol, quarter, days, markets, through, derivation, catalogue }: ScalarQuarter,
  parts: ColumnParts,
): Promise<boolean> {
  const names = Object.keys(parts);
  try {
    await database.atomically([
      { sql: 'select refuse_trimmed($1)', parameters: [trims] },
      {
        sql: `insert into scalar_history (symbol, quarter, derivation, catalogue, days, markets, through)
         values ($1, $2::date, $3, $4, $5::integer[], $6::integer[], $7)
         on conflict (symbol, quarter) do update set derivation = excluded.derivation,
           catalogue = excluded.catalogue, days = excluded.days, markets = excluded.markets, through = excluded.through`,
        parameters: [symbol, quarter, derivation, catalogue, days, markets, through],
      },
      {
        sql: `insert into scalar_history_part (symbol, quarter, part, packed)
         select $1, $2::date, part, packed from unnest($3::text[], $4::bytea[]) as own (part, packed)
         on conflict (symbol, quarter, part) do update set packed = excluded.packed`,
        parameters: [symbol, quarter, names, byteaArray(names.map((name) => parts[name]!))],
      },
    ]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== TRIMMED) throw error;
    return false;
  }
  at('histories.committed');
  return true;
}

/** Drops the quarters of a market before one; null for all. */
export async function dropScalarQuarters(
  database: Queryable,
  simulated: boolean,
  first: string | null,
): Promise<void> {
  await database.write(
    `with gone as (
       delete from scalar_history h where ($1::date is null or quarter < $1::date) and ${ofMarket('h.symbol', '$2')}
       returning symbol, quarter)
     delete from scalar_history_part p using gone where p.symbol = gone.symbol and p.quarter = gone.quarter`,
    [first, simulated],
  );
}

/** A part of a quarter of a symbol, and which days its columns begin with. */
export interface StoredColumns extends Pick<ScalarQuarter, 'symbol' | 'quarter' | 'days'> {
  readonly part: string;
  readonly packed: Uint8Array;
  /** Newer data have outdated the days from this one on; null for none. */
  readonly outdatedFrom: number | null;
}

/** Some parts of some quarters of symbols, as far as this program has derived them. */
export const readStoredColumns = (
  database: Queryable,
  symbols: readonly string[],
  quarters: readonly string[],
  parts: readonly string[],
  { derivation, catalogue }: OfProgram,
  options: QueryOptions = {},
): Promise<StoredColumns[]> =>
  database.query(
    // JSON is read in a tenth of the time of an array.
    `select h.symbol, h.quarter::text as quarter, to_json(h.days) as days, p.part, p.packed,
       (select min(t.first_day) from tape_touched t where t.symbol = h.symbol) as "outdatedFrom"
     from scalar_history h join scalar_history_part p on p.symbol = h.symbol and p.quarter = h.quarter
     where h.symbol = any($1::text[]) and h.quarter = any($2::date[]) and p.part = any($3::text[])
       and h.derivation = $4 and h.catalogue = $5`,
    [symbols, quarters, parts, derivation, catalogue],
    options,
  );
