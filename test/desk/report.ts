/** Prints what a run of the desk shows, and remembers whether all of it holds. */
export class Report {
  readonly #begun = performance.now();
  #failed = 0;

  get hasFailed(): boolean {
    return this.#failed > 0;
  }

  note(text: string): void {
    const at = ((performance.now() - this.#begun) / 1000).toFixed(0).padStart(4);
    console.log(`${at} s  ${text}`);
  }

  figure(what: string, value: string): void {
    this.note(`${what}: ${value}`);
  }

  check(what: string, holds: boolean, detail: string): void {
    if (!holds) this.#failed++;
    this.note(holds ? `holds: ${what}` : `FAILS: ${what}: ${detail}`);
  }
}
