import type { Timers } from '../base/timers.ts';
import { type Answer, type Ask, addressOf, Refused } from './ask.ts';

/** A request to the service, by its path. */
export type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Answer>;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** By default the only grant of the client. */
  readonly grant?: string | undefined;
}

/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;

/**
 * Asks as a client that logs in by itself: a token lives for minutes, a conversation for hours.
 *
 * @param credentials null for a caller without a token
 */
export function askBy(send: Send, credentials: Credentials | null, timers: Timers): Ask {
  const login = credentials === null ? null : loginOf(credentials, send, timers);
  return async (request) => {
    const { method = 'GET', body } = request;
    const asked = async (): Promise<Answer> => {
      const headers: Record<string, string> = {};
      if (body !== undefined) headers['content-type'] = 'application/json';
      if (login !== null) headers.authorization = `Bearer ${await login.token()}`;
      const payload = body === undefined ? {} : { body: JSON.stringify(body) };
      return send(addressOf(request), { method, headers, ...payload });
    };
    const answer = await asked();
    if (answer.status !== 401 || login === null) return answer;
    // Ended before its time: the clock of this machine is late, or the service has new keys.
    login.forget();
    return asked();
  };
}

function loginOf({ clientId, clientSecret, grant }: Credentials, send: Send, timers: Timers) {
  let token: Promise<string> | null = null;
  let renewAt = 0;
  async function exchange(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      agent_id: 'tigraph-mcp',
      ...(grant !== undefined && { grant_id: grant }),
    });
    const { status, body } = await send('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const answer = body as Record<string, string> | null;
    if (status !== 200) {
      const refusal = {
        code: answer?.error ?? answer?.code,
        detail: answer?.error_description ?? answer?.detail,
      };
      throw new Refused({ status, body: refusal });
    }
    renewAt = timers.now() + Number(answer!.expires_in) * 1_000 - EARLY_MS;
    return answer!.access_token!;
  }
  return {
    /** A token that is good. Calls at a time share one exchange. */
    token(): Promise<string> {
      if (token === null || timers.now() >= renewAt) {
        renewAt = Number.POSITIVE_INFINITY;
        token = exchange();
        token.catch(() => forget());
      }
      return token;
    },
    forget,
  };
  function forget(): void {
    token = null;
  }
}
