import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

/** Writes `src/schema.ts`, the types of the service's OpenAPI document, `clients/openapi.json`. */

const folder = import.meta.dirname;

/** The types of the document that this folder has, of a stock as it is answered without `fields`. */
export async function schemaTypes(): Promise<string> {
  const text = await readFile(join(folder, '../openapi.json'), 'utf8');
  const document = JSON.parse(text, (_, part) => {
    const required = part?.['x-required-without-fields'];
    return required === undefined ? part : { ...part, required };
  });
  return astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
}

if (import.meta.main) await writeFile(join(folder, 'src/schema.ts'), await schemaTypes());
