/** Long lists and objects as compact text, for expected values. */

/** The words of a text. */
export const words = (parts: TemplateStringsArray, ...values: readonly unknown[]): string[] =>
  String.raw({ raw: parts }, ...values)
    .trim()
    .split(/\s+/);

/**
 * An object written as `name: value, name: value`: numbers, true, false, null, else text. What is interpolated as a whole
 * value keeps its type.
 */
export function fields<Fields = Record<string, unknown>>(
  parts: TemplateStringsArray,
  ...values: readonly unknown[]
): Fields {
  const text = parts.reduce((whole, part, at) => `${whole}\0${at - 1}\0${part}`);
  const written = (value: string): string =>
    value.replace(/\0(\d+)\0/g, (_, at) => String(values[Number(at)]));
  const readValue = (value: string): unknown => {
    const place = /^\0(\d+)\0$/.exec(value)?.[1];
    if (place !== undefined) return values[Number(place)];
    if (/^-?[\d.]+(e[+-]?\d+)?$/.test(value)) return Number(value);
    const constant = { true: true, false: false, null: null }[value];
    return constant === undefined ? written(value) : constant;
  };
  const entries = text.trim().split(/,\s+/);
  const found = Object.fromEntries(
    entries.map((entry) => {
      const colon = entry.indexOf(': ');
      if (colon < 0) throw new Error(`no name and value: ${entry}`);
      return [entry.slice(0, colon), readValue(entry.slice(colon + 2))];
    }),
  );
  if (Object.keys(found).length < entries.length) throw new Error(`a name stands twice in ${text}`);
  return found as Fields;
}

/** Rows of numbers: `0 90, 20 80` is [[0, 90], [20, 80]]. */
export const numbers = <Row extends readonly number[] = number[]>(parts: TemplateStringsArray): Row[] =>
  parts[0]!
    .trim()
    .split(/,\s+/)
    .map((row) => row.split(' ').map(Number) as unknown as Row);
