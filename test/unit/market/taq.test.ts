import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import { taqFeed, VenueQuotes } from '../../../src/files/taq.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { flowReference, roundedSums, summedFlow } from '../../support/flow-reference.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { barsIn, deliveriesOf, refusedByReason, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();

const TRADES = 'DT,EX,SYMBOL,COND,SIZE,PRICE,CORR';
const QUOTES = 'DT,EX,SYMBOL,BID,BIDSIZ,OFR,OFRSIZ';
/** 2024-07-02, 09:30 in New York, and so many seconds later. */
const at = (seconds: string): string => `2024-07-02 13:30:${seconds}`;
const nineThirty = Date.parse('2024-07-02T09:30:00-04:00');

async function read(files: Readonly<Record<string, readonly string[]>>): Promise<Delivery[]> {
  const folder = mkdtempSync(join(root, 'taq-'));
  const paths = Object.entries(files).map(([name, lines]) => {
    const path = join(folder, name);
    const text = lines.join('\n');
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  });
  return deliveriesOf(taqFeed({ paths, calendar }));
}

function flowIn(deliveries: readonly Delivery[]) {
  const flow = deliveries.find(({ kind }) => kind === 'flow-minutes');
  if (flow?.kind !== 'flow-minutes') throw new Error('no flow');
  return flow;
}

describe('trades and quotes', () => {
  it('become flow and the bars of the prints that set a price', async () => {
    const deliveries = await read({
      'abc_quotes.csv.gz': [QUOTES, `${at('00.000000')},N,ABC,10.00,1,10.10,1`],
      'abc_trades.csv.gz': [
        TRADES,
        `${at('00.000001')},N,ABC,O,1000,10.02,0`, // the opening print: a price, no side
        `${at('00.500000')},D,ABC,F,200,10.10,0`, // a sweep above 10.05, off exchange
        `${at('01')},K,ABC,I,5,10.40,0`, // an odd lot: a side, no price
        `${at('02.5')},D,ABC,4 B,300,9.00,0`, // derivatively priced: neither
        `${at('03')},T,ABC,,400,10.04,0`, // under 10.05
        `${at('04')},N,ABC,M,1400,10.04,0`, // official close: no trade
      ],
    });
    const { symbol, columns } = flowIn(deliveries);
    expect(symbol).toBe('ABC');
    expect([...columns.time]).toEqual([nineThirty]);
    expect([...columns.volume, ...columns.trades, ...columns.offExchangeVolume]).toEqual([1905, 5, 500]);
    expect([...columns.buyByQuote, ...columns.sellByQuote]).toEqual([205, 400]);
    expect([...columns.buyByTick, ...columns.sellByTick]).toEqual([0, 0]);
    const bars = barsIn(deliveries, 'ABC')[0]!.columns;
    const { open, high, low, close, volume } = bars;
    expect([open[0], high[0], low[0], close[0], volume[0]]).toEqual([10.02, 10.1, 10.02, 10.04, 1905]);
    expect(refusedByReason(deliveries)).toEqual({});
  });

  it('open and close at the official prices of the auctions, which are of the session although they print behind it', async () => {
    const trades = [
      TRADES,
      `${at('00.100000')},P,ABC,,100,10.00,0`, // before the exchange of the listing has opened
      `${at('00.400000')},N,ABC,O,5000,10.02,0`,
      `${at('00.410000')},N,ABC,Q,5000,10.02,0`,
      `${at('00.500000')},P,ABC,O,10,10.30,0`, // a small auction of another exchange
      `${at('30')},P,ABC,,200,10.01,0`,
      '2024-07-02 19:59:58,N,ABC,,400,10.05,0',
      '2024-07-02 20:00:00.2,P,ABC,6,30,10.04,0',
      '2024-07-02 20:00:00.3,P,ABC,M,30,10.04,0',
      '2024-07-02 20:01:30.5,N,ABC,6 X,90000,10.11,0',
      '2024-07-02 20:01:30.6,N,ABC,M,90000,10.11,0',
      '2024-07-02 20:01:40,P,ABC,T,500,10.08,0',
    ];
    const deliveries = await read({ 'abc_trades.csv': trades });
    const { time, ...columns } = barsIn(deliveries, 'ABC')[0]!.columns;
    const rows = Array.from(time, (start, row) => [
      new Date(start).toISOString().slice(11, 16),
      ...Object.values(columns).map((column) => column[row]),
    ]);
    // Open, high, low, close, shares.
    expect(rows).toEqual([
      ['13:30', 10.02, 10.3, 10, 10.01, 5310],
      ['19:59', 10.05, 10.11, 10.04, 10.11, 90_430],
      ['20:01', 10.08, 10.08, 10.08, 10.08, 500],
    ]);
    const { columns: flow } = flowIn(deliveries);
    expect([...flow.time].map((start) => new Date(start).toISOString().slice(11, 16))).toEqual([
      '13:30',
      '19:59',
      '20:01',
    ]);
    expect([...flow.volume]).toEqual([5310, 90_430, 500]);
  });

  it('keep the first price of a session whose opening auction is late: no minute knows what is behind it', async () => {
    const deliveries = await read({
      'abc_trades.csv': [
        TRADES,
        `${at('05')},P,ABC,,100,10.00,0`,
        '2024-07-02 13:35:10,N,ABC,O,5000,10.20,0',
      ],
    });
    expect([...barsIn(deliveries, 'ABC')[0]!.columns.open]).toEqual([10, 10.2]);
  });

  it('refuse prints that were cancelled or corrected, and rows of another stock, day or order', async () => {
    const deliveries = await read({
      'abc_trades.csv': [
        TRADES,
        `${at('01')},N,ABC,,100,10.00,0`,
        `${at('02')},N,ABC,,100,99.00,8`, // cancelled later
        `${at('02')},N,ABC,,100,99.00,1`, // corrected later
        `${at('02')},N,ABD,,100,10.00,0`,
        `${at('00')},N,ABC,,100,10.00,0`, // older than the row before it
        '2024-07-03 13:30:00,N,ABC,,100,10.00,0',
        '2024-07-02 24:30:00,N,ABC,,100,10.00,0',
        `${at('03')},N,ABC,,0,10.00,0`,
        `${at('03')},N,ABC,,-1,10.00,0`,
        `${at('03')},N,ABC,,1,0,0`,
        `${at('03')},N,ABC,,1,ten,0`,
        `${at('03')},N,ABC`,
      ],
    });
    expect([...flowIn(deliveries).columns.volume]).toEqual([100]);
    expect(refusedByReason(deliveries)).toEqual({
      cancelled: 2,
      bad_symbol: 1,
      out_of_order: 1,
      outside_session: 1,
      bad_time: 1,
      no_shares: 1,
      volume_negative: 1,
      price_not_positive: 1,
      not_a_number: 1,
      wrong_columns: 1,
    });
  });

  it("refuse an exchange's own crossed quote, and take 0 as no quote on that side", async () => {
    const deliveries = await read({
      'abc_quotes.csv': [
        QUOTES,
        `${at('00.1')},N,ABC,10.00,1,10.10,1`,
        `${at('00.2')},N,ABC,10.20,1,10.10,1`, // crossed: the quote before it stays valid
        `${at('02')},N,ABC,0,0,10.10,1`, // the bid is gone
      ],
      'abc_trades.csv': [
        TRADES,
        `${at('01')},N,ABC,,1,10.06,0`, // above 10.05
        `${at('03')},N,ABC,,10,10.05,0`, // no midpoint: a downtick
      ],
    });
    const { buyByQuote, sellByTick } = flowIn(deliveries).columns;
    expect([...buyByQuote, ...sellByTick]).toEqual([1, 10]);
    expect(refusedByReason(deliveries)).toEqual({ crossed_quote: 1 });
  });

  it('are read in any order of columns, and not at all without one of them', async () => {
    const deliveries = await read({
      'abc_trades.csv': ['price,size,dt,corr,cond,symbol,ex', `10.00,100,${at('00')},0,,BRK/B,D`],
      'abd_trades.csv': ['DT,EX,SYMBOL,COND,SIZE,PRICE', `${at('00')},N,ABD,,100,10.00`],
      'abe_quotes.csv': [QUOTES],
      'readme.md': ['words'],
    });
    expect(flowIn(deliveries).symbol).toBe('BRK.B');
    expect([...flowIn(deliveries).columns.offExchangeVolume]).toEqual([100]);
    expect(refusedByReason(deliveries)).toEqual({ wrong_columns: 2, not_read: 1, unknown_format: 1 });
  });
});

describe('the best quote out of the quotes of exchanges', () => {
  const [N, P, Q] = [78, 80, 81];

  it('is the highest bid and the lowest ask', () => {
    const venues = new VenueQuotes();
    venues.set(N, 10, 10.1);
    venues.set(P, 10.02, 10.12);
    expect([venues.bid, venues.ask]).toEqual([10.02, 10.1]);
    venues.set(P, 9.98, 10.08);
    expect([venues.bid, venues.ask]).toEqual([10, 10.08]);
    venues.set(N, Number.NaN, Number.NaN);
    expect([venues.bid, venues.ask]).toEqual([9.98, 10.08]);
  });

  it('drops a side that a newer quote locks or crosses, until its exchange speaks again', () => {
    const venues = new VenueQuotes();
    venues.set(N, 10, 10.1);
    venues.set(P, 10.02, 10.12);
    venues.set(Q, 9.98, 10.02); // locks the bid of P
    expect([venues.bid, venues.ask]).toEqual([10, 10.02]);
    venues.set(Q, 9.98, 10.2);
    expect([venues.bid, venues.ask]).toEqual([10, 10.1]);
    venues.set(P, 10.02, 10.12);
    expect([venues.bid, venues.ask]).toEqual([10.02, 10.1]);
  });

  it('is none while nobody quotes', () => {
    const venues = new VenueQuotes();
    expect([venues.bid, venues.ask]).toEqual([Number.NaN, Number.NaN]);
    venues.set(N, Number.NaN, 10.1);
    expect([venues.bid, venues.ask]).toEqual([Number.NaN, 10.1]);
  });
});

describe('the recorded session', () => {
  it('yields the reference figures', async (test) => {
    const folder = realDataDirectory;
    test.skip(folder === null, ABSENT);
    const part = (await realDataPlan(folder!, calendar)).find(({ title }) => title === 'trades and quotes');
    const deliveries = await deliveriesOf(part!.feed);
    const { symbol, columns } = flowIn(deliveries);
    const expected = flowReference['XXX 2018-01-02']!;
    const session = calendar.session('2018-01-02')!;
    expect(symbol).toBe('XXX');
    expect(columns.time.length).toBe(expected.minutes);
    expect(summedFlow(columns, session.preOpen, session.postClose)).toEqual(roundedSums(expected.day));
    expect(summedFlow(columns, session.open, session.close)).toEqual(roundedSums(expected.regular));
    const bars = barsIn(deliveries, 'XXX')[0]!.columns;
    const rows = [...bars.time.keys()].filter(
      (row) => bars.time[row]! >= session.open && bars.time[row]! < session.close,
    );
    const of = (column: Float64Array): number[] => rows.map((row) => column[row]!);
    const whole = [
      of(bars.open)[0],
      Math.max(...of(bars.high)),
      Math.min(...of(bars.low)),
      of(bars.close).at(-1),
    ];
    expect(whole).toEqual(expected.eligible);
  });
});
