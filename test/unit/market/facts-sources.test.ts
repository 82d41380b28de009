import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import type { AnyFact } from '../../../src/market/facts.ts';
import { deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
let folders = 0;

/** What is read of one answer of a source; an object is written as JSON. */
async function read(content: string | object, knownAt?: string) {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  writeFileSync(join(folder, 'x.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const deliveries = await deliveriesOf(factsFeed({ paths: [folder], calendar, knownAt }));
  const facts = deliveries.flatMap((it) =>
    it.kind === 'facts' ? it.facts.map((fact) => ({ symbol: it.symbol, ...fact })) : [],
  );
  const refused = refusalsIn(deliveries).map(
    ({ reason, where, count, example }) => `${count} ${reason} ${where} ${example}`,
  );
  return { facts, refused };
}

const knownOf = ({ symbol, kind, knownAt }: AnyFact & { symbol: string }) =>
  `${symbol} ${kind} ${new Date(knownAt).toISOString()}`;

/** What a value says, without what it leaves open. */
const saidOf = ({ value }: AnyFact) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));

describe('news', () => {
  const PUBLISHED = Date.parse('2024-06-12T13:30:05Z');
  const said = {
    publishedAt: PUBLISHED,
    headline: 'XYZ opens a plant',
    source: 'A Wire',
    url: 'https://example.com/n',
    symbols: ['XYZ', 'ABC'],
  };

  it.each([
    [
      'Alpaca',
      {
        news: [
          {
            id: 1,
            headline: 'XYZ opens a plant',
            author: 'A',
            created_at: '2024-06-12T13:30:05Z',
            updated_at: '2024-06-12T13:45:00Z',
            summary: 'In Ohio',
            url: 'https://example.com/n',
            symbols: ['XYZ', 'ABC', 'BTCUSD1234567'],
            source: 'A Wire',
          },
        ],
        next_page_token: null,
      },
      // Who edits an item may change its headline.
      '2024-06-12T13:45:00.000Z',
      { ...said, summary: 'In Ohio' },
    ],
    [
      'Massive',
      {
        status: 'OK',
        results: [
          {
            id: 'a',
            publisher: { name: 'A Wire' },
            title: 'XYZ opens a plant',
            published_utc: '2024-06-12T13:30:05Z',
            article_url: 'https://example.com/n',
            tickers: ['XYZ', 'ABC'],
            description: 'In Ohio',
            insights: [{ ticker: 'XYZ', sentiment: 'positive' }],
          },
        ],
      },
      '2024-06-12T13:30:05.000Z',
      { ...said, summary: 'In Ohio' },
    ],
    [
      'Finnhub',
      [
        {
          category: 'company',
          datetime: 1718199005,
          headline: 'XYZ opens a plant',
          id: 7,
          image: '',
          related: 'XYZ,ABC',
          source: 'A Wire',
          summary: '',
          url: 'https://example.com/n',
        },
      ],
      '2024-06-12T13:30:05.000Z',
      said,
    ],
    [
      'yfinance',
      [
        {
          uuid: 'u',
          title: 'XYZ opens a plant',
          publisher: 'A Wire',
          link: 'https://example.com/n',
          providerPublishTime: 1718199005,
          relatedTickers: ['XYZ', 'ABC'],
        },
      ],
      '2024-06-12T13:30:05.000Z',
      said,
    ],
  ])('of %s are of each ticker, from their newest time on', async (_, content, knownAt, value) => {
    const { facts, refused } = await read(content);
    expect(refused).toEqual([]);
    expect(facts.map(knownOf)).toEqual([`XYZ news ${knownAt}`, `ABC news ${knownAt}`]);
    expect(facts.map(saidOf)).toEqual([value, value]);
  });

  it('of Alpha Vantage have tone and relevance by ticker, and count from the later clock', async () => {
    const { facts, refused } = await read({
      items: '1',
      feed: [
        {
          title: 'XYZ opens a plant',
          url: 'https://example.com/n',
          time_published: '20240612T133005',
          summary: 'In Ohio',
          source: 'A Wire',
          overall_sentiment_score: 0.5,
          ticker_sentiment: [
            { ticker: 'XYZ', relevance_score: '0.9', ticker_sentiment_score: '0.31' },
            { ticker: 'CRYPTO:BTC', relevance_score: '0.1', ticker_sentiment_score: '0' },
            { ticker: 'ABC', relevance_score: '0.2', ticker_sentiment_score: '-0.05' },
          ],
        },
      ],
    });
    expect(refused).toEqual([]);
    expect(facts.map(knownOf)).toEqual([
      'XYZ news 2024-06-12T17:30:05.000Z',
      'ABC news 2024-06-12T17:30:05.000Z',
    ]);
    const common = { ...said, summary: 'In Ohio' };
    expect(facts.map(saidOf)).toEqual([
      { ...common, sentiment: 0.31, relevance: 0.9 },
      { ...common, sentiment: -0.05, relevance: 0.2 },
    ]);
  });

  it('without a ticker, a time or a headline are refused one by one', async () => {
    const item = { title: 'T', link: 'l', providerPublishTime: 1718199005, relatedTickers: ['XYZ'] };
    const { relatedTickers, ...unnamed } = item;
    const { facts, refused } = await read([
      item,
      unnamed,
      { ...item, providerPublishTime: 'soon' },
      { ...item, title: null },
      7,
    ]);
    expect(facts).toHaveLength(1);
    expect(refused.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      '1 bad_symbol x.json:2',
      '1 bad_time x.json:3',
      '1 missing_value x.json:4',
      '1 unknown_format x.json:5',
    ]);
  });
});

