import { asOfInstant, wholeMinute } from '../../base/as-of.ts';
import { CodedError, isCoded } from '../../base/errors.ts';
import { loadStocks, narrowedSnapshot, type StockSnapshot } from '../stocks/load-stock.ts';
import { type DataFeed, type Viewer, viewKey } from '../access/viewer.ts';
import type { AppContext } from '../app-context.ts';
import { Channel, type Numbering } from './channel.ts';
import type { SentEvent } from './history.ts';
import { RefreshQueue, type RefreshLimits } from './refresh-queue.ts';

export interface FeedLimits extends RefreshLimits {
  /** Histories of one symbol, and of all symbols of a feed together. */
  readonly historyBytesMax: number;
  readonly allHistoryBytesMax: number;
  /** A channel that nobody reads is kept for this long, so that who lost the connection finds its history. */
  readonly lingerMs: number;
  /** Symbols that are watched at a time. */
  readonly channelsMax: number;
}

/** A gap of this much between looks, while the session runs, is closed by a look of its own. */
const QUIET_MS = 60_000;
/** Levels are read beside what is served, for the events that are told from them. */
const INCLUDES = ['levels'];

/**
 * The stocks that somebody watches, as one feed shows them: a channel for each, and where readers may be told of some
 * stocks only, one more for each such grant. A real-time channel is looked at when its symbol is
 * announced, and when a minute went by without. A delayed one is looked at when the delayed instant passes a minute and
 * at no other time: neither what it says nor when it says it follows from what happens now.
 */
export class FeedChannels {
  readonly refreshes: RefreshQueue<Channel>;
  readonly #context: AppContext;
  readonly #feed: DataFeed;
  readonly #limits: FeedLimits;
  readonly #name: string;
  readonly #onSent: (frames: number) => void;
  readonly #onError: (symbol: string, error: unknown) => void;
  /** By viewer and symbol. */
  readonly #channels = new Map<string, Channel>();
  /** First looks that openings wait for. */
  readonly #openings = new Map<Channel, PromiseWithResolvers<void>>();
  #seq = 0;
  #minute: number;
  #visible: number | null;

