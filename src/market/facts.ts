/**
 * What is reported of a company rather than traded: statements, results, opinions, transactions, news, themes, halts.
 *
 * Every fact says from which instant it may be quoted (`knownAt`) and what it speaks of (`key`, unique within symbol
 * and kind). A later word about the same key is a revision; it replaces the earlier one from its own instant on, field
 * by field: a null in it means "does not say". Money is US dollars, shares are shares on the basis of the day that they
 * were reported, ratios that the contract calls percent are in percent (12.5 = 12.5 %), dates are New York dates
 * written YYYY-MM-DD, instants are epoch milliseconds.
 */

/** Who the company is. Key: `company`. */
export interface CompanyProfile {
  readonly companyName: string | null;
  readonly description: string | null;
  readonly ceo: string | null;
  readonly headquarters: string | null;
  readonly employees: number | null;
  readonly ipoDate: string | null;
  readonly website: string | null;
  readonly logoUrl: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly exchange: string | null;
}

/** Under which ticker a security trades, and where. Key: `from`. */
export interface Listing {
  readonly from: string;
  readonly ticker: string;
  /** Exchange of the primary listing. */
  readonly exchange: string | null;
}

/**
 * The books at the end of a fiscal period, flows over the trailing twelve months. Key: the period's end date. Where a
 * source states a ratio and not its inputs, the ratio stands here as stated; the block prefers to compute it.
 */
export interface Fundamentals {
  /** End of the fiscal period, or the date of the source where it names none. */
  readonly periodEnd: string;
  readonly revenueTtm: number | null;
  readonly grossProfitTtm: number | null;
  readonly operatingIncomeTtm: number | null;
  readonly netIncomeTtm: number | null;
  readonly ebitdaTtm: number | null;
  readonly operatingCashFlowTtm: number | null;
  readonly freeCashFlowTtm: number | null;
  readonly dividendsPaidTtm: number | null;
  readonly epsTtm: number | null;
  /** Earnings per share over the twelve months before those of `epsTtm`. */
  readonly epsTtmPriorYear: number | null;
  readonly revenueTtmPriorYear: number | null;
  /** Income before tax and tax over the trailing twelve months: their quotient is the tax rate of ROIC. */
  readonly pretaxIncomeTtm: number | null;
  readonly taxTtm: number | null;
  readonly totalAssets: number | null;
  readonly totalEquity: number | null;
  readonly currentAssets: number | null;
  readonly currentLiabilities: number | null;
  readonly cashAndEquivalents: number | null;
  readonly totalDebt: number | null;
  readonly dividendPerShare: number | null;
  /** Ratios as a vendor states them; null where it states none. */
  readonly stated: Readonly<Partial<Record<StatedRatio, number>>>;
}

/** Ratios that vendors state without their inputs; units of the contract (percent fields in percent). */
export const STATED_RATIOS = [
  'market_cap',
  'enterprise_value',
  'pe_ratio',
  'forward_pe',
  'price_to_book',
  'price_to_sales',
  'peg_ratio',
  'ev_ebitda',
  'book_value_per_share',
  'net_leverage',
  'roe',
  'roa',
  'profit_margin',
  'gross_margin',
  'operating_margin',
  'net_margin',
  'roic',
  'dividend_yield',
  'payout_ratio',
  'debt_to_equity',
  'current_ratio',
  'revenue_growth_yoy',
  'earnings_growth_yoy',
  'beta',
] as const;
export type StatedRatio = (typeof STATED_RATIOS)[number];

/** Shares that exist. Key: `shares`, or `float` for a word on the float alone. */
export interface Shares {
  readonly outstanding: number | null;
  readonly float: number | null;
}

export const REPORT_TIMES = ['pre_market', 'post_market', 'during_market', 'unknown'] as const;
export type ReportTime = (typeof REPORT_TIMES)[number];

/** Results of a quarter. Key: the trade date of their announcement. */
export interface EarningsReport {
  readonly date: string;
  readonly time: ReportTime;
  /** End of the fiscal quarter, where the source names it. */
  readonly periodEnd: string | null;
  readonly epsEstimate: number | null;
  readonly epsActual: number | null;
  readonly revenueEstimate: number | null;
  readonly revenueActual: number | null;
}

/** When results are expected. Key: `next`; a later word replaces the date. */
export interface EarningsDate {
  readonly date: string;
  readonly time: ReportTime;
  readonly status: 'confirmed' | 'projected';
  readonly epsEstimate: number | null;
  readonly revenueEstimate: number | null;
}

