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
export const figures = (parts: TemplateStringsArray): Readonly<Record<string, number>> =>
  Object.fromEntries(
    parts[0]!
      .trim()
      .split(/,\s+/)
      .map((each) => each.split(/\s+/))
      .map(([name, value]) => [name!, Number(value)]),
  );
