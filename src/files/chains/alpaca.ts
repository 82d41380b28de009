import { isMembers } from '../json.ts';
import { contractSymbol } from './contracts.ts';
import type { ChainJson } from './layout.ts';

/** Alpaca's snapshots of options (`/v1beta1/options/snapshots/AAPL`), by symbol. Open interest is in them only once they are joined with its contracts. */
export const alpacaJson: ChainJson = {
  source: 'Alpaca',
  contracts: [
    {
      symbol: 'symbol',
      bid: 'latestQuote.bp',
      ask: 'latestQuote.ap',
      last: 'latestTrade.p',
      volume: 'dailyBar.v',
      volumeTime: 'dailyBar.t',
      openInterest: 'open_interest',
      iv: 'impliedVolatility',
      delta: 'greeks.delta',
      gamma: 'greeks.gamma',
    },
  ],
  times: ['latestQuote.t', 'latestTrade.t'],
  contractsIn({ snapshots }) {
    if (!isMembers(snapshots)) return null;
    const contracts = Object.entries(snapshots);
    // Snapshots of stocks have the same form under the symbol of the stock.
    if (contracts.length > 0 && !contracts.some(([symbol]) => contractSymbol(symbol) !== null)) return null;
    return contracts.map(([symbol, snapshot]) => (isMembers(snapshot) ? { ...snapshot, symbol } : snapshot));
  },
};
