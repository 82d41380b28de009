import { type FactKind, type FactValues, GRADE_ACTIONS, REPORT_TIMES, type StatedRatio } from './facts.ts';

/** What a field of a reported fact may hold. The door, the readers of files and the documentation go by it. */
export interface FieldRule {
  readonly holds: FieldContent;
  /** False where null says that nothing is known. */
  readonly required: boolean;
  /** The words of a `word` field. */
  readonly words?: readonly string[];
}

/**
 * `text` up to 20,000 characters; `date` YYYY-MM-DD; `instant` epoch milliseconds; `number` any finite number;
 * `amount` a number not below 0; `positive` a number above 0; `count` a whole number not below 0; `share` 0 to 1;
 * `tone` -1 to 1; `opinion` 1 to 5; `code` one capital letter; `word` one of a list; `symbols` a list of tickers;
 * `ratios` numbers by the names of `STATED_RATIOS`.
 */
export type FieldContent =
  | 'text'
  | 'date'
  | 'instant'
  | 'number'
  | 'amount'
  | 'positive'
  | 'count'
  | 'share'
  | 'tone'
  | 'opinion'
  | 'code'
  | 'word'
  | 'symbols'
  | 'ratios';

const maybe = (holds: FieldContent): FieldRule => ({ holds, required: false });
const always = (holds: FieldContent): FieldRule => ({ holds, required: true });
const oneOf = (words: readonly string[]): FieldRule => ({ holds: 'word', required: true, words });

/** Every field of every kind; a field that `facts.ts` gains and this table does not is an error of compilation. */
export const FACT_FIELDS: {
  readonly [Kind in FactKind]: Readonly<Record<keyof FactValues[Kind], FieldRule>>;
} = {
  profile: {
    companyName: maybe('text'),
    description: maybe('text'),
    ceo: maybe('text'),
    headquarters: maybe('text'),
    employees: maybe('count'),
    ipoDate: maybe('date'),
    website: maybe('text'),
    logoUrl: maybe('text'),
    sector: maybe('text'),
    industry: maybe('text'),
    exchange: maybe('text'),
  },
  listing: { from: always('date'), ticker: always('text'), exchange: maybe('text') },
  fundamentals: {
    periodEnd: always('date'),
    revenueTtm: maybe('number'),
    grossProfitTtm: maybe('number'),
    operatingIncomeTtm: maybe('number'),
    netIncomeTtm: maybe('number'),
    ebitdaTtm: maybe('number'),
    operatingCashFlowTtm: maybe('number'),
    freeCashFlowTtm: maybe('number'),
    dividendsPaidTtm: maybe('amount'),
    epsTtm: maybe('number'),
    epsTtmPriorYear: maybe('number'),
    revenueTtmPriorYear: maybe('number'),
    pretaxIncomeTtm: maybe('number'),
    taxTtm: maybe('number'),
    totalAssets: maybe('amount'),
    totalEquity: maybe('number'),
    currentAssets: maybe('amount'),
    currentLiabilities: maybe('amount'),
    cashAndEquivalents: maybe('amount'),
    totalDebt: maybe('amount'),
    dividendPerShare: maybe('amount'),
    stated: always('ratios'),
  },
  shares: { outstanding: maybe('positive'), float: maybe('amount') },
  earnings_report: {
    date: always('date'),
    time: oneOf(REPORT_TIMES),
    periodEnd: maybe('date'),
    epsEstimate: maybe('number'),
    epsActual: maybe('number'),
    revenueEstimate: maybe('number'),
    revenueActual: maybe('number'),
  },
  earnings_date: {
    date: always('date'),
    time: oneOf(REPORT_TIMES),
    status: oneOf(['confirmed', 'projected']),
    epsEstimate: maybe('number'),
    revenueEstimate: maybe('number'),
  },
  analyst_grade: {
    date: always('date'),
    firm: always('text'),
    action: oneOf(GRADE_ACTIONS),
    from: maybe('text'),
    to: maybe('text'),
    target: maybe('positive'),
  },
  recommendations: {
    strongBuy: maybe('count'),
    buy: maybe('count'),
    hold: maybe('count'),
    sell: maybe('count'),
    strongSell: maybe('count'),
    mean: maybe('opinion'),
    analysts: maybe('count'),
  },
  price_target: {
    mean: maybe('positive'),
    high: maybe('positive'),
    low: maybe('positive'),
    analysts: maybe('count'),
  },
  analyst_estimates: {
    year: oneOf(['current_year', 'next_year']),
    epsAverage: maybe('number'),
    epsHigh: maybe('number'),
    epsLow: maybe('number'),
    revenueAverage: maybe('number'),
    analysts: maybe('count'),
  },
  insider_transaction: {
    date: always('date'),
    owner: always('text'),
    title: maybe('text'),
    code: always('code'),
    shares: always('positive'),
    price: maybe('amount'),
    direction: { holds: 'word', required: false, words: ['acquired', 'disposed'] },
  },
  news: {
    publishedAt: always('instant'),
    headline: always('text'),
    summary: maybe('text'),
    source: maybe('text'),
    url: maybe('text'),
    symbols: always('symbols'),
    eventType: maybe('text'),
    sentiment: maybe('tone'),
    relevance: maybe('share'),
  },
  theme_exposure: {
    theme: always('text'),
    themeName: maybe('text'),
    direction: oneOf(['positive', 'negative', 'mixed']),
    magnitude: maybe('share'),
    rationale: maybe('text'),
    validFrom: maybe('date'),
  },
  halt: { from: always('instant'), to: maybe('instant'), reason: maybe('text') },
};

/** Kinds that say nothing unless one of their measured fields is there, and the fields that only say of what. */
export const BARE_FIELDS: Readonly<Partial<Record<FactKind, readonly string[]>>> = {
  profile: [],
  fundamentals: ['periodEnd'],
  shares: [],
  recommendations: [],
  price_target: [],
  analyst_estimates: ['year'],
};

/** Stated ratios that cannot lie below zero; the others may, as their numerators can. */
export const RATIOS_NOT_NEGATIVE: ReadonlySet<StatedRatio> = new Set([
  'market_cap',
  'dividend_yield',
  'current_ratio',
]);
