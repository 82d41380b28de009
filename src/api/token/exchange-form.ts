import type { Access } from '../access/access.ts';
import { isScope } from '../access/scopes.ts';
import { exchangeToken, GrantNotNamed, type TokenRequester } from './exchange-token.ts';
import type { TokenAnswer } from './schema.ts';

type FormError = 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope' | 'invalid_target';

/** A form that RFC 6749 or 8707 refuses before anything is exchanged. */
export class FormRefusal extends Error {
  readonly code: FormError;

  constructor(code: FormError, message: string) {
    super(message);
    this.code = code;
  }
}

const TTL_S = 900;
const NAME_LENGTH_MAX = 128;
const SECRET_LENGTH_MAX = 512;

/**
 * Exchanges the form of a client-credentials request. What OAuth has no field for it takes from `grant_id` and
 * `agent_id`, or else the client's only live grant, and its id as the agent.
 *
 * @param authorization header of the request: Basic, or none where the form has the credentials
 * @param resources that tokens are for (RFC 8707)
 * @throws FormRefusal, and CodedError as `exchangeToken`
 */
export async function exchangeForm(
  access: Access,
  form: URLSearchParams,
  authorization: string | undefined,
  resources: readonly string[],
  requester: TokenRequester,
): Promise<TokenAnswer> {
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw new FormRefusal('invalid_request', `${name} is given twice`);
  }
  if (form.get('grant_type') !== 'client_credentials') {
    throw new FormRefusal('unsupported_grant_type', 'grant_type has to be client_credentials');
  }
  const resource = form.get('resource');
  if (resource !== null && !resources.includes(resource)) {
    throw new FormRefusal('invalid_target', `resource has to be one of ${resources.join(', ')}`);
  }
  const [client_id, client_secret] = credentialsOf(form, authorization);
  const agent_id = form.get('agent_id') ?? client_id;
  if (agent_id === '' || agent_id.length > NAME_LENGTH_MAX) {
    throw new FormRefusal('invalid_request', `agent_id has 1 to ${NAME_LENGTH_MAX} characters`);
  }
  const asked = {
    client_id,
    client_secret,
    grant_id: form.get('grant_id'),
    agent_id,
    scopes: scopesOf(form.get('scope')),
    ttl_seconds: TTL_S,
    resource,
  };
  return exchangeToken(access, asked, requester).catch((error) => {
    if (!(error instanceof GrantNotNamed)) throw error;
    const names = error.grants.join(', ');
    throw new FormRefusal('invalid_request', `The client has several grants; name one as grant_id: ${names}`);
  });
}

/** Null for none: all of the grant. */
function scopesOf(text: string | null) {
  if (text === null || text.trim() === '') return null;
  const words = text.trim().split(/ +/);
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined)
    throw new FormRefusal('invalid_scope', `There is no scope ${JSON.stringify(unknown)}`);
  return words.filter(isScope);
}

/** Client and secret, from the header or the form and never from both (RFC 6749, section 2.3). */
function credentialsOf(form: URLSearchParams, authorization: string | undefined): readonly [string, string] {
  const [id, secret] =
    authorization === undefined ? [form.get('client_id'), form.get('client_secret')] : basicOf(authorization);
  if (authorization !== undefined && form.has('client_secret')) {
    throw new FormRefusal('invalid_request', 'The credentials are given twice');
  }
  if (!id || !secret || id.length > NAME_LENGTH_MAX || secret.length > SECRET_LENGTH_MAX) {
    throw new FormRefusal('invalid_request', 'A client and its secret are needed, as Basic or in the form');
  }
  return [id, secret];
}

function basicOf(authorization: string): readonly (string | undefined)[] {
  const [, encoded] = /^Basic +([\w+/]+=*)$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const at = text.indexOf(':');
  if (at === -1) return [];
  try {
    return [text.slice(0, at), text.slice(at + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
  } catch {
    return [];
  }
}
