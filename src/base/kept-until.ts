/** Changes of what a process keeps copies of: a copy that was begun before one must not be kept after it. */
export class Changes {
  #count = 0;
  /** Count at the last change of each name, and of all. */
  readonly #changed = new Map<string, number>();
  #allChanged = 0;

  /** @param names of what has changed; null for all */
  note(names: readonly string[] | null): void {
    this.#count++;
    if (names !== null) for (const name of names) this.#changed.set(name, this.#count);
    else {
      this.#allChanged = this.#count;
      this.#changed.clear();
    }
  }

  /** Called before a copy is begun; what it returns tells whether the copy is still as good. */
  keptUntil(name?: string): () => boolean {
    const begun = this.#count;
    if (name === undefined) return () => this.#count === begun;
    return () => this.#allChanged <= begun && (this.#changed.get(name) ?? 0) <= begun;
  }
}
