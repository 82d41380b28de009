import type { Queryable } from '../../database/database.ts';

/**
 * By symbol a name of what its daily history up to a day consists of: another bar, another word on one or another split
 * gives another name. Symbols without a daily bar in a segment are left out.
 *
 * @param lastDay days since 1970-01-01
 */
export async function readDailySources(
  database: Queryable,
  symbols: readonly string[],
  lastDay: number,
): Promise<Map<string, string>> {
  const rows = await database.query<{ symbol: string; source: string }>(
    `select wanted.symbol, md5(concat_ws('|',
       (select string_agg(s.segment_id || ':' || s.body_offset, ' ' order by s.segment_id, s.body_offset)
          || ' ' || least(max(s.last_day), $2::integer)
        from tape_slice s where s.symbol = wanted.symbol and s.kind = 'bars-1d' and s.first_day <= $2::integer),
       (select string_agg(r.time || ':' || array_to_string(r.columns, ' '), ' ' order by r.time)
        from running_row r where r.symbol = wanted.symbol and r.kind = 'bars-1d' and r.time <= $2::bigint * 86400000),
       (select string_agg(a.ex_date || ':' || a.value, ' ' order by a.ex_date)
        from corporate_action a
        where a.symbol = wanted.symbol and a.kind = 'split' and a.ex_date <= date '1970-01-01' + $2::integer))) as source
     from unnest($1::text[]) as wanted (symbol)
     where exists (select from tape_slice s where s.symbol = wanted.symbol and s.kind = 'bars-1d' and s.first_day <= $2::integer)`,
    [symbols, lastDay],
  );
  return new Map(rows.map(({ symbol, source }) => [symbol, source]));
}
