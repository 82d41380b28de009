import { isMembers } from '../json.ts';
import type { ChainJson, ChainLayout, ChainTable, ContractNames } from './layout.ts';

/** Column names as a table of ours has them, in lower case, or as they are in JSON. */
type Spelling = (name: string) => string;

const layoutIn = (spelt: Spelling): ChainLayout => {
  const side = (word: 'call' | 'put', right: 1 | -1): ContractNames => ({
    expiration: spelt('expirDate'),
    strike: spelt('strike'),
    right,
    bid: spelt(`${word}BidPrice`),
    ask: spelt(`${word}AskPrice`),
    volume: spelt(`${word}Volume`),
    openInterest: spelt(`${word}OpenInterest`),
    iv: spelt(`${word}MidIv`),
    // A strike has one gamma, and the delta of its call.
    ...(right === 1 && { delta: spelt('delta') }),
    gamma: spelt('gamma'),
  });
  return {
    source: 'ORATS',
    contracts: [side('call', 1), side('put', -1)],
    underlying: spelt('ticker'),
    price: spelt('stockPrice'),
    times: ['snapShotDate', 'quoteDate', 'updatedAt'].map(spelt),
    day: spelt('tradeDate'),
    key: ['tradeDate', 'snapShotEstTime'].map(spelt),
  };
};

const COLUMNS = ['ticker', 'tradeDate', 'expirDate', 'strike', 'callBidPrice', 'putBidPrice'];

/** Strikes of ORATS, a row with its call and put: files of a day or of its minutes, and the CSV of the data API. */
export const oratsTable: ChainTable = {
  ...layoutIn((name) => name.toLowerCase()),
  columns: COLUMNS.map((name) => name.toLowerCase()),
};

/** The strikes of the data API as JSON. */
export const oratsJson: ChainJson = {
  ...layoutIn((name) => name),
  contractsIn({ data }) {
    const isOrats =
      Array.isArray(data) && isMembers(data[0]) && COLUMNS.every((name) => name in (data[0] as object));
    return isOrats ? data : null;
  },
};
