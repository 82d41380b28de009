import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkScreen,
  NEAR_MISSES_MAX,
  SELECT_MAX,
  SORT_KEYS_MAX,
} from '../../../../src/analysis/screening/check.ts';
import { COMPUTED_MAX } from '../../../../src/analysis/screening/check-computed.ts';
import { DEPTH_MAX, NODES_MAX, VALUES_MAX } from '../../../../src/analysis/screening/check-conditions.ts';
import type { Screen, ScreenFault } from '../../../../src/analysis/screening/screen.ts';
import { forAll } from '../../../support/for-all.ts';
import { words } from '../../../support/tables.ts';
import { FIELD_MAP } from './made-up-table.ts';

function screenOf(body: unknown): Screen {
  const { screen, faults } = checkScreen(body, FIELD_MAP);
  expect(faults).toEqual([]);
  return screen!;
}

function faultsOf(body: unknown): readonly ScreenFault[] {
  const { screen, faults } = checkScreen(body, FIELD_MAP);
  expect(screen).toBeNull();
  return faults;
}

/** Place and rule of each fault. */
const inShort = (faults: readonly ScreenFault[]): string[] =>
  faults.map(({ path, type }) => `${path.join('.')}: ${type}`);

const PRICE = { field: 'price', op: '>', value: 1 };
const field = (path: string) => ({ kind: 'field', path });

describe('a request that is understood', () => {
  it('selects everything by default', () => {
    expect(checkScreen({}, FIELD_MAP, ['price', 'computed.x']).screen).toEqual({
      filter: null,
      computed: new Map(),
      sort: [],
      select: [field('price'), { kind: 'computed', name: 'x' }],
      nearMisses: 0,
    });
  });

  it('takes null for absent, and leaves pages and dates to others', () => {
    const body = { filter: null, computed: null, sort: null, select: null, near_misses: null };
    expect(screenOf({ ...body, limit: 'x', cursor: 1, date: [] })).toEqual(screenOf({}));
  });

  it('is a tree', () => {
    const { filter } = screenOf({
      filter: {
        all: [
          { any: [PRICE, { not: { field: 'halted', op: '=', value: true } }] },
          { field: 'bias', op: 'in', value: ['bullish', 'neutral'] },
          { field: 'sector', op: '!=', value: 'Energy' },
          { field: 'price', op: '>=', other: 'technical.vwap' },
          { field: 'volume', op: '<', other: 'computed.twice' },
          { field: 'bias', op: '=', other: 'sector' },
          { field: 'graded', op: 'between', value: ['2024-02-29', '2024-03-01'] },
          { field: 'seen', op: '<=', value: '1970-01-02T01:00:00.5+01:00' },
          { field: 'technical.daily_atr.14', op: 'is_null' },
        ],
      },
      computed: { twice: '2 * volume' },
    });
    expect(filter).toEqual({
      kind: 'all',
      of: [
        {
          kind: 'any',
          of: [
            { kind: 'compare', left: field('price'), by: '>', right: 1 },
            { kind: 'not', of: { kind: 'compare', left: field('halted'), by: '=', right: true } },
          ],
        },
        { kind: 'in', left: field('bias'), values: ['bullish', 'neutral'] },
        { kind: 'compare', left: field('sector'), by: '!=', right: 'Energy' },
        {
          kind: 'compare_fields',
          type: 'number',
          left: field('price'),
          by: '>=',
          right: field('technical.vwap'),
        },
        {
          kind: 'compare_fields',
          type: 'number',
          left: field('volume'),
          by: '<',
          right: { kind: 'computed', name: 'twice' },
        },
        { kind: 'compare_fields', type: 'text', left: field('bias'), by: '=', right: field('sector') },
        // 2024-02-29 is 54 years of 365 days, 13 leap days, 31 days of January and 28 of February after 1970-01-01.
        { kind: 'between', left: field('graded'), low: 19_782, high: 19_783 },
        { kind: 'compare', left: field('seen'), by: '<=', right: 86_400_500 },
        { kind: 'is_null', left: field('technical.daily_atr.14') },
      ],
    });
  });

  it('sorts ascending by default, and selects each field once', () => {
    const { sort, select } = screenOf({
      sort: [{ field: 'price' }, { field: 'computed.x', order: 'desc' }, { field: 'bias', order: 'asc' }],
      select: ['price', 'bias', 'price', 'computed.x'],
      computed: { x: '1' },
    });
    expect(sort.map(({ descending }) => descending)).toEqual([false, true, false]);
    expect(select).toEqual([field('price'), field('bias'), { kind: 'computed', name: 'x' }]);
  });

  it('puts what is computed after what it is computed from', () => {
    const { computed } = screenOf({
      computed: { a: 'computed.b + computed.c', b: 'computed.c * 2', c: 'price', d: 'computed.a' },
    });
    expect([...computed.keys()]).toEqual(['c', 'b', 'a', 'd']);
  });

  it('may compare with the bounds of a number', () => {
    screenOf({ filter: { field: 'volume', op: '>', value: 2.5 } });
    screenOf({ filter: { field: 'price', op: 'between', value: [3, 3] } });
    screenOf({ filter: { field: 'sector', op: '=', value: '' } });
  });
});

