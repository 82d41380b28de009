import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Columns,
  columnsOf,
  createClient,
  dataOf,
  type Fetch,
  TigraphError,
  toFloat64,
} from '../../clients/typescript/src/index.ts';

/** What `@tigraph/client` does with answers that a running service gives rarely. */

const baseUrl = 'http://service.test';
const STOCK = '/api/graph/v1/stocks/{symbol}';
const ACME = { params: { path: { symbol: 'ACME' } } } as const;
const SCREEN = { body: { filter: { field: 'last_price', op: '>', value: 0 } } } as const;

const refusal = (status: number, code: string): Response =>
  Response.json({ detail: code, code, request_id: 'r' }, { status, headers: { 'retry-after': '0' } });

/** A service that gives these answers in turn, the last one again and again. */
function answering(...answers: readonly (() => Response)[]): { readonly sent: Request[]; fetch: Fetch } {
  const sent: Request[] = [];
  const fetch: Fetch = async (request) => answers[Math.min(sent.push(request), answers.length) - 1]!();
  return { sent, fetch };
}

const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('a refusal with 503', () => {
  it.each([
    ['overloaded', 2],
    ['shutting_down', 2],
    ['topology_not_loaded', 2],
    ['database_unavailable', 1],
    ['tape_damaged', 1],
    ['data_damaged', 1],
  ])('of a POST is repeated only where nothing was done: %s', async (code, calls) => {
    const { sent, fetch } = answering(
      () => refusal(503, code),
      () => Response.json({}),
    );
    await createClient({ baseUrl, fetch }).POST('/api/graph/v1/screener', SCREEN);
    expect(sent).toHaveLength(calls);
  });

  it.each(['database_unavailable', 'overloaded'])('of a GET is repeated: %s', async (code) => {
    const { sent, fetch } = answering(
      () => refusal(503, code),
      () => Response.json({}),
    );
    await createClient({ baseUrl, fetch }).GET(STOCK, ACME);
    expect(sent).toHaveLength(2);
  });

  it('of a POST that a proxy gave is not repeated', async () => {
    const { sent, fetch } = answering(
      () => new Response('<h1>busy</h1>', { status: 503, headers: { 'retry-after': '0' } }),
    );
    const error = await caught(
      dataOf(createClient({ baseUrl, fetch }).POST('/api/graph/v1/screener', SCREEN)),
    );
    expect(error).toMatchObject({ status: 503, code: 'unknown' });
    expect(sent).toHaveLength(1);
  });

  it('that asks for a longer wait says so to its caller', async () => {
    const body = { detail: 'busy', code: 'overloaded', request_id: 'r' };
    const answer = Response.json(body, { status: 503, headers: { 'retry-after': '61' } });
    const { sent, fetch } = answering(() => answer);
    const error = await caught(dataOf(createClient({ baseUrl, fetch }).GET(STOCK, ACME)));
    expect(error).toMatchObject({ status: 503, code: 'overloaded', cause: answer });
    expect(sent).toHaveLength(1);
  });

  it('leaves no timer behind when its caller leaves', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const { fetch } = answering(() => new Response(null, { status: 503, headers: { 'retry-after': '60' } }));
    const waits = Promise.withResolvers<void>();
    const { setTimeout } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((...about) => {
      waits.resolve();
      return setTimeout(...about);
    });
    const leaving = new AbortController();
    const call = caught(createClient({ baseUrl, fetch }).GET(STOCK, { ...ACME, signal: leaving.signal }));
    await waits.promise;
    expect(vi.getTimerCount()).toBe(1);
    leaving.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a token', () => {
  const credentials = { client_id: 'c', client_secret: 's', grant_id: 'g', scopes: ['stock:read' as const] };
  const isExchange = (request: Request): boolean => request.url.endsWith('/token');

  it('that is still being exchanged holds no caller who leaves, and is there for the others', async () => {
    const exchanged = Promise.withResolvers<Response>();
    const fetch: Fetch = async (request) =>
      isExchange(request) ? exchanged.promise : Response.json({ symbol: 'ACME' });
    const client = createClient({ baseUrl, credentials, fetch });
    const leaving = new AbortController();
    const left = caught(client.GET(STOCK, { ...ACME, signal: leaving.signal }));
    const stays = dataOf(client.GET(STOCK, ACME));
    leaving.abort();
    expect(await left).toMatchObject({ name: 'AbortError' });
    exchanged.resolve(Response.json({ access_token: 't', expires_in: 300 }));
    expect(await stays).toEqual({ symbol: 'ACME' });
  });

  it('that is refused in many calls is exchanged once more', async () => {
    let exchanges = 0;
    const refused: string[] = [];
    const isReplaced = Promise.withResolvers<void>();
    const fetch: Fetch = async (request) => {
      if (isExchange(request)) {
        if (++exchanges === 2) isReplaced.resolve();
        return Response.json({ access_token: `t${exchanges}`, expires_in: 300 });
      }
      if (request.headers.get('authorization') !== 'Bearer t1') return Response.json({ symbol: 'ACME' });
      // The second call is refused after the first has begun to replace the token.
      if (refused.push(request.url) === 2) await isReplaced.promise;
      return refusal(401, 'invalid_token');
    };
    const client = createClient({ baseUrl, credentials, fetch });
    await Promise.all([dataOf(client.GET(STOCK, ACME)), dataOf(client.GET(STOCK, ACME))]);
    expect([refused.length, exchanges]).toEqual([2, 2]);
  });
});

describe('a stream', () => {
  const event = (id: string, seq: number, price = 'é'): string =>
    `event: change\nid: ${id}\ndata: {"seq":${seq},"symbol":"ACME","changed":{"grade":"${price}"}}\n\n`;

  /** A connection that sends these pieces and is cut off. */
  const cutAfter = (...pieces: readonly Uint8Array[]): Response => {
    const rest = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = rest.shift();
        if (piece === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(piece);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('resumes at a position that came without an event, after the wait that the service names', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { sent, fetch } = answering(
      () => cutAfter(bytes('retry: 2000\n\nevent: snapshot\ndata: {"seq":4}\n\nid: here:4\n\n')),
      () => cutAfter(bytes(event('here:5', 5))),
    );
    const seqs: number[] = [];
    const reading = (async () => {
      for await (const { data } of createClient({ baseUrl, fetch }).stream(['ACME'])) {
        if ('seq' in data) seqs.push(data.seq);
        if (seqs.length === 2) break;
      }
    })();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(seqs).toEqual([4]);
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    expect(seqs).toEqual([4, 5]);
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'here:4']);
  });

  it('is read alike however it is cut into pieces, and ignores what it does not know', async () => {
    const text = `:\n\nretry: 5\n\n${event('a:1', 1)}:\n\nevent: later\nid: a:2\ndata: {}\n\n${event('a:3', 3, '€: a\u2028b')}`;
    const whole = bytes(text);
    for (const size of [1, 2, 7, 64, whole.length]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      );
      const { fetch } = answering(() => cutAfter(...pieces));
      const stream = createClient({ baseUrl, fetch }).stream(['ACME']);
      const items = [(await stream.next()).value, (await stream.next()).value];
      await stream.return(undefined);
      expect(items, `pieces of ${size}`).toEqual([
        { event: 'change', id: 'a:1', data: { seq: 1, symbol: 'ACME', changed: { grade: 'é' } } },
        { event: 'change', id: 'a:3', data: { seq: 3, symbol: 'ACME', changed: { grade: '€: a\u2028b' } } },
      ]);
    }
  });

  it('says so when its address is none, rather than trying for ever', async () => {
    const { fetch } = answering(() => cutAfter());
    const stream = createClient({ baseUrl: 'nowhere', fetch }).stream(['ACME']);
    await expect(stream.next()).rejects.toThrow(TypeError);
  });
});

