import { isMembers } from '../json.ts';
import type { ChainJson } from './layout.ts';

/** The option chain snapshot of Massive, formerly Polygon (`/v3/snapshot/options/AAPL`). Times are nanoseconds since 1970. */
export const massiveJson: ChainJson = {
  source: 'Massive',
  contracts: [
    {
      symbol: 'details.ticker',
      size: 'details.shares_per_contract',
      bid: 'last_quote.bid',
      ask: 'last_quote.ask',
      last: 'last',
      volume: 'day.volume',
      volumeTime: 'day.last_updated',
      openInterest: 'open_interest',
      iv: 'implied_volatility',
      delta: 'greeks.delta',
      gamma: 'greeks.gamma',
    },
  ],
  underlying: 'underlying_asset.ticker',
  price: 'price',
  style: 'details.exercise_style',
  times: ['last_quote.last_updated', 'last_trade.sip_timestamp', 'underlying_asset.last_updated'],
  contractsIn({ results }) {
    if (!Array.isArray(results) || !results.some((result) => isMembers(result) && isMembers(result.details)))
      return null;
    return results.map((result) => {
      if (!isMembers(result)) return result;
      const { last_trade: trade, day, underlying_asset: asset } = result;
      return {
        ...result,
        // Plans without trades have the close of the day's bar, which is one; an index has a value instead of a price.
        last: (isMembers(trade) ? trade.price : undefined) ?? (isMembers(day) ? day.close : undefined),
        price: isMembers(asset) ? (asset.price ?? asset.value) : undefined,
      };
    });
  },
};
