import { describe, expect, it } from 'vitest';
import { impliedMove } from '../../../../src/analysis/records/implied-move.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';

describe('the move that a premium implies', () => {
  it('is that of the sessions held', () => {
    // 20 % a year, 30 days with 21 sessions, of which five are held: 0.2 x sqrt(30 / 365 x 5 / 21) = 2.80 %.
    expect(impliedMove(0.2, 30 / 365, 21, 5)).toBeCloseTo(0.027978, 6);
  });

  it('is that to the expiration where the contracts end before the trade', () => {
    // 40 % a year over seven days: 0.4 x sqrt(7 / 365) = 5.54 %.
    expect(impliedMove(0.4, 7 / 365, 5, 20)).toBeCloseTo(0.055394, 6);
    expect(impliedMove(0.4, 7 / 365, 5, 5)).toBeCloseTo(0.055394, 6);
    // They settle at the next open, before any session.
    expect(impliedMove(0.4, 1 / 365, 0, 1)).toBeCloseTo(0.4 / Math.sqrt(365), 6);
  });

  it('is passed equally often whatever expiration, where prices do what they imply and have no drift', () => {
    const perSession = 0.25 / Math.sqrt(252);
    const normal = normalDraws(41);
    const lives = [1, 2, 5, 10, 21, 63];
    const passed = lives.map(() => 0);
    const trades = 40_000;
    for (let trade = 0; trade < trades; trade++) {
      let logarithm = 0;
      const after = Array.from({ length: 5 }, () => {
        logarithm += perSession * normal() - perSession ** 2 / 2;
        return Math.exp(logarithm) - 1;
      });
      for (const [at, sessions] of lives.entries()) {
        const implied = impliedMove(0.25, sessions / 252, sessions, 5);
        if (after[Math.min(sessions, 5) - 1]! > implied) passed[at]!++;
      }
    }
    // Beyond one deviation lies a share of 0.159, of returns that are not logarithms a little less.
    for (const count of passed) expect(Math.abs(count / trades - 0.157)).toBeLessThan(0.006);
  });
});

function normalDraws(seed: number): () => number {
  const draw = mulberry32(seed);
  return () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
