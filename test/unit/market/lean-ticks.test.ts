import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type { FlowMinuteColumns } from '../../../src/market/observations.ts';
import { flowReference, roundedSums, summedFlow } from '../../support/flow-reference.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { barsIn, deliveriesOf, refusedByReason, temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();

/** A Lean folder that holds these files, zipped where their names say so. */
function leanFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'lean-'));
  for (const [key, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(
      join(folder, key),
      key.endsWith('.zip') ? zipOf([{ name: 'ticks.csv', data: text }]) : text,
    );
  }
  return folder;
}

const TRADES = 'equity/usa/tick/xyz/20240702_trade.zip';
const QUOTES = 'equity/usa/tick/xyz/20240702_quote.zip';
const read = (files: Readonly<Record<string, string>>): Promise<Delivery[]> =>
  deliveriesOf(leanFeed(leanFolder(files), calendar));

function flowIn(deliveries: readonly Delivery[]): FlowMinuteColumns {
  const flow = deliveries.find(({ kind }) => kind === 'flow-minutes');
  if (flow?.kind !== 'flow-minutes') throw new Error('no flow');
  return flow.columns;
}

const nineThirty = Date.parse('2024-07-02T09:30:00-04:00');

describe('trade ticks', () => {
  it('are summed by minute: trades, shares, dollars, off-exchange shares, blocks', async () => {
    const deliveries = await read({
      [TRADES]: [
        '34200000,1000000,100,Q,1,0', // $100 x 100
        '34200500,1000000,9999,D,1,0', // off exchange, no block by size, a block by dollars: $999,900
        '34259999,100000,10000,P,20,0', // $10 x 10,000: a block by size
        '34260000,100000,1999,D,20000020,0', // next minute: $19,990, no block
        '34261000,1000000,5000,Q,1000000,0', // official close: no trade
        '34262000,1000000,5000,Q,4000000,0', // official open: no trade
        '34263000,1000000,5000,Q,1,1', // suspicious
        '34264000,1000000,5000,Q,xyz,0', // no condition
        '34265000,1000000,0,Q,1,0', // of no shares
        '34264999,1000000,100,Q,1,0', // older than the row before it
      ].join('\n'),
    });
    const flow = flowIn(deliveries);
    expect([...flow.time]).toEqual([nineThirty, nineThirty + 60_000]);
    expect([...flow.trades]).toEqual([3, 1]);
    expect([...flow.volume]).toEqual([20_099, 1_999]);
    expect([...flow.notional]).toEqual([10_000 + 999_900 + 100_000, 19_990]);
    expect([...flow.offExchangeVolume]).toEqual([9_999, 1_999]);
    expect([...flow.blockTrades]).toEqual([2, 0]);
    expect([...flow.blockVolume]).toEqual([19_999, 0]);
    expect(refusedByReason(deliveries)).toEqual({
      suspicious: 1,
      not_a_number: 1,
      no_shares: 1,
      out_of_order: 1,
    });
  });

  it('make a block from 10,000 shares or 200,000 dollars on', async () => {
    const { blockTrades } = flowIn(
      await read({
        [TRADES]: [
          '34200000,10000,9999,Q,1,0',
          '34260000,10000,10000,Q,1,0',
          '34320000,1000000,1999,Q,1,0', // $199,900
          '34380000,1000000,2000,Q,1,0', // $200,000
        ].join('\n'),
      }),
    );
    expect([...blockTrades]).toEqual([0, 1, 0, 1]);
  });

  it('meet the quote that was valid before them', async () => {
    const deliveries = await read({
      [QUOTES]: [
        '34200000,1000000,100,0,0,P,1,0', // bid $100.00
        '34200000,0,0,1000400,100,Q,1,0', // ask $100.04: midpoint 100.02
        '34200100,1000200,100,0,0,P,1,0', // bid $100.02: midpoint 100.03
      ].join('\n'),
      [TRADES]: [
        '34200000,1000400,1,Q,1,0', // of the instant of the first quotes: they do not count; nothing gives a side
        '34200100,1000300,10,Q,1,0', // of the instant of the new bid: 100.03 lies above 100.02, a buy
        '34200101,1000200,100,Q,1,0', // under 100.03: a sale
        '34200102,1000300,1000,Q,1,0', // at 100.03, after an uptick: a buy by tick
        '34200103,1000300,10000,Q,1,0', // a zero tick: as the one before
      ].join('\n'),
    });
    const flow = flowIn(deliveries);
    expect([...flow.buyByQuote, ...flow.sellByQuote]).toEqual([10, 100]);
    expect([...flow.buyByTick, ...flow.sellByTick]).toEqual([11_000, 0]);
    expect([...flow.volume]).toEqual([11_111]);
    expect(refusedByReason(deliveries)).toEqual({});
  });

  it('leave a locked or crossed quote to the tick rule, and count the shares', async () => {
    const quoted = (bid: number): Promise<Delivery[]> =>
      read({
        [QUOTES]: `34200000,${bid},100,0,0,P,1,0\n34200000,0,0,1000400,100,Q,1,0`,
        [TRADES]: '34200001,1000000,1,Q,1,0\n34200002,1000500,100,Q,1,0',
      });
    const open = flowIn(await quoted(1_000_300));
    expect([...open.buyByQuote, ...open.buyByTick, ...open.lockedVolume]).toEqual([100, 0, 0]);
    for (const bid of [1_000_400, 1_000_500]) {
      const flow = flowIn(await quoted(bid));
      expect([...flow.buyByQuote, ...flow.buyByTick, ...flow.lockedVolume]).toEqual([0, 100, 101]);
    }
  });

  it('refuse quotes that are suspicious, late, of no shares, of no price or after hours, and go on', async () => {
    const deliveries = await read({
      [QUOTES]: [
        '34200001,990000,100,0,0,P,1,0',
        '34200000,0,0,1,100,P,1,0', // older than the row before it
        '34200002,0,0,2,100,P,1,1', // suspicious
        '34200003,0,0,3,0,P,1,0', // of no shares
        '34200004,0,0,0,0,P,1,0', // of neither side
        '34200005,0,0,1010000,100,P,1,0',
        '72000000,0,0,4,100,P,1,0', // at 20:00
        '34200006,0,0',
      ].join('\n'),
      [TRADES]: '34300000,1000100,7,Q,1,0',
    });
    expect([...flowIn(deliveries).buyByQuote]).toEqual([7]);
    expect(refusedByReason(deliveries)).toEqual({
      out_of_order: 1,
      suspicious: 1,
      no_shares: 1,
      price_not_positive: 1,
      outside_session: 1,
      wrong_columns: 1,
    });
  });

  it('are read with their quotes as one unit, again when either changes', async () => {
    const units = async (files: Readonly<Record<string, string>>) => {
      const found = await leanFeed(leanFolder(files), calendar).units();
      return Promise.all(found.map(async (unit) => [unit.key, await unit.fingerprint()]));
    };
    const trade = '34200000,1000000,100,Q,1,0';
    const quote = '34200000,1000000,100,0,0,P,1,0';
    const alone = await units({ [TRADES]: trade });
    const both = await units({ [TRADES]: trade, [QUOTES]: quote });
    const other = await units({ [TRADES]: trade, [QUOTES]: `${quote}\n` });
    expect([alone, both, other].map((found) => found.map(([key]) => key))).toEqual([
      [TRADES],
      [TRADES],
      [TRADES],
    ]);
    expect(new Set([alone[0]![1], both[0]![1], other[0]![1]]).size).toBe(3);
    expect(refusedByReason(await read({ [QUOTES]: quote }))).toEqual({ not_read: 1 });
  });

  it('are classified by tick when the archive of their quotes is damaged, and the damage is reported', async () => {
    const folder = leanFolder({ [TRADES]: '34200000,1000000,1,Q,1,0\n34200001,1000100,100,Q,1,0' });
    writeFileSync(join(folder, QUOTES), 'PK damaged');
    const deliveries = await deliveriesOf(leanFeed(folder, calendar));
    expect([...flowIn(deliveries).buyByTick]).toEqual([100]);
    expect(refusedByReason(deliveries)).toEqual({ broken_archive: 1 });
  });
});

