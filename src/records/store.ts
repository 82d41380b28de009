import { dayOf } from '../base/dates.ts';
import { at } from '../base/fault-points.ts';
import type { Database, Queryable, QueryOptions, Statement } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import { columns } from '../graph/columns.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';

/** The sums of this symbol are those of all. */
export const WHOLE_MARKET = '*';

/** The claims of a symbol on a trade date. */
export interface ClaimDay extends Pick<SymbolClaims, 'symbol' | 'tradeDate' | 'events'> {
  readonly formula: number;
  /** Of the whole market alone. */
  readonly regime: string | null;
  /** Names the content: equal digests, equal content. */
  readonly digest: string;
  /** JSON text. */
  readonly sums: string;
  /** What the claims rest on, for passes that only read later prices; null where they are derived again. */
  readonly terms: string | null;
}

/** Serialises writers, so that versions become visible in order. */
const VERSION_LOCK = 7_461_726_173;

/**
 * Writes all that some trade dates of a market have of a kind: symbol-days whose content differs, some at a time, and in
 * the last transaction what spans the market, and away with what is no more. A writer that ends before it has left the
 * market's sums as they were, and the next one finds what is missing by their digests.
 *
 * @returns how many differ
 */
export async function writeClaimDays(
  database: Database,
  simulated: boolean,
  kind: string,
  tradeDates: readonly string[],
  days: readonly ClaimDay[],
): Promise<number> {
  const ofBoth = await database.query<Pick<ClaimDay, DayName | 'digest'> & { readonly simulated: boolean }>(
    `select symbol, trade_date::text as "tradeDate", digest, simulated from claim_day
     where kind = $1 and trade_date = any($2::date[])`,
    [kind, tradeDates],
  );
  const stored = ofBoth.filter((day) => day.simulated === simulated);
  const nameOf = (day: Pick<ClaimDay, DayName>): string => `${day.symbol} ${day.tradeDate}`;
  const digests = new Map(stored.map((day) => [nameOf(day), day.digest]));
  // Claims have no market: those of a symbol that was of the other one are here too.
  const hasRow = new Set(ofBoth.map(nameOf));
  const changed = days
    .filter((day) => digests.get(nameOf(day)) !== day.digest)
    .map((day): ChangedDay => ({ ...day, hasRow: hasRow.has(nameOf(day)) }));
  const present = new Set(days.map(nameOf));
  const gone = stored.filter((day) => !present.has(nameOf(day)));
  if (changed.length + gone.length === 0) return 0;
  const { whole = [], ofSymbols = [] } = Object.groupBy(changed, ({ symbol }) =>
    symbol === WHOLE_MARKET ? 'whole' : 'ofSymbols',
  );
  for (const statements of pieces(kind, simulated, ofSymbols)) {
    await database.atomically([LOCKED, ...statements]);
    at('claims.committed');
  }
  await database.atomically([
    LOCKED,
    ...removal('claim_event', kind, gone),
    ...removal('claim_day', kind, gone, simulated),
    ...writing(kind, simulated, whole),
    ...yearsOf(kind, simulated, [...changed, ...gone]),
  ]);
  at('claims.committed');
  return changed.length + gone.length;
}

type DayName = 'symbol' | 'tradeDate';

interface ChangedDay extends ClaimDay {
  /** Without one it has no claims that would have to go. */
  readonly hasRow: boolean;
}

const LOCKED: Statement = { sql: 'select pg_advisory_xact_lock($1)', parameters: [VERSION_LOCK] };

/** Symbol-days and claims of one transaction, some ten milliseconds: the embedded database serves nobody else meanwhile. */
const ROWS_AT_ONCE = 250;

/** The statements of each transaction: of several symbol-days, or of some claims of one that has many. */
function* pieces(kind: string, simulated: boolean, days: readonly ChangedDay[]): Generator<Statement[]> {
  let piece: ChangedDay[] = [];
  let rows = 0;
  for (const day of days) {
    const { length } = day.events;
    if (length > ROWS_AT_ONCE) {
      // No content has this digest: who finds it there writes the day again.
      yield [...removalOfClaims(kind, [day]), dayUpsert(kind, simulated, [{ ...day, digest: '' }])];
      for (let from = 0; from < length; from += ROWS_AT_ONCE) yield [insertion(kind, [day], from)];
      yield [dayUpsert(kind, simulated, [day])];
      continue;
    }
    piece.push(day);
    rows += 1 + length;
    if (rows < ROWS_AT_ONCE) continue;
    yield writing(kind, simulated, piece);
    piece = [];
    rows = 0;
  }
  if (piece.length > 0) yield writing(kind, simulated, piece);
}

