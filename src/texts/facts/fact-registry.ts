/** A known value as it may be quoted, with unit, instant and source. */
export interface Fact {
  /** Names it within an answer, e.g. `stock.technical.rsi_14`, `market.vix.level`, `analog.3.return_20`. */
  readonly id: string;
  /** In the trade's words, lower case, without figures, e.g. `relative strength index`. */
  readonly label: string;
  /** As it is quoted: a number is rounded to the places that its unit is quoted with, and a text repeats it digit by digit. */
  readonly value: number | string | boolean;
  readonly unit: string | null;
  /** The instant of its value, RFC 3339. */
  readonly instant: string;
  /** Where it comes from, e.g. `block:technical`, `market_day`, `peer_day`, `stock_state`, `reported:news`. */
  readonly source: string;
}

/** One fact of a subject: the end of its id, its label, its value and its unit. */
export type Line = readonly [
  name: string,
  label: string,
  value: number | string | boolean | null | undefined,
  unit?: string | null,
];

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

  all(): readonly Fact[] {
    return [...this.#facts.values()];
  }

  addAll(subject: string, origin: Origin, lines: readonly Line[]): void {
    for (const [name, label, value, unit = null] of lines)
      this.add(`${subject}.${name}`, label, value, unit, origin);
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

/** Nobody speaks of a part of one. */
const WHOLE: ReadonlySet<string> = new Set('shares contracts count days minutes quarters people'.split(' '));
/** Places after the point that a number of a unit is quoted with, of others two; prices follow their size. */
const PLACES: Readonly<Record<string, number>> = { points: 1, fraction: 3, volatility: 4 };
const SMALL_PRICE = 1;
/** Nobody speaks of the cents of a million. */
const LARGE_SUM = 1e6;

/** A number as it is quoted: rounded to the places of its unit, so that text and fact hold the very same number. */
export function quoted(value: number, unit: string | null): number {
  const rounded = Number(value.toFixed(placesOf(value, unit)));
  return rounded === 0 ? 0 : rounded;
}

/** What one more of the last place of a quoted number would be; 0 for what is counted in whole ones. */
export function stepOf(value: number, unit: string | null): number {
  const places = placesOf(value, unit);
  return places === 0 ? 0 : 10 ** -places;
}

function placesOf(value: number, unit: string | null): number {
  if (unit === 'USD') return dollarPlaces(Math.abs(value));
  return WHOLE.has(unit ?? '') ? 0 : (PLACES[unit ?? ''] ?? 2);
}

function dollarPlaces(size: number): number {
  if (size < SMALL_PRICE) return 4;
  return size < LARGE_SUM ? 2 : 0;
}
