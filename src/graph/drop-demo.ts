import type { Database, Statement } from '../database/database.ts';
import { ofMarket } from '../database/symbol-market.ts';
import type { StockDayName } from '../derive/stock-day.ts';
import { daysRemoval } from './drop-days.ts';
import { dropPeerEdges } from './topology.ts';

/** Stock-days of one transaction: some hundredths of a second of the embedded database. */
const DAYS_A_REMOVAL = 100;

/** Rows of what spans the stocks of the simulated market, and of backtests of its stocks. */
const OF_MARKET: readonly string[] = [
  `delete from backtest_run r where exists (
     select from symbol_market m where m.simulated and m.symbol = any(r.symbols))`,
  'delete from claim_day where simulated',
  'delete from claim_year where simulated',
  'delete from claim_figures where simulated',
  'delete from claim_touched where simulated',
  'delete from market_day where simulated',
  'delete from running_minute where simulated',
  'delete from peer_topology where simulated',
  ...[
    'claim_event',
    'peer_day',
    'scalar_history',
    'scalar_history_part',
    'stock_state_year',
    'stock_state_source',
    'tape_touched',
  ].map((table) => `delete from ${table} t where ${ofMarket('t.symbol', 'true')}`),
  // Of dates on which nothing but the simulated market was measured.
  `delete from peer_session s where not exists (select from market_day m where m.trade_date = s.trade_date)
     and not exists (select from peer_day d where d.trade_date = s.trade_date)`,
];

/** Nodes of its stocks, and what no stock leads to any more. */
const NODES: readonly string[] = [
  `delete from node n where n.label = 'Stock' and ${ofMarket('n.key', 'true')}`,
  `delete from node n where n.label in ('Sector', 'Industry', 'Theme', 'Playbook')
     and not exists (select from edge e where e.target = n.id)
     and not exists (select from text_vector v where v.node_id = n.id)`,
];

/**
 * Drops all that was derived of the simulated market. Interrupted, it continues with the next call.
 *
 * @param onProgress receives how many of the stock-days are gone
 */
export async function dropDemoDays(
  database: Database,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<void> {
  const [{ total } = { total: 0 }] = await database.query<{ total: number }>(
    `select count(*)::integer as total from stock_day d where ${ofMarket('d.symbol', 'true')}`,
  );
  for (let done = 0; ; ) {
    const days = await database.query<StockDayName>(
      `select symbol, trade_date::text as "tradeDate" from stock_day d
       where ${ofMarket('d.symbol', 'true')} limit ${DAYS_A_REMOVAL}`,
    );
    if (days.length === 0) break;
    await database.atomically(daysRemoval(days));
    done += days.length;
    onProgress({ done, total: Math.max(done, total) });
  }
  await dropPeerEdges(database, true);
  await database.atomically([...OF_MARKET, ...NODES].map((sql): Statement => ({ sql, parameters: [] })));
}
