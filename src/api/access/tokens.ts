import { randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { CodedError, isCoded } from '../../base/errors.ts';
import { type AccessScope, isScope } from './scopes.ts';
import { ALGORITHM, type SigningKey, type SigningKeys } from './signing-keys.ts';

/** Each installation signs with its own keys, so these need not differ. */
const ISSUER = 'tigraph';
const AUDIENCE = 'tigraph';
/** Type of RFC 9068: no other kind of token passes for an access token. */
const TYPE = 'at+jwt';
/** Clocks of different machines disagree a little. */
const EARLY_S = 5;
/** Issued tokens have under 1,000 characters. */
const TOKEN_LENGTH_MAX = 8_192;

export interface TokenClaims {
  readonly clientId: string;
  readonly grantId: string;
  readonly agentId: string;
  readonly scopes: readonly AccessScope[];
  /** Epoch seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** @param resource address that the token was asked for (RFC 8707), named beside this installation */
export function signToken(
  { kid, key }: SigningKey,
  claims: TokenClaims,
  resource: string | null,
): Promise<string> {
  return new SignJWT({
    grant_id: claims.grantId,
    agent_id: claims.agentId,
    scope: claims.scopes.join(' '),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(resource === null ? AUDIENCE : [AUDIENCE, resource])
    .setSubject(claims.clientId)
    .setIssuedAt(claims.issuedAt)
    .setNotBefore(claims.issuedAt - EARLY_S)
    .setExpirationTime(claims.expiresAt)
    .setJti(randomUUID())
    .sign(key);
}

/**
 * Verifies signature, issuer, audience and lifetime of a token.
 *
 * @param now epoch milliseconds
 * @throws CodedError invalid_token, database_unavailable
 */
export async function readToken(token: string, keys: SigningKeys, now: number): Promise<TokenClaims> {
  if (token.length > TOKEN_LENGTH_MAX) throw new CodedError('invalid_token');
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? null : await keys.verifying(kid);
        if (key === null) throw new CodedError('invalid_token');
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'grant_id', 'agent_id', 'scope'],
        currentDate: new Date(now),
      },
    );
    return claimsOf(payload);
  } catch (error) {
    if (isCoded(error) && error.code !== 'invalid_token') throw error;
    // The reason would help only a forger.
    throw new CodedError('invalid_token');
  }
}

function claimsOf({ sub, grant_id, agent_id, scope, iat, exp }: JWTPayload): TokenClaims {
  return {
    clientId: String(sub),
    grantId: String(grant_id),
    agentId: String(agent_id),
    scopes: String(scope).split(' ').filter(isScope),
    issuedAt: iat!,
    expiresAt: exp!,
  };
}
