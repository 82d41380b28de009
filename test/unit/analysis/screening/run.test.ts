import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkScreen } from '../../../../src/analysis/screening/check.ts';
import { orderRows } from '../../../../src/analysis/screening/order.ts';
import { runScreen } from '../../../../src/analysis/screening/run.ts';
import type { Screened, ScreenTable } from '../../../../src/analysis/screening/screen.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { FIELD_MAP, type PlainStock, type PlainValue, stocksOf, tableOf } from './made-up-table.ts';
import { plainScreen, type WireNode } from './plain-screen.ts';

function screened(body: unknown, table: ScreenTable): Screened {
  const { screen, faults } = checkScreen(body, FIELD_MAP);
  expect(faults).toEqual([]);
  return runScreen(screen!, table);
}

const symbolsOf = ({ rows }: Screened, table: ScreenTable): string[] =>
  Array.from(rows, (row) => table.symbols[row]!);

/** A condition as it comes over the wire. */
const is = (field: string, op: string, value?: unknown): WireNode =>
  value === undefined ? { field, op } : { field, op, value };
const beside = (field: string, op: string, other: string): WireNode => ({ field, op, other });

function selectedBy(filter: unknown, stocks: readonly PlainStock[]): string {
  const table = tableOf(stocks);
  return symbolsOf(screened({ filter }, table), table).join(' ');
}

const STOCKS = stocksOf({
  A: { price: 10, 'technical.vwap': 9, volume: 100, halted: false, bias: 'bullish', sector: 'Energy' },
  B: { price: 20, 'technical.vwap': 20, volume: 300, halted: true, bias: 'bearish', sector: 'energy' },
  C: { price: 30, volume: 200, halted: false, bias: 'neutral', sector: 'Health Care' },
  D: { 'technical.vwap': 5, volume: 0, bias: 'bullish', bias_before: 'bullish', graded: '2024-03-01' },
  E: { price: -0, graded: '2024-02-29', reported: '2024-03-01', seen: '2024-06-03T13:30:00.000Z' },
});

