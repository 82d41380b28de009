import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { onChange } from '../../database/changes.ts';
import { CodedError, isCoded } from '../../base/errors.ts';
import type { Channel } from './channel.ts';
import { FeedChannels, type FeedLimits, mergeEvents } from './feed-channels.ts';
import { CLOSING_FRAME, closeFrame, gapFrame, positionFrame, retryFrame } from './frames.ts';
import type { SentEvent } from './history.ts';
import { Reader, type ReaderLimits } from './reader.ts';
import type { Viewer } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';

/** Symbols of one stream. */
export const STREAM_SYMBOLS_MAX = 200;

export interface StreamLimits extends ReaderLimits, FeedLimits {
  /** Streams of this process at a time. */
  readonly readersMax: number;
  /** Between signs of life. */
  readonly heartbeatMs: number;
  /** Between looks at the clock. */
  readonly tickMs: number;
  /** What readers are told to wait before they come back. */
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
  /** Tickers in capitals, without repetition, at most `STREAM_SYMBOLS_MAX`. */
  readonly symbols: readonly string[];
  /** The last position that the reader was told, of an earlier stream of the same symbols; null for none. */
  readonly position: string | null;
}

/** A stream under way, for whoever opened it. */
export interface OpenStream {
  /** Ends it with the reason: the reader's standing has ended. */
  refuse(code: string, detail: string): void;
}

/** Figures of the streams of a process, for its metrics. */
interface StreamFigures {
  readonly readers: number;
  readonly behind: number;
  readonly channels: number;
  readonly historyBytes: number;
  readonly sent: number;
  readonly dropped: number;
  readonly failedRefreshes: number;
}

/** What watches stocks for everybody who reads: one for each process. */
export interface StockWatch {
  /**
   * Begins a stream: what was told since the reader's position where that is still known, else every stock as it is;
   * then what changes.
   *
   * @param accept called once all is ready and nothing can be refused any more; null when the reader has gone
   * @throws CodedError overloaded, shutting_down, and what stock detail throws for one of the symbols
   */
  open(request: WatchRequest, viewer: Viewer, accept: () => Writable | null): Promise<OpenStream | null>;
  /** Looks where time calls for it, as happens by itself every `tickMs`. */
  tick(): void;
  /** A sign of life for every reader, as happens by itself every `heartbeatMs`. */
  beat(now: number): void;
  /** Resolves once every look that is due has been taken. */
  settled(): Promise<void>;
  figures(): StreamFigures;
  /** Says goodbye to every reader. */
  close(): void;
}

/**
 * Watches stocks for all readers of a process. Each stock that somebody reads is looked at once for each feed when it
 * has changed, compared once, made into bytes once, and the same bytes go to every reader.
 *
 * @param name tells the positions of this process from those of others
 */
export async function watchStocks(
  context: AppContext,
  options: Partial<StreamLimits> = {},
  onError: (symbol: string, error: unknown) => void = () => {},
  name: string = randomUUID().slice(0, 8),
): Promise<StockWatch> {
  const limits = { ...STREAM_LIMITS, ...options };
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
    // What the connection breaks with is of no concern: it is closed after it.
    sink.on('error', () => {});
    reader.put(retryFrame(limits.retryMs));
    greet(reader, feed, channels, position);
    return reader;
  }

  const ticking = setInterval(() => watch.tick(), limits.tickMs).unref();
  const beating = setInterval(() => watch.beat(Date.now()), limits.heartbeatMs).unref();
  const stopListening = await onChange(context.database, (symbols) => {
    for (const feed of feeds.values()) feed.changed(symbols);
  });

  const watch: StockWatch = {
    async open({ symbols, position }, viewer, accept) {
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
    tick() {
      for (const feed of feeds.values()) feed.tick();
    },
    beat(now) {
      for (const reader of readers) if (!reader.beat(now)) reader.destroy();
      for (const feed of feeds.values()) feed.sweep(now);
    },
    async settled() {
      await Promise.all(Array.from(feeds.values(), (feed) => feed.refreshes.settled()));
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
    close() {
      isClosed = true;
      clearInterval(ticking);
      clearInterval(beating);
      stopListening();
      for (const reader of readers) reader.end(CLOSING_FRAME);
    },
  };
  return watch;
}

/** Channels of every symbol; what is unknown of them is named at once. */
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
  throw new CodedError(
    'unknown_symbol',
    `No data for the symbols ${unknown.map(({ symbol }) => symbol).join(', ')}`,
  );
}

/** What a reader begins with: what it missed since its position, or the stocks as they are. */
function greet(
  reader: Reader,
  feed: FeedChannels,
  channels: readonly Channel[],
  position: string | null,
): void {
  const from = position === null ? null : feed.seqOf(position);
  const histories = channels.map((channel) => (from === null ? null : channel.eventsAfter(from)));
  const known = histories.filter((sent): sent is SentEvent[] => sent !== null);
  for (const { frame } of mergeEvents(known)) reader.put(frame);
  const anew = channels.filter((_, at) => histories[at] === null);
  if (position !== null && anew.length > 0) {
    const symbols = anew.map((channel) => channel.symbol);
    reader.put(gapFrame({ reason: 'history_gone', from, to: feed.seq, symbols }));
  }
  for (const channel of anew) reader.put(channel.snapshot());
  reader.put(positionFrame(feed.position()));
}
