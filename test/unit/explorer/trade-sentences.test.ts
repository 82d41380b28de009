import { describe, expect, it } from 'vitest';
import { signalsOf } from '../../../explorer/src/market/signals.ts';
import { MEASURES } from '../../../explorer/src/shared/component-words.ts';
import { recordWords } from '../../../explorer/src/shared/records.ts';
import { CONDITION_WORDS, conditionSentence } from '../../../explorer/src/stock/condition-words.ts';
import { PLAYBOOKS } from '../../../src/analysis/playbooks/library.ts';
import { COMPONENT_NAMES } from '../../../src/analysis/scoring/components.ts';
import { ENTRY_COMPONENTS } from '../../../src/analysis/scoring/entry.ts';
import { PULSE_COMPONENTS } from '../../../src/analysis/scoring/pulse.ts';

describe('sentences in the words of the trade', () => {
  it('says of a playbook what is met and what is not', () => {
    expect(
      conditionSentence({
        direction: 'bearish',
        conditions_met: ['vwap_just_above', 'daily_mean_behind'],
        conditions_missed: ['volume_brisk'],
      }),
    ).toBe('Met: VWAP overhead, below the 20-day average. Not met: volume above normal.');
  });

  it('has words for every condition of the library and for no other', () => {
    const names = new Set(PLAYBOOKS.flatMap(({ conditions }) => conditions.map(({ name }) => name)));
    expect(Object.keys(CONDITION_WORDS).toSorted()).toEqual([...names].toSorted());
  });

  it('says what every line of a ledger measures', () => {
    const names = [...COMPONENT_NAMES, ...Object.keys(PULSE_COMPONENTS), ...Object.keys(ENTRY_COMPONENTS)];
    expect(Object.keys(MEASURES).toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('counts the signals of a regime for its side', () => {
    const rule = (name: string, ...supports: string[]) => ({ rule: name, supports, says: name });
    const [down, up] = [rule('a', 'trend_down'), rule('b', 'trend_up')];
    expect(signalsOf([down, down], 'trend_down')).toMatchObject({
      headline: 'All 2 signals bearish',
      tone: 'down',
    });
    expect(signalsOf([down, up, up], 'trend_up')).toMatchObject({
      headline: '2 of 3 signals bullish',
      tone: 'up',
    });
    expect(signalsOf([rule('c', 'range')], 'range').headline).toBe('All 1 signal for a range');
  });

  it('says of a record with too few days how many there are', () => {
    const few = { kind: 'level', n: 258, dates: 1, true: 88, low: null, high: null, chance: null } as const;
    expect(recordWords({ ...few, simulated: false })).toBe('88 of 258 held (1 day: too few)');
    expect(
      recordWords({
        ...few,
        n: 412,
        dates: 40,
        true: 203,
        low: 0.43,
        high: 0.56,
        chance: 0.47,
        simulated: false,
      }),
    ).toBe('203 of 412 held, 43 to 56 %, chance 47');
  });
});
