import { randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { CodedError, isCoded } from '../../base/errors.ts';
import { isScope, type Scope } from './scopes.ts';
import { ALGORITHM, type SigningKey, type SigningKeys } from './signing-keys.ts';

/** Who issues and for whom; nobody else signs with these keys, so the words need tell no installation apart. */
const ISSUER = 'tigraph';
const AUDIENCE = 'tigraph';
/** RFC 9068's type, so that no other kind of token that these keys might sign some day passes for one of these. */
const TYPE = 'at+jwt';
/** Machines of one desk disagree by moments: a token is good a little before its issuer's clock says so. */
const EARLY_S = 5;
/** Ours are under 1,000 characters; what is far longer is not worth a look. */
const TOKEN_LENGTH_MAX = 8_192;

/** What a token says. */
export interface TokenClaims {
  readonly clientId: string;
  readonly grantId: string;
  readonly agentId: string;
  readonly scopes: readonly Scope[];
  /** Epoch seconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export function signToken({ kid, key }: SigningKey, claims: TokenClaims): Promise<string> {
  return new SignJWT({
    grant_id: claims.grantId,
    agent_id: claims.agentId,
    scope: claims.scopes.join(' '),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.clientId)
    .setIssuedAt(claims.issuedAt)
    .setNotBefore(claims.issuedAt - EARLY_S)
    .setExpirationTime(claims.expiresAt)
    .setJti(randomUUID())
    .sign(key);
}

/**
 * What a token says, once it is certain that this installation said it and that it still holds.
 *
 * @param now epoch milliseconds
 * @throws CodedError invalid_token, whatever is wrong with it; database_unavailable
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
    // The reason would help nobody but who forges; it is not passed on.
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
