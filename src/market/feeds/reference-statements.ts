import { DAY_MS, midnightUtc } from '../../base/dates.ts';
import type { Fundamentals } from '../facts.ts';
import { type JsonObject, numberIn, objectOf } from './reference-source.ts';
import { emptyBooks } from './reference-stated.ts';

/**
 * Books over the trailing twelve months from statements: a fiscal year is the twelve months to its end, and so are four
 * quarters that follow each other. A flow of which one quarter is missing is null, never a sum of three.
 */

/** The three statements of one period, by the vendor's names of their lines. */
interface Statement {
  readonly end: string;
  readonly income: JsonObject;
  readonly balance: JsonObject;
  readonly cash: JsonObject;
}

/** The vendor's names of the flows that are summed. */
const FLOWS = [
  ['revenueTtm', 'income', 'Total Revenue'],
  ['grossProfitTtm', 'income', 'Gross Profit'],
  ['operatingIncomeTtm', 'income', 'Operating Income'],
  // What is left for the holders of common stock is the profit of its price and of its equity.
  ['netIncomeTtm', 'income', 'Net Income Common Stockholders'],
  ['ebitdaTtm', 'income', 'EBITDA'],
  ['epsTtm', 'income', 'Diluted EPS'],
  ['pretaxIncomeTtm', 'income', 'Pretax Income'],
  ['taxTtm', 'income', 'Tax Provision'],
  ['operatingCashFlowTtm', 'cash', 'Operating Cash Flow'],
  ['freeCashFlowTtm', 'cash', 'Free Cash Flow'],
  // Paid out, and therefore negative in the statement.
  ['dividendsPaidTtm', 'cash', 'Cash Dividends Paid'],
] as const;

const STOCKS = [
  ['totalAssets', 'Total Assets'],
  ['totalEquity', 'Common Stock Equity'],
  ['currentAssets', 'Current Assets'],
  ['currentLiabilities', 'Current Liabilities'],
  ['cashAndEquivalents', 'Cash And Cash Equivalents'],
  ['totalDebt', 'Total Debt'],
] as const;

const QUARTERS = 4;
/** Ends of neighbouring quarters lie 90 to 92 days apart; years of 52 or 53 weeks shift them by up to a week. */
const QUARTER_DAYS = { min: 80, max: 102 };
const YEAR_DAYS = { min: 350, max: 380 };

/** Every fiscal year of the yearly statements, newest first. */
export function yearlyBooks(fundamentals: JsonObject): Fundamentals[] {
  const years = statementsIn(fundamentals, 'income_statement', 'balance_sheet', 'cash_flow');
  return years
    .map((year, index) => {
      const before = years[index + 1];
      const follows = before !== undefined && isApart(before.end, year.end, YEAR_DAYS);
      return booksOf([year], follows ? [before] : []);
    })
    .filter(saysSomething);
}

/** The twelve months to each quarter that three consecutive quarters lead up to, newest first. */
export function trailingBooks(earnings: JsonObject): Fundamentals[] {
  const quarters = statementsIn(earnings, 'quarterly_income', 'quarterly_balance', 'quarterly_cashflow');
  return quarters
    .flatMap((_, index) => {
      const year = quarters.slice(index, index + QUARTERS);
      const before = quarters.slice(index + QUARTERS, index + 2 * QUARTERS);
      if (!isUnbroken(year, QUARTERS)) return [];
      return [booksOf(year, isUnbroken([...year, ...before], 2 * QUARTERS) ? before : [])];
    })
    .filter(saysSomething);
}

/**
 * Books of the same period told twice: figures of the second stand where the first has none, so that a year's own
 * statement goes before a sum of its rounded quarters. Newest last.
 */
export function mergedBooks(books: readonly Fundamentals[]): Fundamentals[] {
  const byEnd = new Map<string, Fundamentals>();
  for (const told of books) {
    const earlier = byEnd.get(told.periodEnd);
    byEnd.set(told.periodEnd, earlier === undefined ? told : completed(earlier, told));
  }
  return [...byEnd.values()].sort((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1));
}

function completed(first: Fundamentals, second: Fundamentals): Fundamentals {
  const members = Object.entries(second).filter(([name]) => first[name as keyof Fundamentals] === null);
  return { ...first, ...Object.fromEntries(members) };
}

/** Periods that any of three statements has, newest first; a line that a period lacks is null. */
function statementsIn(members: JsonObject, income: string, balance: string, cash: string): Statement[] {
  const [incomes, balances, cashes] = [income, balance, cash].map((name) => objectOf(members[name]) ?? {});
  const ends = new Set([incomes, balances, cashes].flatMap((periods) => Object.keys(periods!)));
  return [...ends]
    .sort()
    .reverse()
    .map((end) => ({
      end: end.slice(0, 10),
      income: objectOf(incomes![end]) ?? {},
      balance: objectOf(balances![end]) ?? {},
      cash: objectOf(cashes![end]) ?? {},
    }));
}

function booksOf(periods: readonly Statement[], before: readonly Statement[]): Fundamentals {
  const newest = periods[0]!;
  const flows = Object.fromEntries(FLOWS.map(([field, part, line]) => [field, sumOf(periods, part, line)]));
  const stocks = Object.fromEntries(STOCKS.map(([field, line]) => [field, numberIn(newest.balance, line)]));
  const paid = flows.dividendsPaidTtm ?? null;
  return {
    ...emptyBooks(newest.end),
    ...flows,
    ...stocks,
    // A positive line would be dividends that came back; the sources have none, and null is all that it can mean.
    dividendsPaidTtm: paid === null || paid > 0 ? null : Math.abs(paid),
    epsTtmPriorYear: sumOf(before, 'income', 'Diluted EPS'),
    revenueTtmPriorYear: sumOf(before, 'income', 'Total Revenue'),
  };
}

/** Sum of a line over periods; null where there is none, or where one of them lacks the line. */
function sumOf(periods: readonly Statement[], part: 'income' | 'cash', line: string): number | null {
  let sum = 0;
  for (const period of periods) {
    const amount = numberIn(period[part], line);
    if (amount === null) return null;
    sum += amount;
  }
  // Cents of a share, not the noise of adding them.
  return periods.length === 0 ? null : Number(sum.toPrecision(15));
}

const isUnbroken = (quarters: readonly Statement[], count: number): boolean =>
  quarters.length === count &&
  quarters.slice(1).every((earlier, index) => isApart(earlier.end, quarters[index]!.end, QUARTER_DAYS));

function isApart(earlier: string, later: string, { min, max }: typeof QUARTER_DAYS): boolean {
  const days = (midnightUtc(later) - midnightUtc(earlier)) / DAY_MS;
  return days >= min && days <= max;
}

/** False for a period of which every line is empty: the vendor's table has a column for it and nothing in it. */
const saysSomething = (books: Fundamentals): boolean =>
  Object.values(books).some((value) => typeof value === 'number');
