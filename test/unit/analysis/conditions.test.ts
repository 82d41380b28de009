import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  bothSides,
  type Condition,
  filled,
  holds,
  inputsOf,
  known,
  type MirrorOf,
  mirrored,
  ofSide,
  quotedIn,
  type Rule,
  verdict,
} from '../../../src/analysis/conditions.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';

type Values = Readonly<Record<string, number | string | boolean | null>>;

const reader = (values: Values) => (input: string) => values[input];
const verdictOn = (when: Condition, values: Values) => verdict(when, reader(values));

describe('a condition', () => {
  it.each<[Condition, Values, Values]>([
    [['adx_14', '>=', 20], { adx_14: 20 }, { adx_14: 19.99 }],
    [['adx_14', '>', 20], { adx_14: 20.01 }, { adx_14: 20 }],
    [['adx_14', '<=', 20], { adx_14: 20 }, { adx_14: 20.01 }],
    [['adx_14', '<', 20], { adx_14: 19.99 }, { adx_14: 20 }],
    [['narrow_session', 'is', 1], { narrow_session: 1 }, { narrow_session: 0 }],
    [['vix', 'is', 'ELEVATED'], { vix: 'ELEVATED' }, { vix: 'NORMAL' }],
    [['is_nr7', 'is', false], { is_nr7: false }, { is_nr7: true }],
    [['price', '>', 'ema_20'], { price: 10, ema_20: 9 }, { price: 10, ema_20: 10 }],
    [['ib_range', '<=', [0.5, 'atr']], { ib_range: 2, atr: 4 }, { ib_range: 2.01, atr: 4 }],
    [all(['vwap_atr', '>=', 0], ['vwap_atr', '<=', 0.25]), { vwap_atr: 0 }, { vwap_atr: -0.01 }],
    [
      [['session_high', '-', 'ib_high'], '>=', [0.25, 'atr']],
      { session_high: 11, ib_high: 10, atr: 4 },
      { session_high: 10.9, ib_high: 10, atr: 4 },
    ],
  ])('%j is met by %o and missed by %o', (when, met, missed) => {
    expect(verdictOn(when, met)).toBe('met');
    expect(verdictOn(when, missed)).toBe('missed');
  });

  it('of several requires all or any', () => {
    const both: readonly Condition[] = [
      ['adx_14', '>=', 20],
      ['rsi_14', '<', 60],
    ];
    expect(verdictOn(all(...both), { adx_14: 20, rsi_14: 50 })).toBe('met');
    expect(verdictOn(all(...both), { adx_14: 20, rsi_14: 60 })).toBe('missed');
    expect(verdictOn(any(...both), { adx_14: 20, rsi_14: 60 })).toBe('met');
    expect(verdictOn(any(...both), { adx_14: 19, rsi_14: 60 })).toBe('missed');
    expect(verdictOn(all(), {})).toBe('met');
  });

  it('is unknown while one of its inputs is, even where the others would decide', () => {
    expect(verdictOn(any(['adx_14', '>=', 20], ['rsi_14', '<', 60]), { adx_14: 30 })).toBe('unknown');
    expect(verdictOn(all(['adx_14', '>=', 20], ['rsi_14', '<', 60]), { adx_14: 10 })).toBe('unknown');
    expect(verdictOn([['price', '-', 'ib_high'], '>', [0, 'atr']], { price: 2, ib_high: 1 })).toBe('unknown');
    expect(verdictOn(known('orb_low'), { orb_low: Number.NaN })).toBe('unknown');
    expect(verdictOn(known('orb_low'), { orb_low: 1 })).toBe('met');
    expect(verdictOn(['vix', 'is', 'NORMAL'], { vix: null })).toBe('unknown');
  });

  it('gives a word no order', () => expect(verdictOn(['word', '>', 1], { word: 'ten' })).toBe('unknown'));
});

const NAMES = ['price', 'high', 'low', 'lean', 'size'];
/** How these mirror: prices, of which the high and the low change places, a signed figure, and a size. */
const mirrorOf: MirrorOf = (as) => {
  if (as === 'high') return { as: 'low', sign: -1, about: 0 };
  if (as === 'low') return { as: 'high', sign: -1, about: 0 };
  if (as === 'rsi') return { as, sign: -1, about: 100 };
  return { as, sign: as === 'size' ? 1 : -1, about: 0 };
};

const name = fc.constantFrom(...NAMES);
const order = fc.constantFrom('<', '<=', '>=', '>');
const whole = wholeBetween(-3, 3);
/** A factor of 1 is written without it. */
const factor = fc.constantFrom(-2, -1, 0.5, 2);
const multiple = fc.tuple(factor, name);

const conditions = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(name, order, whole),
    fc.tuple(fc.constant('rsi'), order, whole),
    fc.tuple(name, fc.constant('is'), whole),
    fc.tuple(name, order, fc.oneof(name, multiple)),
    fc.tuple(
      fc.tuple(fc.constantFrom('price', 'high'), fc.constant('-'), fc.constantFrom('price', 'low')),
      order,
      fc.oneof(whole, name, multiple),
    ),
    name.map((input) => known(input)),
    fc.array(tie('condition'), { maxLength: 3 }).map((of) => all(...of)),
    fc.array(tie('condition'), { maxLength: 3 }).map((of) => any(...of)),
  ) as fc.Arbitrary<Condition>,
})).condition;

