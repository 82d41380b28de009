import { describe, expect, it } from 'vitest';
import { areOpposed, PLAYBOOKS, playbookOf } from '../../../../src/analysis/playbooks/index.ts';
import { FactRegistry } from '../../../../src/api/chat/fact-registry.ts';
import { playbookPieces } from '../../../../src/api/chat/playbook-pieces.ts';
import type { StrategySeen } from '../../../../src/api/chat/stock-facts.ts';

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

/** What is told of matches and of every playbook as a related text, the given ones nearest. */
function told(matches: readonly StrategySeen[], nearest: readonly string[]): Record<string, unknown>[] {
  const registry = new FactRegistry();
  const keys = [...new Set([...nearest, ...PLAYBOOKS.map(({ strategy }) => strategy)])];
  for (const { strategy, trigger } of matches) {
    registry.add(`playbook.${strategy}.trigger`, 'trigger', trigger, 'USD', ORIGIN);
  }
  for (const key of keys) registry.add(`playbook.${key}.similarity`, 'similarity', 0.5, 'fraction', ORIGIN);
  const related = keys.map((key) => ({ key, similarity: 0.5 }));
  return playbookPieces(matches, related, registry).map(({ value }) => value as Record<string, unknown>);
}

describe('playbooks of the chat', () => {
  it('puts beside a match no text of its family for the other side, nor a long beside its short', () => {
    const keys = told([match('vwap_touch_long')], ['vwap_hold_short', 'range_fade_long', 'range_fade_short']);
    const library = keys.map(({ strategy }) => playbookOf(strategy as string)!);
    expect(library.map(({ strategy }) => strategy)).toContain('range_fade_long');
    for (const one of library) for (const other of library) expect(areOpposed(one, other)).toBe(false);
  });

  it('says which playbook contradicts a match', () => {
    const [one, other] = told(
      [
        match('range_fade_long', { opposed_by: ['level_confluence_short'] }),
        match('level_confluence_short', { opposed_by: ['range_fade_long'] }),
      ],
      [],
    );
    expect(one).toMatchObject({ strategy: 'range_fade_long', opposed_by: ['level_confluence_short'] });
    expect(other).toMatchObject({ opposed_by: ['range_fade_long'] });
  });
});
