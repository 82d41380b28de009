import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { bringRecordsUpToDate } from '../../../src/pipeline/record-pass.ts';
import { appOn, bring, freshStore, serverOf } from '../../support/app.ts';
import { postRun, RUNS } from '../../support/backtests.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { connectStream } from '../../support/stream.ts';

/** Where a caller left off is understood by every replica of a desk, and by the process after a restart. */

const SETTINGS = { TIGRAPH_NOW: '2024-03-13T15:00:00Z' };
const SYMBOLS = ['AAA', 'BBB', 'CCC'];
const ROOT = '/api/graph/v1';

const store = await freshStore();
const open = async () => {
  const app = await appOn(store, SETTINGS);
  return { app, server: await serverOf(app, { executesBacktests: false }) };
};
const one = await open();
await bring(
  one.app,
  SYMBOLS.flatMap((symbol) => [
    dailyBars(symbol, '2023-12-01', '2024-03-12'),
    minuteBars(symbol, '2024-03-12', '2024-03-12'),
  ]),
);
await syncGraph(one.app.context, { kind: 'touched' });
await bringRecordsUpToDate(one.app.context, { range: { from: '2024-01-02' } });
for (const signal of ['vwap_touch', 'ib_breakout'])
  await postRun(one.server, {
    symbols: ['AAA'],
    start_date: '2024-03-12',
    end_date: '2024-03-12',
    signal_types: [signal],
  });
const other = await open();

type Replica = Awaited<ReturnType<typeof open>>;

interface Page {
  readonly next_cursor: string | null;
}

const get = (path: string) => (cursor: string | null) =>
  ({
    url: `${path}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  }) satisfies InjectOptions;

/** Every operation whose answer has a cursor, with a page that is not the last. */
const OPERATIONS: Readonly<Record<string, (cursor: string | null) => InjectOptions>> = {
  getBars: get(`${ROOT}/stocks/AAA/bars?interval=1m&from=2024-03-12&limit=3`),
  getHistory: get(`${ROOT}/stocks/AAA/history?fields=last_price&from=2024-03-01&limit=3`),
  searchSymbols: get(`${ROOT}/symbols?limit=1`),
  listRuns: get(`${RUNS}?limit=1`),
  getLoaded: get('/api/internal/loaded?limit=1'),
  listRecordEvents: get(`${ROOT}/records/level.prior_day/events?limit=1`),
  screenStocks: (cursor) => ({
    method: 'POST',
    url: `${ROOT}/screener`,
    payload: { date: '2024-03-12', limit: 1, ...(cursor === null ? {} : { cursor }) },
  }),
};

async function pageOf({ server }: Replica, request: InjectOptions): Promise<Page> {
  const answer = await server.inject(request);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe('a cursor', () => {
  it('is tested of every operation that has one', async () => {
    const { paths, components } = (await one.server.inject('/openapi.json')).json() as {
      paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
      components: { schemas: Record<string, { properties?: object }> };
    };
    const paged = Object.keys(components.schemas).filter(
      (name) => 'next_cursor' in (components.schemas[name]!.properties ?? {}),
    );
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const found = operations.filter(({ responses }) =>
      paged.some((name) => JSON.stringify(responses['200']).includes(`schemas/${name}"`)),
    );
    expect(found.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it.each(Object.keys(OPERATIONS))('of %s leads to the same page in another process', async (operation) => {
    const request = OPERATIONS[operation]!;
    const { next_cursor: cursor } = await pageOf(one, request(null));
    expect(cursor).not.toBeNull();
    const restarted = await open();
    const pages = await Promise.all([one, other, restarted].map((at) => pageOf(at, request(cursor))));
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    expect(pages[0]).not.toEqual(await pageOf(one, request(null)));
  });
});

it('a position in a stream of another process is followed by a gap and by every stock as it is', async () => {
  const connect = async ({ server }: Replica, headers: Record<string, string>) => {
    const base = await server.listen({ host: '127.0.0.1', port: 0 });
    const { reading } = await connectStream(`${base}${ROOT}/stream?symbols=${SYMBOLS.join()}`, headers);
    return reading;
  };
  const first = await connect(one, {});
  let id: string | null = null;
  while (id === null) ({ id } = await first.next());
  expect(id).toMatch(/^[\da-f]{8}-delayed:\d+$/);
  const second = await connect(other, { 'last-event-id': id });
  expect((await second.next('gap')).data).toMatchObject({
    reason: 'history_gone',
    from: null,
    symbols: SYMBOLS,
  });
  for (const symbol of SYMBOLS) expect((await second.next('snapshot')).data).toMatchObject({ symbol });
});
