import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { figuresOf, layoutsFeed } from './chain-of.ts';
import { deliveriesOf, refusalsIn, refusedByReason } from './feed-probe.ts';

/**
 * The recorded chains themselves. Contracts, expirations, sums and rows were counted with Python's json, csv and zipfile;
 * single quotes are read off the files by eye.
 */

const skip = realDataDirectory === null;
const calendar = newYorkCalendar();

const partOf = async (title: string): Promise<Delivery[]> =>
  deliveriesOf((await realDataPlan(realDataDirectory!, calendar)).find((part) => part.title === title)!.feed);

const chainsIn = (deliveries: readonly Delivery[]): OptionChain[] =>
  deliveries.filter((delivery) => delivery.kind === 'chain').map(({ chain }) => chain);

const dateIn = (instant: number): string => new Date(instant).toISOString();
const sum = (column: Float64Array): number => column.reduce((total, value) => total + (value || 0), 0);

describe.skipIf(skip)('the recorded option chains', () => {
  const delivered = skip ? Promise.resolve([]) : partOf('option chains');

  it('are valid: every contract of every file passes validation', async () => {
    const deliveries = await delivered;
    expect(refusalsIn(deliveries)).toEqual([]);
    const counted = chainsIn(deliveries).map((raw) => {
      const { chain, refused } = validateChain(raw);
      expect(refused).toEqual([]);
      return [raw.symbol, dateIn(raw.takenAt), chain!.contracts.strike.length];
    });
    expect(counted.filter(([symbol]) => symbol === 'AAPL' || symbol === 'META')).toEqual([
      ['AAPL', '2026-07-15T17:15:53.373Z', 2729],
      ['AAPL', '2026-08-20T02:46:58.301Z', 2596],
      ['META', '2026-08-20T02:47:19.169Z', 5108],
      ['AAPL', '2026-02-11T17:42:02.000Z', 2546],
    ]);
    expect(counted.length).toBe(5 + 6 + 18 + 2);
    // 38,374 rows in the 18 files of August, 14,349 in the 6 of July, 6,428 in the yfinance tables.
    const rowsOf = (month: string) =>
      counted.reduce(
        (rows, [, at, contracts]) => rows + (String(at).startsWith(month) ? Number(contracts) : 0),
        0,
      );
    expect([rowsOf('2026-08'), rowsOf('2026-07'), rowsOf('2026-02')]).toEqual([38_374, 14_349, 6_428]);
  });

  it('keep the classes of the index apart: every row twice', async () => {
    const indices = chainsIn(await delivered).filter(({ symbol }) => symbol === '^SPX');
    expect(indices.map(({ contracts }) => contracts.strike.length)).toEqual([2 * 9960, 2 * 4242]);
    expect(indices.map(({ underlyingPrice }) => underlyingPrice)).toEqual([4505.1001, 5975.3799]);
    expect(indices.map(({ takenAt }) => dateIn(takenAt))).toEqual([
      '2023-09-14T20:31:59.999Z',
      '2025-01-07T02:26:59.999Z',
    ]);
    expect(indices.map(({ contracts }) => sum(contracts.openInterest))).toEqual([20_386_854, 5_738_116]);
  });

  it('say what the files say of a contract', async () => {
    const spy = chainsIn(await delivered).find(
      ({ symbol, takenAt }) => symbol === 'SPY' && dateIn(takenAt).startsWith('2023'),
    )!;
    const row = spy.contracts.strike.findIndex(
      (strike, at) => strike === 360 && spy.contracts.expiration[at] === Date.UTC(2023, 8, 14),
    );
    expect(figuresOf(spy, row)).toMatchObject({
      right: 1,
      last: 90.42,
      bid: 90.7,
      ask: 90.86,
      volume: 1,
      openInterest: 3,
    });
    expect(figuresOf(spy, row + 1)).toMatchObject({ right: -1, bid: 0, ask: 0.01, openInterest: 26 });
  });

  it('have no volatility where the vendor writes a placeholder', async () => {
    const meta = validateChain(chainsIn(await delivered).find(({ symbol }) => symbol === 'META')!).chain!;
    const absent = meta.contracts.vendorIv.filter(Number.isNaN).length;
    // 317 rows of 0 or 1e-5.
    expect(absent).toBe(317);
  });
});

