import type { AddressInfo } from 'node:net';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { newBearer, newCredentials } from '../../support/access.ts';
import { appOn, freshApp, serverOf } from '../../support/app.ts';
import { bringFiles } from '../../support/files.ts';
import { type Document, type Documented, operationsOf, requestOf } from '../../support/openapi.ts';
import { readWhole, recordStatements } from '../../support/plans.ts';
import { words } from '../../support/tables.ts';

/** The description of the API on a market as a first start builds it, only smaller: what it shows can be done. */

const END = '2024-03-05';
const MARKET = { symbols: 14, days: 260, seed: 1, minuteSessions: 3, tickSessions: 1 };

/**
 * What is read whole: keys that sign, programs that wrote screens, months, runs under way, what waits for the next pass;
 * once in the life of a process, the companies behind the catalogue of symbols and which of the two markets each symbol
 * is of; the rows of the session that runs, before whose open a market may have nothing else; and simulated files up to the
 * first.
 */
const READ_WHOLE =
  /^(access_key|running_row|screen_catalogue|peer_topology|backtest_run_open|tape_touched|tape_segment_simulated|symbol_market|reported_fact_(profile|ticker))(_pkey)?$/;

const readDocument = async (): Promise<Document> =>
  (await (await fetch(`${base}/openapi.json`)).json()) as Document;

async function operation(id: string): Promise<Documented> {
  const found = operationsOf(await readDocument()).find((one) => one.operation.operationId === id);
  if (found === undefined) throw new Error(`No operation ${id}`);
  return found;
}

/** Sends the request of the examples; of a stream only the beginning is read. */
async function tryOut(documented: Documented): Promise<{ status: number; text: string }> {
  const { url, init } = requestOf(documented, base);
  const leaving = new AbortController();
  const response = await fetch(url, { ...init, signal: leaving.signal });
  if (!response.headers.get('content-type')!.startsWith('text/event-stream')) {
    return { status: response.status, text: await response.text() };
  }
  const { value } = await response.body!.getReader().read();
  leaving.abort();
  return { status: response.status, text: new TextDecoder().decode(value) };
}

/** Requested in another order than listed: a run has to exist before it can be requested. */
const ABOUT_RUNS = ['startOptimization', 'cancelRun', 'getRun', 'watchRun', 'listRuns'];
/** Only a completed run has them: backtest-trades.test.ts. */
const OF_COMPLETED_RUNS = ['getRunTrades', 'getRunEquity'];
/** As well: a file has to be there before it can be read. */
const ABOUT_FILES = words`createImport addImportPart readImport startImport getImport cancelImport`;
/** As well: a list before it can be asked for. */
const ABOUT_LISTS = words`putWatchlist getWatchlist deleteWatchlist`;
const ABOUT_ALERTS = words`putAlert getAlert deleteAlert putAlertReceiver testAlertReceiver deleteAlertReceiver`;

const { app, store } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
const calendar = newYorkCalendar();
await importFeed(app.context, simulatedFeed({ ...MARKET, end: END, calendar }));
await syncGraph(app.context, { kind: 'touched' });
const statements = recordStatements(app.context.database);
// No run is over before it can be cancelled.
const server = await serverOf(app, { executesBacktests: false });
await server.listen({ host: '127.0.0.1', port: 0 });
const base = `http://127.0.0.1:${(server.addresses()[0] as AddressInfo).port}`;

