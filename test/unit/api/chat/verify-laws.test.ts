import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../../src/texts/facts/fact-registry.ts';
import { claimsOf, type Ground } from '../../../../src/texts/verify/index.ts';
import { Lexicon } from '../../../../src/texts/verify/lexicon.ts';
import { readingOf, tokensOf } from '../../../../src/texts/verify/read.ts';
import { inFull, sampled } from '../../../support/depth.ts';
import { anyCharacter } from '../../../support/for-all.ts';
import { GROUND } from '../../../support/verify-facts.ts';

/** What holds of any text: a true number is never called wrong, a wrong one beside its measure always is. */

interface Measured {
  readonly fact: string;
  readonly unit: string | null;
  readonly places: number;
  readonly names: readonly string[];
  /** How its number is written. */
  readonly write: (digits: string) => string;
  readonly least: number;
  readonly most: number;
}

const measured = (
  fact: string,
  unit: string | null,
  [least, most, places]: readonly [number, number, number],
  names: readonly string[],
  write = (digits: string): string => digits,
): Measured => ({ fact, unit, places, names, write, least, most });

const dollars = (digits: string): string => `$${digits}`;
const percent = (digits: string): string => `${digits}%`;

const MEASURED: readonly Measured[] = [
  measured('technical.rsi_14', 'points', [5, 95, 1], ['RSI', 'the RSI(14)', 'relative strength index']),
  measured('technical.adx_14', 'points', [5, 60, 1], ['ADX', 'the average directional index']),
  measured(
    'technical.moving_averages.sma_50',
    'USD',
    [20, 400, 2],
    ['the 50-day average', 'SMA50', 'the 50 DMA'],
    dollars,
  ),
  measured(
    'technical.moving_averages.sma_200',
    'USD',
    [20, 400, 2],
    ['the 200-day moving average', '200-day SMA'],
  ),
  measured('fundamental.pe_ratio', null, [5, 80, 2], ['P/E', 'the P/E ratio']),
  measured('fundamental.beta', null, [0.2, 2.5, 2], ['beta']),
  measured('fundamental.gross_margin', 'percent', [5, 90, 2], ['gross margin'], percent),
  measured('options.iv_rank', 'percent', [1, 99, 2], ['IV rank'], percent),
  measured('options.put_call_ratio', null, [0.2, 2, 2], ['put/call ratio']),
  measured('levels.vwap', 'USD', [20, 400, 2], ['VWAP'], dollars),
  measured('volume', 'shares', [1e6, 9e7, 0], ['volume'], (digits) => `${digits} shares`),
];

const FORMS: readonly ((name: string, number: string) => string)[] = [
  (name, number) => `${name} of ${number}`,
  (name, number) => `${name} is ${number}`,
  (name, number) => `${name} at ${number}.`,
  (name, number) => `${name}: ${number}`,
  (name, number) => `${name} (${number}) stands out.`,
  (name, number) => `With ${name} now at ${number}, buyers wait.`,
  (name, number) => `Today ${name} stays at ${number}!`,
  (name, number) => `First, ${name} stands at ${number}; second, momentum fades.`,
];

const groundOf = ({ fact, unit }: Measured, value: number): Ground => {
  const known: Fact = {
    id: `stock.${fact}`,
    label: fact,
    value,
    unit,
    instant: '2026-08-28T20:00:00Z',
    source: 'made up',
  };
  // Of the earnings per share the multiple would follow once more.
  const others = GROUND.facts.filter(({ id }) => id !== known.id && id !== 'stock.fundamental.eps_ttm');
  return { ...GROUND, facts: [...others, known] };
};

/** `RSI (14)` is a name. */
const WINDOW = '14';

const aMeasure = fc.constantFrom(...MEASURED);
const aForm = fc.constantFrom(...FORMS);

/** A measure with its value, and a number of places to write it with. */
const anyTruth = aMeasure.chain((measure) =>
  fc.record({
    measure: fc.constant(measure),
    name: fc.constantFrom(...measure.names),
    value: fc
      .double({ min: measure.least, max: measure.most, noNaN: true })
      .map((value) => Number(value.toFixed(measure.places))),
    places: fc.integer({ min: 0, max: measure.places }),
    form: aForm,
  }),
);

const verdictsOf = (text: string, ground: Ground): string[] =>
  claimsOf(text, ground).map(({ verdict }) => verdict);

