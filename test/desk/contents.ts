import pg from 'pg';

/** What a table holds, without when and by whom it was written. */
interface Content {
  readonly table: string;
  readonly columns: string;
  readonly key: string;
  /** Rows that count; absent for all. */
  readonly where?: string;
}

const CONTENTS: readonly Content[] = [
  { table: 'stock_day', columns: 'symbol, trade_date, as_of, digest, final', key: 'symbol, trade_date' },
  { table: 'fact', columns: 'symbol, trade_date, block, value', key: 'symbol, trade_date, block' },
  { table: 'screen_row', columns: 'symbol, trade_date, as_of, catalogue, digest', key: 'symbol, trade_date' },
  { table: 'node', columns: 'id, label, key, props::text, valid_from, valid_to', key: 'id' },
  {
    table: 'edge',
    columns: 'source, type, target, props::text, valid_from, valid_to',
    key: 'source, type, target',
  },
  {
    table: 'market_day',
    columns: 'trade_date, digest, snapshot',
    key: 'trade_date',
    // Markets of other dates are made for histories, as far as a process has come with them.
    where: 'exists (select from stock_day d where d.trade_date = market_day.trade_date)',
  },
  { table: 'peer_topology', columns: 'month, digest', key: 'month' },
  { table: 'peer_day', columns: 'symbol, trade_date, value', key: 'symbol, trade_date' },
  { table: 'stock_state_year', columns: 'symbol, year, digest', key: 'symbol, year' },
  {
    table: 'reported_fact',
    columns: 'symbol, kind, key, known_at, value::text',
    key: 'symbol, kind, key, known_at',
  },
  { table: 'running_row', columns: 'symbol, kind, time, columns', key: 'symbol, kind, time' },
  { table: 'tape_touched', columns: 'symbol, kind, first_day, last_day', key: 'symbol, kind, last_day' },
];

/** Rows and a digest of each table, and of each trade date of facts. */
export async function contentsOf(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const contents = new Map<string, string>();
  try {
    for (const { table, columns, key, where = 'true' } of CONTENTS) {
      const { rows } = await client.query<{ rows: string; digest: string | null }>(
        `select count(*) as rows, md5(string_agg(line, '' order by place)) as digest
         from (select md5(row(${columns})::text) as line, row_number() over (order by ${key}) as place from ${table} where ${where}) as lines`,
      );
      contents.set(table, `${rows[0]!.rows} rows ${rows[0]!.digest}`);
    }
    return contents;
  } finally {
    await client.end();
  }
}

/** The tables that differ, with both contents. */
export const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...one].flatMap(([table, content]) =>
    other.get(table) === content ? [] : [`${table}: ${content} against ${other.get(table)}`],
  );
