import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  columnsOf,
  createClient,
  dataOf,
  type Fetch,
  type StreamItem,
  TigraphError,
  toFloat64,
} from '../../../clients/typescript/src/index.ts';
import { dropKeys } from '../../../src/api/access/changes.ts';
import { revokeGrant } from '../../../src/api/access/clients.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { steppingClock } from '../../../src/base/clock.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { newCredentials } from '../../support/access.ts';
import { appOn, bring, freshStore, serverOf } from '../../support/app.ts';
import { dailyBars, minuteBars, rowsBetween } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { at } from '../../support/tape.ts';

/** `@tigraph/client` against a running service, and its examples as a reader runs them. */

const DATE = '2024-03-05';
const MINUTE_MS = 60_000;
const MARKET = { symbols: 8, days: 60, seed: 1, minuteSessions: 1, tickSessions: 0 };

const minutesUntil = (from: number, to: number) => rowsBetween(minuteBars('ACME', DATE, DATE), from, to);

/** The next minute of ACME's session comes in. */
async function passMinute(): Promise<void> {
  const from = clock.now();
  await clock.until(from + MINUTE_MS);
  await bring(app, [minutesUntil(from, clock.now())]);
}

const REALTIME = ['stock:read', 'market-data:realtime'] as const;
const ACME = { params: { path: { symbol: 'ACME' } } } as const;
const STOCK = '/api/graph/v1/stocks/{symbol}';

/** A fetch that counts, by the last part of the path. */
function counting(): { readonly calls: string[]; readonly fetch: Fetch } {
  const calls: string[] = [];
  return {
    calls,
    fetch: (request) => {
      calls.push(new URL(request.url).pathname.split('/').at(-1)!);
      return fetch(request);
    },
  };
}

const store = await freshStore();
const clock = steppingClock(at(DATE, '10:00'));
const app = await appOn(store, {}, { clock });
await importFeed(app.context, simulatedFeed({ ...MARKET, end: '2024-03-04', calendar: newYorkCalendar() }));
const daily = dailyBars('ACME', '2023-12-01', '2024-03-04');
await bring(app, [daily, minutesUntil(0, clock.now())]);
await syncGraph(app.context, { kind: 'touched' });
const server = await serverOf(app);
await server.listen({ host: '127.0.0.1', port: 0 });
const baseUrl = `http://127.0.0.1:${(server.addresses()[0] as AddressInfo).port}`;

describe('calls', () => {
  it('answer with data of the type that the document names', async () => {
    const stock = await dataOf(createClient({ baseUrl }).GET(STOCK, ACME));
    expect([stock.symbol, stock.source]).toEqual(['ACME', 'delayed']);
  });

  it('send lists of an address as the service reads them', async () => {
    const query = {
      include: ['levels', 'patterns'] as ('levels' | 'patterns')[],
      fields: ['levels', 'last_price'],
    };
    const stock = await dataOf(createClient({ baseUrl }).GET(STOCK, { params: { ...ACME.params, query } }));
    expect(Object.keys(stock).sort()).toEqual(
      words`as_of last_price levels patterns simulated symbol updated_at`,
    );
  });

  it.each([
    ['NOBODY', 404, 'unknown_symbol', /NOBODY/],
    ['not a symbol', 422, 'validation_failed', /^symbol: /],
  ])('throw the refusal of %s', async (symbol, status, code, message) => {
    const refusal = await dataOf(
      createClient({ baseUrl }).GET(STOCK, { params: { path: { symbol } } }),
    ).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TigraphError);
    expect(refusal).toMatchObject({ status, code, message: expect.stringMatching(message) });
  });

  it('say so when nobody answers', async () => {
    const call = dataOf(createClient({ baseUrl: 'http://127.0.0.1:1' }).GET(STOCK, ACME));
    await expect(call).rejects.toMatchObject({ status: 0, code: 'unreachable', isTemporary: true });
  });
});

describe('a token', () => {
  it('is exchanged once for calls at the same time, and opens the real-time feed', async () => {
    const { calls, fetch } = counting();
    const credentials = { ...(await newCredentials(app.context.database)), scopes: [...REALTIME] };
    const client = createClient({ baseUrl, credentials, fetch });
    const stocks = await Promise.all([1, 2, 3].map(() => dataOf(client.GET(STOCK, ACME))));
    expect(stocks.map(({ source }) => source)).toEqual(['realtime_sip', 'realtime_sip', 'realtime_sip']);
    expect(calls.filter((name) => name === 'token')).toHaveLength(1);
  });

  it('is renewed before it ends', async () => {
    const { calls, fetch } = counting();
    const credentials = { ...(await newCredentials(app.context.database)), scopes: [...REALTIME] };
    // A service whose tokens are as good as over: four fifths of nothing have passed at once.
    const hasty: Fetch = async (request) => {
      const response = await fetch(request);
      if (!request.url.endsWith('token')) return response;
      return Response.json({ ...((await response.json()) as object), expires_in: 0 });
    };
    const client = createClient({ baseUrl, credentials, fetch: hasty });
    for (let call = 0; call < 3; call++) await dataOf(client.GET(STOCK, ACME));
    expect(calls).toEqual(['token', 'ACME', 'token', 'ACME', 'token', 'ACME']);
  });

  it('that the service no longer accepts is replaced once, and then the refusal is thrown', async () => {
    const { calls, fetch } = counting();
    const keys = await newCredentials(app.context.database);
    const client = createClient({ baseUrl, credentials: { ...keys, scopes: ['stock:read'] }, fetch });
    await dataOf(client.GET(STOCK, ACME));
    await revokeGrant(app.context.database, keys.grant_id, Date.now());
    await app.idle();
    await expect(dataOf(client.GET(STOCK, ACME))).rejects.toMatchObject({
      status: 401,
      code: 'invalid_client',
    });
    expect(calls.slice(-2)).toEqual(['ACME', 'token']);
  });
});

