import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One call as the provider received it. */
export interface ProviderCall {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly body: { readonly model: string; readonly input: string[]; readonly dimensions?: number };
}

/** What is answered: `silence` never does, a number is a bare status. */
export type ProviderAnswer =
  | number
  | 'silence'
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly text: string };

export interface Provider {
  readonly url: string;
  readonly calls: readonly ProviderCall[];
  stop(): void;
}

/** Settings of an app that uses a provider. */
export const providerSettings = ({ url }: Pick<Provider, 'url'>, model = 'letters') => ({
  TIGRAPH_EMBEDDINGS: 'http',
  EMBEDDINGS_URL: url,
  EMBEDDINGS_MODEL: model,
});

type Answering = (call: ProviderCall, number: number) => ProviderAnswer;

/** A provider of embeddings on loopback, which ends with the test. */
export async function startProvider(answer: Answering): Promise<Provider> {
  const provider = await openProvider(answer);
  onTestFinished(() => provider.stop());
  return provider;
}

/** @param answer by the call and its number, from 0 on */
export async function openProvider(answer: Answering): Promise<Provider> {
  const calls: ProviderCall[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as ProviderCall['body'];
    const call = { headers: request.headers, url: request.url!, body };
    calls.push(call);
    const given = answer(call, calls.length - 1);
    if (given === 'silence') return;
    const {
      status = 200,
      headers = {},
      text,
    } = typeof given === 'number' ? { status: given, text: '{}' } : given;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Vectors by letters: texts of the same letters lie together. Sent in reverse, since the index is what counts. */
export function lettersAnswer({ body }: ProviderCall, dimensions = 26): ProviderAnswer {
  const data = body.input.map((text, index) => ({ index, embedding: lettersOf(text, dimensions) })).reverse();
  return { text: JSON.stringify({ object: 'list', data }) };
}

export function lettersOf(text: string, dimensions = 26): number[] {
  const counts = new Array<number>(dimensions).fill(0);
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) - 97;
    if (place >= 0 && place < 26) counts[place % dimensions]!++;
  }
  return counts;
}