describe('conditions by hand', () => {
  it.each<[filter: WireNode, symbols: string]>([
    [is('price', '<', 20), 'A E'],
    [is('price', '<=', 20), 'A B E'],
    [is('price', '=', 20), 'B'],
    [is('price', '!=', 20), 'A C E'],
    [is('price', '>=', 20), 'B C'],
    [is('price', '>', 20), 'C'],
    [is('price', '=', 0), 'E'],
    [is('price', 'between', [10, 20]), 'A B'],
    [is('price', 'in', [30, 10, 11, 0]), 'A C E'],
    [is('price', 'not_in', [30, 10, 11]), 'B E'],
    [is('price', 'is_null'), 'D'],
    [is('price', 'not_null'), 'A B C E'],
    [{ not: is('price', '<', 20) }, 'B C'],
    [beside('price', '>', 'technical.vwap'), 'A'],
    [beside('price', '<=', 'technical.vwap'), 'B'],
    [beside('volume', '>', 'price'), 'A B C'],
    [is('halted', '=', false), 'A C'],
    [is('halted', '!=', false), 'B'],
    [is('halted', 'in', [true, false]), 'A B C'],
    [is('bias', '=', 'bullish'), 'A D'],
    [is('bias', '!=', 'bullish'), 'B C'],
    [is('bias', 'not_in', ['bearish', 'neutral']), 'A D'],
    [beside('bias', '=', 'bias_before'), 'D'],
    [beside('bias_before', '!=', 'bias'), ''],
    [beside('bias', '!=', 'sector'), 'A B C'],
    [is('sector', '=', 'Energy'), 'A'],
    [is('sector', '=', 'Utilities'), ''],
    [is('sector', '!=', 'Utilities'), 'A B C'],
    [is('sector', 'in', ['Health Care', 'Utilities']), 'C'],
    [is('graded', '<', '2024-03-01'), 'E'],
    [beside('graded', '<', 'reported'), 'E'],
    [is('graded', 'in', ['2024-03-01']), 'D'],
    [is('seen', '=', '2024-06-03T09:30:00-04:00'), 'E'],
    [is('seen', '>', '2024-06-03T13:30:00Z'), ''],
    // Unknown or true is true, unknown and true is unknown; only a null test sees what is absent.
    [{ any: [is('price', '>', 99), is('bias', '=', 'bullish')] }, 'A D'],
    [{ not: { all: [is('price', '>', 15), is('halted', '=', true)] } }, 'A C E'],
    [{ not: { any: [is('price', '>', 15), is('halted', '=', true)] } }, 'A'],
    [{ any: [is('price', '<', 5), { not: is('price', '<', 5) }] }, 'A B C E'],
  ])('%j: %s', (filter, symbols) => {
    expect(selectedBy(filter, STOCKS)).toBe(symbols);
    expect(selectedBy({ not: { not: filter } }, STOCKS)).toBe(symbols);
  });

  it('counts those of which too little is known to pass or fail', () => {
    const unknownOf = (...all: WireNode[]) => screened({ filter: { all } }, tableOf(STOCKS)).unknown;
    expect(unknownOf(is('price', '>', 0))).toBe(1);
    // C has no VWAP and passes the other condition; D has no price, and E fails the volume that it has not.
    expect(unknownOf(is('price', '>', 0), beside('price', '>', 'technical.vwap'))).toBe(2);
    expect(screened({ filter: null }, tableOf(STOCKS)).unknown).toBe(0);
  });

  it('selects every stock without a filter, in the order of the tickers', () => {
    expect(selectedBy(null, STOCKS)).toBe('A B C D E');
    expect(selectedBy(null, [])).toBe('');
  });

  it('selects computed values, which are absent where they are not finite', () => {
    const table = tableOf(STOCKS);
    const computed = { gap: 'price - technical.vwap', ratio: 'computed.gap / (volume - 300)' };
    const of = (filter: unknown) => symbolsOf(screened({ computed, filter }, table), table).join(' ');
    expect(of(is('computed.gap', '>=', 0))).toBe('A B');
    expect(of(is('computed.ratio', 'is_null'))).toBe('B C D E');
    expect(of(beside('computed.ratio', '<', 'price'))).toBe('A');
    const { computed: columns } = screened({ computed }, table);
    expect(Array.from(columns.get('gap')!)).toEqual([1, 0, Number.NaN, Number.NaN, Number.NaN]);
    expect(columns.get('ratio')![0]).toBe(-1 / 200);
  });

  it('leaves the columns of the table as they are', () => {
    const table = tableOf(STOCKS);
    const columns = new Map([...FIELD_MAP.keys()].map((path) => [path, table.column(path)]));
    const before = structuredClone(columns);
    const { computed } = screened(
      {
        filter: { not: { any: [beside('price', '<', 'volume'), beside('bias', '=', 'sector')] } },
        computed: { same: 'price', twice: 'price * 2' },
        sort: [{ field: 'price' }],
        near_misses: 3,
      },
      { ...table, column: (path) => columns.get(path)! },
    );
    expect(columns).toEqual(before);
    expect(computed.get('same')).not.toBe(columns.get('price'));
  });
});

