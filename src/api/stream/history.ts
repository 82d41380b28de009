/** A frame with its place in the order of its feed. */
export interface Told {
  readonly seq: number;
  readonly frame: Buffer;
}

/** What an entry costs beside its bytes. */
const ENTRY_OVERHEAD_BYTES = 64;

/** What was told of one symbol lately, bounded in bytes, for readers who come back. */
export class History {
  readonly #told: Told[] = [];
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

  push(told: Told, bytesMax: number): void {
    this.#told.push(told);
    this.#bytes += told.frame.length + ENTRY_OVERHEAD_BYTES;
    let gone = 0;
    while (this.#bytes > bytesMax && gone < this.#told.length) {
      const oldest = this.#told[gone++]!;
      this.#bytes -= oldest.frame.length + ENTRY_OVERHEAD_BYTES;
      this.#completeAfter = oldest.seq;
    }
    if (gone > 0) this.#told.splice(0, gone);
  }

  /** All that was told after a number, oldest first; null where some of it is gone. */
  after(seq: number): Told[] | null {
    return seq < this.#completeAfter ? null : this.#told.filter((told) => told.seq > seq);
  }
}
