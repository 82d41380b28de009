import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AnswerCache } from '../../../src/api/context/answer-cache.ts';
import { CallRate, isLoopback, socketOptions } from '../../../src/api/http/hardening.ts';
import { hostNameOf, isLoopbackName } from '../../../src/api/http/host-names.ts';
import { allowedOriginsOf } from '../../../src/api/server/fixed-headers.ts';
import { withoutSecrets } from '../../../src/api/server/log-lines.ts';
import type { App } from '../../../src/app.ts';
import { CodedError } from '../../../src/base/errors.ts';
import type { OpenPool } from '../../../src/workers/pool.ts';
import { bring, freshStore, openTestApp, type TestSettings } from '../../support/app.ts';
import { inFull } from '../../support/depth.ts';
import { openInlinePool } from '../../support/inline-pool.ts';
import { dailyBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';

/** What the HTTP face does with callers who send too much, too slowly, too often or from somewhere else. */

const STOCK = '/api/graph/v1/stocks/ACME';
const EXCHANGE = '/api/graph/v1/chart-agent-auth/token';
const GUARDS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

async function open(
  settings: TestSettings,
  openPool: OpenPool = openInlinePool,
): Promise<{ app: App; server: FastifyInstance }> {
  const made = await openTestApp(store, { TIGRAPH_NOW: '2024-03-06T12:00:00Z', ...settings }, { openPool });
  return { app: made, server: await made.server() };
}

async function listen(server: FastifyInstance): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.addresses()[0] as AddressInfo).port;
}

/** A service of the test's own. `prepare` may add routes before it listens. */
async function serve(
  settings: TestSettings,
  prepare: (server: FastifyInstance) => void = () => {},
  openPool?: OpenPool,
) {
  const opened = await open({ TIGRAPH_SHUTDOWN_MS: '0', ...settings }, openPool);
  prepare(opened.server);
  const at = await listen(opened.server);
  onTestFinished(async () => {
    await opened.server.close();
    await opened.app.close();
  });
  return { ...opened, port: at };
}

/** An answer that goes on: a test writes into it what it likes. */
const streaming = (path: string, begin: (socket: Socket, write: (text: string) => boolean) => void) =>
  function addStream(server: FastifyInstance): void {
    server.get(path, (request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, [
        'content-type',
        'text/event-stream',
        ...server.fixedHeaders(request.headers),
      ]);
      begin(request.raw.socket, (text) => reply.raw.write(text));
    });
  };

/** A connection that writes bytes as they are and remembers what comes back. */
interface Wire {
  readonly socket: Socket;
  send(bytes: string): void;
  /** What has come so far. */
  heard(): string;
  /** All that came before the other side, or the error, ended the connection. */
  readonly closed: Promise<string>;
}

function wire(to: number): Wire {
  const socket = connect(to, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8');
  socket.on('data', (part) => {
    heard += part;
  });
  // A connection that was cut off is one that was closed.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    heard: () => heard,
    closed: new Promise((resolve) => socket.on('close', () => resolve(heard))),
  };
}

function ask(to: number, bytes: string): Promise<string> {
  const line = wire(to);
  line.send(bytes);
  return line.closed;
}

/** The functions of the threads, which begin no task before `open` but the reading of bars. */
function gatedPool(): { readonly openPool: OpenPool; open(): void } {
  const gate = Promise.withResolvers<void>();
  const openPool: OpenPool = (worker, settings) => {
    const pool = openInlinePool<never, never>(worker, settings);
    return {
      ...pool,
      async run(task, signal) {
        if ((task as { kind?: string }).kind !== 'bar-rows') await gate.promise;
        return pool.run(task as never, signal) as never;
      },
    };
  };
  return { openPool, open: () => gate.resolve() };
}