describe.skipIf(skip)('the recorded volatility', () => {
  it('is of sessions only, one row each', async () => {
    const deliveries = await partOf('daily volatility');
    const own = deliveries.filter((delivery) => delivery.kind === 'volatility');
    expect(own.length).toBe(121);
    // 30,971 rows: 151 of weekends and 22 of Juneteenth, 262 of the later top-up on days that are there, 3 without a figure.
    expect(refusedByReason(deliveries)).toEqual({ outside_session: 173, duplicate: 262, missing_value: 3 });
    expect(own.reduce((rows, { columns }) => rows + columns.time.length, 0)).toBe(30_971 - 173 - 262 - 3);
    const apple = own.find(({ symbol }) => symbol === 'AAPL')!.columns;
    const on = (date: string) => apple.implied[apple.time.indexOf(Date.parse(`${date}T00:00:00Z`))];
    expect([on('2025-06-17'), on('2026-06-26')]).toEqual([0.27307328, 0.2485]);
  });
});

describe.skipIf(skip)('the recorded Lean options', () => {
  it('become one chain a day and underlying, or say why not', async () => {
    const deliveries = await deliveriesOf(
      leanFeed(join(realDataDirectory!, 'lean'), calendar),
      /^(option|indexoption)\/usa\/(minute\/(nwsa|spx)|universes\/aapl)/,
    );
    const chains = chainsIn(deliveries);
    const first = (symbol: string, date: string) =>
      chains.find((chain) => chain.symbol === symbol && dateIn(chain.takenAt).startsWith(date))!;
    // 260 contracts are quoted, 21 traded; NWSA is now TFCFA.
    const fox = first('TFCFA', '2013-06-28');
    expect(fox.contracts.strike.length).toBe(260);
    expect(fox.contracts.last.filter((price) => price > 0).length).toBeGreaterThanOrEqual(21);
    // 6 contracts of SPX on 2021-01-15, 12 of SPXW on the 4th, 6th and 8th.
    const spx = first('^SPX', '2021-01-04');
    expect(spx.style).toBe('european');
    expect(new Set(spx.contracts.expiration).size).toBe(4);
    // The two files of December 2015 bear the date before their session.
    expect(refusedByReason(deliveries).known_too_early).toBe(2);
    // 2014-06-02: the option rows are of that day, the underlying's row is not: 633.40 against a close of 628.65.
    const apple = validateChain(first('AAPL', '2014-06-02'));
    expect(apple.chain!.contracts.strike.length).toBe(2146);
    expect(apple.refused.map(({ reason, count }) => [reason, count])).toEqual([['missing_value', 2386]]);
    expect(apple.chain!.underlyingPrice).toBe(633.4);
  });
});

const downloads = join(realDataDirectory ?? '', '../cases/option-chain-downloads');

describe.skipIf(!existsSync(downloads))('the downloads of option chains', () => {
  /** Contracts, contracts with a bid or an ask, and their open interest, each counted in the file by hand. */
  it.each([
    ['qoba_quotedata.csv', '2022-07-09T21:28:59.999Z', 388.67, 26, 26, 34_840],
    ['QOCA.json', '2022-07-08T20:14:57.000Z', 388.67, 26, 26, 26_000],
    ['QOFA.json', '2024-06-13T19:45:00.000Z', 100, 62, 62, 31_000],
  ])('%s', async (name, takenAt, underlyingPrice, count, quoted, interest) => {
    const deliveries = await deliveriesOf(layoutsFeed(join(downloads, name), calendar));
    const [raw, ...others] = chainsIn(deliveries);
    expect([refusalsIn(deliveries), others]).toEqual([[], []]);
    expect(raw).toMatchObject({ takenAt: Date.parse(takenAt), underlyingPrice });
    const { chain, refused } = validateChain(raw!);
    expect(refused).toEqual([]);
    const { bid, ask, openInterest } = chain!.contracts;
    expect(bid.length).toBe(count);
    expect(bid.filter((price, row) => price > 0 || ask[row]! > 0).length).toBe(quoted);
    expect(openInterest.reduce((sum, value) => sum + value)).toBe(interest);
  });
});
