import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Readers of server-sent events, and what they read. */

/** One block of a stream, as it came; `data` is parsed. */
export interface StreamBlock {
  /** `comment` for a block of comments alone, `fields` for one without data. */
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly data: any;
  readonly text: string;
}

function parseBlock(text: string): StreamBlock {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart());
  }
  const data = fields.get('data');
  return {
    event: fields.get('event') ?? (fields.size === 0 ? 'comment' : 'fields'),
    id: fields.get('id') ?? null,
    data: data === undefined ? null : JSON.parse(data),
    text,
  };
}

/** What comes of a stream, block by block, waiting for what has not come yet. */
export class StreamReading {
  /** Everything so far, in order. */
  readonly blocks: StreamBlock[] = [];
  #taken = 0;
  #rest = '';
  #ended = false;
  #wake = Promise.withResolvers<void>();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    void this.#read(chunks);
  }

  /** The next block that is one of these events; those before it are passed over. */
  async next(...events: readonly string[]): Promise<StreamBlock> {
    for (;;) {
      while (this.#taken < this.blocks.length) {
        const block = this.blocks[this.#taken++]!;
        if (events.length === 0 || events.includes(block.event)) return block;
      }
      if (this.#ended) throw new Error(`the stream ended before ${events.join(' or ')}`);
      await this.#wake.promise;
    }
  }

  /** Resolves when the other side has ended the stream. */
  async ended(): Promise<void> {
    while (!this.#ended) await this.#wake.promise;
  }

  /** Names of the events so far, comments and bare fields left out. */
  get events(): string[] {
    return this.blocks.map(({ event }) => event).filter((event) => !['comment', 'fields'].includes(event));
  }

  async #read(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of chunks) this.#take(decoder.decode(chunk, { stream: true }));
    } catch {
      // A connection that breaks ends the stream like any other end.
    }
    this.#ended = true;
    this.#wake.resolve();
  }

  #take(text: string): void {
    const parts = (this.#rest + text).split('\n\n');
    this.#rest = parts.pop()!;
    this.blocks.push(...parts.map(parseBlock));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

/** A stream over a real connection. */
export interface StreamConnection {
  readonly status: number;
  readonly headers: Headers;
  readonly reading: StreamReading;
  close(): void;
}

export async function connectStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamConnection> {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const response = await fetch(url, { headers, signal: aborting.signal });
  return {
    status: response.status,
    headers: response.headers,
    reading: new StreamReading(response.body!),
    close: () => aborting.abort(),
  };
}

/** A connection without a network, and what is read at its other end. */
export function sinkAndReading(): { sink: PassThrough; reading: StreamReading } {
  const sink = new PassThrough({ highWaterMark: 1_048_576 });
  onTestFinished(() => void sink.destroy());
  return { sink, reading: new StreamReading(sink) };
}

/** A snapshot with every later change of its symbol laid over it: what a reader knows now. */
export function foldStock(blocks: readonly StreamBlock[], symbol: string): Record<string, unknown> | null {
  let stock: Record<string, unknown> | null = null;
  for (const { event, data } of blocks) {
    if (data?.symbol !== symbol) continue;
    if (event === 'snapshot') stock = { ...data.stock };
    if (event === 'change') stock = { ...stock, ...data.changed };
  }
  return stock;
}
