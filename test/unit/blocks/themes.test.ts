import { expect, it } from 'vitest';
import { thematicExposures } from '../../../src/blocks/thematic-exposures.ts';
import type { AnyFact, ThemeExposure } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { fact, instant, viewOf } from '../../support/views.ts';

const KNOWN = instant('2024-03-01', '9:00');

function exposure(theme: string, said: Partial<ThemeExposure> = {}, knownAt = KNOWN): AnyFact {
  const value = {
    theme,
    themeName: null,
    direction: 'positive' as const,
    magnitude: 0.5,
    rationale: null,
    validFrom: null,
    ...said,
  };
  return fact('theme_exposure', knownAt, value, theme);
}

const of = (facts: readonly AnyFact[]) => derived(thematicExposures, viewOf({ facts })).nested;

it('lists exposures, the strongest first, of equals by name', () => {
  const facts = [
    exposure('reshoring'),
    exposure('ai', {
      themeName: 'AI',
      direction: 'mixed',
      magnitude: 0.9,
      rationale: 'Chips',
      validFrom: '2023-01-02',
    }),
    exposure('batteries'),
    exposure('unmeasured', { magnitude: null }),
  ];
  const nested = of(facts)!;
  expect(nested.map(({ theme }) => theme)).toEqual(['ai', 'batteries', 'reshoring', 'unmeasured']);
  expect(nested[0]).toEqual({
    theme: 'ai',
    theme_name: 'AI',
    direction: 'mixed',
    magnitude: 0.9,
    momentum: null,
    momentum_state: null,
    rationale: 'Chips',
    valid_from: '2023-01-02',
  });
});

it('leaves out what has ended and what does not hold yet', () => {
  const ended = [exposure('ai'), exposure('ai', { magnitude: 0 }, KNOWN + 1)];
  expect(of(ended)).toEqual([]);
  expect(of([exposure('ai', { validFrom: '2024-03-13' })])).toHaveLength(1);
  expect(of([exposure('ai', { validFrom: '2024-03-14' })])).toEqual([]);
});

it('is null when no exposure was ever reported, also not when one will be', () => {
  expect(of([])).toBeNull();
  expect(of([exposure('ai', {}, instant('2024-03-13', '20:00') + 1)])).toBeNull();
});

it('leads to themes', () => {
  const view = viewOf({ facts: [exposure('ai', { themeName: 'AI', validFrom: '2023-01-02' })] });
  expect(thematicExposures.relate!(derived(thematicExposures, view).nested!, view)).toEqual([
    {
      type: 'EXPOSED_TO',
      label: 'Theme',
      key: 'ai',
      props: { theme: 'ai', name: 'AI' },
      edgeProps: { name: 'AI', direction: 'positive', magnitude: 0.5, valid_from: '2023-01-02' },
    },
  ]);
});
