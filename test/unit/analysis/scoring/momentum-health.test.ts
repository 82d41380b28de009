import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  directionOf,
  HEALTH_WEIGHTS,
  type HealthInputs,
  momentumHealth,
} from '../../../../src/analysis/scoring/momentum-health.ts';
import { between, forAll } from '../../../support/for-all.ts';

const SOUND: HealthInputs = {
  blend: 100 * Math.expm1(0.1),
  acceleration: 0,
  sma20Atr: 1,
  rsi: 65,
  upVolumeShare: 0.5,
};

const known = (bounds: { min: number; max: number }) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ ...bounds, noNaN: true }) },
    { weight: 2, arbitrary: fc.constant(Number.NaN) },
  );
const anyHealth = fc.record({
  blend: between(-90, 200),
  acceleration: known({ min: -50, max: 50 }),
  sma20Atr: known({ min: -10, max: 10 }),
  rsi: known({ min: 0, max: 100 }),
  upVolumeShare: known({ min: 0, max: 1 }),
});

describe('momentumHealth', () => {
  it('weighs its parts by hand', () => {
    // pace 10 of 20: 5; acceleration in the middle: 5; room whole: 10; RSI room whole: 10; participation middle: 5.
    // 25 x 0.5 + 20 x 0.5 + 25 + 15 + 15 x 0.5 = 70
    const health = momentumHealth(SOUND);
    expect(health.score).toBeCloseTo(70, 9);
    expect(health.state).toBe('healthy');
    expect(health.direction).toBe('up');
    expect(HEALTH_WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('judges a fall as the rise in the mirror', () => {
    const fall = momentumHealth({
      blend: 100 * Math.expm1(-0.1),
      acceleration: 0,
      sma20Atr: -1,
      rsi: 35,
      upVolumeShare: 0.5,
    });
    expect(fall.score).toBeCloseTo(70, 9);
    expect(fall.direction).toBe('down');
  });

  it('sums to its score, within 0 to 100, whatever is missing', () => {
    forAll([anyHealth], (inputs) => {
      const { score, lines, direction } = momentumHealth(inputs);
      const sum = lines.reduce((total, line) => total + line.contribution, 0);
      const available = HEALTH_WEIGHTS.reduce(
        (total, [, weight], at) => (Number.isNaN(lines[at]?.score ?? Number.NaN) ? total : total + weight),
        0,
      );
      if (direction === 'flat' || available < 0.5 - 1e-9) expect(score).toBeNaN();
      else {
        expect(Math.abs(sum - score)).toBeLessThan(1e-9);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }
    });
  });

  it.each([
    ['healthy at 2 ATR', { sma20Atr: 2 }, 'healthy'],
    ['extended beyond', { sma20Atr: 2.001 }, 'extended'],
    // 12.5 + 10 + 25 + 0 + 7.5 = 55, 12.5 + 0 + 25 + 0 + 7.5 = 45
    ['healthy at 55', { rsi: 85 }, 'healthy'],
    ['fading at 45', { rsi: 85, acceleration: -5 }, 'fading'],
    // 12.5 + 0 + 0 + 0 + 7.5 = 20
    ['exhausted at 20, extended or not', { rsi: 85, acceleration: -5, sma20Atr: 3 }, 'exhausted'],
  ])('is %s', (_, parts, state) => {
    expect(momentumHealth({ ...SOUND, ...parts }).state).toBe(state);
  });

  it('changes its state at 50 and at 25', () => {
    // Within 2 ATR, so never extended. Room at 2 ATR gives 12.5, a pace of 10 of 20 another 12.5.
    const near = (parts: Partial<HealthInputs>) => momentumHealth({ ...SOUND, sma20Atr: 2, ...parts });
    // 12.5 + 10 + 12.5 + 15 x (85 - rsi) / 20 + 7.5: 50 at an RSI of 75, 49.9925 a hundredth of RSI above.
    expect(near({ rsi: 75 }).state).toBe('healthy');
    expect(near({ rsi: 75.01 }).state).toBe('fading');
    // 12.5 + 20 x (acceleration + 5) / 10 + 12.5 + 0 + 0: 25 at an acceleration of -5, less with less pace.
    const tired = { rsi: 85, acceleration: -5, upVolumeShare: 0.4 };
    expect(near({ ...tired, blend: 100 * Math.expm1(0.1001) }).state).toBe('fading');
    expect(near({ ...tired, blend: 100 * Math.expm1(0.0999) }).state).toBe('exhausted');
  });

  it('has no direction within 2 % and no score without one', () => {
    expect(directionOf(2)).toBe('flat');
    expect(directionOf(2.001)).toBe('up');
    expect(directionOf(-2)).toBe('flat');
    expect(directionOf(-2.001)).toBe('down');
    expect(momentumHealth({ ...SOUND, blend: 1 })).toEqual({
      score: Number.NaN,
      state: 'absent',
      direction: 'flat',
      lines: [],
    });
    expect(momentumHealth({ ...SOUND, blend: Number.NaN }).state).toBeNull();
  });
});
