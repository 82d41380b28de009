import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { contractsIn, figuresOf, settlementsIn } from './chain-of.ts';
import { deliveriesOf, refusalsIn, refusedByReason, temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
let folders = 0;

type Content = string | Readonly<Record<string, string>>;

/** A data folder of the given files; what has entries is packed. */
function leanFolder(files: Readonly<Record<string, Content>>): string {
  const folder = join(root, String(folders++));
  for (const [path, content] of Object.entries({ 'equity/usa/readme.md': '', ...files })) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      typeof content === 'string'
        ? content
        : zipOf(Object.entries<string>(content).map(([name, data]) => ({ name, data }))),
    );
  }
  return folder;
}

const feedOf = (files: Readonly<Record<string, Content>>) => leanFeed(leanFolder(files), calendar);
const read = (files: Readonly<Record<string, Content>>) => deliveriesOf(feedOf(files), /option/);
const chainsIn = (deliveries: readonly Delivery[]): OptionChain[] =>
  deliveries.filter((delivery) => delivery.kind === 'chain').map(({ chain }) => chain);

/** A Wednesday; half past nine is 34,200,000 ms after midnight, four o'clock 57,600,000. */
const DAY = '20240313';
const minutes = (kind: string, style = 'american', ticker = 'xyz') =>
  `${style === 'european' ? 'indexoption' : 'option'}/usa/minute/${ticker}/${DAY}_${kind}_${style}.zip`;
const contract = (
  kind: string,
  right: string,
  strike: number,
  expiry = '20240419',
  style = 'american',
  ticker = 'xyz',
) => `${DAY}_${ticker}_minute_${kind}_${style}_${right}_${strike * 10_000}_${expiry}.csv`;
const UNIVERSE_HEADER =
  '#expiry,strike,right,open,high,low,close,volume,open_interest,implied_volatility,delta,gamma,vega,theta,rho\n';

