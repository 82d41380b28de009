import { type Calendar, DAY_MS, midnightUtc } from '../../base/calendar.ts';
import type { Queryable } from '../../base/database.ts';
import { type RunningRow, runningRows } from './manifest.ts';
import { DAILY_REACH_DAYS } from './read-view.ts';
import { type Slice, type SymbolTape, startOfTradeDay } from './symbol-tape.ts';

/** A sector that a profile named, and from when on it may be quoted (epoch milliseconds). */
export interface NamedSector {
  readonly knownAt: number;
  readonly sector: string;
}

/** What a walk over the whole market needs of one symbol: its daily bars and, of one running session, its intraday. */
export interface MarketTape extends SymbolTape {
  /** Ascending `knownAt`; a profile that is silent on its sector leaves the earlier word. */
  readonly sectors: readonly NamedSector[];
}

/** A trade date at which a walk looks, and the instant (epoch milliseconds) up to which it may see. */
export interface MarketInstant {
  readonly tradeDate: string;
  readonly asOf: number;
}

interface MarketTapeRow {
  readonly symbol: string;
  readonly slices: Slice[] | null;
  readonly running: RunningRow[] | null;
  readonly splits: { day: number; value: number }[] | null;
  readonly sectors: NamedSector[] | null;
}

/**
 * Every symbol with a daily bar, in one statement. Slices of other series and days are left out: they are most of a
 * manifest, and a walk over ten thousand symbols has no use for them.
 */
const MARKET_TAPES = `
select wanted.symbol,
  (select json_agg(json_build_object('kind', s.kind, 'segmentId', s.segment_id, 'file', g.file,
      'simulated', g.simulated, 'bodyOffset', s.body_offset, 'rows', s.rows, 'checksum', s.checksum, 'firstDay', s.first_day,
      'lastDay', s.last_day, 'days', s.days, 'starts', s.starts) order by s.segment_id)
    from tape_slice s join tape_segment g on g.id = s.segment_id
    where s.symbol = wanted.symbol and (s.kind = 'bars-1d' and s.first_day <= $2::integer and s.last_day >= $1::integer
      or s.kind in ('bars-1m', 'bars-5m') and s.first_day <= $4::integer and s.last_day >= $3::integer)) as slices,
  (select json_agg(json_build_object('kind', r.kind, 'simulated', r.simulated,
      'row', array_prepend(r.time::double precision, r.columns)) order by r.kind, r.time)
    from running_row r
    where r.symbol = wanted.symbol and (r.kind = 'bars-1d'
      or r.kind in ('bars-1m', 'bars-5m') and r.time >= $5::bigint and r.time < $6::bigint)) as running,
  (select json_agg(json_build_object('day', a.ex_date - date '1970-01-01', 'value', a.value) order by a.ex_date)
    from corporate_action a where a.symbol = wanted.symbol and a.kind = 'split') as splits,
  (select json_agg(json_build_object('knownAt', (extract(epoch from f.known_at) * 1000)::bigint,
      'sector', f.value ->> 'sector') order by f.known_at)
    from reported_fact f
    where f.symbol = wanted.symbol and f.kind = 'profile' and f.value ->> 'sector' is not null) as sectors
from (select symbol from tape_slice where kind = 'bars-1d'
  union select symbol from running_row where kind = 'bars-1d') as wanted`;

/**
 * The tapes of a whole market, in the order of their symbols' code units, the same on every store.
 *
 * @param instants ascending, at least one; of sessions that still run at their instant the intraday bars come too
 */
export async function readMarketTapes(
  database: Queryable,
  calendar: Calendar,
  instants: readonly MarketInstant[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<MarketTape[]> {
  const days = instants.map(({ tradeDate }) => midnightUtc(tradeDate) / DAY_MS);
  const running = days.filter((_, at) => isRunning(calendar, instants[at]!));
  const bounds = running.length === 0 ? [null, null] : [running[0]!, running.at(-1)!];
  const [from, until] = [startOf(bounds[0]!), startOf(bounds[1] === null ? null : bounds[1]! + 1)];
  const rows = await database.query<MarketTapeRow>(
    MARKET_TAPES,
    [days[0]! - DAILY_REACH_DAYS, days.at(-1)!, ...bounds, from, until],
    options,
  );
  const tapes = rows.map(
    ({ symbol, slices, running: rowsSoFar, splits, sectors }): MarketTape => ({
      symbol,
      slices: slices ?? [],
      running: runningRows(rowsSoFar ?? []),
      actions: (splits ?? []).map(({ day, value }) => ({ kind: 'split', exDate: day * DAY_MS, value })),
      facts: [],
      sectors: sectors ?? [],
    }),
  );
  return tapes.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

function isRunning(calendar: Calendar, { tradeDate, asOf }: MarketInstant): boolean {
  const session = calendar.session(tradeDate);
  return session !== null && asOf < session.close;
}

const startOf = (day: number | null): number | null =>
  day === null ? null : startOfTradeDay('bars-1m', day);
