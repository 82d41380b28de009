import createFetchClient, { type Client } from 'openapi-fetch';
import { errorOf } from './error.ts';
import { type Fetch, retrying } from './retry.ts';
import type { paths } from './schema.ts';
import { type StreamItem, streamOf } from './stream.ts';
import { type Credentials, withToken } from './token.ts';

export interface ClientOptions {
  /** Where the service listens, e.g. `http://127.0.0.1:8080`; '' for that of the page. */
  readonly baseUrl: string;
  /** Without them the caller is anonymous and sees what is 15 minutes old. */
  readonly credentials?: Credentials;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
}

/** Typed calls of every operation (`GET`, `POST`, `PUT`, `DELETE`), and the stream. */
export interface TigraphClient
  extends Pick<Client<paths, 'application/json'>, 'GET' | 'POST' | 'PUT' | 'DELETE'> {
  /** Events of up to 200 stocks as they change, until the signal aborts; see `StreamItem`. */
  stream(symbols: readonly string[], options?: { signal?: AbortSignal }): AsyncGenerator<StreamItem>;
}

/** A client that renews its token, waits where the service asks to wait, and resumes its streams. */
export function createClient({ baseUrl, credentials, fetch: send }: ClientOptions): TigraphClient {
  const patient = retrying(send ?? ((request) => fetch(request)));
  const authorized = credentials === undefined ? patient : withToken(baseUrl, credentials, patient);
  // Lists in an address have commas between their items.
  const querySerializer = { array: { style: 'form', explode: false } } as const;
  const calls = createFetchClient<paths, 'application/json'>({ baseUrl, fetch: authorized, querySerializer });
  const stream: TigraphClient['stream'] = (symbols, { signal = new AbortController().signal } = {}) => {
    const url = `${baseUrl}/api/graph/v1/stream?symbols=${symbols.map(encodeURIComponent)}`;
    return streamOf(url, authorized, signal);
  };
  return { ...calls, stream };
}

/** The data of a call. @throws TigraphError for any answer other than 200, and for none */
export async function dataOf<Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call;
  if (data === undefined) throw errorOf(response, error);
  return data;
}
