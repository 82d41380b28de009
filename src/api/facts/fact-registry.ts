import type { Fact } from './fact.ts';
import { quoted } from './quoted.ts';

/** Instant and source of a fact. */
export interface Origin {
  /** RFC 3339. */
  readonly instant: string;
  readonly source: string;
}

/** From here on dollars are spoken of in billions. */
const BILLION = 1e9;

/**
 * The facts that one answer may quote, by id. A number is added rounded as it is quoted, so every sentence quotes
 * the same digits; an unknown value is not added.
 */
export class FactRegistry {
  readonly #facts = new Map<string, Fact>();

  get(id: string): Fact | null {
    return this.#facts.get(id) ?? null;
  }

  /** Every fact, in the order of adding. */
  all(): readonly Fact[] {
    return [...this.#facts.values()];
  }

  /**
   * Adds a fact; an absent value is skipped.
   *
   * @param unit null for a text, and for a number without a unit
   * @throws Error for a second fact of the same id: two values for one name would let a text quote either
   */
  add(
    id: string,
    label: string,
    value: number | string | boolean | null | undefined,
    unit: string | null,
    { instant, source }: Origin,
  ): void {
    if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      return;
    if (this.#facts.has(id)) throw new Error(`there is a fact ${id} already`);
    const isNumber = typeof value === 'number';
    this.#facts.set(id, {
      id,
      label,
      value: isNumber ? quoted(value, unit) : value,
      unit: isNumber ? unit : null,
      instant,
      source,
    });
    if (isNumber && unit === 'USD' && Math.abs(value) >= BILLION) {
      this.add(`${id}_bn`, label, value / BILLION, 'USD bn', { instant, source });
    }
  }
}