describe('option minutes of a Lean folder', () => {
  it('make one chain of a day, taken at the close: last quote, last trade, volume, open interest', async () => {
    const files = {
      [minutes('quote')]: {
        [contract('quote', 'call', 100)]: [
          '34200000,10000,10000,10000,10000,5,12000,12000,12000,12000,5',
          '57540000,15000,16000,14000,15500,7,16000,17000,15000,16500,9',
          // Ends a minute after the close.
          '57600000,90000,90000,90000,90000,1,99000,99000,99000,99000,1',
        ].join('\n'),
        [contract('quote', 'put', 100)]: '57000000,,,,,0,20000,20000,20000,20000,4',
      },
      [minutes('trade')]: {
        [contract('trade', 'call', 100)]:
          '34260000,11000,11000,11000,11000,3\n57540000,15800,15900,15800,15900,4\n57600000,1,1,1,1,1000',
      },
      [minutes('openinterest')]: {
        [contract('openinterest', 'call', 100)]: '23400000,77',
        [contract('openinterest', 'put', 90)]: '23400000,11',
      },
    };
    const feed = feedOf(files);
    expect((await feed.units()).map(({ key }) => key)).toEqual([
      'equity/usa/readme.md',
      minutes('openinterest'),
    ]);
    const deliveries = await deliveriesOf(feed, /option/);
    const [chain, ...others] = chainsIn(deliveries);
    expect(others).toEqual([]);
    expect(chain).toMatchObject({
      symbol: 'XYZ',
      takenAt: Date.parse('2024-03-13T20:00:00Z'),
      underlyingPrice: Number.NaN,
      style: 'american',
      simulated: false,
    });
    const expiration = Date.UTC(2024, 3, 19);
    const figures = [0, 1, 2].map((row) => figuresOf(chain!, row));
    expect(figures).toContainEqual({
      expiration,
      strike: 100,
      right: 1,
      bid: 1.55,
      ask: 1.65,
      last: 1.59,
      volume: 7,
      openInterest: 77,
    });
    expect(figures).toContainEqual({ expiration, strike: 100, right: -1, ask: 2 });
    expect(figures).toContainEqual({ expiration, strike: 90, right: -1, openInterest: 11 });
    expect(refusalsIn(deliveries)).toEqual([]);
  });

  it('end with the regular session of a half day', async () => {
    const early = '20231124';
    const name = (text: string) => text.replaceAll(DAY, early);
    const [chain] = chainsIn(
      await read({
        [name(minutes('quote'))]: {
          // One o'clock is 46,800,000 ms after midnight.
          [name(contract('quote', 'call', 100))]:
            '46740000,1,1,1,10000,1,1,1,1,11000,1\n46800000,1,1,1,50000,1,1,1,1,51000,1',
        },
      }),
    );
    expect(chain!.takenAt).toBe(Date.parse('2023-11-24T18:00:00Z'));
    expect(chain!.contracts.bid[0]).toBe(1);
  });

  it('date an expiration on a Saturday by its last session', async () => {
    const name = (text: string) => text.replaceAll(DAY, '20140106');
    const [chain] = chainsIn(
      await read({
        [name(minutes('openinterest'))]: {
          [name(contract('openinterest', 'call', 100, '20140118'))]: '23400000,1',
          // Good Friday came before this Saturday.
          [name(contract('openinterest', 'call', 100, '20140419'))]: '23400000,2',
          [name(contract('openinterest', 'call', 100, '20140124'))]: '23400000,3',
        },
      }),
    );
    expect(
      contractsIn(chain!)
        .map(([date]) => date)
        .sort(),
    ).toEqual(['2014-01-17', '2014-01-24', '2014-04-17']);
  });

  it('put the classes of an index into one chain, each with its settlement', async () => {
    const quote = (ask: number) => `57000000,1,1,1,10000,1,1,1,1,${ask},1`;
    const deliveries = await read({
      [minutes('quote', 'european', 'spx')]: {
        [contract('quote', 'call', 4000, '20240315', 'european', 'spx')]: quote(20_000),
      },
      [`${minutes('quote', 'european', 'spxw')}.zip`]: {
        [contract('quote', 'call', 4000, '20240315', 'european', 'spxw')]: quote(30_000),
        [contract('quote', 'call', 4000, '20240313', 'european', 'spxw')]: quote(40_000),
      },
      [minutes('openinterest', 'european', 'spx')]: {
        [contract('openinterest', 'call', 4000, '20240315', 'european', 'spx')]: '23400000,100',
      },
    });
    const [chain, ...others] = chainsIn(deliveries);
    expect(others).toEqual([]);
    expect(chain).toMatchObject({ symbol: '^SPX', style: 'european' });
    const classed = contractsIn(chain!).map(([date], row) => [date, settlementsIn(chain!)[row]]);
    expect(classed.sort()).toEqual([
      ['2024-03-13', 'close'],
      ['2024-03-15', 'close'],
      ['2024-03-15', 'open'],
    ]);
    expect(figuresOf(chain!, settlementsIn(chain!).indexOf('open'))).toMatchObject({
      ask: 2,
      openInterest: 100,
    });
  });

  it('refuse rows and entries that say nothing of a contract, and days without a session', async () => {
    const deliveries = await read({
      [minutes('trade')]: {
        [contract('trade', 'call', 100)]:
          'abc,1,1,1,1,1\n34200000,1,1\n34200000,1,1,1,x,1\n34200000,1,1,1,20000,5',
        'readme.txt': 'hello',
        [contract('trade', 'call', 100, '20240230')]: '34200000,1,1,1,1,1',
      },
    });
    expect(chainsIn(deliveries).map((chain) => figuresOf(chain, 0).last)).toEqual([2]);
    expect(refusedByReason(deliveries)).toEqual({
      bad_time: 2,
      wrong_columns: 1,
      not_a_number: 1,
      unknown_format: 1,
    });
    const sunday = minutes('trade').replace(DAY, '20240317');
    expect(refusedByReason(await read({ [sunday]: { 'x.csv': '' } }))).toEqual({ outside_session: 1 });
  });
});

