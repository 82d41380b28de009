import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshApp, serverOf } from '../../support/app.ts';
import { inFull, SEED, sampled } from '../../support/depth.ts';
import { bringFiles } from '../../support/files.ts';
import {
  type Answered,
  type Document,
  type Documented,
  judgeOf,
  operationsOf,
} from '../../support/openapi.ts';
import {
  type Asked,
  allowed,
  exampleOf,
  hostile,
  listsOf,
  longDraft,
  pageOf,
  SESSION,
  singlesOf,
  timedOf,
  timesOf,
  YEARS,
} from '../../support/requests.ts';

/**
 * Whatever is asked of an operation, the answer has a status that the document names and the body that it describes, by a
 * validator that knows nothing of this service.
 */

const MARKET = { symbols: 14, days: 130, seed: 1, minuteSessions: 2, tickSessions: 1 };

const { app } = await freshApp({ TIGRAPH_NOW: '2024-03-06T12:00:00Z' });
await importFeed(app.context, simulatedFeed({ ...MARKET, end: SESSION, calendar: newYorkCalendar() }));
await syncGraph(app.context, { kind: 'touched' });
const server = await serverOf(app, { executesBacktests: false });
await server.listen({ host: '127.0.0.1', port: 0 });
const base = `http://127.0.0.1:${(server.addresses()[0] as AddressInfo).port}`;

const encoded = (text: string): string =>
  text.startsWith('%') ? text : encodeURIComponent(text.toWellFormed());

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const readDocument = async (): Promise<Document> =>
  (await (await fetch(`${base}/openapi.json`)).json()) as Document;

const first = operationsOf(await readDocument());
const operationOf = (id: string): Documented => first.find(({ operation }) => operation.operationId === id)!;
// The examples of lists and alerts name those that are kept.
for (const id of ['putWatchlist', 'putAlert', 'putAlertReceiver'])
  await ask(operationOf(id), exampleOf(operationOf(id)));
const start = operationOf('startOptimization');
const run = exampleOf(start);
for (const top_n of [1, 2]) await ask(start, { ...run, body: { ...(run.body as object), top_n } });
// The examples of runs name the one that was started.
const document = await readDocument();
// To leave the demo takes the market from the others: it is asked last. To count records begins long work.
const [[leaving], operations] = partOf(
  operationsOf(document).filter(({ operation }) => operation.operationId !== 'buildRecords'),
  ({ operation }) => operation.operationId === 'leaveDemo',
);
const byId = new Map(operations.map((documented) => [documented.operation.operationId, documented]));
const faultOf = judgeOf(document);

function partOf<Item>(items: readonly Item[], isOf: (item: Item) => boolean): [Item[], Item[]] {
  const { true: of = [], false: others = [] } = Object.groupBy(items, (item) => `${isOf(item)}` as const);
  return [of, others];
}

async function ask(
  { method, path, operation }: Documented,
  { path: names, query, headers, body }: Asked,
): Promise<Answered> {
  const place = path.replace(/\{(\w+)\}/g, (_, name) => encoded(names[name]!));
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const leaving = new AbortController();
  const sent =
    operation.requestBody === undefined
      ? { headers }
      : { headers: { 'content-type': 'application/json', ...headers }, body: textOf(body) };
  const response = await fetch(`${base}${place}?${search}`, { method, signal: leaving.signal, ...sent });
  const [type] = response.headers.get('content-type')!.split(';', 1);
  const answered = { status: response.status, type: type!, headers: response.headers };
  if (type !== 'text/event-stream') return { ...answered, text: await response.text() };
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/^data: .*\n\n/m.test(text)) break;
  }
  leaving.abort();
  return { ...answered, text: text.slice(0, text.lastIndexOf('\n\n')) };
}

// First: what the others import is of a market of its own, of which the service then answers.
it.each(['getBars', 'searchSymbols', 'listRuns', 'screenStocks'])(
  'answers the second page of %s',
  async (id) => {
    const documented = byId.get(id)!;
    const { next_cursor } = JSON.parse((await ask(documented, pageOf(documented, null))).text);
    expect(next_cursor).toEqual(expect.any(String));
    const second = await ask(documented, pageOf(documented, next_cursor));
    expect([second.status, faultOf(documented, second)]).toEqual([200, null]);
  },
);

