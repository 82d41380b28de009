import { tradeDateHolding } from '../base/as-of.ts';
import { type Calendar, DAY_MS, midnightUtc } from '../base/calendar.ts';
import { at } from '../base/fault-points.ts';
import { changeAnnouncement } from '../database/changes.ts';
import type { Database, Queryable, Statement } from '../database/database.ts';
import { type Lease, writeHolding } from '../database/leases.ts';
import { writeJoining } from '../database/symbol-market.ts';
import type { CorporateAction } from '../market/observations.ts';
import { isIntraday, SERIES, type SeriesKind, startOfTradeDay, tradeDay } from '../market/series.ts';
import {
  chainInsertions,
  SEGMENT,
  segmentInsertion,
  type WrittenChains,
  type WrittenFile,
} from './chain-segments.ts';
import { type SymbolFact, writeFacts } from './commit-facts.ts';
import { type EndedRows, type FinishedUnit, recordingMinute } from './manifest.ts';
import type { Batch } from './write-segment.ts';

/** Commits of the tape: each is one transaction, after its files are synced. */

export interface WrittenSegment extends WrittenFile {
  readonly kind: SeriesKind;
  readonly batches: readonly Batch[];
}

/** Rows of the running session of one symbol and series. */
export interface RunningBatch extends Batch {
  readonly kind: SeriesKind;
}

/** One flush, visible as a whole or not at all. */
export interface Commit {
  readonly feed: string;
  readonly simulated: boolean;
  readonly segments: readonly WrittenSegment[];
  /** Rows of the running session. */
  readonly running: readonly RunningBatch[];
  readonly actions: readonly { readonly symbol: string; readonly action: CorporateAction }[];
  readonly facts: readonly SymbolFact[];
  /** Option chains; null when there are none. */
  readonly chains: WrittenChains | null;
  readonly units: readonly FinishedUnit[];
}

/** One or several minutes of a running session, visible as a whole or not at all. */
export interface MinuteCommit extends Omit<Commit, 'segments' | 'units'> {
  readonly tradeDate: string;
  /** Epoch milliseconds; the end of the newest minute. */
  readonly at: number;
  /** The end of the oldest late row; null when there is none. */
  readonly lateFrom: number | null;
  /** True when the stock-days that were stored before must not be trusted meanwhile: the minute is no newer than they. */
  readonly overtaken: boolean;
  /** By whom it is announced. */
  readonly origin: string;
  /** Of the live feed, where several processes may own it in turn. */
  readonly lease?: Lease | undefined;
}

/**
 * Makes minutes of the running session visible. They mark nothing dirty of the session itself, whose stored stock-
 * days state their minute and are all derived again when it is finalized; changes of earlier dates do.
 *
 * @throws CodedError lease_lost
 */
export async function commitMinutes(
  database: Database,
  calendar: Calendar,
  commit: MinuteCommit,
): Promise<void> {
  const whole: Commit = { ...commit, segments: [], units: [] };
  const day = midnightUtc(commit.tradeDate) / DAY_MS;
  const rest = (facts: readonly SymbolFact[]): Statement[] => {
    const dirty: Commit = {
      ...whole,
      running: commit.overtaken ? commit.running : [],
      actions: commit.actions.filter(({ action }) => action.exDate / DAY_MS < day),
      facts: facts.filter(
        ({ fact }) => tradeDateHolding(calendar, fact.knownAt) < commit.tradeDate || commit.overtaken,
      ),
      chains: commit.overtaken ? commit.chains : null,
    };
    return [...touching(calendar, dirty, commit.origin), ...recordingMinute(commit.tradeDate, commit)];
  };
  await writeHolding(commit.lease, (holding) => commitWhole(database, whole, holding, rowsOf(whole), rest));
  at('minutes.committed');
}

/** @returns the number of new facts */
export async function commitToManifest(
  database: Database,
  calendar: Calendar,
  commit: Commit,
): Promise<number> {
  const rows = [
    ...commit.segments.flatMap((segment) => segmentInsertions(commit, segment)),
    ...rowsOf(commit),
    ...unitUpserts(commit),
  ];
  const rest = (facts: readonly SymbolFact[]): Statement[] => touching(calendar, { ...commit, facts });
  const newFacts = await commitWhole(database, commit, [], rows, rest);
  at('manifest.committed');
  return newFacts;
}

/**
 * What compares nothing with the store is sent whole: a thread of low priority, or one that has much to do, would hold
 * the embedded database from one statement to the next. The rows of a morning are too many to be made into text at once.
 *
 * @param checks come first, and may refuse
 * @param rows made one after the other, where they are many
 * @param rest what follows from the new facts
 * @returns the number of new facts
 */
