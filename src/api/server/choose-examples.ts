import { DAY_MS, dateOf, midnightUtc } from '../../base/calendar.ts';
import { ofMarket } from '../../database/symbol-market.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { PeerDay } from '../../tape/index.ts';
import type { Caller } from '../access/viewer.ts';
import { listRuns } from '../backtest/list-runs.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Examples } from '../http/route-entry.ts';
import { newestScreenDate } from '../screener/visible-date.ts';

const PEERS_NAMED = 4;
const MINUTE_SESSIONS = 3;

/** @returns null on a store without data */
export async function chooseExamples(context: AppContext, caller: Caller): Promise<Examples | null> {
  const { tape, calendar, clock } = context;
  const visible = clock.now() - caller.delayMs;
  const simulated = await context.symbolMarkets.marketFor(caller);
  const date = await newestScreenDate(context, simulated, caller);
  const symbol =
    date === null
      ? (await tape.ofMarket(simulated).symbols())[0]
      : await bestStock(context, simulated, date, visible);
  if (symbol === undefined) return null;
  const chain = await newestChain(context, symbol, visible);
  const taken = chain && calendar.tradeDateOf(chain.takenAt);
  return {
    symbol,
    symbols: [symbol, ...(date === null ? [] : await peersOf(context, symbol, date))],
    date,
    chain: chain && { symbol: chain.symbol, date: calendar.isSession(taken!) ? taken : null },
    minutes: await newestMinutes(context, symbol, date ?? calendar.tradeDateOf(visible)),
  };
}

export async function exampleRun(context: AppContext, caller: Caller): Promise<string | null> {
  const { runs } = await listRuns(context, { limit: 1 }, caller);
  return runs[0]?.id ?? null;
}

/**
 * The stock of a trade date with the most kinds of data. Each look is by the index: for an `exists` the planner may read
 * the table whole instead, as its statistics are at the time.
 */
async function bestStock({ database }: AppContext, simulated: boolean, date: string, visible: number) {
  const [row] = await database.query<{ symbol: string }>(
    `select r.symbol from screen_row r where r.trade_date = $1::date and ${ofMarket('r.symbol', '$4')}
     order by ((select 1 from peer_day p
                where p.trade_date = $1::date and p.symbol = r.symbol and p.value is not null limit 1) is not null)::int
            + ((select 1 from chain_slice c
                where c.symbol = r.symbol and c.taken_at between $1::date and $2::timestamptz limit 1) is not null)::int
            + ((select 1 from tape_slice t
                where t.symbol = r.symbol and t.kind = 'bars-1m' and t.last_day >= $3 limit 1) is not null)::int
              desc, r.symbol
     limit 1`,
    [date, new Date(visible).toISOString(), midnightUtc(date) / DAY_MS, simulated],
  );
  return row?.symbol;
}

async function peersOf({ database }: AppContext, symbol: string, tradeDate: string): Promise<string[]> {
  const [day] = await readPeerDays(database, [{ symbol, tradeDate }]);
  if (day === undefined || day.value === null) return [];
  const { peers } = JSON.parse(day.value) as PeerDay;
  return peers.slice(0, PEERS_NAMED).map((peer) => peer.symbol);
}

async function newestChain(
  { database, tape }: AppContext,
  symbol: string,
  visible: number,
): Promise<{ readonly symbol: string; readonly takenAt: number } | null> {
  const own = (await tape.chainsOf(symbol, { from: 0, to: visible })).at(-1);
  if (own !== undefined) return own;
  const [row] = await database.query<{ symbol: string; takenAt: Date }>(
    `select symbol, taken_at as "takenAt" from chain_slice where taken_at <= $1::timestamptz
     order by taken_at desc, symbol limit 1`,
    [new Date(visible).toISOString()],
  );
  return row === undefined ? null : { symbol: row.symbol, takenAt: row.takenAt.getTime() };
}

async function newestMinutes(
  { database, tape }: AppContext,
  preferred: string,
  until: string,
): Promise<Examples['minutes']> {
  const untilDay = midnightUtc(until) / DAY_MS;
  const [row] = await database.query<{ symbol: string }>(
    `select symbol from tape_slice where kind = 'bars-1m' and first_day <= $1
     order by symbol = $2 desc, last_day desc, symbol limit 1`,
    [untilDay, preferred],
  );
  if (row === undefined) return null;
  const [own] = await tape.symbolTapes([row.symbol]);
  const days = (own?.slices ?? []).flatMap(({ kind, days }) => (kind === 'bars-1m' ? days : []));
  const newest = [...new Set(days)]
    .filter((day) => day <= untilDay)
    .sort((a, b) => a - b)
    .slice(-MINUTE_SESSIONS);
  if (newest.length === 0) return null;
  return { symbol: row.symbol, from: dateOf(newest[0]! * DAY_MS), to: dateOf(newest.at(-1)! * DAY_MS) };
}
