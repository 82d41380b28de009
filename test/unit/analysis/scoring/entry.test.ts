import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ENTRY_COMPONENTS,
  ENTRY_WEIGHTS,
  type EntryInput,
  type EntryInputs,
  entryTable,
  entryWeights,
  FAR_ATR,
  nearestLevels,
} from '../../../../src/analysis/scoring/entry.ts';
import { allGatesPassed, entryGates, type GateInputs } from '../../../../src/analysis/scoring/entry-gates.ts';
import { twoSided } from '../../../../src/analysis/scoring/ledger.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { figures, words } from '../../../support/tables.ts';
import { expectExchanged, expectSound, mostlyKnown } from './known-inputs.ts';

/** A session that has risen, has given a little back to a level, and turns up again. */
const AT_SUPPORT: EntryInputs = figures`
  level_below_atr 0.02, level_above_atr 0.2, off_high_atr 0.2, off_low_atr 0.4, turn_atr 0.06,
  recent_cvd_pct 10, cvd_divergence 1, pulse_bull 60, pulse_bear 5`;
const NAMES = Object.keys(AT_SUPPORT) as EntryInput[];

const BOUNDS: Readonly<Record<EntryInput, readonly [number, number]>> = {
  level_below_atr: [0, FAR_ATR],
  level_above_atr: [0, FAR_ATR],
  off_high_atr: [0, 4],
  off_low_atr: [0, 4],
  turn_atr: [-1, 1],
  recent_cvd_pct: [-100, 100],
  cvd_divergence: [-1, 1],
  pulse_bull: [0, 100],
  pulse_bear: [0, 100],
};
const anyEntry = (missing: number): fc.Arbitrary<EntryInputs> =>
  mostlyKnown(NAMES, missing, (name) => between(BOUNDS[name][0], BOUNDS[name][1]));

const scored = (inputs: EntryInputs, weights = ENTRY_WEIGHTS) => twoSided(entryTable(inputs), weights);

const mirrored = (inputs: EntryInputs): EntryInputs => ({
  level_below_atr: inputs.level_above_atr,
  level_above_atr: inputs.level_below_atr,
  off_high_atr: inputs.off_low_atr,
  off_low_atr: inputs.off_high_atr,
  turn_atr: -inputs.turn_atr,
  recent_cvd_pct: -inputs.recent_cvd_pct,
  cvd_divergence: -inputs.cvd_divergence,
  pulse_bull: inputs.pulse_bear,
  pulse_bear: inputs.pulse_bull,
});

/** Which way the score of longs goes when an input rises; 0: either. */
const LONGS_WITH: Readonly<Record<EntryInput, number>> = figures`
  level_below_atr -1, level_above_atr 1, off_high_atr 1, off_low_atr 1, turn_atr 1, recent_cvd_pct 1,
  cvd_divergence 1, pulse_bull 1, pulse_bear 1`;

