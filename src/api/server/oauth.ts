import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CodedError, isCoded } from '../../base/errors.ts';
import type { Access } from '../access/access.ts';
import { SCOPES } from '../access/scopes.ts';
import { exchangeForm, FormRefusal } from '../token/exchange-form.ts';
import { TOKEN_BODY_BYTES } from '../token/schema.ts';

/** OAuth 2 on the wire, for clients that log in by themselves: client credentials, and the documents that lead there. */

/** Always challenges. */
export const LOGIN = '/mcp/token';
/** RFC 9728. Of that address alone: where the origin had one, some clients would ignore a token that they were given. */
export const CLIENT_METADATA = `/.well-known/oauth-protected-resource${LOGIN}`;
/** RFC 8414. With a path, so that nothing answers at the root. */
const ISSUER = '/oauth';
const SERVER_METADATA = `/.well-known/oauth-authorization-server${ISSUER}`;

/** Address of the service as its caller knows it, without a slash at its end. */
export type HomeOf = (request: FastifyRequest) => string;

export const homeOn =
  (publicUrl: string | undefined): HomeOf =>
  ({ protocol, headers }) =>
    publicUrl ?? `${protocol}://${headers.host ?? 'localhost'}`;

export function serveOAuth(app: FastifyInstance, access: Access, homeOf: HomeOf): void {
  const cached = { 'cache-control': 'public, max-age=60' };
  app.get(CLIENT_METADATA, { schema: { hide: true } }, (request, reply) => {
    const home = homeOf(request);
    return reply.headers(cached).send({
      resource: `${home}${LOGIN}`,
      authorization_servers: [`${home}${ISSUER}`],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    });
  });
  app.get(SERVER_METADATA, { schema: { hide: true } }, (request, reply) => {
    const home = homeOf(request);
    return reply.headers(cached).send({
      issuer: `${home}${ISSUER}`,
      // Clients refuse metadata without the next two, which no grant here uses.
      authorization_endpoint: `${home}${ISSUER}/authorize`,
      response_types_supported: [],
      token_endpoint: `${home}${ISSUER}/token`,
      jwks_uri: `${home}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: SCOPES,
    });
  });
  app.get(`${ISSUER}/authorize`, { schema: { hide: true } }, (_, reply) =>
    reply.code(400).send({
      error: 'unsupported_response_type',
      error_description: 'This installation gives tokens for client credentials only.',
    }),
  );
  // A parser of forms for this address alone.
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    forms.post(
      `${ISSUER}/token`,
      { schema: { hide: true }, bodyLimit: TOKEN_BODY_BYTES },
      async (request, reply) => {
        reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
        try {
          const resources = [`${homeOf(request)}${LOGIN}`, `${homeOf(request)}/mcp`];
          const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
          return await exchangeForm(access, form, request.headers.authorization, resources, {
            address: request.ip,
            onClient(holder) {
              request.holder = holder;
              request.operation = 'exchangeToken';
            },
          });
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === null) throw error;
          if (refusal.error === 'invalid_client')
            reply.code(401).header('www-authenticate', 'Basic realm="tigraph"');
          else reply.code(400);
          return reply.send(refusal);
        }
      },
    );
  });
}

/** RFC 6749, section 5.2; null for what the catalogue answers better, such as too many failures. */
function refusalOf(error: unknown): { error: string; error_description: string } | null {
  if (error instanceof FormRefusal) return { error: error.code, error_description: error.message };
  const { code, message } = error as CodedError;
  const isOfOAuth = isCoded(error) && (code === 'invalid_client' || code === 'invalid_scope');
  return isOfOAuth ? { error: code, error_description: message } : null;
}