describe('columns', () => {
  it('are NaN where a text is no date, and 1 and 0 for true and false', () => {
    expect(toFloat64(['level 2', 'bullish', '2024-03-05T14:30:00Z', true, false, null])).toEqual(
      Float64Array.of(Number.NaN, Number.NaN, Date.parse('2024-03-05T14:30:00Z'), 1, 0, Number.NaN),
    );
  });

  it('keep the names of an answer, and of a history those that the caller asked for', () => {
    const bars: { time: string[]; close: (number | null)[]; symbol: string } = {
      time: ['2024-03-05'],
      close: [null],
      symbol: 'ACME',
    };
    const columns: Columns<typeof bars> = columnsOf(bars);
    expect(Object.keys(columns)).toEqual(['time', 'close']);
    // @ts-expect-error a symbol is no column
    expect(columns.symbol).toBeUndefined();
    const history: Record<string, (number | string | boolean | null)[]> = { halted: [true, null] };
    const halted: Float64Array | undefined = columnsOf(history).halted;
    expect(halted).toEqual(Float64Array.of(1, Number.NaN));
  });
});

describe('an error', () => {
  it('has every fault of a 422 with its place', async () => {
    const fault = {
      loc: ['query', 'limit'],
      msg: 'too large',
      type: 'less_than_equal',
      input: 9,
      ctx: { le: 5 },
    };
    const { fetch } = answering(() => Response.json({ detail: [fault] }, { status: 422 }));
    const error = await caught(dataOf(createClient({ baseUrl, fetch }).GET(STOCK, ACME)));
    expect(error).toBeInstanceOf(TigraphError);
    expect(error).toMatchObject({ code: 'validation_failed', message: 'limit: too large', details: [fault] });
  });

  it('has no fault otherwise', async () => {
    const { fetch } = answering(() => refusal(404, 'unknown_symbol'));
    const error = await caught(dataOf(createClient({ baseUrl, fetch }).GET(STOCK, ACME)));
    expect(error).toMatchObject({ status: 404, code: 'unknown_symbol', details: [] });
  });
});
