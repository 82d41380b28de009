import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeColumns } from '../../../../src/analysis/screening/compute.ts';
import {
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_NODES_MAX,
  ExpressionFault,
  parseExpression,
  TEXT_MAX,
} from '../../../../src/analysis/screening/expression.ts';
import { FUNCTIONS } from '../../../../src/analysis/screening/functions.ts';
import { anyCharacter, forAll } from '../../../support/for-all.ts';
import { words } from '../../../support/tables.ts';

const NUMBERS = new Map<string, number>([
  ['last_price', 110],
  ['technical.moving_averages.sma_200', 100],
  ['technical.daily_atr.14', 4],
  ['absent', Number.NaN],
]);

/** The value of an expression on a table of one row. */
function worthOf(text: string, numbers: ReadonlyMap<string, number> = NUMBERS): number {
  const { expression } = parseExpression(text);
  const column = (path: string) => Float64Array.of(numbers.get(path)!);
  return computeColumns(new Map([['x', expression]]), { rows: 1, column }).get('x')![0]!;
}

function faultOf(text: string): { offset: number; reason: string } {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionFault) return { offset: error.offset, reason: error.message };
    throw error;
  }
  throw new Error(`${text} is an expression`);
}

describe('expressions by hand', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 4 - 3', 3],
    ['10 - (4 - 3)', 9],
    ['24 / 4 / 2', 3],
    ['24 / (4 / 2)', 12],
    ['24 / 4 * 2', 12],
    ['2 * 3 + 4 * 5 - 6 / 2', 23],
    ['-2 * 3', -6],
    ['2 * -3', -6],
    ['2 - -3', 5],
    ['--2', 2],
    ['-(1 + 2) * 2', -6],
    ['1.5e2 + 2E-1 + 3e+0', 153.2],
    ['\t1\n+\r1 ', 2],
    ['(last_price - technical.moving_averages.sma_200) / technical.daily_atr.14', 2.5],
  ])('%s = %d', (text, value) => {
    expect(worthOf(text)).toBe(value);
  });

  it.each([
    ['abs(-3) + abs(2)', 5],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2 + 2)', 4],
    ['sqrt(2.25)', 1.5],
    ['ln(1)', 0],
    ['ln(exp(2))', 2],
    ['log10(0.01)', -2],
    ['exp(0)', 1],
    ['pow(2, 10)', 1024],
    ['pow(4, -0.5)', 0.5],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(-2.4)', -2],
    ['floor(-2.1)', -3],
    ['ceil(-2.1)', -2],
    ['sign(-7) + sign(0) + sign(9) * 3', 2],
    ['coalesce(absent, 5)', 5],
    ['coalesce(absent, absent, 6)', 6],
    ['coalesce(7, 5)', 7],
  ])('%s = %d', (text, value) => {
    expect(worthOf(text)).toBeCloseTo(value, 12);
  });

  it('has shown every function', () => {
    expect([...FUNCTIONS.keys()].sort()).toEqual(
      'abs ceil coalesce exp floor ln log10 max min pow round sign sqrt'.split(' '),
    );
  });
});

describe('what is absent', () => {
  it.each([
    'absent',
    'absent + 1',
    '0 * absent',
    'min(absent, 1)',
    'max(1, absent)',
    'pow(absent, 0)',
    'pow(0, absent)',
    'pow(1, absent)',
    'sign(absent)',
    '1 / 0',
    '-1 / 0',
    '0 / 0',
    'ln(-1)',
    'ln(0)',
    'log10(0)',
    'sqrt(-1)',
    'exp(1000)',
    'pow(0, -1)',
    'pow(-8, 1 / 3)',
    '1e308 * 10',
    '1 / (1 / 0)',
    '1 / exp(1000)',
    'coalesce(absent, 1 / 0)',
  ])('%s', (text) => {
    expect(worthOf(text)).toBeNaN();
  });

  it('can be given another value where it is absent', () => {
    expect(worthOf('coalesce(1 / 0, ln(-1), 8) + 1')).toBe(9);
  });
});