describe('companies and their figures', () => {
  const KNOWN = '2024-05-06';
  const END_OF_DAY = '2024-05-07T04:00:00.000Z';

  const OVERVIEW = {
    Symbol: 'XYZ',
    AssetType: 'Common Stock',
    Name: 'XYZ Inc',
    Description: 'Makes things',
    Exchange: 'NYSE',
    Currency: 'USD',
    Sector: 'TECHNOLOGY',
    Industry: 'SOFTWARE',
    Address: 'None',
    OfficialSite: 'https://xyz.example',
    LatestQuarter: '2024-03-31',
    MarketCapitalization: '554888921000',
    EBITDA: '12265000000',
    PERatio: '44.5',
    PEGRatio: '-',
    BookValue: '20.19',
    DividendPerShare: 'None',
    DividendYield: '0.0055',
    ProfitMargin: '0.144',
    OperatingMarginTTM: '0.055',
    ReturnOnAssetsTTM: '0.0472',
    ReturnOnEquityTTM: '0.237',
    RevenueTTM: '94745002000',
    GrossProfitTTM: '20853000000',
    DilutedEPSTTM: '3.91',
    AnalystTargetPrice: '179.72',
    AnalystRatingStrongBuy: '5',
    AnalystRatingBuy: '12',
    AnalystRatingHold: '21',
    AnalystRatingSell: '6',
    AnalystRatingStrongSell: '4',
    ForwardPE: '67.57',
    PriceToSalesRatioTTM: '5.67',
    PriceToBookRatio: '8.35',
    EVToEBITDA: '58.23',
    Beta: '2.408',
    SharesOutstanding: '3189200000',
  };

  it('of Alpha Vantage are five facts, and None is absent and counted', async () => {
    const { facts, refused } = await read(OVERVIEW, KNOWN);
    expect(refused).toEqual(['3 repaired x.json:1 headquarters None of XYZ stands for no value']);
    expect(facts.map(knownOf)).toEqual(
      ['profile', 'fundamentals', 'shares', 'price_target', 'recommendations'].map(
        (kind) => `XYZ ${kind} ${END_OF_DAY}`,
      ),
    );
    expect(facts.map(saidOf)).toEqual([
      {
        companyName: 'XYZ Inc',
        description: 'Makes things',
        website: 'https://xyz.example',
        sector: 'TECHNOLOGY',
        industry: 'SOFTWARE',
        exchange: 'NYSE',
      },
      {
        periodEnd: '2024-03-31',
        revenueTtm: 94_745_002_000,
        grossProfitTtm: 20_853_000_000,
        ebitdaTtm: 12_265_000_000,
        epsTtm: 3.91,
        stated: {
          market_cap: 554_888_921_000,
          pe_ratio: 44.5,
          forward_pe: 67.57,
          price_to_book: 8.35,
          price_to_sales: 5.67,
          ev_ebitda: 58.23,
          book_value_per_share: 20.19,
          roe: 23.7,
          roa: 4.72,
          profit_margin: 14.4,
          operating_margin: 5.5,
          dividend_yield: 0.55,
          beta: 2.408,
        },
      },
      { outstanding: 3_189_200_000 },
      { mean: 179.72 },
      { strongBuy: 5, buy: 12, hold: 21, sell: 6, strongSell: 4 },
    ]);
  });

  it('need the instant from which they are known, which is not before their quarter', async () => {
    const { facts, refused } = await read(OVERVIEW);
    expect(facts).toEqual([]);
    expect(refused.at(-1)).toBe(
      '5 missing_value x.json:1 profile of XYZ: the file does not say since when it is known: state it with ⟨known_at⟩',
    );
    const early = await read(OVERVIEW, '2024-03-29');
    expect(early.facts.map(({ kind }) => kind)).not.toContain('fundamentals');
    expect(early.refused.at(-1)).toMatch(/^1 known_too_early/);
  });

  it('of which nothing is said are no fact, and of which only None is said are refused', async () => {
    const { LatestQuarter, MarketCapitalization } = OVERVIEW;
    const bare = { Symbol: 'XYZ', LatestQuarter, MarketCapitalization, SharesOutstanding: 'None' };
    const { facts, refused } = await read(bare, KNOWN);
    expect(facts.map(({ kind }) => kind)).toEqual(['fundamentals']);
    expect(refused).toEqual([
      '1 repaired x.json:1 outstanding None of XYZ stands for no value',
      '1 missing_value x.json:1 shares of XYZ: {"kind":"shares","symbol":"XYZ","outstanding":"None"}',
    ]);
  });

  it('in another currency are not read as dollars', async () => {
    const { facts, refused } = await read({ ...OVERVIEW, Currency: 'EUR' }, KNOWN);
    expect(facts.map(({ kind }) => kind)).toEqual(['profile', 'shares', 'recommendations']);
    expect(refused).toContain('2 bad_word x.json:1 figures in EUR: only those in US dollars are read');
  });

  it('of Finnhub are of the day on which they are known', async () => {
    const metric = {
      '10DayAverageTradingVolume': 50,
      marketCapitalization: 4476472.5,
      peTTM: 34.7202,
      epsTTM: 8.7233,
      roeTTM: 137.18,
      'totalDebt/totalEquityQuarterly': 0.7844,
      currentDividendYieldTTM: 0.3494,
      beta: 1.078,
    };
    const { facts, refused } = await read({ metric, metricType: 'all', series: {}, symbol: 'XYZ' }, KNOWN);
    expect(refused).toEqual([]);
    expect(facts.map(knownOf)).toEqual([`XYZ fundamentals ${END_OF_DAY}`]);
    expect(saidOf(facts[0]!)).toEqual({
      periodEnd: '2024-05-06',
      epsTtm: 8.7233,
      stated: {
        market_cap: 4_476_472_500_000,
        pe_ratio: 34.7202,
        roe: 137.18,
        debt_to_equity: 0.7844,
        dividend_yield: 0.3494,
        beta: 1.078,
      },
    });
  });

  it('of FMP are profiles and ratios of the trailing year', async () => {
    const profile = {
      symbol: 'XYZ',
      companyName: 'XYZ Inc',
      currency: 'USD',
      exchange: 'NASDAQ',
      ceo: 'A. Person',
      fullTimeEmployees: '161,000',
      ipoDate: '1980-12-12',
      image: 'https://xyz.example/logo.png',
      marketCap: 1_000_000,
      beta: 1.1,
    };
    const { facts, refused } = await read([profile], '2024-05-06T12:00:00-04:00');
    expect(refused).toEqual([]);
    expect(facts.map(saidOf)).toEqual([
      {
        companyName: 'XYZ Inc',
        ceo: 'A. Person',
        employees: 161_000,
        ipoDate: '1980-12-12',
        logoUrl: 'https://xyz.example/logo.png',
        exchange: 'NASDAQ',
      },
      { periodEnd: '2024-05-06', stated: { market_cap: 1_000_000, beta: 1.1 } },
    ]);
    const ratios = await read(
      [
        {
          symbol: 'XYZ',
          priceToEarningsRatioTTM: 0,
          netProfitMarginTTM: 0.2715,
          debtToEquityRatioTTM: 1.4,
          dividendYieldTTM: 0.005,
        },
      ],
      KNOWN,
    );
    expect(ratios.refused).toEqual(['1 repaired x.json:1 pe_ratio 0 of XYZ stands for no value']);
    expect(ratios.facts.map(saidOf)).toEqual([
      { periodEnd: '2024-05-06', stated: { net_margin: 27.15, debt_to_equity: 1.4, dividend_yield: 0.5 } },
    ]);
  });

  it('of yfinance leave out what has changed its unit', async () => {
    const { facts, refused } = await read(
      `{"symbol": "XYZ", "quoteType": "EQUITY", "longName": "XYZ Inc", "currency": "USD", "financialCurrency": "USD",
        "mostRecentQuarter": 1711756800, "marketCap": 1000, "trailingPE": NaN, "forwardPE": 21.5, "returnOnEquity": 0.21,
        "debtToEquity": 145.2, "dividendYield": 0.55, "sharesOutstanding": 10, "floatShares": 9, "targetMeanPrice": 120,
        "targetHighPrice": 150, "targetLowPrice": 90, "numberOfAnalystOpinions": 12}`,
      KNOWN,
    );
    expect(refused).toEqual([]);
    expect(facts.map(saidOf)).toEqual([
      { companyName: 'XYZ Inc' },
      {
        periodEnd: '2024-03-30',
        stated: { market_cap: 1000, forward_pe: 21.5, roe: 21, debt_to_equity: 1.452 },
      },
      { outstanding: 10, float: 9 },
      { mean: 120, high: 150, low: 90, analysts: 12 },
    ]);
  });

  it('of Massive count from the acceptance of the filing, flows only over a year', async () => {
    const value = (amount: number) => ({ value: amount, unit: 'USD' });
    const result = {
      tickers: ['XYZ'],
      timeframe: 'annual',
      start_date: '2023-04-01',
      end_date: '2024-03-31',
      filing_date: '2024-05-03',
      acceptance_datetime: '20240503160234',
      financials: {
        income_statement: { revenues: value(500), net_income_loss: value(50) },
        balance_sheet: { assets: value(900), equity: value(300) },
        cash_flow_statement: { net_cash_flow_from_operating_activities: value(70) },
      },
    };
    const { acceptance_datetime, ...dated } = result;
    const { facts, refused } = await read({
      results: [result, { ...dated, timeframe: 'quarterly' }],
      status: 'OK',
    });
    expect(refused).toEqual([]);
    expect(facts.map(knownOf)).toEqual([
      'XYZ fundamentals 2024-05-03T20:02:34.000Z',
      'XYZ fundamentals 2024-05-04T04:00:00.000Z',
    ]);
    const balance = { periodEnd: '2024-03-31', totalAssets: 900, totalEquity: 300, stated: {} };
    expect(facts.map(saidOf)).toEqual([
      { ...balance, revenueTtm: 500, netIncomeTtm: 50, operatingCashFlowTtm: 70 },
      balance,
    ]);
  });
});

