import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CodedError, isCoded } from '../../base/errors.ts';
import { onChange } from '../../database/changes.ts';
import type { Viewer } from '../access/viewer.ts';
import type { OpenStream } from '../answers/open-stream.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Channel, SentEvent } from './channel.ts';
import { FeedChannels, type FeedLimits, mergeEvents } from './feed-channels.ts';
import { CLOSING_FRAME, closeFrame, gapFrame, positionFrame, retryFrame } from './frames.ts';
import { Reader, type ReaderLimits } from './reader.ts';

export interface StreamLimits extends ReaderLimits, FeedLimits {
  readonly readersMax: number;
  readonly heartbeatMs: number;
  readonly tickMs: number;
  /** Time that readers wait before they reconnect. */
  readonly retryMs: number;
}

const KILOBYTE = 1_024;
const MEGABYTE = 1_024 * KILOBYTE;

const STREAM_LIMITS: StreamLimits = {
  readersMax: 2_000,
  heartbeatMs: 15_000,
  tickMs: 250,
  retryMs: 3_000,
  queueBytesMax: 4 * MEGABYTE,
  queueFramesMax: 2_000,
  stuckAfterMs: 30_000,
  historyBytesMax: 256 * KILOBYTE,
  allHistoryBytesMax: 64 * MEGABYTE,
  lingerMs: 120_000,
  channelsMax: 5_000,
  refreshesAtOnce: 3,
  batchMax: 32,
};

interface WatchRequest {
  /** Tickers in capitals, each once. */
  readonly symbols: readonly string[];
  /** The reader's last position in an earlier stream of the same symbols; null for none. */
  readonly position: string | null;
}

/** The watched stocks of all streams of a process. */
export type StockWatch = Awaited<ReturnType<typeof watchStocks>>;

/**
 * Watches stocks for all readers of a process. A changed stock is loaded, compared and serialised once per feed, and all
 * readers get the same bytes.
 *
 * @param name prefix of positions, unique across processes
 */
