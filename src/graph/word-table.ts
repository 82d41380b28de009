import { wordsOf } from './words.ts';

/**
 * Vectors of words in one run of bytes: word `w` has the coordinates `vectors[w * dimensions + d] * scales[w]`. Words are
 * in order of frequency, and the vector that a word has on average is taken from each.
 */
export interface WordTable {
  readonly dimensions: number;
  readonly words: readonly string[];
  readonly scales: Float32Array;
  readonly vectors: Int8Array;
  readonly places: ReadonlyMap<string, number>;
}

const STEPS = 127;
/** Zipf's law with Mandelbrot's shift for English text, over the 400,000 words that the vectors were made of. */
const ZIPF_SHIFT = 2.7;
const ZIPF_WORDS = 400_000;
const ZIPF_SUM = Math.log((ZIPF_WORDS + ZIPF_SHIFT - 0.5) / (ZIPF_SHIFT - 0.5));
/** The parameter of Arora, Liang and Ma, "A simple but tough-to-beat baseline for sentence embeddings" (2017). */
const SMOOTH = 1e-3;

/** Changes whenever the vector of some text does. */
export const WEIGHTING = 'sif-1';

/** How often the word of a rank (0 is the most frequent) occurs in English text, as a fraction of all words. */
export const frequencyOf = (rank: number): number => 1 / ((rank + ZIPF_SHIFT) * ZIPF_SUM);

/** The weight of a word in a sentence: near 1 for a rare one, 0.03 for the most frequent. */
export const weightOf = (rank: number): number => SMOOTH / (SMOOTH + frequencyOf(rank));

/**
 * Packs vectors to one byte a coordinate, less their mean by frequency: what every text shares says nothing of any
 * (Mu and Viswanath, "All-but-the-top", 2018).
 *
 * @param coordinates those of word `w` begin at `w * dimensions`; changed by the call
 */
export function packWords(
  words: readonly string[],
  coordinates: Float32Array,
  dimensions: number,
): WordTable {
  takeOutMean(coordinates, dimensions);
  const scales = new Float32Array(words.length);
  const vectors = new Int8Array(coordinates.length);
  for (let word = 0; word < words.length; word++) {
    const from = word * dimensions;
    let largest = 0;
    for (let at = from; at < from + dimensions; at++) largest = Math.max(largest, Math.abs(coordinates[at]!));
    const scale = largest / STEPS || 1;
    scales[word] = scale;
    for (let at = from; at < from + dimensions; at++) vectors[at] = Math.round(coordinates[at]! / scale);
  }
  return { dimensions, words, scales, vectors, places: placesOf(words) };
}

function takeOutMean(coordinates: Float32Array, dimensions: number): void {
  const mean = new Float64Array(dimensions);
  let total = 0;
  for (let at = 0; at < coordinates.length; at++) {
    const frequency = frequencyOf(Math.floor(at / dimensions));
    mean[at % dimensions]! += frequency * coordinates[at]!;
    if (at % dimensions === 0) total += frequency;
  }
  for (let at = 0; at < coordinates.length; at++) coordinates[at]! -= mean[at % dimensions]! / total;
}

export const placesOf = (words: readonly string[]): Map<string, number> =>
  new Map(words.map((word, place) => [word, place]));

/**
 * The vector of a text, of unit length: the sum of those of its words, each weighted by how rare it is. A compound that
 * is no word of the table counts as its parts; unknown words count nothing; all zeros where every word is unknown.
 */
export function sentenceVector(table: WordTable, text: string): Float32Array {
  const sum = new Float64Array(table.dimensions);
  for (const word of wordsOf(text)) {
    if (add(table, word, sum) || !/['’&.-]/.test(word)) continue;
    for (const part of word.split(/['’&.-]/)) add(table, part, sum);
  }
  return unitOf(sum);
}

function add({ dimensions, places, scales, vectors }: WordTable, word: string, sum: Float64Array): boolean {
  const place = places.get(word);
  if (place === undefined) return false;
  const factor = weightOf(place) * scales[place]!;
  const from = place * dimensions;
  for (let at = 0; at < dimensions; at++) sum[at]! += factor * vectors[from + at]!;
  return true;
}

/** The same direction with length 1; zeros stay zeros. */
export function unitOf(vector: ArrayLike<number>): Float32Array {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at]! * vector[at]!;
  const length = Math.sqrt(square) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
