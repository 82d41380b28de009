import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { passMeter } from '../../../src/pipeline/pass-metrics.ts';
import { freshApp, freshMarket } from '../../support/app.ts';
import { dailyBars } from '../../support/market.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** A collector of traces on a free port. */
async function collector(): Promise<{ readonly url: string; readonly bodies: string[]; spans(): Span[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    expect(request.url).toBe('/v1/traces');
    bodies.push(body);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  };
}

const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${CALLER}-01`;
const PATH = '/api/graph/v1/stocks/ACME?date=2024-03-04';
const ROUTE = 'GET /api/graph/v1/stocks/:symbol';

describe('traces', () => {
  it('of a request go to the collector, with its statements and its derivation below the span of the caller', async () => {
    const { url, bodies, spans } = await collector();
    const app = await freshMarket({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, [
      dailyBars('ACME', '2023-01-03', '2024-03-05'),
    ]);
    const metered = passMeter(app.context, 'graph');
    await metered(
      () => syncGraph(app.context, { kind: 'touched' }),
      () => ({}),
    );
    const server = await app.server();
    const base = await server.listen({ host: '127.0.0.1', port: 0 });
    const ask = () => fetch(`${base}${PATH}`, { headers: { traceparent, 'accept-encoding': 'identity' } });
    // The first question has the peers of its session measured, which drops its answer from the cache.
    await server.inject(PATH);
    await app.idle();
    for (const response of [await ask(), await ask(), await ask()]) {
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    await server.close();
    await app.context.tracing.close();

    expect(bodies[0]).toContain('{"key":"service.name","value":{"stringValue":"tigraph"}}');
    const own = spans().filter(({ traceId }) => traceId === TRACE);
    const requests = own.filter(({ name }) => name === ROUTE);
    expect(requests).toHaveLength(3);
    for (const { parentSpanId, kind } of requests) expect([parentSpanId, kind]).toEqual([CALLER, 2]);
    // In the order of their ends, which is not that of the requests. The first one derives, the third comes from memory.
    const hot = requests.find((span) => attributesOf(span)['tigraph.cached'] === true)!;
    const cold = requests.find(({ spanId }) => own.some(({ parentSpanId }) => parentSpanId === spanId))!;
    expect(attributesOf(cold)).toMatchObject({
      'http.response.status_code': 200,
      'http.route': '/api/graph/v1/stocks/:symbol',
    });
    expect(attributesOf(hot)).toMatchObject({ 'http.response.status_code': 200 });
    const below = own.filter(({ parentSpanId }) => parentSpanId === cold.spanId);
    expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['derive days']));
    const statements = below.filter(({ attributes }) =>
      attributes.some(({ key }) => key === 'db.system.name'),
    );
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^select /)]),
    );

    const pass = spans().find(({ name }) => name === 'pass graph')!;
    const inPass = spans().filter(({ traceId }) => traceId === pass.traceId);
    expect(inPass.map(({ name }) => name)).toEqual(expect.arrayContaining(['derive market', 'batch']));
    // Neither parameters nor the text of a statement leave the process.
    expect(bodies.join()).not.toContain('ACME');
  });

  it('continue in another process from the headers of a message', async () => {
    const { url, spans } = await collector();
    const { app } = await freshApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const { tracing } = app.context;
    const sender = tracing.begin({ name: 'send', kind: 'producer' });
    const headers = sender.run(() => tracing.inject());
    sender.end();
    tracing.begin({ name: 'receive', kind: 'consumer', headers }).end();
    expect(tracing.inject()).toEqual({});
    await tracing.close();
    const [sent, received] = ['send', 'receive'].map((name) => spans().find((span) => span.name === name)!);
    expect(received).toMatchObject({ traceId: sent!.traceId, parentSpanId: sent!.spanId, kind: 5 });
  });

  it('are lost without harm where the collector is away', async () => {
    const { url } = await collector();
    const { app } = await freshApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url.replace(/\d+$/, '9') });
    const server = await app.server();
    const response = await server.inject({ url: '/health/live' });
    expect(response.statusCode).toBe(200);
    await server.close();
    await app.context.tracing.close();
  });

  it('are off, and their library is not loaded, unless a collector is named', async () => {
    const { app } = await freshApp();
    expect(app.context.tracing.isOn).toBe(false);
    const source = new URL('../../../src/', import.meta.url);
    const loading = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        /from '(@opentelemetry|.*otlp-tracing)/.test(readFileSync(new URL(file, source), 'utf8')),
      );
    expect(loading).toEqual(['base/otlp-tracing.ts']);
  });
});
