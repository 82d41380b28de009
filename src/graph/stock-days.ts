import { chunks } from '../base/chunks.ts';
import { at } from '../base/fault-points.ts';
import { unpackText } from '../base/packed-text.ts';
import { byteaArray } from '../database/binary-array.ts';
import { changeAnnouncement, factsAnnouncement } from '../database/changes.ts';
import type { Database, Queryable, QueryOptions, Statement } from '../database/database.ts';
import type { ScreenDay, StockDay, StockDayName } from '../derive/stock-day.ts';
import { columns } from './columns.ts';
import { nodeId, stockDayId, stockDayKey } from './identity.ts';
import { onDates } from './months.ts';
import { dayRowsRemoval, screenRowStatements } from './screen-rows.ts';

export interface WriteResult {
  readonly written: number;
  readonly unchanged: number;
}

/** Stock-days of one transaction: some hundredths of a second of the embedded database. */
const DAYS_A_TRANSACTION = 4;

/**
 * Writes stock-days with their facts, nodes and edges, a few in one transaction. Unchanged days are skipped; a changed
 * day loses the relations that it no longer has.
 *
 * @param plan where several processes derive: of `nextPlan`. Days that a later plan has written are left as they are, so
 *   that a process that was stopped for a while overwrites nothing newer.
 */
export async function writeStockDays(
  database: Database,
  days: readonly StockDay[],
  plan?: number,
): Promise<WriteResult> {
  if (days.length === 0) return { written: 0, unchanged: 0 };
  const known = await readKnown(database, days);
  const knownOf = (day: StockDay): KnownDay | undefined => known.get(stockDayKey(day.symbol, day.tradeDate));
  const changed = days.filter((day) => !isKept(day, knownOf(day)));
  await markDerived(
    database,
    days.filter((day) => isKept(day, knownOf(day)) && isOlder(knownOf(day)!, day)),
  );
  const wasKnown = (day: StockDay): boolean => knownOf(day) !== undefined;
  let written = 0;
  for (const part of chunks(changed, DAYS_A_TRANSACTION)) {
    written += await writeInOrder(database, part, plan, (own) => [
      ...staleRelationsRemoval(own.filter(wasKnown)),
      factsUpsert(own),
      ...screenRowStatements(own),
      nodesUpsert(own),
      edgesInsertion(own),
      factsAnnouncement(...columns(own, ['symbol', 'tradeDate'])),
    ]);
  }
  return { written, unchanged: days.length - written };
}

/**
 * Has the final stock-days of an older derivation derived again, as if their first bar were new: by the next pass, and by
 * readers until then. Days that are not final are derived again at the end of their trade date.
 */
export async function markOldDays(database: Queryable, derivation: number): Promise<void> {
  await database.write(
    `insert into tape_touched (symbol, kind, first_day, last_day)
     select symbol, 'bars-1d', min(trade_date) - date '1970-01-01', min(trade_date) - date '1970-01-01'
     from stock_day where final and derivation < $1 group by symbol
     on conflict do nothing`,
    [derivation],
  );
}

/** Says of days that a derivation came to what is stored, or to nothing. */
export async function markDerived(
  database: Queryable,
  days: readonly (StockDayName & Pick<StockDay, 'derivation'>)[],
): Promise<void> {
  if (days.length === 0) return;
  await database.write(
    `update stock_day d set derivation = day.derivation
     from unnest($1::text[], $2::date[], $3::integer[]) as day (symbol, trade_date, derivation)
     where d.symbol = day.symbol and d.trade_date = day.trade_date and d.derivation < day.derivation
       ${onDates(database, 'd', '$2')}`,
    columns(days, ['symbol', 'tradeDate', 'derivation']),
  );
}

/** The next place in the order of plans. */
export async function nextPlan(database: Queryable): Promise<number> {
  const [row] = await database.write<{ plan: number }>(`select nextval('derivation_plan') as plan`);
  return row!.plan;
}