export const GRADE_ACTIONS = ['maintain', 'upgrade', 'downgrade', 'initiate', 'reiterate'] as const;
export type GradeAction = (typeof GRADE_ACTIONS)[number];

/** One firm's word on the stock. Key: date and firm. */
export interface AnalystGrade {
  readonly date: string;
  readonly firm: string;
  readonly action: GradeAction;
  readonly from: string | null;
  readonly to: string | null;
  readonly target: number | null;
}

/** How many analysts hold which opinion. Key: `consensus`. `mean`: 1 strong sell to 5 strong buy, where stated. */
export interface Recommendations {
  readonly strongBuy: number | null;
  readonly buy: number | null;
  readonly hold: number | null;
  readonly sell: number | null;
  readonly strongSell: number | null;
  readonly mean: number | null;
  readonly analysts: number | null;
}

/** Price targets over all analysts, dollars. Key: `consensus`. */
export interface PriceTarget {
  readonly mean: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly analysts: number | null;
}

/** Estimates for a fiscal year. Key: `current_year` or `next_year`. */
export interface AnalystEstimates {
  readonly year: 'current_year' | 'next_year';
  readonly epsAverage: number | null;
  readonly epsHigh: number | null;
  readonly epsLow: number | null;
  readonly revenueAverage: number | null;
  readonly analysts: number | null;
}

/** One line of a Form 4. Key: owner, date, code, shares and price, so that a filing listed twice counts once. */
export interface InsiderTransaction {
  /** The day of the transaction; its filing is `knownAt`. */
  readonly date: string;
  readonly owner: string;
  readonly title: string | null;
  /** SEC transaction code: P open-market purchase, S open-market sale, A grant, M exercise, F tax, G gift ... */
  readonly code: string;
  /** Positive. */
  readonly shares: number;
  readonly price: number | null;
  readonly direction: 'acquired' | 'disposed' | null;
}

/** A news item that mentions the symbol. Key: the item's id. */
export interface NewsItem {
  readonly publishedAt: number;
  readonly headline: string;
  readonly summary: string | null;
  readonly source: string | null;
  readonly url: string | null;
  /** Every symbol that the item mentions. */
  readonly symbols: readonly string[];
  readonly eventType: string | null;
  /** -1 to 1 when the vendor scores tone; null when it does not. */
  readonly sentiment: number | null;
  /** 0 to 1 when the vendor says how much the item is about the symbol. */
  readonly relevance: number | null;
}

/** Exposure to a structural theme. Key: the theme. */
export interface ThemeExposure {
  readonly theme: string;
  readonly themeName: string | null;
  readonly direction: 'positive' | 'negative' | 'mixed';
  /** 0 to 1; 0 ends the exposure. */
  readonly magnitude: number | null;
  readonly rationale: string | null;
  readonly validFrom: string | null;
}

/** A halt of trading. Key: its beginning. A revision brings the end. */
export interface Halt {
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  readonly reason: string | null;
}

export interface FactValues {
  readonly profile: CompanyProfile;
  readonly listing: Listing;
  readonly fundamentals: Fundamentals;
  readonly shares: Shares;
  readonly earnings_report: EarningsReport;
  readonly earnings_date: EarningsDate;
  readonly analyst_grade: AnalystGrade;
  readonly recommendations: Recommendations;
  readonly price_target: PriceTarget;
  readonly analyst_estimates: AnalystEstimates;
  readonly insider_transaction: InsiderTransaction;
  readonly news: NewsItem;
  readonly theme_exposure: ThemeExposure;
  readonly halt: Halt;
}

export type FactKind = keyof FactValues;

/** One fact of a symbol as it was reported. */
export interface ReportedFact<Kind extends FactKind = FactKind> {
  readonly kind: Kind;
  readonly key: string;
  readonly knownAt: number;
  readonly value: FactValues[Kind];
}

/** A fact of any one kind, its value matching its kind. */
export type AnyFact = { readonly [Kind in FactKind]: ReportedFact<Kind> }[FactKind];

/** What was known at an instant: for each kind the newest word of every key, oldest first by `knownAt`. */
export type KnownFacts = {
  readonly [Kind in FactKind]: readonly (FactValues[Kind] & { readonly knownAt: number })[];
};

export const FACT_KINDS = [
  'profile',
  'listing',
  'fundamentals',
  'shares',
  'earnings_report',
  'earnings_date',
  'analyst_grade',
  'recommendations',
  'price_target',
  'analyst_estimates',
  'insider_transaction',
  'news',
  'theme_exposure',
  'halt',
] as const satisfies readonly FactKind[];
