import { distance } from 'fastest-levenshtein';

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
  if (sameEnd.length > 0) return minBy(sameEnd, ({ lower }) => distance(wanted, lower));
  return (
    fewestChanges(wanted, known) ??
    minBy(
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
    const changes = Math.min(distance(wanted, lower), distance(wanted, lastParts(lower, parts)) + 0.5);
    if (changes < fewest) [nearest, fewest] = [name, changes];
  }
  return nearest;
}

const lastParts = (name: string, count: number): string => name.split('.').slice(-count).join('.');

function minBy(known: readonly KnownName[], of: (name: KnownName) => number): string | null {
  const figures = known.map(of);
  return known[figures.indexOf(Math.min(...figures))]?.name ?? null;
}
