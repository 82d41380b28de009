import { expect } from 'vitest';

/** Long lists as compact text, for expected values. */

/** The words of a text. */
export const words = (parts: TemplateStringsArray, ...values: readonly unknown[]): string[] =>
  String.raw({ raw: parts }, ...values)
    .trim()
    .split(/\s+/);

/** Rows of numbers: `0 90, 20 80` is [[0, 90], [20, 80]]. */
export const numbers = <Row extends readonly number[] = number[]>(parts: TemplateStringsArray): Row[] =>
  parts[0]!
    .trim()
    .split(/,\s+/)
    .map((row) => row.split(' ').map(Number) as unknown as Row);

/** Named numbers: `price 103, atr 4` is { price: 103, atr: 4 }. */
export const figures = <Figures = Readonly<Record<string, number>>>(parts: TemplateStringsArray): Figures => {
  const pairs = parts[0]!
    .trim()
    .split(/,\s+/)
    .map((each) => each.split(/\s+/));
  return Object.fromEntries(pairs.map(([name, value]) => [name!, Number(value)])) as Figures;
};

/** Names of which nothing is known: each is null. */
export const absent = <Figures = Readonly<Record<string, null>>>(parts: TemplateStringsArray): Figures =>
  Object.fromEntries(words(parts).map((name) => [name, null])) as Figures;

/** Compares each of the named numbers to so many digits. */
export function expectClose(found: object, expected: Readonly<Record<string, number>>, digits: number): void {
  for (const [name, value] of Object.entries(expected)) {
    expect((found as typeof expected)[name], name).toBeCloseTo(value, digits);
  }
}