/** Puts symbol-days in the place of what is stored of them. */
const writing = (kind: string, simulated: boolean, days: readonly ChangedDay[]): Statement[] => [
  ...removalOfClaims(kind, days),
  dayUpsert(kind, simulated, days),
  insertion(kind, days),
];

const dayUpsert = (kind: string, simulated: boolean, days: readonly ClaimDay[]): Statement => ({
  sql: `insert into claim_day (kind, symbol, trade_date, formula, simulated, regime, digest, sums, terms)
      select $1, symbol, trade_date, formula, $2, regime, digest, sums, terms
      from unnest($3::text[], $4::date[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[])
        as day (symbol, trade_date, formula, regime, digest, sums, terms)
      on conflict (kind, symbol, trade_date, simulated) do update set formula = excluded.formula,
        regime = excluded.regime, digest = excluded.digest, version = default, sums = excluded.sums, terms = excluded.terms`,
  parameters: [
    kind,
    simulated,
    ...columns(days, ['symbol', 'tradeDate', 'formula', 'regime', 'digest', 'sums', 'terms']),
  ],
});

const removalOfClaims = (kind: string, days: readonly ChangedDay[]): Statement[] =>
  removal(
    'claim_event',
    kind,
    days.filter(({ hasRow }) => hasRow),
  );

/** By the key, a day at a time: without statistics the planner would read all claims of the kind. */
function removal(
  table: string,
  kind: string,
  days: readonly Pick<ClaimDay, DayName>[],
  simulated?: boolean,
): Statement[] {
  if (days.length === 0) return [];
  const sql = `delete from ${table} where ctid = any(array(
      select t.ctid from unnest($2::text[], $3::date[]) as old (symbol, trade_date) cross join lateral (
        select ctid from ${table} t where t.kind = $1 and t.symbol = old.symbol and t.trade_date = old.trade_date
          ${simulated === undefined ? '' : `and t.simulated = ${simulated}`} offset 0) t))`;
  return [{ sql, parameters: [kind, ...columns(days, ['symbol', 'tradeDate'])] }];
}

/** The years of some days anew from the days of a whole market. */
function yearsOf(
  kind: string,
  simulated: boolean,
  days: readonly { readonly tradeDate: string }[],
): Statement[] {
  const years = [...new Set(days.map(({ tradeDate }) => Number(tradeDate.slice(0, 4))))];
  const between = `trade_date >= make_date(year, 1, 1) and trade_date < make_date(year + 1, 1, 1)`;
  return [
    {
      sql: 'delete from claim_year where kind = $1 and simulated = $3 and year = any($2::integer[])',
      parameters: [kind, years, simulated],
    },
    {
      sql: `insert into claim_year (kind, simulated, year, days)
        select $1, $4, year,
          string_agg(concat_ws(E'\\t', trade_date, formula, coalesce(regime, ''), sums), E'\\n' order by trade_date)
        from unnest($2::integer[]) as year
        join claim_day d on d.kind = $1 and d.symbol = $3 and d.simulated = $4 and ${between}
        group by year`,
      parameters: [kind, years, WHOLE_MARKET, simulated],
    },
  ];
}

/** @param from the first claim of each day; `ROWS_AT_ONCE` of it at most */
function insertion(kind: string, days: readonly ClaimDay[], from = 0): Statement {
  const rows = days.flatMap(({ symbol, tradeDate, events }) => {
    const day = dayOf(tradeDate);
    return events
      .slice(from, from + ROWS_AT_ONCE)
      .map((event, index) => ({ ...event, symbol, day, place: from + index }));
  });
  return {
    // Numbers: to read a date and two instants from texts would be a fifth of the work.
    sql: `insert into claim_event (kind, symbol, trade_date, place, key, claim, begun_at, decided_at, side, price, outcome,
        gone, ambiguous, chance, gain)
      select $1, symbol, date '1970-01-01' + day, place, key, claim, to_timestamp(begun / 1000), to_timestamp(decided / 1000),
        side, price, outcome, gone, ambiguous, chance, gain
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::smallint[], $8::double precision[],
        $9::double precision[], $10::smallint[], $11::double precision[], $12::boolean[], $13::boolean[],
        $14::double precision[], $15::double precision[]) as event (symbol, key, claim, outcome, day, place, begun, decided,
        side, price, gone, ambiguous, chance, gain)`,
    parameters: [
      kind,
      ...columns(rows, ['symbol', 'key', 'claim', 'outcome']),
      ...columns(rows, [
        'day',
        'place',
        'begunAt',
        'decidedAt',
        'side',
        'price',
        'isGone',
        'isAmbiguous',
        'chance',
        'gain',
      ]).map(arrayText),
    ],
  };
}

