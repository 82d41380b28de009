/** What is known of fields by their path. The catalogue loads with its first use: a list of tools needs none of it. */
export async function fieldCatalogue() {
  const { scalarField } = await import('../derive/scalar-fields.ts');
  const unitOf = (path: string): string | null => scalarField(path)?.unit ?? null;
  /** Whether a vendor or a company may have written the text. */
  const isOfOthers = (path: string): boolean => {
    const field = scalarField(path);
    return field?.type === 'text' && field.words === null;
  };
  return {
    unitOf,
    /** Of an unknown field `text`. */
    typeOf: (path: string): string => scalarField(path)?.type ?? 'text',
    /** Units and authors of columns that are fields. */
    marksOf(paths: readonly string[]) {
      const units = paths.flatMap((path) => (unitOf(path) === null ? [] : [[path, unitOf(path)!] as const]));
      return { units: Object.fromEntries(units), ...untrusted(paths.filter(isOfOthers)) };
    },
    isOfOthers,
  };
}

/** Names the columns or paths whose text others wrote. */
export const untrusted = (names: readonly string[]) => (names.length === 0 ? {} : { untrusted_text: names });
