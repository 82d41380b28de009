import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newsTone, TRADE_VALENCE, toneOf, toneWords } from '../../../src/analysis/news-sentiment.ts';
import { forAll } from '../../support/for-all.ts';

/** Five ratings whose sums can be followed by hand. */
const WORDS = toneWords({
  good: 3,
  weak: -2,
  'not bad': 2,
  'sell-off': -1,
  off: -1,
  bad: -3,
  no: -1,
  share: 1,
});

/** The score of a sum of valences. */
const softened = (sum: number): number => sum / Math.sqrt(sum * sum + 15);

const tone = (text: string): number => newsTone(text, WORDS);

describe('newsTone', () => {
  it('sums valences and softens the sum', () => {
    // 3 / sqrt(24) = 0.6123724356957946; -2 / sqrt(19) = -0.4588314677411235
    expect(tone('Good quarter')).toBeCloseTo(0.6123724356957946, 12);
    expect(tone('Weak quarter')).toBeCloseTo(-0.4588314677411235, 12);
    expect(tone('Good quarter, weak outlook')).toBeCloseTo(softened(1), 12);
  });

  it('turns and dampens a word up to three words behind a negation in its clause', () => {
    expect(tone('not good')).toBeCloseTo(softened(-0.74 * 3), 12);
    expect(tone('not a very good')).toBeCloseTo(softened(-0.74 * 3), 12);
    expect(tone('not a very very good')).toBeCloseTo(softened(3), 12);
    expect(tone('not now, good')).toBeCloseTo(softened(3), 12);
    expect(tone("Results weren't weak")).toBeCloseTo(softened(0.74 * 2), 12);
    expect(tone('Results weren’t weak')).toBeCloseTo(softened(0.74 * 2), 12);
    expect(tone('Results werent weak')).toBeCloseTo(softened(0.74 * 2), 12);
  });

  it('gives a negation no tone', () => expect(tone('No comment')).toBe(0));

  it('counts phrases before their words and hyphenated words before their parts', () => {
    expect(tone('not bad at all')).toBeCloseTo(softened(2), 12);
    expect(tone('a sell-off')).toBeCloseTo(softened(-1), 12);
    expect(tone("'good' quarter, the quarter's")).toBeCloseTo(softened(3), 12);
    expect(tone('good-natured')).toBeCloseTo(softened(3), 12);
  });

  it('passes over words that the trade uses without tone', () => expect(tone('Market share')).toBe(0));

  it('knows the difference between no tone and no words', () => {
    expect(tone('Company to report on Thursday')).toBe(0);
    expect(tone('')).toBeNaN();
    expect(tone('2024 - 12.5 %')).toBeNaN();
  });

  it('is not fooled by names of object members', () => {
    expect(tone('constructor toString __proto__')).toBe(0);
  });

  it('stays within -1 to 1 and turns with the list', () => {
    const list = { good: 3, weak: -2, fine: 1, awful: -4 };
    const turned = toneWords(Object.fromEntries(Object.entries(list).map(([word, value]) => [word, -value])));
    const word = fc.constantFrom('good', 'weak', 'fine', 'awful', 'not', 'the', 'quarter', 'quarter,');
    forAll([fc.array(word, { minLength: 1, maxLength: 60 })], (text) => {
      const score = newsTone(text.join(' '), toneWords(list));
      expect(Math.abs(score)).toBeLessThanOrEqual(1);
      expect(newsTone(text.join(' '), turned)).toBeCloseTo(-score, 12);
    });
  });

  it('rates an upgrade against a downgrade, and a beat against a miss', () => {
    const words = toneWords(TRADE_VALENCE);
    expect(newsTone('Acme downgraded', words)).toBeLessThan(0);
    expect(newsTone('Acme beats, raised outlook', words)).toBeGreaterThan(0);
    expect(newsTone('Acme misses', words)).toBeLessThan(0);
  });
});

it.each([
  [0.15, 'positive'],
  [0.15 - 1e-9, 'neutral'],
  [0, 'neutral'],
  [-0.15 + 1e-9, 'neutral'],
  [-0.15, 'negative'],
  [Number.NaN, null],
])('a tone of %f is %s', (score, word) => {
  expect(toneOf(score)).toBe(word);
});
