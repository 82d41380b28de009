import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../src/analysis/playbooks/condition.ts';
import { mirrorOf, PLAYBOOK_INPUTS, type PlaybookInputs } from '../../../../src/analysis/playbooks/inputs.ts';
import { PLAYBOOKS } from '../../../../src/analysis/playbooks/library.ts';
import {
  isTradable,
  matchOf,
  matchPlaybooks,
  offeredMatch,
  rewardRiskAt,
} from '../../../../src/analysis/playbooks/match.ts';
import { mirroredCondition, mirroredPrices } from '../../../../src/analysis/playbooks/playbook.ts';
import { forAll, wholeBetween } from '../../../support/for-all.ts';
import { BOTH_SIDES, mirroredInputs, named, type PlaybookParts } from './hand-made.ts';

describe.each(BOTH_SIDES.map(([playbook, ...rest]) => [playbook.strategy, playbook, ...rest] as const))(
  '%s',
  (strategy, playbook, { fits, prices, lines }, turn) => {
    const isShort = playbook.direction === 'bearish';

    it('matches a hand-made day in full, at prices by hand', () => {
      const found = offeredMatch(playbook, turn(fits));
      expect(found).toMatchObject({ score: 100, missed: [] });
      const levels = [found!.trigger, found!.stop, found!.target];
      expect(levels).toEqual(prices.map((price) => (price === null ? Number.NaN : isShort ? -price : price)));
    });

    it('has every condition met at its line and missed a hair beyond it', () => {
      expect(lines).toHaveLength(playbook.conditions.length);
      playbook.conditions.forEach((condition, at) => {
        const [met, missed] = lines[at]!;
        expect(verdictOf(condition, turn({ ...fits, ...met })), condition.name).toBe('met');
        expect(verdictOf(condition, turn({ ...fits, ...missed })), condition.name).toBe('missed');
      });
    });

    it('is not named without its first condition, and named without any other one while it can be traded', () => {
      playbook.conditions.forEach(({ name }, at) => {
        const inputs = turn({ ...fits, ...lines[at]![1] });
        const found = offeredMatch(playbook, inputs);
        if (at === 0) expect(found, name).toBeNull();
        else if (isTradable(matchOf(playbook, inputs), inputs)) {
          expect(
            found!.missed.map((missed) => missed.name),
            name,
          ).toContain(name);
        } else expect(found, name).toBeNull();
      });
    });

    it('counts as missed what cannot be known', () => {
      playbook.conditions.forEach(({ name, inputs }) => {
        for (const input of inputs) {
          const partial = { ...turn(fits), [input]: Number.NaN };
          const { met, missed } = matchOf(playbook, partial);
          expect(
            missed.map((each) => each.name),
            `${strategy} ${input}`,
          ).toContain(name);
          expect(met.length + missed.length).toBe(playbook.conditions.length);
        }
      });
    });
  },
);

/** Parts of conditions that have two ends, or more than one line. */
describe('the other end of', () => {
  it.each<[string, string, PlaybookParts, PlaybookParts]>([
    ['vwap_hold_long', 'vwap_just_below', { vwap_atr: 0 }, { vwap_atr: -1e-9 }],
    ['trend_pullback_long', 'averages_stacked', { ema_20: 95 + 1e-9 }, { ema_20: 95 }],
    ['trend_pullback_long', 'back_at_ema_20', { ema_20: 98 }, { ema_20: 98 - 1e-9 }],
    ['range_fade_long', 'rotational_day', { rotation_score: 0.35 }, { rotation_score: 0.35 - 1e-9 }],
    ['range_fade_long', 'rotational_day', { trend_score: 0.6 - 1e-9 }, { trend_score: 0.6 }],
    ['earnings_drift_long', 'recent_surprise', { days_since_earnings: 20 }, { days_since_earnings: 21 }],
    ['squeeze_breakout', 'inside_three_days', { price: 98 }, { price: 98 - 1e-9 }],
    ['vwap_touch_long', 'back_at_vwap', { vwap_atr: 0 }, { vwap_atr: -1e-9 }],
    ['vwap_touch_long', 'back_at_vwap', { vwap_atr: 0.1 }, { vwap_atr: 0.1 + 1e-9 }],
    ['ib_retest_long', 'back_at_initial_balance', { price: 102.39 }, { price: 102.41 }],
    ['ib_retest_long', 'back_at_initial_balance', { session_high: 102.41 }, { session_high: 102.39 }],
    ['or_hold_long', 'back_at_opening_range', { price: 101 + 1e-9 }, { price: 101 }],
    ['or_hold_long', 'back_at_opening_range', { orb_retest_run: 1 }, { orb_retest_run: 0 }],
    ['level_confluence_long', 'back_at_zone', { price: 100 }, { price: 99.99 }],
    ['level_confluence_long', 'back_at_zone', { price: 100.39 }, { price: 100.41 }],
    ['level_confluence_long', 'back_at_zone', { session_high: 100.61 }, { session_high: 100.59 }],
    [
      'level_confluence_long',
      'day_not_against',
      { rotation_score: 0, trend_score: 1e-9 },
      { rotation_score: 0, trend_score: 0 },
    ],
    ['trend_continuation_long', 'back_at_session_ema_20', { price: 101 }, { price: 101 - 1e-9 }],
    ['trend_continuation_long', 'back_at_session_ema_20', { price: 101.39 }, { price: 101.41 }],
    ['trend_continuation_long', 'session_averages_fanned', { session_ema_9: 101.01 }, { session_ema_9: 101 }],
  ])('%s: %s', (strategy, name, met, missed) => {
    const [, { fits }, turn] = BOTH_SIDES.find(([playbook]) => playbook.strategy === strategy)!;
    const condition = named(strategy).conditions.find((each) => each.name === name)!;
    expect(verdictOf(condition, turn({ ...fits, ...met }))).toBe('met');
    expect(verdictOf(condition, turn({ ...fits, ...missed }))).toBe('missed');
  });
});

