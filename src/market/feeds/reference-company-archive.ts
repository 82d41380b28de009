import { tradeDateOf } from '../../base/time-zone.ts';
import type { AnalystGrade, Fundamentals, GradeAction, Recommendations, Shares } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import type { TextFile } from './archive.ts';
import { endOfDayNewYork } from './fact-times.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { type FactGatherer, factGatherer, type Place } from './reference-fact-gatherer.ts';
import { endOfMonth, NO_OPINIONS, opinionOf } from './reference-opinions.ts';
import {
  type JsonObject,
  jsonObject,
  numberIn,
  objectOf,
  objectsIn,
  percentOf,
  provenFiles,
  type SourceFile,
  textIn,
} from './reference-source.ts';
import { emptyBooks, NO_PROFILE, statedRatios } from './reference-stated.ts';
import { mergedBooks, trailingBooks, yearlyBooks } from './reference-statements.ts';

/**
 * `profiles_*.zip`: one company a file in the folders `analyst`, `fundamentals`, `earnings` and `options`.
 *
 * No statement carries its filing date, and no file the day on which it was taken. The newest event inside the archive
 * is a rating; what has no instant of its own is known from the end of that day, never from a period's end.
 */
export async function* readCompanyArchive(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const companies = new Map<string, Company>();
  for await (const file of provenFiles(source, tally)) await addPart(companies, file, tally);
  const taken = newestGrade(companies.values());
  if (taken === null) {
    if (companies.size > 0) tally.note('bad_time', source.key, 'no rating tells when the archive was taken');
    return;
  }
  const gatherer = factGatherer(tally);
  for (const [ticker, company] of companies) takeCompany(gatherer, ticker, company, taken, source.key, tally);
  yield* gatherer.due(true);
}

const PARTS = ['analyst', 'fundamentals', 'earnings'] as const;
type Company = { readonly [Part in (typeof PARTS)[number]]?: JsonObject };

async function addPart(companies: Map<string, Company>, file: TextFile, tally: RefusalTally): Promise<void> {
  const folder = file.where.split('/').at(-2);
  const part = PARTS.find((name) => name === folder);
  if (part === undefined) {
    tally.note(folder === 'options' ? 'not_read' : 'unknown_format', file.where, file.name);
    return;
  }
  const members = await jsonObject(file, tally);
  const ticker = file.name.replace(/\.json$/, '');
  if (members !== null) companies.set(ticker, { ...companies.get(ticker), [part]: members });
}

/** The date of the newest rating of the archive, New York. */
function newestGrade(companies: Iterable<Company>): string | null {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { analyst } of companies) {
    for (const grade of objectsIn(analyst?.upgrades_downgrades))
      newest = Math.max(newest, gradedAt(grade) || newest);
  }
  return Number.isFinite(newest) ? tradeDateOf(newest) : null;
}

/** `GradeDate` is UTC without saying so: the ratings of the archive lie between 09 and 22 o'clock of it. */
const gradedAt = (grade: JsonObject): number => Date.parse(`${textIn(grade, 'GradeDate')}Z`);

function takeCompany(
  gatherer: FactGatherer,
  ticker: string,
  { analyst, fundamentals, earnings }: Company,
  taken: string,
  key: string,
  tally: RefusalTally,
): void {
  const place: Place = { where: `${key}/${ticker}`, example: ticker };
  const knownAt = endOfDayNewYork(taken);
  if (analyst !== undefined) takeOpinions(gatherer, ticker, analyst, taken, place);
  const told = mergedBooks([...yearlyBooks(fundamentals ?? {}), ...trailingBooks(earnings ?? {})]);
  for (const books of told) gatherer.take(ticker, 'fundamentals', knownAt, books, place);
  const info = objectOf(fundamentals?.info);
  if (info === null) return;
  gatherer.take(ticker, 'profile', knownAt, profileOf(info), place);
  gatherer.take(ticker, 'fundamentals', knownAt, statedBooks(info, taken), place);
  const shares = sharesOf(info, fundamentals ?? {}, earnings ?? {}, place, tally);
  if (shares.outstanding !== null) gatherer.take(ticker, 'shares', knownAt, shares, place);
}

/** The vendor's sectors in the words of the Global Industry Classification Standard, which the other tables use. */
const GICS_SECTORS: Readonly<Record<string, string>> = {
  'Basic Materials': 'Materials',
  'Consumer Cyclical': 'Consumer Discretionary',
  'Consumer Defensive': 'Consumer Staples',
  'Financial Services': 'Financials',
  Healthcare: 'Health Care',
  Technology: 'Information Technology',
};

function profileOf(info: JsonObject) {
  const sector = textIn(info, 'sector');
  return {
    ...NO_PROFILE,
    sector: sector === null ? null : (GICS_SECTORS[sector] ?? sector),
    industry: textIn(info, 'industry'),
  };
}