/** Runs statements with the rows of their days; returns how many days were written. */
async function writeInOrder<Day extends ScreenDay>(
  database: Database,
  days: readonly Day[],
  plan: number | undefined,
  statements: (days: readonly Day[]) => readonly Statement[],
): Promise<number> {
  // The rows of the days first: another process that writes the same days then waits.
  const order =
    plan === undefined ? [daysUpsert(days)] : [daysUpsert(days, plan), overtakenRefusal(days, plan)];
  try {
    await database.atomically([...order, ...statements(days)]);
    at('days.committed');
    return days.length;
  } catch (error) {
    if ((error as { code?: unknown }).code !== OVERTAKEN) throw error;
  }
  if (days.length === 1) return 0;
  let written = 0;
  for (const day of days) written += await writeInOrder(database, [day], plan, statements);
  return written;
}

/** Raised by `refuse_overtaken`. */
const OVERTAKEN = 'TG001';

const overtakenRefusal = (days: readonly StockDayName[], plan: number): Statement => ({
  sql: 'select refuse_overtaken($1::text[], $2::date[], $3)',
  parameters: [...columns(days, ['symbol', 'tradeDate']), plan],
});

/**
 * Writes the numbers of stock-days whose session runs, in one transaction. The next minute overwrites them, so facts and
 * the graph around them wait for the session's end.
 *
 * @param origin of the announcement
 */
export async function writeRunningDays(
  database: Database,
  days: readonly ScreenDay[],
  origin: string,
  plan?: number,
): Promise<void> {
  if (days.length === 0) return;
  await writeInOrder(database, days, plan, (own) => [
    // A pass over the whole date may have left some.
    dayRowsRemoval('fact', own),
    ...screenRowStatements(own),
    // Without dates: the minute that the tape got before them is announced by nothing else.
    changeAnnouncement([...new Set(own.map((day) => day.symbol))], origin),
  ]);
}

/** The stored content of a day, and the catalogue of its screen row. */
interface KnownDay {
  readonly name: string;
  readonly derivation: number | null;
  readonly catalogue: string | null;
}

/** A day without a screen row of the present catalogue is written again. */
const isKept = (day: StockDay, known: KnownDay | undefined): boolean =>
  known?.name === contentName(day) && (day.screen === undefined || known.catalogue === day.screen.catalogue);

const isOlder = (known: KnownDay, { derivation }: StockDay): boolean =>
  known.derivation !== null && derivation !== undefined && known.derivation < derivation;

/** Includes the instant: readers ask how fresh a day is. */
const contentName = (day: StockDay): string => `${day.digest}@${day.asOf}`;

async function readKnown(database: Queryable, days: readonly StockDay[]): Promise<Map<string, KnownDay>> {
  const rows = await database.query<KnownDay & { key: string }>(
    `select d.symbol || '|' || d.trade_date as key, d.digest || '@' || (extract(epoch from d.as_of) * 1000)::bigint as name,
       d.derivation, r.catalogue
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join stock_day d on d.symbol = wanted.symbol and d.trade_date = wanted.trade_date
     left join screen_row r on r.symbol = d.symbol and r.trade_date = d.trade_date ${onDates(database, 'r', '$2')}
     where true ${onDates(database, 'd', '$2')}`,
    columns(days, ['symbol', 'tradeDate']),
  );
  return new Map(rows.map((row) => [row.key, row]));
}

const daysUpsert = (days: readonly ScreenDay[], plan = 0): Statement => ({
  sql: `insert into stock_day (symbol, trade_date, as_of, digest, final, derivation, plan)
     select *, $7::bigint
     from unnest($1::text[], $2::date[], $3::timestamptz[], $4::text[], $5::boolean[], $6::integer[])
     on conflict (symbol, trade_date) do update set as_of = excluded.as_of, digest = excluded.digest,
       final = excluded.final, derivation = excluded.derivation, derived_at = clock_timestamp(),
       plan = greatest(stock_day.plan, excluded.plan)`,
  parameters: [
    ...columns(days, ['symbol', 'tradeDate']),
    days.map((day) => new Date(day.asOf).toISOString()),
    days.map((day) => day.digest),
    days.map((day) => day.isFinal ?? false),
    days.map((day) => day.derivation ?? null),
    plan,
  ],
});

