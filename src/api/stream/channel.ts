import { type SessionState, sessionEvents } from '../../analysis/session-events.ts';
import type { Viewer } from '../access/viewer.ts';
import type { StockSnapshot } from '../answers/load-stock.ts';
import { changedFields, topLevelFields } from './fields.ts';
import { changeFrame, eventFrame, type StockState, snapshotFrame } from './frames.ts';
import { sessionState } from './session-state.ts';

interface ChannelState extends StockState {
  readonly fields: ReadonlyMap<string, string>;
  readonly levels: string;
  readonly session: SessionState;
}

/** The frames of one refresh in one buffer. */
export interface Batch {
  readonly channel: Channel;
  readonly lastSeq: number;
  readonly frames: number;
  readonly bytes: Buffer;
}

export interface BatchReader {
  send(batch: Batch): void;
}

/** Numbers the frames of a feed in one sequence for all symbols. */
export interface Numbering {
  next(): number;
  positionOf(seq: number): string;
}

export interface SentEvent {
  readonly seq: number;
  readonly frame: Buffer;
}

/** Memory of an entry besides its bytes. */
const ENTRY_OVERHEAD_BYTES = 64;

/** The latest frames of one channel, bounded in bytes, for readers who reconnect. */
export class History {
  readonly #sent: SentEvent[] = [];
  #bytes = 0;
  /** The history is complete after this number. */
  #completeAfter: number;

  /** @param seq number of the state before the first frame */
  constructor(seq: number) {
    this.#completeAfter = seq;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(sent: SentEvent, bytesMax: number): void {
    this.#sent.push(sent);
    this.#bytes += sent.frame.length + ENTRY_OVERHEAD_BYTES;
    let removed = 0;
    while (this.#bytes > bytesMax && removed < this.#sent.length) {
      const oldest = this.#sent[removed++]!;
      this.#bytes -= oldest.frame.length + ENTRY_OVERHEAD_BYTES;
      this.#completeAfter = oldest.seq;
    }
    if (removed > 0) this.#sent.splice(0, removed);
  }

  /** All frames after a number, oldest first; null if some are gone. */
  after(seq: number): SentEvent[] | null {
    return seq < this.#completeAfter ? null : this.#sent.filter((sent) => sent.seq > seq);
  }
}

/**
 * One symbol of one feed, for readers with the same grant: its state at the last refresh, its history and its readers.
 * Each refresh is compared with the state before once, for all readers.
 */
export class Channel {
  readonly symbol: string;
  readonly viewer: Viewer;
  readonly readers = new Set<BatchReader>();
  /** Openings in progress that use this channel. */
  openings = 0;
  /** Whole minute of the clock at the last refresh. */
  refreshedAt = Number.NEGATIVE_INFINITY;
  /** True if a later minute must refresh it. */
  isStale = false;
  /** Minute of the clock at which a delayed feed sees the last change; infinite when there is none to come. */
  dueAt = Number.POSITIVE_INFINITY;
  /** Machine time since which it has no reader. */
  idleSince: number | null = null;
  readonly #numbering: Numbering;
  #state: ChannelState | null = null;
  #history: History | null = null;
  /** Number of the newest frame, or of the first state. */
  #seq = 0;
  #snapshot: Buffer | null = null;

  constructor(symbol: string, viewer: Viewer, numbering: Numbering) {
    this.symbol = symbol;
    this.viewer = viewer;
    this.#numbering = numbering;
  }

  get isOpen(): boolean {
    return this.#state !== null;
  }

  get historyBytes(): number {
    return this.#history?.bytes ?? 0;
  }

  /** The stock at the last refresh; only for an open channel. */
  snapshot(): Buffer {
    this.#snapshot ??= snapshotFrame(this.#state!, this.#seq);
    return this.#snapshot;
  }

  /** The frames after a number; null if some are gone. */
  eventsAfter(seq: number) {
    return this.#history?.after(seq) ?? null;
  }

  /**
   * Compares a snapshot with the state and sends the differences to the readers.
   *
   * @returns number of frames
   */
  take(snapshot: StockSnapshot, historyBytesMax: number): number {
    const before = this.#state;
    const core = snapshot.values.core!;
    const levels = snapshot.values.levels ?? 'null';
    if (before !== null && before.core === core) {
      // Nothing changed but the instant.
      this.#state = { ...before, tradeDate: snapshot.tradeDate, asOf: snapshot.factsAsOf };
      this.#snapshot = null;
      return 0;
    }
    const after = this.#parse(snapshot, core, levels);
    this.#state = after;
    this.#snapshot = null;
    if (before === null) {
      this.#seq = this.#numbering.next();
      this.#history = new History(this.#seq);
      return 0;
    }
    return this.#send(before, after, historyBytesMax);
  }

  #parse({ simulated, tradeDate, factsAsOf }: StockSnapshot, core: string, levels: string): ChannelState {
    const fields = topLevelFields(core);
    return {
      symbol: this.symbol,
      source: this.viewer.source,
      simulated,
      tradeDate,
      asOf: factsAsOf,
      core,
      fields,
      levels,
      session: sessionState(tradeDate, fields, levels),
    };
  }

  #send(before: ChannelState, after: ChannelState, historyBytesMax: number): number {
    const frames: Buffer[] = [];
    const firstSeq = this.#numbering.next();
    this.#seq = firstSeq;
    const changed = changedFields(before.fields, after.fields);
    frames.push(changeFrame(after, firstSeq, this.#numbering.positionOf(firstSeq), changed));
    for (const event of sessionEvents(before.session, after.session)) {
      this.#seq = this.#numbering.next();
      frames.push(eventFrame(after, this.#seq, this.#numbering.positionOf(this.#seq), event, before.asOf));
    }
    for (const [at, frame] of frames.entries()) {
      this.#history!.push({ seq: firstSeq + at, frame }, historyBytesMax);
    }
    const batch: Batch = {
      channel: this,
      lastSeq: this.#seq,
      frames: frames.length,
      bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames),
    };
    for (const reader of this.readers) reader.send(batch);
    return frames.length;
  }
}
