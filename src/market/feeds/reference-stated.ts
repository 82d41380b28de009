import { tradeDateOf } from '../../base/time-zone.ts';
import type { CompanyProfile, EarningsDate, Fundamentals, StatedRatio } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import { endOfDayNewYork } from './fact-times.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { type FactGatherer, factGatherer, type Place } from './reference-fact-gatherer.ts';
import {
  type JsonObject,
  jsonObject,
  numberIn,
  objectOf,
  objectsIn,
  percentOf,
  provenFiles,
  type Row,
  type SourceFile,
  tableRows,
  textIn,
} from './reference-source.ts';

/** Ratios and figures that a source states without the books behind them. */

const MILLION = 1e6;

/** Books of which nothing is known but their end; a reader spreads over it what its source tells. */
export function emptyBooks(periodEnd: string): Fundamentals {
  return {
    periodEnd,
    revenueTtm: null,
    grossProfitTtm: null,
    operatingIncomeTtm: null,
    netIncomeTtm: null,
    ebitdaTtm: null,
    operatingCashFlowTtm: null,
    freeCashFlowTtm: null,
    dividendsPaidTtm: null,
    epsTtm: null,
    epsTtmPriorYear: null,
    revenueTtmPriorYear: null,
    pretaxIncomeTtm: null,
    taxTtm: null,
    totalAssets: null,
    totalEquity: null,
    currentAssets: null,
    currentLiabilities: null,
    cashAndEquivalents: null,
    totalDebt: null,
    dividendPerShare: null,
    stated: {},
  };
}

/** Nothing is known of the company. */
export const NO_PROFILE: CompanyProfile = {
  companyName: null,
  description: null,
  ceo: null,
  headquarters: null,
  employees: null,
  ipoDate: null,
  website: null,
  logoUrl: null,
  sector: null,
  industry: null,
  exchange: null,
};

/** The ratios that are there, so that an absent one does not stand as null. */
export function statedRatios(
  ratios: Readonly<Partial<Record<StatedRatio, number | null>>>,
): Fundamentals['stated'] {
  return Object.fromEntries(Object.entries(ratios).filter(([, ratio]) => ratio !== null)) as never;
}

/** `finnhub_basic_company_financials_*.csv` by column; percent where the contract has percent, else plain ratios. */
const VENDOR_RATIOS: Readonly<Partial<Record<StatedRatio, string>>> = {
  pe_ratio: 'peTTM',
  price_to_book: 'pbQuarterly',
  price_to_sales: 'psTTM',
  book_value_per_share: 'bookValuePerShareQuarterly',
  roe: 'roeTTM',
  roa: 'roaTTM',
  gross_margin: 'grossMarginTTM',
  operating_margin: 'operatingMarginTTM',
  profit_margin: 'netProfitMarginTTM',
  net_margin: 'netProfitMarginTTM',
  dividend_yield: 'currentDividendYieldTTM',
  payout_ratio: 'payoutRatioTTM',
  debt_to_equity: 'totalDebt/totalEquityQuarterly',
  current_ratio: 'currentRatioQuarterly',
  revenue_growth_yoy: 'revenueGrowthTTMYoy',
  earnings_growth_yoy: 'epsGrowthTTMYoy',
  beta: 'beta',
};
const VENDOR_COLUMNS = [
  'symbol',
  'update_date',
  'marketCapitalization',
  'enterpriseValue',
  'epsTTM',
  'dividendPerShareTTM',
];

/** `finnhub_basic_company_financials_*.csv`: market value in millions of dollars, known from the end of its date. */
export async function* readVendorRatios(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  const columns = [...VENDOR_COLUMNS, ...Object.values(VENDOR_RATIOS)];
  for (const row of await tableRows(source, columns, tally)) {
    const date = row.text('update_date') ?? '';
    const ratios = Object.entries(VENDOR_RATIOS).map(([ratio, column]) => [ratio, row.number(column)]);
    const books = {
      ...emptyBooks(date),
      epsTtm: row.number('epsTTM'),
      dividendPerShare: row.number('dividendPerShareTTM'),
      stated: statedRatios({
        ...Object.fromEntries(ratios),
        market_cap: inDollars(row.number('marketCapitalization')),
        enterprise_value: inDollars(row.number('enterpriseValue')),
      }),
    };
    gatherer.take(row.text('symbol'), 'fundamentals', endOfDayNewYork(date), books, row);
  }
  yield* gatherer.due(true);
}

const inDollars = (millions: number | null): number | null => (millions === null ? null : millions * MILLION);

/**
 * `constituents-financials.csv` bears no date inside. The copy without one in its name was taken on this day; any other
 * is named `constituents-financials_YYYY-MM-DD.csv`.
 */
const CONSTITUENTS_TAKEN = '2026-08-22';
const CONSTITUENTS = [
  'Symbol',
  'Name',
  'Sector',
  'Price/Earnings',
  'Dividend Yield',
  'Earnings/Share',
  'Market Cap',
  'EBITDA',
  'Price/Sales',
  'Price/Book',
];

/** `constituents-financials.csv`: its column Sector holds the sub-industry. */
export async function* readConstituents(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  const taken = /\d{4}-\d{2}-\d{2}/.exec(source.key)?.[0] ?? CONSTITUENTS_TAKEN;
  const knownAt = endOfDayNewYork(taken);
  for (const row of await tableRows(source, CONSTITUENTS, tally)) {
    const symbol = row.text('Symbol');
    const profile = { ...NO_PROFILE, companyName: row.text('Name'), industry: row.text('Sector') };
    gatherer.take(symbol, 'profile', knownAt, profile, row);
    gatherer.take(symbol, 'fundamentals', knownAt, constituentBooks(row, taken), row);
  }
  yield* gatherer.due(true);
}

