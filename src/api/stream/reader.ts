import type { Writable } from 'node:stream';
import type { Batch, Channel } from './channel.ts';
import { gapFrame, HEARTBEAT } from './frames.ts';

export interface ReaderLimits {
  /** Queue of a slow reader; readers share the buffers. */
  readonly queueBytesMax: number;
  readonly queueFramesMax: number;
  /** A reader who takes nothing for this long is dropped. */
  readonly stuckAfterMs: number;
}

interface Missed {
  readonly from: number;
  to: number;
  readonly channels: Set<Channel>;
}

/**
 * A connection. Frames wait in a bounded queue while the socket is full; beyond it they are dropped until the reader has
 * caught up, and then gets a gap event and snapshots.
 */
export class Reader {
  readonly channels: readonly Channel[];
  readonly #sink: Writable;
  readonly #limits: ReaderLimits;
  /** The feed's position as a frame. */
  readonly #position: () => Buffer;
  readonly #onDropped: (frames: number) => void;
  #queue: { readonly bytes: Buffer; readonly frames: number }[] = [];
  #queueBytes = 0;
  #queueFrames = 0;
  #blocked = false;
  #takenAt = 0;
  #sent: number;
  #missed: Missed | null = null;

  constructor(
    sink: Writable,
    channels: readonly Channel[],
    sent: number,
    limits: ReaderLimits,
    position: () => Buffer,
    onDropped: (frames: number) => void,
  ) {
    this.#sink = sink;
    this.channels = channels;
    this.#sent = sent;
    this.#limits = limits;
    this.#position = position;
    this.#onDropped = onDropped;
    sink.on('drain', () => this.#resume());
  }

  get isBehind(): boolean {
    return this.#missed !== null;
  }

  /** Sends the frames of a refresh, or drops them if the queue is full. */
  send({ channel, lastSeq, frames, bytes }: Batch): void {
    if (this.#missed === null && this.#hasRoom(frames, bytes)) {
      this.put(bytes, frames);
      this.#sent = lastSeq;
      return;
    }
    this.#onDropped(frames);
    this.#missed ??= { from: this.#sent, to: lastSeq, channels: new Set() };
    this.#missed.to = lastSeq;
    this.#missed.channels.add(channel);
  }

  /** Sends without a limit: the snapshots at the beginning and after a gap. */
  put(bytes: Buffer, frames = 1): void {
    if (!this.#blocked) {
      this.#write(bytes);
      return;
    }
    this.#queue.push({ bytes, frames });
    this.#queueBytes += bytes.length;
    this.#queueFrames += frames;
  }

  /**
   * Sends a heartbeat unless frames are waiting.
   *
   * @param now machine time, epoch milliseconds
   * @returns false if the reader has taken nothing for too long
   */
  beat(now: number): boolean {
    if (!this.#blocked) {
      this.#takenAt = now;
      this.put(HEARTBEAT);
      return true;
    }
    if (this.#takenAt === 0) this.#takenAt = now;
    return now - this.#takenAt < this.#limits.stuckAfterMs;
  }

  /** Ends the stream with a last frame; a blocked reader is cut off. */
  end(lastFrame: Buffer): void {
    if (this.#blocked) this.#sink.destroy();
    else this.#sink.end(lastFrame);
  }

  destroy(): void {
    this.#sink.destroy();
  }

  #hasRoom(frames: number, bytes: Buffer): boolean {
    if (!this.#blocked) return true;
    const { queueBytesMax, queueFramesMax } = this.#limits;
    return this.#queueBytes + bytes.length <= queueBytesMax && this.#queueFrames + frames <= queueFramesMax;
  }

  #write(bytes: Buffer): void {
    if (!this.#sink.write(bytes)) this.#blocked = true;
  }

  #resume(): void {
    this.#blocked = false;
    // The next heartbeat sets the time.
    this.#takenAt = 0;
    while (!this.#blocked && this.#queue.length > 0) this.#write(this.#take());
    if (this.#blocked || this.#missed === null) return;
    const { from, to, channels } = this.#missed;
    this.#missed = null;
    this.#sent = to;
    const symbols = [...channels].map((channel) => channel.symbol);
    this.put(gapFrame({ reason: 'slow_reader', from, to, symbols }));
    for (const channel of channels) this.put(channel.snapshot());
    this.put(this.#position());
  }

  #take(): Buffer {
    const { bytes, frames } = this.#queue.shift()!;
    this.#queueBytes -= bytes.length;
    this.#queueFrames -= frames;
    return bytes;
  }
}
