import { isMembers, type Members, memberAt, textOf } from '../json.ts';
import { type FactDescription, type FactLayout, firstOf, scaled } from './layout.ts';

/**
 * Companies and their figures as the APIs of sources answer them. Those are snapshots of the moment: without a time of
 * their own they count from the one that the caller states. Figures whose definition differs from the field's are left out.
 */

const percent = (path: string) => scaled(path, 2);

/** The file itself, one object, if it has some members. */
const single =
  (...members: readonly string[]) =>
  (file: unknown): readonly unknown[] | null =>
    isMembers(file) && members.every((name) => name in file) ? [file] : null;

/** A list whose first object has some members. */
const list =
  (...members: readonly string[]) =>
  (file: unknown): readonly unknown[] | null =>
    Array.isArray(file) && isMembers(file[0]) && members.every((name) => name in file[0]) ? file : null;

export const alphaVantageOverview: FactLayout = {
  itemsIn: single('Symbol', 'LatestQuarter', 'MarketCapitalization'),
  facts: [
    {
      kind: 'profile',
      symbol: 'Symbol',
      columns: {
        company_name: 'Name',
        description: 'Description',
        headquarters: 'Address',
        website: 'OfficialSite',
        sector: 'Sector',
        industry: 'Industry',
        exchange: 'Exchange',
      },
    },
    {
      kind: 'fundamentals',
      symbol: 'Symbol',
      currencies: ['Currency'],
      columns: {
        period_end: 'LatestQuarter',
        revenue_ttm: 'RevenueTTM',
        gross_profit_ttm: 'GrossProfitTTM',
        ebitda_ttm: 'EBITDA',
        eps_ttm: 'DilutedEPSTTM',
        dividend_per_share: 'DividendPerShare',
        market_cap: 'MarketCapitalization',
        pe_ratio: 'PERatio',
        forward_pe: 'ForwardPE',
        peg_ratio: 'PEGRatio',
        price_to_book: 'PriceToBookRatio',
        price_to_sales: 'PriceToSalesRatioTTM',
        ev_ebitda: 'EVToEBITDA',
        book_value_per_share: 'BookValue',
        profit_margin: percent('ProfitMargin'),
        operating_margin: percent('OperatingMarginTTM'),
        roa: percent('ReturnOnAssetsTTM'),
        roe: percent('ReturnOnEquityTTM'),
        dividend_yield: percent('DividendYield'),
        beta: 'Beta',
      },
    },
    { kind: 'shares', symbol: 'Symbol', columns: { outstanding: 'SharesOutstanding' } },
    {
      kind: 'price_target',
      symbol: 'Symbol',
      currencies: ['Currency'],
      isSaid: (item) => 'AnalystTargetPrice' in item,
      columns: { mean: 'AnalystTargetPrice' },
    },
    {
      kind: 'recommendations',
      symbol: 'Symbol',
      isSaid: (item) => 'AnalystRatingBuy' in item,
      columns: {
        strong_buy: 'AnalystRatingStrongBuy',
        buy: 'AnalystRatingBuy',
        hold: 'AnalystRatingHold',
        sell: 'AnalystRatingSell',
        strong_sell: 'AnalystRatingStrongSell',
      },
    },
  ],
};

/** Finnhub's `stock/metric`: market value in millions, returns, margins, growth and yields in percent. */
export const finnhubMetrics: FactLayout = {
  itemsIn: (file) => (isMembers(file) && isMembers(file.metric) && 'metricType' in file ? [file] : null),
  facts: [
    {
      kind: 'fundamentals',
      symbol: 'symbol',
      columns: {
        market_cap: scaled('metric.marketCapitalization', 6),
        pe_ratio: 'metric.peTTM',
        price_to_book: 'metric.pbQuarterly',
        price_to_sales: 'metric.psTTM',
        ev_ebitda: 'metric.evEbitdaTTM',
        eps_ttm: 'metric.epsTTM',
        book_value_per_share: 'metric.bookValuePerShareQuarterly',
        dividend_per_share: 'metric.dividendPerShareTTM',
        dividend_yield: 'metric.currentDividendYieldTTM',
        payout_ratio: 'metric.payoutRatioTTM',
        roe: 'metric.roeTTM',
        roa: 'metric.roaTTM',
        gross_margin: 'metric.grossMarginTTM',
        operating_margin: 'metric.operatingMarginTTM',
        net_margin: 'metric.netProfitMarginTTM',
        debt_to_equity: 'metric.totalDebt/totalEquityQuarterly',
        current_ratio: 'metric.currentRatioQuarterly',
        revenue_growth_yoy: 'metric.revenueGrowthTTMYoy',
        earnings_growth_yoy: 'metric.epsGrowthTTMYoy',
        beta: 'metric.beta',
      },
    },
  ],
};

export const fmpProfile: FactLayout = {
  itemsIn: list('symbol', 'companyName', 'ipoDate'),
  facts: [
    {
      kind: 'profile',
      symbol: 'symbol',
      columns: {
        company_name: 'companyName',
        description: 'description',
        ceo: 'ceo',
        employees: 'fullTimeEmployees',
        ipo_date: 'ipoDate',
        website: 'website',
        logo_url: 'image',
        sector: 'sector',
        industry: 'industry',
        exchange: firstOf('exchangeShortName', 'exchange'),
      },
    },
    {
      kind: 'fundamentals',
      symbol: 'symbol',
      currencies: ['currency'],
      columns: { market_cap: firstOf('marketCap', 'mktCap'), beta: 'beta' },
    },
  ],
};