function constituentBooks(row: Row, taken: string): Fundamentals {
  return {
    ...emptyBooks(taken),
    epsTtm: row.number('Earnings/Share'),
    ebitdaTtm: row.number('EBITDA'),
    stated: statedRatios({
      market_cap: row.number('Market Cap'),
      pe_ratio: row.number('Price/Earnings'),
      price_to_sales: row.number('Price/Sales'),
      price_to_book: row.number('Price/Book'),
      dividend_yield: percentOf(row.number('Dividend Yield')),
    }),
  };
}

/** Under this a positive ratio of price to book divides the price of one share class by the book value of another. */
const PRICE_TO_BOOK_MIN = 0.01;
const REGULAR_OPEN = '09:30';
const REGULAR_CLOSE = '16:00';
const newYorkClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
});

/** `sp500_snapshot_*.json`: profile, market ratios, the ratios of the last fiscal year, and the next results. */
export async function* readSnapshot(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for await (const file of provenFiles(source, tally)) {
    const members = await jsonObject(file, tally);
    const knownAt = Date.parse(textIn(members ?? {}, 'generatedAt') ?? '');
    for (const stock of objectsIn(members?.stocks)) {
      const ticker = textIn(stock, 'symbol');
      takeSnapshot(gatherer, ticker, stock, knownAt, `${file.where}:${ticker}`, tally);
    }
  }
  yield* gatherer.due(true);
}

function takeSnapshot(
  gatherer: FactGatherer,
  ticker: string | null,
  stock: JsonObject,
  knownAt: number,
  where: string,
  tally: RefusalTally,
): void {
  const place = { where, example: JSON.stringify(stock) };
  if (!Number.isFinite(knownAt)) {
    tally.note('bad_time', where, place.example);
    return;
  }
  const profile = {
    ...NO_PROFILE,
    companyName: textIn(stock, 'name'),
    sector: textIn(stock, 'sector'),
    industry: textIn(stock, 'industry'),
  };
  gatherer.take(ticker, 'profile', knownAt, profile, place);
  const year = fiscalYearBooks(objectOf(stock.fund));
  if (year !== null) gatherer.take(ticker, 'fundamentals', knownAt, year, place);
  const books = { ...emptyBooks(tradeDateOf(knownAt)), stated: marketRatios(stock, place, tally) };
  gatherer.take(ticker, 'fundamentals', knownAt, books, place);
  const next = nextResults(stock, knownAt);
  if (next !== null) gatherer.take(ticker, 'earnings_date', knownAt, next, place);
}

function marketRatios(
  stock: JsonObject,
  { where, example }: Place,
  tally: RefusalTally,
): Fundamentals['stated'] {
  const priceToBook = numberIn(stock, 'priceToBook');
  const mixesClasses = priceToBook !== null && priceToBook > 0 && priceToBook < PRICE_TO_BOOK_MIN;
  if (mixesClasses) tally.note('repaired', where, example);
  return statedRatios({
    market_cap: numberIn(stock, 'marketCap'),
    pe_ratio: numberIn(stock, 'trailingPE'),
    forward_pe: numberIn(stock, 'forwardPE'),
    price_to_book: mixesClasses ? null : priceToBook,
    dividend_yield: percentOf(numberIn(stock, 'dividendYield')),
  });
}

/** Figures of the fiscal year that ended at `asOf`; fractions become percent. */
function fiscalYearBooks(fund: JsonObject | null): Fundamentals | null {
  const periodEnd = fund === null ? null : textIn(fund, 'asOf');
  if (fund === null || periodEnd === null) return null;
  const netMargin = percentOf(numberIn(fund, 'netMargin'));
  return {
    ...emptyBooks(periodEnd),
    revenueTtm: numberIn(fund, 'revenue'),
    stated: statedRatios({
      gross_margin: percentOf(numberIn(fund, 'grossMargin')),
      operating_margin: percentOf(numberIn(fund, 'opMargin')),
      net_margin: netMargin,
      profit_margin: netMargin,
      roe: percentOf(numberIn(fund, 'roe')),
      roic: percentOf(numberIn(fund, 'roic')),
      net_leverage: numberIn(fund, 'netDebtEbitda'),
      current_ratio: numberIn(fund, 'currentRatio'),
      revenue_growth_yoy: percentOf(numberIn(fund, 'revGrowth')),
    }),
  };
}

/** The next results, null where the date that the snapshot has for them is already past. */
function nextResults(stock: JsonObject, knownAt: number): EarningsDate | null {
  const expected = Date.parse(textIn(stock, 'earningsDate') ?? '');
  if (!(expected >= knownAt)) return null;
  const projected = stock.earningsEstimate !== false;
  return {
    date: tradeDateOf(expected),
    // Where the vendor reckons the date, the hour is its placeholder.
    time: projected ? 'unknown' : timeOfDay(expected),
    status: projected ? 'projected' : 'confirmed',
    epsEstimate: null,
    revenueEstimate: null,
  };
}

function timeOfDay(instant: number): EarningsDate['time'] {
  const clock = newYorkClock.format(instant);
  if (clock < REGULAR_OPEN) return 'pre_market';
  return clock < REGULAR_CLOSE ? 'during_market' : 'post_market';
}