describe('faults of expressions', () => {
  it.each<[text: string, offset: number, reason: string]>([
    ['', 0, 'a value is expected, not the end'],
    ['   ', 3, 'a value is expected, not the end'],
    ['1 +', 3, 'a value is expected, not the end'],
    ['1 2', 2, "an operator is expected, not '2'"],
    ['* 2', 0, "a value is expected, not '*'"],
    ['+1', 0, "a value is expected, not '+'"],
    ['(1 + 2', 6, "an operator or ')' is expected, not the end"],
    ['1 + 2)', 5, "an operator is expected, not ')'"],
    ['()', 1, "a value is expected, not ')'"],
    ['min(1, )', 7, "a value is expected, not ')'"],
    ['min 1, 2', 4, "an operator is expected, not '1'"],
    ['a b', 2, "an operator is expected, not 'b'"],
    ['a.', 2, 'a name must go on after its dot'],
    ['a..b', 2, 'a name must go on after its dot'],
    ['.5', 0, "'.' has no meaning here"],
    ['1.', 2, 'a digit is missing'],
    ['1e', 2, 'a digit is missing'],
    ['1e+', 3, 'a digit is missing'],
    ['1.2.3', 3, "'.' cannot follow a number"],
    ['2x', 1, "'x' cannot follow a number"],
    ['1e999', 0, 'a number must be finite'],
    ['2 ^ 3', 2, "'^' has no meaning here; write pow(a, b)"],
    ['a ** 2', 3, "a value is expected, not '*'"],
    ['a % 2', 2, "'%' has no meaning here"],
    ['a; b', 1, "';' has no meaning here"],
    ['a = 1', 2, "'=' has no meaning here"],
    ['a["b"]', 1, "'[' has no meaning here"],
    ['`a`', 0, "'`' has no meaning here"],
    ['1 + préis', 6, "'é' has no meaning here"],
    ['1 + 😀', 4, "'😀' has no meaning here"],
    ['1\u00a0+ 1', 1, "'\u00a0' has no meaning here"],
    ['a\u0000', 1, "'\u0000' has no meaning here"],
    ['abs(1, 2)', 0, 'abs takes 1 value, not 2'],
    ['1 + pow(2)', 4, 'pow takes 2 values, not 1'],
    ['min(1)', 0, 'min takes 2 values or more, not 1'],
    ['coalesce(a)', 0, 'coalesce takes 2 values or more, not 1'],
  ])('%s', (text, offset, reason) => {
    expect(faultOf(text)).toEqual({ offset, reason });
  });

  it.each(
    words`
    constructor.constructor(1) toString() __proto__() hasOwnProperty(1) process.exit() ABS(1) NaN()
    eval(1)`,
  )('%s calls nothing', (text) => {
    expect(faultOf(text).reason).toMatch(/^no function is called '\S+'; there are abs, /);
  });

  it('knows no texts that a call could be given', () => {
    const { offset } = faultOf('constructor.constructor("return process")()');
    expect(offset).toBe('constructor.constructor('.length);
  });

  it('leaves names as names, whatever they are', () => {
    const { references } = parseExpression('constructor + __proto__.toString - computed.constructor');
    expect(references).toEqual([
      { operand: { kind: 'field', path: 'constructor' }, offset: 0 },
      { operand: { kind: 'field', path: '__proto__.toString' }, offset: 14 },
      { operand: { kind: 'computed', name: 'constructor' }, offset: 35 },
    ]);
  });
});

describe('limits of expressions', () => {
  const sum = (names: number): string => Array(names).fill('a').join('+');

  it(`reads ${TEXT_MAX} characters`, () => {
    expect(worthOf('1'.padEnd(TEXT_MAX))).toBe(1);
    expect(faultOf('1'.padEnd(TEXT_MAX + 1)).offset).toBe(TEXT_MAX);
    expect(faultOf('9'.repeat(1_000_000)).offset).toBe(TEXT_MAX);
  });

  it(`reads ${EXPRESSION_NODES_MAX} numbers, names, operators and calls`, () => {
    const [numbers, limit] = [new Map([['a', 1]]), EXPRESSION_NODES_MAX / 2];
    expect(worthOf(`-${sum(limit)}`, numbers)).toBe(limit - 2);
    expect(faultOf(sum(limit + 1))).toEqual({
      offset: limit * 2,
      reason: 'an expression has at most 200 numbers, names, operators and calls',
    });
    expect(
      worthOf(
        `min(${Array(EXPRESSION_NODES_MAX - 1)
          .fill('a')
          .join()})`,
        numbers,
      ),
    ).toBe(1);
    expect(faultOf(`min(${Array(EXPRESSION_NODES_MAX).fill('a').join()})`).reason).toMatch(/at most 200/);
  });

  it.each([
    ['(', ')'],
    ['-', ''],
    ['abs(', ')'],
    ['-(', ')'],
  ])(`goes ${EXPRESSION_DEPTH_MAX} deep into %s`, (open, close) => {
    const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
    const levels = EXPRESSION_DEPTH_MAX / (open === '-(' ? 2 : 1);
    expect(Math.abs(worthOf(nested(levels)))).toBe(1);
    expect(faultOf(nested(levels + 1)).reason).toBe('values may stand 32 deep at most');
    expect(faultOf(nested(390)).reason).toBe('values may stand 32 deep at most');
  });
});

