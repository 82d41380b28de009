import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newYorkCalendar } from '../src/base/calendar.ts';
import type { CsvFeed } from '../src/files/bars/csv.ts';
import { chainsFeed } from '../src/files/chains/feed.ts';
import type { ContentReading } from '../src/files/content-reading.ts';
import { factsFeed } from '../src/files/facts/feed.ts';
import { type ReadDownload, tableOfReadings } from './downloads.ts';

/**
 * Small files of chains and facts, of own values, in the layouts that known sources write. A test holds them to the values;
 * `docs/import.md` shows the readings.
 */

export interface ContentDownload {
  readonly source: string;
  readonly file: string;
  readonly content: string | object;
  /** Epoch milliseconds or date, where the file does not say. */
  readonly asOf?: number;
  readonly knownAt?: string;
}

/** The instant of every chain; a source that writes minutes means the end of this one. */
export const TAKEN_AT = Date.parse('2024-06-12T19:30:00Z');
export const UNDERLYING_PRICE = 102.95;
/** A call and a put of 100 that expire on 2024-06-21. The put's delta is not known. */
export const CONTRACTS = [
  {
    symbol: 'QQAA240621C00100000',
    bid: 3.1,
    ask: 3.3,
    last: 3.2,
    volume: 120,
    interest: 900,
    iv: 0.31,
    delta: 0.61,
    gamma: 0.04,
  },
  {
    symbol: 'QQAA240621P00100000',
    bid: 1.1,
    ask: 1.3,
    last: 1.2,
    volume: 20,
    interest: 400,
    iv: 0.33,
    delta: Number.NaN,
    gamma: 0.04,
  },
] as const;

type Contract = (typeof CONTRACTS)[number];
const [CALL, PUT] = CONTRACTS;
const TEN_MINUTES_MS = 600_000;
/** Python writes the word where JSON has none. */
const withNaN = (value: object): string => JSON.stringify(value).replaceAll('"NaN"', 'NaN');
const greek = (value: number): number | 'NaN' => (Number.isNaN(value) ? 'NaN' : value);

const schwab = (symbolOf: (contract: Contract) => string, price: object) => {
  const strikes = (contract: Contract) => ({
    '2024-06-21:9': {
      '100.0': [
        {
          putCall: contract === CALL ? 'CALL' : 'PUT',
          symbol: symbolOf(contract),
          bid: contract.bid,
          ask: contract.ask,
          last: contract.last,
          totalVolume: contract.volume,
          openInterest: contract.interest,
          volatility: contract.iv * 100,
          delta: greek(contract.delta),
          gamma: contract.gamma,
          multiplier: 100,
          strikePrice: 100,
          quoteTimeInLong: TAKEN_AT,
          tradeTimeInLong: TAKEN_AT - TEN_MINUTES_MS,
          nonStandard: false,
          mini: false,
        },
      ],
    },
  });
  return {
    symbol: 'QQAA',
    status: 'SUCCESS',
    ...price,
    callExpDateMap: strikes(CALL),
    putExpDateMap: strikes(PUT),
  };
};

const cboeSide = (contract: Contract): string =>
  [
    contract.symbol,
    contract.last,
    0.1,
    contract.bid,
    contract.ask,
    contract.volume,
    contract.iv,
    greek(contract.delta),
    contract.gamma,
    contract.interest,
  ].join(',');

const optionsDxSide = ({ iv, volume, last, bid, ask, delta, gamma }: Contract) => ({
  delta: Number.isNaN(delta) ? '' : delta,
  greeks: [gamma, 0.1, -0.2, 0.05, iv],
  volume,
  last,
  bid,
  ask,
});
const [dxCall, dxPut] = [optionsDxSide(CALL), optionsDxSide(PUT)];

