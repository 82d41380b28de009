import { describe, expect, it } from 'vitest';
import { familyWords, fullName } from '../../../explorer/src/shared/levels.ts';
import { barsAfter, levelToday } from '../../../explorer/src/stock/level-today.ts';
import { LEVEL_FAMILIES } from '../../../src/analysis/level-ladder.ts';

/** Bars of a tenth around each price, a minute apart. */
const around = (...prices: number[]) => ({
  time: prices.map((_, at) => `2024-03-05T14:${30 + at}:00Z`),
  high: prices.map((price) => price + 0.1),
  low: prices.map((price) => price - 0.1),
  close: prices,
});

describe('a level in a session, at 100 with an ATR of 4', () => {
  it.each([
    ['untouched: never reached', [102, 101, 102], 'untouched', null, null],
    [
      'untouched: the session began at it and has not closed away',
      [100, 100.2, 100.1],
      'untouched',
      null,
      null,
    ],
    ['touched: neither back nor beyond yet', [102, 100, 100.5], 'touched', 1, null],
    ['held: from above, and back', [102, 100, 100.5, 101], 'held', 1, 3],
    ['held: from below, and back', [98, 99.95, 99.5, 98.9], 'held', 1, 3],
    ['broken: through it', [102, 100, 98.9, 103], 'broken', 1, 2],
    ['broken: jumped over', [102, 98], 'broken', 1, 1],
  ] as const)('is %s', (_, prices, state, touched, decided) => {
    const bars = around(...prices);
    const at = (row: number | null) => (row === null ? null : bars.time[row]);
    expect(levelToday(100, 4, bars)).toEqual({ state, touchedAt: at(touched), decidedAt: at(decided) });
  });

  it('is broken by a bar that goes as far beyond as back', () => {
    const bars = { time: ['a', 'b'], high: [102.1, 102], low: [101.9, 98], close: [102, 101] };
    expect(levelToday(100, 4, bars)).toEqual({ state: 'broken', touchedAt: 'b', decidedAt: 'b' });
  });
});

describe('a level that the session itself makes', () => {
  const minutes = (count: number) => ({
    ...around(...Array.from({ length: count }, (_, at) => (at === 0 ? 104 : 100))),
    time: Array.from({ length: count }, (_, at) => new Date(Date.UTC(2024, 2, 5, 14, 30 + at)).toISOString()),
  });

  it.each([
    ['orb_5m_high', 5],
    ['orb_30m_low', 30],
  ])('%s is touched by bars after its %i minutes alone', (name, made) => {
    expect(barsAfter(name, minutes(made))).toBeNull();
    expect(barsAfter(name, minutes(made + 2))!.time).toEqual(minutes(made + 2).time.slice(made));
    expect(levelToday(104, 4, barsAfter(name, minutes(made + 2))!).state).toBe('untouched');
  });

  it('the initial balance takes the first hour, and a level of the day before all bars', () => {
    const hour = {
      time: ['2024-03-05T15:29:00Z', '2024-03-05T15:30:00Z'],
      high: [2, 3],
      low: [1, 2],
      close: [1, 3],
    };
    expect(barsAfter('ib_high', hour)).toEqual({
      time: ['2024-03-05T15:30:00Z'],
      high: [3],
      low: [2],
      close: [3],
    });
    expect(barsAfter('pdh', hour)).toEqual(hour);
  });
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
