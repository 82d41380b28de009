import { abortable } from '../../base/abortable.ts';
import { asOfInstant, wholeMinute } from '../../base/as-of.ts';
import { callerLeft, forCaller } from '../../base/caller.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError, isCoded } from '../../base/errors.ts';
import type { Scope } from '../../base/scope.ts';
import { type DataFeed, type Viewer, viewKey } from '../access/viewer.ts';
import { loadStocks, narrowedSnapshot, type StockSnapshot } from '../answers/load-stock.ts';
import type { AppContext } from '../context/app-context.ts';
import { Channel, type Numbering, type SentEvent } from './channel.ts';
import { type RefreshLimits, RefreshQueue } from './refresh-queue.ts';

export interface FeedLimits extends RefreshLimits {
  /** Histories of one symbol, and of all symbols of a feed together. */
  readonly historyBytesMax: number;
  readonly allHistoryBytesMax: number;
  /** A channel without readers is kept this long, so that a reader who reconnects finds its history. */
  readonly lingerMs: number;
  /** Watched symbols. */
  readonly channelsMax: number;
}

/** A real-time channel is refreshed after this long without an announcement while the session runs. */
const QUIET_MS = 60_000;
/** Levels are read for the events that follow from them. */
const INCLUDES = ['levels'];

/**
 * The watched stocks of one feed: a channel for each symbol and set of granted symbols. A real-time channel is refreshed
 * when its symbol is announced, and after a minute without an announcement. A delayed one is refreshed only when the
 * delayed instant passes a minute, so that neither its content nor its timing reveals the present.
 */
export class FeedChannels {
  readonly #refreshes: RefreshQueue<Channel>;
  readonly #context: AppContext;
  readonly #feed: DataFeed;
  readonly #limits: FeedLimits;
  readonly #name: string;
  readonly #onSent: (frames: number) => void;
  readonly #onError: (symbol: string, error: unknown) => void;
  /** By viewer and symbol. */
  readonly #channels = new Map<string, Channel>();
  /** First refreshes that openings wait for. */
  readonly #openings = new Map<Channel, PromiseWithResolvers<void>>();
  /** By channel that is being refreshed: what follows when it is dropped meanwhile. */
  readonly #onDropped = new Map<Channel, () => void>();
  #seq = 0;
  #minute: number;
  #visible: number | null;