/** Ratios as the vendor states them on the day of the archive: fractions, but yield and debt to equity in percent. */
function statedBooks(info: JsonObject, taken: string): Fundamentals {
  const debtToEquity = numberIn(info, 'debtToEquity');
  const netMargin = percentOf(numberIn(info, 'profitMargins'));
  return {
    ...emptyBooks(taken),
    stated: statedRatios({
      market_cap: numberIn(info, 'marketCap'),
      enterprise_value: numberIn(info, 'enterpriseValue'),
      pe_ratio: numberIn(info, 'trailingPE'),
      forward_pe: numberIn(info, 'forwardPE'),
      price_to_book: numberIn(info, 'priceToBook'),
      price_to_sales: numberIn(info, 'priceToSalesTrailing12Months'),
      peg_ratio: numberIn(info, 'pegRatio'),
      ev_ebitda: numberIn(info, 'enterpriseToEbitda'),
      profit_margin: netMargin,
      net_margin: netMargin,
      // The vendor writes 0 for banks, which have no cost of goods.
      gross_margin: percentOf(numberIn(info, 'grossMargins') || null),
      operating_margin: percentOf(numberIn(info, 'operatingMargins')),
      roe: percentOf(numberIn(info, 'returnOnEquity')),
      roa: percentOf(numberIn(info, 'returnOnAssets')),
      dividend_yield: numberIn(info, 'dividendYield'),
      payout_ratio: percentOf(numberIn(info, 'payoutRatio')),
      debt_to_equity: debtToEquity === null ? null : debtToEquity / 100,
      current_ratio: numberIn(info, 'currentRatio'),
      revenue_growth_yoy: percentOf(numberIn(info, 'revenueGrowth')),
      earnings_growth_yoy: percentOf(numberIn(info, 'earningsGrowth')),
      beta: numberIn(info, 'beta'),
    }),
  };
}

/** A vendor's count this far under that of the balance sheet is of one share class only (META, ABNB, PATH). */
const ONE_CLASS_BELOW = 0.9;

function sharesOf(
  info: JsonObject,
  fundamentals: JsonObject,
  earnings: JsonObject,
  { where, example }: Place,
  tally: RefusalTally,
): Shares {
  const stated = numberIn(info, 'sharesOutstanding');
  const balanced = newestCount(earnings.quarterly_balance) ?? newestCount(fundamentals.balance_sheet);
  if (stated === null || balanced === null || stated >= ONE_CLASS_BELOW * balanced) {
    return { outstanding: stated, float: null };
  }
  tally.note('repaired', where, `${example}: ${stated} shares of one class of ${balanced}`);
  return { outstanding: balanced, float: null };
}

/** Shares that the newest balance sheet counts; null when it does not say. */
function newestCount(sheets: unknown): number | null {
  const periods = objectOf(sheets) ?? {};
  const newest = Object.keys(periods).sort().at(-1);
  return newest === undefined ? null : numberIn(objectOf(periods[newest]) ?? {}, 'Ordinary Shares Number');
}

function takeOpinions(
  gatherer: FactGatherer,
  ticker: string,
  analyst: JsonObject,
  taken: string,
  place: Place,
): void {
  const knownAt = endOfDayNewYork(taken);
  const target = {
    mean: numberIn(analyst, 'target_mean_price'),
    high: numberIn(analyst, 'target_high_price'),
    low: numberIn(analyst, 'target_low_price'),
    analysts: numberIn(analyst, 'number_of_analyst_opinions'),
  };
  if (target.mean !== null) gatherer.take(ticker, 'price_target', knownAt, target, place);
  for (const month of objectsIn(analyst.recommendations_history)) {
    const monthsBefore = Math.abs(Number.parseInt(textIn(month, 'period') ?? '', 10));
    const counts = { ...countsOf(month), mean: monthsBefore === 0 ? meanOf(analyst) : null };
    const since = monthsBefore === 0 ? knownAt : endOfMonth(taken, monthsBefore);
    gatherer.take(ticker, 'recommendations', since, counts, { ...place, example: JSON.stringify(month) });
  }
  for (const grade of objectsIn(analyst.upgrades_downgrades)) {
    gatherer.take(ticker, 'analyst_grade', gradedAt(grade), gradeOf(grade), {
      ...place,
      example: JSON.stringify(grade),
    });
  }
}

const meanOf = (analyst: JsonObject): number | null => opinionOf(numberIn(analyst, 'recommendation_mean'));

function countsOf(month: JsonObject): Recommendations {
  return {
    ...NO_OPINIONS,
    strongBuy: numberIn(month, 'strongBuy'),
    buy: numberIn(month, 'buy'),
    hold: numberIn(month, 'hold'),
    sell: numberIn(month, 'sell'),
    strongSell: numberIn(month, 'strongSell'),
  };
}

const ACTIONS: Readonly<Record<string, GradeAction>> = {
  main: 'maintain',
  reit: 'reiterate',
  up: 'upgrade',
  down: 'downgrade',
  init: 'initiate',
};

/** A word for an action that the vendor adds stands as it is, and the door refuses it. */
function gradeOf(grade: JsonObject): AnalystGrade {
  const action = textIn(grade, 'Action') ?? '';
  const at = gradedAt(grade);
  return {
    date: Number.isNaN(at) ? '' : tradeDateOf(at),
    firm: textIn(grade, 'Firm') ?? '',
    action: ACTIONS[action] ?? (action as GradeAction),
    from: textIn(grade, 'FromGrade'),
    to: textIn(grade, 'ToGrade'),
    // 0 stands for no target.
    target: numberIn(grade, 'currentPriceTarget') || null,
  };
}
