import type { Fundamentals } from '../facts.ts';
import { bellOf, clamp, type Life, rounded, sharesOn, streamOf, traitOf } from './simulated-life.ts';
import { SECTORS, type SectorBooks } from './simulated-sectors.ts';
import { quarterEnd } from './simulated-timeline.ts';

/** One fiscal quarter: flows of the quarter, balances at its end. Dollars. */
interface QuarterBooks {
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

/** A company's books by quarter. */
export type Books = ReadonlyMap<number, QuarterBooks>;

/** Quarters before the first session, so that the first statement has its twelve months and those of a year before. */
const QUARTERS_BEFORE = 9;
/** Business follows the market's opinion of it slowly. */
const VALUE_MEMORY = 0.8;
const INTEREST_A_YEAR = 0.045;
const TAX_RATE = 0.21;
/** Sales of the quarters of a year, relative to their mean. */
const SEASONS = [0.96, 0.99, 0.99, 1.06];

/**
 * The company's books as far as quarters have ended. Sales grow where the market value has grown, about a year later;
 * margins wander around those of the sector. Each quarter follows from prices up to its own end.
 */
export function booksOf(life: Life): Books {
  const { schedule, path, company } = life;
  const base = companyBooks(life);
  const stream = streamOf(life, 'books');
  const first = schedule.quarter[path.firstSession]!;
  const paid = new Map<number, number>();
  for (const { session, kind, value } of path.actions) {
    if (kind !== 'dividend') continue;
    const quarter = schedule.quarter[session]!;
    paid.set(quarter, (paid.get(quarter) ?? 0) + value * sharesOn(life, session - path.firstSession));
  }
  const growth = 0.05 + 0.03 * bellOf(life, 'growth');
  const made = new Map<number, QuarterBooks>();
  let value = (path.priorClose[0]! / 100) * sharesOn(life, 0) * Math.exp((-growth * QUARTERS_BEFORE) / 4);
  let margin = 0;
  const add = (quarter: number, dividends: number): void => {
    const noise = stream(quarter);
    margin = 0.7 * margin + 0.012 * noise.normal();
    const season = SEASONS[quarter % 4]! * Math.exp(0.015 * noise.normal());
    const revenue = (base.revenueOfValue / 4) * value * season;
    made.set(quarter, quarterBooks(base, revenue, margin, dividends, 0.02 * noise.normal()));
  };
  for (let quarter = first - QUARTERS_BEFORE; quarter < first; quarter++) {
    value *= Math.exp(growth / 4);
    add(quarter, (company.dividendYield / 4) * value);
  }
  for (let row = 0; row < path.rows; row++) {
    const quarter = schedule.quarter[path.firstSession + row]!;
    if (schedule.quarter[path.firstSession + row + 1] !== quarter + 1) continue;
    value = VALUE_MEMORY * value + (1 - VALUE_MEMORY) * (path.close[row]! / 100) * sharesOn(life, row);
    add(quarter, paid.get(quarter) ?? 0);
  }
  return made;
}

/** The sector's books with the company's own strengths; one biotechnology company in three still loses money. */
function companyBooks(life: Life): SectorBooks {
  const base = SECTORS[life.company.sector]!.books;
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
  base: SectorBooks,
  revenue: number,
  margin: number,
  dividends: number,
  workingCapital: number,
): QuarterBooks {
  const { grossMargin } = base;
  const isFinancial = grossMargin === null;
  const assets = (4 * revenue) / base.assetTurnover;
  const debt = base.debt * assets;
  const cash = base.cash * assets;
  const otherLiabilities = (isFinancial ? 0.78 : 0.22) * assets;
  const operatingIncome = revenue * (base.operatingMargin + margin);
  const depreciation = base.depreciation * revenue;
  const pretaxIncome = operatingIncome - (INTEREST_A_YEAR / 4) * debt;
  const tax = Math.max(0, TAX_RATE * pretaxIncome);
  const netIncome = pretaxIncome - tax;
  return {
    revenue,
    grossProfit: isFinancial
      ? null
      : Math.max(revenue * clamp(grossMargin + margin, 0, 0.95), operatingIncome),
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

/**
 * The statement for a quarter, flows over its twelve months, per share on the basis of the row on which it is filed; null
 * where a quarter of the two years is unknown.
 */
export function fundamentalsOf(life: Life, books: Books, quarter: number, row: number): Fundamentals | null {
  const quarters = Array.from({ length: 8 }, (_, back) => books.get(quarter - back));
  if (quarters.includes(undefined)) return null;
  const end = quarters[0]!;
  const shares = sharesOn(life, row);
  const sum = (from: number, flow: (of: QuarterBooks) => number | null): number | null => {
    const parts = quarters.slice(from, from + 4).map((one) => flow(one!));
    return parts.includes(null) ? null : parts.reduce<number>((total, part) => total + part!, 0);
  };
  const ttm = (flow: (of: QuarterBooks) => number | null): number | null => whole(sum(0, flow));
  const dividends = sum(0, (of) => of.dividends)!;
  return {
    periodEnd: quarterEnd(quarter),
    revenueTtm: ttm(({ revenue }) => revenue),
    grossProfitTtm: ttm(({ grossProfit }) => grossProfit),
    operatingIncomeTtm: ttm(({ operatingIncome }) => operatingIncome),
    netIncomeTtm: ttm(({ netIncome }) => netIncome),
    ebitdaTtm: ttm(({ operatingIncome, depreciation }) => operatingIncome + depreciation),
    operatingCashFlowTtm: ttm(({ operatingCashFlow }) => operatingCashFlow),
    freeCashFlowTtm: ttm(({ operatingCashFlow, capex }) => operatingCashFlow - capex),
    dividendsPaidTtm: whole(dividends),
    epsTtm: rounded(sum(0, ({ netIncome }) => netIncome)! / shares, 4),
    epsTtmPriorYear: rounded(sum(4, ({ netIncome }) => netIncome)! / shares, 4),
    revenueTtmPriorYear: whole(sum(4, ({ revenue }) => revenue)),
    pretaxIncomeTtm: ttm(({ pretaxIncome }) => pretaxIncome),
    taxTtm: ttm(({ tax }) => tax),
    totalAssets: whole(end.assets),
    totalEquity: whole(end.equity),
    currentAssets: whole(end.currentAssets),
    currentLiabilities: whole(end.currentLiabilities),
    cashAndEquivalents: whole(end.cash),
    totalDebt: whole(end.debt),
    dividendPerShare: rounded(dividends / shares, 4),
    // A vendor's estimate of what the model knows exactly.
    stated: { beta: rounded(clamp(life.company.beta + 0.08 * bellOf(life, 'stated beta'), 0, 3), 2) },
  };
}

const whole = (dollars: number | null): number | null => (dollars === null ? null : Math.round(dollars));
