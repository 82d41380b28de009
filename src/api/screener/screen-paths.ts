import type { Screen } from '../../analysis/screening/screen.ts';

/** The paths of every field that a screen uses: a field is a record of kind `field`, at any depth. */
export function screenPaths({ filter, computed, sort, select }: Screen): Set<string> {
  const paths = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, path } = node as { kind?: unknown; path?: string };
    if (kind === 'field') paths.add(path!);
    else Object.values(node).forEach(visit);
  };
  visit([filter, [...computed.values()], sort, select]);
  return paths;
}