describe('entry', () => {
  it('weighs its parts by hand', () => {
    // Level 0.02 of 0.1 away: 8, above 0.2: 0. Room 0.2 of 0.25: 8, below 0.02: 0.8. Pullback 0.2 of 0.25 x
    // (0.4 - 0.2) / 0.4 = 0.8 x 0.5: 4, of shorts 1 x 0: 0. Turn 0.06 of 0.15: 4. Flow 1 - (1 - 0.5) x (1 - 0.5):
    // 7.5. Pulse 6 and 0.5.
    const table = entryTable(AT_SUPPORT);
    const expected = {
      level: [8, 0],
      room: [8, 0.8],
      pullback: [4, 0],
      turn: [4, 0],
      flow_turn: [7.5, 0],
      pulse: [6, 0.5],
    } as const;
    for (const [name, [bull, bear]] of Object.entries(expected)) {
      const pair = table[name as keyof typeof expected]!;
      expect(pair.bull, name).toBeCloseTo(bull, 12);
      expect(pair.bear, name).toBeCloseTo(bear, 12);
    }
    // 2.5 x 8 + 2 x 8 + 1.5 x 4 + 1.5 x 4 + 7.5 + 1.5 x 6 = 64.5; 2 x 0.8 + 1.5 x 0.5 = 2.35
    const { bull, bear } = scored(AT_SUPPORT);
    expect(bull.score).toBeCloseTo(64.5, 9);
    expect(bear.score).toBeCloseTo(2.35, 9);
  });

  it('has weights that sum to one, one for every component, whatever gamma does', () => {
    for (const modifier of ['long_gamma', 'short_gamma', '', null] as const) {
      const weights = entryWeights(modifier);
      expect(weights.map(([name]) => name)).toEqual(Object.keys(ENTRY_COMPONENTS));
      expect(weights.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1, 12);
      expect(weights.every(([, weight]) => weight > 0)).toBe(true);
    }
  });

  it('leans on levels in long gamma and on turns in short gamma', () => {
    const atLevel = { ...AT_SUPPORT, level_below_atr: 0, turn_atr: 0 };
    const turning = { ...AT_SUPPORT, level_below_atr: 0.1, turn_atr: 0.15 };
    const points = (inputs: EntryInputs, modifier: 'long_gamma' | 'short_gamma'): number =>
      scored(inputs, entryWeights(modifier)).bull.score - scored(inputs).bull.score;
    // A tenth of the weight, from a component at 0 to one at 10, and back.
    expect(points(atLevel, 'long_gamma')).toBeCloseTo(10, 9);
    expect(points(atLevel, 'short_gamma')).toBeCloseTo(-10, 9);
    expect(points(turning, 'long_gamma')).toBeCloseTo(-10, 9);
    expect(points(turning, 'short_gamma')).toBeCloseTo(10, 9);
    expect(entryWeights('')).toBe(ENTRY_WEIGHTS);
  });

  it('takes recent flow alone until a divergence can be known', () => {
    expect(entryTable({ ...AT_SUPPORT, cvd_divergence: Number.NaN }).flow_turn!.bull).toBeCloseTo(5, 12);
    expect(entryTable({ ...AT_SUPPORT, recent_cvd_pct: Number.NaN }).flow_turn).toBeNull();
  });

  it('sums to its scores, within 0 to 100, whatever is missing, and is nothing below half of its weights', () => {
    forAll([anyEntry(30)], (inputs) => expectSound(scored(inputs)));
  });

  it('changes sides in the mirror', () => {
    forAll([anyEntry(20)], (inputs) => expectExchanged(scored(inputs), scored(mirrored(inputs))));
  });

  it('is monotone in every input of every component', () => {
    forAll([anyEntry(0), fc.constantFrom(...NAMES), between(0, 2)], (inputs, name, by) => {
      const before = entryTable(inputs);
      const after = entryTable({ ...inputs, [name]: inputs[name] + by });
      for (const [part, component] of Object.entries(ENTRY_COMPONENTS)) {
        if (!component.inputs.bull.includes(name)) continue;
        const moved = after[part as keyof typeof after]!.bull - before[part as keyof typeof before]!.bull;
        expect(moved * LONGS_WITH[name], `${part} of ${name}`).toBeGreaterThanOrEqual(-1e-9);
      }
    });
  });
});

describe('nearestLevels', () => {
  it('takes the nearest on each side, in ATR', () => {
    const near = nearestLevels([98, 99, 101.5, 103], 100, 2);
    expect(near).toEqual({ level_below_atr: 0.5, level_above_atr: 0.75 });
  });

  it('has a level at the price on both sides', () => {
    expect(nearestLevels([100], 100, 2)).toEqual({ level_below_atr: 0, level_above_atr: 0 });
  });

  it('has 2 ATR on a side without a level, and no more', () => {
    expect(nearestLevels([99], 100, 2)).toEqual({ level_below_atr: 0.5, level_above_atr: FAR_ATR });
    expect(nearestLevels([90, 110], 100, 2)).toEqual({ level_below_atr: FAR_ATR, level_above_atr: FAR_ATR });
  });

  it('passes over levels that are not known, and is not defined without any', () => {
    expect(nearestLevels([Number.NaN, 99, 101], 100, 1)).toEqual({ level_below_atr: 1, level_above_atr: 1 });
    for (const [levels, price, atr] of [
      [[], 100, 1],
      [[Number.NaN], 100, 1],
      [[99], Number.NaN, 1],
      [[99], 100, Number.NaN],
    ] as const) {
      expect(nearestLevels(levels, price, atr).level_below_atr).toBeNaN();
      expect(nearestLevels(levels, price, atr).level_above_atr).toBeNaN();
    }
  });
});

