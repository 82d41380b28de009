import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes `src/schema.ts`: the types of the service's OpenAPI document, `clients/openapi.json`, of a stock as it is answered
 * without `fields`. With `--prepare`, as part of an installation, a failure is one line: who builds the client has them made.
 */

const folder = import.meta.dirname;

async function generate(): Promise<void> {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const text = await readFile(join(folder, '../openapi.json'), 'utf8');
  const document = JSON.parse(text, (_, part) => {
    const required = part?.['x-required-without-fields'];
    return required === undefined ? part : { ...part, required };
  });
  const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
  await writeFile(join(folder, 'src/schema.ts'), types);
}

await generate().catch((error: Error) => {
  if (!process.argv.includes('--prepare')) throw error;
  console.warn(`The types of the client could not be made (${error.message}).`);
});
