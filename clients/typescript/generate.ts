import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

/** Writes `src/schema.ts`, the types of the service's OpenAPI document, `clients/openapi.json`. */

const folder = import.meta.dirname;

/** The types of the document that this folder has. */
export async function schemaTypes(): Promise<string> {
  const text = await readFile(join(folder, '../openapi.json'), 'utf8');
  return astToString(await openapiTS(text, { alphabetize: true, defaultNonNullable: false }));
}

if (import.meta.main) await writeFile(join(folder, 'src/schema.ts'), await schemaTypes());
