import { FUNCTIONS, OPERATORS } from './functions.ts';
import type { Expression, ScreenTable } from './screen.ts';

/**
 * The computed numbers of a screen, a column each; an expression may refer to those before it. Results that are not
 * finite (division by 0, logarithm of a negative number, overflow) become NaN.
 */
export function computeColumns(
  expressions: ReadonlyMap<string, Expression>,
  table: Pick<ScreenTable, 'rows' | 'column'>,
): ReadonlyMap<string, Float64Array> {
  const computed = new Map<string, Float64Array>();
  for (const [name, expression] of expressions) {
    computed.set(name, columnOf(expression, table, computed).slice());
  }
  return computed;
}

/** Not to be written to: for a lone name it is the column itself. */
function columnOf(
  expression: Expression,
  table: Pick<ScreenTable, 'rows' | 'column'>,
  computed: ReadonlyMap<string, Float64Array>,
): Float64Array {
  switch (expression.kind) {
    case 'constant':
      return new Float64Array(table.rows).fill(expression.value);
    case 'field':
      return table.column(expression.path);
    case 'computed': {
      const column = computed.get(expression.name);
      if (column === undefined) throw new Error(`${expression.name} is used before it is computed`);
      return column;
    }
    case 'call': {
      const { name } = expression;
      const { of } = OPERATORS.get(name) ?? FUNCTIONS.get(name)!;
      const [first, ...others] = expression.of.map((each) => columnOf(each, table, computed));
      if (others.length === 0) return combined(of, first!, first!);
      return others.reduce((left, right) => combined(of, left, right), first!);
    }
  }
}

function combined(
  of: (left: number, right: number) => number,
  left: Float64Array,
  right: Float64Array,
): Float64Array {
  const column = new Float64Array(left.length);
  for (let row = 0; row < column.length; row++) {
    const value = of(left[row]!, right[row]!);
    // Infinity less itself is NaN.
    column[row] = value - value === 0 ? value : Number.NaN;
  }
  return column;
}
