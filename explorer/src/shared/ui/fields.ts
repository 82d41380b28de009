import { useQuery } from '@tanstack/react-query';
import { fieldsQuery, type ScreenField } from '../api/queries.ts';

let byPath: ReadonlyMap<string, ScreenField> = new Map();
let of: readonly ScreenField[] | null = null;

/** What the catalogue says of a field; undefined while it is not loaded, and for a path that it lacks. */
export function useField(path: string | undefined): ScreenField | undefined {
  const { data } = useQuery(fieldsQuery);
  if (data !== undefined && of !== data.fields) {
    of = data.fields;
    byPath = new Map(data.fields.map((field) => [field.path, field]));
  }
  return path === undefined ? undefined : byPath.get(path);
}