describe('faults of conditions', () => {
  it.each<[node: unknown, faults: string[]]>([
    [1, [': dict_type']],
    [[], [': dict_type']],
    ['price > 1', [': dict_type']],
    [{}, ['.field: missing', '.op: missing']],
    [{ field: 'price' }, ['.op: missing']],
    [{ op: '<' }, ['.field: missing']],
    [{ field: 'price', op: '<' }, ['.value: missing']],
    [{ field: 'price', op: 'in' }, ['.value: missing']],
    [{ ...PRICE, note: 1 }, ['.note: extra_forbidden']],
    [{ ...PRICE, other: 'volume' }, ['.value: extra_forbidden']],
    [{ field: 'price', op: 'is_null', value: true }, ['.value: extra_forbidden']],
    [{ field: 'price', op: 'is_null', other: 'volume' }, ['.other: extra_forbidden']],
    [{ field: 'price', op: 'in', value: [1], other: 'volume' }, ['.other: extra_forbidden']],
    [{ all: [PRICE], any: [PRICE] }, ['.any: extra_forbidden']],
    [{ not: PRICE, field: 'price' }, ['.field: extra_forbidden']],
    [{ all: [] }, ['.all: too_short']],
    [{ any: PRICE }, ['.any: list_type']],
    [{ not: [PRICE] }, ['.not: dict_type']],
    [{ all: null }, ['.all: list_type']],
    [{ field: 1, op: '<', value: 1 }, ['.field: string_type']],
    [{ field: 'pric', op: '<', value: 1 }, ['.field: literal_error']],
    [{ field: 'computed.x', op: '<', value: 1 }, ['.field: literal_error']],
    [{ field: 'price', op: '==', value: 1 }, ['.op: literal_error']],
    [{ field: 'price', op: null, value: 1 }, ['.op: literal_error']],
    [{ field: 'price', op: ['<'], value: 1 }, ['.op: literal_error']],
    [{ field: 'price', op: '<', value: '1' }, ['.value: float_type']],
    [{ field: 'price', op: '<', value: 'NaN' }, ['.value: float_type']],
    [{ field: 'price', op: '<', value: 'Infinity' }, ['.value: float_type']],
    [{ field: 'price', op: '<', value: JSON.parse('1e999') }, ['.value: finite_number']],
    [{ field: 'price', op: '=', value: null }, ['.value: value_error']],
    [{ field: 'price', op: '<', value: [1] }, ['.value: float_type']],
    [{ field: 'price', op: '<', value: true }, ['.value: float_type']],
    [{ field: 'volume', op: '<', value: {} }, ['.value: float_type']],
    [{ field: 'halted', op: '=', value: 1 }, ['.value: bool_type']],
    [{ field: 'halted', op: '=', value: 'true' }, ['.value: bool_type']],
    [{ field: 'halted', op: '<', value: true }, ['.op: literal_error']],
    [{ field: 'bias', op: '>', value: 'bullish' }, ['.op: literal_error']],
    [{ field: 'bias', op: 'between', value: ['a', 'b'] }, ['.op: literal_error']],
    [{ field: 'bias', op: '=', value: 'BULLISH' }, ['.value: literal_error']],
    [{ field: 'bias', op: '=', value: 1 }, ['.value: string_type']],
    [
      { field: 'bias', op: 'in', value: ['bullish', 'up', 2] },
      ['.value.1: literal_error', '.value.2: string_type'],
    ],
    [{ field: 'bias', op: 'in', value: 'bullish' }, ['.value: list_type']],
    [{ field: 'bias', op: 'in', value: [] }, ['.value: too_short']],
    [{ field: 'sector', op: '=', value: 'x'.repeat(1_001) }, ['.value: string_too_long']],
    [{ field: 'price', op: 'between', value: [1] }, ['.value: list_type']],
    [{ field: 'price', op: 'between', value: [1, 2, 3] }, ['.value: list_type']],
    [{ field: 'price', op: 'between', value: [2, 1] }, ['.value: value_error']],
    [
      { field: 'price', op: 'between', value: ['a', null] },
      ['.value.0: float_type', '.value.1: value_error'],
    ],
    [{ field: 'graded', op: '<', value: 20_000 }, ['.value: date_type']],
    [{ field: 'graded', op: '<', value: '2023-02-29' }, ['.value: date_parsing']],
    [{ field: 'graded', op: '<', value: '2023-2-01' }, ['.value: date_parsing']],
    [{ field: 'graded', op: '<', value: '2023-13-01' }, ['.value: date_parsing']],
    [{ field: 'graded', op: '<', value: '0023-01-01' }, ['.value: date_parsing']],
    [{ field: 'graded', op: '<', value: '2023-01-01T00:00:00Z' }, ['.value: date_parsing']],
    [{ field: 'seen', op: '<', value: 1 }, ['.value: datetime_type']],
    [{ field: 'seen', op: '<', value: '2023-01-01' }, ['.value: datetime_parsing']],
    [{ field: 'seen', op: '<', value: '2023-01-01T10:00:00' }, ['.value: datetime_parsing']],
    [{ field: 'seen', op: '<', value: '2023-01-01T24:00:00Z' }, ['.value: datetime_parsing']],
    [{ field: 'seen', op: '<', value: '2023-01-01T10:60:00Z' }, ['.value: datetime_parsing']],
    [{ field: 'seen', op: '<', value: '2023-01-01T10:00:00+25:00' }, ['.value: datetime_parsing']],
    [{ field: 'seen', op: '<', value: '2023-01-32T10:00:00Z' }, ['.value: datetime_parsing']],
    [{ field: 'price', op: '<', other: 'bias' }, ['.other: value_error']],
    [{ field: 'graded', op: '<', other: 'seen' }, ['.other: value_error']],
    [{ field: 'halted', op: '=', other: 'price' }, ['.other: value_error']],
    [{ field: 'computed.x', op: '<', other: 'price' }, ['.field: literal_error']],
    [{ field: 'bias', op: '<', other: 'bias_before' }, ['.op: literal_error']],
    [{ field: 'price', op: '<', other: 1 }, ['.other: string_type']],
    [{ field: 'price', op: '<', other: 'prize' }, ['.other: literal_error']],
  ])('%j', (node, faults) => {
    expect(inShort(faultsOf({ filter: node }))).toEqual(faults.map((fault) => `filter${fault}`));
    // The same fault within a tree is reported at its place there.
    expect(inShort(faultsOf({ filter: { any: [PRICE, { not: node }] } }))).toEqual(
      faults.map((fault) => `filter.any.1.not${fault}`),
    );
  });

  it('reports all faults at once', () => {
    const body = {
      filter: {
        all: [
          { field: 'price', op: '<', value: 'a' },
          { field: 'bias', op: '=', value: 'up' },
        ],
      },
      computed: { x: '1 +', '1y': '1' },
      sort: [{ field: 'nothing', order: 'up' }, 'price', {}],
      select: ['price', 'pricee', 3],
      near_misses: 1.5,
      page: 1,
    };
    expect(inShort(faultsOf(body)).sort()).toEqual([
      'computed.1y: value_error',
      'computed.x: value_error',
      'filter.all.0.value: float_type',
      'filter.all.1.value: literal_error',
      'near_misses: int_type',
      'page: extra_forbidden',
      'select.1: literal_error',
      'select.2: string_type',
      'sort.0.field: literal_error',
      'sort.0.order: literal_error',
      'sort.1: dict_type',
      'sort.2.field: missing',
    ]);
  });

  it('lists the words of a closed vocabulary and the operators of a type', () => {
    const [word] = faultsOf({ filter: { field: 'bias', op: '=', value: 'up' } });
    expect(word).toEqual({
      path: ['filter', 'value'],
      type: 'literal_error',
      msg: "Input should be 'bullish', 'bearish' or 'neutral'",
      input: 'up',
      ctx: { expected: "'bullish', 'bearish' or 'neutral'" },
    });
    const [operator] = faultsOf({ filter: { field: 'bias', op: '<', value: 'up' } });
    expect(operator!.ctx).toEqual({ expected: "'=', '!=', 'in', 'not_in', 'is_null' or 'not_null'" });
  });

  it.each([
    ['daily_atr.14', 'technical.daily_atr.14'],
    ['vwap', 'technical.vwap'],
    ['levels.vwap', 'technical.vwap'],
    ['Price', 'price'],
    ['pirce', 'price'],
    ['volumes', 'volume'],
    ['technical.daly_atr.14', 'technical.daily_atr.14'],
    ['report', 'reported'],
    ['computed.rang', 'computed.range'],
  ])('names the field that %s may have meant', (name, meant) => {
    const [fault] = faultsOf({ filter: { field: name, op: 'is_null' }, computed: { range: '1' } });
    expect(fault!.msg).toMatch(`is called '${name}'; did you mean '${meant}'?`);
    expect(fault!.ctx).toEqual({ expected: `'${meant}'` });
  });

  it('guesses at nothing where nothing is near', () => {
    const [fault] = faultsOf({ filter: { field: 'xyzzy', op: 'is_null' } });
    expect(fault!.msg).toBe("no field is called 'xyzzy'; the catalogue of fields lists them all");
    expect(fault).not.toHaveProperty('ctx');
  });
});

