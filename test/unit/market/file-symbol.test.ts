import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { symbolOfFile } from '../../../src/files/file-symbol.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { words } from '../../support/tables.ts';
import { barsIn, deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const folder = temporaryFolder();

describe('the symbol in the name of a file', () => {
  it('does not depend on its ending, drawn of every kind, doubled and packed', async () => {
    const endings = words`csv txt tsv tab dat data json jsonl ndjson prn asc psv ssv xlsx xlsm parquet pq parq`;
    const drawn = fc.record({
      ticker: fc.stringMatching(/^Q[A-Z]{2,3}$/),
      before: fc.constantFrom('', 'BATS_', 'NASDAQ_DLY_'),
      behind: fc.constantFrom('', '_1min', ', 1D', '_daily'),
      ending: fc.constantFrom(...endings),
      second: fc.constantFrom('', '.txt', '.csv'),
      capitals: fc.boolean(),
      packed: fc.constantFrom('', '.gz', '.zip'),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ ticker, before, behind, ending, second, capitals, packed }) => {
        const own = capitals ? ending.toUpperCase() : ending;
        const name = `${before}${ticker}${behind}.${own}${second}${packed}`;
        const path = join(folder, name);
        const rows = `date\topen\thigh\tlow\tclose\tvolume\n2024-06-11\t10\t11\t9\t10\t900\n2024-06-12\t10\t11\t9\t10\t900\n`;
        const inner = name.slice(0, name.length - packed.length);
        const data = { '': rows, '.gz': gzipSync(rows), '.zip': zipOf([{ name: inner, data: rows }]) }[
          packed
        ]!;
        writeFileSync(path, data);
        const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar: newYorkCalendar() }));
        expect([refusalsIn(deliveries), barsIn(deliveries).map(({ symbol }) => symbol)], name).toEqual([
          [],
          [ticker],
        ]);
      }),
      { seed: SEED, numRuns: inFull(300, 60) },
    );
  });

  it.each([
    ['SPY.csv', 'SPY'],
    ['spy.us.txt', 'SPY'],
    ['spy_us_d.csv', 'SPY'],
    ['SPY_1min.csv', 'SPY'],
    ['BATS_SPY, 1D.csv', 'SPY'],
    ['NASDAQ_DLY_NDAQ, 15.csv', 'NDAQ'],
    ['SPY Historical Data.csv', 'SPY'],
    ['SPY_daily (1).csv', 'SPY'],
    ['BRK-B.csv', 'BRK.B'],
    ['^GSPC.csv', '^SPX'],
    ['VIX_History.csv', '^VIX'],
    ['^spx_d.csv', '^SPX'],
    ['spy_d.csv', 'SPY'],
    ['TVC_VIX, 1D.csv', '^VIX'],
    ['NASDAQ_AAPL, 1D_a1b2c.csv', 'AAPL'],
    ['AAPL.OQ.csv', 'AAPL'],
    ['BRK_B.csv', 'BRK.B'],
    ['GSPC.csv', '^SPX'],
    ['AAPL copy.csv', 'AAPL'],
  ])('of %s is %s', (name, symbol) => {
    expect(symbolOfFile(name)).toEqual({ symbol });
  });

  it.each<[string, string]>([
    ['prices.csv', 'no symbol'],
    ...words`portfolio results out file_1 Book1 test1 untitled df`.map((name): [string, string] => [
      `${name}.csv`,
      'no symbol',
    ]),
    ['9984.T.csv', 'listed in another country'],
    ['0700.HK.csv', 'listed in another country'],
    ['my_backup.csv', 'no symbol'],
    ['SHOP_TO.csv', '2 that could be symbols (SHOP, TO)'],
    ['SPY_QQQ.csv', '2 that could be symbols (SPY, QQQ)'],
    ['SAP.DE.csv', 'listed in another country'],
    ['ry.to_daily.csv', 'listed in another country'],
  ])('is not guessed of %s', (name, why) => {
    expect(symbolOfFile(name)).toEqual({ fault: expect.stringContaining(why) });
  });
});
