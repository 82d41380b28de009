import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anonymousCaller } from '../../../src/api/access/viewer.ts';
import { isExplorerBuilt } from '../../../src/api/server/explorer.ts';
import { stockKey } from '../../../src/api/stocks/get-stock.ts';
import { expectRefused } from '../../support/answers.ts';
import { freshMarket, serverOf } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { directoryOf } from '../../support/tape.ts';

/** What only a real socket shows, and the pages beside the API. */

const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks as a caller who takes one coding, and leaves the body as it comes. */
function sendFor(
  path: string,
  coding: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { port, path, method, headers: { 'accept-encoding': coding, ...headers }, agent: false };
    request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const { date: _date, ...rest } = response.headers as Record<string, string>;
        resolve({ status: response.statusCode!, headers: rest, body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Sends bytes as they are and answers all that comes back before the connection ends. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

const app = await freshMarket({ TIGRAPH_NOW: '2024-03-06T12:00:00Z', TIGRAPH_BODY_LIMIT_BYTES: '2048' }, [
  dailyBars('ACME', '2023-01-03', '2024-03-05'),
]);
const server = await serverOf(app);
await server.listen({ host: '127.0.0.1', port: 0 });
const port = (server.addresses()[0] as AddressInfo).port;
// The first answer has the peers of its session measured, which drops it from the cache.
await fetchPath('/api/graph/v1/stocks/ACME');
await app.idle();

describe('over a real socket', () => {
  it('answers the same bytes cold and hot, with the same entity tag', async () => {
    const first = await fetchPath('/api/graph/v1/stocks/ACME?include=levels');
    const second = await fetchPath('/api/graph/v1/stocks/ACME?include=levels');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await second.text()).toBe(await first.text());
  });

  it('answers the short way as it does the long way, to the header', async () => {
    const path = '/api/graph/v1/stocks/ACME?include=patterns';
    const answers: { status: number; headers: Record<string, string>; body: string }[] = [];
    for (let round = 0; round < 4; round++) {
      const response = await fetchPath(path);
      const { date: _date, ...headers } = Object.fromEntries(response.headers);
      answers.push({ status: response.status, headers, body: await response.text() });
    }
    for (const later of answers.slice(1)) expect(later).toEqual(answers[0]);
    const etag = answers[0]!.headers.etag!;
    const known = await fetchPath(path, { headers: { 'if-none-match': etag } });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
    expect((await fetchPath(path, { headers: { authorization: 'Bearer forged' } })).status).toBe(401);
    const head = await fetchPath(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('repeats an answer within a second to the byte, also to requests sent before their turn', async () => {
    const path = '/api/graph/v1/stocks/ACME?include=patterns';
    const etag = (await fetchPath(path)).headers.get('etag')!;
    const ask = (...lines: string[]) =>
      [`GET ${path} HTTP/1.1`, 'host: localhost', ...lines, '\r\n'].join('\r\n');
    const known = ask(`if-none-match: ${etag}`);
    const answer = await sendRaw(`${ask().repeat(5)}${known.repeat(4)}${ask('connection: close')}`);
    const answers = answer.replaceAll(/\r\ndate: [^\r]*/gi, '').split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((text) => text.slice(9, 12))).toEqual([
      ...Array(5).fill('200'),
      ...Array(4).fill('304'),
      '200',
    ]);
    expect(new Set(answers.slice(0, 5)).size).toBe(1);
    expect(new Set(answers.slice(5, 9)).size).toBe(1);
    const closing = answers[0]!.replace(
      /\r\nconnection: keep-alive\r\nkeep-alive: [^\r]*/i,
      '\r\nConnection: close',
    );
    expect(answers[9]).toBe(closing);
    expect(answers[0]!.split('\r\n\r\n')[1]).toBe(await (await fetchPath(path)).text());
  });

  it('answers 304 to every way of naming the answer', async () => {
    const path = '/api/graph/v1/stocks/ACME';
    const etag = (await fetchPath(path)).headers.get('etag')!;
    const opaque = etag.replace('W/', '');
    for (const header of [opaque, `W/${opaque}`, `"other", W/${opaque}`, '*']) {
      const known = await fetchPath(path, { headers: { 'if-none-match': header } });
      expect([header, known.status, await known.text()]).toEqual([header, 304, '']);
    }
    expect((await fetchPath(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('compresses answers for callers who take that, to the same text', async () => {
    const path = '/api/graph/v1/stocks/ACME?include=level_ladder';
    const plain = await sendFor(path, 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toContain('accept-encoding');
    expect(plain.headers.etag).toMatch(/^"/);
    const codings = [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const;
    for (const [coding, decode] of codings) {
      // Compressed first on the long way, then kept for the short one.
      const answers = [await sendFor(path, coding), await sendFor(path, coding)];
      expect(answers[1]).toEqual(answers[0]);
      const { status, headers, body } = answers[0]!;
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, coding, plain.headers.vary]);
      expect([headers.etag, headers['content-length']]).toEqual([
        `W/${plain.headers.etag}`,
        `${body.length}`,
      ]);
      expect(body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(body)).toEqual(plain.body);
      const known = await sendFor(path, coding, { 'if-none-match': headers.etag! });
      expect([known.status, known.headers.vary, known.body.length]).toEqual([304, plain.headers.vary, 0]);
    }
  });

  it('counts kept compressed copies among the bytes of the answers', async () => {
    const { answers } = app.context;
    answers.forget(null);
    await sendFor('/api/graph/v1/stocks/ACME', 'identity');
    const before = answers.bytes;
    const { body } = await sendFor('/api/graph/v1/stocks/ACME', 'br');
    expect(answers.bytes).toBe(before + body.length);
    const key = stockKey({ symbol: 'ACME', includes: [] }, anonymousCaller(app.context.delayMs));
    const stock = answers.get(key, app.context.clock.now());
    const copy = answers.copyOf(stock!.body, 'br');
    // Its memory too, not that of the compressor's output.
    expect(copy!.buffer.byteLength).toBe(body.length);
    answers.forget(['ACME']);
    expect(answers.bytes).toBe(0);
  });

  it('compresses what is no ready answer too, and leaves small answers and streams alone', async () => {
    for (const path of ['/openapi.json', '/docs/js/scalar.js', '/metrics', '/api/graph/v1/screener/fields']) {
      const { headers, body } = await sendFor(path, 'br');
      expect([path, headers['content-encoding'], headers.vary]).toEqual([
        path,
        'br',
        expect.stringContaining('accept-encoding'),
      ]);
      if (path === '/openapi.json')
        expect(JSON.parse(`${brotliDecompressSync(body)}`)).toHaveProperty('paths');
    }
    expect((await sendFor('/health/live', 'br')).headers['content-encoding']).toBeUndefined();
    const leaving = new AbortController();
    const stream = await fetchPath('/api/graph/v1/stream?symbols=ACME', {
      headers: { 'accept-encoding': 'br' },
      signal: leaving.signal,
    });
    expect(stream.headers.get('content-encoding')).toBeNull();
    leaving.abort();
  });

  it('answers HEAD with the headers of GET', async () => {
    const path = '/api/graph/v1/stocks/ACME';
    for (const coding of ['identity', 'gzip']) {
      const [get, head] = [await sendFor(path, coding), await sendFor(path, coding, {}, 'HEAD')];
      expect(head).toEqual({ ...get, body: Buffer.alloc(0) });
    }
  });

  it('refuses what is not HTTP with the catalogue, not with silence', async () => {
    const answer = await sendRaw('NONSENSE / HTTP/9.9\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'malformed_request' });
  });

  it('refuses header lines beyond the limit', async () => {
    const answer = await sendRaw(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(70_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'headers_too_large' });
  });

  it('refuses an address that cannot be decoded', async () => {
    const response = await fetchPath('/api/graph/v1/stocks/%E0%A4%A');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'malformed_request',
      request_id: expect.any(String),
    });
  });

  it('refuses a body beyond the limit wherever it is sent', async () => {
    const response = await fetchPath('/health/live', { method: 'POST', body: 'x'.repeat(10_000) });
    expect([405, 413]).toContain(response.status);
    expect(await response.json()).toMatchObject({
      code: expect.stringMatching(/method_not_allowed|payload_too_large/),
    });
  });
});

describe('probes and pages', () => {
  it('is live and ready', async () => {
    expect(await (await fetchPath('/health/live')).json()).toEqual({ status: 'live' });
    expect(await (await fetchPath('/health/ready')).json()).toEqual({ status: 'ready' });
  });

  it('is not ready while the newest file of the tape is missing or cut short', async () => {
    const [{ file }] = (await app.context.database.query<{ file: string }>(
      'select file from tape_segment order by id desc limit 1',
    )) as [{ file: string }];
    const path = join(directoryOf(app.context.tape), file);
    const whole = readFileSync(path);
    try {
      for (const damage of [() => truncateSync(path, 100), () => rmSync(path)]) {
        damage();
        await expectRefused(server.inject('/health/ready'), 503, 'tape_damaged');
      }
    } finally {
      writeFileSync(path, whole);
    }
    expect((await server.inject('/health/ready')).statusCode).toBe(200);
  });

  it('is ready only once it is warm', async () => {
    const warm = Promise.withResolvers<void>();
    const server = await serverOf(app, { warm: warm.promise });
    await expectRefused(server.inject('/health/ready'), 503, 'starting_up');
    warm.resolve();
    await warm.promise;
    expect((await server.inject('/health/ready')).statusCode).toBe(200);
  });

  it('warms up without an error on a market of one stock', async () => {
    const errors: unknown[] = [];
    const warmOthers = await app.warmUp((error) => errors.push(error));
    warmOthers();
    await app.idle();
    expect(errors).toEqual([]);
  });

  it('counts requests by route and status', async () => {
    await fetchPath('/api/graph/v1/stocks/NOPE');
    const text = await (await fetchPath('/metrics')).text();
    expect(text).toMatch(
      /tigraph_request_duration_seconds_count\{route="\/api\/graph\/v1\/stocks\/:symbol",status="404"\} [1-9]/,
    );
    expect(text).toMatch(/tigraph_answer_cache_bytes \d+/);
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('describes itself in OpenAPI 3.1, version 1.0.0', async () => {
    const document = (await (await fetchPath('/openapi.json')).json()) as {
      openapi: string;
      info: { version: string };
      paths: Record<
        string,
        { get: { responses: Record<string, unknown>; parameters: { name: string; in: string }[] } }
      >;
    };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.info.version).toBe('1.0.0');
    const operation = document.paths['/api/graph/v1/stocks/{symbol}']!.get;
    expect(Object.keys(operation.responses).sort()).toEqual(
      words`200 400 401 403 404 406 414 422 429 431 503 504`,
    );
    expect(operation.parameters.map(({ name, in: where }) => `${where} ${name}`).sort()).toEqual([
      'path symbol',
      'query as_of',
      'query date',
      'query fields',
      'query include',
    ]);
    expect(JSON.stringify(document)).toContain('confluence_score');
  });

  it('has a documentation page that reads the description from this server', async () => {
    const page = await (await fetchPath('/docs/')).text();
    expect(page).toContain('/openapi.json');
    expect(page).toContain('<title>tigraph API</title>');
    const icon = /"favicon": "(.*?)"/.exec(page)![1]!;
    expect((await fetchPath(icon)).headers.get('content-type')).toBe('image/svg+xml');
    // It requests nothing from another host.
    expect(page).not.toMatch(/https?:/);
  });
});

describe.skipIf(!isExplorerBuilt())('an address of the Explorer', () => {
  const READER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const router = readFileSync(new URL('../../../explorer/src/app/router.tsx', import.meta.url), 'utf8');
  const pages = Array.from(router.matchAll(/^ {2}path: '(.*)',$/gm), ([, path]) =>
    path!.replace('$symbol', 'ACME'),
  );

  it.each([
    [200, [...pages, ...words`/stocks/brk%2Fb /graph/%5ESPX`]],
    [404, words`/nowhere /graphs /stocks /stocks/%3Cb%3E /stocks/A/B /screener/ // //example.com/x`],
  ])('is a page of status %i', async (status, paths) => {
    expect(paths.length).toBeGreaterThan(7);
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const page = await sendFor(path, 'identity', READER, method);
        expect([page.status, page.headers['content-type']], `${method} ${path}`).toEqual([
          status,
          'text/html; charset=utf-8',
        ]);
        expect(page.headers['content-security-policy']).toContain("script-src 'self'");
      }
    }
  });

  it('that has no page is an error for a program, of an address for programs, and for other methods', async () => {
    for (const path of words`/api/graph/v1/nope /assets/nope.js /docs/nope`)
      expect(await refusedAt(path, READER), path).toEqual([404, 'not_found']);
    expect(await refusedAt('/nowhere', {})).toEqual([404, 'not_found']);
    expect(await refusedAt('/nowhere', READER, 'POST')).toEqual([404, 'not_found']);
    expect(await refusedAt('/stocks/ACME', READER, 'OPTIONS')).toEqual([405, 'method_not_allowed']);
  });

  it('that is broken is refused as such', async () => {
    for (const path of words`/%zz /stocks/%ff /assets/%zz /assets/%c0%ae%c0%ae/x /docs/%zz`)
      expect(await refusedAt(path, READER), path).toEqual([400, 'malformed_request']);
    expect(await refusedAt(`/stocks/${'A'.repeat(9_000)}`, READER)).toEqual([414, 'uri_too_long']);
  });

  it('that is an asset is sent whole, whatever range a caller asks for', async () => {
    const [, asset] = /src="(\/assets\/[^"]+\.js)"/.exec(String((await sendFor('/', 'identity')).body))!;
    const whole = await sendFor(asset!, 'identity');
    for (const range of ['bytes=5-1', 'bytes=999999999-', 'bytes=0-9'])
      expect((await sendFor(asset!, 'identity', { range })).body.equals(whole.body), range).toBe(true);
  });

  async function refusedAt(path: string, headers: Record<string, string>, method = 'GET') {
    const { status, body } = await sendFor(path, 'identity', headers, method);
    return [status, (JSON.parse(String(body)) as { code: string }).code];
  }
});