describe('faults of computed numbers', () => {
  it.each<[computed: unknown, faults: string[]]>([
    ['price', ['computed: dict_type']],
    [['price'], ['computed: dict_type']],
    [{ x: 1 }, ['computed.x: string_type']],
    [{ x: null }, ['computed.x: string_type']],
    [{ '': '1' }, ['computed.: value_error']],
    [{ 'a.b': '1' }, ['computed.a.b: value_error']],
    [{ _a: '1' }, ['computed._a: value_error']],
    [{ é: '1' }, ['computed.é: value_error']],
    [{ x: '1'.padEnd(2_001) }, ['computed.x: string_too_long']],
    [{ x: 'pric + volum' }, ['computed.x: literal_error', 'computed.x: literal_error']],
    [{ x: 'pric + pric' }, ['computed.x: literal_error']],
    [{ x: 'computed.y' }, ['computed.x: literal_error']],
    [{ x: 'halted + 1' }, ['computed.x: value_error']],
    [{ x: 'graded - reported' }, ['computed.x: value_error', 'computed.x: value_error']],
    [{ x: 'seen' }, ['computed.x: value_error']],
    [{ x: 'sector' }, ['computed.x: value_error']],
    [{ x: 'computed.x' }, ['computed.x: value_error']],
    [{ x: 'computed.y', y: 'computed.z', z: 'computed.x + price' }, ['computed.x: value_error']],
    [{ a: 'computed.b', b: 'computed.b + computed.b' }, ['computed.b: value_error']],
    [{ x: 'constructor.constructor("return process")()' }, ['computed.x: value_error']],
  ])('%j', (computed, faults) => {
    expect(inShort(faultsOf({ computed }))).toEqual(faults);
  });

  it('reports the place within the text', () => {
    expect(faultsOf({ computed: { x: 'price + (volumes - 1)' } })).toEqual([
      {
        path: ['computed', 'x'],
        type: 'literal_error',
        msg: "At offset 9: no field is called 'volumes'; did you mean 'volume'?",
        input: 'volumes',
        ctx: { expected: "'volume'", offset: 9 },
      },
    ]);
    const [fault] = faultsOf({ computed: { x: 'price + * 2' } });
    expect(fault!.msg).toBe("At offset 8: a value is expected, not '*'");
    expect(fault!.ctx).toMatchObject({ offset: 8 });
  });

  it('reports the whole loop', () => {
    const [fault] = faultsOf({ computed: { a: 'computed.b', b: 'computed.c', c: '1 - computed.b' } });
    expect(fault!.msg).toBe('the number refers to itself: b -> c -> b');
  });

  it('knows a computed number by its name although its expression is wrong', () => {
    const faults = faultsOf({ computed: { x: '1 +' }, sort: [{ field: 'computed.x' }] });
    expect(inShort(faults)).toEqual(['computed.x: value_error']);
  });
});

