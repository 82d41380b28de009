import { CodedError } from '../base/errors.ts';
import { everythingChanged } from './changes.ts';
import type { Database } from './database.ts';
import type { Queryable, QueryOptions, Statement } from './queryable.ts';

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
  // A row lock: whoever leaves the simulated market waits for this transaction, and the next one sees it.
  if (simulated) await refuseLeft(transaction, 'for share');
  // Returns what was inserted, and what is of the other market: a row that conflicts is locked, so none slips through.
  const rows = await transaction.write<{ symbol: string; simulated: boolean }>(
    `insert into symbol_market (symbol, simulated) select symbol, $2 from unnest($1::text[]) as own (symbol)
     on conflict (symbol) do update set simulated = symbol_market.simulated
       where symbol_market.simulated <> excluded.simulated
     returning symbol, simulated`,
    [[...new Set(symbols)].sort(), simulated],
  );
  const other = rows.find((row) => row.simulated !== simulated);
  if (other !== undefined) throw ofOther(other.symbol, simulated);
}

/** The same for real symbols as a statement, which fails for one of the simulated market; `joined` says which. */
export const joining = (symbols: Iterable<string>): Statement => ({
  // The column takes no null.
  sql: `insert into symbol_market (symbol, simulated) select symbol, false from unnest($1::text[]) as own (symbol)
     on conflict (symbol) do update set simulated = null where symbol_market.simulated`,
  parameters: [[...new Set(symbols)].sort()],
});

/** @throws CodedError other_market where statements with one of `joining` have failed for it */
export async function joined(
  database: Database,
  symbols: Iterable<string>,
  writing: Promise<void>,
): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if ((error as { table?: unknown }).table === 'symbol_market') {
      const refuse = await marketGuard(database, false);
      for (const symbol of symbols) refuse(symbol);
    }
    throw error;
  }
}

/** @param lock of the row */
async function refuseLeft(database: Queryable, lock = ''): Promise<void> {
  const [row] = await database.query<{ left: boolean }>(
    `select demo_left_at is not null as left from installation ${lock}`,
  );
  if (row?.left !== true) return;
  const sentence = 'The simulated market was left; build it again with: npm run tigraph -- simulate';
  throw new CodedError('other_market', sentence);
}

const ofOther = (symbol: string, simulated: boolean): CodedError =>
  new CodedError(
    'other_market',
    simulated
      ? `${symbol} is a stock of yours, so a simulated one of this name cannot stand beside it`
      : `${symbol} is a stock of the simulated market, which shares nothing with real data: leave it with --leave-demo, then import again`,
    { facts: { symbol } },
  );

/**
 * Checks symbols of a market before anything of them is written.
 *
 * @returns throws CodedError other_market for a symbol of the other market
 * @throws CodedError other_market for simulated ones where the simulated market was left
 */
export async function marketGuard(
  database: Queryable,
  simulated: boolean,
): Promise<(symbol: string) => void> {
  if (simulated) await refuseLeft(database);
  const others = new Set<string>();
  for (const row of await readSymbolMarkets(database))
    if (row.simulated !== simulated) others.add(row.symbol);
  return (symbol) => {
    if (others.has(symbol)) throw ofOther(symbol, simulated);
  };
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

/** Whether the operator has left the simulated market: then no start builds it. */
export async function isDemoLeft(database: Queryable): Promise<boolean> {
  const rows = await database.query('select from installation where demo_left_at is not null');
  return rows.length > 0;
}

/** From here on nothing simulated is written, until somebody builds such a market again. */
export async function setDemoLeft(database: Queryable, isLeft: boolean): Promise<void> {
  await database.write(
    `insert into installation (demo_left_at) values (case when $1 then now() end)
     on conflict (only_one) do update set demo_left_at = excluded.demo_left_at`,
    [isLeft],
  );
}

/** How many stocks are of the simulated market. */
export async function countSimulated(database: Queryable, options: QueryOptions = {}): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::integer as count from symbol_market where simulated',
    [],
    options,
  );
  return row!.count;
}

/** The last step of leaving: its symbols may be those of real stocks from here on. */
export async function forgetSimulated(database: Database): Promise<void> {
  await database.atomically([
    { sql: 'delete from symbol_market where simulated', parameters: [] },
    everythingChanged(),
  ]);
}

/** Every symbol that has ever had data, with its market. */
export const readSymbolMarkets = (
  database: Pick<Queryable, 'query'>,
  options: QueryOptions = {},
): Promise<{ readonly symbol: string; readonly simulated: boolean }[]> =>
  database.query('select symbol, simulated from symbol_market order by symbol', [], options);
