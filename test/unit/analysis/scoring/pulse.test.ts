import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { netScore, twoSided } from '../../../../src/analysis/scoring/ledger.ts';
import {
  extensionBeyond,
  PULSE_COMPONENTS,
  PULSE_WEIGHTS,
  type PulseInput,
  type PulseInputs,
  pulseBias,
  pulseTable,
} from '../../../../src/analysis/scoring/pulse.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { figures } from '../../../support/tables.ts';
import { expectExchanged, expectSound, mostlyKnown } from './known-inputs.ts';

const LEANING_UP: PulseInputs = figures`
  vwap_atr 0.25, intraday_return_atr 0.4, orb_lean 0.5, cvd_pct 5, cvd_drift 0.5, volume_pace 1.1,
  open_return_atr 0.25, ib_extension 0.1, trend_score 0.3`;
const NAMES = Object.keys(LEANING_UP) as PulseInput[];
/** The only input that has no side. */
const SIDELESS = 'volume_pace';

const BOUNDS: Readonly<Record<PulseInput, number>> = figures`
  vwap_atr 3, intraday_return_atr 5, orb_lean 1, cvd_pct 100, cvd_drift 20, volume_pace 20,
  open_return_atr 5, ib_extension 5, trend_score 1`;
const anyValueOf = (name: PulseInput): fc.Arbitrary<number> =>
  between(name === SIDELESS ? 0 : -BOUNDS[name], BOUNDS[name]);
const anyPulse = (missing: number): fc.Arbitrary<PulseInputs> => mostlyKnown(NAMES, missing, anyValueOf);

const scored = (inputs: PulseInputs) => twoSided(pulseTable(inputs), PULSE_WEIGHTS);
const mirrored = (inputs: PulseInputs): PulseInputs =>
  Object.fromEntries(
    NAMES.map((name) => [name, name === SIDELESS ? inputs[name] : -inputs[name]]),
  ) as unknown as PulseInputs;

describe('pulse', () => {
  it('weighs its parts by hand', () => {
    // vwap 0.25 of 0.5: 5. Return 0.4 of 1: 4. Range 0.5: 5. Flow: mean of 5 of 10 and 0.5 of 2: 3.75.
    // Pace (1.1 - 0.7) / 0.8 = 0.5, move 0.25 of 0.5: 2.5. Balance 0.1 of 0.5: 2. Day 0.3 of 0.6: 5.
    const table = pulseTable(LEANING_UP);
    const expected = figures`
      vwap 5, intraday_return 4, orb_structure 5, order_flow 3.75, participation 2.5, initial_balance 2,
      day_type 5`;
    for (const [name, bull] of Object.entries(expected)) {
      const pair = table[name as keyof typeof table]!;
      expect(pair.bull, name).toBeCloseTo(bull, 12);
      expect(pair.bear, name).toBe(0);
    }
    // 2 x 5 + 1.5 x 4 + 1.5 x 5 + 2 x 3.75 + 2.5 + 2 + 5 = 40.5
    const { bull, bear, weightAvailable } = scored(LEANING_UP);
    expect(bull.score).toBeCloseTo(40.5, 9);
    expect(bear.score).toBe(0);
    expect(weightAvailable).toBeCloseTo(1, 12);
  });

  it('has weights that sum to one, one for every component', () => {
    expect(PULSE_WEIGHTS.map(([name]) => name)).toEqual(Object.keys(PULSE_COMPONENTS));
    expect(PULSE_WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('takes the share of the flow alone until its drift is known', () => {
    expect(pulseTable({ ...LEANING_UP, cvd_drift: Number.NaN }).order_flow!.bull).toBeCloseTo(5, 12);
    const none = { ...LEANING_UP, cvd_pct: Number.NaN, cvd_drift: Number.NaN };
    expect(pulseTable(none).order_flow).toBeNull();
  });

  it('sums to its scores, within 0 to 100, whatever is missing, and is nothing below half of its weights', () => {
    forAll([anyPulse(30)], (inputs) => expectSound(scored(inputs)));
  });

  it('exists at half of its weights and not below', () => {
    const half = {
      ...LEANING_UP,
      cvd_pct: Number.NaN,
      cvd_drift: Number.NaN,
      volume_pace: Number.NaN,
      ib_extension: Number.NaN,
      trend_score: Number.NaN,
    };
    expect(scored(half).weightAvailable).toBeCloseTo(0.5, 12);
    // (2 x 5 + 1.5 x 4 + 1.5 x 5) / 0.5 = 47
    expect(scored(half).bull.score).toBeCloseTo(47, 9);
    expect(scored({ ...half, orb_lean: Number.NaN }).bull.score).toBeNaN();
  });

  it('changes sides in the mirror', () => {
    forAll([anyPulse(20)], (inputs) => expectExchanged(scored(inputs), scored(mirrored(inputs))));
  });

  it('never falls for longs when one input of a side rises', () => {
    forAll([anyPulse(0), fc.constantFrom(...NAMES), fc.double({ min: 0, max: 3 })], (inputs, name, by) => {
      fc.pre(name !== SIDELESS && !Number.isNaN(by));
      const [before, after] = [scored(inputs), scored({ ...inputs, [name]: inputs[name] + by })];
      expect(after.bull.score).toBeGreaterThanOrEqual(before.bull.score - 1e-9);
      expect(after.bear.score).toBeLessThanOrEqual(before.bear.score + 1e-9);
    });
  });

  it('is lifted by volume on the side of the move alone', () => {
    forAll([anyPulse(0), between(0, 3)], (inputs, by) => {
      const net = (volume_pace: number) => netScore(pulseTable({ ...inputs, volume_pace }), PULSE_WEIGHTS);
      const [before, after] = [net(inputs.volume_pace), net(inputs.volume_pace + by)];
      if (inputs.open_return_atr >= 0) expect(after).toBeGreaterThanOrEqual(before - 1e-9);
      else expect(after).toBeLessThanOrEqual(before + 1e-9);
    });
  });
});

describe('pulseBias', () => {
  it.each([
    [60, 'STRONG_LONG'],
    [59.999, 'MOD_LONG'],
    [25, 'MOD_LONG'],
    [24.999, 'NEUTRAL'],
    [0, 'NEUTRAL'],
    [-24.999, 'NEUTRAL'],
    [-25, 'MOD_SHORT'],
    [-59.999, 'MOD_SHORT'],
    [-60, 'STRONG_SHORT'],
    [Number.NaN, null],
  ])('of %d is %s', (net, bias) => {
    expect(pulseBias(net)).toBe(bias);
  });
});

describe('extensionBeyond', () => {
  it.each([
    ['inside', 101, 0],
    ['at the edge', 102, 0],
    ['half a range above', 103, 0.5],
    ['a whole range below', 98, -1],
  ])('%s', (_, price, expected) => {
    expect(extensionBeyond(price, 102, 100)).toBeCloseTo(expected, 12);
  });

  it('is not defined without a range', () => {
    expect(extensionBeyond(100, 100, 100)).toBeNaN();
    expect(extensionBeyond(100, Number.NaN, Number.NaN)).toBeNaN();
  });
});