function factsUpsert(days: readonly StockDay[]): Statement {
  const symbols: string[] = [];
  const dates: string[] = [];
  const blocks: string[] = [];
  const values: Uint8Array[] = [];
  for (const day of days) {
    for (const block in day.facts) {
      symbols.push(day.symbol);
      dates.push(day.tradeDate);
      blocks.push(block);
      values.push(day.facts[block]!);
    }
  }
  return {
    sql: `insert into fact (symbol, trade_date, block, value)
     select * from unnest($1::text[], $2::date[], $3::text[], $4::bytea[])
     on conflict (symbol, trade_date, block) do update set value = excluded.value where fact.value <> excluded.value`,
    parameters: [symbols, dates, blocks, byteaArray(values)],
  };
}

interface NodeRow {
  readonly id: string;
  readonly label: string;
  readonly key: string;
  readonly props: string;
  /** The only one on which it is valid. */
  readonly date: string | null;
}

function nodesUpsert(days: readonly StockDay[]): Statement {
  const nodes = new Map<string, NodeRow>();
  const add = (label: string, key: string, props: unknown, date: string | null = null): void => {
    const id = nodeId(label, key);
    nodes.set(id, { id, label, key, props: JSON.stringify(props), date });
  };
  for (const day of days) {
    add('Stock', day.symbol, { symbol: day.symbol });
    add('Session', day.tradeDate, { trade_date: day.tradeDate });
    const props = { symbol: day.symbol, trade_date: day.tradeDate };
    add('StockDay', stockDayKey(day.symbol, day.tradeDate), props, day.tradeDate);
    for (const { label, key, props } of day.relations) add(label, key, props);
  }
  // In one order for all writers: two that share nodes must not wait for each other.
  const rows = [...nodes.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    // A conflict locks its row, and every stock-day of a date shares some: those that are there already are left out.
    sql: `insert into node (id, label, key, props, valid_from, valid_to)
     select id, label, key, props, day, day
     from unnest($1::uuid[], $2::text[], $3::text[], $4::json[], $5::date[]) as own (id, label, key, props, day)
     where not exists (select from node n where n.id = own.id and n.props::text = own.props::text)
     on conflict (id) do update set props = excluded.props where node.props::text <> excluded.props::text`,
    parameters: columns(rows, ['id', 'label', 'key', 'props', 'date']),
  };
}

interface EdgeRow {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly props: string | null;
}

function edgesOf(day: StockDay): EdgeRow[] {
  const source = stockDayId(day.symbol, day.tradeDate);
  const edge = (type: string, label: string, key: string, props?: unknown): EdgeRow => ({
    source,
    type,
    target: nodeId(label, key),
    props: props === undefined ? null : JSON.stringify(props),
  });
  return [
    edge('OF', 'Stock', day.symbol),
    edge('ON', 'Session', day.tradeDate),
    ...day.relations.map((relation) => edge(relation.type, relation.label, relation.key, relation.edgeProps)),
  ];
}

/** Edges that are there stay; those with other properties are removed before. */
function edgesInsertion(days: readonly StockDay[]): Statement {
  const edges = new Map<string, EdgeRow & { readonly date: string }>();
  for (const day of days) {
    for (const row of edgesOf(day))
      edges.set(row.source + row.type + row.target, { ...row, date: day.tradeDate });
  }
  const rows = [...edges.values()];
  return {
    sql: `insert into edge (source, type, target, props, valid_from, valid_to)
     select source, type, target, props, day, day
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::json[], $5::date[]) as edge (source, type, target, props, day)
     on conflict do nothing`,
    parameters: columns(rows, ['source', 'type', 'target', 'props', 'date']),
  };
}

