import { describe, expect, it } from 'vitest';
import { PLAYBOOKS, playbookOf } from '../../../../src/analysis/playbooks/library.ts';
import { areOpposed, type Playbook } from '../../../../src/analysis/playbooks/playbook.ts';
import { foundPlaybookPieces, playbookPieces } from '../../../../src/api/chat/playbook-pieces.ts';
import { FactRegistry } from '../../../../src/texts/facts/fact-registry.ts';
import type { StrategySeen } from '../../../../src/texts/facts/stock-facts.ts';
import type { Piece } from '../../../../src/texts/piece.ts';

const ORIGIN = { instant: '2024-03-13T16:00:00.000Z', source: 'strategies' };

const match = (strategy: string, parts: Partial<StrategySeen> = {}): StrategySeen => ({
  strategy,
  name: strategy,
  direction: playbookOf(strategy)!.direction,
  match_score: 80,
  conditions_met: [],
  conditions_missed: [],
  trigger: 100,
  stop: 99,
  target: 102,
  ...parts,
});

/** The facts of the matches, and the bias of the stock. */
function registryOf(matches: readonly StrategySeen[], bias: string): FactRegistry {
  const registry = new FactRegistry();
  registry.add('stock.directional_bias', 'directional bias', bias, null, ORIGIN);
  for (const { strategy, trigger } of matches) {
    registry.add(`playbook.${strategy}.trigger`, 'trigger', trigger, 'USD', ORIGIN);
  }
  return registry;
}

const valuesOf = (pieces: readonly Piece[]) => pieces.map(({ value }) => value as Record<string, unknown>);

/** What is shown where a query finds these playbooks, the first with the highest score. */
function found(
  keys: readonly (readonly [key: string, score: number])[],
  matches: readonly StrategySeen[] = [],
  bias = 'neutral',
): Record<string, unknown>[] {
  const playbooks = keys.map(([key, score]) => ({ key, score }));
  return valuesOf(foundPlaybookPieces(playbooks, matches, registryOf(matches, bias)));
}

const namesOf = (values: readonly Record<string, unknown>[]) => values.map(({ strategy }) => strategy);

describe('playbooks whose conditions match', () => {
  it('say which playbook contradicts them', () => {
    const matches = [
      match('range_fade_long', { opposed_by: ['level_confluence_short'] }),
      match('level_confluence_short', { opposed_by: ['range_fade_long'] }),
    ];
    const [one, other] = valuesOf(playbookPieces(matches, registryOf(matches, 'neutral')));
    expect(one).toMatchObject({ strategy: 'range_fade_long', opposed_by: ['level_confluence_short'] });
    expect(other).toMatchObject({ opposed_by: ['range_fade_long'] });
  });
});

describe('playbooks that a query finds', () => {
  it('come by their score, three at most, and say whether their conditions match', () => {
    const shown = found(
      [
        ['vwap_touch_long', 4],
        ['range_fade_long', 3],
        ['squeeze_breakout', 2],
        ['earnings_drift_long', 1],
      ],
      [match('range_fade_long'), match('earnings_drift_long')],
    );
    expect(namesOf(shown)).toEqual(['vwap_touch_long', 'range_fade_long', 'squeeze_breakout']);
    expect(shown.map(({ why }) => why)).toEqual(['text_related', 'conditions_match', 'text_related']);
    expect(shown[1]).toMatchObject({ trigger: 100 });
  });

  it('are never a long beside its short: the better score, else the bias decides', () => {
    const pair = (long: number, short: number, bias: string) =>
      namesOf(
        found(
          [
            ['vwap_touch_long', long],
            ['vwap_touch_short', short],
          ],
          [],
          bias,
        ),
      );
    expect(pair(1, 2, 'bullish')).toEqual(['vwap_touch_short']);
    expect(pair(1, 1, 'bullish')).toEqual(['vwap_touch_long']);
    expect(pair(1, 1, 'bearish')).toEqual(['vwap_touch_short']);
    const all = found(PLAYBOOKS.map(({ strategy }) => [strategy, 1] as const));
    const library = all.map(({ strategy }) => playbookOf(strategy as string)!);
    const isPair = (one: Playbook, other: Playbook) => one.family === other.family && areOpposed(one, other);
    for (const one of library) expect(library.filter((other) => isPair(one, other))).toEqual([]);
  });
});
