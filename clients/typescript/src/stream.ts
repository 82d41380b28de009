import { errorOf, TigraphError } from './error.ts';
import { type Fetch, pause } from './retry.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

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

/**
 * The events of stocks as they change. After a cut connection, or when the token has ended, it connects again and
 * resumes behind the last event, or yields a `gap`. Ends when the signal aborts.
 *
 * @throws TigraphError if the service refuses for good: an unknown symbol, a missing scope
 */
export async function* streamOf(url: string, send: Fetch, signal: AbortSignal): AsyncGenerator<StreamItem> {
  const headers = new Headers();
  let reconnectMs = 3_000;
  while (!signal.aborted) {
    const request = new Request(url, { headers, signal });
    try {
      const response = await send(request);
      if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
      for await (const { event = '', id, retry, data } of blocksOf(response.body!, signal)) {
        if (id !== undefined) headers.set('last-event-id', id);
        reconnectMs = Number(retry ?? reconnectMs);
        // Farewells, and events of a newer service, are left out.
        if (data !== undefined && /^(snapshot|change|event|gap)$/.test(event))
          yield { event, id: id ?? null, data: JSON.parse(data) } as StreamItem;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TigraphError && !error.isTemporary) throw error;
    }
    await pause(reconnectMs, signal).catch(() => {});
  }
}

type Block = Readonly<Record<string, string | undefined>>;

/** The blocks of one connection by field (WHATWG HTML, section 9.2), as the service writes them: one line a field. */
async function* blocksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Block> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Closes the connection. A cloned request may forget the signal that it was made with.
  const leave = (): Promise<void> => reader.cancel().catch(() => {});
  signal.addEventListener('abort', leave);
  try {
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks)
        yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await leave();
  }
}
