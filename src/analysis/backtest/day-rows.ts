/** Rows of R by cell that grow as sessions come; what they are of stands beside them. */
export class DayRows {
  readonly #cells: number;
  #day = new Uint32Array(64);
  #group = new Uint8Array(64);
  #dayR: Float64Array;
  #count = 0;

  constructor(cells: number) {
    this.#cells = cells;
    this.#dayR = new Float64Array(64 * cells);
  }

  /** Adds a row of zeros and returns where it begins in `dayR`, which may be another array from then on. */
  add(day: number, group: number): number {
    if (this.#count === this.#day.length) this.#grow();
    this.#day[this.#count] = day;
    this.#group[this.#count] = group;
    return this.#count++ * this.#cells;
  }

  get dayR(): Float64Array {
    return this.#dayR;
  }

  copied(): { rowDay: Uint32Array; rowGroup: Uint8Array; dayR: Float64Array } {
    return {
      rowDay: this.#day.slice(0, this.#count),
      rowGroup: this.#group.slice(0, this.#count),
      dayR: this.#dayR.slice(0, this.#count * this.#cells),
    };
  }

  #grow(): void {
    const [day, group, dayR] = [this.#day, this.#group, this.#dayR];
    this.#day = new Uint32Array(day.length * 2);
    this.#group = new Uint8Array(group.length * 2);
    this.#dayR = new Float64Array(dayR.length * 2);
    this.#day.set(day);
    this.#group.set(group);
    this.#dayR.set(dayR);
  }
}