const ORATS = {
  ticker: 'QQAA',
  tradeDate: '2024-06-12',
  expirDate: '2024-06-21',
  dte: 10,
  strike: 100,
  stockPrice: UNDERLYING_PRICE,
  callVolume: CALL.volume,
  callOpenInterest: CALL.interest,
  callBidSize: 10,
  callAskSize: 12,
  putBidSize: 8,
  putAskSize: 9,
  putVolume: PUT.volume,
  putOpenInterest: PUT.interest,
  callBidPrice: CALL.bid,
  callValue: 3.2,
  callAskPrice: CALL.ask,
  putBidPrice: PUT.bid,
  putValue: 1.2,
  putAskPrice: PUT.ask,
  callBidIv: 0.3,
  callMidIv: CALL.iv,
  callAskIv: 0.32,
  putBidIv: 0.32,
  putMidIv: PUT.iv,
  putAskIv: 0.34,
  delta: CALL.delta,
  gamma: CALL.gamma,
};
const ORATS_TIMES = { quoteDate: '2024-06-12T19:29:50Z', updatedAt: '2024-06-12T19:30:00Z' };
const tableOf = (row: object): string => `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;

export const CHAIN_DOWNLOADS: readonly ContentDownload[] = [
  {
    source: 'Cboe, quote table',
    file: 'qqaa_quotedata.csv',
    content: `\r\nQQAA Inc,Last: ${UNDERLYING_PRICE},Change: 0.35\r\n"Date: June 12, 2024 at 3:29 PM EDT",Bid: 102.94,Ask: 102.96,Size: 9*11,"Volume: 3,402,900"\r\nExpiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest\r\nFri Jun 21 2024,${cboeSide(CALL)},100.00,${cboeSide(PUT)}\r\n`,
  },
  {
    source: 'Cboe, delayed JSON',
    file: 'QQAA.json',
    content: withNaN({
      timestamp: '2024-06-12 19:30:00',
      symbol: 'QQAA',
      data: {
        symbol: 'QQAA',
        current_price: UNDERLYING_PRICE,
        options: CONTRACTS.map(({ symbol, bid, ask, last, volume, interest, iv, delta, gamma }) => ({
          option: symbol,
          bid,
          bid_size: 10,
          ask,
          ask_size: 12,
          iv,
          open_interest: interest,
          volume,
          delta: greek(delta),
          gamma,
          last_trade_price: last,
          last_trade_time: '2024-06-12T15:14:30',
        })),
      },
    }),
  },
  {
    source: 'Schwab',
    file: 'chains.json',
    content: withNaN(
      schwab(({ symbol }) => symbol.replace('QQAA', 'QQAA  '), { underlyingPrice: UNDERLYING_PRICE }),
    ),
  },
  {
    source: 'TD Ameritrade',
    file: 'optionchain.json',
    content: withNaN(
      schwab((contract) => `QQAA_062124${contract === CALL ? 'C' : 'P'}100`, {
        underlyingPrice: UNDERLYING_PRICE,
      }),
    ),
  },
  {
    source: 'Tradier',
    file: 'chains_tradier.json',
    content: withNaN({
      options: {
        option: CONTRACTS.map(({ symbol, bid, ask, last, volume, interest, iv, delta, gamma }) => ({
          symbol,
          underlying: 'QQAA',
          root_symbol: 'QQAA',
          strike: 100,
          last,
          bid,
          ask,
          volume,
          open_interest: interest,
          contract_size: 100,
          expiration_date: '2024-06-21',
          bid_date: TAKEN_AT,
          ask_date: TAKEN_AT - 1_000,
          trade_date: TAKEN_AT - TEN_MINUTES_MS,
          greeks: { delta: greek(delta), gamma, mid_iv: iv, updated_at: '2024-06-12 18:59:59' },
        })),
      },
    }),
  },
  {
    source: 'yfinance, `option_chain`',
    file: 'calls_and_puts.csv',
    content: `,contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest,impliedVolatility,inTheMoney,contractSize,currency\n${CONTRACTS.map(
      ({ symbol, bid, ask, last, volume, interest, iv }, row) =>
        `${row},${symbol},2024-06-12 19:15:00+00:00,100.0,${last},${bid},${ask},0.0,0.0,${volume}.0,${interest},${iv},True,REGULAR,USD`,
    ).join('\n')}\n`,
  },
  {
    source: 'Massive, snapshot',
    file: 'snapshot.json',
    content: withNaN({
      status: 'OK',
      results: CONTRACTS.map(({ symbol, bid, ask, last, volume, interest, iv, delta, gamma }) => ({
        break_even_price: 103.2,
        day: { close: last, volume, last_updated: Date.parse('2024-06-12T04:00:00Z') * 1e6 },
        details: {
          contract_type: symbol === CALL.symbol ? 'call' : 'put',
          exercise_style: 'american',
          expiration_date: '2024-06-21',
          shares_per_contract: 100,
          strike_price: 100,
          ticker: `O:${symbol}`,
        },
        greeks: { delta: greek(delta), gamma, theta: -0.1, vega: 0.05 },
        implied_volatility: iv,
        last_quote: { ask, ask_size: 12, bid, bid_size: 10, last_updated: TAKEN_AT * 1e6 },
        last_trade: { price: last, sip_timestamp: (TAKEN_AT - TEN_MINUTES_MS) * 1e6, size: 1 },
        open_interest: interest,
        underlying_asset: { last_updated: TAKEN_AT * 1e6, price: UNDERLYING_PRICE, ticker: 'QQAA' },
      })),
    }),
  },
  {
    source: 'Alpaca, snapshots',
    file: 'snapshots.json',
    content: withNaN({
      snapshots: Object.fromEntries(
        CONTRACTS.map(({ symbol, bid, ask, last, volume, iv, delta, gamma }) => [
          symbol,
          {
            dailyBar: { c: last, t: '2024-06-12T04:00:00Z', v: volume },
            greeks: { delta: greek(delta), gamma, theta: -0.1, vega: 0.05 },
            impliedVolatility: iv,
            latestQuote: { ap: ask, as: 12, bp: bid, bs: 10, t: '2024-06-12T19:30:00Z' },
            latestTrade: { p: last, s: 1, t: '2024-06-12T19:14:30Z' },
          },
        ]),
      ),
      next_page_token: null,
    }),
  },
  {
    source: 'OptionsDX',
    file: 'qqaa_15x_202406.txt',
    content: `[QUOTE_UNIXTIME], [QUOTE_READTIME], [QUOTE_DATE], [QUOTE_TIME_HOURS], [UNDERLYING_LAST], [EXPIRE_DATE], [EXPIRE_UNIX], [DTE], [C_DELTA], [C_GAMMA], [C_VEGA], [C_THETA], [C_RHO], [C_IV], [C_VOLUME], [C_LAST], [C_SIZE], [C_BID], [C_ASK], [STRIKE], [P_BID], [P_ASK], [P_SIZE], [P_LAST], [P_DELTA], [P_GAMMA], [P_VEGA], [P_THETA], [P_RHO], [P_IV], [P_VOLUME], [STRIKE_DISTANCE], [STRIKE_DISTANCE_PCT]\n${[TAKEN_AT / 1000, '2024-06-12 15:30', '2024-06-12', 15.5, UNDERLYING_PRICE, '2024-06-21', 1719000000, 9, dxCall.delta, ...dxCall.greeks, dxCall.volume, dxCall.last, '10 x 12', dxCall.bid, dxCall.ask, 100, dxPut.bid, dxPut.ask, '8 x 9', dxPut.last, dxPut.delta, ...dxPut.greeks, dxPut.volume, 2.95, 0.029].join(', ')}\n`,
  },
  { source: 'ORATS, data API, CSV', file: 'strikes.csv', content: tableOf({ ...ORATS, ...ORATS_TIMES }) },
  {
    source: 'ORATS, data API, JSON',
    file: 'strikes.json',
    content: { data: [{ ...ORATS, ...ORATS_TIMES }] },
  },
  {
    source: 'ORATS, file of a day',
    file: 'ORATS_SMV_Strikes_20240612.csv',
    content: tableOf(ORATS),
    asOf: TAKEN_AT,
  },
];

/** The instant of every item of news; Alpha Vantage writes its clock without a zone, the later one counts. */
const PUBLISHED = '2024-06-12T13:30:05Z';
const SECONDS = Date.parse(PUBLISHED) / 1000;
const HEADLINE = 'QQAA opens a plant';
const KNOWN_AT = '2024-06-12';

export const FACT_DOWNLOADS: readonly ContentDownload[] = [
  {
    source: 'Alpaca, news',
    file: 'alpaca_news.json',
    content: {
      news: [
        {
          id: 1,
          headline: HEADLINE,
          author: 'A',
          created_at: PUBLISHED,
          updated_at: PUBLISHED,
          summary: '',
          url: 'https://example.com/n',
          symbols: ['QQAA'],
          source: 'benzinga',
        },
      ],
      next_page_token: null,
    },
  },
  {
    source: 'Massive, news',
    file: 'massive_news.json',
    content: {
      status: 'OK',
      count: 1,
      results: [
        {
          id: 'a',
          publisher: { name: 'A Wire' },
          title: HEADLINE,
          published_utc: PUBLISHED,
          article_url: 'https://example.com/n',
          tickers: ['QQAA'],
          description: 'In Ohio',
        },
      ],
    },
  },
  {
    source: 'Finnhub, company news',
    file: 'company-news.json',
    content: [
      {
        category: 'company',
        datetime: SECONDS,
        headline: HEADLINE,
        id: 7,
        image: '',
        related: 'QQAA',
        source: 'A Wire',
        summary: '',
        url: 'https://example.com/n',
      },
    ],
  },
  {
    source: 'yfinance, `news`',
    file: 'yfinance_news.json',
    content: [
      {
        uuid: 'u',
        title: HEADLINE,
        publisher: 'A Wire',
        link: 'https://example.com/n',
        providerPublishTime: SECONDS,
        type: 'STORY',
        relatedTickers: ['QQAA'],
      },
    ],
  },
  {
    source: 'Alpha Vantage, news',
    file: 'news_sentiment.json',
    content: {
      items: '1',
      feed: [
        {
          title: HEADLINE,
          url: 'https://example.com/n',
          time_published: '20240612T093005',
          summary: 'In Ohio',
          source: 'A Wire',
          overall_sentiment_score: 0.2,
          ticker_sentiment: [{ ticker: 'QQAA', relevance_score: '0.9', ticker_sentiment_score: '0.31' }],
        },
      ],
    },
  },
  {
    source: 'Alpha Vantage, overview',
    file: 'overview.json',
    content: {
      Symbol: 'QQAA',
      AssetType: 'Common Stock',
      Name: 'QQAA Inc',
      Exchange: 'NASDAQ',
      Currency: 'USD',
      Sector: 'TECHNOLOGY',
      Industry: 'SOFTWARE',
      LatestQuarter: '2024-03-31',
      MarketCapitalization: '5548889210',
      PERatio: 'None',
      Beta: '1.1',
      SharesOutstanding: '53898900',
    },
    knownAt: KNOWN_AT,
  },
];

const calendar = newYorkCalendar();

export const textOf = ({ content }: ContentDownload): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

export const chainsOf = (path: string, { asOf }: ContentDownload): CsvFeed =>
  chainsFeed({ paths: [path], calendar, asOf });
export const factsOf = (path: string, { knownAt }: ContentDownload): CsvFeed =>
  factsFeed({ paths: [path], calendar, knownAt });

/** A table of how each chain is read. */
export async function chainTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-downloads-'));
  try {
    const rows: ReadDownload[] = [];
    for (const download of CHAIN_DOWNLOADS) {
      const path = join(folder, download.file);
      writeFileSync(path, textOf(download));
      const [file] = await Array.fromAsync(chainsOf(path, download).readings());
      if (!('parts' in file!.read)) throw new Error(`${download.source}: ${JSON.stringify(file!.read)}`);
      const { parts: found }: ContentReading = file!.read;
      const option = download.asOf === undefined ? '' : ' `--as-of`';
      rows.push({
        file: `${download.source} (\`${download.file}\`${option})`,
        read: ['price', 'greeks', 'interest'].map((part) => found[part]!.value),
      });
    }
    return tableOfReadings(['source (file)', 'underlying', 'greeks', 'volume, open interest'], rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
