import { type ContractColumns, contractColumns, type OptionChain } from './chains.ts';
import type { CorporateAction } from './observations.ts';

/**
 * A chain in the shares of another date: what a split between the two turns each contract into. Strikes and prices are divided by the
 * ratio, volume and open interest multiplied, as the clearing house does for whole ratios; of others the figures are
 * right although the contracts are written differently (a new root, another deliverable). Dividends change nothing.
 *
 * @param takenDay midnight UTC of the New York date on which the chain was taken
 * @param basisDay midnight UTC of the date in whose shares it is wanted; a split counts from its ex-date on
 */
export function chainOnBasisOf(
  chain: OptionChain,
  actions: readonly CorporateAction[],
  takenDay: number,
  basisDay: number,
): OptionChain {
  let ratio = 1;
  for (const { kind, exDate, value } of actions) {
    if (kind !== 'split') continue;
    if (exDate > takenDay && exDate <= basisDay) ratio *= value;
    if (exDate > basisDay && exDate <= takenDay) ratio /= value;
  }
  if (ratio === 1) return chain;
  const { contracts } = chain;
  return {
    ...chain,
    underlyingPrice: chain.underlyingPrice / ratio,
    contracts: contractColumns((name) => onBasis(name, contracts[name], ratio)),
  };
}

function onBasis(name: keyof ContractColumns, column: Float64Array, ratio: number): Float64Array {
  switch (name) {
    case 'strike':
    case 'bid':
    case 'ask':
    case 'last':
      return column.map((dollars) => dollars / ratio);
    case 'volume':
    case 'openInterest':
    // A dollar is more of a cheaper share, so that delta moves more with it.
    case 'vendorGamma':
      return column.map((value) => value * ratio);
    default:
      return column;
  }
}
