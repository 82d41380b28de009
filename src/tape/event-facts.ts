import { DAY_MS } from '../base/dates.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { AnyFact, KnownFacts } from '../market/facts.ts';
import { FACT_WINDOW_DAYS, knownFacts } from '../market/known-facts.ts';

/** Reported facts of the whole market at an instant: results, halts, market capitalisations, ties between stocks. */

type FactRow = AnyFact & { readonly symbol: string };

/** Results may come so many days before the expected date. */
const EARLY_REACH_DAYS = 50;
/** A calendar of results expects quarterly ones at least this far ahead. */
const CALENDAR_REACH_DAYS = 100;

const COLUMNS = `r.symbol, r.kind, r.key, (extract(epoch from r.known_at) * 1000)::bigint as "knownAt", r.value`;

/**
 * All facts by the instant on results of the stocks with a result expected between two dates, or reported on the
 * first. The candidates are found by date: the cost follows the number of stocks with results.
 */
const RESULTS = `
with expected as (
  select distinct symbol from reported_fact
  where kind = 'earnings_date' and value ->> 'date' between $1 and $2 and known_at <= $3::timestamptz
  union
  select distinct symbol from reported_fact
  where kind = 'earnings_report' and value ->> 'date' = $1 and known_at <= $3::timestamptz
), candidate as (select symbol from expected where ${ofMarket('expected.symbol', '$6')})
select ${COLUMNS} from candidate c
join reported_fact r on r.symbol = c.symbol and r.kind = 'earnings_date'
  and r.known_at <= $3::timestamptz and r.known_at > $3::timestamptz - make_interval(days => $4)
union all
select ${COLUMNS} from candidate c
join reported_fact r on r.symbol = c.symbol and r.kind = 'earnings_report'
  and r.known_at <= $3::timestamptz and r.known_at > $3::timestamptz - make_interval(days => $5)
order by symbol, "knownAt", kind, key`;

/**
 * By symbol, in alphabetical order, the known coming and fresh results of a market.
 *
 * @param from first and `to` last date, YYYY-MM-DD
 * @param asOf epoch milliseconds
 */
export async function readResultsKnown(
  database: Queryable,
  simulated: boolean,
  { from, to, asOf }: { readonly from: string; readonly to: string; readonly asOf: number },
  options: QueryOptions = {},
): Promise<Map<string, KnownFacts>> {
  const rows = await database.query<FactRow>(
    RESULTS,
    [from, to, new Date(asOf).toISOString(), FACT_WINDOW_DAYS.earnings_date, EARLY_REACH_DAYS, simulated],
    options,
  );
  return knownBySymbol(rows, asOf);
}

/** Whether any results were expected at an instant; else an empty date means nothing. */
export async function hasResultsCalendar(
  database: Queryable,
  simulated: boolean,
  { from, asOf }: { readonly from: string; readonly asOf: number },
  options: QueryOptions = {},
): Promise<boolean> {
  const [row] = await database.query<{ known: boolean }>(
    `select exists (select from reported_fact f
       where kind = 'earnings_date' and value ->> 'date' between $1 and ($1::date + $3::integer)::text
         and known_at <= $2::timestamptz and ${ofMarket('f.symbol', '$4')}) as known`,
    [from, new Date(asOf).toISOString(), CALENDAR_REACH_DAYS, simulated],
    options,
  );
  return row!.known;
}

/** By symbol, in alphabetical order, the halts of the last days as they were known at an instant. */
export async function readHaltsKnown(
  database: Queryable,
  simulated: boolean,
  asOf: number,
  options: QueryOptions = {},
): Promise<Map<string, KnownFacts>> {
  const rows = await database.query<FactRow>(
    `select ${COLUMNS} from reported_fact r
     where r.kind = 'halt' and r.known_at <= $1::timestamptz and r.known_at > $1::timestamptz - make_interval(days => $2)
       and ${ofMarket('r.symbol', '$3')}
     order by r.symbol, r.known_at, r.key`,
    [new Date(asOf).toISOString(), FACT_WINDOW_DAYS.halt, simulated],
    options,
  );
  return knownBySymbol(rows, asOf);
}

function knownBySymbol(rows: readonly FactRow[], asOf: number): Map<string, KnownFacts> {
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  return new Map(Array.from(bySymbol, ([symbol, facts]) => [symbol, knownFacts(facts, asOf)]));
}

/** Older market capitalisations do not count. */
const STATED_REACH_DAYS = 460;

