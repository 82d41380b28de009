import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { readAlert } from '../../../explorer/src/shared/alerts/alert-text.ts';
import {
  choicesOfLevel,
  choicesOfLine,
  choicesOfSide,
  choicesOfStock,
} from '../../../explorer/src/shared/alerts/choices.ts';
import { FilterFault } from '../../../explorer/src/shared/screening/filter.ts';
import { alertKind } from '../../../src/alerts/kinds/index.ts';
import { sentenceOf } from '../../../src/alerts/rule.ts';
import { INPUT_NAMES } from '../../../src/analysis/scoring/inputs.ts';
import { defaultsOf } from '../../../src/api/alerts/check-rule.ts';
import { listKinds } from '../../../src/api/alerts/list-kinds.ts';
import { listScreenFields } from '../../../src/api/screener/list-screen-fields.ts';
import { scalarField } from '../../../src/derive/scalar-fields.ts';

const { fields } = listScreenFields();
/** As the service sends them. */
const KINDS = JSON.parse(JSON.stringify(listKinds())) as ReturnType<typeof listKinds>;
const read = (text: string, kinds = KINDS) => readAlert(text, kinds as never, fields as never);

/** What a trader types, and the rule as the service says it. */
const TYPED: readonly (readonly [typed: string, means: string])[] = [
  ['NVDA crosses VWAP', 'price crosses VWAP'],
  ['nvda crosses above vwap', 'price crosses above VWAP'],
  ['NVDA when price crosses below 219.80', 'price crosses below 219.80'],
  ['NVDA, rsi crosses above 70', 'RSI crosses above 70'],
  ['$NVDA goes above the 50 day moving average', 'price crosses above 50-day average'],
  ['NVDA crosses the gamma flip', 'price crosses gamma flip'],
  ['NVDA breaks 219.80', '219.80 is broken'],
  ['NVDA holds the prior day low', "prior day's low is held"],
  ['NVDA gaps 2 %', 'it opens 2 % or more away from the close before'],
  ['NVDA gaps down 1.5%', 'it opens 1.5 % or more below the close before'],
  ['NVDA has no trade for 5 minutes', 'no bar comes for 5 minutes'],
  ['NVDA is halted', 'it becomes halted'],
  ['NVDA bias is bullish', 'directional bias becomes bullish'],
  ['NVDA rel volume > 2', 'relative volume enters 2 or more'],
  ['NVDA price > 200', 'price enters 200.00 or more'],
  ['NVDA is above vwap', 'price crosses above VWAP'],
  ['NVDA is not halted', 'it stops being halted'],
];

/** Fields and values as the route checks them. */
function meaningOf({ kind, parameters }: { readonly kind: string; readonly parameters: object }): string {
  const of = alertKind(kind);
  const own = { ...defaultsOf(of.parameters.properties), ...parameters };
  expect([...Value.Errors(of.parameters, own)]).toEqual([]);
  expect(of.check?.(own) ?? []).toEqual([]);
  for (const path of of.fields(own)) expect(scalarField(path), path).not.toBeNull();
  const rule = { kind, parameters: own, symbols: ['NVDA'], hours: 'regular', repeat: 'daily' } as const;
  return sentenceOf(rule).replace(/^NVDA, when (.*), once a day$/, '$1');
}

describe('an alert', () => {
  it.each(TYPED)('typed as "%s" waits until %s', (typed, means) => {
    const { symbol, ...rule } = read(typed);
    expect(symbol).toBe('NVDA');
    expect(meaningOf(rule)).toBe(means);
  });

  it.each([
    '',
    'NVDA',
    'NVDA crosses',
    'NVDA crosses the moon',
    'NVDA breaks records',
    'NVDA up 2 % and above vwap',
  ])('is refused when typed as "%s"', (typed) => {
    expect(() => read(typed)).toThrow(FilterFault);
  });

  it('is understood by the phrases of its kind, also of one that the page has never heard of', () => {
    const phrases = KINDS.flatMap(({ name, phrases: own }) => own.map(({ example }) => [name, example]));
    expect(phrases.length).toBeGreaterThan(6);
    for (const [name, example] of phrases) {
      const { symbol, ...rule } = read(`NVDA ${example}`);
      expect([symbol, rule.kind], example).toEqual(['NVDA', name]);
      expect(meaningOf(rule), example).toMatch(/\w/);
    }
    const doubles = {
      ...KINDS[0]!,
      name: 'doubles',
      parameters: { properties: { field: { 'x-field': true }, days: { type: 'integer' } } } as never,
      phrases: [
        {
          pattern: '^doubles its (?<field>.+) in (?<days>\\d+) days$',
          words: {},
          example: 'doubles its volume',
        },
      ],
    };
    expect(() => read('NVDA doubles its rsi in 3 days')).toThrow(FilterFault);
    expect(read('NVDA doubles its rsi in 3 days', [...KINDS, doubles])).toEqual({
      symbol: 'NVDA',
      kind: 'doubles',
      parameters: { field: 'technical.rsi_14', days: 3 },
    });
  });

  it('that is offered is one that the service takes', () => {
    const offered = [
      choicesOfStock('NVDA'),
      ...[
        'pdh',
        'pivot_r1',
        'ib_high',
        'orb_15m_low',
        'vwap',
        'developing_poc',
        'sma_50',
        'ema_9',
        'prior_vah',
        'call_wall',
      ].map((name) => choicesOfLevel('NVDA', name, 219.8)),
      choicesOfSide('NVDA', 'bullish', 61.7),
      ...INPUT_NAMES.map((name) => choicesOfLine('NVDA', { inputs: { [name]: 0.6234 } })),
    ].flatMap((draft) => draft?.choices ?? []);
    expect(offered.length).toBeGreaterThan(75);
    for (const choice of offered) expect(meaningOf(choice), choice.words).toMatch(/\w/);
  });
});