  /** @param name prefix of the feed's positions, unique across feeds and processes */
  constructor(
    context: AppContext,
    scope: Scope,
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
    this.#refreshes = new RefreshQueue(scope, limits, (channels) => this.#refresh(channels));
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

  /** The position after everything sent up to now. */
  position(): string {
    return this.#numbering.positionOf(this.#seq);
  }

  /** The sequence number of a position of this feed; null for any other text. */
  seqOf(position: string): number | null {
    const [name, digits = ''] = position.split(':', 2);
    const seq = /^\d{1,15}$/.test(digits) ? Number(digits) : null;
    return name !== this.#name || seq === null || seq > this.#seq ? null : seq;
  }

  /**
   * The channel of a symbol for a viewer of this feed, after its first refresh. The caller must `release` it.
   *
   * @throws CodedError overloaded, and what the first refresh throws; the reason of the caller's signal
   */
  async acquire(symbol: string, viewer: Viewer): Promise<Channel> {
    const channel = this.#channelOf(symbol, viewer);
    channel.openings++;
    try {
      await this.#opened(channel);
      return channel;
    } catch (error) {
      this.release(channel);
      throw error;
    }
  }

  /** A channel that nobody waits for any more before its first refresh is dropped. */
  release(channel: Channel): void {
    channel.openings--;
    if (channel.openings > 0 || channel.isOpen) return;
    this.#openings.delete(channel);
    this.#drop(channel);
  }

  /** Handles changes of symbols; null for all. */
  changed(symbols: readonly string[] | null): void {
    const changed = symbols === null ? null : new Set(symbols);
    const { delayMs } = this.#feed;
    // Rounded up: what is delayed becomes visible by whole minutes.
    const dueAt = wholeMinute(this.#context.clock.now() + delayMs) + MINUTE_MS;
    for (const channel of this.#channels.values()) {
      if (changed !== null && !changed.has(channel.symbol)) continue;
      if (delayMs === 0) {
        this.#refreshes.add(channel);
        continue;
      }
      // A correction of the past is seen now, something new after the delay.
      channel.isStale = true;
      channel.dueAt = dueAt;
    }
  }

  /** Called several times a minute: refreshes channels that are due by time. */
  tick(): void {
    const minute = wholeMinute(this.#context.clock.now());
    if (minute === this.#minute) return;
    this.#minute = minute;
    const visible = this.#visibleInstant();
    const hasMoved = visible !== this.#visible;
    this.#visible = visible;
    for (const channel of this.#channels.values()) {
      if (channel.isStale || minute >= channel.dueAt || (hasMoved && this.#isQuiet(channel)))
        this.#refreshes.add(channel);
    }
  }

  #isQuiet(channel: Channel): boolean {
    return this.#feed.delayMs > 0 || this.#minute - channel.refreshedAt > QUIET_MS;
  }

  /** Drops channels that have had no reader for long. */
  sweep(now: number): void {
    for (const channel of this.#channels.values()) {
      if (channel.openings > 0 || channel.readers.size > 0) channel.idleSince = null;
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
    const pending = this.#openings.get(channel);
    const opening = pending ?? Promise.withResolvers<void>();
    if (pending === undefined) {
      this.#openings.set(channel, opening);
      this.#refreshes.add(channel);
    }
    await abortable(opening.promise, callerLeft());
  }

  async #refresh(channels: readonly Channel[]): Promise<void> {
    const minute = wholeMinute(this.#context.clock.now());
    for (const channel of channels) {
      channel.isStale = false;
      if (minute >= channel.dueAt) channel.dueAt = Number.POSITIVE_INFINITY;
      channel.refreshedAt = minute;
    }
    const symbols = [...new Set(channels.map((channel) => channel.symbol))];
    const deadline = AbortSignal.timeout(this.#context.queryTimeoutMs);
    const wanted = new Set(channels);
    const abandoned = new AbortController();
    for (const channel of channels) {
      this.#onDropped.set(channel, () => {
        wanted.delete(channel);
        if (wanted.size === 0) abandoned.abort();
      });
    }
    const signal = AbortSignal.any([deadline, abandoned.signal]);
    const snapshots = await forCaller(abandoned.signal, () =>
      loadStocks(this.#context, symbols, { includes: INCLUDES }, this.#feed, signal),
    ).catch((error: Error) => new Map(symbols.map((symbol) => [symbol, error])));
    for (const channel of channels) this.#onDropped.delete(channel);
    for (const channel of wanted) {
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
      // The next minute retries.
      channel.isStale = true;
      this.#onError(channel.symbol, snapshot);
    } else {
      this.#drop(channel);
      opening.reject(snapshot);
    }
  }

  #drop(channel: Channel): void {
    this.#refreshes.forget(channel);
    this.#onDropped.get(channel)?.();
    const key = keyOf(channel.symbol, channel.viewer);
    if (this.#channels.get(key) === channel) this.#channels.delete(key);
  }

  /** Each channel's share of the memory for histories. */
  #historyBytesEach(): number {
    const { historyBytesMax, allHistoryBytesMax } = this.#limits;
    return Math.min(historyBytesMax, allHistoryBytesMax / this.#channels.size);
  }

  /**
   * The instant up to which this feed shows the trading of the running session; null if none has begun for it. After
   * that only announced changes are of interest.
   */
  #visibleInstant(): number | null {
    const { calendar, clock } = this.#context;
    const now = clock.now();
    const { delayMs } = this.#feed;
    const session = calendar.session(calendar.tradeDateOf(now - delayMs));
    const asOf = session === null ? null : asOfInstant(session, now - delayMs);
    return asOf === null ? null : Math.min(asOf, session!.postClose);
  }
}

const keyOf = (symbol: string, viewer: Viewer): string => `${viewKey(viewer)}|${symbol}`;

/** The error of a refresh; a timeout becomes the same error as in stock detail. */
const reasonOf = (error: Error, deadline: AbortSignal): Error =>
  deadline.aborted && !isCoded(error) ? new CodedError('query_timeout', undefined, { cause: error }) : error;

export const mergeEvents = (histories: readonly (readonly SentEvent[])[]): SentEvent[] =>
  histories.flat().sort((one, other) => one.seq - other.seq);