describe('order', () => {
  const orderOf = (sort: unknown): string => {
    const table = tableOf(STOCKS);
    return symbolsOf(screened({ sort }, table), table).join(' ');
  };

  it.each<[sort: unknown, symbols: string]>([
    [[{ field: 'price' }], 'E A B C D'],
    [[{ field: 'price', order: 'desc' }], 'C B A E D'],
    [[{ field: 'bias' }], 'B A D C E'],
    [[{ field: 'bias', order: 'desc' }], 'C A D B E'],
    [[{ field: 'sector' }], 'A C B D E'],
    [[{ field: 'graded', order: 'desc' }], 'D E A B C'],
    [
      [
        { field: 'halted', order: 'desc' },
        { field: 'volume', order: 'desc' },
      ],
      'B C A D E',
    ],
    [[{ field: 'halted' }, { field: 'volume', order: 'desc' }], 'C A B D E'],
  ])('%j: %s', (sort, symbols) => {
    expect(orderOf(sort)).toBe(symbols);
  });

  it('is that of the numbers, whatever their bits', () => {
    const hard = [
      -Infinity,
      -Number.MAX_VALUE,
      -1.5,
      -1,
      -5e-324,
      -0,
      0,
      5e-324,
      1,
      1.5,
      2 ** 53,
      Infinity,
      Number.NaN,
    ];
    const anyNumbers = fc.array(fc.oneof(fc.constantFrom(...hard), fc.double(), wholeBetween(-3, 3)));
    forAll([anyNumbers, fc.boolean()], { numRuns: 500 }, (numbers, descending) => {
      const rows = Uint32Array.from(numbers, (_, row) => row);
      const expected = Array.from(rows).sort((one, other) => {
        const [left, right] = [numbers[one]!, numbers[other]!];
        if (Number.isNaN(left) || Number.isNaN(right)) {
          return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || one - other;
        }
        if (left === right) return one - other;
        return left < right === descending ? 1 : -1;
      });
      const key = { values: Float64Array.from(numbers), descending };
      expect(Array.from(orderRows(rows, [key]))).toEqual(expected);
    });
  });

  it('is of the rows that are given alone', () => {
    const values = Float64Array.of(5, 4, 3, 2, 1, 4);
    expect(orderRows(Uint32Array.of(1, 3, 5), [{ values, descending: true }])).toEqual(
      Uint32Array.of(1, 5, 3),
    );
    expect(orderRows(new Uint32Array(0), [{ values, descending: true }])).toEqual(new Uint32Array(0));
  });
});

describe('near misses by hand', () => {
  /** Symbol, condition and distance of each. */
  const missesOf = (filter: unknown, stocks = STOCKS, near_misses = 100): string => {
    const table = tableOf(stocks);
    const { nearMisses } = screened({ filter, near_misses }, table);
    return nearMisses
      .map(({ row, failed, distance }) => `${table.symbols[row]} ${failed} ${distance}`)
      .join(', ');
  };

  it('are rows for which exactly one condition of the root is not true', () => {
    const all = [is('price', '>', 15), is('volume', '>=', 200), is('halted', '=', false)];
    // A misses two, C passes, D and E have not enough to miss by one.
    expect(missesOf({ all })).toEqual('B filter.all.2 NaN');
  });

  it('are nearest first, in units of the deviation', () => {
    const stocks = stocksOf({
      A: { price: 10, volume: 4_000 },
      B: { price: 30, volume: 4_000 },
      C: { price: 10, volume: 6_000 },
      D: { price: 30, volume: 6_000 },
      E: { volume: 5_000 },
    });
    const all = [is('price', '<=', 27), is('volume', '<=', 5_800)];
    // The deviation of the prices is 10, that of the volumes the root of 800,000, 894: C misses by 0.22 of it, B by 0.3.
    const misses = ['C filter.all.1 200', 'B filter.all.0 3'];
    // What is absent has no distance and comes last.
    expect(missesOf({ all }, stocks)).toBe([...misses, 'E filter.all.0 NaN'].join(', '));
    expect(missesOf({ all }, stocks, 2)).toBe(misses.join(', '));
    expect(missesOf({ all }, stocks, 0)).toBe('');
  });

  it('are measured by the deviation of a population, of the values that are there', () => {
    const stocks = stocksOf({
      B: { price: 30, volume: 0 },
      C: { price: 10, volume: 100 },
      D: { volume: 0 },
      E: { volume: 100 },
      F: { volume: 0 },
      G: { volume: 100 },
    });
    const all = [is('price', '<=', 24), is('volume', '<=', 75)];
    // 25 of 50 against 6 of 10. By the deviations of samples, 54.8 and 14.1, B would be nearer.
    expect(missesOf({ all }, stocks, 2)).toEqual('C filter.all.1 25, B filter.all.0 6');
  });

  it.each<[filter: WireNode, misses: string]>([
    [is('price', '>', 30), 'C filter 0, B filter 10, A filter 20, E filter 30, D filter NaN'],
    [
      { all: [is('price', 'between', [12, 25])] },
      'A filter.all.0 2, C filter.all.0 5, E filter.all.0 12, D filter.all.0 NaN',
    ],
    [
      beside('price', '<', 'technical.vwap'),
      'B filter 0, A filter 1, C filter NaN, D filter NaN, E filter NaN',
    ],
    [{ any: [is('price', '>', 15), is('volume', '=', 0)] }, 'A filter NaN, E filter NaN'],
    [{ not: is('price', '<', 15) }, 'A filter NaN, D filter NaN, E filter NaN'],
    [is('price', 'in', [10, 20, 30]), 'D filter NaN, E filter NaN'],
    [is('graded', '>=', '2024-03-01'), 'E filter 1, A filter NaN, B filter NaN, C filter NaN'],
    // An `all` within the root is part of it, one within an `any` is not.
    [
      {
        all: [{ all: [is('price', '>', 10), is('volume', '>', 50)] }, is('halted', '=', false)],
      },
      'A filter.all.0.all.0 0, B filter.all.1 NaN',
    ],
  ])('%j', (filter, misses) => {
    expect(missesOf(filter)).toEqual(misses);
  });

  it('has a rank for values that are all the same', () => {
    const stocks = stocksOf({ A: { price: 1 }, B: { price: 1 } });
    expect(missesOf(is('price', '>', 3), stocks)).toEqual('A filter 2, B filter 2');
  });
});