/** Of values that need no quotes: the client library would look into each for some. */
const arrayText = (values: readonly (number | boolean | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`;

/** Grows with every change of what is stored. */
export async function claimVersion(database: Queryable, options: QueryOptions = {}): Promise<number> {
  const [row] = await database.query<{ version: number | null }>(
    'select max(version) as version from claim_day',
    [],
    { ...options, keepsPlan: true },
  );
  return Number(row!.version ?? 0);
}

/** Sums of a symbol, or of all of a market, on a trade date. */
export interface StoredSums {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly regime: string | null;
  readonly sums: string;
}

/** Sums of some symbols of a market by trade date, ascending; those of an earlier formula are left out. */
export async function readClaimDays(
  database: Queryable,
  simulated: boolean,
  kind: string,
  formula: number,
  symbols: readonly string[],
  options: QueryOptions = {},
): Promise<StoredSums[]> {
  return database.query<StoredSums>(
    `select symbol, trade_date::text as "tradeDate", regime, sums from claim_day
     where kind = $1 and symbol = any($2::text[]) and formula = $3 and simulated = $4 order by trade_date, symbol`,
    [kind, symbols, formula, simulated],
    options,
  );
}

/** Sums of a whole market by trade date, ascending; those of an earlier formula are left out. */
export async function readWholeMarket(
  database: Queryable,
  simulated: boolean,
  kind: string,
  formula: number,
): Promise<StoredSums[]> {
  const years = await database.query<{ days: string }>(
    'select days from claim_year where kind = $1 and simulated = $2 order by year',
    [kind, simulated],
  );
  return years
    .flatMap(({ days }) => days.split('\n'))
    .map((line) => line.split('\t'))
    .filter(([, of]) => Number(of) === formula)
    .map(([tradeDate, , regime, sums]) => ({
      symbol: WHOLE_MARKET,
      tradeDate: tradeDate!,
      regime: regime || null,
      sums: sums!,
    }));
}

/** What follows from the sums of a kind in a market at a close. */
export interface StoredFigures {
  readonly formula: number;
  /** Of all claims when they were counted, `claimVersion`. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** Whether every claim had ended, so that the same follows at later closes. */
  readonly isEnded: boolean;
  /** JSON text. */
  readonly figures: string;
  /** JSON text: the sums of all dates, in columns by key. */
  readonly counts: string;
}

/** Whether figures are those of the claims of a version at a close, by a formula. */
export const areFiguresOf = <Stored extends Omit<StoredFigures, 'figures' | 'counts'>>(
  stored: Stored | null,
  { formula, version, asOf }: Pick<StoredFigures, 'formula' | 'version' | 'asOf'>,
): stored is Stored =>
  stored !== null &&
  stored.formula === formula &&
  stored.version === version &&
  (stored.asOf === asOf || (stored.isEnded && stored.asOf < asOf));

export async function readFigures(
  database: Queryable,
  simulated: boolean,
  kind: string,
): Promise<Omit<StoredFigures, 'counts'> | null> {
  const [row] = await database.query<Omit<StoredFigures, 'counts'>>(
    `select formula, version, figures, ended as "isEnded", (extract(epoch from as_of) * 1000)::double precision as "asOf"
     from claim_figures where kind = $1 and simulated = $2`,
    [kind, simulated],
  );
  return row === undefined ? null : { ...row, version: Number(row.version) };
}

/** The sums of all dates of a kind in columns, as JSON text; null where the newest claims are not in them. */
export async function readCounts(
  database: Queryable,
  simulated: boolean,
  kind: string,
  { formula, version }: Pick<StoredFigures, 'formula' | 'version'>,
): Promise<string | null> {
  const [row] = await database.query<Pick<StoredFigures, 'counts'>>(
    'select counts from claim_figures where kind = $1 and simulated = $2 and formula = $3 and version = $4',
    [kind, simulated, formula, version],
  );
  return row?.counts ?? null;
}

export async function writeFigures(
  database: Queryable,
  simulated: boolean,
  kind: string,
  { formula, version, asOf, isEnded, figures, counts }: StoredFigures,
): Promise<void> {
  await database.write(
    `insert into claim_figures (kind, simulated, as_of, ended, version, figures, formula, counts)
     values ($1, $7, $2::timestamptz, $3, $4, $5, $6, $8)
     on conflict (kind, simulated) do update set as_of = excluded.as_of, ended = excluded.ended, version = excluded.version,
       figures = excluded.figures, formula = excluded.formula, counts = excluded.counts`,
    [kind, new Date(asOf).toISOString(), isEnded, version, figures, formula, simulated, counts],
  );
}

/** Trade dates of which a whole market is counted by a formula, ascending. */
export async function countedDates(
  database: Queryable,
  simulated: boolean,
  kind: string,
  formula: number,
): Promise<string[]> {
  const rows = await database.query<{ tradeDate: string }>(
    `select trade_date::text as "tradeDate" from claim_day
     where kind = $1 and symbol = $2 and formula = $3 and simulated = $4 order by trade_date`,
    [kind, WHOLE_MARKET, formula, simulated],
  );
  return rows.map(({ tradeDate }) => tradeDate);
}

/** What the claims of some trade dates rest on, of the symbols of a market that have any. */
export const readClaimTerms = (
  database: Queryable,
  simulated: boolean,
  kind: string,
  formula: number,
  tradeDates: readonly string[],
): Promise<{ readonly symbol: string; readonly tradeDate: string; readonly terms: string }[]> =>
  database.query(
    `select symbol, trade_date::text as "tradeDate", terms from claim_day
     where kind = $1 and formula = $2 and trade_date = any($3::date[]) and terms is not null and simulated = $4
     order by symbol, trade_date`,
    [kind, formula, tradeDates, simulated],
  );

export interface EventQuestion {
  readonly simulated: boolean;
  readonly kind: string;
  readonly key: string;
  /** Null for all. */
  readonly symbols: readonly string[] | null;
  /** Trade dates, inclusive. */
  readonly from: string;
  readonly to: string;
  /** Epoch milliseconds; what began later is left out. */
  readonly asOf: number;
  /** Outcomes wanted: those that came true, those that did not, or all. */
  readonly outcome: 'all' | 'true' | 'false';
  /** Events before this one, in the order of the answer; null for the first page. */
  readonly after: { readonly begunAt: number; readonly symbol: string; readonly place: number } | null;
  readonly limit: number;
}

/** A claim as it is stored: what its controls were is in the sums. */
export interface StoredEvent
  extends Omit<ClaimEvent, 'controls' | 'stratum' | 'regime' | 'gain' | 'chanceGain'> {
  /** R of a trade after costs; null where none belongs to it. */
  readonly gain: number | null;
  readonly symbol: string;
  readonly tradeDate: string;
  readonly place: number;
}

/** Claims of a key, the newest first. */
export async function readClaimEvents(
  database: Queryable,
  { simulated, kind, key, symbols, from, to, asOf, outcome, after, limit }: EventQuestion,
  options: QueryOptions = {},
): Promise<StoredEvent[]> {
  const instant = (ms: number): string => new Date(ms).toISOString();
  return database.query<StoredEvent>(
    `select symbol, trade_date::text as "tradeDate", place, key, claim, side, price, outcome, gone as "isGone",
       ambiguous as "isAmbiguous", chance, gain, (extract(epoch from begun_at) * 1000)::double precision as "begunAt",
       (extract(epoch from decided_at) * 1000)::double precision as "decidedAt"
     from claim_event e
     where kind = $1 and key = $2 and ${ofMarket('e.symbol', '$12')} and ($3::text[] is null or symbol = any($3::text[]))
       and trade_date between $4::date and $5::date and begun_at <= $6::timestamptz
       and ($7 = 'all' or outcome = $7 and coalesce(decided_at, begun_at) <= $6::timestamptz)
       and ($8::timestamptz is null or begun_at < $8::timestamptz
         or begun_at = $8::timestamptz and (symbol, place) > ($9::text, $10::smallint))
     order by begun_at desc, symbol, place limit $11`,
    [
      kind,
      key,
      symbols,
      from,
      to,
      instant(asOf),
      outcome,
      after === null ? null : instant(after.begunAt),
      after?.symbol ?? null,
      after?.place ?? null,
      limit,
      simulated,
    ],
    options,
  );
}

/** A range of dates with new data, days since 1970-01-01. */
export interface ClaimRange {
  readonly kind: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly version: string;
}

export const touchedRanges = (database: Queryable, simulated: boolean): Promise<ClaimRange[]> =>
  database.query<ClaimRange>(
    `select kind, first_day as "firstDay", last_day as "lastDay", touched_at::text as version
     from claim_touched where simulated = $1 order by last_day, kind`,
    [simulated],
  );

/** Clears ranges that were read, unless newer data changed them meanwhile. */
export async function clearTouchedRanges(
  database: Queryable,
  simulated: boolean,
  ranges: readonly ClaimRange[],
): Promise<void> {
  if (ranges.length === 0) return;
  await database.write(
    `delete from claim_touched t
     using unnest($1::text[], $2::integer[], $3::timestamptz[]) as done (kind, last_day, version)
     where t.simulated = $4 and t.kind = done.kind and t.last_day = done.last_day and t.touched_at = done.version`,
    [...columns(ranges, ['kind', 'lastDay', 'version']), simulated],
  );
}
