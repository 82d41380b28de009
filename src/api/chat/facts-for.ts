import type { AppContext, Viewer } from '../context/app-context.ts';
import type { Fact } from '../facts/fact.ts';
import { type FactsRequest, loadStockContext } from './load-stock-context.ts';

/** Everything that may be quoted of a stock, as a viewer may know it. */
export interface KnownFacts {
  readonly symbol: string;
  readonly tradeDate: string;
  /** The newest instant of any of the facts, epoch milliseconds. */
  readonly asOf: number;
  readonly facts: readonly Fact[];
}

/**
 * Every fact of a stock on a trade date: its own answer with all includes, the market, its sector and peers, its option
 * chain, days like it. A chat context quotes these and no others.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function factsFor(
  context: AppContext,
  request: FactsRequest,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<KnownFacts> {
  const { symbol, tradeDate, asOf, registry } = await loadStockContext(context, request, viewer, signal);
  return { symbol, tradeDate, asOf, facts: registry.all() };
}
