import { type SessionState, sessionEvents } from '../../analysis/session-events.ts';
import type { StockSnapshot } from '../stocks/load-stock.ts';
import type { Viewer } from '../access/viewer.ts';
import { changedFields, topLevelFields } from './fields.ts';
import { changeFrame, eventFrame, type StockState, snapshotFrame } from './frames.ts';
import { History } from './history.ts';
import { sessionState } from './session-state.ts';

/** A stock as it was at an instant, taken apart. */
interface Known extends StockState {
  readonly fields: ReadonlyMap<string, string>;
  readonly levels: string;
  readonly session: SessionState;
}

/** What one look came to, ready to be written: one buffer with one or more frames in a row. */
export interface Batch {
  readonly channel: Channel;
  readonly lastSeq: number;
  readonly frames: number;
  readonly bytes: Buffer;
}

/** Takes what is sent on a channel. */
export interface BatchReader {
  send(batch: Batch): void;
}

/** Numbers what is told, in one order for all symbols of a feed. */
export interface Numbering {
  next(): number;
  positionOf(seq: number): string;
}

/**
 * One symbol as one feed shows it to readers who may be told of the same stocks: how it was when it was last looked at, what was told of it lately, and who reads.
 * Every look is compared with the one before once, for all readers.
 */
export class Channel {
  readonly symbol: string;
  readonly viewer: Viewer;
  readonly readers = new Set<BatchReader>();
  /** Openings under way that count on this channel. */
  awaited = 0;
  /** Whole minute of the clock at the last look. */
  refreshedAt = Number.NEGATIVE_INFINITY;
  /** True when there is news that a later minute is to look at. */
  isStale = false;
  /** Machine time since which nobody reads. */
  idleSince: number | null = null;
  readonly #numbering: Numbering;
  #known: Known | null = null;
  #history: History | null = null;
  /** Number of the newest frame, or of the state that the channel began with. */
  #seq = 0;
  #snapshot: Buffer | null = null;

  constructor(symbol: string, viewer: Viewer, numbering: Numbering) {
    this.symbol = symbol;
    this.viewer = viewer;
    this.#numbering = numbering;
  }

  get isOpen(): boolean {
    return this.#known !== null;
  }

  get historyBytes(): number {
    return this.#history?.bytes ?? 0;
  }

  /** The stock as it was last seen. Only of an open channel. */
  snapshot(): Buffer {
    this.#snapshot ??= snapshotFrame(this.#known!, this.#seq);
    return this.#snapshot;
  }

  /** What was told after a number, or null where that is not here any more. */
  eventsAfter(seq: number) {
    return this.#history?.after(seq) ?? null;
  }

  /**
   * Takes a look in and tells the readers what is another than before.
   *
   * @returns frames told
   */
  take(snapshot: StockSnapshot, historyBytesMax: number): number {
    const before = this.#known;
    const core = snapshot.values.core!;
    const levels = snapshot.values.levels ?? 'null';
    if (before !== null && before.core === core) {
      // Nothing to tell, but a snapshot from now on speaks for the later instant.
      this.#known = { ...before, tradeDate: snapshot.tradeDate, asOf: snapshot.factsAsOf };
      this.#snapshot = null;
      return 0;
    }
    const after = this.#takeApart(snapshot, core, levels);
    this.#known = after;
    this.#snapshot = null;
    if (before === null) {
      this.#seq = this.#numbering.next();
      this.#history = new History(this.#seq);
      return 0;
    }
    return this.#tell(before, after, historyBytesMax);
  }

  #takeApart({ tradeDate, factsAsOf }: StockSnapshot, core: string, levels: string): Known {
    const fields = topLevelFields(core);
    return {
      symbol: this.symbol,
      source: this.viewer.source,
      tradeDate,
      asOf: factsAsOf,
      core,
      fields,
      levels,
      session: sessionState(tradeDate, fields, levels),
    };
  }

  #tell(before: Known, after: Known, historyBytesMax: number): number {
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
