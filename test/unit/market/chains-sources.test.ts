import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { contractsIn, figuresOf, layoutsFeed, settlementsIn } from './chain-of.ts';
import { deliveriesOf, refusalsIn, refusedByReason, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
let folders = 0;

/** Reads one file of a source; an object is written as JSON. */
async function read(content: string | object, name = 'chain.json', asOf?: number): Promise<Delivery[]> {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return deliveriesOf(layoutsFeed(folder, calendar, asOf));
}

const chainsIn = (deliveries: readonly Delivery[]): OptionChain[] =>
  deliveries.filter((delivery) => delivery.kind === 'chain').map(({ chain }) => chain);

/** The only chain of a file of which nothing is refused. */
async function chainOfFile(...file: Parameters<typeof read>): Promise<OptionChain> {
  const deliveries = await read(...file);
  expect(refusalsIn(deliveries)).toEqual([]);
  const chains = chainsIn(deliveries);
  expect(chains.length).toBe(1);
  return chains[0]!;
}

const headOf = ({ symbol, takenAt, underlyingPrice, style }: OptionChain) => ({
  symbol,
  takenAt: new Date(takenAt).toISOString(),
  underlyingPrice,
  style,
});

const sentence = async (...file: Parameters<typeof read>): Promise<string> => {
  const [refusal, ...others] = refusalsIn(await read(...file));
  expect(others).toEqual([]);
  return `${refusal!.count} ${refusal!.reason}: ${refusal!.example}`;
};

const JUNE_21 = Date.UTC(2024, 5, 21);
const AS_OF = Date.parse('2024-06-13T19:45:00Z');

describe("Cboe's delayed quotes", () => {
  const option = (symbol: string, figures: object = {}) => ({
    option: symbol,
    bid: 1.2,
    ask: 1.3,
    iv: 0.21,
    open_interest: 70,
    volume: 9,
    delta: 0.4,
    gamma: 0.02,
    last_trade_price: 1.25,
    last_trade_time: '2024-06-13T15:29:30',
    ...figures,
  });
  const file = (options: unknown, head: object = {}) => ({
    timestamp: '2024-06-13 19:45:02',
    data: { options, symbol: 'XYZ', current_price: 100.5, close: 99 },
    symbol: 'XYZ',
    ...head,
  });

  it('are of the UTC time of their timestamp', async () => {
    const chain = await chainOfFile(
      file([option('XYZ240621C00100000'), option('XYZ240621P00100000', { delta: 'NaN', gamma: -999 })]),
    );
    expect(headOf(chain)).toEqual({
      symbol: 'XYZ',
      takenAt: '2024-06-13T19:45:02.000Z',
      underlyingPrice: 100.5,
      style: 'american',
    });
    expect(figuresOf(chain, 0)).toEqual({
      expiration: JUNE_21,
      strike: 100,
      right: 1,
      bid: 1.2,
      ask: 1.3,
      last: 1.25,
      volume: 9,
      openInterest: 70,
      vendorIv: 0.21,
      vendorDelta: 0.4,
      vendorGamma: 0.02,
    });
    // An unknown greek costs the greek, and nothing else of the contract.
    const { contracts } = validateChain(chain).chain!;
    expect([contracts.bid[1], contracts.vendorDelta[1], contracts.vendorGamma[1]]).toEqual([
      1.2,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('have the classes of an index under its symbol', async () => {
    const options = [option('SPX240621C05400000'), option('SPXW240621C05400000')];
    const chain = await chainOfFile(file(options, { symbol: '_SPX' }));
    expect(headOf(chain)).toMatchObject({ symbol: '^SPX', style: 'european' });
    expect(settlementsIn(chain)).toEqual(['open', 'close']);
  });

  it('are refused when a trade shows that the timestamp is of another clock', async () => {
    const local = file([option('XYZ240621C00100000')], { timestamp: '2024-06-13 15:45:02' });
    expect(await sentence(local)).toMatch(/^1 bad_time: a trade of 2024-06-13T19:29:30.000Z .*⟨as_of⟩/);
    expect((await chainOfFile(local, 'x.json', AS_OF)).takenAt).toBe(AS_OF);
    const early = await sentence(local, 'x.json', Date.parse('2024-06-13T15:45:02Z'));
    expect(early).toBe('1 bad_time: a trade of 2024-06-13T19:29:30.000Z is newer than ⟨as_of⟩');
  });

  it('refuse contracts of another underlying with what to do', async () => {
    const deliveries = await read(file([option('XYZ240621C00100000'), option('ABC240621C00100000')]));
    expect(chainsIn(deliveries).length).toBe(1);
    expect(refusalsIn(deliveries)).toMatchObject([
      { reason: 'bad_symbol', example: 'contracts of ABC in a chain of XYZ: make a file of each', count: 1 },
    ]);
  });
});

describe('chains of Schwab and TD Ameritrade', () => {
  const contract = (figures: object) => ({
    bid: 2.1,
    ask: 2.2,
    last: 2.15,
    totalVolume: 40,
    openInterest: 500,
    volatility: 28.5,
    delta: 0.52,
    gamma: 0.03,
    multiplier: 100.0,
    quoteTimeInLong: Date.parse('2024-06-13T19:45:00Z'),
    tradeTimeInLong: Date.parse('2024-06-13T15:00:00Z'),
    ...figures,
  });

  it('are of their newest quote, with volatility in percent', async () => {
    const call = contract({ symbol: 'XYZ   240621C00180000', strikePrice: 180 });
    const put = contract({
      symbol: 'XYZ   240621P00180000',
      strikePrice: 180,
      volatility: 'NaN',
      delta: 'NaN',
      gamma: -999,
      quoteTimeInLong: Date.parse('2024-06-13T19:45:01Z'),
    });
    const chain = await chainOfFile({
      symbol: 'XYZ',
      status: 'SUCCESS',
      underlying: null,
      underlyingPrice: 181.5,
      callExpDateMap: { '2024-06-21:8': { '180.0': [call] } },
      putExpDateMap: { '2024-06-21:8': { '180.0': [put] } },
    });
    expect(headOf(chain)).toEqual({
      symbol: 'XYZ',
      takenAt: '2024-06-13T19:45:01.000Z',
      underlyingPrice: 181.5,
      style: 'american',
    });
    expect(figuresOf(chain, 0)).toEqual({
      expiration: JUNE_21,
      strike: 180,
      right: 1,
      bid: 2.1,
      ask: 2.2,
      last: 2.15,
      volume: 40,
      openInterest: 500,
      vendorIv: 0.285,
      vendorDelta: 0.52,
      vendorGamma: 0.03,
    });
    expect(figuresOf(chain, 1)).toMatchObject({ right: -1, bid: 2.1, openInterest: 500 });
    expect(figuresOf(validateChain(chain).chain!, 1)).not.toHaveProperty('vendorGamma');
  });

  it('name the class of an index in either symbol, and leave out what is adjusted', async () => {
    const strikes = {
      '5400.0': [
        contract({ symbol: 'SPXW_062124C5400', strikePrice: 5400 }),
        contract({ symbol: 'SPX_062124C5400', strikePrice: 5400 }),
        contract({ symbol: 'SPX_062124C5400', strikePrice: 5400, nonStandard: true }),
      ],
    };
    const deliveries = await read({
      symbol: '$SPX.X',
      underlyingPrice: 5430,
      callExpDateMap: { '2024-06-21:8': strikes },
      putExpDateMap: {},
    });
    const [chain] = chainsIn(deliveries);
    expect(chain!.symbol).toBe('^SPX');
    expect(settlementsIn(chain!)).toEqual(['close', 'open']);
    expect(refusedByReason(deliveries)).toEqual({ adjusted_contract: 1 });
  });

  it('are refused without a contract or an instant, with what to do', async () => {
    const empty = { symbol: 'XYZ', status: 'FAILED', callExpDateMap: {}, putExpDateMap: {} };
    expect(await sentence(empty)).toBe('1 missing_value: the chain has no contract: ask its source again');
    const untimed = contract({ strikePrice: 180, quoteTimeInLong: 0, tradeTimeInLong: 0 });
    const file = { ...empty, callExpDateMap: { '2024-06-21:8': { '180.0': [untimed] } } };
    expect(await sentence(file)).toMatch(/^1 bad_time: .*⟨as_of⟩/);
    expect((await chainOfFile(file, 'x.json', AS_OF)).takenAt).toBe(AS_OF);
  });
});

describe('chains of Tradier', () => {
  const option = {
    symbol: 'XYZ240621C00250000',
    underlying: 'XYZ',
    root_symbol: 'XYZ',
    last: 0.05,
    bid: 0.04,
    ask: 0.06,
    volume: 10,
    open_interest: 90,
    contract_size: 100,
    bid_date: Date.parse('2024-06-13T19:45:00Z'),
    ask_date: Date.parse('2024-06-13T19:45:03Z'),
    trade_date: 0,
    greeks: { delta: 0.11, gamma: 0.01, mid_iv: 0.33, updated_at: '2024-06-13 19:00:10' },
  };

  it('are of the newest time in them, that of the greeks included', async () => {
    const chain = await chainOfFile({ options: { option: [option] } });
    expect(headOf(chain)).toMatchObject({ symbol: 'XYZ', takenAt: '2024-06-13T19:45:03.000Z' });
    expect(figuresOf(chain, 0)).toEqual({
      expiration: JUNE_21,
      strike: 250,
      right: 1,
      bid: 0.04,
      ask: 0.06,
      last: 0.05,
      volume: 10,
      openInterest: 90,
      vendorIv: 0.33,
      vendorDelta: 0.11,
      vendorGamma: 0.01,
    });
    const later = { ...option, greeks: { ...option.greeks, updated_at: '2024-06-13 20:00:10' } };
    expect((await chainOfFile({ options: { option: later } })).takenAt).toBe(
      Date.UTC(2024, 5, 13, 20, 0, 10),
    );
  });

  it('may have no greeks', async () => {
    const chain = await chainOfFile({ options: { option: [{ ...option, greeks: null }] } });
    expect(figuresOf(chain, 0)).not.toHaveProperty('vendorDelta');
  });
});

describe("snapshots of Massive's option chains", () => {
  const result = (figures: object = {}) => ({
    details: {
      contract_type: 'call',
      exercise_style: 'american',
      expiration_date: '2024-06-21',
      shares_per_contract: 100,
      strike_price: 150,
      ticker: 'O:XYZ240621C00150000',
    },
    day: { close: 21.25, volume: 37, last_updated: 1718251200000000000 },
    greeks: { delta: 0.55, gamma: 0.008 },
    implied_volatility: 0.307,
    last_quote: { ask: 21.25, bid: 20.9, last_updated: 1718307900000000000 },
    last_trade: { price: 21.1, sip_timestamp: 1718307000000000000 },
    open_interest: 8133,
    underlying_asset: { last_updated: 1718307899000000000, price: 147, ticker: 'XYZ', timeframe: 'DELAYED' },
    ...figures,
  });

  it('are of the newest quote, trade or price in them', async () => {
    const chain = await chainOfFile({ status: 'OK', results: [result()] });
    expect(headOf(chain)).toEqual({
      symbol: 'XYZ',
      takenAt: '2024-06-13T19:45:00.000Z',
      underlyingPrice: 147,
      style: 'american',
    });
    expect(figuresOf(chain, 0)).toEqual({
      expiration: JUNE_21,
      strike: 150,
      right: 1,
      bid: 20.9,
      ask: 21.25,
      last: 21.1,
      volume: 37,
      openInterest: 8133,
      vendorIv: 0.307,
      vendorDelta: 0.55,
      vendorGamma: 0.008,
    });
  });

  it("do not pass the volume of an older day's bar for today's", async () => {
    const day = { close: 21.25, volume: 37, last_updated: 1718164800000000000 };
    const chain = await chainOfFile({ results: [result({ day })] });
    expect(figuresOf(chain, 0)).not.toHaveProperty('volume');
  });

  it('of plans without quotes need the instant', async () => {
    const file = { results: [result({ last_quote: {}, last_trade: undefined, underlying_asset: {} })] };
    expect(await sentence(file)).toMatch(/^1 bad_time: .*⟨as_of⟩/);
    expect(figuresOf(await chainOfFile(file, 'x.json', AS_OF), 0)).toMatchObject({ last: 21.25, volume: 37 });
  });
});

describe("Alpaca's snapshots", () => {
  it('are of the newest quote or trade in them', async () => {
    const chain = await chainOfFile({
      snapshots: {
        SPXW240621C05400000: {
          latestQuote: { t: '2024-06-13T19:45:00.123456789Z', bp: 60.1, ap: 60.9, bs: 3, as: 4 },
          latestTrade: { t: '2024-06-13T19:00:00Z', p: 60.5, s: 1 },
          dailyBar: { t: '2024-06-13T04:00:00Z', v: 12 },
          greeks: { delta: 0.5, gamma: 0.002 },
          impliedVolatility: 0.11,
        },
        SPXW240621P05400000: {
          latestQuote: { t: '2024-06-13T19:44:00Z', bp: 30, ap: 31 },
          dailyBar: { t: '2024-06-12T04:00:00Z', v: 12 },
        },
      },
      next_page_token: null,
    });
    expect(headOf(chain)).toEqual({
      symbol: '^SPX',
      takenAt: '2024-06-13T19:45:00.124Z',
      underlyingPrice: Number.NaN,
      style: 'european',
    });
    expect(figuresOf(chain, 0)).toEqual({
      expiration: JUNE_21,
      strike: 5400,
      right: 1,
      bid: 60.1,
      ask: 60.9,
      last: 60.5,
      volume: 12,
      vendorIv: 0.11,
      vendorDelta: 0.5,
      vendorGamma: 0.002,
    });
    expect(figuresOf(chain, 1)).toEqual({ expiration: JUNE_21, strike: 5400, right: -1, bid: 30, ask: 31 });
  });
});

describe('tables as yfinance writes calls and puts', () => {
  it('have right and expiration in the symbol', async () => {
    const chain = await chainOfFile(
      [
        ',contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest,impliedVolatility,inTheMoney,contractSize,currency',
        '0,XYZ240621P00110000,2024-06-13 19:30:00+00:00,110.0,0.55,0.5,0.6,0.0,0.0,4.0,33,0.25,False,REGULAR,USD',
        '1,XYZ240621P00115000,2024-06-12 14:00:00+00:00,115.0,1.0,0.9,1.1,0.0,0.0,,12,0.24,False,REGULAR,USD',
        '',
      ].join('\n'),
      'puts.csv',
    );
    expect(headOf(chain)).toMatchObject({ symbol: 'XYZ', takenAt: '2024-06-13T19:45:00.000Z' });
    expect(contractsIn(chain)).toEqual([
      ['2024-06-21', 110, -1],
      ['2024-06-21', 115, -1],
    ]);
    expect(figuresOf(chain, 0)).toMatchObject({
      bid: 0.5,
      ask: 0.6,
      last: 0.55,
      volume: 4,
      openInterest: 33,
    });
  });
});

describe('text files of OptionsDX', () => {
  const header =
    '[QUOTE_UNIXTIME], [QUOTE_READTIME], [QUOTE_DATE], [QUOTE_TIME_HOURS], [UNDERLYING_LAST], [EXPIRE_DATE], [EXPIRE_UNIX], [DTE], [C_DELTA], [C_GAMMA], [C_VEGA], [C_THETA], [C_RHO], [C_IV], [C_VOLUME], [C_LAST], [C_SIZE], [C_BID], [C_ASK], [STRIKE], [P_BID], [P_ASK], [P_SIZE], [P_LAST], [P_DELTA], [P_GAMMA], [P_VEGA], [P_THETA], [P_RHO], [P_IV], [P_VOLUME], [STRIKE_DISTANCE], [STRIKE_DISTANCE_PCT]';
  const row = (unix: number, strike: number) =>
    `${unix}, 2024-06-13 16:00, 2024-06-13, 16.000000, 450.440000, 2024-06-21, 1719000000, 8.000000, 0.600000, 0.012000, 0.1, -0.2, 0.05, 0.150000, 7.000000, 12.500000, 30 x 30, 12.400000, 12.600000, ${strike}.000000, 2.100000, 2.200000, 5 x 6, 2.150000, -0.400000, 0.012000, 0.1, -0.2, -0.05, , 9.000000, 0.4, 0.001`;
  const text = [header, row(1718308800, 440), row(1718308800, 445), row(1718395200, 440)].join('\n');

  it('have a call and a put in each row, and the symbol in their name', async () => {
    const deliveries = await read(text, 'spy_eod_202406.txt');
    expect(refusalsIn(deliveries)).toEqual([]);
    const [chain, next] = chainsIn(deliveries);
    expect(headOf(chain!)).toEqual({
      symbol: 'SPY',
      takenAt: '2024-06-13T20:00:00.000Z',
      underlyingPrice: 450.44,
      style: 'american',
    });
    expect(contractsIn(chain!)).toEqual([
      ['2024-06-21', 440, 1],
      ['2024-06-21', 440, -1],
      ['2024-06-21', 445, 1],
      ['2024-06-21', 445, -1],
    ]);
    expect(figuresOf(chain!, 0)).toMatchObject({
      bid: 12.4,
      ask: 12.6,
      last: 12.5,
      volume: 7,
      vendorIv: 0.15,
    });
    const put = { bid: 2.1, ask: 2.2, last: 2.15, volume: 9, vendorDelta: -0.4, vendorGamma: 0.012 };
    expect(figuresOf(chain!, 1)).toEqual({ expiration: JUNE_21, strike: 440, right: -1, ...put });
    expect(next!.takenAt).toBe(Date.UTC(2024, 5, 14, 20));
  });

  it('are refused under another name', async () => {
    expect(await sentence(text, 'data.txt')).toMatch(/^1 bad_symbol: .* name it such as spy_eod_202301.txt$/);
  });
});

describe('strikes of ORATS', () => {
  const ROW = {
    ticker: 'XYZ',
    tradeDate: '2024-06-13',
    expirDate: '2024-06-21',
    strike: 160,
    stockPrice: 149.67,
    callVolume: 150,
    callOpenInterest: 28206,
    putVolume: 7,
    putOpenInterest: 18438,
    callBidPrice: 5.8,
    callAskPrice: 5.9,
    putBidPrice: 15.55,
    putAskPrice: 15.7,
    callMidIv: 0.308,
    putMidIv: 0.306,
    delta: 0.38,
    gamma: 0.015,
    quoteDate: '2024-06-13T19:44:50Z',
    updatedAt: '2024-06-13T19:45:01Z',
  };
  const table = (...rows: object[]): string =>
    [Object.keys(rows[0]!).join(','), ...rows.map((row) => Object.values(row).join(','))].join('\n');

  it.each([
    ['a table', table(ROW), 'orats.csv'],
    ['JSON', { data: [ROW] }, 'strikes.json'],
  ])('have a call and a put in each row of %s', async (_, content, name) => {
    const chain = await chainOfFile(content, name);
    expect(headOf(chain)).toEqual({
      symbol: 'XYZ',
      takenAt: '2024-06-13T19:45:01.000Z',
      underlyingPrice: 149.67,
      style: 'american',
    });
    const call = { bid: 5.8, ask: 5.9, volume: 150, openInterest: 28206, vendorIv: 0.308, vendorDelta: 0.38 };
    const put = { bid: 15.55, ask: 15.7, volume: 7, openInterest: 18438, vendorIv: 0.306 };
    const contract = { expiration: JUNE_21, strike: 160, vendorGamma: 0.015 };
    expect(figuresOf(chain, 0)).toEqual({ ...contract, right: 1, ...call });
    expect(figuresOf(chain, 1)).toEqual({ ...contract, right: -1, ...put });
  });

  it('are a chain for each snapshot of a day', async () => {
    const at = (time: string, clock: string) => ({
      ...ROW,
      quoteDate: '2024-06-13T13:30:50Z',
      updatedAt: '2024-06-13T13:30:51Z',
      snapShotEstTime: clock,
      snapShotDate: `2024-06-13T${time}Z`,
    });
    const deliveries = await read(table(at('13:31:02', '931'), at('13:32:02', '932')), 'minutes.csv');
    expect(chainsIn(deliveries).map(({ takenAt }) => new Date(takenAt).toISOString())).toEqual([
      '2024-06-13T13:31:02.000Z',
      '2024-06-13T13:32:02.000Z',
    ]);
  });

  it('without a time need one of their trade date', async () => {
    const { quoteDate, updatedAt, ...untimed } = ROW;
    expect(await sentence({ data: [untimed] })).toMatch(/^2 bad_time: .*⟨as_of⟩/);
    expect((await chainOfFile({ data: [untimed] }, 'x.json', AS_OF)).takenAt).toBe(AS_OF);
    const other = { ...untimed, tradeDate: '2024-06-12' };
    expect(await sentence({ data: [other] }, 'x.json', AS_OF)).toBe(
      '2 bad_time: the chain is of 2024-06-12, ⟨as_of⟩ is of 2024-06-13',
    );
  });
});

const downloads = join(realDataDirectory ?? '', '../cases/option-chain-downloads');

describe.skipIf(!existsSync(downloads))('the downloads of option chains', () => {
  const download = (name: string) => chainOfFile(readFileSync(join(downloads, name), 'utf8'), name);
  /** Contracts, contracts with a bid or an ask, and their open interest, each counted in the file by hand. */
  it.each([
    ['qoba_quotedata.csv', '2022-07-09T21:28:59.999Z', 388.67, 26, 26, 34_840],
    ['QOCA.json', '2022-07-08T20:14:57.000Z', 388.67, 26, 26, 26_000],
    ['QOFA.json', '2024-06-13T19:45:00.000Z', 100, 62, 62, 31_000],
  ])('%s', async (name, takenAt, underlyingPrice, count, quoted, interest) => {
    const raw = await download(name);
    expect(headOf(raw)).toMatchObject({ takenAt, underlyingPrice });
    const { chain, refused } = validateChain(raw);
    expect(refused).toEqual([]);
    const { bid, ask, openInterest } = chain!.contracts;
    expect(bid.length).toBe(count);
    expect(bid.filter((price, row) => price > 0 || ask[row]! > 0).length).toBe(quoted);
    expect(openInterest.reduce((sum, value) => sum + value)).toBe(interest);
  });
});

describe('files that are no chain', () => {
  it.each([
    ['', /the file is empty: download it again$/],
    ['\n\n', /the file is empty/],
    ['<!DOCTYPE html><title>403 Forbidden</title>', /a web page, most often the error of a site/],
    ['{"timestamp": "2024-06-13 19:45:02", "data": {"options": [{"opt', /cut short after 63 characters/],
    [{ fault: { faultstring: 'Invalid key' } }, /no known source writes a chain so \(fault\)/],
    [[], /\(a list\)/],
    [{ data: { options: 'none' } }, /no known source/],
    [{ options: { option: null } }, /no known source/],
    [{ results: [] }, /no known source/],
    [{ snapshots: { XYZ: { latestQuote: {} } } }, /no known source/],
  ])('are refused with what to do: %j', async (content, expected) => {
    const said = await sentence(content as object);
    expect(said).toMatch(/^1 unknown_format: /);
    expect(said).toMatch(expected);
  });

  it.each([
    { symbol: 'XYZ', updated: AS_OF, quotes: [null, 7, 'x', [], { strike: {}, expiration: [], side: 1 }] },
    { timestamp: {}, data: { options: [{ option: 5 }, null] }, symbol: 8 },
    { symbol: [], callExpDateMap: { x: { y: [null, 3, {}] }, z: 5 }, putExpDateMap: 7 },
    { options: { option: [[], 'x', { symbol: {}, greeks: 7 }] } },
    { results: [{ details: {} }, { details: 5 }, null] },
    { snapshots: { XYZ240621C00100000: null, ABC240621C00100000: { latestQuote: 5 } } },
    {
      data: [
        { ticker: 1, tradeDate: 2, expirDate: 3, strike: {}, callBidPrice: [], putBidPrice: true },
        null,
      ],
    },
  ])('never throw for members of other types: %j', async (content) => {
    const deliveries = await read(content);
    for (const chain of chainsIn(deliveries)) expect(validateChain(chain).chain).toBeNull();
    expect(refusalsIn(deliveries).length + chainsIn(deliveries).length).toBeGreaterThan(0);
  });

  it('may write NaN as Python does', async () => {
    const text = `{"symbol": "XYZ", "updated": "2024-06-13T15:45:00-04:00", "quotes": [{"expiration": "2024-06-21", "strike": 85, "side": "put", "bid": 0.1, "iv": NaN}]}`;
    expect(figuresOf(await chainOfFile(text), 0)).toEqual({
      expiration: JUNE_21,
      strike: 85,
      right: -1,
      bid: 0.1,
    });
  });
});
