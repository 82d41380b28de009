import { midnightUtc } from '../../../src/base/calendar.ts';
import type { VolatilityColumns } from '../../../src/market/chains.ts';
import type { AnyFact, FactKind, FactValues } from '../../../src/market/facts.ts';
import type { MarketView } from '../../../src/market/market-view.ts';
import type { PeerDay } from '../../../src/market/peer-day.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { madeChain, strikesOf } from '../../support/made-chain.ts';
import { fundamentalsWith, peerDayWith, reportWith } from '../../support/reported.ts';
import {
  type DailyRow,
  type FlowRow,
  fact,
  flatMinutes,
  type IntradayRow,
  instant,
  sessionsBefore,
  TRADE_DATE,
  viewOf,
} from '../../support/views.ts';

/** A stock of which everything is known that a tape can hold, and its market: what is null of it, nothing derives. */

const KNOWN = instant('2024-03-08', '9:00');
const TEXT = 'of TEST';

/** A session after two years of days, with bars, quotes, prints, facts of every kind, options and peers; at noon it runs. */
export function richView(at: '12:00' | '20:00' = '12:00'): StockView {
  return viewOf({
    at,
    daily: richDays(),
    intraday: moving(110),
    priorIntraday: moving(109),
    quoteAt: '12:00',
    flow: flatMinutes('8:0', 240, 110).map(([clock], row): FlowRow => [clock, printsOf(row)]),
    facts: richFacts(),
    chain: madeChain({
      date: TRADE_DATE,
      clock: '11:45',
      spot: 110,
      strikes: strikesOf(70, 165, 2.5),
      volatility: (moneyness) => 0.25 - 0.1 * moneyness,
      openInterest: (strike, right) => (right === 1 ? strike * 10 : (220 - strike) * 12),
    }),
    volatility: richVolatility(),
    peers: PEERS,
  });
}

function richVolatility(): VolatilityColumns {
  const time = Float64Array.from(sessionsBefore(TRADE_DATE, 250), midnightUtc);
  return {
    time,
    implied: time.map((_, row) => 0.2 + (row % 100) / 1000),
    realised: time.map(() => 0.21),
  };
}

const PEERS: PeerDay = peerDayWith({
  windowFrom: '2023-03-10',
  peers: [
    {
      symbol: 'MATE',
      weight: 1,
      correlation: 0.5,
      reasons: ['correlation', 'sector'],
      returnPct: 0.5,
      contributionPct: 0.5,
    },
  ],
});

function richDays(): DailyRow[] {
  return sessionsBefore(TRADE_DATE, 519).map((date, row): DailyRow => {
    const close = 100 + 4 * Math.sin(row / 9) + row * 0.02;
    return [date, close - 0.3, close + 1, close - 1.2, close, 1_000_000 + 1000 * row];
  });
}

const moving = (around: number): IntradayRow[] =>
  flatMinutes('8:0', 700, around).map(([clock], row) => {
    const price = around + Math.sin(row / 25);
    return [clock, price, price + 0.2, price - 0.2, price + 0.1, 1000];
  });

const printsOf = (row: number) => ({
  trades: 12,
  volume: 1000,
  notional: 110000,
  offExchangeVolume: 300,
  blockTrades: row % 20 === 0 ? 1 : 0,
  blockVolume: row % 20 === 0 ? 500 : 0,
  buyByQuote: 500,
  sellByQuote: 300 + (row % 7) * 10,
  buyByTick: 20,
  sellByTick: 20,
  lockedVolume: 10,
});

/** Results of twelve quarters, 63 sessions apart, each better than was expected but one. */
const ANNOUNCED = sessionsBefore(TRADE_DATE, 740).filter((_, row) => row % 63 === 30);
const quarters = ANNOUNCED.map((date, row) =>
  fact(
    'earnings_report',
    instant(date, '7:00'),
    reportWith({
      date,
      epsEstimate: 1 + row / 100,
      epsActual: 1.05 + row / 80 - (row === 6 ? 0.4 : 0),
      revenueEstimate: 1e9,
      revenueActual: 1.02e9,
    }),
    date,
  ),
);

const statement = fact(
  'fundamentals',
  KNOWN,
  fundamentalsWith({
    periodEnd: '2023-12-31',
    revenueTtm: 4e9,
    grossProfitTtm: 1.6e9,
    operatingIncomeTtm: 6e8,
    netIncomeTtm: 4e8,
    ebitdaTtm: 8e8,
    operatingCashFlowTtm: 6e8,
    freeCashFlowTtm: 4e8,
    dividendsPaidTtm: 1e8,
    epsTtm: 4,
    epsTtmPriorYear: 3.6,
    revenueTtmPriorYear: 3.7e9,
    pretaxIncomeTtm: 5e8,
    taxTtm: 1e8,
    totalAssets: 8e9,
    totalEquity: 3e9,
    currentAssets: 2e9,
    currentLiabilities: 1e9,
    cashAndEquivalents: 5e8,
    totalDebt: 1.5e9,
    dividendPerShare: 1,
  }),
);