describe.each(operations)('$operation.operationId', (documented) => {
  // Files make room for newer ones.
  if (documented.path.includes('/imports/')) beforeAll(() => bringFiles(base, document));

  it('answers each parameter alone as the document says', async () => {
    const statuses = new Set<number>();
    const [example, ...others] = singlesOf(document, documented);
    // Each of these reads a file anew.
    const isDear = documented.operation.operationId === 'readImport';
    for (const request of [example!, ...sampled(others, isDear ? 8 : 2)]) {
      const answer = await ask(documented, request);
      statuses.add(answer.status);
      expect([request, faultOf(documented, answer)]).toEqual([request, null]);
    }
    // Its placeholders are no credentials.
    const id = documented.operation.operationId;
    // No run is executed here.
    const ofCompletedRun = /^getRun(Trades|Equity)$/.test(id);
    expect(statuses).toContain(id === 'exchangeToken' ? 401 : ofCompletedRun ? 409 : 200);
  });

  it('answers several parameters as the document says', async () => {
    await fc.assert(
      fc.asyncProperty(allowed(document, documented), async (request) => {
        expect(faultOf(documented, await ask(documented, request))).toBeNull();
      }),
      { seed: SEED, numRuns: inFull(1_000, 4) },
    );
  });

  it('reads a list with commas and as repeated keys alike', async () => {
    for (const { joined, repeated } of listsOf(documented)) {
      const [one, other] = [await ask(documented, joined), await ask(documented, repeated)];
      expect([repeated.query, other.status, other.text]).toEqual([repeated.query, 200, one.text]);
      expect(other.headers.get('etag')).toBe(one.headers.get('etag'));
    }
  });

  it('refuses a time of which no clock of New York is known', async () => {
    for (const year of sampled(YEARS, 3)) {
      for (const request of timedOf(document, documented, timesOf(year))) {
        const answer = await ask(documented, request);
        expect([request, faultOf(documented, answer)]).toEqual([request, null]);
        // Of a trade date that no session has it names the nearest. The last minutes of 1899 are of 1900 further west.
        // A client has room for ten runs.
        const expected = /^(1899|1900|2099)/.test(year) ? [200, 404, 422, 429] : [404, 422];
        expect([request, expected]).toEqual([request, expect.arrayContaining([answer.status])]);
      }
    }
  });
});

it('reads drafts of 10,000 characters', async () => {
  const verify = byId.get('verifyText')!;
  const { symbol } = exampleOf(verify).body as { symbol: string };
  await fc.assert(
    fc.asyncProperty(longDraft, async (text) => {
      const answer = await ask(verify, { ...exampleOf(verify), body: { symbol, text } });
      expect(faultOf(verify, answer)).toBeNull();
    }),
    { seed: SEED, numRuns: inFull(2_000, 4) },
  );
});

it('answers as the document says whatever it is asked', { timeout: inFull(3_600_000, 60_000) }, async () => {
  const requests = fc
    .constantFrom(...byId.keys())
    .chain((id) => fc.record({ id: fc.constant(id), request: hostile(document, byId.get(id)!) }));
  await fc.assert(
    fc.asyncProperty(requests, async ({ id, request }) => {
      expect(faultOf(byId.get(id)!, await ask(byId.get(id)!, request))).toBeNull();
    }),
    { seed: SEED, numRuns: inFull(100_000, 120) },
  );
});

it('leaves the demo as the document says, and once', async () => {
  const states: string[] = [];
  for (const request of [...singlesOf(document, leaving!), exampleOf(leaving!)]) {
    const answer = await ask(leaving!, request);
    expect([answer.status, faultOf(leaving!, answer)]).toEqual([200, null]);
    states.push(JSON.parse(answer.text).state);
  }
  expect(states[0]).toBe('leaving');
  await app.idle();
  const last = await ask(leaving!, exampleOf(leaving!));
  expect(JSON.parse(last.text)).toEqual({ state: 'none', stocks: 0, share_done: null });
});
