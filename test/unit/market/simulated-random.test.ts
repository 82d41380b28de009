import { describe, expect, it } from 'vitest';
import { createStream, normalQuantile, streamKey, traitsOf } from '../../../src/simulated/random.ts';

const draws = (seed: number, owner: string, purpose: string, day: number, count: number): number[] => {
  const stream = createStream();
  stream.restart(streamKey(seed, owner, purpose), day);
  return Array.from({ length: count }, () => stream.uniform());
};

describe('normalQuantile', () => {
  // Values of qnorm of R 4.
  it.each([
    [0.5, 0],
    [0.8413447460685429, 1],
    [0.9, 1.2815515655446004],
    [0.975, 1.959963984540054],
    [0.999, 3.090232306167813],
    [1e-6, -4.753424308822899],
    [1e-20, -9.2623400898],
  ])('gives at %d what R gives', (p, expected) => {
    expect(normalQuantile(p)).toBeCloseTo(expected, 5);
  });

  it('is odd about one half', () => {
    for (const p of [0.001, 0.02, 0.07, 0.3, 0.499])
      expect(normalQuantile(p)).toBeCloseTo(-normalQuantile(1 - p), 6);
  });
});

describe('streams', () => {
  it('start over with the same numbers', () => {
    expect(draws(7, 'KXAZ', 'daily', 20_000, 50)).toEqual(draws(7, 'KXAZ', 'daily', 20_000, 50));
  });

  it('differ in the seed, the owner, the purpose and the date', () => {
    const firsts = [
      draws(7, 'KXAZ', 'daily', 20_000, 1)[0],
      draws(8, 'KXAZ', 'daily', 20_000, 1)[0],
      draws(7, 'KXAX', 'daily', 20_000, 1)[0],
      draws(7, 'KXAZ', 'minutes', 20_000, 1)[0],
      draws(7, 'KXAZ', 'daily', 20_001, 1)[0],
    ];
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  it('are uniform and uncorrelated from one date to the next', () => {
    // First numbers of 20,000 dates: mean 1/2 and variance 1/12, each within five standard errors.
    const count = 20_000;
    const firsts = Array.from({ length: count }, (_, day) => draws(3, 'market', 'daily', day, 1)[0]! - 0.5);
    const mean = firsts.reduce((sum, x) => sum + x, 0) / count;
    const variance = firsts.reduce((sum, x) => sum + x * x, 0) / count;
    const lagged = firsts.slice(1).reduce((sum, x, i) => sum + x * firsts[i]!, 0) / count / variance;
    expect(Math.abs(mean)).toBeLessThan(5 * Math.sqrt(1 / 12 / count));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / count));
    expect(Math.abs(lagged)).toBeLessThan(5 / Math.sqrt(count));
  });

  it('give standard normals', () => {
    const stream = createStream();
    stream.restart(streamKey(1, 'market', 'daily'), 0);
    const count = 50_000;
    let square = 0;
    let fourth = 0;
    for (let i = 0; i < count; i++) {
      const x = stream.normal();
      square += x * x;
      fourth += x ** 4;
    }
    // Standard errors of the second and fourth moments of a normal: sqrt(2/n) and sqrt(96/n).
    expect(Math.abs(square / count - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
    expect(Math.abs(fourth / count - 3)).toBeLessThan(5 * Math.sqrt(96 / count));
  });

  it('give traits that depend on the purpose', () => {
    const trait = traitsOf(7, 'KXAZ').uniform;
    expect(trait('beta')).toBe(trait('beta'));
    expect(trait('beta')).not.toBe(trait('size'));
  });
});
