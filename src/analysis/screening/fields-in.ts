/** Paths of every field in parts of a screen: a field is a record of kind `field`, at any depth. */
export function fieldsIn(...parts: readonly unknown[]): Set<string> {
  const paths = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, path } = node as { kind?: unknown; path?: string };
    if (kind === 'field') paths.add(path!);
    else Object.values(node).forEach(visit);
  };
  visit(parts);
  return paths;
}
