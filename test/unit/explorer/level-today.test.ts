import { describe, expect, it } from 'vitest';
import { familyWords, fullName } from '../../../explorer/src/shared/levels.ts';
import { levelToday } from '../../../explorer/src/stock/level-today.ts';
import { LEVEL_FAMILIES } from '../../../src/analysis/level-ladder.ts';

describe('what became of a level', () => {
  const rung = (
    state: 'untouched' | 'touched' | 'held' | 'broken' | null,
    holds = 0,
    [name, family] = ['pdh', 'prior_day'],
  ) => {
    const isReached = state !== null && state !== 'untouched';
    return {
      name,
      family,
      state,
      holds: state === null ? null : holds,
      touched_at: isReached ? '2024-03-05T14:50:00Z' : null,
      decided_at: state === 'held' || state === 'broken' ? '2024-03-05T15:12:00Z' : null,
    } as Parameters<typeof levelToday>[0];
  };

  it.each([
    [rung('untouched'), 'untouched'],
    [rung('touched'), 'touched 09:50'],
    [rung('held', 1), 'held 10:12'],
    [rung('held', 3), 'held 3x, 10:12'],
    [rung('broken', 1), 'broken 10:12'],
    [rung('broken', 1, ['vwap_upper_2', 'vwap']), 'broken 10:12, moved since'],
    [rung('untouched', 0, ['val', 'developing_profile']), 'untouched'],
    [rung(null, 0, ['ib_1_5x_high', 'opening']), 'until 10:30'],
    [rung(null, 0, ['orb_5m_low', 'opening']), 'until 9:35'],
    [rung(null, 0, ['developing_hvn', 'developing_profile']), 'follows price'],
    [rung(null, 0, ['rising_wedge_trigger', 'pattern']), 'of the next session'],
  ] as const)('is said as the service has it, or why it is not: %#', (level, words) =>
    expect(levelToday(level, true)).toBe(words),
  );

  it('is not known of any where the session is not seen', () =>
    expect(levelToday(rung(null, 0, ['ib_high', 'opening']), false)).toBe('–'));
});

describe('words', () => {
  it.each(LEVEL_FAMILIES)('of the family %s are plain', (family) => {
    expect(familyWords(family)).toMatch(/^[a-zA-Z, ]+$/);
  });

  it.each([
    ['prior_hvn', 'High-volume node of the prior session'],
    ['orb_15m_high', 'Opening range of 15 minutes, high'],
    ['pivot_r2', 'Pivot resistance 2'],
    ['rising_wedge_trigger', 'Rising wedge trigger'],
  ])('of the level %s are %s', (name, words) => expect(fullName(name)).toBe(words));
});
