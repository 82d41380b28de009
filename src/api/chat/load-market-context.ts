import { CodedError, type ErrorCode } from '../../base/errors.ts';
import type { MarketView } from '../../tape/index.ts';
import { addAge } from '../../texts/data-age.ts';
import { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { visibleInstant } from '../access/viewer.ts';
import { marketAt } from '../answers/market-at.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { type MarketContextRequest, marketContextAt } from '../market/get-market-context.ts';
import type { MarketContext } from '../market/schema.ts';
import { addContext, addMarket, addSectors } from './market-facts.ts';

/** A part of the answer, or why there is none. */
export type Part<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: null; readonly reason: string; readonly isStillToCome?: boolean };

/** Codes of data that does not exist here. */
const ABSENT: ReadonlySet<ErrorCode> = new Set(['topology_not_loaded', 'feature_disabled']);

/**
 * A part that may be missing: an absence becomes a reason, an error stays an error.
 *
 * @param absence why a value holds nothing; null where it holds something
 */
export async function partOf<Value>(
  making: Promise<Value>,
  absence: (value: Value) => string | null = () => null,
): Promise<Part<Value>> {
  try {
    const value = await making;
    const reason = absence(value);
    return reason === null ? { value, reason } : { value: null, reason };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.kind !== 'not_found' && !ABSENT.has(error.code)) throw error;
    return { value: null, reason: error.message, isStillToCome: error.code === 'topology_not_loaded' };
  }
}

/** The market on a trade date, and the facts that may be quoted of it. */
export interface PageContext {
  /** Which market. */
  readonly simulated: boolean;
  readonly tradeDate: string;
  /** The newest instant of any part, epoch milliseconds. */
  readonly asOf: number;
  /** Sessions that the market has completed since; 0 of a past date or minute. */
  readonly sessionsBehind: number;
  /** The clock's time of the read. */
  readonly now: number;
  readonly market: MarketView;
  readonly marketContext: Part<MarketContext>;
  readonly registry: FactRegistry;
}

/**
 * For pages about no stock.
 *
 * @throws CodedError no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function loadMarketContext(
  context: AppContext,
  request: MarketContextRequest,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<PageContext> {
  const now = context.clock.now();
  const marketContext = await marketContextAt(context, request, viewer, signal);
  const { trade_date: tradeDate, sessions_behind: sessionsBehind, simulated } = marketContext;
  const asOf = Date.parse(marketContext.as_of);
  const market = await marketAt(context, simulated, tradeDate, asOf, signal);
  const registry = new FactRegistry();
  addMarket(registry, market);
  addSectors(registry, market);
  addContext(registry, marketContext);
  addAge(registry, { tradeDate, sessionsBehind }, visibleInstant(viewer, now));
  const known = { value: marketContext, reason: null };
  return { simulated, tradeDate, asOf, sessionsBehind, now, market, marketContext: known, registry };
}
