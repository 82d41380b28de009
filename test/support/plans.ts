import type { Database } from '../../src/database/database.ts';

/** SQL that ran, each with the parameters of its first run; without runs for an empty list, which need no plan. */
type Statements = ReadonlyMap<string, readonly unknown[]>;

/** Notes from now on what is queried. */
export function recordStatements(database: Database): Statements {
  const statements = new Map<string, readonly unknown[]>();
  const { query, write } = database;
  const noting =
    (run: typeof query): typeof query =>
    (sql, parameters = [], ...rest) => {
      const isEmpty = parameters.some((each) => Array.isArray(each) && each.length === 0);
      if (!isEmpty && !statements.has(sql)) statements.set(sql, parameters);
      return run(sql, parameters, ...rest);
    };
  Object.assign(database, { query: noting(query), write: noting(write) });
  return statements;
}

/**
 * The store of a test is so small that every index is read whole as soon as its size is known, which it is once the
 * housekeeping has come by.
 */
const FORGET_STATISTICS = `
  select pg_clear_relation_stats(schemaname, tablename), pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats where schemaname = 'public'`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/**
 * The tables and indexes that a statement reads whole even when it had rather not: no index leads to the rows that it
 * asks for. A scan of an index that ends at a limit is not one of them.
 */
export async function readWhole(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<string[]> {
  const rows = await database.transaction(async (transaction) => {
    await transaction.query('set local enable_seqscan = off');
    await transaction.query(FORGET_STATISTICS);
    return transaction.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (format json) ${sql}`,
      parameters,
    );
  });
  return wholeReads(rows[0]!['QUERY PLAN'][0]!.Plan, false);
}

function wholeReads(plan: Plan, isLimited: boolean): string[] {
  const type = plan['Node Type'];
  const isWholeIndex = /Index.* Scan$/.test(type) && plan['Index Cond'] === undefined && !isLimited;
  const own = type === 'Seq Scan' ? [plan['Relation Name']!] : isWholeIndex ? [plan['Index Name']!] : [];
  // Monthly partitions lie below an append, each read no further than the limit.
  const limitsBelow = type === 'Limit' || (isLimited && type.endsWith('Append'));
  const below = (plan.Plans ?? []).flatMap((each) => wholeReads(each, limitsBelow));
  return [...own, ...below];
}
