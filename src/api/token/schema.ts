import type { Static } from 'typebox';
import { Type } from '../../base/type.ts';
import { SCOPES } from '../access/scopes.ts';

/** Of a token; a grant may give more. */
const SCOPES_MAX = 8;

const name = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });

export const TokenBody = Type.Object(
  {
    client_id: name('The client that holds the secret.'),
    client_secret: Type.String({
      minLength: 1,
      maxLength: 512,
      writeOnly: true,
      description: 'Its secret, as it was shown when the client was made.',
    }),
    grant_id: name('One of the grants of the client.'),
    agent_id: name('What the agent that will use the token calls itself; the audit trail names it.'),
    scopes: Type.Array(Type.Enum(SCOPES), {
      minItems: 1,
      maxItems: SCOPES_MAX,
      description: `What the token is to be used for: ${SCOPES.join(', ')}.`,
    }),
    ttl_seconds: Type.Integer({
      minimum: 30,
      maximum: 900,
      description: 'Life of the token.',
    }),
  },
  { title: 'TokenRequest', additionalProperties: false },
);

/** The longest of every field with each character as an escape of twelve, and some room. */
export const TOKEN_BODY_BYTES = 32_768;

export type TokenBody = Static<typeof TokenBody>;

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({
      description: 'Present it as `Authorization: Bearer`.',
    }),
    token_type: Type.Enum(['Bearer']),
    expires_in: Type.Integer({
      description: 'Seconds; fewer than asked for where the grant ends before.',
    }),
    scope: Type.String({ description: 'Scopes of the token with a space between them.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the token ends.' }),
    grant_id: Type.String({ description: 'The grant that it was issued under.' }),
    agent_id: Type.String({ description: 'The agent that it was issued to.' }),
  },
  { title: 'TokenResponse', description: 'A token, as RFC 6749 answers one, and whose it is.' },
);

export type TokenAnswer = Static<typeof TokenAnswer>;
