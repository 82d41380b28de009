import { describe, expect, it } from 'vitest';
import { familyWords, fullName } from '../../../explorer/src/shared/levels.ts';
import { levelToday } from '../../../explorer/src/stock/level-today.ts';
import { LEVEL_FAMILIES } from '../../../src/analysis/level-ladder.ts';

describe('what became of a level', () => {
  const rung = (state: 'untouched' | 'touched' | 'held' | 'broken' | null, holds = 0) => {
    const isReached = state !== null && state !== 'untouched';
    return {
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
    [rung(null), '–'],
  ] as const)('is said as the service has it: %#', (level, words) => expect(levelToday(level)).toBe(words));
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
