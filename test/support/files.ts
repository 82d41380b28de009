import { type Document, operationsOf } from './openapi.ts';

const ROOT = '/api/internal/imports';
const ROWS = 'Date,Open,High,Low,Close,Volume\n2024-03-04,1,1,1,1,1\n';

interface Held {
  readonly id: string;
  readonly state: string;
}

/**
 * Brings files, and has the examples of a document name them: those whose parts are still to come, or which wait for their
 * start.
 */
export async function bringFiles(base: string, document: Document): Promise<void> {
  const post = async (path: string, body: object): Promise<Held> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}${ROOT}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Held;
  };
  const announced = async (bytes: number): Promise<string> =>
    (await post('', { name: 'GOOD.csv', bytes })).id;
  const whole = await announced(ROWS.length);
  let { state } = await post(`/${whole}/parts`, { offset: 0, base64: Buffer.from(ROWS).toString('base64') });
  // An answer does not wait long for the reading; nothing can be started before its end.
  while (state === 'reading') ({ state } = await post(`/${whole}/reading`, {}));
  const held: Readonly<Record<string, string>> = {
    addImportPart: await announced(1_000),
    readImport: whole,
    startImport: whole,
    getImport: whole,
    cancelImport: await announced(1_000),
  };
  for (const { operation } of operationsOf(document)) {
    const id = held[operation.operationId];
    if (id === undefined) continue;
    for (const parameter of operation.parameters ?? []) parameter.example = id;
  }
}