describe('option universes of a Lean folder', () => {
  const universe = `option/usa/universes/xyz/${DAY}.csv`;
  const underlying = ',,,99,101,98,100.5,12345,,,,,,,\n';

  it('give price, open interest, volatility and greeks of each contract', async () => {
    const deliveries = await read({
      [universe]: `${UNIVERSE_HEADER}${underlying}20240419,100,C,2,3,1,2.5,40,,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,100,P,0,0,0,0,0,7,0,0,0,0,0,0\n20240419,105,P,0,0,0,0,0,,0,0,0,0,0,0\n`,
    });
    const [chain] = chainsIn(deliveries);
    expect(chain).toMatchObject({
      symbol: 'XYZ',
      takenAt: Date.parse('2024-03-13T20:00:00Z'),
      underlyingPrice: 100.5,
    });
    const expiration = Date.UTC(2024, 3, 19);
    expect(figuresOf(chain!, 0)).toEqual({
      expiration,
      strike: 100,
      right: 1,
      last: 2.5,
      volume: 40,
      vendorIv: 0.31,
      vendorDelta: 0.52,
      vendorGamma: 0.03,
    });
    // Zero price, volatility and greeks: the vendor had nothing but the open interest, or nothing at all.
    expect(figuresOf(chain!, 1)).toEqual({ expiration, strike: 100, right: -1, openInterest: 7 });
    expect(figuresOf(chain!, 2)).toEqual({ expiration, strike: 105, right: -1 });
  });

  it('fill in what the minutes of the day leave open', async () => {
    const files = {
      [universe]: `${UNIVERSE_HEADER}${underlying}20240419,100,C,2,3,1,2.5,40,66,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,105,C,2,3,1,0.7,4,5,0.3,0.2,0.02,0.1,-0.05,0.04\n`,
      [minutes('quote')]: { [contract('quote', 'call', 100)]: '57000000,1,1,1,10000,1,1,1,1,12000,1' },
      [minutes('openinterest')]: { [contract('openinterest', 'call', 100)]: '23400000,77' },
    };
    const [chain] = chainsIn(await read(files));
    expect(figuresOf(chain!, 0)).toMatchObject({ bid: 1, ask: 1.2, openInterest: 77, vendorIv: 0.31 });
    expect(figuresOf(chain!, 0)).not.toHaveProperty('last');
    expect(figuresOf(chain!, 1)).toMatchObject({ last: 0.7, volume: 4, openInterest: 5 });
  });

  it('take no price of the underlying from a file without one price of a contract', async () => {
    const deliveries = await read({
      [universe]: `${UNIVERSE_HEADER}${underlying}20240419,100,C,0,0,0,0,0,9,0,0,0,0,0,0\n`,
    });
    expect(chainsIn(deliveries)[0]!.underlyingPrice).toBeNaN();
  });

  it('are refused whole when their underlying has the close and volume of a later session', async () => {
    const rows = `${UNIVERSE_HEADER}${underlying}20240419,100,C,2,3,1,2.5,40,9,0.31,0.52,0.03,0.1,-0.05,0.04\n`;
    const bars = (date: string, close: number, volume: number) => ({
      'equity/usa/daily/xyz.zip': {
        'xyz.csv': `20240308 00:00,1,1,1,1,1\n${date} 00:00,990000,1010000,980000,${close},${volume}`,
      },
    });
    const early = await read({ [universe]: rows, ...bars('20240314', 1_005_000, 12345) });
    expect(chainsIn(early)).toEqual([]);
    expect(refusalsIn(early)).toMatchObject([
      {
        reason: 'known_too_early',
        where: universe,
        example: "the underlying's row is the session of 2024-03-14",
      },
    ]);
    for (const harmless of [
      bars('20240313', 1_005_000, 12345),
      bars('20240314', 1_005_100, 12345),
      bars('20240314', 1_005_000, 12346),
    ]) {
      expect(chainsIn(await read({ [universe]: rows, ...harmless })).length).toBe(1);
    }
  });

  it('refuse rows that cannot be read', async () => {
    const deliveries = await read({
      [universe]: `${UNIVERSE_HEADER}2024,100,C,2,3,1,2.5,40,,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,100,X,2,3,1,2.5,40,,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,abc,C,2,3,1,2.5,40,,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,100,C,2,3,1,2.5,40,x,0.31,0.52,0.03,0.1,-0.05,0.04\n20240419,100\n`,
    });
    expect(refusedByReason(deliveries)).toEqual({
      bad_time: 1,
      bad_word: 1,
      not_a_number: 2,
      wrong_columns: 1,
    });
  });
});