describe('figures that stand for none', () => {
  const line = (fields: string) =>
    `{"kind":"fundamentals","symbol":"XYZ","known_at":"2024-05-06","period_end":"2024-03-31",${fields}}\n`;

  it('are absent and counted, and the row is kept', async () => {
    const { facts, refused } = await read(
      line('"pe_ratio":0,"forward_pe":"999999","market_cap":-5,"peg_ratio":-999,"beta":"None","eps_ttm":1.5'),
    );
    expect(refused).toEqual(['5 repaired x.json:1 market_cap -5 of XYZ stands for no value']);
    expect(facts.map(saidOf)).toEqual([{ periodEnd: '2024-03-31', epsTtm: 1.5, stated: {} }]);
  });

  it('are figures where they may be', async () => {
    const { facts, refused } = await read(
      `${line('"beta":0,"net_income_ttm":-5,"enterprise_value":-5,"pe_ratio":-12')}{"kind":"shares","symbol":"XYZ","known_at":"2024-05-06","outstanding":999999}\n`,
    );
    expect(refused).toEqual([]);
    expect(facts.map(saidOf)).toEqual([
      {
        periodEnd: '2024-03-31',
        netIncomeTtm: -5,
        stated: { beta: 0, enterprise_value: -5, pe_ratio: -12 },
      },
      { outstanding: 999_999 },
    ]);
  });

  it('leave a row that says nothing else to its refusal', async () => {
    const { facts, refused } = await read(line('"pe_ratio":0'));
    expect(facts).toEqual([]);
    expect(refused.map((text) => text.split(' ')[1])).toEqual(['repaired', 'missing_value']);
  });

  it('may be written with signs, marks and magnitudes', async () => {
    const { facts } = await read(line('"revenue_ttm":"$1,250.5M","market_cap":"3.2T","roe":"12.5%"'));
    expect(facts).toEqual([]);
    const read2 = await read(line('"revenue_ttm":"$1,250.5M","market_cap":"3.2T","net_income_ttm":"(3)"'));
    expect(saidOf(read2.facts[0]!)).toEqual({
      periodEnd: '2024-03-31',
      revenueTtm: 1_250_500_000,
      netIncomeTtm: -3,
      stated: { market_cap: 3.2e12 },
    });
  });
});

