import { CodedError } from '../../base/errors.ts';
import type { Access } from '../access/access.ts';
import { type Grant, type GrantStatus, listGrants, readGrantStatus, validGrant } from '../access/clients.ts';
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

/** A request whose grant and scopes may be left open, and which may name what the token is for (RFC 8707). */
export interface OpenTokenRequest extends Omit<TokenBody, 'grant_id' | 'scopes'> {
  /** Null for the only one of the client that can be used. */
  readonly grant_id: string | null;
  /** Null for all of the grant. */
  readonly scopes: TokenBody['scopes'] | null;
  readonly resource?: string | null;
}

/** Nobody named a grant, and several can be used. Only who knows the secret learns of them. */
export class GrantNotNamed extends Error {
  readonly grants: readonly string[];

  constructor(grants: readonly Grant[]) {
    super('The client has several grants');
    this.grants = grants.map(({ id }) => id);
  }
}

/**
 * Exchanges a client's secret for a short-lived token.
 *
 * Unknown client, wrong secret, revoked client, grant unknown, foreign, revoked or expired, agent not of the grant:
 * all take the same statements and one hash, and get the same answer.
 *
 * @throws CodedError invalid_client, invalid_scope, too_many_failures, overloaded, database_unavailable; GrantNotNamed
 */
export async function exchangeToken(
  access: Access,
  request: OpenTokenRequest,
  requester: TokenRequester,
): Promise<TokenAnswer> {
  const { attempts, clock, database, hashing } = access;
  const { client_id: clientId, agent_id: agentId } = request;
  const refuseIfBlocked = (): void => attempts.refuseIfBlocked(clientId, requester.address, clock.now());
  refuseIfBlocked();
  const status = await readGrantStatus(database, clientId, request.grant_id ?? '');
  if (status.clientId !== null) requester.onClient(holderOf(status.clientId, status.grant, agentId));
  const isRight = await hashing.run(() => {
    // Failures of the same origin may have blocked it while it waited.
    refuseIfBlocked();
    return verifySecret(request.client_secret, status.secretHash ?? NOBODYS_HASH);
  });
  const usable = isRight ? await usableGrants(access, status, request) : [];
  const [grant] = usable;
  if (grant === undefined) {
    attempts.noteFailure(clientId, requester.address, clock.now());
    throw new CodedError('invalid_client');
  }
  attempts.noteSuccess(clientId, requester.address);
  if (usable.length > 1) throw new GrantNotNamed(usable);
  requester.onClient(holderOf(grant.clientId, grant, agentId));
  return issue(access, request, grant);
}

const holderOf = (clientId: string, grant: Grant | null, agentId: string): Holder => ({
  clientId,
  grantId: grant?.id ?? null,
  agentId,
  callsPerMinute: null,
  callsPerDay: null,
});

/** Grants that the agent may use: the named one, or of a request that names none all of the client. */
async function usableGrants(
  { clock, database }: Access,
  status: GrantStatus,
  { grant_id, agent_id }: OpenTokenRequest,
): Promise<Grant[]> {
  const { clientId, secretHash } = status;
  if (clientId === null || secretHash === null) return [];
  const asked = grant_id === null ? await listGrants(database, clientId) : [status.grant];
  return asked.flatMap((grant) => {
    const valid = validGrant({ ...status, grant }, clock.now() + 1_000);
    return valid === null || (valid.agents !== null && !valid.agents.includes(agent_id)) ? [] : [valid];
  });
}

async function issue({ clock, keys }: Access, request: OpenTokenRequest, grant: Grant): Promise<TokenAnswer> {
  const scopes = [...new Set(request.scopes ?? grant.scopes)];
  const refused = scopes.filter((scope) => !grant.scopes.includes(scope));
  if (refused.length > 0) {
    throw new CodedError('invalid_scope', `The grant does not give ${refused.join(', ')}`);
  }
  const issuedAt = Math.floor(clock.now() / 1_000);
  // No token outlives its grant.
  const grantEnds = grant.expiresAt === null ? Infinity : Math.floor(grant.expiresAt.getTime() / 1_000);
  const expiresAt = Math.min(issuedAt + request.ttl_seconds, grantEnds);
  const claims = {
    clientId: grant.clientId,
    grantId: grant.id,
    agentId: request.agent_id,
    scopes,
    issuedAt,
    expiresAt,
  };
  const token = await signToken(await keys.signing(), claims, request.resource ?? null);
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
