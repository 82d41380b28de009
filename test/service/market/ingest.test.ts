import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SegmentReader } from '../../../src/tape/index.ts';
import { importFeed, refusedRows } from '../../../src/tape/ingest.ts';
import { removeOrphans } from '../../../src/tape/segments/directory-store.ts';
import { bring, feedOf, freshApp, freshMarket } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { directoryOf } from '../../support/tape.ts';

describe('an import', () => {
  it('keeps every row, and a second time changes nothing', async () => {
    const { app } = await freshApp();
    const bars = dailyBars('ACME', '2024-01-02', '2024-06-28');
    const feed = feedOf({ 'acme.csv': [bars] });
    const first = await importFeed(app.context, feed);
    expect(first).toMatchObject({
      rowsKept: bars.columns.time.length,
      unitsSkipped: 0,
      rowsUnchanged: 0,
      refusals: [],
    });
    const second = await importFeed(app.context, feed);
    expect(second).toMatchObject({ rowsKept: bars.columns.time.length, unitsSkipped: 1, rowsUnchanged: 0 });
    const [tape] = await app.context.tape.symbolTapes(['ACME']);
    const reader = new SegmentReader(app.context.tape.location);
    expect(reader.rows(tape!, 'bars-1d', -1e9, 1e9)).toEqual(bars.columns);
    reader.close();
  });

  it('says of which symbols it took rows and facts, and nothing of a source that is there already', async () => {
    const { app } = await freshApp();
    const minutes = minuteBars('ACME', '2024-03-04', '2024-03-04');
    const daily = dailyBars('EMCA', '2024-03-04', '2024-03-05');
    const feed = feedOf({ 'a.csv': [daily, minutes], 'b.csv': [daily] });
    const { taken } = await importFeed(app.context, feed);
    expect([...taken]).toEqual([
      ['EMCA', 4],
      ['ACME', minutes.columns.time.length],
    ]);
    expect((await importFeed(app.context, feed)).taken.size).toBe(0);
  });

  it('writes only what differs when a changed source brings the same rows again', async () => {
    const { app } = await freshApp();
    const bars = dailyBars('ACME', '2024-01-02', '2024-01-31');
    await bring(app, [bars]);
    const corrected = { ...bars, columns: { ...bars.columns, close: bars.columns.close.slice() } };
    corrected.columns.close[3] = corrected.columns.close[3]! + 0.5;
    const report = await importFeed(app.context, feedOf({ 'acme.csv': [corrected] }));
    expect(report.rowsUnchanged).toBe(bars.columns.time.length - 1);
    const [tape] = await app.context.tape.symbolTapes(['ACME']);
    expect(tape!.slices.map((slice) => slice.rows)).toEqual([bars.columns.time.length, 1]);
    const reader = new SegmentReader(app.context.tape.location);
    expect(reader.rows(tape!, 'bars-1d', -1e9, 1e9).close).toEqual(corrected.columns.close);
    reader.close();
  });

  it('is refused as a whole where the simulated market has taken one of its symbols meanwhile', async () => {
    const { app } = await freshApp();
    const { database, tape } = app.context;
    const rows = ['ACME', 'EMCA'].map((symbol) => dailyBars(symbol, '2024-01-02', '2024-01-31'));
    const feed = feedOf({ 'both.csv': rows });
    const writer = tape.writer(feed);
    await writer.take((await feed.units())[0]!, 'first');
    await database.write(`insert into symbol_market (symbol, simulated) values ('EMCA', true)`);
    const facts = { symbol: 'EMCA' };
    await expect(writer.flush()).rejects.toMatchObject({ code: 'other_market', facts });
    writer.close();
    expect(await database.query('select symbol from symbol_market')).toEqual([{ symbol: 'EMCA' }]);
    expect(await tape.delivered(feed.name)).toEqual(new Map());
    expect(await tape.symbolTapes(['ACME', 'EMCA'])).toEqual([]);
  });

  it('names what was refused, the second time as well', async () => {
    const { app } = await freshApp();
    const feed = feedOf({
      'a.csv': [
        { kind: 'refused', reason: 'high_below_low', where: 'a.csv:7', example: '1,2,3', count: 2 },
        { kind: 'refused', reason: 'high_below_low', where: 'a.csv:9', example: '4,5,6', count: 1 },
      ],
      'b.csv': [{ kind: 'refused', reason: 'not_read', where: 'b.csv', example: '', count: 1 }],
    });
    for (const run of [1, 2]) {
      const report = await importFeed(app.context, feed);
      expect(refusedRows(report), `run ${run}`).toBe(3);
      expect(report.refusals).toEqual([
        { reason: 'high_below_low', rows: 3, units: 1, where: 'a.csv:7', example: '1,2,3' },
        { reason: 'not_read', rows: 1, units: 1, where: 'b.csv', example: '' },
      ]);
    }
  });

  it('sums a daily bar where only the minutes are known', async () => {
    const { app } = await freshApp();
    const minutes = minuteBars('ACME', '2024-03-04', '2024-03-05');
    const report = await importFeed(app.context, feedOf({ 'acme.csv': [minutes] }));
    expect(report.dailyBarsSummed).toBe(2);
    const [tape] = await app.context.tape.symbolTapes(['ACME']);
    const reader = new SegmentReader(app.context.tape.location);
    const daily = reader.rows(tape!, 'bars-1d', -1e9, 1e9);
    reader.close();
    expect([...daily.volume!]).toEqual([390_000, 390_000]);
    expect((await importFeed(app.context, feedOf({ 'acme.csv': [minutes] }))).dailyBarsSummed).toBe(0);
  });
});

describe('the tape after a crash', () => {
  it('loses segment files that no manifest row names, and only those', async () => {
    const app = await freshMarket({}, [dailyBars('ACME', '2024-01-02', '2024-01-31')]);
    const directory = directoryOf(app.context.tape);
    const [kept] = readdirSync(directory);
    const machine = kept!.split('-')[0];
    const deadPid = 4_194_303;
    writeFileSync(join(directory, `${machine}-${deadPid}-bars-1d-00.arrow`), 'whole, but never committed');
    writeFileSync(join(directory, `${machine}-${deadPid}-bars-1d-01.arrow.unfinished`), 'half');
    writeFileSync(join(directory, `${machine}-${process.ppid}-bars-1d-02.arrow.unfinished`), 'being written');
    expect(await removeOrphans(app.context.database, directory, Date.now())).toBe(2);
    expect(readdirSync(directory).sort()).toEqual(
      [kept, `${machine}-${process.ppid}-bars-1d-02.arrow.unfinished`].sort(),
    );
  });
});