/** Removes edges that a day no longer has, or has with other properties, and nodes without any edge. */
function staleRelationsRemoval(days: readonly StockDay[]): Statement[] {
  if (days.length === 0) return [];
  const current = days.flatMap(edgesOf);
  const sources = days.map((day) => stockDayId(day.symbol, day.tradeDate));
  return [
    {
      // The outer statement still sees the removed edges.
      sql: `with gone as (
       delete from edge e where e.source = any($1::uuid[]) and not exists (
         select from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) as kept (source, type, target, props)
         where kept.source = e.source and kept.type = e.type and kept.target = e.target
           and kept.props is not distinct from e.props::text)
       returning e.source, e.type, e.target)
     delete from node n where n.id in (select target from gone) and n.id <> all($4::uuid[]) and not exists (
       select from edge e where e.target = n.id and not exists (
         select from gone where gone.source = e.source and gone.type = e.type and gone.target = e.target))`,
      parameters: [sources, ...columns(current, ['source', 'type', 'target', 'props'])],
    },
  ];
}

/** Derived days of each symbol from its given day (since 1970-01-01) on. */
export async function derivedDates(
  database: Queryable,
  since: ReadonlyMap<string, number>,
): Promise<StockDayName[]> {
  return database.query(
    `select d.symbol, d.trade_date::text as "tradeDate"
     from unnest($1::text[], $2::integer[]) as since (symbol, day)
     join stock_day d on d.symbol = since.symbol and d.trade_date >= date '1970-01-01' + since.day
     order by d.symbol, d.trade_date`,
    [[...since.keys()], [...since.values()]],
  );
}

/** Stored days up to a date that were derived before their trade date ended. */
export const daysNotFinal = (
  database: Queryable,
  symbols: readonly string[] | undefined,
  lastDate: string,
): Promise<StockDayName[]> =>
  database.query(
    `select symbol, trade_date::text as "tradeDate" from stock_day
     where not final and trade_date <= $2::date and ($1::text[] is null or symbol = any($1::text[]))
     order by symbol, trade_date`,
    [symbols ?? null, lastDate],
  );

/** Facts of one stock-day in wire form. */
export interface StoredFacts {
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** True when newer data touched their source and no pass has run since. */
  readonly outdated: boolean;
  /** Block name to wire JSON, of the requested blocks. */
  readonly values: Readonly<Record<string, string>>;
}

/** The named blocks of several stock-days by symbol; days that are not derived are left out. One query. */
export async function readFacts(
  database: Queryable,
  days: readonly StockDayName[],
  blocks: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, StoredFacts>> {
  const rows = await database.query<{
    symbol: string;
    as_of: number;
    outdated: boolean;
    block: string | null;
    value: Uint8Array;
  }>(
    `select d.symbol, extract(epoch from d.as_of)::double precision * 1000 as as_of, f.block, f.value,
       exists (select from tape_touched t where t.symbol = d.symbol
         and t.first_day <= d.trade_date - date '1970-01-01') as outdated
     from unnest($1::text[], $2::date[]) as wanted (symbol, trade_date)
     join stock_day d on d.symbol = wanted.symbol and d.trade_date = wanted.trade_date
     left join fact f on f.symbol = d.symbol and f.trade_date = d.trade_date and f.block = any($3::text[])
       ${onDates(database, 'f', '$2')}
     where true ${onDates(database, 'd', '$2')}`,
    [...columns(days, ['symbol', 'tradeDate']), blocks],
    { ...options, keepsPlan: true },
  );
  const facts = new Map<string, StoredFacts & { readonly values: Record<string, string> }>();
  for (const { symbol, as_of, outdated, block, value } of rows) {
    const one = facts.getOrInsertComputed(symbol, () => ({ asOf: Math.round(as_of), outdated, values: {} }));
    if (block !== null) one.values[block] = unpackText(value);
  }
  return facts;
}
