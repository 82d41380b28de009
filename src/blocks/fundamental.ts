import { beta } from '../analysis/beta.ts';
import {
  BOOK_RATIOS,
  evEbitdaWarning,
  growthPct,
  PRICED_RATIOS,
  pegRatio,
  percent,
  quotient,
  trailingEps,
  trailingEpsPriorYear,
} from '../analysis/fundamentals.ts';
import {
  newestStated,
  ofNewest,
  ofReports,
  perShareNow,
  type Reported,
  type Statement,
  sharesNow,
  splitFactorSince,
} from '../analysis/reported-figures.ts';
import { newestBar } from '../analysis/view-bars.ts';
import { columnDigest } from '../base/column-digest.ts';
import { DAY_MS, midnightUtc } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type { StatedRatio } from '../market/facts.ts';
import type { IndexState } from '../market/market-view.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { nestedBlock, type Relation } from './block.ts';
import { reportedQuarters } from './earnings.ts';
import type { Keeping, Kept } from './kept.ts';

const Fundamental = wire.record(
  'Fundamental',
  'Valuation, profitability, growth and balance sheet, as reported. Percent fields are in percent (12.5 = 12.5 %).',
  {
    market_cap: wire.nullableNumber('Market capitalisation, USD.', wire.NOT_NEGATIVE),
    sector: wire.nullableString('Sector of the company.'),
    exchange: wire.nullableString('Exchange of the primary listing.'),
    pe_ratio: wire.nullableNumber('Price to earnings, trailing twelve months.'),
    forward_pe: wire.nullableNumber('Price to estimated forward earnings.'),
    eps_ttm: wire.nullableNumber('Earnings per share, trailing twelve months, USD.'),
    price_to_book: wire.nullableNumber('Price to book value.'),
    price_to_sales: wire.nullableNumber('Price to sales.'),
    enterprise_value: wire.nullableNumber('Enterprise value, USD.'),
    peg_ratio: wire.nullableNumber('Forward P/E / (earnings growth YoY * 100), growth as a fraction.'),
    peg_warning: wire.nullableString('`negative_base` when prior-period EPS is negative.'),
    ev_ebitda: wire.nullableNumber('Enterprise value to EBITDA.'),
    ev_ebitda_warning: wire.nullableOneOf(
      ['negative_ebitda', 'extremely_high'],
      'Why `ev_ebitda` should not be compared.',
    ),
    cash_and_equivalents: wire.nullableNumber('Cash and equivalents, USD.'),
    total_debt: wire.nullableNumber('Total debt, USD.'),
    book_value_per_share: wire.nullableNumber('Book value per share, USD.'),
    operating_cash_flow: wire.nullableNumber('Operating cash flow, trailing twelve months, USD.'),
    net_leverage: wire.nullableNumber('(total_debt - cash) / EBITDA.'),
    roe: wire.nullableNumber('Return on equity, percent.'),
    roa: wire.nullableNumber('Return on assets, percent.'),
    profit_margin: wire.nullableNumber('Profit margin, percent.'),
    gross_margin: wire.nullableNumber('Gross margin, percent.'),
    operating_margin: wire.nullableNumber('Operating margin, percent.'),
    net_margin: wire.nullableNumber('Net margin, percent.'),
    roic: wire.nullableNumber('Return on invested capital, percent.'),
    dividend_yield: wire.nullableNumber('Dividend yield, percent.'),
    payout_ratio: wire.nullableNumber('Share of earnings paid as dividends, percent.'),
    debt_to_equity: wire.nullableNumber('Total debt to equity.'),
    current_ratio: wire.nullableNumber('Current assets to current liabilities.'),
    revenue_growth_yoy: wire.nullableNumber('Revenue growth year over year, percent.'),
    earnings_growth_yoy: wire.nullableNumber('Earnings growth year over year, percent.'),
    beta: wire.nullableNumber('Sensitivity of returns to those of the market.'),
    shares_outstanding: wire.nullableNumber('Shares outstanding.'),
    float_shares: wire.nullableNumber('Shares in free float.'),
    free_float_pct: wire.nullableNumber('Free float as percent of shares outstanding.'),
  },
  [],
);

/** Maximum age of the last of four quarters: after half a year a quarter is missing. */
export const TRAILING_EPS_MAX_AGE_DAYS = 200;

/**
 * Valuation at the newest price with the financial statements behind it. Ratios are computed where possible; a vendor's
 * ratio replaces an unknown input, never a ratio without meaning. Null when nothing is known.
 */
export const fundamental = nestedBlock({
  name: 'fundamental',
  schema: Fundamental,
  derive(view, _known, market, kept) {
    const reports = reportsOf(view);
    const price = newestBar(view)?.close ?? Number.NaN;
    const nested = valued(reports, price, betaOf(view, market, kept));
    for (const field in nested) if (nested[field as keyof typeof nested] !== null) return nested;
    return null;
  },
  relate: (_nested, { facts }) => {
    const profile = facts.profile.at(-1);
    return [
      ...belongsTo('IN_SECTOR', 'Sector', profile?.sector ?? null),
      ...belongsTo('IN_INDUSTRY', 'Industry', profile?.industry ?? null),
    ];
  },
});

