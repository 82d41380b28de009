import { describe, expect, it } from 'vitest';
import { holds, quotedIn } from '../../../../src/analysis/conditions.ts';
import { CHANGES, RULES } from '../../../../src/texts/debate/index.ts';
import type { DebateRule } from '../../../../src/texts/debate/rule.ts';
import type { Fact } from '../../../../src/texts/facts/fact-registry.ts';
import { claimsOf, type Ground } from '../../../../src/texts/verify/index.ts';
import type { Claim } from '../../../../src/texts/verify/text-claim.ts';
import { richRegistry } from '../../../support/chat-facts.ts';
import { words } from '../../../support/tables.ts';

/** The sentences of a debate held against the facts that they quote, whether or not the rule would speak. */

const DATE = '2024-03-13';

/** What the rich stock does not have. */
const ELSEWHERE: readonly (readonly [
  id: string,
  label: string,
  value: Fact['value'],
  unit: string | null,
])[] = [
  ['stock.earnings.consecutive_misses', 'consecutive misses', 3, 'quarters'],
  ['stock.momentum_health_v5.score', 'momentum health score', 64, 'points'],
  ['theme.negative.magnitude', 'negative theme exposure', 0.4, 'fraction'],
  ['exposure.gamma_flip', 'gamma flip', 88.5, 'USD'],
  ...['bullish', 'bearish'].flatMap((side) => [
    [`event.${side}.name`, 'price event', 'golden cross', null] as const,
    [`event.${side}.date`, 'date of the price event', '2024-03-04', null] as const,
    [`event.${side}.price`, 'price of the event', 71.37, 'USD'] as const,
    [`pattern.${side}.name`, 'pattern', 'double bottom', null] as const,
    [`pattern.${side}.trigger`, 'trigger of the pattern', 72.4, 'USD'] as const,
    [`pattern.${side}.target`, 'target of the pattern', 81.2, 'USD'] as const,
    [`pattern.${side}.invalidation`, 'invalidation of the pattern', 66.1, 'USD'] as const,
    [`pattern.${side}.confidence`, 'confidence in the pattern', 0.72, 'fraction'] as const,
    [`pattern.${side}.confirmed_on`, 'date of the pattern', '2024-03-01', null] as const,
  ]),
  ...['support', 'resistance'].flatMap((side) => [
    [`level.${side}.strong.price`, side, 88.2, 'USD'] as const,
    [`level.${side}.strong.broken`, `close that breaks ${side}`, 87.7, 'USD'] as const,
    [`level.${side}.strong.away`, `distance to ${side}`, 0.4, 'ATR'] as const,
  ]),
];

const registry = richRegistry();
for (const [id, label, value, unit] of ELSEWHERE) {
  if (registry.get(id) === null)
    registry.add(id, label, value, unit, { instant: `${DATE}T16:00:00Z`, source: 'made up' });
}
const GROUND: Ground = {
  facts: registry.all(),
  symbol: 'TEST',
  company: null,
  levels: [],
  tradeDate: DATE,
  others: new Set(),
};

const PLACEHOLDER = /\{([^{}]+)\}/g;
const isKnown = ({ says }: DebateRule): boolean => quotedIn(says).every((id) => registry.get(id) !== null);
/** The sentence with its facts, some of them replaced. */
const filled = ({ says }: DebateRule, other: Readonly<Record<string, number>> = {}): string =>
  says.replaceAll(PLACEHOLDER, (_, id: string) => String(other[id] ?? registry.get(id)!.value));

const EVERY = [...RULES, ...CHANGES];
const SPOKEN = EVERY.filter(isKnown);

describe('every sentence of the debate', () => {
  it('can be made from the registry', () => expect(SPOKEN.length).toBeGreaterThan(EVERY.length * 0.9));

  it.each(SPOKEN.map((rule) => [rule.name, rule] as const))('%s is borne out where it holds', (_, rule) => {
    const text = filled(rule);
    const claims = claimsOf(text, GROUND);
    const isBorneOut = ({ verdict }: Claim): boolean => verdict === 'matches' || verdict === 'derivable';
    expect(claims.length, text).toBeGreaterThan(0);
    expect(
      claims.filter(({ verdict }) => verdict === 'contradicts'),
      text,
    ).toEqual([]);
    // What has a date alone has no condition to hold; several rules may say one sentence.
    if (claims.every(({ kind }) => kind === 'date')) return;
    const isSo = EVERY.some(
      (other) => filled(other) === text && holds(other, (id) => registry.get(id)?.value),
    );
    expect(claims.every(isBorneOut), text).toBe(isSo);
  });
});

describe('a planted error', () => {
  const PRICE = 'stock.last_price';
  const price = registry.get(PRICE)!.value as number;
  const WRONG = Number((price * 1.07).toFixed(2));

  it.each(SPOKEN.filter(({ says }) => says.includes(`{${PRICE}}`)).map((rule) => [rule.name, rule] as const))(
    'in the price of %s is found',
    (_, rule) => {
      const [claim] = claimsOf(filled(rule, { [PRICE]: WRONG }), GROUND).filter(
        ({ value }) => value === WRONG,
      );
      expect(claim).toMatchObject({ verdict: 'contradicts', expected: price, fact: { id: PRICE } });
    },
  );

  it.each(
    words`
    stock.technical.moving_averages.sma_50 stock.technical.moving_averages.sma_200
    stock.technical.rsi_14 stock.technical.adx_14 stock.levels.vwap`,
  )('in %s is found wherever it is named', (id) => {
    const true_ = registry.get(id)!.value as number;
    const wrong = Number((true_ * 1.113 + 0.5).toFixed(2));
    const verdicts = SPOKEN.filter(({ says }) => says.includes(`{${id}}`)).map((rule) => {
      const claim = claimsOf(filled(rule, { [id]: wrong }), GROUND).find(({ value }) => value === wrong);
      return [rule.name, claim?.verdict];
    });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(([, verdict]) => verdict === 'matches')).toEqual([]);
    expect(verdicts.filter(([, verdict]) => verdict === 'contradicts').length).toBeGreaterThan(0);
  });
});
