import { CodedError } from '../../base/errors.ts';
import type { Access } from './index.ts';
import type { Holder } from './caller.ts';
import type { Grant } from './grants.ts';
import type { Scope } from './scopes.ts';
import { NOBODYS_HASH, verifySecret } from './secrets.ts';
import { validGrant, readGrantStatus, type GrantStatus } from './grant-status.ts';
import { signToken } from './tokens.ts';

/** The body of the exchange, as it is on the wire. */
export interface TokenRequest {
  readonly client_id: string;
  readonly client_secret: string;
  readonly grant_id: string;
  readonly agent_id: string;
  readonly scopes: readonly Scope[];
  readonly ttl_seconds: number;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Scopes with a space between them. */
  readonly scope: string;
  readonly expires_at: string;
  readonly grant_id: string;
  readonly agent_id: string;
}

/** Where a request for a token comes from, and who wants to know whose it is. */
export interface Asker {
  readonly address: string;
  /** Called once the client is known to exist, for the audit trail; whether its secret was right shows later. */
  onClient(holder: Holder): void;
}

/**
 * Trades a client's secret for a token of minutes.
 *
 * Unknown client, wrong secret, revoked client, grant unknown, foreign, revoked or expired, agent not of the grant:
 * all take the same statements and one hash, and end in the same words.
 *
 * @throws CodedError invalid_client, invalid_scope, too_many_failures, overloaded, database_unavailable
 */
export async function exchangeToken(access: Access, asked: TokenRequest, asker: Asker): Promise<IssuedToken> {
  const { attempts, clock, database, hashing } = access;
  attempts.refuseIfBlocked(asked.client_id, asker.address, clock.now());
  const status = await readGrantStatus(database, asked.client_id, asked.grant_id);
  if (status.clientId !== null) asker.onClient(holderOf(status.clientId, status.grant, asked.agent_id));
  const isRight = await hashing.run(() => {
    // Those who waited in line behind failures of the same origin are refused like those who come later.
    attempts.refuseIfBlocked(asked.client_id, asker.address, clock.now());
    return verifySecret(asked.client_secret, status.secretHash ?? NOBODYS_HASH);
  });
  const grant = isRight ? usableGrant(status, asked.agent_id, clock.now()) : null;
  if (grant === null) {
    attempts.noteFailure(asked.client_id, asker.address, clock.now());
    throw new CodedError('invalid_client');
  }
  attempts.noteSuccess(asked.client_id, asker.address);
  return issue(access, asked, grant);
}

const holderOf = (clientId: string, grant: Grant | null, agentId: string): Holder => ({
  clientId,
  grantId: grant?.id ?? null,
  agentId,
  callsPerMinute: null,
  callsPerDay: null,
});

function usableGrant(status: GrantStatus, agentId: string, now: number): Grant | null {
  const grant = validGrant(status, now + 1_000);
  if (grant === null || status.secretHash === null) return null;
  return grant.agents === null || grant.agents.includes(agentId) ? grant : null;
}

async function issue({ clock, keys }: Access, asked: TokenRequest, grant: Grant): Promise<IssuedToken> {
  const beyond = asked.scopes.filter((scope) => !grant.scopes.includes(scope));
  if (beyond.length > 0) {
    throw new CodedError('invalid_scope', `The grant does not give ${[...new Set(beyond)].join(', ')}`);
  }
  const scopes = [...new Set(asked.scopes)];
  const issuedAt = Math.floor(clock.now() / 1_000);
  // No token outlives its grant.
  const grantEnds = grant.expiresAt === null ? Infinity : Math.floor(grant.expiresAt.getTime() / 1_000);
  const expiresAt = Math.min(issuedAt + asked.ttl_seconds, grantEnds);
  const token = await signToken(await keys.signing(), {
    clientId: grant.clientId,
    grantId: grant.id,
    agentId: asked.agent_id,
    scopes,
    issuedAt,
    expiresAt,
  });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresAt - issuedAt,
    scope: scopes.join(' '),
    expires_at: new Date(expiresAt * 1_000).toISOString(),
    grant_id: grant.id,
    agent_id: asked.agent_id,
  };
}