  /** @param name tells positions of this feed from those of others and of other processes */
  constructor(
    context: AppContext,
    feed: DataFeed,
    name: string,
    limits: FeedLimits,
    onSent: (frames: number) => void,
    onError: (symbol: string, error: unknown) => void,
  ) {
    this.#context = context;
    this.#feed = feed;
    this.#name = name;
    this.#limits = limits;
    this.#onSent = onSent;
    this.#onError = onError;
    this.refreshes = new RefreshQueue(limits, (channels) => this.#refresh(channels));
    this.#minute = wholeMinute(context.clock.now());
    this.#visible = this.#visibleInstant();
  }

  get seq(): number {
    return this.#seq;
  }

  get size(): number {
    return this.#channels.size;
  }

  get historyBytes(): number {
    return this.#channels.values().reduce((sum, channel) => sum + channel.historyBytes, 0);
  }

  /** The position of somebody who has been told everything up to now. */
  position(): string {
    return this.#numbering.positionOf(this.#seq);
  }

  /** The number in a position of this feed; null for anything else. */
  seqOf(position: string): number | null {
    const [name, digits = ''] = position.split(':', 2);
    const seq = /^\d{1,15}$/.test(digits) ? Number(digits) : null;
    return name !== this.#name || seq === null || seq > this.#seq ? null : seq;
  }

  /**
   * The channel of a symbol for a viewer of this feed, looked at at least once. Whoever asks must `release` it.
   *
   * @throws CodedError overloaded, and what the first look throws
   */
  async acquire(symbol: string, viewer: Viewer): Promise<Channel> {
    const channel = this.#channelOf(symbol, viewer);
    channel.awaited++;
    try {
      await this.#opened(channel);
      return channel;
    } catch (error) {
      this.release(channel);
      throw error;
    }
  }

  release(channel: Channel): void {
    channel.awaited--;
  }

  /** News of symbols, or of all where null. */
  changed(symbols: readonly string[] | null): void {
    const changed = symbols === null ? null : new Set(symbols);
    for (const channel of this.#channels.values()) {
      if (changed !== null && !changed.has(channel.symbol)) continue;
      if (this.#feed.delayMs === 0) this.refreshes.add(channel);
      else channel.isStale = true;
    }
  }

  /** To be called several times a minute: looks where time alone calls for it. */
  tick(): void {
    const minute = wholeMinute(this.#context.clock.now());
    if (minute === this.#minute) return;
    this.#minute = minute;
    const visible = this.#visibleInstant();
    const hasMoved = visible !== this.#visible;
    this.#visible = visible;
    for (const channel of this.#channels.values()) {
      if (channel.isStale || (hasMoved && this.#isDue(channel))) this.refreshes.add(channel);
    }
  }

  #isDue(channel: Channel): boolean {
    return this.#feed.delayMs > 0 || this.#minute - channel.refreshedAt > QUIET_MS;
  }

  /** Lets go of channels that nobody has read for long. */
  sweep(now: number): void {
    for (const channel of this.#channels.values()) {
      if (channel.awaited > 0 || channel.readers.size > 0) channel.idleSince = null;
      else channel.idleSince ??= now;
      if (channel.idleSince !== null && now - channel.idleSince >= this.#limits.lingerMs) this.#drop(channel);
    }
  }

  readonly #numbering: Numbering = {
    next: () => ++this.#seq,
    positionOf: (seq) => `${this.#name}:${seq}`,
  };

  #channelOf(symbol: string, viewer: Viewer): Channel {
    const known = this.#channels.get(keyOf(symbol, viewer));
    if (known !== undefined) return known;
    const { channelsMax } = this.#limits;
    if (this.#channels.size >= channelsMax) {
      throw new CodedError('overloaded', `${channelsMax} symbols are being watched already`);
    }
    const channel = new Channel(symbol, viewer, this.#numbering);
    this.#channels.set(keyOf(symbol, viewer), channel);
    return channel;
  }

  async #opened(channel: Channel): Promise<void> {
    if (channel.isOpen) return;
    const earlier = this.#openings.get(channel);
    const opening = earlier ?? Promise.withResolvers<void>();
    if (earlier === undefined) {
      this.#openings.set(channel, opening);
      this.refreshes.add(channel);
    }
    await opening.promise;
  }

  async #refresh(channels: readonly Channel[]): Promise<void> {
    const minute = wholeMinute(this.#context.clock.now());
    for (const channel of channels) {
      channel.isStale = false;
      channel.refreshedAt = minute;
    }
    const symbols = [...new Set(channels.map((channel) => channel.symbol))];
    const deadline = AbortSignal.timeout(this.#context.queryTimeoutMs);
    const snapshots = await loadStocks(
      this.#context,
      symbols,
      { includes: INCLUDES },
      this.#feed,
      deadline,
    ).catch((error: Error) => new Map(symbols.map((symbol) => [symbol, error])));
    for (const channel of channels) {
      const snapshot = snapshots.get(channel.symbol)!;
      this.#take(
        channel,
        snapshot instanceof Error ? reasonOf(snapshot, deadline) : narrowedSnapshot(snapshot, channel.viewer),
      );
    }
  }

  #take(channel: Channel, snapshot: StockSnapshot | Error): void {
    const opening = this.#openings.get(channel);
    this.#openings.delete(channel);
    if (!(snapshot instanceof Error)) {
      this.#onSent(channel.take(snapshot, this.#historyBytesEach()));
      opening?.resolve();
    } else if (opening === undefined) {
      // The next minute tries again.
      channel.isStale = true;
      this.#onError(channel.symbol, snapshot);
    } else {
      this.#drop(channel);
      opening.reject(snapshot);
    }
  }

  #drop(channel: Channel): void {
    this.refreshes.forget(channel);
    const key = keyOf(channel.symbol, channel.viewer);
    if (this.#channels.get(key) === channel) this.#channels.delete(key);
  }

  /** Each symbol's part of the memory for histories: the more there are, the shorter each. */
  #historyBytesEach(): number {
    const { historyBytesMax, allHistoryBytesMax } = this.#limits;
    return Math.min(historyBytesMax, allHistoryBytesMax / this.#channels.size);
  }

  /** Up to when this feed shows the running session; null where none has begun for it. */
  #visibleInstant(): number | null {
    const { calendar, clock } = this.#context;
    const now = clock.now();
    const { delayMs } = this.#feed;
    const session = calendar.session(calendar.tradeDateOf(now - delayMs));
    return session === null ? null : asOfInstant(session, now, delayMs);
  }
}

const keyOf = (symbol: string, viewer: Viewer): string => `${viewKey(viewer)}|${symbol}`;

/** What a look failed with; one that took too long as callers of stock detail are told. */
const reasonOf = (error: Error, deadline: AbortSignal): Error =>
  deadline.aborted && !isCoded(error) ? new CodedError('query_timeout', undefined, { cause: error }) : error;

/** What was told of some channels after a number, in the order in which it was told. */
export const mergeEvents = (histories: readonly (readonly SentEvent[])[]): SentEvent[] =>
  histories.flat().sort((one, other) => one.seq - other.seq);
