import { CodedError } from '../base/errors.ts';
import { everythingChanged } from './changes.ts';
import type { Database } from './database.ts';
import { isMissing, type Queryable, type QueryOptions, type Statement } from './queryable.ts';

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
 * Writes the first data of symbols of a market.
 *
 * @param write puts the statements that it gets into its transaction: they put the symbols into the market, and fail for
 *   one of the other
 * @throws CodedError other_market
 */
export async function writeJoining<Written>(
  database: Database,
  symbols: Iterable<string>,
  simulated: boolean,
  write: (joining: readonly Statement[]) => Promise<Written>,
): Promise<Written> {
  // The columns take no null. A row that conflicts is locked, so none slips through.
  const join = {
    sql: `insert into symbol_market (symbol, simulated) select symbol, $2 from unnest($1::text[]) as own (symbol)
     on conflict (symbol) do update set simulated = null where symbol_market.simulated <> excluded.simulated`,
    parameters: [[...new Set(symbols)].sort(), simulated],
  };
  // A row lock: whoever leaves the simulated market waits for this transaction, and the next one sees it.
  const stay = {
    sql: `insert into installation (only_one) select null
     from (select demo_left_at from installation for share) as own where demo_left_at is not null`,
    parameters: [],
  };
  try {
    return await write(simulated ? [stay, join] : [join]);
  } catch (error) {
    if (isMissing(error, 'symbol_market') || isMissing(error, 'installation')) {
      const refuse = await marketGuard(database, simulated);
      for (const symbol of symbols) refuse(symbol);
    }
    throw error;
  }
}

async function refuseLeft(database: Queryable): Promise<void> {
  if (!(await isDemoLeft(database))) return;
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
