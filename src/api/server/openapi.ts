import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { anonymousCaller, type Caller } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Examples, RouteEntry, RouteExample } from '../http/route-entry.ts';
import { chooseExamples, exampleRun } from './choose-examples.ts';
import { type Json, typedExample, withComponents } from './components.ts';
import type { HomeOf } from './oauth.ts';

/** The OpenAPI document and its page, with examples from the served data. */

/** Must run before the routes: the plugin collects them as they are added. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'tigraph',
        version: '1.0.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        description: `Trading Intelligence Graph (program version ${version}): what is known of every stock, free of look-ahead.`,
      },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'A token of the exchange endpoint. Each endpoint names the scope that it needs; market-data:realtime besides asks for the real-time feed, where the grant carries it.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        (json.$id as string | undefined) ?? `schema-${index}`,
    },
  });
  let page: Promise<FastifyInstance> | undefined;
  for (const url of [PAGE_URL, `${PAGE_URL}/*`]) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      page ??= openPage();
      const { statusCode, headers, payload } = await (await page).inject(request.url);
      if (statusCode === 404) return reply.callNotFound();
      const { 'content-type': type, location } = headers;
      if (type !== undefined) reply.type(type);
      if (location !== undefined) reply.header('location', location);
      return reply.code(statusCode).send(payload);
    });
  }
  app.get(FAVICON_URL, { schema: { hide: true } }, (_, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(FAVICON),
  );
}

const PAGE_URL = '/docs';

/** The page, by a server of its own with the first request: its package is 17 MB in memory. */
async function openPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  await page.register(scalar, {
    routePrefix: PAGE_URL,
    configuration: {
      url: '/openapi.json',
      pageTitle: 'tigraph API',
      favicon: FAVICON_URL,
      // Nothing from other hosts.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  });
  return page;
}

const FAVICON_URL = '/favicon.svg';
/** Three nodes and their edges. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 24 15 9l11 11z" fill="none" stroke="#0b7285" stroke-width="3"/><g fill="#12b886"><circle cx="6" cy="24" r="4"/><circle cx="15" cy="8" r="4"/><circle cx="26" cy="20" r="4"/></g></svg>';

/**
 * Serves the description of the routes at `/openapi.json`.
 *
 * @param delayMs age of the data that its examples show
 */
export function serveDescription(
  app: FastifyInstance,
  context: AppContext,
  entries: readonly RouteEntry[],
  delayMs: number,
  homeOf: HomeOf,
): void {
  const describe = describer(app, context, entries, anonymousCaller(delayMs));
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    // With the address that the caller knows the examples run as they are.
    const servers = JSON.stringify([{ url: homeOf(request) }]);
    return reply
      .type('application/json; charset=utf-8')
      .send(`{"servers":${servers},${(await describe()).slice(1)}`);
  });
}

const EXAMPLES_TTL_MS = 60_000;

interface Parameter {
  readonly name: string;
  readonly schema: { readonly type: string };
  example?: Json[string];
}

/** The part of an operation in the document of `@fastify/swagger` that gets examples. */
interface Documented {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}

/** Makes the JSON text of the document, again when its examples change. */
function describer(
  app: FastifyInstance,
  context: AppContext,
  entries: readonly RouteEntry[],
  caller: Caller,
): () => Promise<string> {
  let chosen: Promise<Examples | null> = Promise.resolve(null);
  let chosenAt = Number.NEGATIVE_INFINITY;
  let answers = new Map<string, Promise<unknown>>();
  let made: { readonly name: string; readonly text: Promise<string> } | null = null;
  const choose = (): Promise<Examples | null> => {
    const now = context.scope.timers.monotonic();
    if (now - chosenAt > EXAMPLES_TTL_MS) {
      chosenAt = now;
      answers = new Map();
      chosen = chooseExamples(context, caller);
    }
    return chosen;
  };
  return async () => {
    // While the store is unavailable the document has no examples.
    const [examples, run] = await Promise.all([choose(), exampleRun(context, caller)]).catch(() => [
      null,
      null,
    ]);
    const name = JSON.stringify([chosenAt, examples, run]);
    if (made?.name !== name) made = { name, text: makeText(app, entries, answers, examples, run) };
    return made.text;
  };
}

async function makeText(
  app: FastifyInstance,
  entries: readonly RouteEntry[],
  answers: Map<string, Promise<unknown>>,
  examples: Examples | null,
  run: string | null,
): Promise<string> {
  const document = withComponents(app.swagger() as unknown as Json) as {
    readonly paths: Record<string, Record<string, Documented>>;
  };
  const documented = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
  await Promise.all(
    entries.map(async (entry) => {
      const operation = documented.get(entry.operationId)!;
      const example = examples === null ? null : entry.example(examples, run);
      if (example === null) return;
      showRequest(operation, example);
      const answer =
        'answer' in example
          ? example.answer
          : await answers.getOrInsertComputed(entry.operationId, () =>
              request(app, entry, operation, example.body),
            );
      if (answer !== undefined) mediaOf(operation.responses['200']!).example = shortened(answer);
    }),
  );
  return JSON.stringify(document);
}

interface Content {
  readonly content?: Record<string, { example?: unknown }>;
}

const mediaOf = ({ content }: Content): { example?: unknown } => Object.values(content!)[0]!;

function showRequest({ parameters, requestBody }: Documented, example: RouteExample): void {
  for (const parameter of parameters) {
    const value = example.parameters?.[parameter.name];
    if (value === null) delete parameter.example;
    else if (value !== undefined) parameter.example = typedExample(value, parameter.schema.type);
  }
  if (requestBody !== undefined) mediaOf(requestBody).example = example.body;
}

/** The service's answer to an example request without a token; undefined for a refusal. */
async function request(
  app: FastifyInstance,
  { method, url }: RouteEntry,
  { parameters }: Documented,
  body: unknown,
): Promise<unknown> {
  let path = url;
  const query = new URLSearchParams();
  for (const { name, example } of parameters) {
    if (example === undefined) continue;
    if (url.includes(`:${name}`)) path = path.replace(`:${name}`, encodeURIComponent(`${example}`));
    else query.append(name, `${example}`);
  }
  const payload = body === undefined ? {} : { payload: body as object };
  const response = await app.inject({ method, url: `${path}?${query}`, ...payload });
  return response.statusCode === 200 ? response.json() : undefined;
}

const ITEMS_SHOWN = 1;

/** An answer with its lists cut short. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_SHOWN).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
