import type { Fetch } from './tool.ts';

interface Fields {
  readonly fields: readonly { readonly path: string; readonly unit: string | null }[];
}

/** Units by path of field; none for a caller who may not read the list of fields. */
export async function unitsOf(fetch: Fetch): Promise<ReadonlyMap<string, string | null>> {
  const { fields } = await fetch<Fields>({ path: '/screener/fields' }).catch(() => ({ fields: [] }));
  return new Map(fields.map(({ path, unit }) => [path, unit]));
}
