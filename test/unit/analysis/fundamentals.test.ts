import { describe, expect, it } from 'vitest';
import {
  BOOK_FIGURES,
  BOOK_RATIOS,
  type Books,
  evEbitdaWarning,
  freeCashFlowMargin,
  growthPct,
  operatingCashFlowMargin,
  PRICED_RATIOS,
  pegRatio,
  type QuarterEps,
  quotient,
  trailingEps,
  trailingEpsPriorYear,
} from '../../../src/analysis/fundamentals.ts';
import { midnightUtc } from '../../../src/base/dates.ts';
import { figures } from '../../support/tables.ts';

const UNSTATED = Object.fromEntries(BOOK_FIGURES.map((figure) => [figure, Number.NaN])) as Books;
const booksOf = (figures: Partial<Books>): Books => ({ ...UNSTATED, ...figures });

/**
 * Apple's year to 2023-09-30, millions of dollars, from its Form 10-K: consolidated statements of operations, balance
 * sheets and cash flows. Debt: commercial paper 5,985, term debt 9,822 and 95,281. EBITDA: operating income and
 * depreciation of 11,519.
 */
const APPLE_2023 = booksOf(figures`
  revenueTtm 383285, revenueTtmPriorYear 394328, grossProfitTtm 169148, operatingIncomeTtm 114301,
  pretaxIncomeTtm 113736, taxTtm 16741, netIncomeTtm 96995, ebitdaTtm 125820,
  operatingCashFlowTtm 110543, freeCashFlowTtm 99584, dividendsPaidTtm -15025, totalAssets 352583,
  totalEquity 62146, currentAssets 143566, currentLiabilities 145308, cashAndEquivalents 29965,
  totalDebt 111088`);