/** All that the newest price does not decide: fields of the block, and what the others are computed from. */
export const reportsOf = ofReports((view) => {
  const { facts, statements } = view;
  const profile = facts.profile.at(-1);
  const outstanding = sharesNow(
    view,
    newestStated(facts.shares, (fact) => fact.outstanding),
  );
  const stateOfFloat = newestStated(facts.shares, (fact) => fact.float);
  const float = withinOutstanding(sharesNow(view, stateOfFloat), outstanding);
  const shares = outstanding ?? Number.NaN;
  const { eps, priorYear } = earningsPerShare(view);
  const growth = settled(statements, growthPct(eps, priorYear), 'earnings_growth_yoy');
  const dividend = perShare(view, (statement) => statement.dividendPerShare);
  const bookValue = bookValuePerShare(view, shares);
  const payout = firstKnown(ofNewest(statements, BOOK_RATIOS.payout_ratio), percent(dividend, eps));
  return {
    statements,
    shares,
    eps,
    growth,
    dividend,
    bookValue,
    forwardEps: forwardEps(view),
    /** In the order of the answer, null where the price decides; beta as a vendor states it. */
    fields: {
      ...booksFields(statements),
      market_cap: null,
      pe_ratio: null,
      forward_pe: null,
      eps_ttm: finiteOrNull(eps),
      earnings_growth_yoy: finiteOrNull(growth),
      peg_ratio: null,
      peg_warning: priorYear < 0 ? 'negative_base' : null,
      price_to_book: null,
      price_to_sales: null,
      enterprise_value: null,
      ev_ebitda: null,
      ev_ebitda_warning: null,
      book_value_per_share: finiteOrNull(bookValue),
      dividend_yield: null,
      payout_ratio: finiteOrNull(settled(statements, payout, 'payout_ratio')),
      sector: profile?.sector ?? null,
      exchange: profile?.exchange ?? facts.listing.at(-1)?.exchange ?? null,
      beta: stated(statements, 'beta'),
      shares_outstanding: outstanding,
      float_shares: float,
      free_float_pct: freeFloatPct(float, outstanding),
    },
  };
});

function belongsTo(type: string, label: string, key: string | null): Relation[] {
  return key === null ? [] : [{ type, label, key, props: { name: key } }];
}

function stated(statements: readonly Statement[], ratio: StatedRatio): number | null {
  return newestStated(statements, (statement) => statement.stated[ratio])?.value ?? null;
}

/** The computed value; the vendor's where an input is unknown; null where the ratio has no meaning. */
function orStated(computed: number, vendors: number | null): number | null {
  return Number.isNaN(computed) ? vendors : finiteOrNull(computed);
}

/** Fields that do not depend on the price. */
function booksFields(statements: readonly Statement[]) {
  const of = (ratio: keyof typeof BOOK_RATIOS): number => ofNewest(statements, BOOK_RATIOS[ratio]);
  const ratio = (name: keyof typeof BOOK_RATIOS & StatedRatio): number | null =>
    orStated(of(name), stated(statements, name));
  const eitherMargin = (name: StatedRatio, other: StatedRatio): number | null =>
    stated(statements, name) ?? stated(statements, other);
  return {
    cash_and_equivalents: finiteOrNull(of('cash_and_equivalents')),
    total_debt: finiteOrNull(of('total_debt')),
    operating_cash_flow: finiteOrNull(of('operating_cash_flow')),
    net_leverage: ratio('net_leverage'),
    roe: ratio('roe'),
    roa: ratio('roa'),
    // Two names of one measure: a vendor that states either has stated both.
    profit_margin: orStated(of('profit_margin'), eitherMargin('profit_margin', 'net_margin')),
    net_margin: orStated(of('net_margin'), eitherMargin('net_margin', 'profit_margin')),
    gross_margin: ratio('gross_margin'),
    operating_margin: ratio('operating_margin'),
    roic: ratio('roic'),
    debt_to_equity: ratio('debt_to_equity'),
    current_ratio: ratio('current_ratio'),
    revenue_growth_yoy: ratio('revenue_growth_yoy'),
  };
}

const settled = (statements: readonly Statement[], computed: number, name: StatedRatio): number =>
  Number.isNaN(computed) ? (stated(statements, name) ?? Number.NaN) : computed;