const values: fc.Arbitrary<Values> = fc.record(
  Object.fromEntries(
    [...NAMES, 'rsi'].map((input) => [
      input,
      fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: fc.constantFrom(Number.NaN, null) }),
    ]),
  ),
);

describe('three-valued logic', () => {
  it('is unknown exactly while an input that is read is not known', () => {
    forAll([conditions, values], (when, inputs) => {
      const isUnknown = inputsOf(when).some((each) => inputs[each] === null || Number.isNaN(inputs[each]));
      expect(verdictOn(when, inputs) === 'unknown').toBe(isUnknown);
    });
  });

  it('of a group follows from the verdicts of its conditions', () => {
    forAll([fc.array(conditions, { maxLength: 4 }), values], (of, inputs) => {
      const verdicts = of.map((each) => verdictOn(each, inputs));
      const decided = (isMet: boolean) =>
        verdicts.includes('unknown') ? 'unknown' : isMet ? 'met' : 'missed';
      expect(verdictOn(all(...of), inputs)).toBe(decided(verdicts.every((each) => each === 'met')));
      expect(verdictOn(any(...of), inputs)).toBe(decided(verdicts.some((each) => each === 'met')));
    });
  });
});

describe('a mirrored condition', () => {
  it('mirrored again is as it was', () => {
    forAll([conditions], (when) => {
      expect(mirrored(mirrored(when, mirrorOf), mirrorOf)).toStrictEqual(when);
    });
  });

  it('holds exactly where the condition holds for the market upside down', () => {
    forAll([conditions, values], (when, inputs) => {
      const upsideDown = (input: string) => {
        const { as, sign, about } = mirrorOf(input);
        const value = inputs[as];
        return typeof value === 'number' ? about + sign * value : value;
      };
      expect(verdictOn(mirrored(when, mirrorOf), inputs)).toBe(verdict(when, upsideDown));
    });
  });
});

describe('a rule of both sides', () => {
  type Sided = Rule & { readonly weight: number };
  const rule: Sided = {
    name: 'broke_[high|low]',
    weight: 3,
    when: all(['price', '>', 'range.[high|low]'], ['change', '>=', 1.5], ['trend', 'is', '[up|down]']),
    says: '[Above {range.high}|Below {range.low}], change {change}, {change}.',
  };
  const mirror: MirrorOf = (as) => ({ as, sign: -1, about: 0 });
  const [long, short, ...others] = bothSides([rule, { ...rule, name: 'alone' }], mirror) as [
    Sided,
    Sided,
    Sided,
  ];

  it('takes the words of each side and turns the comparisons', () => {
    expect(long).toEqual({
      name: 'broke_high',
      weight: 3,
      when: {
        all: [
          ['price', '>', 'range.high'],
          ['change', '>=', 1.5],
          ['trend', 'is', 'up'],
        ],
      },
      says: 'Above {range.high}, change {change}, {change}.',
    });
    expect(short).toEqual({
      name: 'broke_low',
      weight: 3,
      when: {
        all: [
          ['price', '<', 'range.low'],
          ['change', '<=', -1.5],
          ['trend', 'is', 'down'],
        ],
      },
      says: 'Below {range.low}, change {change}, {change}.',
    });
  });

  it('has a rule of one side once', () => expect(others).toEqual([{ ...long, name: 'alone' }]));

  it('takes the condition of each side where both are written', () => {
    const own = {
      name: 'ratio_[low|high]',
      when: { long: ['ratio', '<=', 0.6], short: ['ratio', '>', 1] },
    } as const;
    expect(bothSides([own], mirror)).toEqual([
      { name: 'ratio_low', when: ['ratio', '<=', 0.6] },
      { name: 'ratio_high', when: ['ratio', '>', 1] },
    ]);
  });

  it('says its sentence once all that it reads and quotes is known', () => {
    const inputs = reader({ price: 9, 'range.low': 10, change: -2, trend: 'down' });
    expect(quotedIn(short.says)).toEqual(['range.low', 'change']);
    expect(holds(short, inputs)).toBe(true);
    expect(holds({ ...short, says: '{range.high}' }, inputs)).toBe(false);
    expect(holds(long, inputs)).toBe(false);
    expect(filled(short.says, inputs)).toBe('Below 10, change -2, -2.');
  });
});

describe('words of a side', () => {
  it('are taken out of data of any depth, other values as they are', () => {
    const data = {
      text: '[Buy|Sell] the [dip|rally]',
      list: ['[|only ]x', 2, null],
      of: { is: true, weight: { long: 1, short: 2 } },
    };
    expect(ofSide('long', data)).toEqual({
      text: 'Buy the dip',
      list: ['x', 2, null],
      of: { is: true, weight: 1 },
    });
    expect(ofSide('short', data)).toEqual({
      text: 'Sell the rally',
      list: ['only x', 2, null],
      of: { is: true, weight: 2 },
    });
  });
});

describe('what a condition reads', () => {
  it('is named once each', () => {
    const when: Condition = all(
      [['price', '-', 'ema_20'], '<=', [1, 'atr']],
      ['orb_high', '<', 'price'],
      known('orb_low'),
      any(['vix', 'is', 'NORMAL'], ['adx_14', '>', 20]),
    );
    expect(inputsOf(when)).toEqual(['price', 'ema_20', 'atr', 'orb_high', 'orb_low', 'vix', 'adx_14']);
  });
});