describe('the examples of the requests', () => {
  it('run as they are', async () => {
    const others = operationsOf(await readDocument()).filter(
      ({ operation: { operationId } }) =>
        ![
          ...ABOUT_RUNS,
          ...OF_COMPLETED_RUNS,
          ...ABOUT_FILES,
          ...ABOUT_LISTS,
          ...ABOUT_ALERTS,
          'exchangeToken',
          'leaveDemo',
          'buildRecords',
        ].includes(operationId),
    );
    expect(others.length).toBeGreaterThan(10);
    for (const documented of others) {
      const { status, text } = await tryOut(documented);
      expect(`${documented.operation.operationId} ${status} ${status === 200 ? '' : text}`).toBe(
        `${documented.operation.operationId} 200 `,
      );
    }
  });

  it('are answered with an entity tag where they ask for market data', async () => {
    for (const documented of operationsOf(await readDocument())) {
      const { method, path, operation } = documented;
      if (method !== 'get' || !/stocks|options|market|graph\/|chat|fields/.test(path.slice(14))) continue;
      const { url, init } = requestOf(documented, base);
      const etag = (await fetch(url, init)).headers.get('etag');
      expect([operation.operationId, etag]).toEqual([operation.operationId, expect.any(String)]);
      const again = await fetch(url, { ...init, headers: { 'if-none-match': etag! } });
      expect([operation.operationId, again.status]).toEqual([operation.operationId, 304]);
    }
  });

  it.each([
    ['start a backtest, and then name it', ABOUT_RUNS],
    ['keep a list of stocks, and delete it', ABOUT_LISTS],
    ['keep an alert and where it goes, and delete them', ABOUT_ALERTS],
  ])('%s', async (_, operations) => {
    for (const id of operations) {
      const { status, text } = await tryOut(await operation(id));
      expect(`${id} ${status} ${status === 200 ? '' : text}`).toBe(`${id} 200 `);
    }
  });

  it('lead to figures and not only to an answer', async () => {
    const answerTo = async (id: string) => JSON.parse((await tryOut(await operation(id))).text);
    expect((await answerTo('getStock')).levels).not.toBeNull();
    expect((await answerTo('getPeers')).peers).not.toEqual([]);
    expect((await answerTo('getDteScores')).expirations).not.toEqual([]);
    expect((await answerTo('computeDiffusion')).scores).not.toEqual([]);
    expect((await answerTo('screenStocks')).rows).not.toEqual([]);
    expect((await answerTo('verifyText')).claims).not.toEqual([]);
  });

  it('read no table whole that grows with dates', async () => {
    const { database } = app.context;
    const selects = [...statements].filter(([sql]) => /^\s*(select|with)\b/i.test(sql));
    expect(selects.length).toBeGreaterThan(20);
    for (const [sql, parameters] of selects) {
      const whole = await readWhole(database, sql, parameters);
      expect([sql, whole.filter((name) => !READ_WHOLE.test(name))]).toEqual([sql, []]);
    }
  });

  it('bring a file, and then name it', async () => {
    const document = await readDocument();
    await bringFiles(base, document);
    for (const id of ABOUT_FILES) {
      const { status, text } = await tryOut(
        operationsOf(document).find((one) => one.operation.operationId === id)!,
      );
      expect(`${id} ${status} ${status === 200 ? '' : text}`).toBe(`${id} 200 `);
    }
  });

  it('exchange a token once the placeholders are filled in', async () => {
    const exchange = await operation('exchangeToken');
    const body = exchange.operation.requestBody!.content['application/json']!.example as object;
    const credentials = await newCredentials(app.context.database, {});
    const response = await fetch(`${base}${exchange.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...credentials }),
    });
    expect(response.status).toBe(200);
  });
});

describe('every route', () => {
  const refusalOf = async (documented: Documented, headers: { readonly authorization?: string }) => {
    const { url, init } = requestOf(documented, base);
    const asked = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) asked.set(name, value);
    const response = await fetch(url, { ...init, headers: asked });
    return [
      documented.operation.operationId,
      response.status,
      ((await response.json()) as { code: string }).code,
    ];
  };

  it('refuses a token that is none, and one without its scope', async () => {
    const of = { server, database: app.context.database };
    const tokens = { stock: await newBearer(of, ['stock:read']), chat: await newBearer(of, ['chat:read']) };
    for (const documented of operationsOf(await readDocument())) {
      const { operationId: id, security = [] } = documented.operation;
      const scope = security.find(({ bearer }) => bearer !== undefined)?.bearer?.[0];
      if (scope === undefined) continue;
      const lacking = scope === 'stock:read' ? tokens.chat : tokens.stock;
      const forged = { authorization: 'Bearer forged' };
      expect(await refusalOf(documented, forged)).toEqual([id, 401, 'invalid_token']);
      expect(await refusalOf(documented, lacking)).toEqual([id, 403, 'insufficient_scope']);
    }
  });

  it('names the methods that it has to a caller with another', async () => {
    const { paths } = await readDocument();
    for (const [path, methods] of Object.entries(paths)) {
      const documented = Object.entries(methods).map(([method, operation]) => ({ method, path, operation }));
      const { url } = requestOf(documented[0]!, base);
      const response = await fetch(url, { method: 'PATCH' });
      const allowed = response.headers.get('allow')?.split(', ');
      expect([path, response.status]).toEqual([path, 405]);
      const expected = Object.keys(methods).map((method) => method.toUpperCase());
      expect(allowed, path).toEqual(expect.arrayContaining(expected));
      expect(
        allowed?.filter((method) => method !== 'HEAD'),
        path,
      ).toHaveLength(expected.length);
    }
  });
});

it('declares numbers and lists in addresses as such', async () => {
  const { parameters } = (await operation('getNeighborhood')).operation;
  expect(parameters!.find(({ name }) => name === 'types')).toMatchObject({
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['PEER_OF']) } },
    example: ['IN_SECTOR', 'PEER_OF'],
  });
  expect(parameters!.find(({ name }) => name === 'depth')).toMatchObject({
    schema: { type: 'integer', minimum: 1, maximum: 3 },
    example: 1,
  });
});

describe('the document', () => {
  it('passes the rules of a linter', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // Whoever serves it for himself serves it there.
      rules: { 'no-server-example.com': 'off' },
    });
    const source = JSON.stringify(await readDocument());
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('has every titled schema once, under its name', async () => {
    const { components, paths } = await readDocument();
    const titles = (part: unknown): string[] =>
      [...JSON.stringify(part).matchAll(/"title":"([^"]+)"/g)].map((match) => match[1]!);
    const schemas = Object.entries(components.schemas!);
    expect(schemas.length).toBeGreaterThan(100);
    for (const [name, schema] of schemas) expect([name, titles(schema)]).toEqual([name, [name]]);
    const withoutExamples = JSON.stringify(paths, (key, value) => (key === 'example' ? undefined : value));
    expect(titles(JSON.parse(withoutExamples))).toEqual([]);
  });

  it('requires of a stock what every answer has, and names what the contract requires of a whole one', async () => {
    const { StockResult, DayContext } = (await readDocument()).components.schemas!;
    expect(StockResult).toMatchObject({
      required: ['symbol', 'updated_at'],
      'x-required-without-fields': ['symbol', 'volume', 'dollar_volume', 'updated_at'],
    });
    expect(DayContext).not.toHaveProperty('required');
    expect(DayContext).toHaveProperty('x-required-without-fields', expect.arrayContaining(['day_type']));
  });

  it('says how long a refused caller waits', async () => {
    const { components, paths } = await readDocument();
    const { responses } = paths['/api/graph/v1/stocks/{symbol}']!.get!;
    expect(responses['429']).toEqual({ $ref: '#/components/responses/TooManyRequests' });
    expect(components.responses!.TooManyRequests).toMatchObject({
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
    });
  });
});

describe('the examples of the answers', () => {
  it('are there for every operation and keep to its schema', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const document = await readDocument();
    for (const { operation } of operationsOf(document)) {
      const [media] = Object.values(operation.responses['200']!.content!);
      expect(`${operation.operationId} ${media!.example === undefined}`).toBe(
        `${operation.operationId} false`,
      );
      ajv.validate({ ...media!.schema, components: document.components }, media!.example);
      expect([operation.operationId, ajv.errors]).toEqual([operation.operationId, null]);
    }
  });

  it('leave the document small', async () => {
    const document = await readDocument();
    const examples = operationsOf(document).flatMap(({ operation }) =>
      Object.values(operation.responses['200']!.content!).map(
        ({ example = null }) => JSON.stringify(example).length,
      ),
    );
    expect(examples.reduce((sum, length) => sum + length)).toBeLessThan(65_536);
  });

  it('show no market data where callers need a token', async () => {
    const locked = await appOn(store, { TIGRAPH_NOW: '2024-03-06T12:00:00Z', AUTH_REQUIRED: 'true' });
    const face = await serverOf(locked);
    const document = (await face.inject('/openapi.json')).json() as Document;
    const stock = document.paths['/api/graph/v1/stocks/{symbol}']!.get!;
    expect(stock.responses['200']!.content!['application/json']!.example).toBeUndefined();
  });
});