/** The fields with those of the price and the computed beta. */
function valued(reports: ReturnType<typeof reportsOf>, price: number, computedBeta: number) {
  const { fields, statements, shares, eps, growth, dividend, bookValue } = reports;
  const marketCap = shares > 0 ? price * shares : Number.NaN;
  const priced = (name: keyof typeof PRICED_RATIOS): number =>
    ofNewest(statements, (books) => PRICED_RATIOS[name](books, marketCap));
  const served = (computed: number, name: StatedRatio): number | null =>
    finiteOrNull(settled(statements, computed, name));
  const forwardPe = settled(statements, quotient(price, reports.forwardEps), 'forward_pe');
  const evEbitda = settled(statements, priced('ev_ebitda'), 'ev_ebitda');
  return {
    ...fields,
    market_cap: served(marketCap, 'market_cap'),
    pe_ratio: served(quotient(price, eps), 'pe_ratio'),
    forward_pe: finiteOrNull(forwardPe),
    peg_ratio: served(pegRatio(forwardPe, growth), 'peg_ratio'),
    price_to_book: served(firstKnown(priced('price_to_book'), quotient(price, bookValue)), 'price_to_book'),
    price_to_sales: served(priced('price_to_sales'), 'price_to_sales'),
    enterprise_value: served(priced('enterprise_value'), 'enterprise_value'),
    ev_ebitda: finiteOrNull(evEbitda),
    ev_ebitda_warning: evEbitdaWarning(
      evEbitda,
      ofNewest(statements, (books) => books.ebitdaTtm),
    ),
    dividend_yield: served(firstKnown(percent(dividend, price), priced('dividend_yield')), 'dividend_yield'),
    beta: orStated(computedBeta, fields.beta),
  };
}

/**
 * From the last four announced quarters, else from the newest statement; both years from the same source, since
 * analysts exclude items that statements include. NaN where unknown.
 */
function earningsPerShare(view: Reported) {
  const { statements } = view;
  const reports = reportedQuarters(view);
  const newest = reports.at(-1);
  const statement = statements.findLast(({ epsTtm }) => epsTtm !== null);
  if (newest !== undefined && isCurrent(newest.date, view) && !endsAfter(statement, newest.date)) {
    const quarters = reports.map(({ date, epsActual, knownAt }) => ({
      announced: midnightUtc(date),
      eps: epsActual! / splitFactorSince(view, knownAt),
    }));
    const eps = trailingEps(quarters);
    if (!Number.isNaN(eps)) return { eps, priorYear: trailingEpsPriorYear(quarters) };
  }
  if (statement === undefined) return { eps: Number.NaN, priorYear: Number.NaN };
  const factor = splitFactorSince(view, statement.knownAt);
  return {
    eps: statement.epsTtm! / factor,
    priorYear: (statement.epsTtmPriorYear ?? Number.NaN) / factor,
  };
}

function isCurrent(date: string, { tradeDate }: Reported): boolean {
  return midnightUtc(tradeDate) - midnightUtc(date) <= TRAILING_EPS_MAX_AGE_DAYS * DAY_MS;
}

/** True when the statement's period includes a quarter that is not announced. */
function endsAfter(statement: Statement | undefined, announced: string): boolean {
  return statement !== undefined && statement.periodEnd > announced;
}

/** Analysts' estimate of the current fiscal year. */
function forwardEps(view: Reported): number {
  const estimates = view.facts.analyst_estimates.filter(({ year }) => year === 'current_year');
  const eps = perShareNow(
    view,
    newestStated(estimates, (fact) => fact.epsAverage),
  );
  return eps ?? Number.NaN;
}

function perShare(view: Reported, figure: (statement: Statement) => number | null | undefined): number {
  return perShareNow(view, newestStated(view.statements, figure)) ?? Number.NaN;
}

function bookValuePerShare(view: Reported, shares: number): number {
  const equity = ofNewest(view.statements, (books) => books.totalEquity);
  return firstKnown(
    shares > 0 ? equity / shares : Number.NaN,
    perShare(view, (statement) => statement.stated.book_value_per_share),
  );
}

function firstKnown(first: number, second: number): number {
  return Number.isNaN(first) ? second : first;
}

/** Indexes by their closes, a few kilobytes each: those of the markets and dates that are derived together. */
const INDEXES: Keeping<IndexState> = { max: 64 };
/** A market is read anew each minute: of those with the same closes always the same. */
const sameIndex = onceFor((index: IndexState, kept: Kept | null): IndexState => {
  if (kept === null) return index;
  const closes = columnDigest([index.time, index.close]);
  const indexes = kept.of(INDEXES);
  const known = indexes.get(closes) ?? index;
  indexes.set(closes, known);
  return known;
});
const betaAgainst = onceFor(beta);

function betaOf({ daily }: StockView, { index }: MarketView, kept: Kept | null): number {
  return index === null ? Number.NaN : betaAgainst(daily, sameIndex(index, kept));
}

/** A float is stated with few digits: up to this factor above the shares outstanding it is all of them. */
const FLOAT_ROUNDING = 1.01;

function withinOutstanding(float: number | null, outstanding: number | null): number | null {
  if (float === null || outstanding === null || float > outstanding * FLOAT_ROUNDING) return float;
  return Math.min(float, outstanding);
}

/** Null above 100 %: two share classes or two dates mixed. */
function freeFloatPct(float: number | null, outstanding: number | null): number | null {
  const share = percent(float ?? Number.NaN, outstanding ?? Number.NaN);
  return share <= 100 ? share : null;
}
