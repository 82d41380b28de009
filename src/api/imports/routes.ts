import type { Static } from 'typebox';
import { CodedError } from '../../base/errors.ts';
import type { Choices } from '../../files/stated.ts';
import { INTERNAL_SCOPE } from '../access/scopes.ts';
import { inTime } from '../answers/cached-answer.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendUncached } from '../http/answer.ts';
import { requireWhole } from '../http/authentication.ts';
import type { RouteEntry, RouteExample } from '../http/route-entry.ts';
import { getLoaded } from './get-loaded.ts';
import type { Imports } from './imports.ts';
import {
  Choices as ChoicesBody,
  ImportAnswer,
  ImportBody,
  ImportPath,
  ImportsAnswer,
  LIMIT,
  LoadedAnswer,
  LoadedQuery,
  PART_BYTES,
  PartBody,
} from './schema.ts';

const IMPORTS_URL = '/api/internal/imports';
const WHO = 'Answers callers of this machine, and others with the internal scope.';

const EXAMPLE: ImportAnswer = {
  id: '0123456789abcdef',
  file: 'AAPL_daily.csv',
  bytes: 52_114,
  received: 0,
  part_bytes: PART_BYTES,
  state: 'uploading',
  files: 0,
  files_refused: 0,
  readings: [],
  choices: [],
  share_done: null,
  rows_read: 0,
  report: null,
  message: null,
};
/** Of a file that nobody holds. */
const exampleWith = (body?: unknown) => (): RouteExample => ({
  parameters: { id: EXAMPLE.id },
  answer: EXAMPLE,
  ...(body === undefined ? {} : { body }),
});

export function importRoutes(context: AppContext, imports: Imports): readonly RouteEntry[] {
  const entries: readonly RouteEntry[] = [
    {
      method: 'POST',
      url: IMPORTS_URL,
      operationId: 'createImport',
      tag: 'internal',
      summary: 'Bring a file',
      description: `Announces a file, whose parts follow. ${WHO}`,
      scope: INTERNAL_SCOPE,
      body: ImportBody,
      answer: ImportAnswer,
      example: () => ({ body: { name: EXAMPLE.file, bytes: EXAMPLE.bytes }, answer: EXAMPLE }),
      refusals: [401, 403, 429, 503, 507],
      handler: async (request, reply) =>
        send(reply, await imports.create(request.body as ImportBody, leftBy(reply))),
    },
    {
      method: 'GET',
      url: IMPORTS_URL,
      operationId: 'listImports',
      tag: 'internal',
      summary: 'Files that were brought',
      description: `The files that this process holds or has imported, newest first. ${WHO}`,
      scope: INTERNAL_SCOPE,
      answer: ImportsAnswer,
      example: () => ({ answer: { imports: [EXAMPLE] } }),
      refusals: [401, 403, 429, 503],
      handler: async (_request, reply) => send(reply, { imports: imports.list() }),
    },
    {
      method: 'GET',
      url: `${IMPORTS_URL}/:id`,
      operationId: 'getImport',
      tag: 'internal',
      summary: 'How far a file has come',
      description: `How a file is read, how far its import has come, and what it brought. ${WHO}`,
      scope: INTERNAL_SCOPE,
      params: ImportPath,
      answer: ImportAnswer,
      example: exampleWith(),
      refusals: [401, 403, 404, 429, 503],
      handler: async (request, reply) => send(reply, imports.get(idOf(request.params))),
    },
    {
      method: 'POST',
      url: `${IMPORTS_URL}/:id/parts`,
      operationId: 'addImportPart',
      tag: 'internal',
      summary: 'A part of a file',
      description: `Parts follow one another from the beginning of the file; after the last one the answer says how the file is read, or that it is still being read. ${WHO}`,
      scope: INTERNAL_SCOPE,
      params: ImportPath,
      body: PartBody,
      answer: ImportAnswer,
      example: exampleWith({ offset: 0, base64: 'ZGF0ZSxvcGVu' }),
      refusals: [401, 403, 404, 409, 429, 503, 507],
      handler: async (request, reply) =>
        send(reply, await imports.add(idOf(request.params), request.body as PartBody, leftBy(reply))),
    },
    {
      method: 'POST',
      url: `${IMPORTS_URL}/:id/reading`,
      operationId: 'readImport',
      tag: 'internal',
      summary: 'Read a file with other choices',
      description: `Says how the file is read with what the caller decides. Nothing is written. ${WHO}`,
      scope: INTERNAL_SCOPE,
      params: ImportPath,
      body: ChoicesBody,
      answer: ImportAnswer,
      example: exampleWith({ prices: 'split-adjusted' }),
      refusals: [401, 403, 404, 409, 429, 503],
      handler: async (request, reply) =>
        send(reply, await imports.read(idOf(request.params), request.body as Choices, leftBy(reply))),
    },
    {
      method: 'POST',
      url: `${IMPORTS_URL}/:id/start`,
      operationId: 'startImport',
      tag: 'internal',
      summary: 'Import a file',
      description: `Brings the file onto the tape, as it was read last; the answer comes at once. ${WHO}`,
      scope: INTERNAL_SCOPE,
      params: ImportPath,
      answer: ImportAnswer,
      example: exampleWith(),
      refusals: [401, 403, 404, 409, 429, 503],
      handler: async (request, reply) => send(reply, imports.start(idOf(request.params))),
    },
    {
      method: 'DELETE',
      url: `${IMPORTS_URL}/:id`,
      operationId: 'cancelImport',
      tag: 'internal',
      summary: 'Cancel an import',
      description: `Stops the import of a file and deletes the file; one that has ended is forgotten. ${WHO}`,
      scope: INTERNAL_SCOPE,
      params: ImportPath,
      answer: ImportAnswer,
      example: exampleWith(),
      refusals: [401, 403, 404, 429, 503],
      handler: async (request, reply) => send(reply, await imports.cancel(idOf(request.params))),
    },
    {
      method: 'GET',
      url: '/api/internal/loaded',
      operationId: 'getLoaded',
      tag: 'internal',
      summary: 'What is loaded',
      description: `Range and missing sessions of each symbol by kind of data, the newest instant, and what was refused of the newest sources. ${WHO}`,
      scope: INTERNAL_SCOPE,
      querystring: LoadedQuery,
      answer: LoadedAnswer,
      example: ({ symbol }) => ({
        parameters: { q: symbol },
        answer: {
          newest: '2026-01-02T21:00:00.000Z',
          symbols: 1,
          loaded: [{ symbol, name: null, simulated: true, series: [], next: [] }],
          deliveries: [],
          next_cursor: null,
        },
      }),
      refusals: [401, 403, 429, 503, 504],
      async handler(request, reply) {
        const { q, limit, cursor } = request.query as Static<typeof LoadedQuery>;
        const page = { q, cursor, limit: limit === undefined ? LIMIT.byDefault : Number(limit) };
        return send(
          reply,
          await inTime(context, 'What is loaded was not answered', (signal) =>
            getLoaded(context, page, signal),
          ),
        );
      },
    },
  ];
  return entries.map((entry) => ({
    ...entry,
    handler(request, reply) {
      requireWhole(request);
      return entry.handler(request, reply);
    },
  }));
}

const send = (reply: Parameters<typeof sendUncached>[0], answer: object) =>
  sendUncached(reply, JSON.stringify(answer));

/** Aborts when the caller has left before the answer. */
function leftBy({ raw }: Parameters<typeof sendUncached>[0]): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(new CodedError('conflict', 'the caller has left'));
  });
  return left.signal;
}

const idOf = (params: unknown): string => (params as Static<typeof ImportPath>).id;
