import { tableFromIPC } from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, columnsOf, SERIES, type SeriesKind } from '../../../src/market/series.ts';
import { type ReadBytes, readRows } from '../../../src/tape/segment-file.ts';
import { segmentImage } from '../../support/tape.ts';

/** Columns whose every cell names its own place. */
const numbered = (kind: SeriesKind, rows: number, seed: number): Columns =>
  columnsOf(kind, (name, index) =>
    Float64Array.from({ length: rows }, (_, row) =>
      name === 'time' ? 1_381_411_800_000 + row * 60_000 : seed + index * 1_000 + row / 7,
    ),
  );

const bytesOf =
  (image: Uint8Array): ReadBytes =>
  (target, position) =>
    target.set(image.subarray(position, position + target.length));

describe('segment files', () => {
  const kinds = Object.keys(SERIES) as SeriesKind[];

  it.each(kinds)('read back any rows of any batch of %s to the bit', (kind) => {
    const batches = [7, 1, 391, 64].map((rows, index) => ({
      symbol: `S${index}`,
      columns: numbered(kind, rows, index * 10_000),
    }));
    const { image, placements } = segmentImage(kind, batches);
    fc.assert(
      fc.property(fc.nat(batches.length - 1), fc.nat(400), fc.nat(400), (batch, a, b) => {
        const { columns } = batches[batch]!;
        const [from, to] = [
          Math.min(a, b, columns.time.length),
          Math.min(Math.max(a, b), columns.time.length),
        ];
        const read = readRows(bytesOf(image), kind, placements[batch]!, from, to);
        for (const name of SERIES[kind]) expect(read[name]).toEqual(columns[name]!.slice(from, to));
      }),
      { numRuns: 50 },
    );
  });

  it('are Arrow files that other tools read: one table with symbols and UTC times', () => {
    const columns = numbered('bars-1m', 3, 5);
    const { image } = segmentImage('bars-1m', [
      { symbol: 'IBM', columns },
      { symbol: 'SPY', columns },
    ]);
    const table = tableFromIPC(image);
    expect(table.schema.fields.map((field) => `${field.name}: ${field.type}`)).toEqual([
      'time: Timestamp<MILLISECOND, UTC>',
      'open: Float64',
      'high: Float64',
      'low: Float64',
      'close: Float64',
      'volume: Float64',
      'symbol: Dictionary<Int32, Utf8>',
    ]);
    expect(table.toArray().map((row) => row?.symbol)).toEqual(['IBM', 'IBM', 'IBM', 'SPY', 'SPY', 'SPY']);
    expect(table.get(4)?.close).toBe(columns.close![1]);
    expect(Number(table.get(4)?.time)).toBe(columns.time[1]);
  });

  it('keep NaN, which means a side without a quote', () => {
    const columns = numbered('quotes-1m', 2, 0);
    columns.bidOpen![1] = Number.NaN;
    const { image, placements } = segmentImage('quotes-1m', [{ symbol: 'SPY', columns }]);
    expect(readRows(bytesOf(image), 'quotes-1m', placements[0]!, 0, 2).bidOpen).toEqual(columns.bidOpen);
  });
});
