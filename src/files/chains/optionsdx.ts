import type { ChainTable, ContractNames } from './layout.ts';

const side = (letter: 'c' | 'p', right: 1 | -1): ContractNames => ({
  expiration: 'expire_date',
  strike: 'strike',
  right,
  bid: `${letter}_bid`,
  ask: `${letter}_ask`,
  last: `${letter}_last`,
  volume: `${letter}_volume`,
  iv: `${letter}_iv`,
  delta: `${letter}_delta`,
  gamma: `${letter}_gamma`,
});

/**
 * Text files of OptionsDX, `spy_eod_202301.txt` or `spy_15x_202301.txt`: a row a strike with its call and put, names in
 * brackets. The file's name alone has the symbol. There is no open interest.
 */
export const optionsDxTable: ChainTable = {
  source: 'OptionsDX',
  contracts: [side('c', 1), side('p', -1)],
  price: 'underlying_last',
  times: ['quote_unixtime'],
  key: [],
  columns: ['quote_unixtime', 'expire_date', 'strike', 'c_bid', 'p_bid'],
  symbolIn: (name) => /^([a-z.]+)_(?:eod|\d+x)_\d{4}/i.exec(name)?.[1] ?? null,
};
