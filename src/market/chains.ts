/**
 * An option chain as it was quoted at one instant: the strict shape that every feed fills and everything to the right
 * reads. Prices are US dollars a share, volume and open interest contracts, volatilities decimals (0.25 = 25 %),
 * theta dollars a day, vega dollars a volatility point. NaN: the source does not say.
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
 * The contracts of one chain as columns of one length, in ascending order of expiration, strike and right (calls
 * first), each contract once. Where a contract was quoted crossed, one-sided or not at all, it stands as it was quoted:
 * who computes with it decides what is usable.
 */
export interface ContractColumns {
  /** Midnight UTC of the expiration's New York date. */
  readonly expiration: Float64Array;
  readonly strike: Float64Array;
  /** 1 for a call, -1 for a put. */
  readonly right: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly last: Float64Array;
  readonly volume: Float64Array;
  readonly openInterest: Float64Array;
  /** What the vendor states of the contract, for comparison; never an input where it can be computed. */
  readonly vendorIv: Float64Array;
  readonly vendorDelta: Float64Array;
  readonly vendorGamma: Float64Array;
}

export const CONTRACT_COLUMNS = [
  'expiration',
  'strike',
  'right',
  'bid',
  'ask',
  'last',
  'volume',
  'openInterest',
  'vendorIv',
  'vendorDelta',
  'vendorGamma',
] as const satisfies readonly (keyof ContractColumns)[];

/**
 * Daily volatility of an underlying as a source states it, or as this program measured it from chains, ascending in
 * time (midnight UTC of the trade date).
 */
export interface VolatilityColumns {
  readonly time: Float64Array;
  /** 30-day constant-maturity implied volatility at the money, decimal. */
  readonly implied: Float64Array;
  /** 30-day realised volatility, decimal; NaN where it is not stated. */
  readonly realised: Float64Array;
}

/** A contract as a feed meets it; the fields are those of `ContractColumns`. */
export type ContractRow = Readonly<Record<(typeof CONTRACT_COLUMNS)[number], number>>;

/** Contracts gathered one by one, in any order; grows by doubling. */
export class ContractColumnBuilder {
  #rows = 0;
  #columns: Record<(typeof CONTRACT_COLUMNS)[number], Float64Array> = allocate(256);

  get rows(): number {
    return this.#rows;
  }

  push(contract: ContractRow): void {
    if (this.#rows === this.#columns.strike.length) this.#grow();
    const row = this.#rows++;
    for (const name of CONTRACT_COLUMNS) this.#columns[name][row] = contract[name];
  }

  /** The contracts so far as fresh columns; the builder is empty afterwards. */
  take(): ContractColumns {
    const rows = this.#rows;
    this.#rows = 0;
    return contractColumns((name) => this.#columns[name].slice(0, rows));
  }

  #grow(): void {
    const grown = allocate(this.#columns.strike.length * 2);
    for (const name of CONTRACT_COLUMNS) grown[name].set(this.#columns[name]);
    this.#columns = grown;
  }
}

export function contractColumns(
  make: (name: (typeof CONTRACT_COLUMNS)[number]) => Float64Array,
): Record<(typeof CONTRACT_COLUMNS)[number], Float64Array> {
  return {
    expiration: make('expiration'),
    strike: make('strike'),
    right: make('right'),
    bid: make('bid'),
    ask: make('ask'),
    last: make('last'),
    volume: make('volume'),
    openInterest: make('openInterest'),
    vendorIv: make('vendorIv'),
    vendorDelta: make('vendorDelta'),
    vendorGamma: make('vendorGamma'),
  };
}

const allocate = (capacity: number): Record<(typeof CONTRACT_COLUMNS)[number], Float64Array> =>
  contractColumns(() => new Float64Array(capacity));

export const NO_VOLATILITY: VolatilityColumns = {
  time: new Float64Array(0),
  implied: new Float64Array(0),
  realised: new Float64Array(0),
};
