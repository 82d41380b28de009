import { describe, expect, it } from 'vitest';
import { all, inputsOf, quotedIn } from '../../../../src/analysis/conditions.ts';
import { scalarField } from '../../../../src/derive/scalar-fields.ts';
import { CHANGES, debate, RULES } from '../../../../src/texts/debate/index.ts';
import { type DebateRule, pointOf, rulesOf } from '../../../../src/texts/debate/rule.ts';
import { FactRegistry } from '../../../../src/texts/facts/fact-registry.ts';
import { addStock, type StockAnswer } from '../../../../src/texts/facts/stock-facts.ts';
import { figuresOf, RICH_AS_OF, richAnswer, richRegistry } from '../../../support/chat-facts.ts';

const ORIGIN = { instant: '2024-03-13T16:00:00.000Z', source: 'block:test' };
const EVERY = [...RULES, ...CHANGES];

/** A registry of these numbers and words alone. */
function registryOf(facts: Readonly<Record<string, number | string | boolean>>): FactRegistry {
  const registry = new FactRegistry();
  for (const [id, value] of Object.entries(facts)) registry.add(id, 'a label', value, null, ORIGIN);
  return registry;
}

const rule = (name: string): DebateRule => EVERY.find((one) => one.name === name)!;

describe('the rules', () => {
  it('are many for either side, each with a unique name', () => {
    for (const side of ['bull', 'bear'] as const) {
      expect(RULES.filter((one) => one.side === side).length).toBeGreaterThanOrEqual(25);
    }
    expect(new Set(EVERY.map(({ name }) => name)).size).toBe(EVERY.length);
  });

  it.each(EVERY.map((one) => [one.name, one] as const))('%s quotes a fact and no other figure', (_, one) => {
    expect(quotedIn(one.says).length).toBeGreaterThan(0);
    expect(one.says.replaceAll(/\{[^{}]+\}/g, '')).not.toMatch(/\d/);
    expect(one.says.replaceAll(/\{[^{}]+\}/g, '')).not.toMatch(/[{}]/);
    expect(one.weight).toBeGreaterThanOrEqual(1);
    expect(one.weight).toBeLessThanOrEqual(10);
  });

  /** Facts of the bad days of companies, which the rich stock does not have. */
  const ELSEWHERE = [
    /^stock\.earnings\.consecutive_misses$/,
    /^theme\.negative\./,
    /^event\.(bullish|bearish)\./,
    /^pattern\.(bullish|bearish)\./,
    /^level\.(support|resistance)\.(strong)\./,
    /^exposure\.gamma_flip$/,
  ];

  it('ask for facts that a registry can hold', () => {
    const registry = richRegistry();
    const strangers = EVERY.flatMap(({ when, says }) => [...quotedIn(says), ...inputsOf(when)]).filter(
      (id) =>
        registry.get(id) === null &&
        scalarField(id.replace(/^stock\./, '')) === null &&
        !ELSEWHERE.some((pattern) => pattern.test(id)),
    );
    expect([...new Set(strangers)]).toEqual([]);
  });
});

describe('a rule of both sides', () => {
  const pair = rulesOf(`
range.[high|low] (3|2): price > range.[high|low], change >= 1.5, days_until <= 7, rsi_14 <= 30
  [Above|Below] {range.[high|low]}.
`);

  it('mirrors words, orders and numbers, and keeps what both share', () => {
    expect(pair).toEqual([
      {
        name: 'range.high',
        side: 'bull',
        weight: 3,
        when: all(
          ['price', '>', 'range.high'],
          ['change', '>=', 1.5],
          ['days_until', '<=', 7],
          ['rsi_14', '<=', 30],
        ),
        says: 'Above {range.high}.',
      },
      {
        name: 'range.low',
        side: 'bear',
        weight: 2,
        when: all(
          ['price', '<', 'range.low'],
          ['change', '<=', -1.5],
          ['days_until', '<=', 7],
          ['rsi_14', '>=', 70],
        ),
        says: 'Below {range.low}.',
      },
    ]);
  });

  it('takes the condition of each side where both are written', () => {
    const own = rulesOf('ratio.[low|high] (2): ratio <= 0.6 | ratio >= 1.2\n  {ratio}');
    expect(own.map(({ when }) => when)).toEqual([
      ['ratio', '<=', 0.6],
      ['ratio', '>=', 1.2],
    ]);
  });

  it.each(['a (2) ratio > 1\n  {ratio}', 'a (2): ratio >1\n  {ratio}', 'a (2): ratio > 1'])(
    'is not read from %j',
    (row) => {
      expect(() => rulesOf(row)).toThrow(TypeError);
    },
  );
});

