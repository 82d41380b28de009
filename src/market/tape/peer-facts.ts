import type { Queryable } from '../../database/database.ts';

/** What was reported of one stock that ties it to others; null where nothing was. */
export interface ReportedTies {
  readonly sector: string | null;
  readonly industry: string | null;
  readonly themes: readonly string[];
}

/** By symbol what ties a stock to others, as it was known at an instant; field by field the newest word. */
export async function readTiesKnown(database: Queryable, asOf: number): Promise<Map<string, ReportedTies>> {
  const rows = await database.query<ReportedTies & { symbol: string }>(
    `select symbol,
       (array_agg(value ->> 'sector' order by known_at desc)
         filter (where kind = 'profile' and value ->> 'sector' is not null))[1] as sector,
       (array_agg(value ->> 'industry' order by known_at desc)
         filter (where kind = 'profile' and value ->> 'industry' is not null))[1] as industry,
       array(
         select theme from (
           select distinct on (t.key) t.key as theme, (t.value ->> 'magnitude')::double precision as magnitude
           from reported_fact t
           where t.symbol = f.symbol and t.kind = 'theme_exposure' and t.known_at <= $1::timestamptz
             and t.value ->> 'magnitude' is not null
           order by t.key, t.known_at desc) as newest
         where magnitude > 0 order by theme) as themes
     from reported_fact f
     where kind in ('profile', 'theme_exposure') and known_at <= $1::timestamptz
     group by symbol`,
    [new Date(asOf).toISOString()],
  );
  return new Map(rows.map(({ symbol, ...ties }) => [symbol, ties]));
}

/** News items of one day from which on they are a burst: more than the ordinary stock has in a week. */
const NEWS_BURST = 5;

/**
 * Symbols that had an event of their own between two instants, the first left out: results announced, a halt, or a burst
 * of news.
 */
export async function readOwnEvents(database: Queryable, after: number, until: number): Promise<Set<string>> {
  const rows = await database.query<{ symbol: string }>(
    `select symbol from reported_fact
     where kind in ('earnings_report', 'halt', 'news') and known_at > $1::timestamptz and known_at <= $2::timestamptz
     group by symbol
     having count(*) filter (where kind in ('earnings_report', 'halt')) > 0 or count(*) >= $3`,
    [new Date(after).toISOString(), new Date(until).toISOString(), NEWS_BURST],
  );
  return new Set(rows.map((row) => row.symbol));
}
