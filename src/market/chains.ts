import { type CorporateAction, namedColumns } from './observations.ts';

/**
 * An option chain at one instant. Prices are US dollars a share, volume and open interest contracts, volatilities
 * decimals (0.25 = 25 %), theta dollars a day, vega dollars a volatility point. NaN: unknown.
 */
export interface OptionChain {
  /** Ticker of the underlying. */
  readonly symbol: string;
  /** Epoch milliseconds at which the chain was taken; it may be quoted from then on. */
  readonly takenAt: number;
  /** Price of the underlying that the source gives with the chain; NaN when it gives none. */
  readonly underlyingPrice: number;
  readonly style: 'american' | 'european';
  /** Shares of a contract. */
  readonly multiplier: number;
  readonly contracts: ContractColumns;
  /** True when the rows were made by the simulated feed. */
  readonly simulated: boolean;
}

/**
 * The contracts of one chain as columns of one length, in ascending order of expiration, settlement, strike and right
 * (calls first), each contract once. Crossed, one-sided and absent quotes are unchanged; computations decide what is
 * usable.
 */
export type ContractColumns = Readonly<Record<(typeof CONTRACT_COLUMNS)[number], Float64Array>>;

export const CONTRACT_COLUMNS = [
  // Midnight UTC of the expiration's New York date.
  'expiration',
  'strike',
  // 1 for a call, -1 for a put.
  'right',
  'bid',
  'ask',
  'last',
  'volume',
  'openInterest',
  // What the vendor states of the contract, for comparison; never an input where it can be computed.
  'vendorIv',
  'vendorDelta',
  'vendorGamma',
  // Place in `SETTLEMENTS`: at the open or the close of its date, or of a class that is unknown.
  'settlement',
] as const;

/** Daily volatility as a source states it or as measured from chains; `time` is midnight UTC of the trade date. */
export interface VolatilityColumns {
  readonly time: Float64Array;
  /** 30-day constant-maturity implied volatility at the money, decimal. */
  readonly implied: Float64Array;
  /** 30-day realised volatility, decimal; NaN where it is not stated. */
  readonly realised: Float64Array;
}

export type ContractRow = Readonly<Record<keyof ContractColumns, number>>;

export const contractColumns = (
  make: (name: keyof ContractColumns, index: number) => Float64Array,
): ContractColumns => namedColumns(CONTRACT_COLUMNS, make);

/**
 * A chain in the shares of another date. A split between the two divides strikes and prices by the ratio and
 * multiplies volume and open interest, as the clearing house does for whole ratios; for others the figures are
 * right although the listed contracts differ. Dividends change nothing.
 *
 * @param takenDay midnight UTC of the New York date of the chain
 * @param basisDay midnight UTC of the date whose shares are the basis; a split counts from its ex-date on
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
    // A dollar is a larger part of a cheaper share, so delta moves more with it.
    case 'vendorGamma':
      return column.map((value) => value * ratio);
    default:
      return column;
  }
}
