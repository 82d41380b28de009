import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dateOf, midnightUtc } from '../../../src/base/dates.ts';
import { fundamental } from '../../../src/blocks/fundamental.ts';
import type { AnyFact, EarningsReport, Fundamentals } from '../../../src/market/facts.ts';
import type { IndexState } from '../../../src/market/market-view.ts';
import { derived } from '../../support/derived.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import {
  estimatesWith,
  fundamentalsWith,
  indexWith,
  profileWith,
  reportWith,
} from '../../support/reported.ts';
import { absent, figures } from '../../support/tables.ts';
import {
  dailyFromCloses,
  fact,
  instant,
  marketOf,
  TRADE_DATE,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';

const AS_OF = instant(TRADE_DATE, '20:00');
const daysAgo = (days: number): number => AS_OF - days * DAY_MS;
const dateAgo = (days: number): string => dateOf(midnightUtc(TRADE_DATE) - days * DAY_MS);

const SILENT = fundamentalsWith({ periodEnd: '2023-12-31' });

const statement = (figures: Partial<Fundamentals>, days = 30): AnyFact =>
  fact(
    'fundamentals',
    daysAgo(days),
    { ...SILENT, ...figures },
    `${figures.periodEnd ?? SILENT.periodEnd} ${days}`,
  );

const shares = (outstanding: number | null, float: number | null = null, days = 20): AnyFact =>
  fact('shares', daysAgo(days), { outstanding, float }, 'shares');

const results = (days: number, epsActual: number | null, epsEstimate: number | null = 1): AnyFact =>
  fact(
    'earnings_report',
    daysAgo(days),
    reportWith({ date: dateAgo(days), time: 'post_market', epsEstimate, epsActual }) satisfies EarningsReport,
  );

const expected = (epsAverage: number, year: 'current_year' | 'next_year' = 'current_year'): AnyFact =>
  fact('analyst_estimates', daysAgo(5), estimatesWith({ year, epsAverage }), year);

/** The block of a stock that closed at 50 dollars the day before. */
function of(facts: readonly AnyFact[], parts: ViewParts = {}) {
  const ordered = facts.toSorted((one, other) => one.knownAt - other.knownAt);
  return derived(fundamental, viewOf({ daily: dailyFromCloses([50]), facts: ordered, ...parts })).nested;
}

const BOOKS: Partial<Fundamentals> = figures`
  revenueTtm 1000, netIncomeTtm 100, ebitdaTtm 200, totalEquity 400, totalDebt 300,
  cashAndEquivalents 100, epsTtm 2.5, epsTtmPriorYear 2, dividendPerShare 1`;

describe('fundamental', () => {
  it('values the company at the newest price', () => {
    // 40 shares at 50: 2,000. EV 2,000 + 300 - 100 = 2,200. Growth 2.5 / 2 - 1 = 25 %. Forward P/E 50 / 3.125 = 16.
    expect(of([statement(BOOKS), shares(40, 30), expected(3.125), expected(9, 'next_year')])).toMatchObject({
      ...figures`
        market_cap 2000, pe_ratio 20, forward_pe 16, eps_ttm 2.5, price_to_book 5, price_to_sales 2,
        enterprise_value 2200, ev_ebitda 11, net_leverage 1, book_value_per_share 10,
        earnings_growth_yoy 25, dividend_yield 2, payout_ratio 40, roe 25, profit_margin 10,
        net_margin 10, debt_to_equity 0.75, shares_outstanding 40, float_shares 30, free_float_pct 75`,
      ...absent`ev_ebitda_warning peg_warning roa beta`,
      peg_ratio: 16 / 25,
    });
  });

  it('takes the price of the running day', () => {
    const parts: ViewParts = { at: '10:00', intraday: [['9:30', 60, 60, 60, 60, 100]] };
    expect(of([statement(BOOKS), shares(40)], parts)).toMatchObject({ market_cap: 2400, pe_ratio: 24 });
  });

  it('prefers what it computes to what a vendor states, and takes that where an input is missing', () => {
    const word = figures`
      pe_ratio 99, roe 99, market_cap 99, gross_margin 44, beta 1.3, book_value_per_share 9`;
    expect(of([statement({ ...BOOKS, stated: word }), shares(40)])).toMatchObject(figures`
      pe_ratio 20, roe 25, market_cap 2000, gross_margin 44, beta 1.3, book_value_per_share 10`);
    expect(of([statement({ stated: word })])).toMatchObject({
      pe_ratio: 99,
      roe: 99,
      market_cap: 99,
      // 50 / 9 from the stated book value.
      price_to_book: 50 / 9,
    });
  });

  it('takes a margin under either of its names', () => {
    expect(of([statement({ stated: { net_margin: 7 } })])).toMatchObject({ profit_margin: 7, net_margin: 7 });
  });

  it('lets no vendor give a meaning to what has none', () => {
    const word = { pe_ratio: 12, roe: 12, ev_ebitda: 12, peg_ratio: 12, earnings_growth_yoy: 12 };
    const loss = { ...BOOKS, epsTtm: -1, totalEquity: -10, ebitdaTtm: -5, epsTtmPriorYear: -2, stated: word };
    expect(of([statement(loss), shares(40), expected(3)])).toMatchObject({
      pe_ratio: null,
      eps_ttm: -1,
      roe: null,
      ev_ebitda: null,
      ev_ebitda_warning: 'negative_ebitda',
      net_leverage: null,
      earnings_growth_yoy: null,
      peg_ratio: null,
      peg_warning: 'negative_base',
    });
    expect(of([statement({ ...BOOKS, epsTtm: 0 })])).toMatchObject({ pe_ratio: null, eps_ttm: 0 });
  });

  it('does not warn of a base of zero', () => {
    const still = of([statement({ ...BOOKS, epsTtmPriorYear: 0 }), expected(3)]);
    expect(still).toMatchObject({ earnings_growth_yoy: null, peg_ratio: null, peg_warning: null });
  });

  it('warns of a multiple above 100', () => {
    const multiple = (ebitdaTtm: number) => of([statement({ ...BOOKS, ebitdaTtm }), shares(40)]);
    expect(multiple(22)).toMatchObject({ ev_ebitda: 100, ev_ebitda_warning: null });
    expect(multiple(21.9)).toMatchObject({ ev_ebitda_warning: 'extremely_high' });
  });

  it('never mixes two periods in one ratio, and uses the newest that has all of it', () => {
    const old = statement({ periodEnd: '2023-09-30', revenueTtm: 800, netIncomeTtm: 40 }, 120);
    const half = statement({ periodEnd: '2023-12-31', revenueTtm: 1000, totalDebt: 5 }, 30);
    expect(of([old, half])).toMatchObject({ net_margin: 5, total_debt: 5 });
    const restated = statement({ periodEnd: '2023-06-30', revenueTtm: 100, netIncomeTtm: 50 }, 10);
    expect(of([old, restated])).toMatchObject({ net_margin: 5 });
  });

  it('forgets statements after 460 days', () => {
    expect(of([statement(BOOKS, 460)])).toMatchObject({ roe: 25 });
    expect(of([statement(BOOKS, 461)])).toBeNull();
  });

  it('distinguishes a zero from a null', () => {
    const debtless = { ...BOOKS, totalDebt: 0, cashAndEquivalents: 0, dividendPerShare: 0 };
    expect(of([statement(debtless), shares(40)])).toMatchObject({
      total_debt: 0,
      debt_to_equity: 0,
      net_leverage: 0,
      dividend_yield: 0,
      operating_cash_flow: null,
    });
  });

  it('has the exchange of the listing where no profile says it', () => {
    const listing = fact(
      'listing',
      daysAgo(9),
      { from: '2020-01-02', ticker: 'ACME', exchange: 'NYSE' },
      '2020-01-02',
    );
    expect(of([listing])).toMatchObject({ exchange: 'NYSE' });
  });

  it('has no float beyond all shares', () => {
    expect(of([shares(40, 40)])).toMatchObject({ free_float_pct: 100 });
    expect(of([shares(40, 41)])).toMatchObject({ free_float_pct: null, float_shares: 41 });
    // Three digits of a float may lie above all shares.
    expect(of([shares(40, 40.2)])).toMatchObject({ free_float_pct: 100, float_shares: 40 });
  });

  it('is null when nothing is known', () => expect(of([])).toBeNull());
});

describe('earnings per share', () => {
  const year = [results(370, 1), results(280, 1), results(190, 1), results(100, 1)];
  const next = [results(10, 1.6)];

  it('are those of the last four quarters when they follow on each other', () => {
    expect(of([...year.slice(1), ...next, statement({ epsTtm: 9 }, 5)])).toMatchObject({ eps_ttm: 4.6 });
    expect(of([...year.slice(2), ...next, statement({ epsTtm: 9 }, 5)])).toMatchObject({ eps_ttm: 9 });
  });

  it('grow against the four before them, of the same source', () => {
    const eight = [735, 644, 553, 462, 370, 280, 190, 100].map((days, at) =>
      results(days, at < 4 ? 0.5 : 0.75),
    );
    expect(of(eight)).toMatchObject({ eps_ttm: 3, earnings_growth_yoy: 50 });
    const seven = [
      ...eight.slice(1),
      statement({ periodEnd: dateAgo(165), epsTtm: 3, epsTtmPriorYear: 1 }, 5),
    ];
    expect(of(seven)).toMatchObject({ eps_ttm: 3, earnings_growth_yoy: null });
  });

  it('are the statement’s when its period ended after the newest announcement', () => {
    const later = statement({ periodEnd: dateAgo(99), epsTtm: 9 }, 5);
    expect(of([...year, later])).toMatchObject({ eps_ttm: 9 });
    expect(of([...year, statement({ periodEnd: dateAgo(100), epsTtm: 9 }, 5)])).toMatchObject({ eps_ttm: 4 });
  });

  it('are null for a year that ended more than 200 days ago', () => {
    const ending = (days: number) => of([470, 380, 290, 200].map((one) => results(one + days, 1)));
    expect(ending(0)).toMatchObject({ eps_ttm: 4 });
    expect(ending(1)).toBeNull();
  });
});

describe('splits', () => {
  // Two new shares for one old from 2024-03-11 on; the view is of 2024-03-13.
  const actions = [{ kind: 'split', exDate: midnightUtc('2024-03-11'), value: 2 }] as const;
  const before = instant('2024-03-08', '17:00');
  const after = instant('2024-03-11', '9:0');

  it('adjust per-share figures and share counts reported before to the basis of the day', () => {
    const figuresAt = (knownAt: number) =>
      of(
        [
          fact('fundamentals', knownAt, { ...SILENT, ...BOOKS, stated: { book_value_per_share: 9 } }),
          fact('shares', knownAt, { outstanding: 40, float: 20 }),
          fact('analyst_estimates', knownAt, estimatesWith({ year: 'current_year', epsAverage: 5 })),
        ],
        { actions },
      );
    expect(figuresAt(before)).toMatchObject(figures`
      shares_outstanding 80, float_shares 40, market_cap 4000, eps_ttm 1.25, pe_ratio 40, forward_pe 20,
      dividend_yield 1, earnings_growth_yoy 25`);
    expect(figuresAt(after)).toMatchObject({
      shares_outstanding: 40,
      eps_ttm: 2.5,
      pe_ratio: 20,
      forward_pe: 10,
    });
  });

  it('bring each quarter to it on its own', () => {
    const quarters = [results(280, 2), results(190, 2), results(95, 2), results(1, 1)];
    expect(of(quarters, { actions })).toMatchObject({ eps_ttm: 4 });
  });
});

describe('beta', () => {
  const closes = Array.from({ length: 200 }, (_, row) => 100 + 5 * Math.sin(row));
  const view = viewOf({ daily: dailyFromCloses(closes), facts: [statement({ stated: { beta: 0.7 } })] });
  const index = (time: readonly number[]): IndexState =>
    indexWith({ time, close: closes.slice(-time.length) });

  it('is measured against the index, and a vendor’s where the history is short', () => {
    const beta = (rows: number) =>
      derived(fundamental, view, marketOf(view, { index: index([...view.daily.time].slice(-rows)) })).nested!
        .beta;
    expect(beta(200)).toBeCloseTo(1, 12);
    expect(beta(127)).toBeCloseTo(1, 12);
    expect(beta(126)).toBe(0.7);
    expect(derived(fundamental, view).nested!.beta).toBe(0.7);
  });
});

describe('relations', () => {
  const PROFILE = profileWith({ companyName: 'Example Corp', sector: 'Industrials', industry: 'Examples' });

  it('lead to sector and industry', () => {
    const view = viewOf({ profile: PROFILE });
    const nested = derived(fundamental, view).nested!;
    expect(fundamental.relate!(nested, view)).toEqual([
      { type: 'IN_SECTOR', label: 'Sector', key: 'Industrials', props: { name: 'Industrials' } },
      { type: 'IN_INDUSTRY', label: 'Industry', key: 'Examples', props: { name: 'Examples' } },
    ]);
    expect(fundamental.relate!(nested, viewOf({ profile: { ...PROFILE, industry: null } }))).toHaveLength(1);
  });
});

it('is not changed by later reports', () => {
  const now = [statement(BOOKS), shares(40, 30), expected(3), results(100, 1)];
  const later = fc.record({
    after: wholeBetween(1, 400 * DAY_MS),
    figure: wholeBetween(-50, 50),
    kind: fc.constantFrom('statement', 'shares', 'estimate', 'report'),
  });
  const factOf = ({ after, figure, kind }: { after: number; figure: number; kind: string }): AnyFact => {
    const reported = {
      statement: statement({ ...BOOKS, epsTtm: figure }),
      shares: shares(figure),
      estimate: expected(figure),
    };
    const one = reported[kind as keyof typeof reported] ?? results(100, figure);
    return { ...one, knownAt: AS_OF + after } as AnyFact;
  };
  const known = of(now);
  forAll([fc.array(later, { maxLength: 6 })], (reports) => {
    expect(of([...now, ...reports.map(factOf)])).toEqual(known);
  });
});
