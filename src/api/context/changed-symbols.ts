/** For more changed symbols all are read. */
const NAMED_MAX = 2_000;

/** Symbols that were announced since they were last read. */
export class ChangedSymbols {
  #names: Set<string> | null;

  /** @param isRead whether all have been read */
  constructor(isRead: boolean) {
    this.#names = isRead ? new Set() : null;
  }

  get isEmpty(): boolean {
    return this.#names?.size === 0;
  }

  /** @param symbols null for all */
  add(symbols: readonly string[] | null): void {
    if (symbols === null) this.#names = null;
    else for (const symbol of symbols) this.#names?.add(symbol);
  }

  /**
   * Takes them for a reading; one that fails has the next read all, since it may have failed for one name.
   *
   * @param read of these symbols; null for all
   */
  async take<T>(read: (symbols: ReadonlySet<string> | null) => Promise<T>): Promise<T> {
    const names = this.#names;
    this.#names = new Set();
    try {
      return await read(names === null || names.size > NAMED_MAX ? null : names);
    } catch (error) {
      this.#names = null;
      throw error;
    }
  }
}