describe('a refusal for the moment', () => {
  /** Refuses so many calls before it lets one through. */
  const refusing = (status: number, times: number, retryAfter: string) => {
    const sent: string[] = [];
    const send: Fetch = async (request) => {
      sent.push(await request.clone().text());
      if (sent.length > times) return fetch(request);
      const refusal = {
        detail: 'Later',
        code: status === 429 ? 'rate_limited' : 'overloaded',
        request_id: 'r',
      };
      return Response.json(refusal, { status, headers: { 'retry-after': retryAfter } });
    };
    return { sent, client: createClient({ baseUrl, fetch: send }) };
  };

  it.each([429, 503])('%i is repeated after its Retry-After, body and all', async (status) => {
    const { sent, client } = refusing(status, 2, '0.01');
    const body = { filter: { field: 'last_price', op: '>', value: 0 } };
    const { total } = await dataOf(client.POST('/api/graph/v1/screener', { body }));
    expect(total).toBeGreaterThan(0);
    expect(sent).toEqual([JSON.stringify(body), JSON.stringify(body), JSON.stringify(body)]);
  });

  it('is thrown after five attempts, and at once if the wait is longer than a minute', async () => {
    const often = refusing(503, 99, '0');
    await expect(dataOf(often.client.GET(STOCK, ACME))).rejects.toMatchObject({ status: 503 });
    expect(often.sent).toHaveLength(5);
    const long = refusing(429, 99, '61');
    await expect(dataOf(long.client.GET(STOCK, ACME))).rejects.toMatchObject({ status: 429 });
    expect(long.sent).toHaveLength(1);
  });

  it('waits no longer than its caller', async () => {
    const { client } = refusing(503, 99, '30');
    const call = client.GET(STOCK, { ...ACME, signal: AbortSignal.timeout(20) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a stream', () => {
  /**
   * A connection whose reader comes back at once, and gets all to the first position in one piece: what a cut finds read
   * must not depend on the network.
   */
  function impatient({ body, headers }: Response): Response {
    let held: string | null = '';
    const first = new TransformStream<string, string>({
      transform(text, controller) {
        if (held === null) return controller.enqueue(text);
        held += text;
        if (!/^id: .*\n\n/m.test(held)) return;
        controller.enqueue(held.replace('retry: 3000', 'retry: 20'));
        held = null;
      },
    });
    const text = body!.pipeThrough(new TextDecoderStream()).pipeThrough(first);
    return new Response(text.pipeThrough(new TextEncoderStream()), { headers });
  }

  /** A stream of ACME in real time, whose connections can be cut, and which kinds of calls it took. */
  async function watched() {
    const credentials = { ...(await newCredentials(app.context.database)), scopes: [...REALTIME] };
    const connections: { readonly position: string | null; readonly status: number; cut(): void }[] = [];
    const third = Promise.withResolvers<void>();
    const cutting: Fetch = async (request) => {
      if (!request.url.includes('/stream')) return fetch(request);
      const cut = new AbortController();
      const signal = AbortSignal.any([request.signal, cut.signal]);
      const response = await fetch(request, { signal });
      const position = request.headers.get('last-event-id');
      connections.push({ position, status: response.status, cut: () => cut.abort() });
      if (connections.length === 3) third.resolve();
      return response.ok ? impatient(response) : response;
    };
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const client = createClient({ baseUrl, credentials, fetch: cutting });
    const items = client.stream(['ACME'], { signal: leaving.signal });
    const seen: string[] = [];
    const next = async <Event extends StreamItem['event']>(
      event: Event,
    ): Promise<StreamItem & { event: Event }> => {
      for (;;) {
        const { value } = await items.next();
        seen.push(value.event);
        if (value.event === event) return value;
      }
    };
    return { connections, third: third.promise, leaving, items, seen, next };
  }

  it('resumes after a cut at the position of its snapshot, misses nothing, and ends with its signal', async () => {
    const { connections, leaving, items, seen, next } = await watched();
    const snapshot = await next('snapshot');
    expect(snapshot.data).toMatchObject({ symbol: 'ACME', stock: { symbol: 'ACME' } });
    // The next minute goes into an open connection that is cut before it is read to here.
    connections[0]!.cut();
    await passMinute();
    const change = await next('change');
    expect(change.data).toMatchObject({ symbol: 'ACME', changed: { last_price: expect.any(Number) } });
    expect(change.data.seq).toBeGreaterThan(snapshot.data.seq);
    expect(seen.filter((event) => event === 'snapshot')).toHaveLength(1);
    connections[1]!.cut();
    await passMinute();
    expect((await next('change')).data.seq).toBeGreaterThan(change.data.seq);
    expect(connections.map(({ position }) => position)).toEqual([
      null,
      expect.stringMatching(new RegExp(`:${snapshot.data.seq}$`)),
      expect.stringMatching(/:\d+$/),
    ]);
    leaving.abort();
    expect((await items.next()).done).toBe(true);
  });

  it('goes on with a new token when its token has ended', async () => {
    const { connections, third, seen, next } = await watched();
    await next('snapshot');
    // The service ends the stream within a second, and refuses the token when the client comes back.
    await dropKeys(app.context.database);
    const resumed = next('change');
    await third;
    await passMinute();
    expect((await resumed).data).toMatchObject({ symbol: 'ACME' });
    expect(connections.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(connections[1]!.position).not.toBeNull();
    expect(seen.filter((event) => event === 'snapshot')).toHaveLength(1);
  });

  it('yields the gap where the history is gone', async () => {
    const { client, signal } = resumingAt('0badc0de-delayed:7');
    for await (const { event, data } of client.stream(['ACME'], { signal })) {
      expect([event, data]).toEqual([
        'gap',
        expect.objectContaining({ reason: 'history_gone', symbols: ['ACME'] }),
      ]);
      break;
    }
  });

  /** A client whose stream asks to go on from a position of another process. */
  const resumingAt = (position: string) => {
    const send: Fetch = (request) => {
      request.headers.set('last-event-id', position);
      return fetch(request);
    };
    return { client: createClient({ baseUrl, fetch: send }), signal: AbortSignal.timeout(30_000) };
  };

  it('throws what is refused for good', async () => {
    const stream = createClient({ baseUrl }).stream(['NOBODY']);
    await expect(stream.next()).rejects.toMatchObject({ status: 404, code: 'unknown_symbol' });
  });
});

describe('columns', () => {
  it('become typed arrays, with NaN for null and milliseconds for times', async () => {
    const query = { interval: '1m', session: 'regular', from: DATE } as const;
    const bars = await dataOf(
      createClient({ baseUrl }).GET(`${STOCK}/bars`, { params: { ...ACME.params, query } }),
    );
    const { time, close, vwap } = columnsOf(bars);
    expect(time[0]).toBe(Date.parse(`${DATE}T14:30:00Z`));
    expect(close).toEqual(Float64Array.from(bars.close));
    expect(bars.vwap[0]).toBeNull();
    expect(vwap[0]).toBeNaN();
    expect(toFloat64([1, null, DATE])).toEqual(Float64Array.of(1, Number.NaN, Date.parse(DATE)));
  });
});

describe('the package', () => {
  it('has the document that the service serves: npx vitest test/service/api/client.test.ts -u', async () => {
    const document = (await server.inject('/openapi.json')).json() as object;
    // Examples and servers depend on the data and the address.
    const text = JSON.stringify(
      document,
      (name, value) => (/^(example|servers)$/.test(name) ? undefined : value),
      1,
    );
    await expect(`${text}\n`).toMatchFileSnapshot('../../../clients/openapi.json');
  });

  const folder = new URL('../../../clients/typescript/', import.meta.url);
  const textOf = (path: string): string => readFileSync(new URL(path, folder), 'utf8');
  const EXAMPLES: readonly (readonly [name: string, args: readonly string[], prints: RegExp])[] = [
    ['stock', ['ACME'], /^ACME \d+(\.\d+)? (bullish|bearish|neutral|null), VWAP \d.*proximity/s],
    ['bars', ['ACME'], /^ACME: \d+ days to 2024-03-0\d, last close .*mean daily range \d+\.\d\d %/s],
    ['screen', [], /^\d+ of \d+ stocks have an RSI below 60\n {2}\{"symbol"/],
    ['stream', ['ACME', '1'], /^ACME is at \d+/],
    [
      'history',
      ['MXAZ'],
      /^technical\.rsi_14: 46 of 60 dates, last .*\nbullish_confluence: 4\d of 60 dates, last \d/s,
    ],
  ];

  it('shows two examples in its README as they are', () => {
    for (const name of ['stock', 'stream'])
      expect(textOf('README.md')).toContain(textOf(`examples/${name}.ts`).trim());
  });

  it.each(EXAMPLES)('runs example %s, which its README names', async (name, args, prints) => {
    const file = `examples/${name}.ts`;
    expect(textOf('README.md')).toContain(file);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=tigraph-source', new URL(file, folder).pathname, ...args],
      { env: { ...process.env, TIGRAPH_URL: baseUrl } },
    );
    expect(stdout).toMatch(prints);
  });

  it('is written by hand in fewer than 300 lines', () => {
    const files = ['client', 'columns', 'error', 'index', 'retry', 'stream', 'token'];
    const lines = files.map((file) => textOf(`src/${file}.ts`).trimEnd().split('\n').length);
    expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(300);
  });
});
