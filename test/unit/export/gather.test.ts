import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportColumn } from '../../../src/export/column.ts';
import { gather } from '../../../src/export/gather.ts';
import { forAll } from '../../support/for-all.ts';

const column = (name: string, type: ExportColumn['type']): ExportColumn => ({
  ...{ name, path: name, type },
  ...{ unit: null, description: '', words: null },
});
const COLUMNS = [column('trade_date', 'text'), column('symbol', 'text'), column('value', 'number')];

/** Empty, absent, equal and other texts beside each other. */
const text = fc.constantFrom(null, '', 'a', 'bc', 'é', 'bc');
const row = fc.record({
  trade_date: fc.constant('2026-01-02'),
  symbol: text,
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => drawn + 0)),
});
type Row = { readonly trade_date: string; readonly symbol: string | null; readonly value: number | null };

const arrowOf = (rows: readonly Row[]): Uint8Array =>
  tableToIPC(
    new Table({
      trade_date: vectorFromArray(
        rows.map(({ trade_date }) => trade_date),
        new Utf8(),
      ),
      symbol: vectorFromArray(
        rows.map(({ symbol }) => symbol),
        new Utf8(),
      ),
      value: vectorFromArray(
        rows.map(({ value }) => value),
        new Float64(),
      ),
    }),
    'stream',
  );

describe('rows that leave', () => {
  it('have the values of their source, from Arrow and from JSON', () => {
    forAll([fc.array(row, { minLength: 1, maxLength: 30 })], (rows) => {
      const sources = [{ arrow: arrowOf(rows) }, { json: JSON.stringify(rows), at: [] }];
      const { numbers, texts } = gather(COLUMNS, { sources, isSorted: false });
      const twice = [...rows, ...rows];
      expect(texts.get('symbol')).toEqual(twice.map(({ symbol }) => symbol));
      expect([...numbers.get('value')!]).toEqual(twice.map(({ value }) => value ?? Number.NaN));
    });
  });
});
