/** A function or operator of computed expressions. NaN in is NaN out, except of `coalesce`. */
export interface ScreenFunction {
  /** How many values it takes. */
  readonly min: number;
  readonly max: number;
  /** Of one value the second is ignored; of more than two it is taken over them from the left. */
  readonly of: (left: number, right: number) => number;
}

const ofOne = (of: (value: number) => number): ScreenFunction => ({ min: 1, max: 1, of });
const ofTwo = (of: ScreenFunction['of']): ScreenFunction => ({ min: 2, max: 2, of });
const ofMany = (of: ScreenFunction['of']): ScreenFunction => ({ min: 2, max: Infinity, of });

/** Infix operators. A minus before one value is 0 less that value. */
export const OPERATORS: ReadonlyMap<string, ScreenFunction> = new Map([
  ['+', ofTwo((left, right) => left + right)],
  ['-', ofTwo((left, right) => left - right)],
  ['*', ofTwo((left, right) => left * right)],
  ['/', ofTwo((left, right) => left / right)],
]);

export const FUNCTIONS: ReadonlyMap<string, ScreenFunction> = new Map([
  ['abs', ofOne(Math.abs)],
  ['min', ofMany(Math.min)],
  ['max', ofMany(Math.max)],
  ['sqrt', ofOne(Math.sqrt)],
  ['ln', ofOne(Math.log)],
  ['log10', ofOne(Math.log10)],
  ['exp', ofOne(Math.exp)],
  ['pow', ofTwo(power)],
  ['round', ofOne(roundHalfAway)],
  ['floor', ofOne(Math.floor)],
  ['ceil', ofOne(Math.ceil)],
  ['sign', ofOne(Math.sign)],
  ['coalesce', ofMany((left, right) => (Number.isNaN(left) ? right : left))],
]);

/** `Math.pow` makes 1 of an absent value to the power of 0. */
function power(base: number, exponent: number): number {
  return Number.isNaN(base) ? Number.NaN : base ** exponent;
}

/** To the nearest whole number, halves away from 0 as on a trader's calculator: -2.5 is -3. */
function roundHalfAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}
