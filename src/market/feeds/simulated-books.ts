import { SECTORS } from './simulated-sectors.ts';
import { bellOf, clamp, type Life, sharesOn, streamOf, traitOf } from './simulated-life.ts';

/** Ordinary books of a sector. Shares of revenue unless they say otherwise; revenue itself as a share of market value. */
interface SectorBooks {
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

const books = (
  revenueOfValue: number,
  [grossMargin, operatingMargin]: readonly [number | null, number],
  [depreciation, capex]: readonly [number, number],
  [assetTurnover, debt, cash]: readonly [number, number, number],
): SectorBooks => ({
  revenueOfValue,
  grossMargin,
  operatingMargin,
  depreciation,
  capex,
  assetTurnover,
  debt,
  cash,
});

/** About what the annual reports of such companies show; no figure is that of a real one. */
const SECTOR_BOOKS: Readonly<Record<string, SectorBooks>> = {
  'Information Technology': books(0.16, [0.6, 0.27], [0.04, 0.05], [0.6, 0.18, 0.22]),
  'Health Care': books(0.22, [0.58, 0.2], [0.045, 0.04], [0.6, 0.24, 0.14]),
  Financials: books(0.22, [null, 0.36], [0.02, 0.02], [0.08, 0.1, 0.08]),
  'Consumer Discretionary': books(0.55, [0.36, 0.11], [0.04, 0.05], [1.1, 0.28, 0.12]),
  Industrials: books(0.42, [0.32, 0.14], [0.045, 0.045], [0.8, 0.28, 0.09]),
  'Communication Services': books(0.28, [0.52, 0.2], [0.09, 0.09], [0.5, 0.28, 0.12]),
  'Consumer Staples': books(0.5, [0.36, 0.14], [0.035, 0.04], [0.95, 0.3, 0.06]),
  Energy: books(0.6, [0.38, 0.17], [0.09, 0.1], [0.65, 0.2, 0.07]),
  Utilities: books(0.35, [0.45, 0.22], [0.13, 0.25], [0.28, 0.38, 0.02]),
  'Real Estate': books(0.14, [0.6, 0.32], [0.2, 0.12], [0.16, 0.4, 0.03]),
  Materials: books(0.5, [0.3, 0.15], [0.06, 0.07], [0.75, 0.25, 0.09]),
};

/** One fiscal quarter: flows of the quarter, balances at its end. Dollars. */
export interface QuarterBooks {
  readonly quarter: number;
  readonly revenue: number;
  readonly grossProfit: number | null;
  readonly operatingIncome: number;
  readonly depreciation: number;
  readonly pretaxIncome: number;
  readonly tax: number;
  readonly netIncome: number;
  readonly operatingCashFlow: number;
  readonly capex: number;
  readonly dividends: number;
  readonly assets: number;
  readonly equity: number;
  readonly debt: number;
  readonly cash: number;
  readonly currentAssets: number | null;
  readonly currentLiabilities: number | null;
}

/** Quarters before the first session, so that the first statement has its twelve months and those of a year before. */
const QUARTERS_BEFORE = 9;
/** Business follows the market's opinion of it slowly. */
const VALUE_MEMORY = 0.8;
const INTEREST_A_YEAR = 0.045;
const TAX_RATE = 0.21;

/**
 * The company's books by quarter, as far as quarters have ended. Sales grow where the market value has grown, about a
 * year later; margins wander around those of the sector. Each quarter follows from prices up to its own end.
 */
export function booksOf(life: Life): Map<number, QuarterBooks> {
  const { schedule, path } = life;
  const base = companyBooks(life);
  const stream = streamOf(life, 'books');
  const first = schedule.quarter[path.firstSession]!;
  const endRows = lastRowsOfQuarters(life);
  const growth = 0.05 + 0.03 * bellOf(life, 'growth');
  const valueThen = (path.priorClose[0]! / 100) * sharesOn(life, 0);
  const dividends = dividendsByQuarter(life);
  const made = new Map<number, QuarterBooks>();
  let value = valueThen * Math.exp((-growth * QUARTERS_BEFORE) / 4);
  let margin = 0;
  const last = first + endRows.length - 1;
  for (let quarter = first - QUARTERS_BEFORE; quarter <= last; quarter++) {
    const noise = stream(quarter);
    if (quarter < first) value *= Math.exp(growth / 4);
    else {
      const row = endRows[quarter - first]!;
      value = VALUE_MEMORY * value + (1 - VALUE_MEMORY) * (path.close[row]! / 100) * sharesOn(life, row);
    }
    margin = 0.7 * margin + 0.012 * noise.normal();
    const season = quarter % 4 === 3 ? 1.06 : quarter % 4 === 0 ? 0.96 : 0.99;
    const revenue = (base.revenueOfValue / 4) * value * season * Math.exp(0.015 * noise.normal());
    const paid = quarter < first ? (life.company.dividendYield / 4) * value : (dividends.get(quarter) ?? 0);
    made.set(quarter, quarterBooks(quarter, base, revenue, margin, paid, 0.02 * noise.normal()));
  }
  return made;
}

/** The sector's books with the company's own strengths; one biotechnology company in three still loses money. */
function companyBooks(life: Life): SectorBooks {
  const sector = SECTORS[life.company.sector]!;
  const base = SECTOR_BOOKS[sector.name]!;
  const strength = 0.75 + 0.5 * traitOf(life, 'margin');
  const burns = life.companyName.includes('Biologics') && traitOf(life, 'burns money') < 1 / 3;
  return {
    ...base,
    revenueOfValue: base.revenueOfValue * Math.exp(0.3 * bellOf(life, 'sales')) * (burns ? 0.25 : 1),
    grossMargin: base.grossMargin === null ? null : Math.min(0.9, base.grossMargin * Math.sqrt(strength)),
    operatingMargin: burns ? -0.6 : base.operatingMargin * strength,
    debt: base.debt * (0.4 + 1.2 * traitOf(life, 'debt')),
    cash: base.cash * (0.5 + traitOf(life, 'cash')),
  };
}

function quarterBooks(
  quarter: number,
  base: SectorBooks,
  revenue: number,
  margin: number,
  dividends: number,
  workingCapital: number,
): QuarterBooks {
  const assets = (4 * revenue) / base.assetTurnover;
  const debt = base.debt * assets;
  const cash = base.cash * assets;
  const isFinancial = base.grossMargin === null;
  const otherLiabilities = (isFinancial ? 0.78 : 0.22) * assets;
  const operatingIncome = revenue * (base.operatingMargin + margin);
  const depreciation = base.depreciation * revenue;
  const pretaxIncome = operatingIncome - (INTEREST_A_YEAR / 4) * debt;
  const tax = Math.max(0, TAX_RATE * pretaxIncome);
  const netIncome = pretaxIncome - tax;
  const grossProfit =
    base.grossMargin === null
      ? null
      : Math.max(revenue * clamp(base.grossMargin + margin, 0, 0.95), operatingIncome);
  return {
    quarter,
    revenue,
    grossProfit,
    operatingIncome,
    depreciation,
    pretaxIncome,
    tax,
    netIncome,
    operatingCashFlow: netIncome + depreciation + workingCapital * revenue,
    capex: base.capex * revenue,
    dividends,
    assets,
    equity: assets - debt - otherLiabilities,
    debt,
    cash,
    // Receivables and stocks beside the cash: two months' sales. Banks divide their balance sheet otherwise.
    currentAssets: isFinancial ? null : Math.min(assets, cash + (2 / 3) * revenue),
    currentLiabilities: isFinancial ? null : 0.6 * otherLiabilities + 0.1 * debt,
  };
}

/** The last row of each quarter that has ended within the path, from that of row 0 on. */
function lastRowsOfQuarters({ schedule, path }: Life): number[] {
  const rows: number[] = [];
  for (let row = 0; row < path.rows; row++) {
    const session = path.firstSession + row;
    if (schedule.quarter[session + 1] === schedule.quarter[session]! + 1) rows.push(row);
  }
  return rows;
}

/** Dollars paid out by quarter of the ex-date. */
function dividendsByQuarter(life: Life): Map<number, number> {
  const { path, schedule } = life;
  const paid = new Map<number, number>();
  for (const { session, kind, value } of path.actions) {
    if (kind !== 'dividend') continue;
    const quarter = schedule.quarter[session]!;
    paid.set(quarter, (paid.get(quarter) ?? 0) + value * sharesOn(life, session - path.firstSession));
  }
  return paid;
}

/** The twelve months up to and including a quarter, as sums of its flows; null when a quarter of them is unknown. */
export function trailingYear(
  books: ReadonlyMap<number, QuarterBooks>,
  quarter: number,
): QuarterBooks[] | null {
  const year: QuarterBooks[] = [];
  for (let of = quarter - 3; of <= quarter; of++) {
    const one = books.get(of);
    if (one === undefined) return null;
    year.push(one);
  }
  return year;
}

/** Sum of one flow over quarters; null where the flow is not stated. */
export function sumOf(
  quarters: readonly QuarterBooks[],
  flow: (of: QuarterBooks) => number | null,
): number | null {
  let sum = 0;
  for (const quarter of quarters) {
    const part = flow(quarter);
    if (part === null) return null;
    sum += part;
  }
  return sum;
}
