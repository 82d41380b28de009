import { describe, expect, it } from 'vitest';
import { appOn, freshStore, serverOf } from '../../support/app.ts';

const SITE = 'https://charts.example';
const store = await freshStore();
const servers = await Promise.all(
  [SITE, '*'].map(async (allowed) =>
    serverOf(await appOn(store, { TIGRAPH_ALLOWED_ORIGINS: allowed, TIGRAPH_DEMO: 'off' })),
  ),
);
const { paths } = (await servers[0]!.inject('/openapi.json')).json() as {
  paths: Record<string, Record<string, unknown>>;
};
const internal = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/internal/'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));

describe('a page of another site that may read answers', () => {
  it.each(internal)('is no caller of this machine: %s %s', async (method, path) => {
    const call = async (server: (typeof servers)[number], origin?: string) => {
      const { statusCode } = await server.inject({
        method: method as 'GET',
        url: path.replace('{id}', '0123456789abcdef'),
        headers: { host: '127.0.0.1:8080', 'content-type': 'application/json', ...(origin && { origin }) },
        ...(method === 'POST' && { payload: '{"not": "a body"}' }),
      });
      return statusCode;
    };
    for (const server of servers) {
      for (const origin of [SITE, 'null', 'http://127.0.0.1:3000', 'http://localhost:8080', 'http://'])
        expect([origin, await call(server, origin)]).toEqual([origin, 403]);
      for (const origin of [undefined, 'http://127.0.0.1:8080'])
        expect(await call(server, origin)).not.toBe(403);
    }
  });

  it('may still read stocks', async () => {
    const { statusCode, headers } = await servers[0]!.inject({
      url: '/api/graph/v1/status',
      headers: { origin: SITE },
    });
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([200, SITE]);
  });
});
