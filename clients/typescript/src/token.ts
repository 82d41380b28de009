import { errorOf } from './error.ts';
import type { Fetch } from './retry.ts';
import type { components } from './schema.ts';

type TokenRequest = components['schemas']['TokenRequest'];
type TokenResponse = components['schemas']['TokenResponse'];
type Named = 'agent_id' | 'ttl_seconds';

/** What a token is exchanged for; by default `tigraph-client` asks for 300 seconds. */
export type Credentials = Omit<TokenRequest, Named> & Partial<Pick<TokenRequest, Named>>;

/** Share of its life after which a token is renewed. */
const RENEWED_AT = 0.8;

/** Exchanges credentials for a token, and renews it before it ends; requests at the same time share one exchange. */
export class TokenSource {
  readonly #body: string;
  readonly #url: string;
  readonly #send: Fetch;
  #current: Promise<string> | null = null;
  #renewAt = 0;

  constructor(baseUrl: string, credentials: Credentials, send: Fetch) {
    this.#url = `${baseUrl}/api/graph/v1/chart-agent-auth/token`;
    this.#send = send;
    this.#body = JSON.stringify({ agent_id: 'tigraph-client', ttl_seconds: 300, ...credentials });
  }

  /** A token that lives on for a while. @throws TigraphError if the exchange is refused */
  token(): Promise<string> {
    if (this.#current === null || performance.now() >= this.#renewAt) {
      this.#renewAt = Number.POSITIVE_INFINITY;
      this.#current = this.#exchange();
      this.#current.catch(() => this.drop());
    }
    return this.#current;
  }

  /** Forgets the token, after the service refused it. */
  drop(): void {
    this.#current = null;
  }

  async #exchange(): Promise<string> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: this.#body };
    const response = await this.#send(new Request(this.#url, init));
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw errorOf(response.status, body);
    const { access_token: token, expires_in: seconds } = body as TokenResponse;
    // By the uptime of this machine: its wall clock may be wrong.
    this.#renewAt = performance.now() + seconds * 1000 * RENEWED_AT;
    return token;
  }
}