export async function watchStocks(
  context: AppContext,
  options: Partial<StreamLimits> = {},
  onError: (symbol: string, error: unknown) => void = () => {},
  name: string = randomUUID().slice(0, 8),
) {
  const limits = { ...STREAM_LIMITS, ...options };
  const scope = context.scope.child('streams');
  const feeds = new Map<string, FeedChannels>();
  const readers = new Set<Reader>();
  let openings = 0;
  let sent = 0;
  let dropped = 0;
  let failedRefreshes = 0;
  let isClosed = false;

  const feedOf = (viewer: Viewer): FeedChannels =>
    feeds.getOrInsertComputed(
      viewer.source,
      () =>
        new FeedChannels(
          context,
          scope,
          { source: viewer.source, delayMs: viewer.delayMs },
          `${name}-${viewer.source}`,
          limits,
          (frames) => {
            sent += frames;
          },
          (symbol, error) => {
            failedRefreshes++;
            onError(symbol, error);
          },
        ),
    );

  function begin(feed: FeedChannels, channels: readonly Channel[], position: string | null, sink: Writable) {
    const reader = new Reader(
      sink,
      channels,
      feed.seq,
      limits,
      () => positionFrame(feed.position()),
      (frames) => {
        dropped += frames;
      },
    );
    for (const channel of channels) channel.readers.add(reader);
    readers.add(reader);
    sink.on('close', () => {
      readers.delete(reader);
      for (const channel of channels) channel.readers.delete(reader);
    });
    // `close` follows.
    sink.on('error', () => {});
    reader.put(retryFrame(limits.retryMs));
    sendFirst(reader, feed, channels, position);
    return reader;
  }

  const stopListening = await onChange(context.database, ({ symbols }) => {
    for (const feed of feeds.values()) feed.changed(symbols);
  });

  const watch = {
    /**
     * Begins a stream with the events since the reader's position if they are still known, else with snapshots.
     *
     * @param accept begins the answer once nothing can be refused; null if the reader has disconnected
     * @throws CodedError overloaded, shutting_down, and what stock detail throws for one of the symbols
     */
    async open(
      { symbols, position }: WatchRequest,
      viewer: Viewer,
      accept: () => Writable | null,
    ): Promise<OpenStream | null> {
      if (isClosed) throw new CodedError('shutting_down');
      if (readers.size + openings >= limits.readersMax) {
        throw new CodedError('overloaded', `This service keeps ${limits.readersMax} streams at a time`);
      }
      const feed = feedOf(viewer);
      openings++;
      try {
        const channels = await acquireAll(feed, symbols, viewer);
        try {
          const sink = isClosed ? null : accept();
          if (sink === null || sink.destroyed) return null;
          const reader = begin(feed, channels, position, sink);
          return { refuse: (code, detail) => reader.end(closeFrame('unauthorized', code, detail)) };
        } finally {
          for (const channel of channels) feed.release(channel);
        }
      } finally {
        openings--;
      }
    },
    /** Refreshes channels that are due by time; runs every `tickMs`. */
    tick(): void {
      for (const feed of feeds.values()) feed.tick();
    },
    /** Sends heartbeats; runs every `heartbeatMs`. */
    beat(now: number): void {
      for (const reader of readers) if (!reader.beat(now)) reader.destroy();
      for (const feed of feeds.values()) feed.sweep(now);
    },
    figures() {
      const sum = (figure: (feed: FeedChannels) => number): number =>
        feeds.values().reduce((total, feed) => total + figure(feed), 0);
      return {
        readers: readers.size,
        behind: readers.values().reduce((count, reader) => count + Number(reader.isBehind), 0),
        channels: sum((feed) => feed.size),
        historyBytes: sum((feed) => feed.historyBytes),
        sent,
        dropped,
        failedRefreshes,
      };
    },
    close(): Promise<void> {
      isClosed = true;
      stopListening();
      for (const reader of readers) reader.end(CLOSING_FRAME);
      return scope.close();
    },
  };
  scope.every(limits.tickMs, 'looking for due streams', async () => watch.tick());
  scope.every(limits.heartbeatMs, 'heartbeats of streams', async () => watch.beat(scope.timers.now()));
  return watch;
}

/** The channels of all symbols; the error names every unknown one. */
async function acquireAll(
  feed: FeedChannels,
  symbols: readonly string[],
  viewer: Viewer,
): Promise<Channel[]> {
  const settled = await Promise.allSettled(symbols.map((symbol) => feed.acquire(symbol, viewer)));
  const channels = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (channels.length === symbols.length) return channels;
  for (const channel of channels) feed.release(channel);
  const failures = settled.flatMap((one, at) =>
    one.status === 'rejected' ? [{ symbol: symbols[at]!, error: one.reason as unknown }] : [],
  );
  const unknown = failures.filter(({ error }) => isCoded(error, 'unknown_symbol'));
  if (unknown.length < 2) throw failures[0]!.error;
  const names = unknown.map(({ symbol }) => symbol).join(', ');
  throw new CodedError('unknown_symbol', `No data for the symbols ${names}`);
}

/** Sends the events since the reader's position, and snapshots of stocks without a complete history. */
function sendFirst(
  reader: Reader,
  feed: FeedChannels,
  channels: readonly Channel[],
  position: string | null,
): void {
  const from = position === null ? null : feed.seqOf(position);
  const histories = channels.map((channel) => (from === null ? null : channel.eventsAfter(from)));
  const known = histories.filter((sent): sent is SentEvent[] => sent !== null);
  for (const { frame } of mergeEvents(known)) reader.put(frame);
  const fresh = channels.filter((_, at) => histories[at] === null);
  if (position !== null && fresh.length > 0) {
    const symbols = fresh.map((channel) => channel.symbol);
    reader.put(gapFrame({ reason: 'history_gone', from, to: feed.seq, symbols }));
  }
  for (const channel of fresh) reader.put(channel.snapshot());
  reader.put(positionFrame(feed.position()));
}
