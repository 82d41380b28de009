/** Trimmed words of a comma-separated list without repetition, in one order for every spelling of the same wish. */
export function splitWords(list: string): readonly string[] {
  const words = list.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))].sort();
}
