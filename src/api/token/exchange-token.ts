import { CodedError } from '../../base/errors.ts';
import type { Access } from '../access/access.ts';
import { type Grant, type GrantStatus, readGrantStatus, validGrant } from '../access/clients.ts';
import { NOBODYS_HASH, verifySecret } from '../access/secrets.ts';
import { signToken } from '../access/tokens.ts';
import type { Holder } from '../access/viewer.ts';
import type { TokenAnswer, TokenBody } from './schema.ts';

/** The connection that a token request came from. */
export interface TokenRequester {
  readonly address: string;
  /** Called for the audit trail once the client is known to exist, before its secret is checked. */
  onClient(holder: Holder): void;
}

/**
 * Exchanges a client's secret for a short-lived token.
 *
 * Unknown client, wrong secret, revoked client, grant unknown, foreign, revoked or expired, agent not of the grant:
 * all take the same statements and one hash, and get the same answer.
 *
 * @throws CodedError invalid_client, invalid_scope, too_many_failures, overloaded, database_unavailable
 */
export async function exchangeToken(
  access: Access,
  request: TokenBody,
  requester: TokenRequester,
): Promise<TokenAnswer> {
  const { attempts, clock, database, hashing } = access;
  const { client_id: clientId, agent_id: agentId } = request;
  const refuseIfBlocked = (): void => attempts.refuseIfBlocked(clientId, requester.address, clock.now());
  refuseIfBlocked();
  const status = await readGrantStatus(database, clientId, request.grant_id);
  if (status.clientId !== null) requester.onClient(holderOf(status.clientId, status.grant, agentId));
  const isRight = await hashing.run(() => {
    // Failures of the same origin may have blocked it while it waited.
    refuseIfBlocked();
    return verifySecret(request.client_secret, status.secretHash ?? NOBODYS_HASH);
  });
  const grant = isRight ? usableGrant(status, agentId, clock.now()) : null;
  if (grant === null) {
    attempts.noteFailure(clientId, requester.address, clock.now());
    throw new CodedError('invalid_client');
  }
  attempts.noteSuccess(clientId, requester.address);
  return issue(access, request, grant);
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

async function issue({ clock, keys }: Access, request: TokenBody, grant: Grant): Promise<TokenAnswer> {
  const scopes = [...new Set(request.scopes)];
  const refused = scopes.filter((scope) => !grant.scopes.includes(scope));
  if (refused.length > 0) {
    throw new CodedError('invalid_scope', `The grant does not give ${refused.join(', ')}`);
  }
  const issuedAt = Math.floor(clock.now() / 1_000);
  // No token outlives its grant.
  const grantEnds = grant.expiresAt === null ? Infinity : Math.floor(grant.expiresAt.getTime() / 1_000);
  const expiresAt = Math.min(issuedAt + request.ttl_seconds, grantEnds);
  const token = await signToken(await keys.signing(), {
    clientId: grant.clientId,
    grantId: grant.id,
    agentId: request.agent_id,
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
    agent_id: request.agent_id,
  };
}
