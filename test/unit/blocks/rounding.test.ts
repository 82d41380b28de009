import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../src/base/schema.ts';
import { rounderOf, toPlaces } from '../../../src/derive/rounding.ts';
import { between, forAll, wholeBetween } from '../../support/for-all.ts';

const fields = Type.Object({
  last_price: Type.Number(),
  bullish_confluence: Type.Number(),
  gap_pct: Type.Number(),
  beta: Type.Number(),
  volume: Type.Integer(),
  note: Type.String(),
});
const round = rounderOf(fields) as (value: object) => Record<string, number>;

describe('rounding of wire values', () => {
  it('keeps the places that a unit means something to', () => {
    const exact = {
      last_price: 165.43333333,
      bullish_confluence: 41.256789,
      gap_pct: -1.4699999999999989,
      beta: 0.000123456789,
      volume: 680_023,
      note: '1.23456',
    };
    expect(round(exact)).toEqual({
      last_price: 165.4333,
      bullish_confluence: 41.26,
      gap_pct: -1.47,
      beta: 0.0001235,
      volume: 680_023,
      note: '1.23456',
    });
    expect(exact.last_price).toBe(165.43333333);
  });

  it('rounds lists, maps and nullable records, and keeps null and the order of fields', () => {
    const Nested = Type.Object({
      rows: Type.Array(Type.Number()),
      inputs: mapOf(Type.Union([Type.Number(), Type.String(), Type.Null()]), 'By name.'),
      inner: Type.Union([Type.Object({ price: Type.Number() }), Type.Null()]),
    });
    const value = {
      inputs: { a: 1.23456789, b: 'x', c: null },
      inner: { price: 2.00004 },
      rows: [1.5, 2.000001],
    };
    expect(JSON.stringify(rounderOf(Nested)(value))).toBe(
      '{"inputs":{"a":1.2346,"b":"x","c":null},"inner":{"price":2},"rows":[1.5,2]}',
    );
    expect(rounderOf(Nested)({ ...value, inner: null })).toMatchObject({ inner: null });
  });

  it('leaves what is rounded already, however large', () => {
    const turnover = 4_326_168_551.1;
    expect(toPlaces(turnover, 6)).toBe(turnover);
    expect(toPlaces(turnover + 1e-6, 6)).toBe(4_326_168_551.1);
    forAll([between(1e8, 1e15), wholeBetween(0, 6)], (value, places) => {
      const once = toPlaces(value, places);
      expect(toPlaces(once, places)).toBe(once);
    });
  });

  it('moves no number by more than half a place, treats falls as rises and is done once', () => {
    forAll([between(-1e9, 1e9)], (value) => {
      const exact = { last_price: value, bullish_confluence: value, gap_pct: value };
      const once = round(exact);
      const mirrored = round({ last_price: -value, bullish_confluence: -value, gap_pct: -value });
      expect(Math.abs(once.bullish_confluence! - value)).toBeLessThanOrEqual(0.005 + 1e-6);
      expect(Math.abs(once.gap_pct! - value)).toBeLessThanOrEqual(0.00005 + 1e-6);
      expect(round(once)).toEqual(once);
      expect(mirrored.gap_pct! + once.gap_pct!).toBe(0);
    });
  });
});