describe('limits, on both sides', () => {
  const conditions = (count: number) => Array(count).fill(PRICE);
  const nested = (levels: number): unknown => {
    let node: unknown = PRICE;
    for (let level = 1; level < levels; level++) node = level % 2 === 0 ? { not: node } : { any: [node] };
    return node;
  };
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, '1']));

  it.each<[what: string, most: number, of: (count: number) => unknown, fault: string]>([
    [
      'conditions and groups',
      NODES_MAX,
      (n) => ({ filter: { all: conditions(n - 1) } }),
      'filter.all.499: too_long',
    ],
    [
      'levels',
      DEPTH_MAX,
      (n) => ({ filter: nested(n) }),
      `filter.${'not.any.0.'.repeat(DEPTH_MAX / 2).slice(0, -1)}: value_error`,
    ],
    [
      'values',
      VALUES_MAX,
      (n) => ({ filter: { field: 'price', op: 'in', value: Array(n).fill(1) } }),
      'filter.value: too_long',
    ],
    ['computed numbers', COMPUTED_MAX, (n) => ({ computed: named(n) }), 'computed: too_long'],
    ['sort keys', SORT_KEYS_MAX, (n) => ({ sort: Array(n).fill({ field: 'price' }) }), 'sort: too_long'],
    ['fields', SELECT_MAX, (n) => ({ select: Array(n).fill('price') }), 'select: too_long'],
    ['near misses', NEAR_MISSES_MAX, (n) => ({ near_misses: n }), 'near_misses: less_than_equal'],
    ['near misses less', 0, (n) => ({ near_misses: 0 - n }), 'near_misses: greater_than_equal'],
    [
      'characters of a text',
      1_000,
      (n) => ({ filter: { field: 'sector', op: '=', value: 'é'.repeat(n) } }),
      'filter.value: string_too_long',
    ],
    [
      'characters of a name',
      64,
      (n) => ({ computed: { ['a'.repeat(n)]: '1' } }),
      `computed.${'a'.repeat(65)}: value_error`,
    ],
    [
      'characters of an expression',
      2_000,
      (n) => ({ computed: { a: '1'.padEnd(n) } }),
      'computed.a: string_too_long',
    ],
  ])('%s are %i at most', (_, most, of, fault) => {
    screenOf(of(most));
    expect(inShort(faultsOf(of(most + 1)))).toEqual([fault]);
  });
});