const news = ['11:00', '10:00', '9:45'].flatMap((clock, row) =>
  [0, 1, 3, 6].map((daysBack) => {
    const date = sessionsBefore(TRADE_DATE, 10)
      .concat(TRADE_DATE)
      .at(-1 - daysBack)!;
    const publishedAt = instant(date, clock);
    return fact('news', publishedAt, {
      publishedAt,
      headline: `TEST beats estimates ${row}`,
      summary: TEXT,
      source: 'A Wire',
      url: `https://example.com/${date}/${row}`,
      symbols: ['TEST'],
      eventType: 'earnings',
      sentiment: row === 0 ? 0.4 : null,
      relevance: 1,
    });
  }),
);

/** Known of the company from one instant on. */
const SAID: { readonly [Kind in FactKind]?: FactValues[Kind] } = {
  earnings_date: {
    date: '2024-05-08',
    time: 'pre_market',
    status: 'projected',
    epsEstimate: 1.2,
    revenueEstimate: 1e9,
  },
  analyst_grade: {
    date: '2024-03-08',
    firm: 'A Bank',
    action: 'upgrade',
    from: 'Hold',
    to: 'Buy',
    target: 130,
  },
  recommendations: { strongBuy: 5, buy: 8, hold: 4, sell: 1, strongSell: 0, mean: 4, analysts: 18 },
  insider_transaction: {
    date: '2024-03-06',
    owner: 'Jane Doe',
    title: 'Director',
    code: 'P',
    shares: 1000,
    price: 108,
    direction: 'acquired',
  },
  theme_exposure: {
    theme: 'grid',
    themeName: 'The grid',
    direction: 'positive',
    magnitude: 0.6,
    rationale: TEXT,
    validFrom: '2024-01-02',
  },
};

function richFacts(): AnyFact[] {
  const facts: AnyFact[] = [
    ...quarters,
    statement,
    ...news,
    fact('profile', 0, {
      companyName: TEXT,
      description: TEXT,
      ceo: TEXT,
      headquarters: TEXT,
      employees: 1,
      ipoDate: '1990-01-02',
      website: TEXT,
      logoUrl: TEXT,
      sector: 'Energy',
      industry: TEXT,
      exchange: TEXT,
    }),
    fact('shares', KNOWN, { outstanding: 1e8, float: 9e7 }),
    ...Object.entries(SAID).map(([kind, value]) =>
      fact(kind as 'shares', KNOWN, value as FactValues['shares']),
    ),
    fact('price_target', KNOWN, { mean: 125, high: 150, low: 90, analysts: 15 }),
    ...(['current_year', 'next_year'] as const).map((year) => {
      const said = { epsAverage: 4.5, epsHigh: 5, epsLow: 4, revenueAverage: 4.2e9, analysts: 12 };
      return fact('analyst_estimates', KNOWN, { year, ...said }, year);
    }),
    fact('halt', instant(TRADE_DATE, '10:00'), {
      from: instant(TRADE_DATE, '10:00'),
      to: instant(TRADE_DATE, '10:05'),
      reason: TEXT,
    }),
  ];
  return facts.sort((one, other) => one.knownAt - other.knownAt);
}

/** A market with all its parts; its index has moved with the stock and by itself. */
export function richMarket(view: StockView): MarketView {
  const rows = view.daily.time.length;
  const from = rows - 253;
  return {
    tradeDate: view.tradeDate,
    asOf: view.asOf,
    vix: { symbol: '^VIX', level: 16.5, change1dPct: -1.2, percentile252: 41 },
    index: {
      symbol: 'SPY',
      last: 510,
      return1dPct: 0.3,
      return5dPct: 1.1,
      return20dPct: 2.4,
      sma50: 495,
      sma200: 455,
      slope20Pct: 22,
      time: Array.from(view.daily.time.subarray(from)),
      close: Array.from(view.daily.close.subarray(from), (close, row) => 4 * close + 3 * Math.sin(row)),
    },
    breadth: {
      stocks: 480,
      advancers: 300,
      decliners: 170,
      aboveSma50: 0.64,
      aboveSma200: 0.7,
      newHighs252: 40,
      newLows252: 3,
    },
    sectors: [
      { sector: 'Energy', stocks: 22, return1dPct: 0.8, return5dPct: 2.1, return20dPct: 6.4, rank: 1, of: 1 },
    ],
  };
}
