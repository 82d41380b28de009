/** Characters of a name for which a nearest one is looked for; nobody mistypes longer ones. */
const LENGTH_MAX = 80;

/**
 * The name that a caller most likely meant, or null: of those with the same last part (`rsi_14` for `technical.rsi_14`)
 * the nearest, else the one with the fewest letters to change, about a third of them at most, in the whole or in its last parts,
 * else the shortest whose last part goes on where the caller's ends (`rsi`).
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  if (name.length === 0 || name.length > LENGTH_MAX) return null;
  const wanted = name.toLowerCase();
  const known = Array.from(names, (each) => ({ name: each, lower: each.toLowerCase() }));
  const end = lastParts(wanted, 1);
  const sameEnd = known.filter(({ lower }) => lastParts(lower, 1) === end);
  if (sameEnd.length > 0) return leastBy(sameEnd, ({ lower }) => editDistance(wanted, lower, Infinity));
  return (
    fewestChanges(wanted, known) ??
    leastBy(
      known.filter(({ lower }) => end.length > 1 && lastParts(lower, 1).startsWith(end)),
      ({ lower }) => lower.length,
    )
  );
}

interface KnownName {
  readonly name: string;
  readonly lower: string;
}

function fewestChanges(wanted: string, known: readonly KnownName[]): string | null {
  const parts = wanted.split('.').length;
  let nearest: string | null = null;
  let fewest = Math.ceil(wanted.length / 3) + 1;
  for (const { name, lower } of known) {
    // Parts that were left out cost a little: of two that are otherwise as near, the whole name is meant.
    const changes = Math.min(
      editDistance(wanted, lower, fewest),
      editDistance(wanted, lastParts(lower, parts), fewest) + 0.5,
    );
    if (changes < fewest) [nearest, fewest] = [name, changes];
  }
  return nearest;
}

const lastParts = (name: string, count: number): string => name.split('.').slice(-count).join('.');

function leastBy(known: readonly KnownName[], of: (name: KnownName) => number): string | null {
  const figures = known.map(of);
  return known[figures.indexOf(Math.min(...figures))]?.name ?? null;
}

/**
 * Letters to insert, remove or replace to make one of the other (Levenshtein, by rows of the table of Wagner and
 * Fischer); `limit` or more where it is not below it.
 */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let least = row;
    for (let at = 1; at <= other.length; at++) {
      const replaced = above[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1);
      const cost = Math.min(replaced, above[at]! + 1, current[at - 1]! + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    above = current;
  }
  return above[other.length]!;
}