describe('ratios of the books', () => {
  // Python's quotients of the figures above, rounded to four digits.
  it.each([
    ['roe', 156.076],
    ['roa', 27.5098],
    ['gross_margin', 44.1311],
    ['operating_margin', 29.8214],
    ['net_margin', 25.3062],
    ['profit_margin', 25.3062],
    ['payout_ratio', 15.4905],
    ['debt_to_equity', 1.7875],
    ['current_ratio', 0.988],
    ['revenue_growth_yoy', -2.8005],
    ['net_leverage', 0.6448],
    // 114301 x (1 - 16741 / 113736) / (111088 + 62146 - 29965)
    ['roic', 68.0376],
  ] as const)('%s of a published year', (name, expected) => {
    expect(BOOK_RATIOS[name](APPLE_2023)).toBeCloseTo(expected, 3);
  });

  it('reads cash flow against sales', () => {
    expect(operatingCashFlowMargin(APPLE_2023)).toBeCloseTo(28.8409, 3);
    expect(freeCashFlowMargin(APPLE_2023)).toBeCloseTo(25.9817, 3);
  });

  it('prices the books', () => {
    // At 2.5 trillion dollars: 2500000 / 62146, / 383285; 2500000 + 111088 - 29965, / 125820; 15025 / 2500000.
    const cap = 2_500_000;
    expect(PRICED_RATIOS.price_to_book(APPLE_2023, cap)).toBeCloseTo(40.2279, 3);
    expect(PRICED_RATIOS.price_to_sales(APPLE_2023, cap)).toBeCloseTo(6.5226, 3);
    expect(PRICED_RATIOS.enterprise_value(APPLE_2023, cap)).toBe(2_581_123);
    expect(PRICED_RATIOS.ev_ebitda(APPLE_2023, cap)).toBeCloseTo(20.5144, 3);
    expect(PRICED_RATIOS.dividend_yield(APPLE_2023, cap)).toBeCloseTo(0.601, 3);
  });

  it('taxes no loss, and no more than all of a profit', () => {
    const books = booksOf({ operatingIncomeTtm: 10, totalDebt: 50, totalEquity: 60, cashAndEquivalents: 10 });
    const roic = (pretaxIncomeTtm: number, taxTtm: number): number =>
      BOOK_RATIOS.roic({ ...books, pretaxIncomeTtm, taxTtm });
    expect(roic(20, 5)).toBeCloseTo(7.5, 12);
    expect(roic(-20, Number.NaN)).toBe(10);
    expect(roic(0, 3)).toBe(10);
    expect(roic(20, -5)).toBe(10);
    expect(roic(20, 30)).toBe(0);
    expect(roic(20, Number.NaN)).toBeNaN();
  });

  it('distinguishes unknown from meaningless', () => {
    expect(BOOK_RATIOS.roe(UNSTATED)).toBeNaN();
    expect(BOOK_RATIOS.roe(booksOf({ netIncomeTtm: 5 }))).toBeNaN();
    expect(BOOK_RATIOS.roe(booksOf({ netIncomeTtm: 5, totalEquity: -1 }))).toBe(Number.POSITIVE_INFINITY);
    expect(BOOK_RATIOS.roe(booksOf({ netIncomeTtm: -5, totalEquity: 100 }))).toBe(-5);
    expect(quotient(0, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(quotient(Number.NaN, -1)).toBe(Number.POSITIVE_INFINITY);
    expect(quotient(0, 5)).toBe(0);
  });
});

describe('growth and PEG', () => {
  it('has no growth from a loss or from nothing', () => {
    expect(growthPct(6, 5)).toBeCloseTo(20, 12);
    expect(growthPct(-1, 5)).toBeCloseTo(-120, 12);
    expect(growthPct(6, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(growthPct(6, -5)).toBe(Number.POSITIVE_INFINITY);
    expect(growthPct(Number.NaN, 5)).toBeNaN();
  });

  it('divides forward P/E by growth as a fraction times 100', () => {
    // 30 / (0.2 * 100)
    expect(pegRatio(30, 20)).toBe(1.5);
    expect(pegRatio(30, -20)).toBe(-1.5);
    expect(pegRatio(30, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(pegRatio(Number.POSITIVE_INFINITY, Number.NaN)).toBe(Number.POSITIVE_INFINITY);
    expect(pegRatio(30, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(pegRatio(30, Number.NaN)).toBeNaN();
  });
});

describe('evEbitdaWarning', () => {
  it('warns of a loss and of a multiple above 100', () => {
    expect(evEbitdaWarning(Number.POSITIVE_INFINITY, -1)).toBe('negative_ebitda');
    expect(evEbitdaWarning(Number.POSITIVE_INFINITY, 0)).toBe('negative_ebitda');
    expect(evEbitdaWarning(100, 1)).toBeNull();
    expect(evEbitdaWarning(100.000001, 1)).toBe('extremely_high');
    expect(evEbitdaWarning(120, Number.NaN)).toBe('extremely_high');
    expect(evEbitdaWarning(Number.NaN, Number.NaN)).toBeNull();
  });
});

describe('trailing earnings', () => {
  const quarters = [1, 2, 3, 4, 5, 6, 7, 8].map((eps, at): QuarterEps => {
    const month = ['02', '05', '08', '11'][at % 4];
    return { announced: midnightUtc(`${at < 4 ? 2022 : 2023}-${month}-01`), eps };
  });

  it('sums the last four quarters, and the four before', () => {
    expect(trailingEps(quarters)).toBe(26);
    expect(trailingEpsPriorYear(quarters)).toBe(10);
    expect(trailingEps(quarters.slice(-4))).toBe(26);
    expect(trailingEpsPriorYear(quarters.slice(-7))).toBeNaN();
    expect(trailingEps(quarters.slice(-3))).toBeNaN();
  });

  it('counts quarters on end alone', () => {
    expect(trailingEps(quarters.toSpliced(6, 1))).toBeNaN();
    const gapBeforeTheYear = quarters.toSpliced(3, 1);
    expect(trailingEps(gapBeforeTheYear)).toBe(26);
    expect(trailingEpsPriorYear(gapBeforeTheYear)).toBeNaN();
  });

  it.each([
    [59, false],
    [60, true],
    [130, true],
    [131, false],
  ])('an announcement %i days after the last follows on it: %s', (days, follows) => {
    const first = quarters.slice(0, 3);
    const next = { announced: first[2]!.announced + days * 86_400_000, eps: 4 };
    expect(Number.isNaN(trailingEps([...first, next]))).toBe(!follows);
  });
});
