import { DAY_MS } from './sessions.ts';
import { clamp } from './statistics.ts';

/**
 * Ratios of a company's statements, alone and at a price.
 *
 * NaN is an input that is not known, so that a ratio of a vendor may replace the result; infinity is a ratio without a
 * meaning although its inputs are known (earnings over a loss, growth from a loss), which nothing may replace. Neither
 * reaches the wire.
 */

/** Figures of one statement. Money is US dollars, flows are over the trailing twelve months; NaN: not stated. */
export const BOOK_FIGURES = [
  'revenueTtm',
  'grossProfitTtm',
  'operatingIncomeTtm',
  'netIncomeTtm',
  'ebitdaTtm',
  'operatingCashFlowTtm',
  'freeCashFlowTtm',
  'dividendsPaidTtm',
  'revenueTtmPriorYear',
  'pretaxIncomeTtm',
  'taxTtm',
  'totalAssets',
  'totalEquity',
  'currentAssets',
  'currentLiabilities',
  'cashAndEquivalents',
  'totalDebt',
] as const;
export type BookFigure = (typeof BOOK_FIGURES)[number];
export type Books = Readonly<Record<BookFigure, number>>;

/** Ratios of one statement, by their names on the wire; percent where the name is a margin, a return or a growth. */
export const BOOK_RATIOS = {
  cash_and_equivalents: (books) => books.cashAndEquivalents,
  total_debt: (books) => books.totalDebt,
  operating_cash_flow: (books) => books.operatingCashFlowTtm,
  net_leverage: (books) => quotient(books.totalDebt - books.cashAndEquivalents, books.ebitdaTtm),
  roe: (books) => percent(books.netIncomeTtm, books.totalEquity),
  roa: (books) => percent(books.netIncomeTtm, books.totalAssets),
  profit_margin: (books) => percent(books.netIncomeTtm, books.revenueTtm),
  gross_margin: (books) => percent(books.grossProfitTtm, books.revenueTtm),
  operating_margin: (books) => percent(books.operatingIncomeTtm, books.revenueTtm),
  net_margin: (books) => percent(books.netIncomeTtm, books.revenueTtm),
  roic: returnOnInvestedCapital,
  payout_ratio: (books) => percent(Math.abs(books.dividendsPaidTtm), books.netIncomeTtm),
  debt_to_equity: (books) => quotient(books.totalDebt, books.totalEquity),
  current_ratio: (books) => quotient(books.currentAssets, books.currentLiabilities),
  revenue_growth_yoy: (books) => growthPct(books.revenueTtm, books.revenueTtmPriorYear),
} as const satisfies Record<string, (books: Books) => number>;

/** Ratios of one statement at a market capitalisation in dollars, by their names on the wire. */
export const PRICED_RATIOS = {
  price_to_book: (books, marketCap) => quotient(marketCap, books.totalEquity),
  price_to_sales: (books, marketCap) => quotient(marketCap, books.revenueTtm),
  enterprise_value: enterpriseValue,
  ev_ebitda: (books, marketCap) => quotient(enterpriseValue(books, marketCap), books.ebitdaTtm),
  // Cash flow statements write what was paid as a negative flow.
  dividend_yield: (books, marketCap) => percent(Math.abs(books.dividendsPaidTtm), marketCap),
} as const satisfies Record<string, (books: Books, marketCap: number) => number>;

/** A quotient of which only a positive divisor makes sense: infinite over any other, NaN when a part is not known. */
export function quotient(dividend: number, divisor: number): number {
  return divisor <= 0 ? Number.POSITIVE_INFINITY : dividend / divisor;
}

/** `quotient` in percent. */
export function percent(dividend: number, divisor: number): number {
  return 100 * quotient(dividend, divisor);
}

/** Change in percent of a figure over a year; infinite from a base of zero or below, which nothing can grow from. */
export function growthPct(now: number, yearBefore: number): number {
  return 100 * (quotient(now, yearBefore) - 1);
}

/** What the whole business costs, dollars: its shares and its debt less its cash. */
function enterpriseValue(books: Books, marketCap: number): number {
  return marketCap + books.totalDebt - books.cashAndEquivalents;
}