/** Inputs on a coarse grid, so that lines are hit, and now and then one that is not known. */
const inputs: fc.Arbitrary<PlaybookInputs> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: wholeBetween(-400, 400).map((step) => step / 80) },
      { weight: 3, arbitrary: fc.constantFrom(0.1, 0.15, 0.25, 0.35, 1.1, 5, 20, 30, 45, 50, 55, 60, 100) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    ),
    { minLength: PLAYBOOK_INPUTS.length, maxLength: PLAYBOOK_INPUTS.length },
  )
  .map(
    (values) => Object.fromEntries(PLAYBOOK_INPUTS.map((input, at) => [input, values[at]])) as PlaybookInputs,
  );

const OTHER: Readonly<Record<string, string | undefined>> = { bullish: 'bearish', bearish: 'bullish' };

describe('what is named', () => {
  it('can be traded: stop, trigger and target in order, price between stop and target, R 1 or more from both', () => {
    let named = 0;
    forAll([inputs], { numRuns: 3000 }, (values) => {
      for (const { playbook, stop, trigger, target, rewardRisk } of matchPlaybooks(values)) {
        if (playbook.direction === 'neutral') continue;
        named++;
        const side = playbook.direction === 'bearish' ? -1 : 1;
        const isBefore = (one: number, other: number) => side * one < side * other;
        expect(rewardRisk, playbook.strategy).toBeGreaterThanOrEqual(1);
        expect(rewardRiskAt({ stop, target }, values.price), playbook.strategy).toBeGreaterThanOrEqual(1);
        expect(rewardRisk).toBeCloseTo(Math.abs(target - trigger) / Math.abs(trigger - stop), 12);
        const places = [
          [stop, trigger],
          [trigger, target],
          [stop, target],
          [stop, values.price],
          [values.price, target],
        ] as const;
        for (const [one, other] of places) expect(isBefore(one, other), playbook.strategy).toBe(true);
      }
    });
    expect(named).toBeGreaterThan(100);
  });

  /** Every long's day with what is left open filled by a short's: in some of them both fit. */
  const daysOfBoth = BOTH_SIDES.flatMap(([one, { fits }, turn]) =>
    BOTH_SIDES.filter(([other]) => other.direction === OTHER[one.direction]).map(
      ([, filling, turnOther]): [PlaybookInputs] => {
        const [inputs, others] = [turn(fits), turnOther(filling.fits)];
        const filled = PLAYBOOK_INPUTS.map((input) => [
          input,
          Number.isNaN(inputs[input]) ? others[input] : inputs[input],
        ]);
        return [Object.fromEntries(filled) as PlaybookInputs];
      },
    ),
  );

  it('names every one of the other side, whatever its family', () => {
    let contradicted = 0;
    forAll([inputs], { numRuns: 3000, examples: daysOfBoth }, (figures) => {
      const found = matchPlaybooks(figures);
      for (const { playbook, opposedBy } of found) {
        const other = OTHER[playbook.direction];
        const against = found.filter(({ playbook: { direction } }) => direction === other);
        expect(opposedBy).toEqual(against.map((other) => other.playbook.strategy));
        contradicted += opposedBy.length;
      }
    });
    expect(contradicted).toBeGreaterThan(0);
  });
});

describe('the market upside down', () => {
  const pairs = PLAYBOOKS.flatMap((long, at) =>
    long.direction === 'bullish' ? [[long, PLAYBOOKS[at + 1]!] as const] : [],
  );

  it('has every long beside its short', () => {
    expect(pairs.length).toBe(PLAYBOOKS.filter(({ direction }) => direction === 'bearish').length);
    for (const [long, short] of pairs) expect(short.strategy).toBe(long.strategy.replace('_long', '_short'));
  });

  it('turned twice is as it was', () => {
    for (const input of PLAYBOOK_INPUTS) {
      const { as, sign, about } = mirrorOf(input);
      expect(PLAYBOOK_INPUTS).toContain(as);
      expect(mirrorOf(as)).toEqual({ as: input, sign, about });
    }
    for (const { conditions, prices } of PLAYBOOKS) {
      for (const each of conditions) expect(mirroredCondition(mirroredCondition(each))).toStrictEqual(each);
      expect(mirroredPrices(mirroredPrices(prices))).toStrictEqual(prices);
    }
  });

  it('mirrors inputs about a middle only where a figure alone is compared with them', () => {
    const centred = PLAYBOOK_INPUTS.filter((input) => mirrorOf(input).about !== 0);
    expect(centred).toEqual(['rsi_14']);
    const text = JSON.stringify(PLAYBOOKS);
    for (const input of centred) {
      expect(text).not.toContain(`,"${input}"]`);
      expect(text).not.toMatch(new RegExp(`"${input}","([<>]=?|-)",["\\[]`));
    }
  });

  it('fits the mirrored playbook as the market fits the playbook', () => {
    forAll([inputs], (values) => {
      const turned = mirroredInputs(values);
      for (const [long, short] of pairs) {
        const [one, other] = [matchOf(long, values), matchOf(short, turned)];
        const at = (fit: typeof one) => fit.met.map((each) => fit.playbook.conditions.indexOf(each));
        expect(at(other)).toEqual(at(one));
        for (const price of ['trigger', 'stop', 'target'] as const) {
          expect(
            Object.is(other[price] + 0, -one[price] + 0) || Number.isNaN(one[price] + other[price]),
          ).toBe(true);
        }
      }
    });
  });
});
