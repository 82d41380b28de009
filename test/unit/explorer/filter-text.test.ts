import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, FilterFault, writeFilter } from '../../../explorer/src/shared/screening/filter.ts';
import { readFilter } from '../../../explorer/src/shared/screening/filter-text.ts';

describe('a screen as text', () => {
  it.each<[string, Filter | null]>([
    ['', null],
    ['   ', null],
    ['technical.rsi_14 < 35', { field: 'technical.rsi_14', op: '<', value: 35 }],
    ['halted = true', { field: 'halted', op: '=', value: true }],
    ['company_name != "Ford Motor"', { field: 'company_name', op: '!=', value: 'Ford Motor' }],
    ['symbol = "7"', { field: 'symbol', op: '=', value: '7' }],
    ['last_price >= {technical.sma_200}', { field: 'last_price', op: '>=', other: 'technical.sma_200' }],
    [
      'gex_regime in (short_gamma, neutral)',
      { field: 'gex_regime', op: 'in', value: ['short_gamma', 'neutral'] },
    ],
    ['gex_regime not in (x)', { field: 'gex_regime', op: 'not_in', value: ['x'] }],
    ['rel_volume between 1 and 2.5', { field: 'rel_volume', op: 'between', value: [1, 2.5] }],
    ['gex is null', { field: 'gex', op: 'is_null' }],
    ['gex IS NOT NULL', { field: 'gex', op: 'not_null' }],
  ])('%j is read', (text, filter) => {
    expect(readFilter(text)).toEqual(filter);
  });

  it('binds and closer than or, and not closest', () => {
    const one = (field: string): Filter => ({ field, op: '=', value: 1 });
    expect(readFilter('a = 1 or b = 1 and not c = 1')).toEqual({
      any: [one('a'), { all: [one('b'), { not: one('c') }] }],
    });
    expect(readFilter('(a = 1 or b = 1) and c = 1')).toEqual({
      all: [{ any: [one('a'), one('b')] }, one('c')],
    });
    // The and of between is none of the filter.
    expect(readFilter('a between 1 and 2 and b = 1')).toEqual({
      all: [{ field: 'a', op: 'between', value: [1, 2] }, one('b')],
    });
  });

  it.each([
    ['rsi <', 5, /Expected a value, not the end/],
    ['rsi < < 3', 6, /Expected a value, not </],
    ['rsi 35', 4, /Expected <, <=, =, !=, >=, >, between, in or is, not 35/],
    ['rsi < 3 volume > 1', 8, /Expected and, or, or the end, not volume/],
    ['(rsi < 3', 8, /Expected \), not the end/],
    ['name = "Ford', 7, /This is not understood: "Ford/],
    ['a in ()', 6, /Expected a value, not \)/],
  ])('%j is refused at its place', (text, at, sentence) => {
    const refused = (() => {
      try {
        return readFilter(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(FilterFault);
    expect(refused).toMatchObject({ at, message: expect.stringMatching(sentence) });
  });

  it('is written as it is read, whatever the filter', () => {
    const field = fc.constantFrom('rel_volume', 'technical.rsi_14', 'gex_regime');
    const value = fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '(', ',', '<', '=', '.', '-') }),
    );
    const leaf = fc.oneof(
      fc.record({ field, op: fc.constantFrom('<', '<=', '=', '!=', '>=', '>'), value }),
      fc.record({ field, op: fc.constantFrom('<', '='), other: field }),
      fc.record({ field, op: fc.constantFrom('is_null', 'not_null') }),
      fc.record({ field, op: fc.constant('between'), value: fc.tuple(value, value) }),
      fc.record({ field, op: fc.constantFrom('in', 'not_in'), value: fc.array(value, { minLength: 1 }) }),
    ) as fc.Arbitrary<Filter>;
    const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
      filter: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ not: tie('filter') }) as fc.Arbitrary<Filter>,
        fc.record({ all: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }) }) as fc.Arbitrary<Filter>,
        fc.record({ any: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }) }) as fc.Arbitrary<Filter>,
      ),
    }));
    fc.assert(
      fc.property(filter, (one) => {
        expect(readFilter(writeFilter(one))).toEqual(one);
      }),
    );
  });
});
