import { describe, expect, it } from 'vitest';
import { refusalsIn, temporaryFolder } from './feed-probe.ts';
import { floatOf } from '../../../src/market/feeds/reference-opinions.ts';
import { instant, ofKind, told } from './reference-probe.ts';
import { zipOf } from './zip-of.ts';

/** Reported facts of the recorded data folder's formats. Inputs are made up, each with the defect that it names. */

const folder = temporaryFolder();

const PROFILES = 'fundamentals_analyst/profiles_2026-03.zip';
const RATIOS = 'fundamentals_analyst/finnhub_basic_company_financials_2023.csv';
const TRENDS = 'analyst/finnhub_recommendation_trends_2023.csv';
const TARGETS = 'analyst/consensus_target_2026.csv';
const SNAPSHOT = 'reference/sp500_snapshot_2026-07-02.json';
const ESTIMATES = 'reference/estimates_2026-07-02.json';
const CONSTITUENTS = 'reference/constituents-financials.csv';
const FORM4_ZIP = 'insider/sec_form4_json.zip';
const FORM4 = 'insider/form4_transactions_2025_2026.csv';
const CHANGES = 'insider/finnhub_insider_transactions_2023.csv';

/** The end of 2026-03-17 in New York, summer. */
const END_OF_2026_03_17 = instant('2026-03-18T04:00:00Z');

describe('files and folders', () => {
  it('makes a unit of each file, weaker sources first, and leaves the constituents to their own feed', async () => {
    const { deliveries, refused } = await told(folder, {
      'reference/constituents.csv': 'Symbol,Security\nA,Agilent\n',
      'reference/notes.txt': 'hello',
      'insider/finnhub_insider_sentiment_2023.csv':
        'symbol,year,month,change,mspr\nA,2023,5,-1,-100\nA,2023,6,1,2\n',
    });
    expect(refused).toEqual({ not_read: 2, unknown_format: 1 });
    expect(refusalsIn(deliveries).map(({ where }) => where)).toEqual([
      'insider/finnhub_insider_sentiment_2023.csv:2',
      'reference/notes.txt',
    ]);
  });

  it('refuses a table without its columns, a short row and a broken object, and reads what is left', async () => {
    const { facts, refused } = await told(folder, {
      [TARGETS]: 'snapshot_date,symbol,target_mean\n2026-07-20,A,159.32\n2026-07-20,B\n2026-13-40,C,1\n',
      [TRENDS]: 'symbol,period\nA,2023-07-01\n',
      [ESTIMATES]: '{"names": {',
    });
    expect(refused).toEqual({ wrong_columns: 2, bad_time: 1, unknown_format: 1 });
    expect(facts).toMatchObject([
      { symbol: 'A', knownAt: instant('2026-07-21T04:00:00Z'), value: { mean: 159.32 } },
    ]);
  });

  it('refuses symbols that are none, several classes at once, and foreign listings', async () => {
    const rows = ['N/A', 'BFA, BFB', 'LLYVA/K', '005930_KS', 'RCI.B.TO', 'brk-b', ''];
    const table = rows.map((symbol) => `2026-07-20,"${symbol}",10`).join('\n');
    const { facts, refused } = await told(folder, {
      [TARGETS]: `snapshot_date,symbol,target_mean\n${table}\n`,
    });
    expect(facts.map(({ symbol }) => symbol)).toEqual(['BRK.B']);
    expect(refused).toEqual({ bad_symbol: 4, foreign_listing: 2 });
  });
});

