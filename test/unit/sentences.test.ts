import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composed, EXPLORER, exampleOf, examplesOf, TEMPLATES } from '../../docs/sentences.ts';
import { compact } from '../../src/analysis/compact.ts';
import { inputInWords } from '../../src/analysis/sentences.ts';
import { CHANGES, RULES } from '../../src/texts/debate/index.ts';

/** The rules of every sentence as it is written and as an answer says it. */

const written = new Map([
  ...TEMPLATES,
  ...EXPLORER,
  ...[...RULES, ...CHANGES].map(({ name, says }) => [name, says] as const),
]);
const examples = examplesOf('sentences');
const said = [
  ...Array.from(
    TEMPLATES,
    ([name, template]) => [name, exampleOf(name, template, examples[name])[0]] as const,
  ),
  ...Object.entries(examplesOf('debate')).map(([name, { text }]) => [name, text] as const),
  ...Object.entries(composed()),
];
const glossary = readFileSync(new URL('../../docs/explorer.md', import.meta.url), 'utf8');
const ABBREVIATIONS = new Set(
  Array.from(glossary.matchAll(/^- \*\*([A-Z][A-Z/, ]+)\*\*: [a-z]/gm), ([, short]) =>
    short!.split(', '),
  ).flat(),
);

const NEGATION = /\b(no|not|none|never|nothing|without|neither)\b/i;
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a sign beside a word of direction':
    /\b(rises?|rose|rising|up|gain\w*|falls?|fell|falling|down|drop\w*|declin\w*|loss|lost|pullback|short)\b[^.;:]{0,30}?\s[+-]\d/i,
  'a word of the program': /\b(the tape|viewer|stock-day|polling|null|may be shown)\b/i,
  'a name of a field': /[a-z0-9]_[a-z0-9]/,
  'a figure of seven digits': /\d{7}/,
  'a double negative': new RegExp(`${NEGATION.source}[^.,;:]*${NEGATION.source}`, 'i'),
};
const faultsOf = (text: string): string[] => [
  ...Object.entries(FORBIDDEN).flatMap(([form, pattern]) => (pattern.test(text) ? [form] : [])),
  ...Array.from(text.matchAll(/\b[A-Z](?:[A-Z]|\/[A-Z])+\b/g), ([word]) => word).filter(
    (word) => !ABBREVIATIONS.has(word.replace(/(?<=^[SE]MA)\d+$/, '')),
  ),
];

describe('the sentences of answers', () => {
  it.each([
    ['SIMX has been falling over the last month, at -100.48 % a year.', 'a sign beside a word of direction'],
    ['Dealers are short -3.7M dollars of gamma.', 'a sign beside a word of direction'],
    ['5 of 5 conditions hold: orb_lean 1.', 'a name of a field'],
    ['CVD, now 2276118 shares.', 'a figure of seven digits'],
    ['It is not without risk.', 'a double negative'],
    ['The tape has nothing of 2024-03-05.', 'a word of the program'],
    ['pHVN is near the HVN.', 'HVN'],
  ])('would be caught: %s', (text, fault) => {
    expect(faultsOf(text)).toContain(fault);
  });

  it('are well formed as they are written', () => {
    const faults = Array.from(written, ([name, text]) => [
      name,
      faultsOf(text.replaceAll(/\{[^{}]+\}/g, '7')),
    ]);
    expect(faults.filter(([, found]) => found!.length > 0)).toEqual([]);
  });

  it('are well formed as answers say them', () => {
    expect(said.length).toBeGreaterThan(200);
    // Every figure has a value.
    expect(said.filter(([, text]) => /[{}]|undefined/.test(text))).toEqual([]);
    // Names of stocks are in capitals too.
    const faults = said.map(([name, text]) => [
      name,
      faultsOf(text.replaceAll(/\b[A-Z]{4}\b/g, (word) => (ABBREVIATIONS.has(word) ? word : 'Stock'))),
    ]);
    expect(faults.filter(([, found]) => found!.length > 0)).toEqual([]);
  });

  it('say each thing once: two rules share a sentence word for word, as the sides of the debate do, or not at all', () => {
    const bare = (text: string): string =>
      text
        .toLowerCase()
        .replaceAll(/\{[^{}]+\}/g, '#')
        .replaceAll(/[^a-z#]+/g, ' ')
        .replaceAll(/\b(the|a|an|of|is|are|its|their) /g, '');
    const figures = (text: string): string => text.replaceAll(/\{[^{}]+\}/g, '#');
    const bySaying = Map.groupBy(new Set([...written.values()].map(figures)), bare);
    expect(Array.from(bySaying.values()).filter((same) => same.length > 1)).toEqual([]);
  });
});

describe('figures in sentences', () => {
  it.each([
    [10_300_000, '10.3M'],
    [-4_801_443, '-4.8M'],
    [999_600, '1M'],
    [499_000, '499K'],
    [2_310_000_000_000, '2.31T'],
    [850.4, '850'],
  ])('%d is %s', (amount, text) => expect(compact(amount)).toBe(text));

  it.each([
    ['vwap_atr', 0.2563, 'VWAP 0.26 ATR'],
    ['ema_spread_atr', -0.31, 'EMA spread -0.31 ATR'],
    ['sma_20', 205.417, 'SMA20 205.42'],
    ['price', 76.3, 'price 76.30'],
    ['price', 0.51234, 'price 0.5123'],
    ['orb_lean', -0.6667, 'ORB lean -0.67'],
    ['range_3d_high', 77.389, 'three-day high 77.39'],
    ['percent_b', 0.07, '%B 0.07'],
    ['atr', 4.54, 'ATR 4.54'],
  ])('%s of %d is %s', (name, value, text) => expect(inputInWords(name, value)).toBe(text));
});