/** Market capitalisations in dollars that a vendor stated, the newest known at an instant; others are left out. */
export async function readStatedMarketCaps(
  database: Queryable,
  symbols: readonly string[],
  asOf: number,
  options: QueryOptions = {},
): Promise<Map<string, number>> {
  if (symbols.length === 0) return new Map();
  const rows = await database.query<{ symbol: string; cap: number }>(
    `select requested.symbol, newest.cap
     from unnest($1::text[]) as requested (symbol), lateral (
       select (r.value -> 'stated' ->> 'market_cap')::double precision as cap from reported_fact r
       where r.symbol = requested.symbol and r.kind = 'fundamentals' and r.known_at <= $2::timestamptz
         and r.known_at > $2::timestamptz - make_interval(days => $3)
         and r.value -> 'stated' ->> 'market_cap' is not null
       order by r.known_at desc limit 1) newest`,
    [symbols, new Date(asOf).toISOString(), STATED_REACH_DAYS],
    options,
  );
  return new Map(rows.filter(({ cap }) => cap > 0).map(({ symbol, cap }) => [symbol, cap]));
}

/** The first and the last day, since 1970-01-01, of daily bars of a market; null where it has none. */
export async function daysOfTape(
  database: Queryable,
  simulated: boolean,
  options: QueryOptions = {},
): Promise<{ readonly first: number; readonly last: number } | null> {
  const [row] = await database.query<{ first: number | null; last: number | null }>(
    `select least(min(s.first_day),
         (select min(time / ${DAY_MS}) from running_row where kind = 'bars-1d' and simulated = $1)) as first,
       greatest(max(s.last_day), (select max(time / ${DAY_MS}) from running_row where simulated = $1)) as last
     from tape_slice s where s.kind = 'bars-1d' and ${ofMarket('s.symbol', '$1')}`,
    [simulated],
    options,
  );
  const { first, last } = row!;
  return first === null || last === null ? null : { first, last };
}

/** Reported ties of one stock to others; null where unknown. */
export interface ReportedTies {
  readonly sector: string | null;
  readonly industry: string | null;
  readonly themes: readonly string[];
}

/** By symbol the ties of a stock to others at an instant; of each field the newest value. */
export async function readTiesKnown(database: Queryable, asOf: number): Promise<Map<string, ReportedTies>> {
  const rows = await database.query<ReportedTies & { symbol: string }>(
    `select symbol,
       (array_agg(value ->> 'sector' order by known_at desc)
         filter (where kind = 'profile' and value ->> 'sector' is not null))[1] as sector,
       (array_agg(value ->> 'industry' order by known_at desc)
         filter (where kind = 'profile' and value ->> 'industry' is not null))[1] as industry,
       coalesce(array_agg(key order by key) filter (
         where kind = 'theme_exposure' and is_newest and (value ->> 'magnitude')::double precision > 0), '{}') as themes
     from (
       select symbol, kind, key, value, known_at,
         known_at = max(known_at) over (partition by symbol, kind, key) as is_newest
       from reported_fact
       where kind in ('profile', 'theme_exposure') and known_at <= $1::timestamptz
         and (kind = 'profile' or value ->> 'magnitude' is not null)) as known
     group by symbol`,
    [new Date(asOf).toISOString()],
  );
  return new Map(rows.map(({ symbol, ...ties }) => [symbol, ties]));
}

/** News items of one day from which on they are a burst: more than the ordinary stock has in a week. */
const NEWS_BURST = 5;

/** From one instant, which is not within, to another. */
interface EventSpan {
  readonly tradeDate: string;
  readonly after: number;
  readonly until: number;
}

/** By trade date the symbols with an event in its span, of which none overlap: results, a halt, or a burst of news. */
export async function readOwnEvents(
  database: Queryable,
  some: readonly EventSpan[],
): Promise<Map<string, ReadonlySet<string>>> {
  const spans = some.toSorted((one, other) => one.after - other.after);
  const instants = (name: 'after' | 'until') => spans.map((span) => new Date(span[name]).toISOString());
  const rows = await database.query<{ symbol: string; place: number }>(
    `select symbol, place from (
       select symbol, kind, known_at, width_bucket(known_at - interval '1 microsecond', $1::timestamptz[]) as place
       from reported_fact
       where kind in ('earnings_report', 'halt', 'news') and known_at > $3::timestamptz and known_at <= $4::timestamptz
     ) as event
     where known_at <= ($2::timestamptz[])[place]
     group by place, symbol
     having count(*) filter (where kind in ('earnings_report', 'halt')) > 0 or count(*) >= $5`,
    [instants('after'), instants('until'), instants('after')[0], instants('until').at(-1), NEWS_BURST],
  );
  const bySpan = Map.groupBy(rows, ({ place }) => place);
  return new Map(
    spans.map(({ tradeDate }, at) => [tradeDate, new Set(bySpan.get(at + 1)?.map(({ symbol }) => symbol))]),
  );
}
