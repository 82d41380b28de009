import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { QUOTE_BAR_COLUMNS } from '../../../src/market/observations.ts';
import { SegmentReader } from '../../../src/tape/index.ts';
import { appOn, bring, freshStore, openTestApp } from '../../support/app.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { directoryOf } from '../../support/tape.ts';

/** Rows of the running session live in the database until the session has ended. */

const minutes = minuteBars('ACME', '2024-03-11', '2024-03-12');
const running = minuteBars('ACME', '2024-03-12', '2024-03-12').columns.time.length;

async function stateOf(app: App) {
  const [{ rows }] = (await app.context.database.query('select count(*) as rows from running_row')) as [
    { rows: number },
  ];
  const [tape] = await app.context.tape.symbolTapes(['ACME']);
  const reader = new SegmentReader(app.context.tape.location);
  const columns = reader.rows(tape!, 'bars-1m', -1e9, 1e9);
  reader.close();
  return { rows, columns, files: readdirSync(directoryOf(app.context.tape)).length };
}

const store = await freshStore();

describe('the running session', () => {
  it('is kept as rows, sealed into a file when it has ended, and reads the same before and after', async () => {
    const during = await openTestApp(store, { TIGRAPH_NOW: '2024-03-12T18:00:00Z' });
    await bring(during, [minutes]);
    const before = await stateOf(during);
    expect(before.rows).toBe(running);
    expect(before.columns).toEqual(minutes.columns);
    const quotes = {
      kind: 'quotes' as const,
      symbol: 'ACME',
      interval: '1m' as const,
      columns: Object.fromEntries(
        QUOTE_BAR_COLUMNS.map((name) => [
          name,
          Float64Array.of(
            name === 'time' ? minutes.columns.time.at(-1)! : name.startsWith('bid') ? Number.NaN : 101,
          ),
        ]),
      ) as never,
    };
    await bring(during, [quotes]);
    await bring(during, [minutes]);
    expect((await stateOf(during)).rows).toBe(running + 1);
    await during.close();

    const after = await appOn(store, { TIGRAPH_NOW: '2024-03-13T02:00:00Z' });
    const sealed = await stateOf(after);
    expect(sealed.rows).toBe(0);
    expect(sealed.files).toBe(before.files + 2);
    expect(sealed.columns).toEqual(minutes.columns);
    const [tape] = await after.context.tape.symbolTapes(['ACME']);
    const reader = new SegmentReader(after.context.tape.location);
    expect(reader.rows(tape!, 'quotes-1m', -1e9, 1e9).bidOpen).toEqual(Float64Array.of(Number.NaN));
    reader.close();
  });

  it('does not let its rows hide a correction that came after it ended', async () => {
    const during = await openTestApp(store, { TIGRAPH_NOW: '2024-03-14T18:00:00Z' });
    const bars = minuteBars('BETA', '2024-03-14', '2024-03-14');
    await bring(during, [bars, dailyBars('BETA', '2024-03-13', '2024-03-14')]);
    await during.close();
    const after = await appOn(store, { TIGRAPH_NOW: '2024-03-15T02:00:00Z' });
    const corrected = {
      ...bars,
      columns: { ...bars.columns, volume: bars.columns.volume.map((shares) => shares * 2) },
    };
    await bring(after, [corrected]);
    const [tape] = await after.context.tape.symbolTapes(['BETA']);
    const reader = new SegmentReader(after.context.tape.location);
    expect(reader.rows(tape!, 'bars-1m', -1e9, 1e9)).toEqual(corrected.columns);
    reader.close();
  });
});
