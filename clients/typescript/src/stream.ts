import { createParser } from 'eventsource-parser';
import { errorOf, TigraphError } from './error.ts';
import { type Fetch, pause } from './retry.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
type Decoder = ReadableWritablePair<string, Uint8Array<ArrayBuffer>>;

/** Data of the events of a stream, by their names. */
export interface StreamData {
  readonly snapshot: Schemas['StreamSnapshot'];
  readonly change: Omit<Schemas['StreamChange'], 'changed'> & {
    readonly changed: Partial<Schemas['StockResult']>;
  };
  readonly event: Schemas['StreamEvent'];
  /** Something was missed; snapshots of the symbols follow. */
  readonly gap: Schemas['StreamGap'];
}

/** What a stream yields. */
export type StreamItem = {
  readonly [Event in keyof StreamData]: { event: Event; id: string | null; data: StreamData[Event] };
}[keyof StreamData];

const RECONNECT_MS = 3_000;

/**
 * The events of stocks as they change. After a cut connection, or when the token has ended, it connects again and
 * resumes behind the last event, or yields a `gap`. Ends when the signal aborts.
 *
 * @param symbols 1 to 200
 * @throws TigraphError if the service refuses for good: an unknown symbol, a missing scope
 */
export async function* streamOf(
  baseUrl: string,
  symbols: readonly string[],
  send: Fetch,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const url = `${baseUrl}/api/graph/v1/stream?symbols=${symbols.map(encodeURIComponent).join()}`;
  let position: string | null = null;
  while (!signal.aborted) {
    try {
      const headers = position === null ? {} : { 'last-event-id': position };
      const response = await send(new Request(url, { headers, signal }));
      if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null));
      for await (const item of itemsOf(response.body!, signal)) {
        if (item.id !== null) position = item.id;
        yield item;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TigraphError && !error.isTemporary) throw error;
    }
    await pause(RECONNECT_MS, signal).catch(() => {});
  }
}

/** The items of one connection; comments and farewells are left out. */
async function* itemsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<StreamItem> {
  const items: StreamItem[] = [];
  const parser = createParser({
    onEvent: ({ event = '', id = null, data }) => {
      if (/^(snapshot|change|event|gap)$/.test(event))
        items.push({ event, id, data: JSON.parse(data) } as StreamItem);
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream() as Decoder).getReader();
  // A cloned request may forget the signal that it was made with.
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(value);
      yield* items.splice(0);
    }
  } finally {
    // A reader that leaves the loop closes the connection.
    await reader.cancel().catch(() => {});
  }
}