describe('recorded sessions', () => {
  const folder = realDataDirectory;

  it.for(Object.entries(flowReference).filter(([name]) => !name.startsWith('XXX')))(
    '%s yields the reference figures',
    async ([name, expected], test) => {
      test.skip(folder === null, ABSENT);
      const [symbol, date] = name.split(' ') as [string, string];
      const key = new RegExp(`tick/${symbol.toLowerCase()}/${date.replaceAll('-', '')}_trade`);
      const flow = flowIn(await deliveriesOf(leanFeed(join(folder!, 'lean'), calendar), key));
      const session = calendar.session(date)!;
      expect(flow.time.length).toBe(expected.minutes);
      expect(summedFlow(flow, session.preOpen, session.postClose)).toEqual(roundedSums(expected.day));
      expect(summedFlow(flow, session.open, session.close)).toEqual(roundedSums(expected.regular));
    },
  );

  it('count the closing auction where the vendor has it in its minute bars', async (test) => {
    test.skip(folder === null, ABSENT);
    for (const date of ['2013-10-07', '2013-10-09', '2013-10-10']) {
      const trades = (resolution: string) =>
        new RegExp(`${resolution}/ibm/${date.replaceAll('-', '')}_trade`);
      const feed = leanFeed(join(folder!, 'lean'), calendar);
      const flow = flowIn(await deliveriesOf(feed, trades('tick')));
      const bars = barsIn(await deliveriesOf(feed, trades('minute')), 'IBM')[0]!.columns;
      const last = calendar.session(date)!.close - MINUTE_MS;
      expect(flow.volume[flow.time.indexOf(last)]).toBe(bars.volume[bars.time.indexOf(last)]);
    }
  });
});
