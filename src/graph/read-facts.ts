import type { StockDayName } from '../base/stock-day.ts';
import type { Queryable } from '../database/database.ts';

/** Facts of one stock-day as they go over the wire, and how far they can be trusted. */
export interface StoredFacts {
  /** Epoch milliseconds of the instant they speak for. */
  readonly asOf: number;
  /** True when newer data touched what they were derived from and no pass has looked at it yet. */
  readonly outdated: boolean;
  /** Block name to wire JSON, of the blocks asked for. */
  readonly values: Readonly<Record<string, string>>;
}

/** The named blocks of several stock-days by symbol, each symbol once; without those that no pass has derived. One query. */
export async function readFacts(
  database: Queryable,
  days: readonly StockDayName[],
  blocks: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<Map<string, StoredFacts>> {
  const rows = await database.query<{
    symbol: string;
    as_of: number;
    outdated: boolean;
    block: string;
    value: string;
  }>(
    `select d.symbol, extract(epoch from d.as_of)::double precision * 1000 as as_of, f.block, f.value,
       exists (select from tape_touched t where t.symbol = d.symbol
         and t.first_day <= d.trade_date - date '1970-01-01') as outdated
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join stock_day d on d.symbol = wanted.symbol and d.trade_date = wanted.trade_date
     join fact f on f.symbol = d.symbol and f.trade_date = d.trade_date
     where f.block = any($3::text[])`,
    [days.map((day) => day.symbol), days.map((day) => day.tradeDate), blocks],
    options,
  );
  const facts = new Map<string, StoredFacts & { readonly values: Record<string, string> }>();
  for (const { symbol, as_of, outdated, block, value } of rows) {
    const one = facts.getOrInsertComputed(symbol, () => ({ asOf: Math.round(as_of), outdated, values: {} }));
    one.values[block] = value;
  }
  return facts;
}
