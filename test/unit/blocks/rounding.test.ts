import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { listOf, mapOf, nullable } from '../../../src/base/schema.ts';
import { rounderOf, roundingOf, toPlaces } from '../../../src/derive/rounding.ts';
import { anyCharacter, between, forAll, wholeBetween } from '../../support/for-all.ts';

const fields = Type.Object({
  last_price: Type.Number(),
  bullish_confluence: Type.Number(),
  gap_pct: Type.Number(),
  beta: Type.Number(),
  volume: Type.Integer(),
  note: Type.String(),
});
const round = rounderOf(fields) as (value: object) => Record<string, number>;

const Part = Type.Object({
  ratio: Type.Number(),
  gap_pct: Type.Number(),
  contribution: Type.Number(),
  weight: Type.Number(),
  volume: Type.Integer(),
  note: Type.String(),
});
const Whole = Type.Object({
  part: nullable(Part),
  parts: listOf(Part, 'Several.'),
  rows: Type.Array(Type.Number()),
  inputs: mapOf(Type.Union([Type.Number(), Type.String(), Type.Null()]), 'By name.'),
  note: Type.String(),
});
const UNITS: Readonly<Record<string, string>> = {
  gap_pct: 'percent',
  contribution: 'points',
  weight: 'fraction',
};

/** Keys in any order, some absent, some undefined, one that the schema lacks. */
const shuffled = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ ...fields, other: fc.option(fc.double(), { nil: undefined }) })
    .chain((whole) =>
      fc
        .shuffledSubarray(Object.entries(whole))
        .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
    );

const drawnNumber = fc.oneof(
  fc.double(),
  between(-1e4, 1e4),
  between(-0.02, 0.02),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, null, undefined),
);
const drawnPart = shuffled({
  ratio: drawnNumber,
  gap_pct: drawnNumber,
  contribution: drawnNumber,
  weight: drawnNumber,
  volume: fc.integer(),
  note: fc.string({ unit: anyCharacter }),
});
const drawnWhole = shuffled({
  part: fc.option(drawnPart),
  parts: fc.array(drawnPart),
  rows: fc.array(drawnNumber),
  inputs: fc.dictionary(fc.string(), fc.oneof(drawnNumber, fc.string())),
  note: fc.string(),
});

/** Every number on its way into the text, by its name alone. */
const roundedText = (value: unknown): string =>
  JSON.stringify(value, (name, each) =>
    typeof each === 'number' && name !== 'other' && name !== 'volume'
      ? roundingOf(UNITS[name] ?? 'ratio')(each)
      : each,
  );

describe('rounding of wire values', () => {
  it('gives the JSON text of a value with every number rounded, whatever keys it has in whatever order', () => {
    const roundWhole = rounderOf(Whole);
    forAll([drawnWhole], (value) => {
      const before = JSON.stringify(value);
      expect(JSON.stringify(roundWhole(value))).toBe(roundedText(value));
      expect(JSON.stringify(value)).toBe(before);
    });
  });

  it('reads a getter once, in its place', () => {
    const read: string[] = [];
    const value = {
      get gap_pct() {
        read.push('gap_pct');
        return 1.23456;
      },
      ratio: 2,
      get note() {
        read.push('note');
        return 'made when asked';
      },
    };
    const text = JSON.stringify(rounderOf(Part)(value));
    expect(text).toBe('{"gap_pct":1.2346,"ratio":2,"note":"made when asked"}');
    expect(read).toEqual(['gap_pct', 'note']);
  });

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
