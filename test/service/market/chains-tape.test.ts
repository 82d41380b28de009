import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { sessionFromTape } from '../../../src/live/replay-from-tape.ts';
import type { OptionChain, VolatilityColumns } from '../../../src/market/chains.ts';
import { planDerivations } from '../../../src/pipeline/detector.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { chainInsertions, writeSegmentFile } from '../../../src/tape/chain-segments.ts';
import { openTape, readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { directoryStore } from '../../../src/tape/segments/directory-store.ts';
import { feedOf, freshApp, freshStore } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { at, directoryOf } from '../../support/tape.ts';
import {
  type ContractRow,
  chainOf,
  contractsIn,
  figuresOf,
  settlementsIn,
} from '../../unit/market/chain-of.ts';

/** A Tuesday and a Wednesday with full sessions, after the clocks of New York went forward. */
const PRIOR = '2024-03-12';
const DATE = '2024-03-13';
const calendar = newYorkCalendar();

let units = 0;
const bring = (...chains: readonly OptionChain[]) =>
  importFeed(
    { tape },
    feedOf({ [`unit-${units++}`]: chains.map((chain) => ({ kind: 'chain' as const, chain })) }),
  );

const MONTHLY = '2024-04-19';
const contracts = (bid: number): ContractRow[] => [
  [MONTHLY, 100, 1, { bid, ask: bid + 0.1, volume: 3, openInterest: 40, vendorIv: 0.31 }],
  [MONTHLY, 100, -1, { bid, last: 2.5 }],
];
const chainAt = (symbol: string, date: string, clock: string, bid = 1): OptionChain =>
  chainOf(contracts(bid), { symbol, takenAt: at(date, clock) });

/** All chains of a symbol, each as it is read. */
async function chainsOf(symbol: string, from = 0, to = Date.UTC(2099, 0, 1)): Promise<OptionChain[]> {
  const reader = new SegmentReader(tape.location);
  const chains = (await tape.chainsOf(symbol, { from, to })).map((slice) => reader.chain(slice));
  reader.close();
  return chains;
}

async function viewAt(symbol: string, tradeDate: string, asOf: number) {
  const [bare] = await tape.symbolTapes([symbol]);
  const [loaded] = await tape.withFacts([{ tape: bare!, from: asOf, to: asOf }]);
  const reader = new SegmentReader(tape.location);
  const view = readStockView(reader, loaded!, calendar, tradeDate, asOf);
  reader.close();
  return view!;
}

const segments = () =>
  database.query<{ file: string; rows: number }>(
    `select file, rows::integer as rows from tape_segment where kind = 'classed-chains' order by id`,
  );

const store = await freshStore();
const database = await store.open();
const files = directoryStore(join(store.options.dataDirectory, 'tape'));
const tape = await openTape(database, files, calendar, {
  now: () => at(DATE, '21:00'),
});

describe('option chains on the tape', () => {
  it('come back as they went in, to the bit', async () => {
    const chain = chainAt('TRIP', DATE, '10:00');
    const report = await bring(chain, {
      ...chain,
      symbol: 'TRIP2',
      underlyingPrice: Number.NaN,
      style: 'european',
    });
    expect(report).toMatchObject({ rowsKept: 4, rowsUnchanged: 0, refusals: [] });
    expect(await chainsOf('TRIP')).toEqual([chain]);
    const [second] = await chainsOf('TRIP2');
    expect(second).toMatchObject({ underlyingPrice: Number.NaN, style: 'european', multiplier: 100 });
  });

  it('of files from before their settlement was written are read, those of an index as unknown', async () => {
    for (const [symbol, style] of [
      ['FORMER', 'american'],
      ['^FORMER', 'european'],
    ] as const) {
      const chain: OptionChain = { ...chainAt(symbol, DATE, '10:00'), style };
      const columns = { takenAt: new Float64Array(2).fill(chain.takenAt), ...chain.contracts };
      const file = await writeSegmentFile(files, 'chains', [{ symbol, columns }]);
      await database.atomically(
        chainInsertions({ feed: 'test', simulated: false }, { ...file, chains: [chain] }),
      );
    }
    const settlements = async (symbol: string) => settlementsIn((await chainsOf(symbol))[0]!);
    expect(await settlements('FORMER')).toEqual(['close', 'close']);
    expect(await settlements('^FORMER')).toEqual(['unknown', 'unknown']);
  });

  it('are found by the span of their instants, oldest first', async () => {
    await bring(
      chainAt('SPAN', DATE, '11:00', 3),
      chainAt('SPAN', PRIOR, '15:45', 1),
      chainAt('SPAN', DATE, '10:00', 2),
    );
    const bids = async (from: number, to: number) =>
      (await chainsOf('SPAN', from, to)).map((chain) => chain.contracts.bid[0]);
    expect(await bids(0, Date.UTC(2099, 0, 1))).toEqual([1, 2, 3]);
    expect(await bids(at(DATE, '10:00'), at(DATE, '11:00'))).toEqual([2, 3]);
    expect(await bids(at(DATE, '10:00') + 1, at(DATE, '11:00') - 1)).toEqual([]);
  });

  it('lie in one file of a flush, a record batch each, that other tools read', async () => {
    const before = (await segments()).length;
    await bring(
      chainAt('ARROW', PRIOR, '15:45'),
      chainAt('ARROW', DATE, '15:45'),
      chainAt('BOW', DATE, '15:45'),
    );
    const written = (await segments()).slice(before);
    expect(written.map(({ rows }) => rows)).toEqual([6]);
    const table = tableFromIPC(readFileSync(join(directoryOf(tape), written[0]!.file)));
    expect(table.batches.length).toBe(3);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(
      words`
      taken_at expiration strike right bid ask last volume open_interest vendor_iv vendor_delta
      vendor_gamma settlement symbol`,
    );
    const first = table.get(0)!.toJSON();
    expect(first).toMatchObject({ symbol: 'ARROW', strike: 100, bid: 1, taken_at: at(PRIOR, '15:45') });
    expect(first.expiration).toBe(midnightUtc(MONTHLY));
    expect([...table.getChild('symbol')!]).toEqual(['ARROW', 'ARROW', 'ARROW', 'ARROW', 'BOW', 'BOW']);
  });

  it('are replaced by later reports of the same instant, and equal ones write nothing', async () => {
    await bring(chainAt('AGAIN', DATE, '12:00', 1));
    const files = readdirSync(directoryOf(tape)).length;
    expect(await bring(chainAt('AGAIN', DATE, '12:00', 1))).toMatchObject({ rowsKept: 2, rowsUnchanged: 2 });
    expect(readdirSync(directoryOf(tape)).length).toBe(files);
    await tape.clearDirtyRanges(await tape.touched(['AGAIN']));

    expect(await bring(chainAt('AGAIN', DATE, '12:00', 5))).toMatchObject({ rowsUnchanged: 0 });
    expect((await chainsOf('AGAIN')).map((chain) => chain.contracts.bid[0])).toEqual([5]);
    expect(await tape.touched(['AGAIN'])).toHaveLength(1);
    // The price of the underlying is part of the report.
    const dearer = { ...chainAt('AGAIN', DATE, '12:00', 5), underlyingPrice: 101 };
    expect(await bring(dearer)).toMatchObject({ rowsUnchanged: 0 });
    expect((await chainsOf('AGAIN')).map(({ underlyingPrice }) => underlyingPrice)).toEqual([101]);
  });

  it('touch the New York date on which they were taken', async () => {
    // 22:46 in New York is the next date in UTC.
    await bring(chainAt('TOUCH', PRIOR, '22:46'), chainAt('TOUCH', DATE, '09:45'));
    const day = midnightUtc(PRIOR) / DAY_MS;
    expect(await tape.touched(['TOUCH'])).toMatchObject([{ kind: 'chain', firstDay: day, lastDay: day + 1 }]);
  });

  it('are refused contract by contract, with count, place and example', async () => {
    const chain = chainOf(
      [
        [MONTHLY, 100, 1],
        ['2024-03-01', 100, 1],
        ['2024-03-08', 100, 1],
      ],
      { symbol: 'DOOR', takenAt: at(DATE, '10:00') },
    );
    const report = await bring(chain);
    expect(report).toMatchObject({
      rowsKept: 1,
      refusals: [{ reason: 'expired_contract', rows: 2, where: `unit-${units - 1}` }],
    });
    expect(report.refusals[0]!.example).toContain('2024-03-01 100 call');
    expect(contractsIn((await chainsOf('DOOR'))[0]!)).toEqual([[MONTHLY, 100, 1]]);
  });

  it('make a symbol known of which nothing else is', async () => {
    await bring(chainAt('LONE', DATE, '10:00'));
    expect((await tape.symbolTapes(['LONE', 'NOBODY'])).map(({ symbol }) => symbol)).toEqual(['LONE']);
    expect(await tape.symbols()).not.toContain('LONE');
  });

  it('say so when their file does not hold what was written', async () => {
    const before = (await segments()).length;
    await bring(chainAt('BROKEN', DATE, '10:00'));
    const path = join(directoryOf(tape), (await segments())[before]!.file);
    const bytes = readFileSync(path);
    const [slice] = await tape.chainsOf('BROKEN', { from: 0, to: Date.UTC(2099, 0, 1) });
    bytes[slice!.bodyOffset + 40]! ^= 1;
    writeFileSync(path, bytes);
    await expect(chainsOf('BROKEN')).rejects.toMatchObject({ code: 'tape_damaged' });
  });

  it('leave no file behind that no row names', async () => {
    const named = new Set(
      (await database.query<{ file: string }>('select file from tape_segment')).map(({ file }) => file),
    );
    expect(readdirSync(directoryOf(tape)).filter((file) => !named.has(file))).toEqual([]);
  });
});

describe('the chain of a view', () => {
  const bids = (chain: OptionChain | null): number | null => chain?.contracts.bid[0] ?? null;

  beforeAll(async () => {
    await importFeed(
      { tape },
      feedOf({
        bars: ['SEEN', 'SPLIT', 'STALE'].map((symbol) => dailyBars(symbol, '2024-02-01', DATE)),
        minutes: [minuteBars('SEEN', DATE, DATE)],
        splits: [
          {
            kind: 'actions',
            symbol: 'SPLIT',
            actions: [{ kind: 'split', exDate: midnightUtc(DATE), value: 4 }],
          },
        ],
      }),
    );
    await bring(
      chainAt('SEEN', '2024-03-11', '15:45', 1),
      chainAt('SEEN', PRIOR, '15:45', 2),
      chainAt('SEEN', PRIOR, '22:46', 3),
      chainAt('SEEN', DATE, '15:45', 4),
      chainAt('SPLIT', PRIOR, '15:45', 8),
      chainAt('STALE', '2024-03-11', '23:59', 1),
    );
  });

  it('is the newest that was taken by the instant', async () => {
    const bidAt = async (clock: string) => bids((await viewAt('SEEN', DATE, at(DATE, clock))).chain);
    expect(await bidAt('20:00')).toBe(4);
    expect(await bidAt('15:45')).toBe(4);
  });

  it('is that of the session before until the first of the day', async () => {
    const view = async (date: string, asOf: number) => bids((await viewAt('SEEN', date, asOf)).chain);
    expect(await view(DATE, at(DATE, '15:45') - 1)).toBe(3);
    expect(await view(DATE, at(DATE, '09:40'))).toBe(3);
    expect(await view(PRIOR, at(PRIOR, '20:00'))).toBe(2);
    expect(await view(PRIOR, at(PRIOR, '22:46'))).toBe(3);
    expect(await view(PRIOR, at(PRIOR, '22:46') - 1)).toBe(2);
  });

  it('is none when the newest is older than the session before', async () => {
    expect((await viewAt('STALE', PRIOR, at(PRIOR, '20:00'))).chain).not.toBeNull();
    expect((await viewAt('STALE', DATE, at(DATE, '20:00'))).chain).toBeNull();
  });

  it('is in the shares of the trade date', async () => {
    const view = await viewAt('SPLIT', DATE, at(DATE, '20:00'));
    expect(figuresOf(view.chain!, 0)).toMatchObject({
      strike: 25,
      bid: 2,
      volume: 12,
      openInterest: 160,
      vendorIv: 0.31,
    });
    expect(view.chain!.underlyingPrice).toBe(25);
  });

  it('counts before the open and between sessions, in the shares of the trade date', async () => {
    // A Saturday, and eight in the morning of the day of the split.
    const saturday = Date.parse('2024-03-09T16:00:00Z');
    await bring(
      chainOf(contracts(7), { symbol: 'SEEN', takenAt: saturday }),
      chainAt('SPLIT', DATE, '08:00', 2),
    );
    expect(bids((await viewAt('SEEN', '2024-03-08', saturday)).chain)).toBe(7);
    const { chain } = await viewAt('SPLIT', PRIOR, at(DATE, '08:00'));
    expect(figuresOf(chain!, 0)).toMatchObject({ strike: 400, bid: 8, openInterest: 10 });
    expect(bids((await viewAt('SPLIT', DATE, at(DATE, '20:00'))).chain)).toBe(2);
  });

  it('changes with nothing that is taken later', async () => {
    const before = await viewAt('SEEN', DATE, at(DATE, '16:00'));
    await bring(chainAt('SEEN', DATE, '16:01', 99), chainAt('SEEN', '2024-03-14', '09:31', 99));
    expect((await viewAt('SEEN', DATE, at(DATE, '16:00'))).chain).toEqual(before.chain);
    expect(bids((await viewAt('SEEN', DATE, at(DATE, '16:01'))).chain)).toBe(99);
  });
});

describe('daily volatility on the tape', () => {
  const volatility = (dates: readonly string[], implied: number): VolatilityColumns => ({
    time: Float64Array.from(dates, midnightUtc),
    implied: Float64Array.from(dates, (_, row) => implied + row / 1000),
    realised: Float64Array.from(dates, (_, row) => (row === 0 ? Number.NaN : 0.2)),
  });
  const bringVolatility = (symbol: string, columns: VolatilityColumns) =>
    importFeed({ tape }, feedOf({ [`unit-${units++}`]: [{ kind: 'volatility', symbol, columns }] }));

  it('is seen from the close of each session on, at most 252 of them', async () => {
    const dates = calendar.sessionsBetween('2023-01-03', DATE);
    await importFeed({ tape }, feedOf({ vol: [dailyBars('VOLA', '2024-02-01', DATE)] }));
    await bringVolatility('VOLA', volatility(dates, 0.3));
    const { close } = calendar.session(DATE)!;
    const atClose = (await viewAt('VOLA', DATE, close)).volatility;
    expect(atClose.time.length).toBe(252);
    expect(atClose.time.at(-1)).toBe(midnightUtc(DATE));
    expect(atClose.implied.at(-1)).toBe(0.3 + (dates.length - 1) / 1000);
    const prior = calendar.session(PRIOR)!;
    const day = (await viewAt('VOLA', PRIOR, prior.postClose)).volatility;
    expect(day.time.at(-1)).toBe(midnightUtc(PRIOR));
  });

  it('is corrected by later reports, equal ones write nothing', async () => {
    expect(await bringVolatility('FIXED', volatility([PRIOR, DATE], 0.3))).toMatchObject({
      rowsKept: 2,
      rowsUnchanged: 0,
    });
    expect(await bringVolatility('FIXED', volatility([PRIOR, DATE], 0.3))).toMatchObject({
      rowsUnchanged: 2,
    });
    expect(await bringVolatility('FIXED', volatility([PRIOR, DATE], 0.4))).toMatchObject({
      rowsUnchanged: 0,
    });
    const reader = new SegmentReader(tape.location);
    const [of] = await tape.symbolTapes(['FIXED']);
    const rows = reader.rows(of!, 'volatility-1d', 0, 100_000);
    reader.close();
    expect([...rows.implied!]).toEqual([0.4, 0.401]);
    expect(rows.realised![0]).toBeNaN();
    expect(await tape.touched(['FIXED'])).toMatchObject([{ kind: 'volatility-1d' }]);
  });
});

describe('option chains and what is derived', () => {
  it('have the stored days from their date on derived again', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-14T02:00:00Z' });
    await importFeed(app.context, feedOf({ bars: [dailyBars('ACME', '2024-01-02', DATE)] }));
    await syncGraph(app.context, { kind: 'range', from: '2024-03-08', to: DATE });
    await syncGraph(app.context, { kind: 'touched' });
    await importFeed(
      app.context,
      feedOf({ chain: [{ kind: 'chain', chain: chainAt('ACME', PRIOR, '15:45') }] }),
    );
    const dates: string[] = [];
    for await (const { jobs } of planDerivations(
      { ...app.context, delayMs: 0 },
      { kind: 'touched' },
      app.context.clock.now(),
    )) {
      for (const job of jobs) dates.push(...job.days.map(({ tradeDate }) => tradeDate));
    }
    expect(dates).toEqual([PRIOR, DATE]);
  });
});