function commitWhole(
  database: Database,
  commit: Commit,
  checks: readonly Statement[],
  rows: Iterable<Statement>,
  rest: (facts: readonly SymbolFact[]) => readonly Statement[],
): Promise<number> {
  const symbols = symbolsOf(commit);
  const running = commit.running.reduce((sum, { columns }) => sum + columns.time.length, 0);
  return writeJoining(database, symbols, commit.simulated, async (joining) => {
    if (commit.facts.length === 0 && running <= RUNNING_ROWS_AT_ONCE) {
      await database.atomically([...checks, ...joining, ...rows, ...rest([])]);
      return 0;
    }
    return await database.transaction(async (transaction) => {
      await writeAll(transaction, [...checks, ...joining]);
      await writeAll(transaction, rows);
      const facts = await writeFacts(transaction, commit.feed, commit.facts);
      await writeAll(transaction, rest(facts));
      return facts.length;
    });
  });
}

async function writeAll(transaction: Queryable, statements: Iterable<Statement>): Promise<void> {
  for (const { sql, parameters, ...options } of statements) await transaction.write(sql, parameters, options);
}

const symbolsOf = ({ segments, running, actions, facts, chains }: Commit): string[] =>
  [
    ...segments.flatMap(({ batches }) => batches),
    ...running,
    ...actions,
    ...facts,
    ...(chains?.chains ?? []),
  ].map(({ symbol }) => symbol);

/** Everything but segments of bars and facts. */
function* rowsOf(commit: Commit): Generator<Statement> {
  for (const rows of runningRows(commit.running)) {
    yield {
      sql: `insert into running_row (symbol, kind, time, columns, feed, simulated)
       select symbol, kind, time, columns, $2, $3
       from json_to_recordset($1::json) as row (symbol text, kind text, time bigint, columns double precision[])
       on conflict (symbol, kind, time) do update set columns = excluded.columns, feed = excluded.feed`,
      parameters: [JSON.stringify(rows), commit.feed, commit.simulated],
    };
  }
  yield* actionUpserts(commit);
  if (commit.chains !== null) yield* chainInsertions(commit, commit.chains);
}

function segmentInsertions(commit: Commit, segment: WrittenSegment): Statement[] {
  const slices = segment.placements.map((placement, index) => ({
    ...placement,
    ...dayIndex(segment.kind, segment.batches[index]!.columns.time),
  }));
  const sql = `insert into tape_slice (symbol, kind, segment_id, body_offset, checksum, rows, first_day, last_day, days, starts)
     select symbol, $3, ${SEGMENT}, "bodyOffset", checksum, rows, first_day, last_day, days, starts
     from json_to_recordset($1::json) as slice (symbol text, "bodyOffset" bigint, checksum bigint, rows integer,
       first_day integer, last_day integer, days integer[], starts integer[])`;
  return [
    segmentInsertion(commit, segment),
    { sql, parameters: [JSON.stringify(slices), segment.file, segment.kind] },
  ];
}

/** Rows of the running session that go to the database in one statement: a megabyte of text. */
const RUNNING_ROWS_AT_ONCE = 8_000;