/** Few values of each kind, so that many are equal and many absent. */
const VALUES: Readonly<Record<string, readonly PlainValue[]>> = {
  price: [-1, 0, 0.5, 1, 2, 3],
  'technical.vwap': [-1, 0, 0.5, 1, 2, 3],
  'technical.daily_atr.14': [0.25, 0.5, 1],
  volume: [0, 1, 2, 3, 1_000_000],
  halted: [true, false],
  'gate.passed': [true, false],
  bias: ['bullish', 'bearish', 'neutral'],
  bias_before: ['bullish', 'bearish', 'neutral'],
  sector: ['Energy', 'energy', 'Énergie', '', 'bullish', '😀', '\uffee'],
  graded: ['2023-12-31', '2024-02-29', '2024-03-01'],
  reported: ['2023-12-31', '2024-02-29', '2024-03-01'],
  seen: ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.001Z', '2023-12-31T23:59:59.999+01:00'],
  computed_at: ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.001Z', '2023-12-31T23:59:59.999+01:00'],
};
const NAMES = Object.keys(VALUES);

/** Expressions, and what they are for a stock, each written twice by hand. */
const numberIn = (stock: PlainStock, name: string): number =>
  (stock.values.get(name) as number | null) ?? Number.NaN;
const COMPUTED: Readonly<Record<string, [text: string, of: (stock: PlainStock) => number]>> = {
  gap: [
    '(price - technical.vwap) / technical.daily_atr.14',
    (stock) =>
      (numberIn(stock, 'price') - numberIn(stock, 'technical.vwap')) /
      numberIn(stock, 'technical.daily_atr.14'),
  ],
  share: ['price / volume', (stock) => numberIn(stock, 'price') / numberIn(stock, 'volume')],
  twice: ['2 * computed.share', (stock) => (2 * numberIn(stock, 'price')) / numberIn(stock, 'volume')],
  filled: [
    'coalesce(price, -volume)',
    (stock) => (stock.values.get('price') === null ? -numberIn(stock, 'volume') : numberIn(stock, 'price')),
  ],
};
const computedOf = (name: string, stock: PlainStock): number | null => {
  const value = COMPUTED[name]![1](stock);
  return Number.isFinite(value) ? value + 0 : null;
};

const anyStocks = fc
  .array(fc.tuple(...NAMES.map((name) => fc.constantFrom(null, ...VALUES[name]!))), {
    maxLength: 40,
    size: 'max',
  })
  .map((rows) =>
    rows.map((values, at) => ({
      symbol: `S${String(at).padStart(2, '0')}`,
      values: new Map(NAMES.map((name, column) => [name, values[column]!])),
    })),
  );

