import { useQuery } from '@tanstack/react-query';
import { marketAt } from '../shared/age.ts';
import { marketQuery, stockQuery } from '../shared/api/queries.ts';
import { useFeed } from '../shared/api/use-feed.ts';
import { useNewest } from '../shared/api/use-newest.ts';
import type { Instant } from '../shared/instant.ts';
import { standpointOf } from './standpoint.ts';
import { useInstants } from './use-instants.ts';

/** The answers of a stock at the minute of its time handle, and where in time it stands. */
export function useStockAt(symbol: string, asOf: Instant) {
  const instants = useInstants(asOf);
  const stock = useQuery(stockQuery(symbol, instants.shown));
  const market = useQuery(marketQuery(instants.settled));
  const marketMs = useNewest();
  // A stock whose newest session is seen in part alone has no market yet: its own newest bar is the newest minute.
  const ownMs = market.error === null || stock.data === undefined ? null : Date.parse(stock.data.updated_at);
  const newestMs = marketMs ?? ownMs;
  const feed = useFeed();
  // While an answer is on its way the handle stands where it was put.
  const settled = stock.isPlaceholderData ? undefined : stock.data;
  const standpoint =
    newestMs === null ? null : standpointOf(asOf, newestMs, settled, market.data, feed?.state);
  // A phase is said of the minute of the handle alone, never of the one before.
  const isOfHandle = instants.settled === asOf && !market.isPlaceholderData;
  const clock = isOfHandle ? market.data : marketAt(market.data, asOf);
  // While the handle moves nothing is asked for beside it.
  const restMs =
    asOf === undefined || settled === undefined || instants.shown !== asOf ? null : Date.parse(asOf);
  return {
    instants,
    stock,
    market: market.data,
    clock: settled === undefined ? undefined : clock,
    standpoint,
    newestMs,
    restMs,
  };
}
