import type { Access } from '../access/access.ts';
import { KeySet } from '../access/signing-keys.ts';
import type { RouteEntry, RouteExample } from '../http/route-entry.ts';
import { exchangeToken } from './exchange-token.ts';
import { TOKEN_BODY_BYTES, TokenAnswer, TokenBody } from './schema.ts';

export const accessRoutes = (access: Access): readonly RouteEntry[] => [
  {
    method: 'POST',
    url: '/api/graph/v1/chart-agent-auth/token',
    operationId: 'exchangeToken',
    tag: 'auth',
    summary: 'A token of minutes for a client secret',
    description:
      'Trades client credentials for a token that an agent presents as `Authorization: Bearer`. An unknown client, a wrong secret and a grant that is not usable are answered alike; a scope beyond the grant is 403.',
    scope: null,
    body: TokenBody,
    bodyLimitBytes: TOKEN_BODY_BYTES,
    answer: TokenAnswer,
    example: () => TOKEN_EXAMPLE,
    refusals: [401, 403, 429, 503],
    async handler(request, reply) {
      const token = await exchangeToken(access, request.body as TokenBody, {
        address: request.ip,
        onClient(holder) {
          request.holder = holder;
        },
      });
      // RFC 6749, section 5.1: no cache on the way may keep it.
      return reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send(token);
    },
  },
  {
    method: 'GET',
    url: '/.well-known/jwks.json',
    operationId: 'getKeySet',
    tag: 'auth',
    summary: 'Public keys of this installation',
    description:
      'The keys that its tokens verify with, as a JSON Web Key Set (RFC 7517). Empty until the first token is issued.',
    scope: null,
    answer: KeySet,
    example: () => ({}),
    refusals: [503],
    async handler(_request, reply) {
      return reply
        .header('cache-control', 'public, max-age=60')
        .send({ keys: await access.keys.publicKeys() });
    },
  },
];

const TOKEN_EXAMPLE: RouteExample = {
  body: {
    client_id: '<CLIENT_ID>',
    client_secret: '<CLIENT_SECRET>',
    grant_id: '<GRANT_ID>',
    agent_id: 'research-agent',
    scopes: ['stock:read'],
    ttl_seconds: 300,
  },
  answer: {
    access_token: '<ACCESS_TOKEN>',
    token_type: 'Bearer',
    expires_in: 300,
    scope: 'stock:read',
    expires_at: '2026-01-02T15:05:00.000Z',
    grant_id: '<GRANT_ID>',
    agent_id: 'research-agent',
  },
};