/** The ratios over the trailing twelve months, as fractions. */
export const fmpRatios: FactLayout = {
  itemsIn: list('symbol', 'priceToEarningsRatioTTM', 'netProfitMarginTTM'),
  facts: [
    {
      kind: 'fundamentals',
      symbol: 'symbol',
      columns: {
        pe_ratio: 'priceToEarningsRatioTTM',
        price_to_book: 'priceToBookRatioTTM',
        price_to_sales: 'priceToSalesRatioTTM',
        gross_margin: percent('grossProfitMarginTTM'),
        operating_margin: percent('operatingProfitMarginTTM'),
        net_margin: percent('netProfitMarginTTM'),
        debt_to_equity: 'debtToEquityRatioTTM',
        current_ratio: 'currentRatioTTM',
        dividend_yield: percent('dividendYieldTTM'),
      },
    },
  ],
};

/** `Ticker.info` of yfinance. Its `dividendYield` is a fraction in some versions and percent in others, and is left out. */
export const yfinanceInfo: FactLayout = {
  itemsIn: single('symbol', 'quoteType', 'longName'),
  facts: [
    {
      kind: 'profile',
      symbol: 'symbol',
      columns: {
        company_name: 'longName',
        description: 'longBusinessSummary',
        employees: 'fullTimeEmployees',
        website: 'website',
        sector: 'sector',
        industry: 'industry',
        exchange: 'fullExchangeName',
      },
    },
    {
      kind: 'fundamentals',
      symbol: 'symbol',
      currencies: ['currency', 'financialCurrency'],
      columns: {
        period_end: (item) => textOf(item.mostRecentQuarter),
        revenue_ttm: 'totalRevenue',
        gross_profit_ttm: 'grossProfits',
        ebitda_ttm: 'ebitda',
        net_income_ttm: 'netIncomeToCommon',
        operating_cash_flow_ttm: 'operatingCashflow',
        eps_ttm: 'trailingEps',
        total_debt: 'totalDebt',
        market_cap: 'marketCap',
        enterprise_value: 'enterpriseValue',
        pe_ratio: 'trailingPE',
        forward_pe: 'forwardPE',
        price_to_book: 'priceToBook',
        price_to_sales: 'priceToSalesTrailing12Months',
        ev_ebitda: 'enterpriseToEbitda',
        book_value_per_share: 'bookValue',
        roe: percent('returnOnEquity'),
        roa: percent('returnOnAssets'),
        profit_margin: percent('profitMargins'),
        gross_margin: percent('grossMargins'),
        operating_margin: percent('operatingMargins'),
        payout_ratio: percent('payoutRatio'),
        debt_to_equity: scaled('debtToEquity', -2),
        current_ratio: 'currentRatio',
        beta: 'beta',
      },
    },
    {
      kind: 'shares',
      symbol: 'symbol',
      isSaid: (item) => 'sharesOutstanding' in item,
      columns: { outstanding: 'sharesOutstanding', float: 'floatShares' },
    },
    {
      kind: 'price_target',
      symbol: 'symbol',
      currencies: ['currency'],
      isSaid: (item) => 'targetMeanPrice' in item,
      columns: {
        mean: 'targetMeanPrice',
        high: 'targetHighPrice',
        low: 'targetLowPrice',
        analysts: 'numberOfAnalystOpinions',
      },
    },
  ],
};

const statement = (path: string) => `financials.${path}.value`;
const BALANCE: FactDescription['columns'] = {
  period_end: 'end_date',
  known_at: (item) => acceptedAt(item),
  total_assets: statement('balance_sheet.assets'),
  total_equity: statement('balance_sheet.equity'),
  current_assets: statement('balance_sheet.current_assets'),
  current_liabilities: statement('balance_sheet.current_liabilities'),
};
const isOverYear = ({ timeframe }: Members): boolean => timeframe === 'ttm' || timeframe === 'annual';

/** Statements of Massive, formerly Polygon, from filings. Flows of a quarter are left out. */
export const massiveFinancials: FactLayout = {
  itemsIn(file) {
    const results = memberAt(file, 'results');
    return Array.isArray(results) && isMembers(results[0]) && isMembers(results[0].financials)
      ? results
      : null;
  },
  facts: [
    {
      kind: 'fundamentals',
      symbol: 'tickers',
      currencies: ['financials.balance_sheet.assets.unit'],
      isSaid: (item) => !isOverYear(item),
      columns: BALANCE,
    },
    {
      kind: 'fundamentals',
      symbol: 'tickers',
      currencies: ['financials.balance_sheet.assets.unit', 'financials.income_statement.revenues.unit'],
      isSaid: isOverYear,
      columns: {
        ...BALANCE,
        revenue_ttm: statement('income_statement.revenues'),
        gross_profit_ttm: statement('income_statement.gross_profit'),
        operating_income_ttm: statement('income_statement.operating_income_loss'),
        net_income_ttm: statement('income_statement.net_income_loss'),
        eps_ttm: statement('income_statement.diluted_earnings_per_share'),
        pretax_income_ttm: statement('income_statement.income_loss_from_continuing_operations_before_tax'),
        tax_ttm: statement('income_statement.income_tax_expense_benefit'),
        operating_cash_flow_ttm: statement('cash_flow_statement.net_cash_flow_from_operating_activities'),
      },
    },
  ],
};

/** When the filing was accepted, as the SEC writes it in New York's time, else the day of the filing. */
function acceptedAt({ acceptance_datetime: accepted, filing_date: filed }: Members): unknown {
  const text = textOf(accepted);
  if (text === '') return filed;
  return /^\d{14}$/.test(text) ? `${text} America/New_York` : text;
}