/** An expression as a law has it: its value is computed without the program. */
type Tree =
  | { readonly leaf: number | string }
  | { readonly operator: '+' | '-' | '*' | '/'; readonly left: Tree; readonly right: Tree }
  | { readonly negated: Tree }
  | { readonly call: 'abs' | 'min' | 'coalesce'; readonly of: readonly Tree[] };

const anyTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.record({ leaf: fc.oneof(fc.nat(9), fc.constantFrom('a', 'b.14', 'c_d.e', 'none')) }),
    fc.record({
      operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({ negated: tie('tree') }),
    fc.record({ call: fc.constant('abs' as const), of: fc.tuple(tie('tree')) }),
    fc.record({
      call: fc.constantFrom('min' as const, 'coalesce' as const),
      of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).tree;

const LEAVES: Readonly<Record<string, number | null>> = { a: 3, 'b.14': -0.5, 'c_d.e': 0, none: null };

function worth(tree: Tree): number | null {
  if ('leaf' in tree) return typeof tree.leaf === 'number' ? tree.leaf : LEAVES[tree.leaf]!;
  if ('negated' in tree) return finite(worth(tree.negated), (value) => -value);
  if ('call' in tree) {
    const values = tree.of.map(worth);
    if (tree.call === 'coalesce') return values.find((value) => value !== null) ?? null;
    if (values.includes(null)) return null;
    return tree.call === 'abs' ? Math.abs(values[0]!) : Math.min(...(values as number[]));
  }
  const right = worth(tree.right);
  return finite(worth(tree.left), (left) => {
    if (right === null) return Number.NaN;
    if (tree.operator === '+') return left + right;
    if (tree.operator === '-') return left - right;
    return tree.operator === '*' ? left * right : left / right;
  });
}

function finite(value: number | null, of: (value: number) => number): number | null {
  const result = value === null ? Number.NaN : of(value);
  return Number.isFinite(result) ? result : null;
}

/** With no more parentheses than precedence asks for. */
function written(tree: Tree, above = 0): string {
  if ('leaf' in tree) return `${tree.leaf}`;
  if ('negated' in tree) return `-${written(tree.negated, 3)}`;
  if ('call' in tree) return `${tree.call}(${tree.of.map((each) => written(each)).join(', ')})`;
  const own = tree.operator === '+' || tree.operator === '-' ? 1 : 2;
  const text = `${written(tree.left, own)} ${tree.operator}${written(tree.right, own + 1)}`;
  return own < above ? `(${text})` : text;
}

describe('expressions by law', () => {
  const numbers = new Map(Object.entries(LEAVES).map(([name, value]) => [name, value ?? Number.NaN]));

  it('have the value of a plain walk over the tree', () => {
    forAll([anyTree], { numRuns: 1_000 }, (tree) => {
      const text = written(tree);
      fc.pre(text.length <= TEXT_MAX);
      let value: number;
      try {
        value = worthOf(text, numbers);
      } catch (error) {
        // What is too large is refused as such, never read otherwise.
        expect(String(error)).toMatch(/at most/);
        return;
      }
      // -0 counts as 0.
      expect(value + 0, text).toBe((worth(tree) ?? Number.NaN) + 0);
    });
  });

  it('are read or refused with a place, whatever the text', () => {
    const pieces = fc.constantFrom(' ', '\ud800', ...words`( ) - + * / , min a . 1 e _ "`);
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(pieces).map((list) => list.join('')),
    );
    forAll([texts], { numRuns: 1_000 }, (text) => {
      try {
        parseExpression(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionFault);
        const { offset } = error as ExpressionFault;
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(text.length);
      }
    });
  });
});
