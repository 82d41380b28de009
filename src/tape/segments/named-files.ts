import type { Queryable, QueryOptions } from '../../database/database.ts';

/** The segment file that was written last, and its bytes; null for a tape without any. */
export async function readNewestSegment(
  database: Queryable,
  options: QueryOptions = {},
): Promise<{ readonly file: string; readonly bytes: number } | null> {
  const [newest] = await database.query<{ file: string; bytes: number }>(
    'select file, bytes::float8 as bytes from tape_segment order by id desc limit 1',
    [],
    options,
  );
  return newest ?? null;
}

/** Those of the files that no row of the manifest names. */
export async function unnamedFiles(database: Queryable, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const rows = await database.query<{ file: string }>('select file from tape_segment where file = any($1)', [
    files,
  ]);
  const named = new Set(rows.map((row) => row.file));
  return files.filter((file) => !named.has(file));
}
