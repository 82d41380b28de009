import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { binaryKind } from '../../../src/files/binary-kinds.ts';
import { barsIn, deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const fixtures = resolve(import.meta.dirname, '../../../fixtures/binary-tables');
const folder = temporaryFolder();

async function barsOf(path: string) {
  const { feeds, readings } = await anyFiles([path], { calendar });
  const deliveries = await deliveriesOf(feeds[0]!);
  const bars = barsIn(deliveries).map(({ symbol, interval, columns }) => ({
    symbol,
    interval,
    rows: Array.from(columns.time, (time, row) => [
      time,
      columns.open[row],
      columns.close[row],
      columns.volume[row],
    ]),
  }));
  return { bars, refused: refusalsIn(deliveries), readings: await Array.fromAsync(readings()) };
}

describe('workbooks and Parquet', () => {
  it('are read as the CSV of the same table', async () => {
    const [csv] = (await barsOf(join(fixtures, 'QQWA.csv'))).bars;
    expect(csv!.rows).toHaveLength(40);
    for (const name of [
      'QQWB.xlsx',
      'QQWC.parquet',
      'QQWD.parquet',
      'dates.parquet',
      'QQWG.xlsx',
      'QQWL.xlsx',
    ]) {
      const { bars, refused } = await barsOf(join(fixtures, name));
      expect(
        refused.filter(({ reason }) => reason !== 'outside_session'),
        name,
      ).toEqual([]);
      const symbol = name.startsWith('QQ') ? name.slice(0, 4) : 'QQWE';
      expect(bars, name).toEqual([{ ...csv, symbol }]);
    }
  });

  it('have minutes with a zone, without one, and as a spreadsheet rounds them', async () => {
    for (const name of ['QQWH_1min.parquet', 'QQWI_1min.parquet', 'QQWJ_1min.xlsx']) {
      const { bars, refused } = await barsOf(join(fixtures, name));
      expect(refused, name).toEqual([]);
      expect(bars, name).toMatchObject([{ symbol: name.slice(0, 4), interval: '1m' }]);
      const times = bars[0]!.rows.map(([time]) => time);
      expect([times[0], times.at(-1), times.length], name).toEqual([
        Date.parse('2024-06-12T13:30:00Z'),
        Date.parse('2024-06-12T14:29:00Z'),
        60,
      ]);
    }
  });

  it('are refused whole where two sheets are tables, or where they are cut short', async () => {
    const two = await barsOf(join(fixtures, 'QQWF.xlsx'));
    const example =
      'a workbook with tables on 2 sheets (first, second): save the one that is meant as CSV, or in a workbook of its own';
    expect(two).toMatchObject({ bars: [], refused: [{ reason: 'ambiguous', example }] });
    expect(two.readings).toMatchObject([{ read: { reason: 'ambiguous' } }]);
    for (const name of ['QQWB.xlsx', 'QQWC.parquet']) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(join(fixtures, name)).subarray(0, 3000));
      expect(await barsOf(path), name).toMatchObject({ bars: [], refused: [{ reason: 'broken_archive' }] });
    }
  });
});

describe('binary tables within archives', () => {
  it('are refused whole, with what to do', async () => {
    for (const [name, sentence] of [
      ['QQWC.parquet', /^the file is Parquet within an archive: unpack/],
      ['QQWB.xlsx', /^an archive or a workbook within an archive: unpack/],
    ] as const) {
      const data = readFileSync(join(fixtures, name));
      for (const [packed, bytes] of [
        [`${name}.gz`, gzipSync(data)],
        [`${name}.zip`, zipOf([{ name, data }])],
        [
          `two-${name}.zip`,
          zipOf([
            { name, data },
            { name: `2${name}`, data },
          ]),
        ],
      ] as const) {
        const path = join(folder, packed);
        writeFileSync(path, bytes);
        const { bars, refused, readings } = await barsOf(path);
        expect(bars, packed).toEqual([]);
        expect(new Set(refused.map(({ reason }) => reason)), packed).toEqual(new Set(['unknown_format']));
        for (const { example } of refused) expect(example, packed).toMatch(sentence);
        for (const { read } of readings) expect(read, packed).toMatchObject({ reason: 'unknown_format' });
      }
    }
  });
});

describe('binary files', () => {
  const cases: [string, string, string][] = [
    ['QQWK.csv.bz2', 'BZh91AY&SY\x90\x01', 'packed by bzip2'],
    ['QQWK.csv.xz', '\xfd7zXZ\0\0', 'packed by xz'],
    ['QQWK.feather', 'ARROW1\0\0', 'Arrow or Feather'],
    ['QQWK.pkl', '\x80\x04\x95\x10', 'a pickle of Python'],
    ['QQWK.xls', '\xd0\xcf\x11\xe0\xa1', 'an old workbook (.xls)'],
    ['QQWK.duckdb', '\x01\x02\x03\x04\x05\x06\x07\x08DUCK\0', 'a DuckDB database'],
    ['QQWK.db', 'SQLite format 3\0', 'an SQLite database'],
    ['QQWK.h5', '\x89HDF\r\n\x1a\n', 'HDF5'],
  ];
  it.each(cases)('%s is refused by its kind with what to save instead', async (name, bytes, kind) => {
    const path = join(folder, name);
    writeFileSync(path, Buffer.from(bytes, 'latin1'));
    const { bars, refused } = await barsOf(path);
    expect(bars).toEqual([]);
    expect(refused).toMatchObject([{ reason: 'unknown_format', count: 1 }]);
    expect(refused[0]!.example).toMatch(new RegExp(`^the file is ${RegExp.escape(kind)}: \\w+`));
  });

  it('are no texts that begin with the same letters', () => {
    for (const text of ['ORCL,2024-06-12', 'BZh,open', 'Rar!,1', 'FEA1,2'])
      expect(binaryKind(Buffer.from(text))).toBeNull();
  });
});