describe('answers that are no facts', () => {
  it.each([
    ['<html><body>Too many requests</body></html>', /unknown_format x.json the file is a web page/],
    ['{"Information": "rate limit",\n "x": 1}', /no known source answers so \(Information, x\)/],
    ['{"feed": [{"title": "cut', /unknown_format x.json the JSON is broken or cut short/],
    ['[]', /no known source answers so \(a list\)/],
    ['{\n  "news": 5\n}', /no known source answers so \(news\)/],
    ['{\n  "results": [null]\n}', /no known source/],
  ])('are refused with what to do: %j', async (content, expected) => {
    const { facts, refused } = await read(content);
    expect(facts).toEqual([]);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(expected);
  });

  it.each([
    { news: [{ headline: 5, created_at: {}, symbols: ['XYZ'], updated_at: [] }] },
    {
      feed: [
        { title: [], time_published: 7, ticker_sentiment: ['XYZ', { ticker: 'XYZ', relevance_score: {} }] },
      ],
    },
    { Symbol: 'XYZ', LatestQuarter: {}, MarketCapitalization: [], PERatio: true, Currency: {} },
    { metric: { beta: {} }, metricType: 1, symbol: 'XYZ' },
    { results: [{ financials: { balance_sheet: 5 }, tickers: 'XYZ', end_date: 5 }, null] },
  ])('never throw for members of other types: %j', async (content) => {
    const { facts, refused } = await read(content, '2024-05-06');
    expect(facts.filter(({ kind }) => kind !== 'profile')).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
  });
});
