/** Longer texts are computed each time. */
const LENGTH_MAX = 300;

/** Caches a pure function of text. A full cache starts over, which costs a hit nothing. */
export function memoize<Value>(
  entriesMax: number,
  compute: (text: string) => Value,
): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = compute(text);
    if (text.length > LENGTH_MAX) return value;
    if (cache.size >= entriesMax) cache.clear();
    cache.set(text, value);
    return value;
  };
}
