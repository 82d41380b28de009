import { errorOf } from './error.ts';
import { type Fetch, unlessAborted } from './retry.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
type Named = 'agent_id' | 'ttl_seconds';

/** What a token is exchanged for; by default `tigraph-client` asks for 300 seconds. */
export type Credentials = Omit<Schemas['TokenRequest'], Named> &
  Partial<Pick<Schemas['TokenRequest'], Named>>;

/** Share of its life after which a token is renewed. */
const RENEWED_AT = 0.8;

/**
 * Sends each request with a token, renewed before it ends; requests at the same time share one exchange. A token that
 * the service no longer accepts is replaced once.
 *
 * @throws TigraphError if the exchange is refused
 */
export function withToken(baseUrl: string, credentials: Credentials, send: Fetch): Fetch {
  const url = `${baseUrl}/api/graph/v1/chart-agent-auth/token`;
  const body = JSON.stringify({ agent_id: 'tigraph-client', ttl_seconds: 300, ...credentials });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  let current: Promise<string> | null = null;
  let renewAt = 0;
  const exchange = async (): Promise<string> => {
    const response = await send(new Request(url, init));
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw errorOf(response, answer);
    const { access_token: token, expires_in: seconds } = answer as Schemas['TokenResponse'];
    // By the uptime of this machine: its wall clock may be wrong.
    renewAt = performance.now() + seconds * 1000 * RENEWED_AT;
    return token;
  };
  /** Forgets a token, unless another call has replaced it already. */
  const drop = (token: Promise<string>): void => {
    if (current === token) current = null;
  };
  const fresh = (): Promise<string> => {
    renewAt = Number.POSITIVE_INFINITY;
    const token = exchange();
    token.catch(() => drop(token));
    return token;
  };
  return async (request) => {
    for (let isReplaced = false; ; isReplaced = true) {
      if (current === null || performance.now() >= renewAt) current = fresh();
      const token = current;
      const authorized = new Request(request.clone());
      authorized.headers.set('authorization', `Bearer ${await unlessAborted(token, request.signal)}`);
      const response = await send(authorized);
      if (response.status !== 401 || isReplaced) return response;
      drop(token);
    }
  };
}
