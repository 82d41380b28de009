import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { frequencyOf, packWords, sentenceVector, unitOf, weightOf } from '../../../src/graph/word-table.ts';
import { readTableFile, writeTableFile } from '../../../src/graph/word-table-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'tigraph-words-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const WORDS = ['the', 'stock', 'rises', 'naïve', 'long-term'];
const COORDINATES = [1, 1, 2, -1, 3, 5, -1, 4, 0, 2];
const table = packWords(WORDS, Float32Array.from(COORDINATES), 2);

describe('weights of words', () => {
  it('follow the rank by the law of Zipf and Mandelbrot', () => {
    // 1 / ((r + 2.7) * ln(400002.2 / 2.2)): 0.030583 and 0.0077169; a / (a + p) with a = 0.001.
    expect(frequencyOf(0)).toBeCloseTo(0.030583, 5);
    expect(frequencyOf(8)).toBeCloseTo(0.0077169, 6);
    expect(weightOf(0)).toBeCloseTo(0.03166, 4);
    expect(weightOf(60_000)).toBeGreaterThan(0.998);
  });

  it('add up to about all words of English', () => {
    let sum = 0;
    for (let rank = 0; rank < 400_000; rank++) sum += frequencyOf(rank);
    expect(sum).toBeCloseTo(1, 2);
  });
});

describe('the vector of a sentence', () => {
  it('is the weighted sum of its words less the mean of all, of unit length', () => {
    const total = WORDS.reduce((sum, _, rank) => sum + frequencyOf(rank), 0);
    const mean = [0, 1].map(
      (at) =>
        WORDS.reduce((sum, _, rank) => sum + frequencyOf(rank) * COORDINATES[2 * rank + at]!, 0) / total,
    );
    const sum = [0, 1].map((at) =>
      [1, 2].reduce((all, rank) => all + weightOf(rank) * (COORDINATES[2 * rank + at]! - mean[at]!), 0),
    );
    const vector = sentenceVector(table, 'Stock rises');
    expect(vector[0]).toBeCloseTo(sum[0]! / Math.hypot(...sum), 2);
    expect(vector[1]).toBeCloseTo(sum[1]! / Math.hypot(...sum), 2);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it('passes over unknown words, and is all zeros where all are', () => {
    expect(sentenceVector(table, 'Stock xyzzy rises')).toEqual(sentenceVector(table, 'stock rises'));
    expect(sentenceVector(table, 'xyzzy 12 $ABC')).toEqual(new Float32Array(2));
    expect(sentenceVector(table, '')).toEqual(new Float32Array(2));
  });

  it('takes a compound as one word where it is one, else by its parts', () => {
    expect(sentenceVector(table, 'long-term')).not.toEqual(new Float32Array(2));
    expect(sentenceVector(table, 'stock-rises')).toEqual(sentenceVector(table, 'stock rises'));
  });
});

it('a vector of zeros has no direction', () => {
  expect(unitOf([0, 0])).toEqual(new Float32Array(2));
});

describe('the file of a table', () => {
  const file = join(directory, 'deep', 'words.bin');

  it('gives back what was written', () => {
    writeTableFile(file, 'source 1', table);
    expect(readTableFile(file, 'source 1')).toEqual(table);
    writeTableFile(file, 'source 2', table);
    expect(readTableFile(file, 'source 2')).toEqual(table);
  });

  it('is no table of another source, nor where there is none', () => {
    expect(readTableFile(file, 'source 3')).toBeNull();
    expect(readTableFile(join(directory, 'absent'), 'source 2')).toBeNull();
  });

  it.each([0, 1, 20, 200, -1, -8])('is no table once its byte %i has changed or it ends there', (place) => {
    writeTableFile(file, 'source', table);
    const whole = readFileSync(file);
    const at = place < 0 ? whole.length + place : Math.min(place, whole.length - 1);
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    writeFileSync(file, damaged);
    expect(readTableFile(file, 'source')).toBeNull();
    writeFileSync(file, whole.subarray(0, at));
    expect(readTableFile(file, 'source')).toBeNull();
  });
});