const COMPUTED_NAMES = Object.keys(COMPUTED).map((name) => `computed.${name}`);
const NUMBERS = ['price', 'technical.vwap', 'technical.daily_atr.14', 'volume', ...COMPUTED_NAMES];
const PAIRS = [
  NUMBERS,
  ['halted', 'gate.passed'],
  ['bias', 'bias_before', 'sector'],
  ['graded', 'reported'],
  ['seen', 'computed_at'],
];
const typeOf = (name: string) => FIELD_MAP.get(name)?.type ?? 'number';
const isOrdered = (name: string) => typeOf(name) !== 'text' && typeOf(name) !== 'boolean';
const operators = (name: string) =>
  fc.constantFrom(...(isOrdered(name) ? ['<', '<=', '=', '!=', '>=', '>'] : ['=', '!=']));
const valuesFor = (name: string) => fc.constantFrom(...(VALUES[name] ?? [-2, 0, 0.5, 1, 4]));
const rank = (value: PlainValue) => (typeof value === 'string' ? Date.parse(value) : Number(value));

const anyCondition: fc.Arbitrary<WireNode> = fc.constantFrom(...NAMES, ...COMPUTED_NAMES).chain((field) => {
  const same = PAIRS.find((names) => names.includes(field))!;
  const of = { field: fc.constant(field) };
  const kinds: fc.Arbitrary<WireNode>[] = [
    fc.record({ ...of, op: operators(field), value: valuesFor(field) }),
    fc.record({ ...of, op: operators(field), other: fc.constantFrom(...same) }),
    fc.record({
      ...of,
      op: fc.constantFrom('in', 'not_in'),
      value: fc.array(valuesFor(field), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ ...of, op: fc.constantFrom('is_null', 'not_null') }),
  ];
  if (isOrdered(field)) {
    const range = fc
      .tuple(valuesFor(field), valuesFor(field))
      .map((pair) => pair.sort((a, b) => rank(a) - rank(b)));
    kinds.push(fc.record({ ...of, op: fc.constant('between'), value: range }));
  }
  return fc.oneof(...kinds);
});

const anyFilter = fc.letrec<{ node: WireNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    anyCondition,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;

const anySort = fc.array(
  fc.record(
    {
      field: fc.constantFrom(...NAMES, ...COMPUTED_NAMES),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    },
    { requiredKeys: ['field'] },
  ),
  { maxLength: 4 },
);

const TEXTS = Object.fromEntries(Object.entries(COMPUTED).map(([name, [text]]) => [name, text]));

describe('screens by law', () => {
  it('select, sort and nearly miss as a plain walk over the stocks does', () => {
    const filters = fc.oneof(
      { weight: 1, arbitrary: anyFilter },
      { weight: 1, arbitrary: fc.record({ all: fc.array(anyCondition, { minLength: 2, maxLength: 4 }) }) },
    );
    let [selected, missed, far] = [0, 0, 0];
    forAll(
      [anyStocks, filters, anySort, fc.constantFrom(0, 3, 100)],
      { numRuns: 600 },
      (stocks, filter, sort, near_misses) => {
        const body = { filter, sort, computed: TEXTS, near_misses };
        const expected = plainScreen(body, stocks, computedOf);
        const table = tableOf(stocks);
        // Over the wire and to another thread.
        const { screen, faults } = checkScreen(JSON.parse(JSON.stringify(body)), FIELD_MAP);
        expect(faults).toEqual([]);
        const found = runScreen(structuredClone(screen!), table);
        expect(symbolsOf(found, table)).toEqual(expected.symbols);
        const nearMisses = found.nearMisses.map(({ row, failed, distance }) => ({
          symbol: table.symbols[row],
          failed,
          distance: Number.isNaN(distance) ? null : distance,
        }));
        expect(nearMisses).toEqual(expected.nearMisses);
        selected += expected.symbols.length;
        missed += nearMisses.length;
        far += nearMisses.filter(({ distance }) => (distance ?? 0) > 0).length;
      },
    );
    // A law that holds of nothing but empty answers would say little.
    expect(Math.min(selected, missed, far)).toBeGreaterThan(50);
  });

  it('computes what is computed by hand', () => {
    forAll([anyStocks], (stocks) => {
      const { computed } = screened({ computed: TEXTS }, tableOf(stocks));
      for (const name of Object.keys(COMPUTED)) {
        expect(Array.from(computed.get(name)!, (value) => (Number.isNaN(value) ? null : value + 0))).toEqual(
          stocks.map((stock) => computedOf(name, stock)),
        );
      }
    });
  });
});
