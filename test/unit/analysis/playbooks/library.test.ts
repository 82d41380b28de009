import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SIGNAL_TYPES } from '../../../../src/analysis/backtest/spec.ts';
import type { Condition } from '../../../../src/analysis/conditions.ts';
import { PLAYBOOK_INPUTS, type PlaybookInput } from '../../../../src/analysis/playbooks/inputs.ts';
import { PLAYBOOKS, playbookOf } from '../../../../src/analysis/playbooks/library.ts';
import { textOf } from '../../../../src/analysis/playbooks/playbook.ts';
import { PLAYBOOK_THRESHOLDS } from '../../../../src/analysis/playbooks/thresholds.ts';
import { words } from '../../../support/tables.ts';
import { HAND_MADE } from './hand-made.ts';

const TEXTS = [
  'name',
  'summary',
  'setup',
  'entry',
  'stop',
  'target',
  'invalidation',
  'risks',
  'caveat',
] as const;

/** Everything that a test of the data can be compared with: figures, and multiples of inputs. */
function figuresOf(when: Condition): number[] {
  if ('all' in when) return when.all.flatMap(figuresOf);
  if ('any' in when) return when.any.flatMap(figuresOf);
  if ('known' in when) return [];
  return [when[2]].flat().filter((each) => typeof each === 'number');
}

describe('the library', () => {
  it('is data: JSON gives it back as it is', () => {
    expect(JSON.parse(JSON.stringify(PLAYBOOKS))).toStrictEqual(PLAYBOOKS);
  });

  it('has unique keys, and finds each playbook by its key', () => {
    const keys = PLAYBOOKS.map(({ strategy }) => strategy);
    expect(new Set(keys).size).toBe(keys.length);
    for (const playbook of PLAYBOOKS) expect(playbookOf(playbook.strategy)).toBe(playbook);
    expect(playbookOf('orb_breakout')).toBeNull();
    expect(new Set(PLAYBOOKS.map(({ name }) => name)).size).toBe(PLAYBOOKS.length);
  });

  it.each(SIGNAL_TYPES)('has a long and a short of %s', (signal) => {
    const found = PLAYBOOKS.filter((playbook) => playbook.signal === signal);
    expect(found.map(({ strategy, direction, timeframe }) => [strategy, direction, timeframe])).toEqual([
      [`${signal}_long`, 'bullish', 'intraday'],
      [`${signal}_short`, 'bearish', 'intraday'],
    ]);
  });

  it('has a hand-made day of every playbook', () => {
    const longs = PLAYBOOKS.filter(({ direction }) => direction !== 'bearish');
    expect(HAND_MADE.map(({ strategy }) => strategy)).toEqual(longs.map(({ strategy }) => strategy));
  });

  it.each(PLAYBOOKS.map((playbook) => [playbook.strategy, playbook] as const))(
    '%s has every text in full',
    (_, of) => {
      for (const field of TEXTS) {
        expect(of[field].length, field).toBeGreaterThan(field === 'name' ? 10 : 15);
        expect(of[field], field).not.toMatch(/[{}[\]|]|undefined|NaN/);
      }
      for (const field of TEXTS.slice(1)) expect(of[field], field).toMatch(/^[A-Z].*\.$/);
      expect(of.summary.split('. ').length).toBe(2);
      expect(of.summary).toContain('When it works');
      expect(of.caveat).toContain('Fit is not edge');
      for (const text of [of.name, of.summary, of.setup, of.risks]) expect(textOf(of)).toContain(text);
    },
  );

  it.each(PLAYBOOKS.map((playbook) => [playbook.strategy, playbook] as const))(
    '%s has conditions with different names, each with a sentence that quotes its figures',
    (_, { conditions }) => {
      expect(conditions.length).toBeGreaterThanOrEqual(4);
      expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
      for (const { name, meaning, inputs, when } of conditions) {
        expect(name).toMatch(/^[a-z0-9_]+$/);
        expect(meaning).toMatch(/^[A-Z][^{}[\]|]*\.$/);
        expect(inputs.length, name).toBeGreaterThan(0);
        expect(inputs.every((input) => PLAYBOOK_INPUTS.includes(input))).toBe(true);
        // Above 0, or once the other: nobody needs the figure to understand it.
        const quoted = figuresOf(when)
          .map(Math.abs)
          .filter((figure) => figure !== 0 && figure !== 1);
        for (const figure of quoted) expect(meaning.match(/\d+(\.\d+)?/g), name).toContain(String(figure));
      }
    },
  );

  it('says shorts of shorts: no text of one side speaks for the other', () => {
    for (const { direction, conditions } of PLAYBOOKS) {
      const said = conditions.map(({ meaning }) => meaning).join(' ');
      if (direction === 'bullish') expect(said).not.toContain('for shorts');
      if (direction === 'bearish') expect(said).not.toContain('for longs');
    }
  });

  it('asks about every input, and has a use for every line', () => {
    const used = new Set<PlaybookInput>(
      PLAYBOOKS.flatMap(({ conditions, prices }) => [
        ...conditions.flatMap(({ inputs }) => inputs),
        ...[prices.trigger, prices.stop, prices.target].flatMap((form) =>
          (form ?? []).map((term) => (typeof term === 'string' ? term : term[1])),
        ),
      ]),
    );
    expect(PLAYBOOK_INPUTS.filter((input) => !used.has(input))).toEqual([]);
    const figures = new Set(
      PLAYBOOKS.flatMap(({ conditions }) => conditions.flatMap(({ when }) => figuresOf(when))),
    );
    expect(Object.values(PLAYBOOK_THRESHOLDS).filter((figure) => !figures.has(figure))).toEqual([]);
  });

  it('is no code: nothing in a file of a family is a function', () => {
    for (const family of words`opening-range initial-balance vwap trend levels earnings squeeze`) {
      const path = new URL(`../../../../src/analysis/playbooks/${family}.ts`, import.meta.url);
      expect(readFileSync(path, 'utf8'), family).not.toMatch(/=>|\bfunction\b/);
    }
  });
});
