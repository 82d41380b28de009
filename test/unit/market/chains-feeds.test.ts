import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { downloadedAt } from '../../../src/files/chains/cboe-table.ts';
import { contractSymbol } from '../../../src/files/chains/contracts.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { words } from '../../support/tables.ts';
import { contractsIn, figuresOf, layoutsFeed, settlementsIn } from './chain-of.ts';
import { deliveriesOf, refusalsIn, refusedByReason, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
let folders = 0;

/** Reads one made-up file. */
async function read(content: string | Buffer, name = 'chain.csv', asOf?: number): Promise<Delivery[]> {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  writeFileSync(join(folder, name), content);
  return deliveriesOf(layoutsFeed(folder, calendar, asOf));
}

const chainsIn = (deliveries: readonly Delivery[]): OptionChain[] =>
  deliveries.filter((delivery) => delivery.kind === 'chain').map(({ chain }) => chain);

describe('option symbols', () => {
  it('are read in the form of the clearing house, padded or not', () => {
    const aapl = { root: 'AAPL', expiration: Date.UTC(2026, 7, 21), right: 1, strike: 110 };
    expect(contractSymbol('AAPL260821C00110000')).toEqual(aapl);
    expect(contractSymbol('AAPL  260821C00110000')).toEqual(aapl);
    expect(contractSymbol('SPX251219P12000000')).toMatchObject({ right: -1, strike: 12_000 });
    expect(contractSymbol('XLF260717C00056500')).toMatchObject({ strike: 56.5 });
    expect(contractSymbol('AAPL1260821C00110000')).toMatchObject({ root: 'AAPL1' });
  });

  it('are none of what has no such date or form', () => {
    const others = ['AAPL260231C00110000', 'AAPL260821X00110000', 'AAPL260821C110', '', 'AAPL'];
    expect(others.map(contractSymbol)).toEqual(others.map(() => null));
  });
});

describe('chains as JSON', () => {
  const quote = {
    symbol: 'XYZ260821C00110000',
    expiration: '2026-08-21',
    side: 'call',
    strike: 110,
    bid: 4.75,
  };
  const file = (quotes: unknown, head: object = {}) =>
    JSON.stringify({
      symbol: 'XYZ',
      updated: '2026-08-19T22:46:58.300913-04:00',
      underlyingPrice: 112.5,
      greeks: { enabled: true },
      expirations: ['2026-08-21'],
      quotes,
      ...head,
    });

  it('are read with what each contract says', async () => {
    const deliveries = await read(
      file([
        {
          ...quote,
          ask: 5,
          last: 4.9,
          volume: null,
          openInterest: 7,
          iv: 0.31,
          delta: 0.6,
          gamma: 0.02,
          theta: -1,
        },
        { ...quote, symbol: 'XYZ260821P00110000', side: 'put', bid: null, ask: null, volume: 3 },
      ]),
      'XYZ.json',
    );
    const [chain] = chainsIn(deliveries);
    // The first whole millisecond that is not before the instant.
    expect(chain).toMatchObject({
      symbol: 'XYZ',
      takenAt: Date.parse('2026-08-20T02:46:58.301Z'),
      underlyingPrice: 112.5,
      style: 'american',
      multiplier: 100,
      simulated: false,
    });
    const expiration = Date.UTC(2026, 7, 21);
    expect(figuresOf(chain!, 0)).toEqual({
      expiration,
      strike: 110,
      right: 1,
      bid: 4.75,
      ask: 5,
      last: 4.9,
      openInterest: 7,
      vendorIv: 0.31,
      vendorDelta: 0.6,
      vendorGamma: 0.02,
    });
    expect(figuresOf(chain!, 1)).toEqual({ expiration, strike: 110, right: -1, volume: 3 });
    expect(refusalsIn(deliveries)).toEqual([]);
  });

  it('may use the names of the table, and say the style', async () => {
    const contracts = [{ expiration: '2026-09-18', strike: 5000, right: 'P', bid: 1, open_interest: 2 }];
    const text = JSON.stringify({
      symbol: 'SPX',
      taken_at: '2026-08-19T20:00:00Z',
      underlying_price: 5100,
      contracts,
    });
    const [chain] = chainsIn(await read(text, 'spx.json'));
    expect(chain).toMatchObject({ symbol: '^SPX', style: 'european', underlyingPrice: 5100 });
    const [other] = chainsIn(await read(text.replace('"symbol":"SPX"', '"symbol":"SPY"'), 'spy.json'));
    expect(other!.style).toBe('american');
    const [stated] = chainsIn(
      await read(text.replace('"symbol":"SPX"', '"symbol":"SPY","style":"european"'), 'e.json'),
    );
    expect(stated!.style).toBe('european');
  });

  it('refuse contracts that are adjusted, of another underlying, or hold text for numbers', async () => {
    const deliveries = await read(
      file([
        quote,
        { ...quote, symbol: 'XYZ1260821C00110000' },
        { ...quote, symbol: 'ABC260821C00110000' },
        { ...quote, symbol: 'nonsense' },
        { ...quote, bid: 'four' },
        { ...quote, strike: 115, multiplier: 10 },
        'no object',
      ]),
      'XYZ.json',
    );
    expect(contractsIn(chainsIn(deliveries)[0]!)).toEqual([['2026-08-21', 110, 1]]);
    expect(refusedByReason(deliveries)).toEqual({
      adjusted_contract: 2,
      bad_symbol: 2,
      not_a_number: 1,
      wrong_columns: 1,
    });
    expect(refusalsIn(deliveries).map(({ where }) => where)).toContain('XYZ.json:2');
  });

  it('are refused whole without an instant, a symbol, a style or contracts', async () => {
    const reasonOf = async (text: string) => refusedByReason(await read(text, 'x.json'));
    expect(await reasonOf(file([quote], { updated: '2026-08-19T22:46:58' }))).toEqual({ bad_time: 1 });
    expect(await reasonOf(file([quote], { updated: null }))).toEqual({ bad_time: 1 });
    expect(await reasonOf(file([quote], { symbol: '???' }))).toEqual({ bad_symbol: 1 });
    expect(await reasonOf(file([quote], { style: 'bermudan' }))).toEqual({ bad_word: 1 });
    expect(await reasonOf(file(null))).toEqual({ unknown_format: 1 });
    expect(await reasonOf('{"symbol": "XYZ", ')).toEqual({ unknown_format: 1 });
  });
});

describe('Cboe quote tables', () => {
  const header =
    'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest';
  const head = (
    date = '"Date: September 14, 2023 at 4:31 PM EDT",Bid: 450.81,Ask: 450.83,Size: 9*11,"Volume: 71,039,449"',
  ) => `\r\nSPDR S&P 500 ETF Trust,Last: 450.81,Change:  3.85\r\n${date}\r\n${header}\r\n`;

  it('are read into a chain of calls and puts', async () => {
    const deliveries = await read(
      `${head()}Fri Sep 15 2023,SPY230915C00450000,1.9,-0.2,1.88,1.9,77012,0.1103,0.61,0.1127,8012,450.00,SPY230915P00450000,0,0,1,1.01,5,0.12,-0.39,0.11,91\r\n`,
    );
    const [chain] = chainsIn(deliveries);
    expect(chain).toMatchObject({
      symbol: 'SPY',
      takenAt: Date.parse('2023-09-14T20:31:59.999Z'),
      underlyingPrice: 450.81,
      style: 'american',
    });
    expect(figuresOf(chain!, 0)).toEqual({
      expiration: Date.UTC(2023, 8, 15),
      strike: 450,
      right: 1,
      bid: 1.88,
      ask: 1.9,
      last: 1.9,
      volume: 77012,
      openInterest: 8012,
      vendorIv: 0.1103,
      vendorDelta: 0.61,
      vendorGamma: 0.1127,
    });
    expect(figuresOf(chain!, 1)).toMatchObject({ right: -1, bid: 1, ask: 1.01, last: 0, openInterest: 91 });
    expect(refusalsIn(deliveries)).toEqual([]);
  });

  it('keep the two classes of an index apart, each with its settlement', async () => {
    const row = (root: string, strike: string, bid: number, volume: number, interest: number) =>
      `Fri Sep 15 2023,${root}230915C0${strike}000,5,0,${bid},9,${volume},0.1,0.5,0.01,${interest},${strike}.00,${root}230915P0${strike}000,5,0,${bid},9,${volume},0.1,-0.5,0.01,${interest}\n`;
    const deliveries = await read(
      `${head()}${row('SPXW', '4500', 3, 30, 300)}${row('SPX', '4500', 1, 10, 100)}${row('SPX', '4600', 2, 20, 200)}`,
    );
    const [chain, ...others] = chainsIn(deliveries);
    expect(others).toEqual([]);
    expect(chain).toMatchObject({ symbol: '^SPX', style: 'european' });
    expect(settlementsIn(chain!)).toEqual(['close', 'close', 'open', 'open', 'open', 'open']);
    expect(figuresOf(chain!, 0)).toMatchObject({ strike: 4500, bid: 3, volume: 30, openInterest: 300 });
    expect(figuresOf(chain!, 2)).toMatchObject({ strike: 4500, bid: 1, volume: 10, openInterest: 100 });
    expect(figuresOf(chain!, 4)).toMatchObject({ strike: 4600, bid: 2, volume: 20, openInterest: 200 });
  });

  it('date themselves in several shapes', () => {
    const instant = (line: string) => downloadedAt(`SPDR,Last: 1\n${line}\n`);
    const end = (text: string) => Date.parse(text) + 59_999;
    expect(instant('"Date: September 14, 2023 at 4:31 PM EDT",Bid: 1')).toBe(end('2023-09-14T20:31:00Z'));
    expect(instant('Date: 22 March 2024, 9:46 PM EDT,Bid: 445.65')).toBe(end('2024-03-23T01:46:00Z'));
    expect(instant('"Date: January 6, 2025 at 9:26 PM EST",Bid: 1')).toBe(end('2025-01-07T02:26:00Z'));
    expect(instant('Date: Jan 6 2025 12:05 AM ET')).toBe(end('2025-01-06T05:05:00Z'));
    expect(instant('Date: July 6, 2025 at 12:05 PM')).toBe(end('2025-07-06T16:05:00Z'));
    expect(instant('"Date: July 9, 2022 at 5:28 p.m. EDT",Bid: 1')).toBe(end('2022-07-09T21:28:00Z'));
    expect(instant('Jul 16 2018 @ 10:15 ET,Bid,--,Ask,--')).toBe(end('2018-07-16T14:15:00Z'));
    expect(instant('Date: February 30, 2025 at 9:26 PM EST')).toBeNaN();
    expect(instant('Date: January 6, 2025')).toBeNaN();
    expect(instant('Date: January 6, 2025 at 19:26 PM EST')).toBeNaN();
  });

  it('have the price behind the name in earlier years', async () => {
    const text = `SPY (SPDR S&P 500 ETF Trust),450.81,+3.85\n"Sep 14 2023 @ 16:31 ET",Bid,--\n${header}\n`;
    const row =
      'Fri Sep 15 2023,SPY230915C00450000,1,0,1,2,3,NaN,--,0.1,8,450.00,SPY230915P00450000,1,0,1,2,3,0.1,-0.4,0.1,9\n';
    const deliveries = await read(`${text}${row}`);
    expect(refusalsIn(deliveries)).toEqual([]);
    expect(chainsIn(deliveries)).toMatchObject([{ symbol: 'SPY', underlyingPrice: 450.81 }]);
    // A greek that is none costs the greek.
    expect(figuresOf(chainsIn(deliveries)[0]!, 0)).toMatchObject({ bid: 1, ask: 2, vendorGamma: 0.1 });
  });

  it('are refused whole with contracts of two underlyings under one price', async () => {
    const row = (root: string) =>
      `Fri Sep 15 2023,${root}230915C00450000,1,0,1,2,3,0.1,0.6,0.1,8,450.00,${root}230915P00450000,1,0,1,2,3,0.1,-0.4,0.1,9\n`;
    const deliveries = await read(`${head()}${row('SPY')}${row('QQQ')}`);
    expect(deliveries).toMatchObject([
      { reason: 'bad_symbol', example: 'contracts of SPY and QQQ under one price: make a file of each' },
    ]);
  });

  it('are refused whole without a date, row by row for what a row has', async () => {
    const row =
      'Fri Sep 15 2023,SPY230915C00450000,1,0,1,2,3,0.1,0.6,0.1,8,450.00,SPY230915P00450000,1,0,1,2,3,0.1,-0.4,0.1,9\n';
    const undated = await read(`${head('Date: yesterday')}${row}`);
    expect(chainsIn(undated)).toEqual([]);
    expect(refusedByReason(undated)).toEqual({ bad_time: 1 });
    const bad = await read(
      `${head()}${row}${row.replaceAll('SPY2', 'SPY12')}${row.replace('SPY230915C', 'SPY230932C')}${row.replace(',0.1,0.6', ',high,0.6')}one,two\n`,
    );
    expect(refusedByReason(bad)).toEqual({
      adjusted_contract: 2,
      bad_symbol: 1,
      not_a_number: 1,
      wrong_columns: 2,
    });
  });
});

describe('Cboe tables without a year', () => {
  const row =
    'Fri Sep 15 2023,SPY230915C00450000,1,0,1,2,3,0.1,0.6,0.1,8,450.00,SPY230915P00450000,1,0,1,2,3,0.1,-0.4,0.1,9\n';
  const header =
    'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest\n';
  const table = (line: string) => `\nSPDR,Last: 450.1\n${line}\n${header}${row}`;
  const asOf = Date.parse('2023-09-14T16:31:00-04:00');
  const instants = async (line: string, stated?: number) =>
    chainsIn(await read(table(line), 'quotes.csv', stated)).map(({ takenAt }) => takenAt);

  it('are of the instant that the caller states', async () => {
    for (const line of ['Date: September 14 at 4:31 PM EDT', '"Date: 14 Sep, 4:31 PM",Bid: 1', 'Bid: 1']) {
      expect(await instants(line, asOf)).toEqual([asOf]);
    }
  });

  it('are refused without it, and the refusal names the option', async () => {
    const [refusal] = refusalsIn(await read(table('Date: September 14 at 4:31 PM EDT')));
    expect(refusal).toMatchObject({ reason: 'bad_time' });
    expect(refusal!.example).toContain('⟨as_of⟩');
  });

  it('are refused when it is of another day', async () => {
    const [refusal] = refusalsIn(await read(table('Date: September 13 at 4:31 PM EDT'), 'quotes.csv', asOf));
    expect(refusal).toMatchObject({ reason: 'bad_time' });
    expect(refusal!.example).toContain('September 13');
    expect(await instants('Date: September 14, 2024', asOf)).toEqual([]);
  });

  it('keep their own instant where they state one', async () => {
    expect(await instants('Date: September 13, 2023 at 4:31 PM EDT', asOf)).toEqual([
      Date.parse('2023-09-13T20:31:59.999Z'),
    ]);
  });
});

describe('yfinance tables', () => {
  const header =
    'contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest,impliedVolatility,inTheMoney,contractSize,currency,optionType,expirationDate,days_to_expire,time_to_expire_years,underlyingPrice,moneyness';
  const row = (
    right: 'call' | 'put',
    trade: string,
    rest: { size?: string; volume?: string; root?: string } = {},
  ) =>
    `${rest.root ?? 'XYZ'}260211${right === 'call' ? 'C' : 'P'}00185000,${trade},185.0,72.25,92.9,95.8,0.0,0.0,${rest.volume ?? ''},12,1.0000000000000003e-05,True,${rest.size ?? 'REGULAR'},USD,${right},2026-02-11,-1,-0.0027,279.51,1.51\n`;

  it('are taken a quarter of an hour after their newest trade', async () => {
    const deliveries = await read(
      `${header}\n${row('call', '2026-01-30 15:12:47+00:00')}${row('put', '2026-02-11 17:27:02+00:00', { volume: '4.0' })}`,
    );
    const [chain] = chainsIn(deliveries);
    expect(chain).toMatchObject({
      symbol: 'XYZ',
      takenAt: Date.parse('2026-02-11T17:42:02Z'),
      underlyingPrice: 279.51,
    });
    const { expiration, ...call } = figuresOf(chain!, 0);
    expect(expiration).toBe(Date.UTC(2026, 1, 11));
    expect(call).toEqual({
      strike: 185,
      right: 1,
      bid: 92.9,
      ask: 95.8,
      last: 72.25,
      openInterest: 12,
      vendorIv: 1.0000000000000003e-5,
    });
    expect(figuresOf(chain!, 1)).toMatchObject({ right: -1, volume: 4 });
  });

  it('refuse contracts of another size or root, and trades without an instant', async () => {
    const trade = '2026-02-11 17:27:02+00:00';
    const deliveries = await read(
      `${header}\n${row('call', trade)}${row('put', trade, { size: 'MINI' })}${row('put', trade, { root: 'XYZ1' })}${row('put', '2026-02-11 17:27:02')}`,
    );
    expect(contractsIn(chainsIn(deliveries)[0]!).length).toBe(1);
    expect(refusedByReason(deliveries)).toEqual({ adjusted_contract: 2, bad_time: 1 });
  });
});

describe('tables of one row a contract', () => {
  const header =
    'symbol,taken_at,underlying_price,expiration,strike,right,bid,ask,last,volume,open_interest,iv,delta,gamma';
  const row = (takenAt: string, strike: number, right = 'C') =>
    `xyz,${takenAt},100.5,2026-09-18,${strike},${right},1.5,1.6,,0,12,0.3,,\n`;

  it('hold any number of chains, one after the other', async () => {
    const deliveries = await read(
      `${header}\n${row('2026-08-19T13:35:00-04:00', 100)}${row('2026-08-19T17:35:00Z', 105, 'put')}${row('2026-08-19T19:00:00Z', 100)}`,
    );
    const chains = chainsIn(deliveries);
    expect(chains.map(({ takenAt }) => new Date(takenAt).toISOString())).toEqual([
      '2026-08-19T17:35:00.000Z',
      '2026-08-19T19:00:00.000Z',
    ]);
    expect(contractsIn(chains[0]!)).toEqual([
      ['2026-09-18', 100, 1],
      ['2026-09-18', 105, -1],
    ]);
    expect(figuresOf(chains[0]!, 0)).toEqual({
      expiration: Date.UTC(2026, 8, 18),
      strike: 100,
      right: 1,
      bid: 1.5,
      ask: 1.6,
      volume: 0,
      openInterest: 12,
      vendorIv: 0.3,
    });
  });

  it('are read with any usual delimiter, and columns in any order', async () => {
    const text =
      'right;strike;expiration;taken_at;symbol;ask\nP;50;2026-09-18;2026-08-19T19:00:00Z;ABC;2,5\nP;55;2026-09-18;2026-08-19T19:00:00Z;ABC;3.5\n';
    const deliveries = await read(gzipSync(text), 'chains.csv.gz');
    expect(contractsIn(chainsIn(deliveries)[0]!)).toEqual([['2026-09-18', 55, -1]]);
    expect(refusedByReason(deliveries)).toEqual({ not_a_number: 1 });
  });

  it('refuse a chain that goes on after another, and rows that cannot be', async () => {
    const first = '2026-08-19T17:35:00Z';
    const second = '2026-08-19T19:00:00Z';
    const deliveries = await read(
      `${header}\n${row(first, 100)}${row(second, 100)}${row(first, 105)}${row('2026-08-19', 100)}${row(second, 105).replace('xyz', '?')}${row(second, 110).replace('1.5', 'one')}short,row\n`,
    );
    expect(chainsIn(deliveries).map((chain) => contractsIn(chain).length)).toEqual([1, 1]);
    expect(refusedByReason(deliveries)).toEqual({
      out_of_order: 1,
      bad_time: 1,
      bad_symbol: 1,
      not_a_number: 1,
      wrong_columns: 1,
    });
  });

  it('refuse the file whose header names what no contract has, or leaves out what it needs', async () => {
    const stranger = await read(`${header},rho\n`);
    expect(refusalsIn(stranger)).toMatchObject([
      { reason: 'wrong_columns', example: 'no field is called "rho"' },
    ]);
    const lacking = await read('symbol,taken_at,strike,right\n');
    expect(refusalsIn(lacking)).toMatchObject([
      { reason: 'wrong_columns', example: 'no column for expiration' },
    ]);
    const unknown = await read('a,b,c\n1,2,3\n');
    expect(refusedByReason(unknown)).toEqual({ unknown_format: 1 });
  });

  it('refuse contracts that do not deliver 100 shares', async () => {
    const text = `${header},multiplier\n${row('2026-08-19T19:00:00Z', 100).replace('\n', ',100\n')}${row('2026-08-19T19:00:00Z', 105).replace('\n', ',10\n')}`;
    const deliveries = await read(text);
    expect(contractsIn(chainsIn(deliveries)[0]!)).toEqual([['2026-09-18', 100, 1]]);
    expect(refusedByReason(deliveries)).toEqual({ adjusted_contract: 1 });
  });
});

describe('daily volatility', () => {
  it('takes each session once, the measured value over the weaker one, in either order', async () => {
    const deliveries = await read(
      words`
        date,ticker,iv,hv,source 2026-06-08,XYZ,0.27,0.21,yf 2026-06-08,XYZ,0.2687,0.2104,ibkr
        2026-06-09,XYZ,0.25,0.22,ibkr 2026-06-09,XYZ,0.26,0.22,yf 2026-06-10,XYZ,0.24,,yf
        2026-06-05,XYZ,0.3,0.2,ibkr`.join('\n'),
    );
    expect(deliveries.find(({ kind }) => kind === 'volatility')).toEqual({
      kind: 'volatility',
      symbol: 'XYZ',
      columns: {
        time: Float64Array.of(...[5, 8, 9, 10].map((day) => Date.UTC(2026, 5, day))),
        implied: Float64Array.of(0.3, 0.2687, 0.25, 0.24),
        realised: Float64Array.of(0.2, 0.2104, 0.22, Number.NaN),
      },
    });
    expect(refusedByReason(deliveries)).toEqual({ duplicate: 2 });
  });

  it('refuses days without a session, and what no volatility is', async () => {
    const deliveries = await read(
      [
        'date,symbol,iv,hv',
        '2026-06-12,XYZ,0.25,0.2',
        // A Saturday, a Sunday and Juneteenth.
        '2026-06-13,XYZ,0.25,0.2',
        '2026-06-14,XYZ,0.25,0.2',
        '2026-06-19,XYZ,0.25,0.2',
        '2026-06-15,XYZ,,0.2',
        '2026-06-16,XYZ,-0.1,0.2',
        '2026-06-17,XYZ,10.1,0.2',
        '2026-06-18,XYZ,0,0.2',
        '2026-06-22,XYZ,abc,0.2',
        '2026-06-23,XYZ,10,0.2',
        '2026-06-12,XYZ,0.26,0.2',
      ].join('\n'),
    );
    expect(deliveries).toContainEqual(
      expect.objectContaining({
        kind: 'volatility',
        columns: expect.objectContaining({ implied: Float64Array.of(0.25, 10) }),
      }),
    );
    expect(refusedByReason(deliveries)).toEqual({
      outside_session: 3,
      missing_value: 1,
      negative_amount: 1,
      out_of_range: 2,
      not_a_number: 1,
      duplicate: 1,
    });
  });
});
