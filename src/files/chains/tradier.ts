import { isMembers, memberAt } from '../json.ts';
import type { ChainJson } from './layout.ts';

/**
 * Tradier's `markets/options/chains`. Times of quotes and trades are milliseconds since 1970, 0 for none; the greeks have
 * an hourly time of UTC.
 */
export const tradierJson: ChainJson = {
  source: 'Tradier',
  contracts: [
    {
      symbol: 'symbol',
      size: 'contract_size',
      bid: 'bid',
      ask: 'ask',
      last: 'last',
      volume: 'volume',
      openInterest: 'open_interest',
      iv: 'greeks.mid_iv',
      delta: 'greeks.delta',
      gamma: 'greeks.gamma',
    },
  ],
  underlying: 'underlying',
  times: ['bid_date', 'ask_date', 'trade_date', 'greeks.updated_at'],
  isUtc: true,
  contractsIn(file) {
    const option = memberAt(file, 'options.option');
    // A chain of one contract is written without the list.
    return Array.isArray(option) ? option : isMembers(option) ? [option] : null;
  },
};
