import { describe, expect, it } from 'vitest';
import type { Debate, Point } from '../../../../src/texts/debate/index.ts';
import { contradictionsOf, unplaced } from '../../../support/debates.ts';

/** What counts as a contradiction: docs/chat.md. */

const point = (rule: string, facts: readonly string[] = []): Point => ({ rule, facts, text: rule });
const debateOf = (bull: readonly Point[], bear: readonly Point[], change: readonly Point[] = []): Debate => ({
  bull,
  bear,
  changes: { bull: change, bear: [] },
});
const NEAR = {
  'level.support.strong.price': 100,
  'level.support.strong.broken': 99,
  'level.resistance.strong.price': 100.5,
  'level.resistance.strong.broken': 101.5,
  'stock.range_3d.low': 99.7,
};
const of = (facts: object): ReadonlyMap<string, unknown> => new Map(Object.entries(facts));
const SUPPORT = point('levels.at_support', ['level.support.strong.price']);

describe('two sentences of a debate', () => {
  it('have a measure each, so that a new rule is looked at', () => expect(unplaced()).toEqual([]));

  it.each([
    ['trend', debateOf([point('regime.up')], [point('trend.stacked_down')])],
    ['cheap options', debateOf([point('options.calls_underpriced')], [point('options.puts_underpriced')])],
    ['cost of options', debateOf([point('options.volatility_cheap')], [point('options.volatility_dear')])],
    ['three-day high', debateOf([point('levels.broke_high')], [], [point('change.bear.high')])],
    ['earnings surprise', debateOf([point('earnings.beats')], [point('earnings.misses')])],
  ])('contradict of %s', (measure, debate) => {
    expect(contradictionsOf(debate, of({}))).toEqual([expect.stringMatching(`^${measure}: `)]);
  });

  it('contradict where one names support what the other has lost, or what is resistance 0.1 ATR away', () => {
    // An ATR of 4: the close that breaks a level is 1 beyond it.
    const lost = debateOf([SUPPORT], [point('levels.broke_low')]);
    expect(contradictionsOf(lost, of(NEAR))).toEqual(['level 100 and 99.7 are one zone']);
    expect(contradictionsOf(lost, of({ ...NEAR, 'stock.range_3d.low': 99.6 }))).toEqual([]);
    const change = point('change.bear.resistance', ['level.resistance.strong.price']);
    const both = debateOf([SUPPORT], [], [change]);
    expect(contradictionsOf(both, of(NEAR))).toEqual([]);
    const nearer = {
      ...NEAR,
      'level.resistance.strong.price': 100.3,
      'level.resistance.strong.broken': 101.3,
    };
    expect(contradictionsOf(both, of(nearer))).toHaveLength(2);
  });

  it('contradict the best strategy where it sells what they call cheap', () => {
    const debate = debateOf([point('options.volatility_cheap')], []);
    const best = (name: string) => of({ 'stock.options.best_options_strategy': name });
    expect(contradictionsOf(debate, best('iron_condor'))).toEqual(['options.volatility_cheap / iron_condor']);
    expect(contradictionsOf(debate, best('long_straddle'))).toEqual([]);
  });

  it('agree where they speak of different measures', () => {
    const debate = debateOf([point('regime.up'), SUPPORT], [point('momentum.macd_fades')]);
    expect(contradictionsOf(debate, of(NEAR))).toEqual([]);
  });
});
