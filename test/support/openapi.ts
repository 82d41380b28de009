import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { AccessScope } from '../../src/api/access/scopes.ts';

/** The served description of the API, the requests that its examples make, and whether an answer is as it says. */

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  example?: string | number | readonly string[];
  readonly schema: object;
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly { readonly bearer?: readonly AccessScope[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

export interface Document {
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Documented {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const operationsOf = ({ paths }: Document): Documented[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** The request that an operation's examples make, as the documentation page sends it. */
export function requestOf(
  { method, path, operation }: Documented,
  base: string,
): { url: string; init: RequestInit } {
  const url = new URL(path, base);
  const headers = new Headers();
  for (const { name, in: where, required, example } of operation.parameters ?? []) {
    if (example === undefined) {
      if (required) throw new Error(`${operation.operationId}: no example of ${name}`);
    } else if (where === 'path') {
      url.pathname = decodeURIComponent(url.pathname).replace(`{${name}}`, encodeURIComponent(`${example}`));
    } else if (where === 'query') url.searchParams.set(name, `${example}`);
    else headers.set(name, `${example}`);
  }
  const media = operation.requestBody?.content['application/json'];
  if (media === undefined) return { url: url.href, init: { method, headers } };
  headers.set('content-type', 'application/json');
  return { url: url.href, init: { method, headers, body: JSON.stringify(media.example) } };
}

/** A part of the document and where it lies, as a JSON pointer; behind its reference if it is one. */
interface Part {
  readonly at: string;
  readonly value: { readonly [name: string]: unknown };
}

export function partAt(document: Document, at: string, ...names: readonly string[]): Part | undefined {
  const steps = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const pointer = at + steps.join('');
  let value: unknown = document;
  for (const step of pointer.split('/').slice(1)) {
    value = (value as Part['value'])[step.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (value === undefined) return undefined;
  }
  const { $ref } = value as { $ref?: string };
  return $ref === undefined
    ? { at: pointer, value: value as Part['value'] }
    : partAt(document, $ref.slice(1));
}

/** An answer as it came; of a stream its beginning. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
}

/** What an answer has that the document does not say of it, by ajv; null for nothing. */
export function judgeOf(document: Document): (documented: Documented, answer: Answered) => string | null {
  const formats = {
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  };
  const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (at: string): ValidateFunction =>
    validators.getOrInsertComputed(at, () =>
      ajv.compile({ $ref: `api#${at.split('/').map(encodeURIComponent).join('/')}` }),
    );
  return ({ method, path }, { status, type, headers, text }) => {
    const said = `${status} ${type} ${text.slice(0, 300)}`;
    const answer = partAt(document, '', 'paths', path, method, 'responses', `${status}`);
    if (answer === undefined) return `no such status: ${said}`;
    for (const name of Object.keys(answer.value.headers ?? {})) {
      const { required } = partAt(document, answer.at, 'headers', name)!.value;
      if (required === true && !headers.has(name)) return `no header ${name}: ${said}`;
    }
    const schema = partAt(document, answer.at, 'content', type, 'schema');
    if (schema === undefined) return `no such media type: ${said}`;
    const isValid = validatorAt(schema.at);
    const bodies = type.endsWith('json') ? [text] : (text.match(/(?<=^data: ?).*/gm) ?? []);
    const isFaulty = bodies.some((body) => !isValid(JSON.parse(body)));
    return isFaulty ? `${ajv.errorsText(isValid.errors)}: ${said}` : null;
  };
}
