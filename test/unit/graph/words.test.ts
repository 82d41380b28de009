import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/graph/words.ts';

describe('the words of a text', () => {
  it.each([
    ["Acme's profit beats estimates", ['acme', 'profit', 'beats', 'estimates']],
    ['Acme’s long-term outlook', ['acme', 'long-term', 'outlook']],
    ['Shares of CAT and ALL fall', ['shares', 'of', 'and', 'fall']],
    ['Acme (NYSE: ACME) names a new CEO', ['acme', 'names', 'a', 'new', 'CEO'.toLowerCase()]],
    ['$TSLA surges 5.4% in Q3 to $12.50', ['surges', 'in', 'to']],
    ['BRK.B slips', ['slips']],
    ['PROFIT WARNING AT ACME', ['profit', 'warning', 'at', 'acme']],
    ['A plan', ['a', 'plan']],
    ['Überschuss: naïve café', ['überschuss', 'naïve', 'café']],
    ['  — … !', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are found in any text, in small letters and without digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^[^\p{N}$\s]+$/u);
      }),
    );
  });
});
