import { isMembers } from '../json.ts';
import type { ChainJson } from './layout.ts';

/**
 * Cboe's delayed quotes, `cdn.cboe.com/api/global/delayed_quotes/options/SPX.json`. Nothing in the file names its clocks:
 * `timestamp` is of UTC (files that were taken at a known time show it), times of trades are of New York.
 */
export const cboeJson: ChainJson = {
  source: 'Cboe, delayed JSON',
  contracts: [
    {
      symbol: 'option',
      bid: 'bid',
      ask: 'ask',
      last: 'last_trade_price',
      volume: 'volume',
      openInterest: 'open_interest',
      iv: 'iv',
      delta: 'delta',
      gamma: 'gamma',
    },
  ],
  underlying: 'symbol',
  price: 'price',
  times: ['/timestamp'],
  isUtc: true,
  traded: 'last_trade_time',
  contractsIn(file) {
    const { data, symbol } = file;
    if (!isMembers(data) || !Array.isArray(data.options)) return null;
    const whole = { symbol: symbol ?? data.symbol, price: data.current_price ?? data.close };
    return data.options.map((option) => (isMembers(option) ? { ...option, ...whole } : option));
  },
};
