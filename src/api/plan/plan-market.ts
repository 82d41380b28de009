import type { MarketContext } from '../market/schema.ts';
import { closesAt, type PlanSession } from './plan-day.ts';
import type { PlanMarket } from './schema.ts';
import { say } from './sentences.ts';

/**
 * The head of a plan: a function of the market at its instant.
 *
 * @param before the market at the close before, for the breadth that a morning has not yet
 */
export function planMarket(
  market: MarketContext,
  before: MarketContext | null,
  { session }: PlanSession,
): PlanMarket {
  const isOfDay = market.trade_date === session.tradeDate;
  const own = market.breadth === null ? before : market;
  return {
    regime: market.regime?.regime ?? null,
    index_symbol: market.index?.symbol ?? null,
    index_change_pct: isOfDay ? (market.index?.return_1d_pct ?? null) : null,
    vix: market.vix?.level ?? null,
    vix_percentile: market.vix?.percentile_252 ?? null,
    above_sma_50_pct: own?.breadth?.above_sma_50_pct ?? null,
    breadth_of: own?.breadth == null ? null : own.trade_date,
    early_close: session.earlyClose,
    due: dueOf(market, session),
  };
}

function dueOf({ events, trade_date }: MarketContext, session: PlanSession['session']): string[] {
  const { results_today: results, monthly_expiration: monthly } = events;
  const symbols = (results?.largest ?? []).slice(0, 3).map(({ symbol }) => symbol);
  return [
    ...(session.earlyClose ? [say('plan.due_early_close', { time: closesAt(session) })] : []),
    ...(monthly?.date === session.tradeDate ? [say('plan.due_monthly')] : []),
    ...(trade_date === session.tradeDate && results !== null && symbols.length > 0
      ? [say('plan.due_results_of', { count: results.count, symbols: symbols.join(', ') })]
      : []),
  ];
}
