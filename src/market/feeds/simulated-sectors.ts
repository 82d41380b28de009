import data from './simulated-data.json' with { type: 'json' };

/** A sector of the simulated economy: how its companies move, pay, earn and call themselves. */
export interface Sector {
  readonly name: string;
  /** Share of the companies. */
  readonly share: number;
  /** Mean beta to the market. */
  readonly beta: number;
  /** Daily standard deviation of the sector's own factor in an ordinary market. */
  readonly sigma: number;
  /** Share of companies that pay a dividend, and their mean yield a year as a fraction. */
  readonly payers: number;
  readonly yield: number;
  /** What a company of each industry calls itself (`noun`) and says that it does (`trade`). */
  readonly industries: readonly { readonly name: string; readonly noun: string; readonly trade: string }[];
  readonly books: SectorBooks;
}

/**
 * Ordinary books of a sector, about what annual reports of such companies show. Shares of revenue unless they say
 * otherwise; revenue itself as a share of market value.
 */
export interface SectorBooks {
  readonly revenueOfValue: number;
  /** Null where statements know no cost of goods: banks and insurers. */
  readonly grossMargin: number | null;
  readonly operatingMargin: number;
  readonly depreciation: number;
  readonly capex: number;
  /** A year's revenue as a share of the assets. */
  readonly assetTurnover: number;
  /** Shares of the assets. */
  readonly debt: number;
  readonly cash: number;
}

/** Eleven sectors in the manner of the common classifications; companies of them exist only in the model. */
export const SECTORS: readonly Sector[] = data.sectors;

/** Place of a sector's first industry when the industries of all sectors stand in one row. */
export const FIRST_INDUSTRY: readonly number[] = SECTORS.map((_, sector) =>
  SECTORS.slice(0, sector).reduce((count, { industries }) => count + industries.length, 0),
);

export const INDUSTRY_COUNT = SECTORS.reduce((count, { industries }) => count + industries.length, 0);
