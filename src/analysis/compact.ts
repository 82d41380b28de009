const SIZES = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** A large amount as a chart writes it: `10.3M`, `500K`. */
export function compact(amount: number): string {
  for (const [size, letter] of SIZES) {
    if (Math.abs(amount) >= 0.9995 * size) return `${Number((amount / size).toPrecision(3))}${letter}`;
  }
  return `${Number(amount.toFixed(0))}`;
}
