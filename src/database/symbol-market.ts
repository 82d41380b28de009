import { CodedError } from '../base/errors.ts';
import type { Queryable, QueryOptions } from './queryable.ts';

/**
 * Real stocks and those of the simulated market are two markets that share nothing: each symbol belongs to one of them,
 * from its first row to its last. Whatever spans stocks names the market that it is of.
 */

/** Both: the real market, then the simulated one. */
export const MARKETS: readonly boolean[] = [false, true];

/**
 * SQL: whether a symbol is of a market.
 *
 * @param symbol an expression of SQL, and `simulated` another
 */
export const ofMarket = (symbol: string, simulated: string): string =>
  `exists (select from symbol_market m where m.symbol = ${symbol} and m.simulated) = ${simulated}`;

/**
 * Puts symbols into a market, in the transaction that writes their first data.
 *
 * @throws CodedError other_market where one of them is of the other market
 */
export async function joinMarket(
  transaction: Queryable,
  symbols: Iterable<string>,
  simulated: boolean,
): Promise<void> {
  // Returns what was inserted, and what is of the other market: a row that conflicts is locked, so none slips through.
  const rows = await transaction.write<{ symbol: string; simulated: boolean }>(
    `insert into symbol_market (symbol, simulated) select symbol, $2 from unnest($1::text[]) as own (symbol)
     on conflict (symbol) do update set simulated = symbol_market.simulated
       where symbol_market.simulated <> excluded.simulated
     returning symbol, simulated`,
    [[...new Set(symbols)].sort(), simulated],
  );
  const other = rows.find((row) => row.simulated !== simulated);
  if (other === undefined) return;
  throw new CodedError(
    'other_market',
    simulated
      ? `${other.symbol} is a stock of yours, so no simulated market with this name can stand beside it: choose another seed`
      : `${other.symbol} is a stock of the simulated market, which shares nothing with real data: leave it with --leave-demo, then import again`,
    { facts: { symbol: other.symbol } },
  );
}

/**
 * The market of some symbols; with null that of an answer which names none: the real one, unless the store has nothing
 * but the simulated.
 *
 * @throws CodedError other_market for symbols of both
 */
export async function marketOf(
  database: Queryable,
  symbols: readonly string[] | null,
  options: QueryOptions = {},
): Promise<boolean> {
  const [first, second] = await database.query<{ simulated: boolean; symbol: string }>(
    `select distinct on (simulated) simulated, symbol from symbol_market
     where $1::text[] is null or symbol = any($1::text[]) order by simulated, symbol`,
    [symbols],
    options,
  );
  if (symbols !== null && second !== undefined) {
    const sentence = `${second.symbol} is a stock of the simulated market, and ${first!.symbol} a real one: ask for one market at a time`;
    throw new CodedError('other_market', sentence, { facts: { symbol: second.symbol } });
  }
  return first?.simulated ?? false;
}

/** Every symbol that has ever had data, with its market. */
export const readSymbolMarkets = (
  database: Pick<Queryable, 'query'>,
  options: QueryOptions = {},
): Promise<{ readonly symbol: string; readonly simulated: boolean }[]> =>
  database.query('select symbol, simulated from symbol_market order by symbol', [], options);
