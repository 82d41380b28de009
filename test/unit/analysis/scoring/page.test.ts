import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMPONENT_NAMES, COMPONENTS } from '../../../../src/analysis/scoring/components.ts';
import { RAMPS } from '../../../../src/analysis/scoring/ramps.ts';
import { V3_TIERS, V5_TIERS } from '../../../../src/analysis/scoring/tiers.ts';
import { V3_WEIGHTS, V5_WEIGHTS, V45_WEIGHTS } from '../../../../src/analysis/scoring/weights.ts';
import { words } from '../../../support/tables.ts';
import { listOf, tableOf } from './doc-table.ts';

/** What docs/scoring-scores.md says beside its generated tables and marked figures, against the program. */

const page = readFileSync(new URL('../../../../docs/scoring-scores.md', import.meta.url), 'utf8');

const table = (...columns: string[]) => tableOf(page, ...columns);

const quoted = (text: string): string[] => Array.from(text.matchAll(/`(\w+)`/g), ([, word]) => word!);

describe('docs/scoring-scores.md', () => {
  const formulas = listOf(page, 'The score of a side:');

  it('has every component', () => expect(Object.keys(formulas)).toEqual(COMPONENT_NAMES));

  it.each(COMPONENT_NAMES)('computes %s from its bullish inputs and from ramps that exist', (name) => {
    const words = quoted(formulas[name]!);
    const { bull, bear } = COMPONENTS[name].inputs;
    expect(bull.filter((input) => !words.includes(input))).toEqual([]);
    expect(words.filter((word) => !(word in RAMPS || [...bull, ...bear].includes(word as 'vix')))).toEqual(
      name === 'pricing_edge' ? ['options'] : [],
    );
  });

  it('states what a stock with daily bars alone keeps', () => {
    const daily = words`proximity volatility volume pattern momentum_trend intraday_return technical`;
    const share = (weights: typeof V3_WEIGHTS) =>
      weights.reduce((sum, [name, weight]) => (daily.includes(name) ? sum + weight : sum), 0);
    const said = /keeps ([\d.]+) of v5, ([\d.]+) of v4.5 and ([\d.]+) of v3/.exec(page)!.slice(1).map(Number);
    expect(
      [share(V5_WEIGHTS), share(V45_WEIGHTS), share(V3_WEIGHTS)].map((sum) => Number(sum.toFixed(10))),
    ).toEqual(said);
    const chain = V5_WEIGHTS.filter(([name]) => ['iv', 'pricing_edge', 'greek_alignment'].includes(name));
    const said2 = Number(/option chain weigh ([\d.]+) of v5/.exec(page)![1]);
    expect(chain.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(said2, 12);
  });

  it('has every tier', () => {
    const tiers = Object.entries(table('tier', 'v3', 'v5')).map(([tier, cells]) => [
      tier,
      ...cells.map(Number),
    ]);
    expect(tiers).toEqual(
      (['EXCELLENT', 'GOOD', 'MODERATE', 'WEAK'] as const).map((tier) => [
        tier,
        V3_TIERS[tier],
        V5_TIERS[tier],
      ]),
    );
  });
});