describe('option chains of the running session', () => {
  it('are on the tape with the minute that reports them, and no sooner than they are taken', async () => {
    const session = calendar.session(DATE)!;
    const running = await tape.ofMarket(false).runningSession(session);
    const feed = { name: 'live', simulated: false };
    const minute = (clock: string, chain: OptionChain) => ({
      at: at(DATE, clock),
      deliveries: [{ kind: 'chain' as const, chain }],
    });
    const taken = await running.take(feed, [minute('10:05', chainAt('LIVE', DATE, '10:04', 7))]);
    expect(taken).toMatchObject({ symbols: expect.arrayContaining(['LIVE']), refused: [] });
    const early = await running.take(feed, [minute('10:06', chainAt('LIVE', DATE, '10:07', 8))]);
    expect(early.refused).toMatchObject([{ reason: 'not_final', count: 2 }]);
    const bad = chainOf(
      [
        [MONTHLY, 100, 1],
        ['2024-03-01', 100, 1],
      ],
      { symbol: 'LIVE', takenAt: at(DATE, '10:07') },
    );
    const third = await running.take(feed, [minute('10:07', bad)]);
    expect(third.refused).toMatchObject([{ reason: 'expired_contract', count: 1 }]);
    running.close();
    expect((await chainsOf('LIVE')).map((chain) => [chain.takenAt, chain.contracts.bid[0]])).toEqual([
      [at(DATE, '10:04'), 7],
      [at(DATE, '10:07'), 1],
    ]);
    const [known] = await running.tapes(['LIVE']);
    expect(known!.chains.length).toBe(2);
  });

  it('are replayed as they were reported', async () => {
    await importFeed({ tape }, feedOf({ bars: [minuteBars('PLAY', DATE, DATE)] }));
    await bring(chainAt('PLAY', PRIOR, '15:45', 1), chainAt('PLAY', DATE, '10:04', 2));
    const { recording, history } = await sessionFromTape(tape, calendar, calendar.session(DATE)!, ['PLAY']);
    const replayed = [...recording.minutes(null)].flatMap((minute) =>
      minute.deliveries.flatMap((delivery) =>
        delivery.kind === 'chain' ? [[minute.at, delivery.chain.contracts.bid[0]]] : [],
      ),
    );
    expect(replayed).toEqual([[at(DATE, '10:04'), 2]]);
    const before: (number | undefined)[] = [];
    for (const feed of history) {
      for (const unit of await feed.units()) {
        for await (const delivery of unit.read())
          if (delivery.kind === 'chain') before.push(delivery.chain.contracts.bid[0]);
      }
    }
    expect(before).toEqual([1]);
  });
});