describe('a debate', () => {
  it('says nothing that is not a fact, digit by digit', () => {
    const registry = richRegistry();
    const { bull, bear, changes } = debate(registry);
    const points = [...bull, ...bear, ...changes.bull, ...changes.bear];
    expect(points.length).toBeGreaterThan(20);
    for (const { text, facts } of points) {
      const values = facts.map((id) => String(registry.get(id)!.value));
      for (const figure of figuresOf(text)) expect(values, text).toContain(figure);
    }
  });

  it('has the weightiest first on both sides', () => {
    const weights = debate(richRegistry()).bull.map((point) => rule(point.rule).weight);
    expect(weights).toEqual(weights.toSorted((one, other) => other - one));
  });

  it('of nothing known is silent', () => {
    expect(debate(new FactRegistry())).toEqual({ bull: [], bear: [], changes: { bull: [], bear: [] } });
  });

  it('never argues one fact for both sides', () => {
    // RSI at 75, by hand: overbought, and so no argument of buyers.
    const { bull, bear } = debate(registryOf({ 'stock.technical.rsi_14': 75 }));
    expect(bull).toEqual([]);
    expect(bear.map(({ text }) => text)).toEqual(['RSI 75 is overbought: new buyers are late.']);
  });
});

describe('a rule', () => {
  const averages = {
    'stock.last_price': 217.56,
    'stock.technical.moving_averages.sma_50': 207.12,
    'stock.technical.moving_averages.sma_200': 195.18,
  };

  it('is made of facts that hold', () => {
    expect(pointOf(rule('trend.above_long_averages'), registryOf(averages))).toEqual({
      text: 'Price 217.56 is above its fifty-day SMA of 207.12, and that average is above the two-hundred-day SMA of 195.18.',
      facts: Object.keys(averages),
      rule: 'trend.above_long_averages',
    });
  });

  it('is silent where one fact is not known or a condition does not hold', () => {
    const { 'stock.last_price': _, ...without } = averages;
    expect(pointOf(rule('trend.above_long_averages'), registryOf(without))).toBeNull();
    const fallen = { ...averages, 'stock.last_price': 200 };
    expect(pointOf(rule('trend.above_long_averages'), registryOf(fallen))).toBeNull();
  });

  it('compares only what can be compared', () => {
    const odd: DebateRule = { name: 'odd', side: 'bull', weight: 1, when: ['word', '>', 1], says: '{word}' };
    expect(pointOf(odd, registryOf({ word: 'ten' }))).toBeNull();
    expect(pointOf({ ...odd, when: ['word', 'is', 'ten'] }, registryOf({ word: 'ten' }))!.text).toBe('ten');
  });
});

describe('what a trader would not say', () => {
  const saidOf = (facts: Parameters<typeof registryOf>[0]): string[] => {
    const { bull, bear } = debate(registryOf(facts));
    return [...bull, ...bear].map((point) => point.rule);
  };

  it.each([
    ['INLINE', []],
    ['MISS', ['earnings.misses']],
    ['BLOWOUT_MISS', ['earnings.misses']],
  ])('a surprise that is %s is called a miss only where it is one', (category, said) => {
    const surprise = { surprise_pct: -1.99, consecutive_misses: 1, surprise_category: category };
    const facts = Object.entries(surprise).map(([name, value]) => [`stock.earnings.${name}`, value]);
    expect(saidOf(Object.fromEntries(facts))).toEqual(said);
  });

  it.each([
    ['iron_condor', []],
    ['long_straddle', []],
    ['bull_call_spread', ['options.calls_underpriced']],
    ['long_put', ['options.puts_underpriced']],
  ])('calls and puts are not both cheap: beside %s', (best, said) => {
    const edges = { 'stock.options.pricing_edge_bull': 9, 'stock.options.pricing_edge_bear': 9 };
    expect(saidOf({ ...edges, 'stock.options.best_options_strategy': best })).toEqual(said);
  });

  it.each([
    [0.3, 0.6, ['levels.at_support']],
    [0.6, 0.3, ['levels.at_resistance']],
    [0.3, 0.59, []],
    [0.51, 1.2, []],
  ])('price is at support between %d ATR down and %d up', (down, up, said) => {
    const level = (side: string, away: number) => ({
      [`level.${side}.strong.away`]: away,
      [`level.${side}.strong.price`]: 100,
    });
    expect(saidOf({ ...level('support', down), ...level('resistance', up) })).toEqual(said);
  });
});

describe('what would change a mind', () => {
  it('names the nearest flip of the score to the side that it weakens, as a trader would', () => {
    const flip = { flips: 'bullish_tier', label_from: 'POOR', label_to: 'WEAK', input: 'support_strength' };
    const answer = { ...richAnswer() };
    const of = { ...answer.confluence_v5!, nearest_flip: { ...flip, from: 0.61, to: 0.79 } };
    const registry = new FactRegistry();
    addStock(registry, { ...answer, confluence_v5: of } as StockAnswer, RICH_AS_OF);
    const { changes } = debate(registry);
    const said =
      'All else equal, the bull side would be weak if support strength were above 0.79; it is 0.61, and the side poor.';
    expect(changes.bear.map(({ text }) => text)).toContain(said);
    expect(changes.bull.map(({ text }) => text)).not.toContain(said);
  });
});
