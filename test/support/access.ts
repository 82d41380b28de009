import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Access, openAccess } from '../../src/api/access/access.ts';
import { createClient, createGrant, type GrantTerms } from '../../src/api/access/clients.ts';
import { type AccessScope, SCOPES } from '../../src/api/access/scopes.ts';
import { createServer } from '../../src/api/server/server.ts';
import type { App } from '../../src/app.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { afterwards } from './app.ts';

/** A clock that tests move by hand. */
export interface HandClock extends Clock {
  instant: number;
}

export function handClock(instant: number | string): HandClock {
  return {
    instant: typeof instant === 'string' ? Date.parse(instant) : instant,
    now() {
      return this.instant;
    },
  };
}

/** Another server on the store of an app, closed afterwards, whose tokens live by a clock of the test. */
export async function serverByClock(
  { config, context }: App,
  clock: Clock,
  { authRequired = false, streamsMax = 10 } = {},
): Promise<{ readonly access: Access; readonly server: FastifyInstance }> {
  const { database, delayMs, scope } = context;
  const access = await openAccess({ database, clock, delayMs, scope });
  afterwards(() => access.close());
  const server = await createServer(context, {
    version: '0',
    logLevel: 'silent',
    limits: config,
    viewers: { access, authRequired, delayMs },
    streams: { readersMax: streamsMax },
    uploads: join(config.dataDirectory, 'uploads'),
    buildRecords: async () => {},
    importFiles: async () => [],
    unreadiness: async () => null,
  });
  afterwards(() => server.close());
  return { access, server };
}

/** Everything, for everybody, without end. */
export const WIDE: GrantTerms = {
  scopes: [...SCOPES],
  feed: 'realtime_sip',
  symbols: null,
  agents: null,
  callsPerMinute: null,
  callsPerDay: null,
  expiresAt: null,
};

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly grant_id: string;
}

/** A client with one grant, and what it takes to use them. */
export async function newCredentials(
  database: Database,
  terms: Partial<GrantTerms> = {},
  now = Date.now(),
): Promise<Credentials> {
  const { client, secret } = await createClient(database, 'a test', now);
  const grant = await createGrant(database, client.id, { ...WIDE, ...terms }, now);
  return { client_id: client.id, client_secret: secret, grant_id: grant.id };
}

/** A token that a server gives for these scopes. */
export async function tokenFrom(
  server: FastifyInstance,
  credentials: Credentials,
  scopes: readonly string[],
): Promise<string> {
  const response = await server.inject({
    method: 'POST',
    url: '/api/graph/v1/chart-agent-auth/token',
    payload: { ...credentials, agent_id: 'a', scopes, ttl_seconds: 600 },
  });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json().access_token;
}

/** The header line of a caller with that token, and that of one without any. */
export const bearer = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** The header line of a fresh client of a server. */
export async function newBearer(
  { server, database }: { readonly server: FastifyInstance; readonly database: Database },
  scopes: readonly AccessScope[],
  terms: Partial<GrantTerms> = {},
) {
  return bearer(await tokenFrom(server, await newCredentials(database, terms), scopes));
}
