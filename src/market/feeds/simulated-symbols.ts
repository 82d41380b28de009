import data from './simulated-data.json' with { type: 'json' };

/**
 * Tickers of the simulated market. A company has four letters; the second and the last are of J, Q, X, Z and
 * the third is not (`KXAZ`, `BQOJ`). Hardly any listed company is so named, and the few that are known stand
 * in `LISTED`.
 */

/** An index fund that follows the market factor. */
export const INDEX_FUND = 'SIMX';
/** A volatility index: what options on the market would imply for the next month, in percent a year. */
export const VOLATILITY_INDEX = '^SIMVIX';

/** Real tickers of the same pattern, which no simulated company may bear. */
const LISTED = new Set(data.listedTickers);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const MARKS = [...'XZQJ'];
const PLAIN = LETTERS.filter((letter) => !MARKS.includes(letter));
/**
 * A step through the list that has no divisor in common with its length scatters neighbours over the
 * alphabet.
 */
const STRIDE = 3571;
const FIFTH_LETTERS = ['', ...'AEIOU'];

let fourLetters: readonly string[] | undefined;
let places: ReadonlyMap<string, number> | undefined;

function scatteredSymbols(): readonly string[] {
  const sorted = LETTERS.flatMap((first) =>
    MARKS.flatMap((second) =>
      PLAIN.flatMap((third) => MARKS.map((fourth) => first + second + third + fourth)),
    ),
  ).filter((symbol) => !LISTED.has(symbol));
  return sorted.map((_, place) => sorted[(place * STRIDE + 4217) % sorted.length]!);
}

/**
 * How many companies there can be: each name of four letters, alone and with one of five vowels behind it.
 */
export const COMPANIES_MAX = 50_000;

/** The ticker of the company at a place, from 0; the same in every market. */
export function symbolAt(place: number): string {
  fourLetters ??= scatteredSymbols();
  return fourLetters[place % fourLetters.length]! + FIFTH_LETTERS[Math.floor(place / fourLetters.length)]!;
}

/** The place of a company's ticker, or -1 for a text that is none. */
export function placeOfSymbol(symbol: string): number {
  fourLetters ??= scatteredSymbols();
  places ??= new Map(fourLetters.map((name, place) => [name, place]));
  const place = places.get(symbol.slice(0, 4));
  const series = symbol.length > 5 ? -1 : FIFTH_LETTERS.indexOf(symbol.slice(4));
  if (place === undefined || series < 0) return -1;
  const whole = place + series * fourLetters.length;
  return whole < COMPANIES_MAX ? whole : -1;
}
