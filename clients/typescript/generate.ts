import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

/** Writes `src/schema.ts`, the types of the service's OpenAPI document. */

export const SCHEMA_FILE: string = join(import.meta.dirname, 'src/schema.ts');

/** The types of a document; its examples and servers, which depend on the data, leave no trace. */
export async function typesOf(document: object): Promise<string> {
  const text = JSON.stringify(document, (name, value) =>
    name === 'example' || name === 'servers' ? undefined : value,
  );
  return astToString(await openapiTS(text, { alphabetize: true, defaultNonNullable: false }));
}

/** The document of a service without data. */
async function readDocument(): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), 'tigraph-'));
  const app = await openApp(loadConfig({ TIGRAPH_DATA_DIR: directory, LOG_LEVEL: 'silent' }));
  try {
    const server = await app.server();
    const document = (await server.inject('/openapi.json')).json() as object;
    await server.close();
    return document;
  } finally {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) await writeFile(SCHEMA_FILE, await typesOf(await readDocument()));
