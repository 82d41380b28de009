import type { ChainTable } from './layout.ts';

/**
 * Chains as yfinance writes them, one row a contract: the calls or puts of `option_chain`, or both with further columns.
 * The table does not state when it was taken; the chain counts from the delay of Yahoo's option quotes after its newest
 * trade on.
 */
export const yfinanceTable: ChainTable = {
  source: 'yfinance',
  contracts: [
    {
      symbol: 'contractsymbol',
      size: 'contractsize',
      bid: 'bid',
      ask: 'ask',
      last: 'lastprice',
      volume: 'volume',
      openInterest: 'openinterest',
      iv: 'impliedvolatility',
    },
  ],
  price: 'underlyingprice',
  times: ['lasttradedate'],
  delayMs: 900_000,
  columns: ['contractsymbol', 'lasttradedate', 'strike', 'bid', 'ask'],
};