function* runningRows(batches: readonly RunningBatch[]): Iterable<object[]> {
  let rows: object[] = [];
  for (const { symbol, kind, columns } of batches) {
    const names = SERIES[kind].slice(1);
    for (const [row, time] of columns.time.entries()) {
      rows.push({ symbol, kind, time, columns: names.map((name) => String(columns[name]![row])) });
      if (rows.length < RUNNING_ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}

/** First and last trade date of ascending rows and, for intraday series, every trade date with its first row. */
function dayIndex(kind: SeriesKind, time: Float64Array) {
  const days: number[] = [];
  const starts: number[] = [];
  if (isIntraday(kind)) {
    for (let row = 0; row < time.length; row++) {
      const day = tradeDay(kind, time[row]!);
      if (day === days.at(-1)) continue;
      days.push(day);
      starts.push(row);
    }
  }
  return { first_day: tradeDay(kind, time[0]!), last_day: tradeDay(kind, time.at(-1)!), days, starts };
}

function actionUpserts(commit: Commit): Statement[] {
  if (commit.actions.length === 0) return [];
  const rows = commit.actions.map(({ symbol, action: { kind, exDate, value } }) => {
    return { symbol, kind, day: exDate / DAY_MS, value };
  });
  const sql = `insert into corporate_action (symbol, kind, ex_date, value, feed)
     select distinct on (symbol, kind, day) symbol, kind, date '1970-01-01' + day, value, $2
     from json_to_recordset($1::json) as action (symbol text, kind text, day integer, value double precision)
     on conflict (symbol, kind, ex_date) do update set value = excluded.value, feed = excluded.feed
     where corporate_action.value <> excluded.value`;
  return [{ sql, parameters: [JSON.stringify(rows), commit.feed] }];
}

function unitUpserts(commit: Commit): Statement[] {
  if (commit.units.length === 0) return [];
  const sql = `insert into tape_unit (feed, key, fingerprint, rows_kept, facts_kept, refusals)
     select $2, key, fingerprint, "rowsKept", "factsKept", refusals
     from json_to_recordset($1::json) as unit (key text, fingerprint text, "rowsKept" bigint, "factsKept" bigint, refusals json)
     on conflict (feed, key) do update set fingerprint = excluded.fingerprint, rows_kept = excluded.rows_kept,
       facts_kept = excluded.facts_kept, refusals = excluded.refusals, imported_at = now()`;
  return [{ sql, parameters: [JSON.stringify(commit.units), commit.feed] }];
}

/** Marks the ranges of dates dirty that the next derivation must read, and announces their symbols. */
function touching(calendar: Calendar, commit: Commit, origin?: string): Statement[] {
  const rows = dirtyRanges(calendar, commit);
  if (rows.length === 0) return [];
  const ranges = JSON.stringify(rows);
  return [
    changeAnnouncement([...new Set(rows.map((row) => row.symbol))], origin),
    {
      sql: `insert into tape_touched (symbol, kind, first_day, last_day)
     select symbol, kind, min(first_day), last_day
     from json_to_recordset($1::json) as touched (symbol text, kind text, first_day integer, last_day integer)
     group by symbol, kind, last_day
     on conflict (symbol, kind, last_day) do update set
       first_day = least(tape_touched.first_day, excluded.first_day),
       touched_at = clock_timestamp()`,
      parameters: [ranges],
    },
    // Of which stock does not matter: controls are of all of them.
    {
      sql: `insert into claim_touched (simulated, kind, first_day, last_day)
     select $2, kind, min(first_day), last_day
     from json_to_recordset($1::json) as touched (kind text, first_day integer, last_day integer)
     where kind in ('bars-1d', 'bars-1m', 'action', 'chain', 'volatility-1d') group by kind, last_day order by kind, last_day
     on conflict (simulated, kind, last_day) do update set first_day = least(claim_touched.first_day, excluded.first_day),
       touched_at = clock_timestamp()`,
      parameters: [ranges, commit.simulated],
    },
  ];
}

function dirtyRanges(calendar: Calendar, commit: Commit): DirtyRow[] {
  const batches = commit.segments.flatMap(({ kind, batches }) =>
    batches.map((batch) => ({ ...batch, kind })),
  );
  const bars = [...batches, ...commit.running].map(({ symbol, kind, columns: { time } }) => ({
    symbol,
    kind,
    first_day: tradeDay(kind, time[0]!),
    last_day: tradeDay(kind, time.at(-1)!),
  }));
  const actionDays = commit.actions.map(({ symbol, action }) => ({ symbol, day: action.exDate / DAY_MS }));
  const dayOf = (instant: number): number => midnightUtc(tradeDateHolding(calendar, instant)) / DAY_MS;
  const factDays = commit.facts.map(({ symbol, fact }) => ({ symbol, day: dayOf(fact.knownAt) }));
  const chainDays = (commit.chains?.chains ?? []).map(({ symbol, takenAt }) => ({
    symbol,
    day: dayOf(takenAt),
  }));
  return [
    ...bars,
    ...factRanges('action', actionDays),
    ...factRanges('fact', factDays),
    ...factRanges('chain', chainDays),
  ];
}

interface DirtyRow {
  readonly symbol: string;
  readonly kind: string;
  readonly first_day: number;
  readonly last_day: number;
}

/** One range a symbol: facts beside the bars have no session. */
function factRanges(
  kind: string,
  facts: readonly { readonly symbol: string; readonly day: number }[],
): DirtyRow[] {
  return Array.from(
    Map.groupBy(facts, (fact) => fact.symbol),
    ([symbol, own]) => {
      const days = own.map((fact) => fact.day).sort((a, b) => a - b);
      return { symbol, kind, first_day: days[0]!, last_day: days.at(-1)! };
    },
  );
}

/** Rolls back. */
class RowsChanged extends Error {}

/**
 * Makes a segment of ended rows visible and deletes the running rows; the stock-days get their final version.
 *
 * @param day which they were before, since 1970-01-01
 * @param ended of one feed and series
 * @returns false where other rows came meanwhile, or another process has moved these: nothing is stored then
 */
export async function commitFinalized(
  database: Database,
  calendar: Calendar,
  commit: Commit,
  day: number,
  ended: readonly EndedRows[],
): Promise<boolean> {
  const { feed, kind } = ended[0]!;
  const rows = ended.reduce((sum, { columns }) => sum + columns.time.length, 0);
  try {
    await database.transaction(async (transaction) => {
      for (const segment of commit.segments) await writeAll(transaction, segmentInsertions(commit, segment));
      // By a range: a list of the times of each symbol takes three times as long, while callers wait for the store.
      const [deleted] = await transaction.write<{ rows: number }>(
        `with deleted as (
           delete from running_row where feed = $1 and kind = $2 and symbol = any($3::text[]) and time < $4::bigint
           returning 1)
         select count(*) as rows from deleted`,
        [feed, kind, ended.map(({ symbol }) => symbol), startOfTradeDay(kind, day)],
      );
      if (deleted!.rows !== rows) throw new RowsChanged();
      await writeAll(transaction, touching(calendar, commit));
    });
  } catch (error) {
    if (error instanceof RowsChanged) return false;
    throw error;
  }
  at('session.finalized');
  return true;
}