describe('entryGates', () => {
  const MINUTE = 60_000;
  const session = { open: 0, close: 390 * MINUTE };
  const OPEN_ROAD: GateInputs = {
    asOf: 120 * MINUTE,
    session,
    averageShares: 500_000,
    halted: false,
    circuitBreakerPassed: true,
    intradayReturnPct: -4.99,
    indexReturn1dPct: -6.99,
    newestBarEnd: 115 * MINUTE,
    qualityPassed: true,
  };
  const status = (gate: string, parts: Partial<GateInputs>) =>
    entryGates({ ...OPEN_ROAD, ...parts }).find((each) => each.gate === gate)!.status;

  it('keep one order, and all pass exactly at their thresholds', () => {
    const gates = entryGates(OPEN_ROAD);
    expect(gates.map(({ gate }) => gate)).toEqual(
      words`liquidity not_halted session_window circuit_breaker data_fresh quality`,
    );
    expect(gates.map((gate) => gate.status)).toEqual(Array(6).fill('passed'));
    expect(allGatesPassed(gates)).toBe(true);
  });

  it.each([
    ['liquidity', { averageShares: 499_999 }, 'failed'],
    ['liquidity', { averageShares: null }, 'unknown'],
    ['not_halted', { halted: true }, 'failed'],
    ['session_window', { asOf: 5 * MINUTE - 1 }, 'failed'],
    ['session_window', { asOf: 5 * MINUTE }, 'passed'],
    ['session_window', { asOf: 380 * MINUTE - 1 }, 'passed'],
    ['session_window', { asOf: 380 * MINUTE }, 'failed'],
    ['circuit_breaker', { circuitBreakerPassed: false, intradayReturnPct: -5 }, 'failed'],
    ['circuit_breaker', { circuitBreakerPassed: null, intradayReturnPct: null }, 'unknown'],
    ['circuit_breaker', { indexReturn1dPct: -7 }, 'failed'],
    ['circuit_breaker', { indexReturn1dPct: null }, 'passed'],
    ['circuit_breaker', { circuitBreakerPassed: null, indexReturn1dPct: -7 }, 'failed'],
    ['data_fresh', { newestBarEnd: 115 * MINUTE - 1 }, 'failed'],
    ['quality', { qualityPassed: false }, 'failed'],
    ['quality', { qualityPassed: null }, 'unknown'],
  ] as const)('%s of %o is %s', (gate, parts, expected) => {
    expect(status(gate, parts)).toBe(expected);
  });

  it('quote what they were judged by', () => {
    const reasons = entryGates({ ...OPEN_ROAD, averageShares: 499_999 }).map(({ reason }) => reason());
    expect(reasons).toEqual([
      '499K shares a day; an entry takes 500K.',
      'No trading halt.',
      '120 min after the open, 270 min before the close.',
      'Down 4.99 % on the day.',
      'Newest bar 5 min old.',
      'Beta, fundamentals and earnings pass.',
    ]);
  });

  it('are failed together by one that failed, and left open by one that is unknown', () => {
    const all = (parts: Partial<GateInputs>) => allGatesPassed(entryGates({ ...OPEN_ROAD, ...parts }));
    expect(all({ qualityPassed: null })).toBeNull();
    expect(all({ qualityPassed: null, halted: true })).toBe(false);
  });
});