describe('opinions', () => {
  it('knows the counts of a month at its end', async () => {
    const head = 'symbol,period,strongBuy,buy,hold,sell,strongSell\n';
    const { facts } = await told(folder, {
      [TRENDS]: `${head}AAPL,2023-07-01,13,23,11,1,0\nAAPL,2022-12-01,1,2,3,4,5\n`,
    });
    expect(facts).toMatchObject([
      {
        key: 'consensus',
        knownAt: instant('2023-08-01T04:00:00Z'),
        value: { strongBuy: 13, strongSell: 0, mean: null },
      },
      { knownAt: instant('2023-01-01T05:00:00Z'), value: { hold: 3 } },
    ]);
  });

  it('tell the float by short interest and its share, where the share has digits enough', () => {
    // NVIDIA, 2026-07: 0.0107 of the float.
    expect(floatOf(253_000_000, 0.0107)).toBe(23_600_000_000);
    expect(floatOf(144_248_476, 0.0098)).toBe(14_700_000_000);
    expect([floatOf(1_000, 0.0049), floatOf(0, 0.1), floatOf(null, 0.1), floatOf(1_000, 1.2)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('tells estimates of two years, those of before as they were known before', async () => {
    const names = {
      'BRK-B': {
        cyNow: 6.06,
        cy30d: 5.97,
        cy90d: 5.9,
        nyNow: 6.61,
        ny90d: 6.57,
        target: 160.3,
        analysts: 18,
        recMean: 1.55,
        targetHigh: 185,
        targetLow: 144,
      },
      ABC: { cyNow: null, recMean: null, target: null },
    };
    const { facts, refused } = await told(folder, {
      [ESTIMATES]: JSON.stringify({ generatedAt: '2026-07-02T15:48:42.166Z', names }),
    });
    expect(refused).toEqual({});
    const estimates = ofKind(facts, 'analyst_estimates', 'BRK.B');
    expect(
      estimates.map(({ key, knownAt, value }) => [key, new Date(knownAt).toISOString(), value.epsAverage]),
    ).toEqual([
      ['current_year', '2026-04-03T15:48:42.166Z', 5.9],
      ['current_year', '2026-06-02T15:48:42.166Z', 5.97],
      ['current_year', '2026-07-02T15:48:42.166Z', 6.06],
      ['next_year', '2026-04-03T15:48:42.166Z', 6.57],
      ['next_year', '2026-07-02T15:48:42.166Z', 6.61],
    ]);
    expect(ofKind(facts, 'price_target')).toMatchObject([
      { value: { mean: 160.3, high: 185, low: 144, analysts: 18 } },
    ]);
    // 1 is strong buy in the source and strong sell here.
    expect(ofKind(facts, 'recommendations')).toMatchObject([{ value: { mean: 4.45, buy: null } }]);
  });
});

describe('stated ratios', () => {
  it('takes millions to dollars, and percent as it is', async () => {
    const columns = {
      symbol: 'AAPL',
      update_date: '2023-07-28',
      marketCapitalization: '3059232.5',
      enterpriseValue: '3144160.5',
      epsTTM: '5.8857',
      dividendPerShareTTM: '',
      peTTM: '32.4343',
      pbQuarterly: '42.0341',
      psTTM: '7.9441',
      bookValuePerShareQuarterly: '3.9532',
      roeTTM: '165.72',
      roaTTM: '27.58',
      grossMarginTTM: '44.26',
      operatingMarginTTM: '29.86',
      netProfitMarginTTM: '25.48',
      currentDividendYieldTTM: '',
      payoutRatioTTM: '15.83',
      'totalDebt/totalEquityQuarterly': '1.7635',
      currentRatioQuarterly: '0.9404',
      revenueGrowthTTMYoy: '-0.24',
      epsGrowthTTMYoy: '-4.33',
      beta: '1.17',
    };
    const table = `${Object.keys(columns).join(',')}\n${Object.values(columns).join(',')}\n`;
    const { facts, refused } = await told(folder, { [RATIOS]: table });
    expect(refused).toEqual({});
    expect(facts).toMatchObject([{ key: '2023-07-28', knownAt: instant('2023-07-29T04:00:00Z') }]);
    const { value } = ofKind(facts, 'fundamentals')[0]!;
    expect(value.epsTtm).toBe(5.8857);
    expect(value.dividendPerShare).toBeNull();
    expect(value.stated).toMatchObject({
      market_cap: 3_059_232_500_000,
      roe: 165.72,
      debt_to_equity: 1.7635,
    });
    expect(value.stated).not.toHaveProperty('dividend_yield');
  });

  it('reads the sub-industry that stands under Sector, and tells nothing of a row without figures', async () => {
    const head =
      'Symbol,Name,Sector,Price,Price/Earnings,Dividend Yield,Earnings/Share,52 Week Low,52 Week High,Market Cap,EBITDA,Price/Sales,Price/Book,SEC Filings\n';
    const { facts, refused } = await told(folder, {
      [CONSTITUENTS]: `${head}MMM,3M,Industrial Conglomerates,178.96,31.79,0.0175,5.63,139.34,184.9,92293693440,6488000000,3.67,31.26,x\nBF.B,Brown,Distillers,,,,,,,,,,,x\n`,
    });
    expect(ofKind(facts, 'profile', 'MMM')).toMatchObject([
      {
        knownAt: instant('2026-08-23T04:00:00Z'),
        value: { sector: null, industry: 'Industrial Conglomerates' },
      },
    ]);
    expect(ofKind(facts, 'fundamentals', 'MMM')).toMatchObject([
      {
        value: { epsTtm: 5.63, ebitdaTtm: 6_488_000_000, stated: { dividend_yield: 1.75, pe_ratio: 31.79 } },
      },
    ]);
    expect(ofKind(facts, 'profile', 'BF.B').length).toBe(1);
    expect(refused).toEqual({ missing_value: 1 });
  });

  it('knows a table of constituents from the day in its name', async () => {
    const head =
      'Symbol,Name,Sector,Price/Earnings,Dividend Yield,Earnings/Share,Market Cap,EBITDA,Price/Sales,Price/Book\n';
    const { facts } = await told(folder, {
      'reference/constituents-financials_2027-01-04.csv': `${head}MMM,3M,Conglomerates,31,,5.63,,,,\n`,
    });
    expect(ofKind(facts, 'fundamentals')).toMatchObject([
      { key: '2027-01-04', knownAt: instant('2027-01-05T05:00:00Z') },
    ]);
  });

  const snapshot = (stock: object) => ({
    [SNAPSHOT]: JSON.stringify({
      generatedAt: '2026-07-02T20:06:10.541Z',
      stocks: [
        { symbol: 'A', name: 'Agilent', sector: 'Health Care', industry: 'Tools', marketCap: 3e10, ...stock },
      ],
    }),
  });

  it('splits a snapshot into what the market says and what the fiscal year says, fractions as percent', async () => {
    const fund = {
      revenue: 6_948_000_000,
      grossMargin: 0.5243,
      roe: 0.19329476,
      netDebtEbitda: 0.85,
      currentRatio: 1.957,
      asOf: '2025-10-31',
    };
    const { facts } = await told(
      folder,
      snapshot({ trailingPE: 26.19, dividendYield: 0.0075417953, priceToBook: 5.2, fund }),
    );
    const books = ofKind(facts, 'fundamentals');
    expect(books.map(({ key, knownAt }) => [key, knownAt])).toEqual([
      ['2025-10-31', instant('2026-07-02T20:06:10.541Z')],
      ['2026-07-02', instant('2026-07-02T20:06:10.541Z')],
    ]);
    expect(books[0]!.value).toMatchObject({
      revenueTtm: 6_948_000_000,
      stated: { gross_margin: 52.43, roe: 19.329476, net_leverage: 0.85 },
    });
    expect(books[1]!.value.stated).toEqual({
      market_cap: 3e10,
      pe_ratio: 26.19,
      price_to_book: 5.2,
      dividend_yield: 0.75417953,
    });
  });

  it('drops a price to book that divides one class by another, from its threshold on', async () => {
    const priceToBookOf = async (priceToBook: number) => {
      const { facts, refused } = await told(folder, snapshot({ priceToBook }));
      return [ofKind(facts, 'fundamentals')[0]!.value.stated.price_to_book, refused];
    };
    expect(await priceToBookOf(0.0099)).toEqual([undefined, { repaired: 1 }]);
    expect(await priceToBookOf(0.01)).toEqual([0.01, {}]);
    expect(await priceToBookOf(-12)).toEqual([-12, {}]);
  });

  it('tells the next results, confirmed or projected, and not those that are past', async () => {
    const nextOf = async (earningsDate: string | null, earningsEstimate: boolean) => {
      const { facts } = await told(folder, snapshot({ earningsDate, earningsEstimate }));
      return ofKind(facts, 'earnings_date')[0]?.value;
    };
    const none = { epsEstimate: null, revenueEstimate: null };
    expect(await nextOf('2026-07-14T12:30:00.000Z', false)).toEqual({
      date: '2026-07-14',
      time: 'pre_market',
      status: 'confirmed',
      ...none,
    });
    expect(await nextOf('2026-07-14T20:00:00.000Z', false)).toMatchObject({ time: 'post_market' });
    expect(await nextOf('2026-07-14T13:30:00.000Z', false)).toMatchObject({ time: 'during_market' });
    expect(await nextOf('2026-07-14T20:00:00.000Z', true)).toMatchObject({
      time: 'unknown',
      status: 'projected',
    });
    expect(await nextOf('2026-07-02T12:30:00.000Z', false)).toBeUndefined();
    expect(await nextOf(null, false)).toBeUndefined();
  });
});

describe('the archive of companies', () => {
  const json = (value: unknown): string => JSON.stringify(value).replaceAll('"NaN"', 'NaN');
  const quarter = (revenue: unknown, eps: number) => ({ 'Total Revenue': revenue, 'Diluted EPS': eps });
  const analyst = {
    target_mean_price: 295.4,
    target_high_price: 350,
    target_low_price: 205,
    number_of_analyst_opinions: 41,
    recommendation_mean: 1.89583,
    recommendations_history: [
      { period: '0m', strongBuy: 6, buy: 25, hold: 15, sell: 1, strongSell: 1 },
      { period: '-1m', strongBuy: 5, buy: 25, hold: 16, sell: 1, strongSell: 1 },
      { period: '-3m', strongBuy: 4, buy: 25, hold: 16, sell: 1, strongSell: 1 },
    ],
    upgrades_downgrades: [
      // 02:30 UTC is the evening before in New York.
      {
        GradeDate: '2026-03-06T02:30:00',
        Firm: 'Wedbush',
        ToGrade: 'Outperform',
        FromGrade: '',
        Action: 'init',
        currentPriceTarget: 350,
      },
      {
        GradeDate: '2026-03-17T17:25:57',
        Firm: 'Maxim "NaN" Group',
        ToGrade: 'Buy',
        FromGrade: 'Hold',
        Action: 'up',
        currentPriceTarget: 0,
      },
      {
        GradeDate: '2026-03-04T12:00:00',
        Firm: 'Other',
        ToGrade: 'Buy',
        FromGrade: 'Buy',
        Action: 'resumed',
        currentPriceTarget: 1,
      },
    ],
  };
  const info = {
    sector: 'Technology',
    industry: 'Consumer Electronics',
    marketCap: 3_750_322_765_824,
    grossMargins: 0,
    profitMargins: 0.27037,
    dividendYield: 0.4,
    debtToEquity: 102.63,
    payoutRatio: 0.1304,
    sharesOutstanding: 14_681_140_000,
  };
  const earnings = {
    quarterly_income: {
      '2025-12-31T00:00:00': quarter(140, 2.84),
      '2025-09-30T00:00:00': quarter(100, 1.85),
      '2025-06-30T00:00:00': quarter(90, 1.57),
      '2025-03-31T00:00:00': quarter('NaN', 1.65),
      '2024-12-31T00:00:00': quarter(120, 2.4),
    },
    quarterly_balance: {
      '2025-12-31T00:00:00': { 'Total Debt': 90, 'Ordinary Shares Number': 14_697_926_000 },
    },
    quarterly_cashflow: { '2024-06-30T00:00:00': { 'Free Cash Flow': 'NaN' } },
  };
  const yearly = {
    income_statement: {
      '2025-09-30T00:00:00': quarter(416, 7.46),
      '2024-09-30T00:00:00': quarter(391, 6.08),
    },
    balance_sheet: { '2025-09-30T00:00:00': { 'Common Stock Equity': 73 } },
    cash_flow: { '2025-09-30T00:00:00': { 'Cash Dividends Paid': -15 } },
  };

  const archive = (parts: Record<string, unknown>) => ({
    [PROFILES]: zipOf(
      Object.entries(parts).map(([name, part]) => ({ name: `${name}.json`, data: json(part) })),
    ),
  });
  const whole = archive({
    'analyst/AAPL': analyst,
    'earnings/AAPL': earnings,
    'fundamentals/AAPL': { info, ...yearly },
    'options/AAPL': {},
  });

  it('knows what has no instant of its own from the day of the newest rating', async () => {
    const { facts, refused } = await told(folder, whole);
    expect(ofKind(facts, 'price_target')).toMatchObject([
      { knownAt: END_OF_2026_03_17, value: { mean: 295.4, analysts: 41 } },
    ]);
    expect(new Set(ofKind(facts, 'fundamentals').map(({ knownAt }) => knownAt))).toEqual(
      new Set([END_OF_2026_03_17]),
    );
    expect(ofKind(facts, 'profile')).toMatchObject([
      { value: { sector: 'Information Technology', industry: 'Consumer Electronics' } },
    ]);
    // The NaN of a file's statements, not that of a firm's name; the rating with an unknown action; the options.
    expect(refused).toEqual({ repaired: 1, bad_word: 1, not_read: 1 });
  });

  it('knows a rating from its instant, in UTC, and dates it in New York', async () => {
    const { facts } = await told(folder, whole);
    expect(ofKind(facts, 'analyst_grade')).toEqual([
      {
        kind: 'analyst_grade',
        symbol: 'AAPL',
        key: '2026-03-05 wedbush',
        knownAt: instant('2026-03-06T02:30:00Z'),
        value: {
          date: '2026-03-05',
          firm: 'Wedbush',
          action: 'initiate',
          from: null,
          to: 'Outperform',
          target: 350,
        },
      },
      expect.objectContaining({
        value: {
          date: '2026-03-17',
          firm: 'Maxim "NaN" Group',
          action: 'upgrade',
          from: 'Hold',
          to: 'Buy',
          target: null,
        },
      }),
    ]);
  });

  it('knows the counts of earlier months at their ends, and the mean only now', async () => {
    const { facts } = await told(folder, whole);
    expect(
      ofKind(facts, 'recommendations').map(({ knownAt, value }) => [knownAt, value.strongBuy, value.mean]),
    ).toEqual([
      [END_OF_2026_03_17, 6, 4.10417],
      [instant('2026-03-01T05:00:00Z'), 5, null],
      [instant('2026-01-01T05:00:00Z'), 4, null],
    ]);
  });

  it('sums four quarters, never three, and completes them with the fiscal year', async () => {
    const { facts } = await told(folder, whole);
    const books = ofKind(facts, 'fundamentals');
    expect(books.map(({ key }) => key)).toEqual(['2024-09-30', '2025-09-30', '2025-12-31', '2026-03-17']);
    // 2.84 + 1.85 + 1.57 + 1.65; the revenue of one of the four is missing.
    expect(books[2]!.value).toMatchObject({
      epsTtm: 7.91,
      revenueTtm: null,
      totalDebt: 90,
      epsTtmPriorYear: null,
    });
    // The year's own 7.46, not 1.85 + 1.57 + 1.65 + 2.4 of its quarters.
    expect(books[1]!.value).toMatchObject({
      epsTtm: 7.46,
      revenueTtm: 416,
      totalEquity: 73,
      dividendsPaidTtm: 15,
      epsTtmPriorYear: 6.08,
      revenueTtmPriorYear: 391,
    });
  });

  it('states percent and ratios as the contract has them, and no gross margin of a bank', async () => {
    const { facts } = await told(folder, whole);
    expect(ofKind(facts, 'fundamentals').at(-1)!.value.stated).toEqual({
      market_cap: 3_750_322_765_824,
      profit_margin: 27.037,
      net_margin: 27.037,
      dividend_yield: 0.4,
      debt_to_equity: 102.63 / 100,
      payout_ratio: 13.04,
    });
  });

  it('takes the count of the balance sheet where the vendor counts one class, from under nine tenths on', async () => {
    const sharesOf = async (sharesOutstanding: number) => {
      const parts = {
        'analyst/X': analyst,
        'earnings/X': earnings,
        'fundamentals/X': { info: { ...info, sharesOutstanding } },
      };
      const { facts, refused } = await told(folder, archive(parts));
      return [ofKind(facts, 'shares')[0]!.value.outstanding, refused.repaired];
    };
    expect(await sharesOf(13_228_133_400)).toEqual([13_228_133_400, 1]);
    expect(await sharesOf(13_228_133_399)).toEqual([14_697_926_000, 2]);
  });

  it('refuses the archive when no rating tells when it was taken', async () => {
    const { facts, refused } = await told(
      folder,
      archive({ 'fundamentals/AAPL': { info }, 'earnings/AAPL': {} }),
    );
    expect(facts).toEqual([]);
    expect(refused).toEqual({ bad_time: 1 });
  });
});

describe('insider transactions', () => {
  const FORM4_HEAD =
    'ticker,owner_name,owner_title,is_director,is_officer,transaction_date,shares,price_per_share,acquired_disposed,transaction_code,filing_date\n';

  it('knows a transaction from the end of the day of its filing', async () => {
    const { facts, refused } = await told(folder, {
      [FORM4]: `${FORM4_HEAD}A,Dolsten Mikael,CEO,True,False,2025-12-01 00:00:00,2600.0,149.812,D,S,2025-12-03\nA,Dolsten  mikael,,True,False,2025-12-01,2600,149.812,D,S,2025-12-03\nA,Gift Giver,,True,False,2025-12-01,5,0.0,D,G,2025-12-03\nA,X,,True,False,2025-12-05,5,1,D,S,2025-12-03\nA,X,,True,False,2025-12-01,0,1,D,S,2025-12-03\n`,
    });
    expect(facts).toMatchObject([
      {
        knownAt: instant('2025-12-04T05:00:00Z'),
        value: {
          date: '2025-12-01',
          owner: 'Dolsten Mikael',
          title: 'CEO',
          code: 'S',
          shares: 2600,
          price: 149.812,
          direction: 'disposed',
        },
      },
      { value: { code: 'G', price: null } },
    ]);
    // The same line in another spelling; filed before it happened; no shares.
    expect(refused).toEqual({ duplicate: 1, known_too_early: 1, out_of_range: 1 });
  });

  it('keeps the shares of an exercise and counts the option that was used up as the same line', async () => {
    const csv = `${FORM4_HEAD}A,X,,True,False,2025-12-01,100,,D,M,2025-12-03\nA,X,,True,False,2025-12-01,100,,A,M,2025-12-03\n`;
    const changes =
      'symbol,share,change,transactionDate,transactionCode,transactionPrice,name,filingDate,id\nA,0,-100,2023-04-01,M,0.0,X,2023-04-04,1\nA,100,100,2023-04-01,M,0.0,X,2023-04-04,1\nA,5,-3,2023-04-01,56,1,X,2023-04-04,1\nA,5,-3,2023-04-01,S,1.5,X,2023-04-04,1\n';
    const { facts, refused } = await told(folder, { [FORM4]: csv, [CHANGES]: changes });
    expect(
      ofKind(facts, 'insider_transaction').map(({ value }) => [value.code, value.shares, value.direction]),
    ).toEqual([
      ['M', 100, 'acquired'],
      ['S', 3, 'disposed'],
      ['M', 100, 'acquired'],
    ]);
    // A code of two digits is a foreign form's.
    expect(refused).toEqual({ duplicate: 2, bad_word: 1 });
  });

  it('takes a filing without its date as out after ten days, or when the file that tells it was taken', async () => {
    const sale = {
      reporting_owner: 'X',
      reporting_owner_position: null,
      transaction_date: '2026-08-11',
      transaction_shares: '2500',
      transaction_price: '361.4',
      transaction_type: 'S',
    };
    const exercise = {
      ...sale,
      transaction_date: '2024-02-01',
      transaction_price: null,
      transaction_type: 'M',
    };
    const file = (last_updated: string, ...transactions: object[]) =>
      JSON.stringify({
        ticker: 'JPM',
        last_updated,
        transactions: transactions.map((one, id) => ({ id, ...one })),
      });
    const { facts, refused } = await told(folder, {
      [FORM4_ZIP]: zipOf([
        { name: 'JPM/transactions.json', data: file('2026-08-20T08:42:30.340908', sale, sale) },
        { name: 'JPM/quarterly/2026.0-Q3.0.json', data: file('2026-08-18T08:42:30.340908', sale) },
        { name: 'JPM/quarterly/2024-Q1.json', data: file('2025-04-19T06:40:54.085766', exercise) },
        {
          name: 'JPM/latest.json',
          data: file('2026-08-20T08:42:30', exercise).replace('transactions', 'trades'),
        },
      ]),
    });
    expect(facts).toMatchObject([
      {
        knownAt: instant('2026-08-19T04:00:00Z'),
        value: { code: 'S', direction: 'disposed', shares: 2500, price: 361.4 },
      },
      { knownAt: instant('2024-02-12T05:00:00Z'), value: { code: 'M', direction: null, price: null } },
    ]);
    expect(refused).toEqual({ duplicate: 3 });
  });
});
