/** A frame with its place in the order of its feed. */
export interface SentEvent {
  readonly seq: number;
  readonly frame: Buffer;
}

/** What an entry costs beside its bytes. */
const ENTRY_OVERHEAD_BYTES = 64;

/** What was told of one symbol lately, bounded in bytes, for readers who come back. */
export class History {
  readonly #sent: SentEvent[] = [];
  #bytes = 0;
  /** Everything after this number is still here. */
  #completeAfter: number;

  /** @param seq number of the state that the history begins with */
  constructor(seq: number) {
    this.#completeAfter = seq;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(sent: SentEvent, bytesMax: number): void {
    this.#sent.push(sent);
    this.#bytes += sent.frame.length + ENTRY_OVERHEAD_BYTES;
    let gone = 0;
    while (this.#bytes > bytesMax && gone < this.#sent.length) {
      const oldest = this.#sent[gone++]!;
      this.#bytes -= oldest.frame.length + ENTRY_OVERHEAD_BYTES;
      this.#completeAfter = oldest.seq;
    }
    if (gone > 0) this.#sent.splice(0, gone);
  }

  /** All that was told after a number, oldest first; null where some of it is gone. */
  after(seq: number): SentEvent[] | null {
    return seq < this.#completeAfter ? null : this.#sent.filter((sent) => sent.seq > seq);
  }
}