describe('a number beside its measure', () => {
  it('matches at whatever precision it is written', () => {
    fc.assert(
      fc.property(anyTruth, ({ measure, name, value, places, form }) => {
        fc.pre(value.toFixed(places) !== WINDOW);
        const text = form(name, measure.write(value.toFixed(places)));
        expect(verdictsOf(text, groundOf(measure, value)), text).toEqual(['matches']);
      }),
      { numRuns: inFull(1_000, 100) },
    );
  });

  it('contradicts when it is off by more than its precision', () => {
    const off = fc.double({ min: 1.01, max: 50, noNaN: true });
    fc.assert(
      fc.property(anyTruth, off, fc.boolean(), ({ measure, name, value, places, form }, steps, up) => {
        const wrong = value + (up ? 1 : -1) * steps * 10 ** -places;
        const written = wrong.toFixed(places);
        fc.pre(wrong > 0 && written !== WINDOW);
        // A bare fraction may be a percentage, and that of a percentage a fraction.
        fc.pre(Math.abs(Number(written) - value * 100) > 1 && Math.abs(Number(written) * 100 - value) > 1);
        const text = form(name, measure.write(written));
        expect(verdictsOf(text, groundOf(measure, value)), text).toEqual(['contradicts']);
      }),
      { numRuns: inFull(1_000, 100) },
    );
  });

  it('is never wrong when it is true, with other true numbers around it', () => {
    const truths = [
      'RSI of 62',
      'a price of $187.34',
      'volume of 12.3M shares',
      'a P/E of 37',
      'the 50-day average at 180.10',
      'a market cap of $3.21 trillion',
      'earnings in 7 days',
      'down 3.2% on the day',
      '5 straight beats',
      'VIX at 15.2',
      'support near 183.50',
      'IV rank of 45%',
      'put/call at 0.62',
    ];
    const joins = [', ', ' and ', '; ', '. ', ', while ', ', with ', '\n- ', ' (', ' but '];
    const text = fc
      .array(fc.tuple(fc.constantFrom(...truths), fc.constantFrom(...joins)), { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.map((piece) => piece.join('')).join(''));
    fc.assert(
      fc.property(text, (draft) => {
        expect(verdictsOf(draft, GROUND)).not.toContain('contradicts');
      }),
      { numRuns: inFull(1_000, 100) },
    );
  });
});

describe('any text', () => {
  const WORDS =
    'price RSI of at 50-day 187.34 -3% $ . , ( ) 1. - – to from between and above below % x 9:30 2026-08-28 Aug 28 May MSFT SIMX earnings days 7 not if 1,234 ½ ٣ \n | ~ $- .5 5. 1e9 ATR';
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.array(fc.constantFrom(...WORDS.split(' ')), { maxLength: 80 }).map((words) => words.join(' ')),
    fc.array(fc.constantFrom(...WORDS.split(' ')), { maxLength: 80 }).map((words) => words.join('')),
  );

  it('is read without failing, and each claim is where it says', () => {
    fc.assert(
      fc.property(text, (draft) => {
        let last = 0;
        for (const claim of claimsOf(draft, GROUND)) {
          expect(claim.start).toBeGreaterThanOrEqual(last);
          expect(claim.end).toBeGreaterThan(claim.start);
          expect(draft.slice(claim.start, claim.end)).toBe(claim.text);
          if (typeof claim.value === 'number') expect(Number.isFinite(claim.value)).toBe(true);
          last = claim.end;
        }
      }),
      { numRuns: inFull(2_000, 150) },
    );
  });

  const PIECES =
    "7|187.34 |1,234,|(|-1|support and |RSI above 70 if below 60% from |from 1 to |MSFT |'s|1.|May 5 |62 [stock.technical.rsi_14] |[a.|1\u200b|R1 held ";
  it.each(sampled(PIECES.split('|'), 4))('of twenty thousand signs of %j is judged', (piece) => {
    const draft = piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000);
    expect(() => claimsOf(draft, GROUND)).not.toThrow();
  });

  it('of words alone states nothing', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc xyz.,;:()-'), maxLength: 300 });
    fc.assert(
      fc.property(letters, (draft) => {
        expect(claimsOf(draft, GROUND)).toEqual([]);
      }),
    );
  });
});

describe('measures', () => {
  const { facts, symbol, company } = GROUND;
  const tokensIn = (text: string) => tokensOf(readingOf(text));
  const phrases = facts.flatMap(({ id, label, value }) => [
    id,
    label,
    `${value}`,
    id.split('.').slice(-2).join(' '),
  ]);
  const ofAll = new Lexicon(facts, symbol, company, tokensIn(phrases.join(' . ')));

  it('are found in a text as if the phrases of all facts had been looked for', () => {
    const word = fc.constantFrom(
      ...phrases.flatMap((phrase) => phrase.split(/[\s._]+/)),
      'and',
      'its',
      'the',
      ',',
    );
    const part = fc.oneof(
      fc.constantFrom(...phrases),
      word,
      word.map((one) => `${one}s`),
      word,
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 25 }), (parts) => {
        const { signs } = readingOf(parts.join(' '));
        const tokens = tokensIn(parts.join(' '));
        const found = new Lexicon(facts, symbol, company, tokens).mentionsIn(tokens, signs);
        expect(found).toEqual(ofAll.mentionsIn(tokens, signs));
      }),
      { numRuns: inFull(1_000, 150) },
    );
  });
});