const get = (path: string, lines = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${lines}\r\n`;

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function parse(text: string): RawAnswer {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [first, ...lines] = head!.split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(': ');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 2)] as const;
  });
  return {
    status: Number(first!.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}

const askFor = async (to: number, bytes: string): Promise<RawAnswer> => parse(await ask(to, bytes));
const codeOf = ({ body }: RawAnswer): string => JSON.parse(body).code;

const store = await freshStore();
const { app, server } = await open({});
await bring(app, [dailyBars('ACME', '2023-01-03', '2024-03-05')]);
const port = await listen(server);
afterAll(async () => {
  await server.close();
  await app.close();
});

describe('header lines of every answer', () => {
  it.each([
    ['an answer about a stock, made', get(STOCK), 200],
    ['an answer about a stock, ready', get(STOCK), 200],
    ['a refusal of the catalogue', get(`${STOCK}?date=2024-03-03`), 404],
    ['a validation error', get(`${STOCK}?date=yesterday`), 422],
    ['an address that is not served', get('/wp-login.php'), 404],
    ['an address that cannot be decoded', get('/api/graph/v1/stocks/%E0%A4%A'), 400],
    [
      'a method that is not served',
      'DELETE /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
      405,
    ],
    [
      'a method that nobody serves',
      'PROPFIND / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
      404,
    ],
    ['what is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a request line without a version', `GET ${STOCK}\r\n\r\n`, 400],
    ['a version that is not served', `GET /health/live HTTP/2.0\r\nHost: 127.0.0.1\r\n\r\n`, 400],
    [
      'two lengths at once',
      `POST ${EXCHANGE} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['metrics', get('/metrics'), 200],
    ['the description', get('/openapi.json'), 200],
  ])('guard %s', async (_what, bytes, status) => {
    const answer = await askFor(port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(GUARDS);
    // CORS is closed: no header of it.
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('let a page run the scripts that it brings and no others', async () => {
    const { headers, body } = await askFor(port, get('/docs/'));
    const policy = headers['content-security-policy']!;
    const inline = [...body.matchAll(/<script(?![^>]*src)[^>]*>([\s\S]*?)<\/script>/g)].map(
      (match) => match[1]!,
    );
    expect(inline.length).toBeGreaterThan(0);
    const allowed = /script-src ([^;]+)/.exec(policy)![1]!.split(' ');
    expect(allowed).toEqual([
      "'self'",
      ...inline.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`),
    ]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('name every refusal by the identifier that its body has, and no two alike', async () => {
    const refused = await Promise.all([
      askFor(port, get('/nowhere')),
      askFor(port, get('/api/graph/v1/stocks/NOPE', 'X-Request-Id: mine\r\n')),
      askFor(port, 'NONSENSE\r\n\r\n'),
    ]);
    const ids = refused.map(({ headers }) => headers['x-request-id']);
    expect(refused.map(({ body }) => JSON.parse(body).request_id)).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    // An identifier of the caller's could be anybody's, or forge a line of the log.
    expect(ids).not.toContain('mine');
    const { headers } = await askFor(port, get(`${STOCK}?date=yesterday`));
    expect(headers['x-request-id']).toMatch(/^[a-z0-9]+-[a-z0-9]+$/);
  });
});

describe('pages of other sites', () => {
  const CHARTS = 'https://charts.example';
  const preflight = (origin: string, path = STOCK): string =>
    `OPTIONS ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n`;

  it('receive no access headers unless they are allowed', async () => {
    const answer = await askFor(port, preflight(CHARTS));
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });

  it('may read answers where they are on the list, cold and hot and refused', async () => {
    const { port } = await serve({ TIGRAPH_ALLOWED_ORIGINS: `https://other.example, ${CHARTS}` });
    const origin = `Origin: ${CHARTS}\r\n`;
    const answers = [
      await askFor(port, get(STOCK, origin)),
      await askFor(port, get(STOCK, origin)),
      await askFor(port, get(STOCK, `${origin}Authorization: Bearer forged\r\n`)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(CHARTS);
      expect(headers['access-control-expose-headers']).toContain('etag');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    for (const strange of ['https://evil.example', 'http://charts.example', `${CHARTS}.evil`, 'null']) {
      const { headers } = await askFor(port, get(STOCK, `Origin: ${strange}\r\n`));
      expect(headers, strange).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('vary in caches by origin', async () => {
    const { port } = await serve({ TIGRAPH_ALLOWED_ORIGINS: CHARTS });
    const vary = async (lines: string): Promise<string | null> => {
      const origin = /Origin: (.*)\r/.exec(lines)?.[1];
      const response = await fetch(
        `http://127.0.0.1:${port}${STOCK}`,
        origin === undefined ? {} : { headers: { origin } },
      );
      await response.arrayBuffer();
      return response.headers.get('vary');
    };
    for (const lines of ['', `Origin: ${CHARTS}\r\n`, 'Origin: https://evil.example\r\n', '']) {
      expect(await vary(lines)).toBe('authorization, accept-encoding, origin');
    }
  });

  it('have their preflights answered where they are on the list', async () => {
    const { port } = await serve({ TIGRAPH_ALLOWED_ORIGINS: CHARTS });
    const allowed = await askFor(port, preflight(CHARTS));
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': CHARTS,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('authorization'),
    });
    const refused = await askFor(port, preflight('https://evil.example'));
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    // Without the question of a preflight it is a method like any other.
    const plain = `OPTIONS ${STOCK} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${CHARTS}\r\nConnection: close\r\n\r\n`;
    expect((await askFor(port, plain)).status).toBe(405);
  });

  it('all may where the operator says so', async () => {
    const { port } = await serve({ TIGRAPH_ALLOWED_ORIGINS: '*' });
    const { headers } = await askFor(port, get(STOCK, 'Origin: https://any.example\r\n'));
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([
      '*',
      'authorization, accept-encoding',
    ]);
    expect((await askFor(port, preflight('https://any.example'))).status).toBe(204);
    expect((await askFor(port, get(STOCK))).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('are written as browsers write them', () => {
    expect(allowedOriginsOf(undefined)).toEqual(new Set());
    expect(allowedOriginsOf('*')).toBeNull();
    expect(allowedOriginsOf('https://Charts.Example:443 ,http://10.0.0.7:3000')).toEqual(
      new Set([CHARTS, 'http://10.0.0.7:3000']),
    );
  });

  it.each(['null', 'charts.example', `${CHARTS}/`, `${CHARTS},`, 'https://a@b', `* , ${CHARTS}`])(
    'cannot be set as %s',
    async (origins) => {
      await expect(open({ TIGRAPH_ALLOWED_ORIGINS: origins })).rejects.toMatchObject({ code: 'bad_setting' });
    },
  );
});

describe('requests that are too large', () => {
  it('are refused one byte above the limit of the body, and read at it', async () => {
    const { port } = await serve({ TIGRAPH_BODY_LIMIT_BYTES: '1024' });
    const body = (bytes: number): string => `{"x":"${'y'.repeat(bytes - 8)}"}`;
    expect((await askFor(port, post(EXCHANGE, body(1_024)))).status).toBe(422);
    const beyond = await askFor(port, post(EXCHANGE, body(1_025)));
    expect([beyond.status, codeOf(beyond)]).toEqual([413, 'payload_too_large']);
  });

  it('are refused at the exchange long before the limit of other bodies', async () => {
    const answer = await askFor(port, post(EXCHANGE, ' '.repeat(32_769)));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    expect((await askFor(port, post(EXCHANGE, `{${' '.repeat(32_766)}}`))).status).toBe(422);
  });

  it('are refused when their length is a lie of chunks', async () => {
    const chunk = `400\r\n${' '.repeat(1_024)}\r\n`;
    const answer = await askFor(
      port,
      `POST ${EXCHANGE} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(64)}`,
    );
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
  });

  it('are refused beyond the limit of header lines, which is a setting', async () => {
    const { port: narrow } = await serve({ TIGRAPH_HEADER_LIMIT_BYTES: '1024' });
    const lines = (bytes: number): string => `X-Long: ${'a'.repeat(bytes)}\r\n`;
    expect((await askFor(narrow, get('/health/live', lines(500)))).status).toBe(200);
    const beyond = await askFor(narrow, get('/health/live', lines(1_100)));
    expect([beyond.status, codeOf(beyond)]).toEqual([431, 'headers_too_large']);
    expect((await askFor(port, get('/health/live', lines(1_100)))).status).toBe(200);
  });

  it('never lose a token among many header lines', async () => {
    // A parser that drops lines beyond a number would serve this caller as if nothing had been presented.
    const { port: wide } = await serve({ TIGRAPH_HEADER_LIMIT_BYTES: '1048576' });
    const expected = { 10: 401, 990: 401, 1010: 431, 5000: 431 };
    for (const [count, status] of Object.entries(expected)) {
      const lines = 'a: b\r\n'.repeat(Number(count));
      const answer = await askFor(wide, get(STOCK, `${lines}Authorization: Bearer forged\r\n`));
      expect(answer.status, count).toBe(status);
    }
  });

  it.each([
    ['a list of thousands', `{"scopes":[${Array(10_000).fill(1).join()}]}`],
    ['thousands of strange fields', `{${Array.from({ length: 2_500 }, (_, at) => `"k${at}":1`).join()}}`],
    ['a long text in every place', `{"agent_id":"${'x'.repeat(30_000)}"}`],
    ['a deep nest', `{"scopes":${'['.repeat(16_000)}${']'.repeat(16_000)}}`],
  ])('get an answer that is not larger than they are worth: %s', async (_what, body) => {
    const answer = await askFor(port, post(EXCHANGE, body));
    expect(answer.status).toBe(422);
    const { detail } = JSON.parse(answer.body) as { detail: { loc: string[]; type: string }[] };
    expect(detail.length).toBeGreaterThan(1);
    expect(detail.length).toBeLessThanOrEqual(100);
    expect(answer.body.length).toBeLessThan(100_000);
    expect(detail).toContainEqual(expect.objectContaining({ loc: ['body', 'client_id'], type: 'missing' }));
  });
});

describe('requests that do not arrive', () => {
  const QUICK = { TIGRAPH_HEADERS_TIMEOUT_MS: '200', TIGRAPH_REQUEST_TIMEOUT_MS: '400' };

  it('end after their time, whatever of them came', async () => {
    const { port } = await serve(QUICK);
    const begun = performance.now();
    const [silent, half, body] = await Promise.all([
      ask(port, ''),
      ask(port, `GET ${STOCK} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `),
      ask(
        port,
        `POST ${EXCHANGE} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      ),
    ]);
    // A silent connection has sent no request, so it may get an answer or none; it must not stay.
    expect(silent === '' || parse(silent).status === 408).toBe(true);
    for (const answer of [half, body]) {
      expect([parse(answer).status, codeOf(parse(answer))]).toEqual([408, 'request_timeout']);
      expect(parse(answer).headers).toMatchObject(GUARDS);
    }
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  it('end also when a byte comes now and then', async () => {
    const { port } = await serve(QUICK);
    const line = wire(port);
    line.send(`GET ${STOCK} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `);
    const drip = setInterval(() => line.send('a'), 20);
    onTestFinished(() => clearInterval(drip));
    expect(parse(await line.closed).status).toBe(408);
  });

  it('leave room for those that do while a hundred of them wait', async () => {
    const { port } = await serve({ TIGRAPH_HEADERS_TIMEOUT_MS: '60000' });
    const slow = Array.from({ length: 100 }, () => wire(port));
    for (const line of slow) line.send(`GET ${STOCK} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `);
    expect((await askFor(port, get(STOCK))).status).toBe(200);
  });

  it('do not end an answer that goes on', async () => {
    const ticks = 40;
    const { port } = await serve(
      QUICK,
      streaming('/stream', (socket, write) => {
        let sent = 0;
        const tick = setInterval(() => write(`tick ${++sent}\n`), 25);
        socket.on('close', () => clearInterval(tick));
      }),
    );
    const line = wire(port);
    line.send('GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    // A thousand milliseconds of stream, at times that would end a request five times over.
    await expect.poll(() => line.heard(), { timeout: 10_000 }).toContain(`tick ${ticks}\n`);
    expect(parse(line.heard()).headers).toMatchObject(GUARDS);
  });

  it('end, when what does not arrive is the answer at its reader', async () => {
    const closed = Promise.withResolvers<void>();
    const { port } = await serve(
      { TIGRAPH_STALLED_MS: '1000', QUERY_TIMEOUT_MS: '1' },
      streaming('/stream', (socket, write) => {
        socket.on('close', () => closed.resolve());
        while (write('x'.repeat(1_000_000)));
      }),
    );
    const { socket, send } = wire(port);
    socket.pause();
    send('GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await closed.promise;
  });

  it.each([
    [60_000, 2_000, 60_000],
    [1_000, 2_000, 3_000],
    [1_000, 600_000, 601_000],
  ])(
    'are never mistaken for an answer that is being made (%d, %d)',
    (stalledMs, queryTimeoutMs, expected) => {
      expect(socketOptions({ ...app.config, stalledMs, queryTimeoutMs }).connectionTimeout).toBe(expected);
    },
  );

  it('may be allowed longer header lines than requests without breaking the start', () => {
    const { http } = socketOptions({ ...app.config, headersTimeoutMs: 5_000, requestTimeoutMs: 1_000 });
    expect(http.headersTimeout).toBe(1_000);
    // Looked at often enough that the times are what they say.
    expect(http.connectionsCheckingInterval).toBe(250);
  });
});

describe('too many', () => {
  it('connections: the next is closed as it comes, and there is room again when one goes', async () => {
    const { port } = await serve({ TIGRAPH_CONNECTIONS_MAX: '2' });
    const first = wire(port);
    const second = wire(port);
    for (const line of [first, second]) {
      line.send('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      await expect.poll(() => line.heard()).toContain('live');
    }
    expect(await ask(port, get('/health/live'))).toBe('');
    first.socket.destroy();
    await expect.poll(() => ask(port, get('/health/live'))).toContain('live');
    second.send('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await expect.poll(() => second.heard()).toMatch(/tigraph_turned_away_total\{what="connection"\} [1-9]/);
    expect(second.heard()).toMatch(/tigraph_connections [12]\n/);
  });

  it('requests of one address: 429 with the seconds to wait, ready answers too, but not the probes', async () => {
    const { port } = await serve({ TIGRAPH_REQUESTS_PER_MINUTE: '6' });
    const answers: RawAnswer[] = [];
    for (let at = 0; at < 7; at++) answers.push(await askFor(port, get(STOCK)));
    expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429]);
    expect(codeOf(answers[6]!)).toBe('rate_limited');
    const wait = Number(answers[6]!.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(10);
    expect((await askFor(port, get('/nowhere'))).status).toBe(429);
    for (const path of ['/health/', '/health/x', '/health/live/', '/health/ready/x']) {
      expect((await askFor(port, get(path))).status, path).toBe(429);
    }
    expect((await askFor(port, post('/health/live', '{}'))).status).toBe(429);
    expect((await askFor(port, get('/health/live'))).status).toBe(200);
    expect((await askFor(port, get('/health/ready?verbose'))).status).toBe(200);
    expect((await askFor(port, get('/metrics'))).body).toMatch(/turned_away_total\{what="too_often"\} 7\n/);
  });

  it('is not a word for callers of the same machine unless the operator says so', async () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', 'localhost'].map(isLoopback)).toEqual(Array(4).fill(true));
    expect(['0.0.0.0', '::', '10.0.0.1', 'example.com', '127.evil.example'].map(isLoopback)).toEqual(
      Array(5).fill(false),
    );
    const { server } = await open({ HOST: '0.0.0.0' });
    onTestFinished(() => server.close());
    const from = async (remoteAddress: string): Promise<number> =>
      (await server.inject({ url: '/nowhere', remoteAddress })).statusCode;
    let served = 0;
    while ((await from('10.0.0.1')) === 404) served++;
    // Some come back while they are asked for.
    expect(served).toBeGreaterThanOrEqual(6_000);
    expect(served).toBeLessThan(12_000);
    expect(await from('10.0.0.2')).toBe(404);
  });

  it('answers being made: the next is refused, one that is being made already is shared', async () => {
    const { app: busy, port } = await serve({ TIGRAPH_ANSWERS_UNDER_WAY: '1', TIGRAPH_CACHE_MB: '0' });
    const { answers } = busy.context;
    const share = answers.share.bind(answers);
    const gate = Promise.withResolvers<void>();
    const bothAsked = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    let asked = 0;
    let made = 0;
    answers.share = (key, symbol, make) => {
      if (++asked === 2) bothAsked.resolve();
      return share(key, symbol, async () => {
        made++;
        await gate.promise;
        return make();
      });
    };
    const both = [1, 2].map(() => askFor(port, get(`${STOCK}?date=2024-03-04`)));
    await bothAsked.promise;
    const refused = await askFor(port, get(`${STOCK}?date=2024-03-01`));
    expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    gate.resolve();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    expect(made).toBe(1);
    expect((await askFor(port, get(`${STOCK}?date=2024-03-01`))).status).toBe(200);
  });

  it('answers being made, counted by what they are about', async () => {
    const cache = new AnswerCache(0, 2);
    const never = (): Promise<never> => new Promise(() => {});
    void cache.share('a', 'A', never);
    void cache.share('b', 'B', never);
    void cache.share('a', 'A', never);
    expect(cache.underWay).toBe(2);
    await expect(cache.share('c', 'C', never)).rejects.toMatchObject({ code: 'overloaded' });
  });
});

describe('calls by key', () => {
  it('come back evenly over the minute', () => {
    const rate = new CallRate(60, 10);
    for (let at = 0; at < 60; at++) expect(rate.take('a', 0)).toBe(0);
    expect(rate.take('a', 0)).toBe(1_000);
    expect(rate.take('a', 999)).toBe(1);
    expect(rate.take('a', 1_000)).toBe(0);
    expect(rate.take('a', 1_000)).toBe(1_000);
    expect(rate.take('b', 1_000)).toBe(0);
    // A refused call is not counted, and a minute of rest gives all of them back.
    for (let at = 0; at < 60; at++) expect(rate.take('a', 61_000)).toBe(0);
    expect(rate.take('a', 61_000)).toBeGreaterThan(0);
  });

  it('are exact where a minute is no whole number of intervals', () => {
    const rate = new CallRate(7, 10);
    for (let at = 0; at < 7; at++) expect(rate.take('a', 1e9)).toBe(0);
    expect(rate.take('a', 1e9)).toBeCloseTo(60_000 / 7, 3);
  });

  it('are remembered for so many keys', () => {
    const rate = new CallRate(1, 2);
    for (const key of ['a', 'b']) expect(rate.take(key, 0)).toBe(0);
    expect(rate.take('a', 0)).toBe(60_000);
    expect(rate.take('c', 0)).toBe(0);
    expect(rate.size).toBe(2);
    expect(rate.take('a', 0)).toBe(0);
  });
});

describe('an event loop that is late', () => {
  /** Holds the loop for so long in every turn until it is stopped. */
  function holdLoop(turnMs: number): () => void {
    let stopped = false;
    const turn = (): void => {
      const until = performance.now() + turnMs;
      while (performance.now() < until);
      if (!stopped) setImmediate(turn);
    };
    setImmediate(turn);
    return () => {
      stopped = true;
    };
  }

  it('refuses what has to be made behind a queue, not what is ready nor a lone caller, until it has caught up', async () => {
    const settings = { TIGRAPH_LOOP_DELAY_MAX_MS: '20', TIGRAPH_SHUTDOWN_MS: '1000' };
    const { port, app: serving } = await serve(settings);
    // An answer is cached when its address was requested before. So short a bound may be passed while the service starts.
    const untilAnswered = () =>
      expect
        .poll(async () => (await askFor(port, get(STOCK))).status, { timeout: 15_000, interval: 50 })
        .toBe(200);
    await untilAnswered();
    // The first question has the peers of its session measured, which drops the answer.
    await serving.idle();
    for (let at = 0; at < 2; at++) await untilAnswered();
    const release = holdLoop(40);
    onTestFinished(release);
    // A minute each time that was not requested before. All are of one session, whose peers are measured.
    let asked = 0;
    const made = (): Promise<RawAnswer> =>
      askFor(port, get(`${STOCK}?as_of=${new Date(Date.UTC(2024, 2, 6, 11, 0 - asked++)).toISOString()}`));
    const isRefused = ({ status }: RawAnswer): boolean => status === 503;
    let refused: RawAnswer[] = [];
    await expect
      .poll(
        async () => {
          const answers = await Promise.all(Array.from({ length: 12 }, made));
          refused = answers.filter(isRefused);
          return refused.length;
        },
        { timeout: 15_000, interval: 10 },
      )
      .toBeGreaterThan(0);
    for (let at = 0; at < 5; at++) expect((await made()).status).toBe(200);
    const [first] = refused;
    expect(codeOf(first!)).toBe('overloaded');
    // More than a second where the database is behind as well.
    expect(Number(first!.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await askFor(port, get(STOCK))).status).toBe(200);
    expect((await askFor(port, get('/health/live'))).status).toBe(200);
    expect((await askFor(port, get('/metrics'))).body).toMatch(
      /turned_away_total\{what="overloaded"\} [1-9]/,
    );
    release();
    await expect
      .poll(async () => (await askFor(port, get(`${STOCK}?date=2023-03-01`))).status, { timeout: 15_000 })
      .toBe(200);
  }, 40_000);
});

describe('callers who hang up', () => {
  const DATES = inFull(100, 40);

  it('take their work with them: eight who asked for histories turn nobody away', async () => {
    const { openPool, open: openGate } = gatedPool();
    onTestFinished(openGate);
    const { port, server: serving, app: served } = await serve({}, undefined, openPool);
    const { deriver, calendar, metrics } = served.context;
    const market = deriver.market.bind(deriver);
    let asked = 0;
    let enough = { count: 0, reached: Promise.withResolvers<void>() };
    const untilAsked = (count: number): Promise<void> => {
      enough = { count: asked + count, reached: Promise.withResolvers<void>() };
      return enough.reached.promise;
    };
    deriver.market = (...request) => {
      if (++asked === enough.count) enough.reached.resolve();
      return market(...request);
    };
    const gone: Promise<unknown>[] = [];
    serving.server.on('connection', (socket: Socket) => gone.push(once(socket, 'close')));
    const allAsked = untilAsked(8);
    const callers = Array.from({ length: 8 }, (_, month) => {
      const caller = wire(port);
      const [from, to] = [`2023-0${month + 1}-01`, `2023-0${month + 1}-28`];
      caller.send(get(`${STOCK}/history?fields=net_confluence&derive=wait&from=${from}&to=${to}`));
      return caller;
    });
    await allAsked;
    const waiting = async (): Promise<number> => {
      const line = metrics.families().find(({ name }) => name === 'tigraph_derive_waiting')!;
      return (await line.read()).reduce((sum, { value }) => sum + value, 0);
    };
    expect(await waiting()).toBeGreaterThan(0);
    for (const { socket } of callers) socket.destroy();
    await Promise.all(gone);
    expect(await waiting()).toBe(0);
    const dates = calendar.sessionsBetween('2023-09-05', '2024-02-28').slice(0, DATES);
    const read = async (some: readonly string[]): Promise<number[]> =>
      (await Promise.all(some.map((date) => askFor(port, get(`${STOCK}?date=${date}`))))).map(
        ({ status }) => status,
      );
    const firstAsked = untilAsked(20);
    const first = read(dates.slice(0, 20));
    await firstAsked;
    openGate();
    const statuses = await first;
    for (let at = 20; at < DATES; at += 20) statuses.push(...(await read(dates.slice(at, at + 20))));
    expect(statuses).toEqual(Array(DATES).fill(200));
  });

  it('leave what others asked for as well to them', async () => {
    const { openPool, open: openGate } = gatedPool();
    onTestFinished(openGate);
    const { port, server: serving, app: served } = await serve({}, undefined, openPool);
    const { answers } = served.context;
    const share = answers.share.bind(answers);
    const bothAsked = Promise.withResolvers<void>();
    let asked = 0;
    answers.share = (...question) => {
      if (++asked === 2) bothAsked.resolve();
      return share(...question);
    };
    const gone: Promise<unknown>[] = [];
    serving.server.on('connection', (socket: Socket) => gone.push(once(socket, 'close')));
    const path = get(`${STOCK}?date=2023-06-01`);
    const first = wire(port);
    first.send(path);
    await once(serving.server, 'request');
    const second = askFor(port, path);
    await bothAsked.promise;
    first.socket.destroy();
    await gone[0];
    openGate();
    expect((await second).status).toBe(200);
    expect(asked).toBe(2);
  });
});

describe('a line before the database that is too long for the time there is', () => {
  it('turns away what has to be made, at once and with the time to come back', async () => {
    const { app: busy, port } = await serve({ QUERY_TIMEOUT_MS: '3000' });
    const { database } = busy.context;
    const path = `${STOCK}?date=2023-05-03`;
    for (let at = 0; at < 2; at++) expect((await askFor(port, get(STOCK))).status).toBe(200);
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    const holding = database.transaction(() => gate.promise);
    // Thousands, so that they are too many however fast the statements before them were.
    const waiting = Array.from({ length: 9_000 }, () => database.query('select 1'));
    const refused = await askFor(port, get(path));
    expect([refused.status, codeOf(refused)]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(5);
    expect((await askFor(port, get(STOCK))).status).toBe(200);
    gate.resolve();
    await Promise.all([holding, ...waiting]);
    expect((await askFor(port, get(path))).status).toBe(200);
  });
});

describe('a wait for the database that leaves an answer little time', () => {
  it('turns away who comes behind a queue, and a lone caller only where no answer is possible', async () => {
    const { openPool, open: openGate } = gatedPool();
    onTestFinished(openGate);
    const { port, app: busy } = await serve({ QUERY_TIMEOUT_MS: '60000' }, undefined, openPool);
    const { answers, database } = busy.context;
    const share = answers.share.bind(answers);
    const eightAsked = Promise.withResolvers<void>();
    let asked = 0;
    answers.share = (...question) => {
      if (++asked === 8) eightAsked.resolve();
      return share(...question);
    };
    const ask = (day: string): Promise<RawAnswer> => askFor(port, get(`${STOCK}?date=2023-05-${day}`));
    const statementsWait = (ms: number): void => {
      database.expectedWaitMs = () => ms;
    };
    statementsWait(10_000);
    // Sessions all: a day without one is answered at once, and the queue is shorter.
    const queue = words`01 02 03 04 05 08 09 10`.map(ask);
    await eightAsked.promise;
    expect((await ask('11')).status).toBe(503);
    openGate();
    const statuses = (await Promise.all(queue)).map(({ status }) => status);
    expect(statuses).toEqual(Array(8).fill(200));
    expect((await ask('11')).status).toBe(200);
    statementsWait(30_000);
    expect((await ask('12')).status).toBe(503);
  });
});

describe('closing', () => {
  it('lets an answer under way end, refuses what comes after it, and does not wait for idle connections', async () => {
    const held = Promise.withResolvers<string>();
    // A grace longer than the test may take: nothing here may need it.
    const { server, port } = await serve({ TIGRAPH_SHUTDOWN_MS: '600000' }, (building) => {
      building.get('/held', () => held.promise);
    });
    const idle = wire(port);
    idle.send('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await expect.poll(() => idle.heard()).toContain('live');
    const busy = wire(port);
    busy.send('GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(server.server, 'request');
    const other = wire(port);
    other.send('GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(server.server, 'request');
    const closing = server.close();
    await idle.closed;
    await expect.poll(() => server.server.listening).toBe(false);
    busy.send(`GET ${STOCK}?date=2024-02-01 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await once(server.server, 'request');
    held.resolve('done');
    const [first, second] = (await busy.closed).split(/(?=HTTP\/1\.1 503)/);
    expect(parse(first!)).toMatchObject({ status: 200, body: 'done' });
    const refused = parse(second!);
    expect([codeOf(refused), refused.headers['retry-after'], refused.headers.connection]).toEqual([
      'shutting_down',
      '1',
      'close',
    ]);
    // This one was answered whole and then had nothing more to say.
    expect(await other.closed).toContain('done');
    await closing;
  });

  it('answers what callers had sent before it, and was not read yet', async () => {
    const { server, port } = await serve({ TIGRAPH_SHUTDOWN_MS: '600000' }, (building) => {
      building.get('/held', async () => 'done');
    });
    const lines = Array.from({ length: 30 }, () => wire(port));
    await Promise.all(lines.map(({ socket }) => once(socket, 'connect')));
    for (const { send } of lines) send('GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const closing = server.close();
    const answers = await Promise.all(lines.map(({ closed }) => closed));
    expect(answers.map((answer) => parse(answer).status)).toEqual(Array(30).fill(200));
    await closing;
  });

  it('is unready at once', async () => {
    const held = Promise.withResolvers<string>();
    const { server, port } = await serve({ TIGRAPH_SHUTDOWN_MS: '600000' }, (building) => {
      building.get('/held', () => held.promise);
    });
    const line = wire(port);
    line.send('GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(server.server, 'request');
    const closing = server.close();
    await expect.poll(() => server.server.listening).toBe(false);
    line.send('GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(server.server, 'request');
    held.resolve('done');
    expect(await line.closed).toContain('shutting_down');
    await closing;
  });

  it('cuts off what is still open after the grace: a stream, a request half sent', async () => {
    const { server, port } = await serve(
      { TIGRAPH_SHUTDOWN_MS: '200' },
      streaming('/stream', (_socket, write) => void write('begun')),
    );
    const stream = wire(port);
    stream.send('GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await expect.poll(() => stream.heard()).toContain('begun');
    const half = wire(port);
    half.send('GET / HTTP/1.1\r\nHost: ');
    await once(half.socket, 'connect');
    await server.close();
    await Promise.all([stream.closed, half.closed]);
  });
});

describe('the log', () => {
  /** Every line of the log from now on. */
  function linesOfLog(): string[] {
    const lines: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
    onTestFinished(() => write.mockRestore());
    return lines;
  }

  it('names a defect by the identifier that the caller was given, and hides what it quotes', async () => {
    const lines = linesOfLog();
    const { port } = await serve({ LOG_LEVEL: 'error' }, (building) => {
      building.get('/broken', () => {
        throw new Error('cannot reach postgres://desk:hunter2@db/x with Bearer abcdefgh');
      });
    });
    const { status, body } = await askFor(port, get('/broken'));
    expect([status, JSON.parse(body).code]).toEqual([500, 'internal']);
    expect(body).not.toContain('postgres');
    const line = lines.find((text) => text.includes('cannot reach'))!;
    expect(JSON.parse(line)).toMatchObject({
      request_id: JSON.parse(body).request_id,
      method: 'GET',
      route: '/broken',
      err: { message: 'cannot reach postgres://desk:[hidden]@db/x with Bearer [hidden]' },
    });
    expect(lines.join()).not.toMatch(/hunter2|abcdefgh/);
  });

  it.each([
    ['query_timeout', 504],
    ['database_unavailable', 503],
  ] as const)('has one line without a stack for %s, and its cause', async (code, status) => {
    const lines = linesOfLog();
    const { port } = await serve({ LOG_LEVEL: 'error' }, (building) => {
      building.get('/late', () => {
        throw new CodedError(code, undefined, { cause: new Error('nobody listens') });
      });
    });
    const { status: answered, body } = await askFor(port, get('/late'));
    expect(answered).toBe(status);
    const about = lines.filter((line) => line.includes(JSON.parse(body).request_id));
    expect(about).toHaveLength(1);
    expect(JSON.parse(about[0]!)).toMatchObject({ route: '/late', code, cause: 'nobody listens' });
    expect(about[0]).not.toContain('stack');
  });

  it('has no line for a caller who hangs up, whose request counts as 499', async () => {
    const lines = linesOfLog();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: late, resolve: finish } = Promise.withResolvers<object>();
    const { port } = await serve({ LOG_LEVEL: 'info' }, (building) => {
      building.get('/slow', () => {
        begin();
        return late;
      });
    });
    const upload = wire(port);
    upload.send(`${post(EXCHANGE, 'x'.repeat(1_000)).slice(0, -900)}`);
    const reader = wire(port);
    reader.send(get('/slow'));
    await begun;
    upload.socket.destroy();
    reader.socket.destroy();
    const counted = async (route: string): Promise<string[]> =>
      (await askFor(port, get('/metrics'))).body
        .split('\n')
        .filter((line) => line.includes(`duration_seconds_count{route="${route}"`));
    await expect.poll(() => counted(EXCHANGE)).toEqual([expect.stringMatching(/status="499"\} 1$/)]);
    await expect
      .poll(async () => (await askFor(port, get('/metrics'))).body)
      .toMatch(/tigraph_connections 1\n/);
    finish({ ready: true });
    await expect.poll(() => counted('/slow')).toEqual([expect.stringMatching(/status="499"\} 1$/)]);
    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  it.each([
    ['{"authorization":"Bearer abc.def"}', '{"authorization":"[hidden]"}'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [hidden]'],
    ['{"client_secret":"pa ss"}', null],
    ['"body":"{\\"client_secret\\":\\"s3cr3t\\"}"', '"body":"{\\"client_secret\\":\\"[hidden]\\"}"'],
    ['client_secret=s3cr3t&grant_id=g', 'client_secret=[hidden]&grant_id=g'],
    ['token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln here', 'token [hidden] here'],
    ['tgs_AbC-9_x is wrong', '[hidden] is wrong'],
    ['at postgresql://u:p%40ss@h:5432/d', 'at postgresql://u:[hidden]@h:5432/d'],
    ['GET http://127.0.0.1:8080/docs, user@example.com', 'GET http://127.0.0.1:8080/docs, user@example.com'],
    ['Bearer of bad news', 'Bearer of bad news'],
  ])('hides %s', (line, shown) => {
    if (shown === null) expect(withoutSecrets(line)).not.toContain('pa ss');
    else expect(withoutSecrets(line)).toBe(shown);
  });
});

describe('names of hosts', () => {
  const getAs = (to: number, path: string, ...hosts: string[]) => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    return askFor(to, `GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  };

  it.each(['/docs', '/docs/', '/openapi.json', STOCK])(
    'that are none are refused, not stumbled over: %s',
    async (path) => {
      for (const host of ['a b', '%%', '"><script>', 'x:y', 'user@127.0.0.1', '127.0.0.1/x']) {
        const answer = await getAs(port, path, host);
        expect([answer.status, codeOf(answer)], host).toEqual([400, 'malformed_request']);
      }
    },
  );

  it('are refused when there are two of them', async () => {
    for (const path of [STOCK, '/nowhere', '/health/live']) {
      const answer = await getAs(port, path, '127.0.0.1', '127.0.0.1');
      expect([answer.status, codeOf(answer)], path).toEqual([400, 'malformed_request']);
    }
  });

  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:8080', 'localhost'],
    ['localhost.', 'localhost'],
    ['a.localhost:1', 'a.localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.9.10.:65535', '127.8.9.10'],
    ['127.1', '127.0.0.1'],
    ['[::1]:8080', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ])('are of this machine: %s', (authority, name) => {
    expect(hostNameOf(authority)).toBe(name);
    expect(isLoopbackName(name)).toBe(true);
  });

  it.each([
    ['rebound.example:8080', 'rebound.example'],
    ['127.0.0.1.example', '127.0.0.1.example'],
    ['localhost.example.', 'localhost.example'],
    ['notlocalhost', 'notlocalhost'],
    ['[::2]', '[::2]'],
    ['0.0.0.0', '0.0.0.0'],
    ['10.0.0.1:80', '10.0.0.1'],
  ])('are of others: %s', (authority, name) => {
    expect(hostNameOf(authority)).toBe(name);
    expect(isLoopbackName(name)).toBe(false);
  });

  it('of others are refused on a loopback address, for every request but those of probes', async () => {
    for (const path of [
      STOCK,
      '/api/graph/v1/backtest/optimize',
      '/docs',
      '/metrics',
      '/nowhere',
      '/health/x',
    ]) {
      const answer = await getAs(port, path, 'rebound.example:8080');
      expect([answer.status, codeOf(answer)], path).toEqual([421, 'misdirected_request']);
      expect(answer.headers).toMatchObject(GUARDS);
    }
    const absolute = await getAs(port, `http://rebound.example${STOCK}`, '127.0.0.1');
    expect([absolute.status, codeOf(absolute)]).toEqual([421, 'misdirected_request']);
    expect((await getAs(port, `http://127.0.0.1${STOCK}`, '127.0.0.1')).status).toBe(200);
    for (const host of ['localhost:1', 'LOCALHOST', '127.9.9.9', '[::1]:9']) {
      expect((await getAs(port, STOCK, host)).status, host).toBe(200);
    }
    for (const path of ['/health/live', '/health/ready']) {
      expect((await getAs(port, path, 'rebound.example')).status).toBe(200);
    }
  });

  it('are those that the operator names', async () => {
    const { port: named } = await serve({ TIGRAPH_ALLOWED_HOSTS: 'desk.example, Other.Example' });
    for (const host of ['desk.example', 'DESK.example.:8080', 'other.example', 'localhost']) {
      expect((await getAs(named, STOCK, host)).status, host).toBe(200);
    }
    expect((await getAs(named, STOCK, 'a.desk.example')).status).toBe(421);
    const { port: any } = await serve({ TIGRAPH_ALLOWED_HOSTS: '*' });
    expect((await getAs(any, STOCK, 'rebound.example')).status).toBe(200);
  });

  it('are all the same where the service is open to a network, unless the operator names some', async () => {
    const statusOf = async (settings: TestSettings): Promise<number> => {
      const { server } = await open({ HOST: '0.0.0.0', ...settings });
      onTestFinished(() => server.close());
      return (await server.inject({ url: STOCK, headers: { host: 'rebound.example' } })).statusCode;
    };
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ TIGRAPH_ALLOWED_HOSTS: 'desk.example' })).toBe(421);
  });
});

describe('a tunnel', () => {
  it('is refused in words', async () => {
    const answer = await askFor(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    expect([answer.status, codeOf(answer)]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers).toMatchObject({
      ...GUARDS,
      connection: 'close',
      allow: 'GET, HEAD, POST, PUT, DELETE',
    });
  });
});