describe('hostile input', () => {
  it.each([
    ['not', (node: unknown) => ({ not: node })],
    ['all', (node: unknown) => ({ all: [node] })],
    ['lists', (node: unknown) => [node]],
  ])('10,000 levels of %s are one fault', (_, around) => {
    let node: unknown = PRICE;
    for (let level = 0; level < 10_000; level++) node = around(node);
    const faults = faultsOf({ filter: node });
    expect(faults).toHaveLength(1);
    expect(faults[0]!.input).toBe('(too large to be repeated)');
    // Where a value is expected, they are a value of a wrong type.
    expect(inShort(faultsOf({ filter: { field: 'price', op: '<', value: node } }))).toEqual([
      'filter.value: float_type',
    ]);
  });

  it('10,000 conditions side by side are one fault', () => {
    expect(inShort(faultsOf({ filter: { any: Array(10_000).fill(PRICE) } }))).toEqual([
      'filter.any.499: too_long',
    ]);
  });

  it('very many faults are a hundred', () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at]));
    expect(faultsOf(keys)).toHaveLength(100);
    expect(faultsOf({ filter: keys })).toHaveLength(100);
    expect(faultsOf({ filter: { field: 'price', op: 'in', value: Array(1_000).fill('x') } })).toHaveLength(
      100,
    );
    expect(faultsOf({ filter: { all: Array(400).fill({ field: 'y', op: '<' }) } })).toHaveLength(100);
  });

  it('does not repeat a megabyte', () => {
    const huge = 'x'.repeat(1_000_000);
    const body = {
      filter: {
        any: [
          { field: huge, op: '<', value: 1 },
          { field: 'sector', op: '=', value: huge },
        ],
      },
      computed: { [huge]: '1', x: huge },
      sort: [{ field: 'price', order: huge }],
      select: [huge],
      [huge]: huge,
    };
    const faults = faultsOf(body);
    expect(
      inShort(faults)
        .map((fault) => fault.slice(0, 20))
        .sort(),
    ).toEqual([
      'computed.x: string_t',
      'computed.xxxxxxxxxxx',
      'filter.any.0.field: ',
      'filter.any.1.value: ',
      'select.0: literal_er',
      'sort.0.order: litera',
      'xxxxxxxxxxxxxxxxxxxx',
    ]);
    expect(JSON.stringify(faults).length).toBeLessThan(5_000);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is a name like any other',
    (name) => {
      const own = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);
      expect(inShort(faultsOf(own({ filter: PRICE })))).toEqual([`${name}: extra_forbidden`]);
      expect(inShort(faultsOf({ filter: { ...PRICE, ...own(1) } }))).toContain(
        `filter.${name}: extra_forbidden`,
      );
      expect(inShort(faultsOf({ filter: { field: name, op: 'is_null' } }))).toEqual([
        'filter.field: literal_error',
      ]);
      expect(inShort(faultsOf({ filter: { field: `computed.${name}`, op: 'is_null' } }))).toEqual([
        'filter.field: literal_error',
      ]);
      expect(inShort(faultsOf({ filter: { field: 'price', op: name, value: 1 } }))).toEqual([
        'filter.op: literal_error',
      ]);
      expect(inShort(faultsOf({ computed: { x: name } }))).toEqual(['computed.x: literal_error']);
      expect(inShort(faultsOf({ select: [name] }))).toEqual(['select.0: literal_error']);
      expect(({} as Record<string, unknown>).filter).toBeUndefined();
    },
  );

  it('finds no key on a prototype', () => {
    const inherited = Object.create({ filter: 1, sort: 1, field: 'price', op: '<', value: 1 });
    expect(screenOf(inherited)).toEqual(screenOf({}));
    expect(inShort(faultsOf({ filter: inherited }))).toEqual(['filter.field: missing', 'filter.op: missing']);
  });

  it('takes a computed number called constructor for what it is', () => {
    const { computed, select } = screenOf({
      computed: { constructor: '1' },
      select: ['computed.constructor'],
    });
    expect(computed.get('constructor')).toEqual({ kind: 'constant', value: 1 });
    expect(select).toEqual([{ kind: 'computed', name: 'constructor' }]);
  });

  it.each([null, undefined, 1, 'x', true, [], [{}], Number.NaN])('%j is no request', (body) => {
    expect(inShort(faultsOf(body))).toEqual([': dict_type']);
  });

  it('is a screen or faults, whatever the body', () => {
    const keys = fc.constantFrom(
      ...words`
      filter computed sort select near_misses all any not field op value other order price bias seen graded
      computed.x x < = in between is_null __proto__`,
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 6, depthSize: 'medium' },
        fc.oneof(keys, fc.integer(), fc.boolean(), fc.constant(null), fc.double(), fc.string()),
        fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
        fc.array(tie('node'), { maxLength: 4 }),
      ),
    }));
    const bodies = fc.oneof(node, fc.dictionary(keys, node, { maxKeys: 5 }), fc.anything());
    forAll([bodies], { numRuns: 1_000 }, (body) => {
      const { screen, faults } = checkScreen(body, FIELD_MAP);
      expect(screen === null).toBe(faults.length > 0);
      for (const { path, type, msg } of faults) {
        expect(path.every((step) => typeof step === 'string' || Number.isInteger(step))).toBe(true);
        expect(type).toMatch(/^[a-z_]+$/);
        expect(msg).not.toBe('');
      }
    });
  });
});
