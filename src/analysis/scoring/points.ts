/**
 * Scores are rounded to hundredths of a point where they are made, and tiers, biases and differences follow from the
 * rounded score, so that what is shown agrees with its label.
 */
export function hundredths(points: number): number {
  return Math.round(points * 100) / 100;
}

/**
 * Rounds the parts of a total to hundredths so that they still sum to it: each is cut off, and what is missing goes, a
 * hundredth each, to those that lost most (largest remainders; of equals the first).
 *
 * @param parts points, none below 0
 * @returns the rounded parts, and their sum
 */
export function roundedParts(parts: readonly number[]): { readonly parts: number[]; readonly total: number } {
  const whole = parts.map((part) => Math.floor(part * 100));
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0) * 100);
  const missing = total - whole.reduce((sum, part) => sum + part, 0);
  const lost = parts.map((part, at) => part * 100 - whole[at]!);
  const order = parts.map((_part, at) => at).sort((one, other) => lost[other]! - lost[one]!);
  for (const at of order.slice(0, missing)) whole[at]!++;
  return { parts: whole.map((part) => part / 100), total: total / 100 };
}