/** Cash that operations bring in for each dollar of sales, percent. */
export function operatingCashFlowMargin(books: Books): number {
  return percent(books.operatingCashFlowTtm, books.revenueTtm);
}

/** Cash left after investment for each dollar of sales, percent. */
export function freeCashFlowMargin(books: Books): number {
  return percent(books.freeCashFlowTtm, books.revenueTtm);
}

/**
 * Operating income after tax over debt and equity less cash, percent. The tax rate is of the same twelve months, 0-1.
 * Source: McKinsey (Koller, Goedhart, Wessels), "Valuation": NOPAT over invested capital, here at the period's end.
 */
function returnOnInvestedCapital(books: Books): number {
  const { operatingIncomeTtm, pretaxIncomeTtm, taxTtm, totalDebt, totalEquity, cashAndEquivalents } = books;
  const taxRate = pretaxIncomeTtm <= 0 ? 0 : clamp(taxTtm / pretaxIncomeTtm, 0, 1);
  return percent(operatingIncomeTtm * (1 - taxRate), totalDebt + totalEquity - cashAndEquivalents);
}

/** Percent: smaller growth is what a division leaves of none. */
const GROWTH_MIN_PCT = 1e-6;

/** Forward P/E over earnings growth in percent; infinite when either has no meaning, or without growth. */
export function pegRatio(forwardPe: number, earningsGrowthPct: number): number {
  const meaningless =
    Math.abs(forwardPe) === Number.POSITIVE_INFINITY ||
    Math.abs(earningsGrowthPct) === Number.POSITIVE_INFINITY ||
    Math.abs(earningsGrowthPct) < GROWTH_MIN_PCT;
  return meaningless ? Number.POSITIVE_INFINITY : forwardPe / earningsGrowthPct;
}

/** Above this multiple, earnings before everything are so near zero that the quotient says nothing of the price. */
export const EV_EBITDA_EXTREME = 100;

export type EvEbitdaWarning = 'negative_ebitda' | 'extremely_high';

/** @param ebitda dollars; exactly zero warns as a loss does, since the quotient is not defined over it either */
export function evEbitdaWarning(evEbitda: number, ebitda: number): EvEbitdaWarning | null {
  if (ebitda <= 0) return 'negative_ebitda';
  return Number.isFinite(evEbitda) && evEbitda > EV_EBITDA_EXTREME ? 'extremely_high' : null;
}

/** Results of one quarter: the day they were announced (midnight UTC) and earnings per share in today's shares. */
export interface QuarterEps {
  readonly announced: number;
  readonly eps: number;
}

/** Results come 91 days apart, later after a year's end; two quarters in one step are 180. */
export const QUARTER_DAYS = { min: 60, max: 130 } as const;

/**
 * Earnings per share of four quarters on end; NaN when one of them is missing.
 *
 * @param quarters oldest first
 * @param back how many of the newest quarters to leave out: 0 the last year, 4 the year before it
 */
export function trailingEps(quarters: readonly QuarterEps[], back = 0): number {
  const to = quarters.length - back;
  if (to < 4) return Number.NaN;
  let sum = quarters[to - 1]!.eps;
  for (let at = to - 1; at > to - 4; at--) {
    if (!isNextQuarter(quarters[at - 1]!, quarters[at]!)) return Number.NaN;
    sum += quarters[at - 1]!.eps;
  }
  return sum;
}

/** The year before `trailingEps`, of eight quarters that follow on each other; NaN when one is missing. */
export function trailingEpsPriorYear(quarters: readonly QuarterEps[]): number {
  const last = quarters.length - 5;
  if (last < 0 || !isNextQuarter(quarters[last]!, quarters[last + 1]!)) return Number.NaN;
  return trailingEps(quarters, 4);
}

function isNextQuarter(before: QuarterEps, after: QuarterEps): boolean {
  const days = (after.announced - before.announced) / DAY_MS;
  return days >= QUARTER_DAYS.min && days <= QUARTER_DAYS.max;
}
