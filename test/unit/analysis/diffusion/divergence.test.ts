import { describe, expect, it } from 'vitest';
import {
  CONTAMINATIONS,
  divergenceDeviations,
  openDivergences,
  signalOf,
  weightConfigOf,
} from '../../../../src/analysis/diffusion/divergence.ts';
import { peerWalk } from '../../../../src/analysis/diffusion/walk.ts';
import { numbers } from '../../../support/tables.ts';
import { type EdgeRow, graphOf } from './made-graphs.ts';

const same = (stocks: number, value: number) => {
  const deviation = new Float64Array(stocks).fill(value);
  return [deviation, deviation, deviation];
};

/** A stock in the middle, 0, of peers of the given weights that have no other peer. */
function star(
  weights: readonly number[],
  returns: readonly number[],
  deviation = 0.01,
  events: number[] = [],
) {
  const edges = weights.map((weight, at): EdgeRow => [0, at + 1, weight]);
  const score = openDivergences(peerWalk(graphOf(returns.length, edges)), same(returns.length, deviation));
  const hasEvent = Uint8Array.from(returns, (_, stock) => Number(events.includes(stock)));
  return score(Float64Array.from(returns), hasEvent);
}

const wordOf = (divergences: ReturnType<typeof star>): string =>
  CONTAMINATIONS[divergences.contamination[0]!]!;

describe('a score', () => {
  it('is own less implied over the deviation, the composite half, three tenths and a fifth', () => {
    const { scores, composite, implied } = star([1, 1], [0.03, 0.01, 0], 0.01);
    expect(implied[0]![0]).toBeCloseTo(0.005, 15);
    expect(scores[0]![0]).toBeCloseTo(2.5, 12);
    const [local, medium, broad] = scores.map((score) => score[0]!);
    expect(composite[0]).toBeCloseTo(0.5 * local! + 0.3 * medium! + 0.2 * broad!, 12);
  });

  it('weighs the scales that there are, and names them', () => {
    const walk = peerWalk(graphOf(3, numbers`0 1 1, 1 2 1`));
    const { scores, composite } = openDivergences(
      walk,
      same(3, 0.01),
    )(Float64Array.of(0.02, Number.NaN, 0.01));
    expect(scores.map((score) => score[0]!).map(Number.isNaN)).toEqual([true, false, false]);
    expect(composite[0]).toBeCloseTo((0.3 * scores[1]![0]! + 0.2 * scores[2]![0]!) / 0.5, 12);
    expect(weightConfigOf(scores, 0)).toBe('medium_broad');
    expect(composite[1]).toBeNaN();
  });

  it('is a signal from two deviations on', () => {
    expect(signalOf(2)).toBe('bullish_divergence');
    expect(signalOf(1.999_999)).toBe('neutral');
    expect(signalOf(-1.999_999)).toBe('neutral');
    expect(signalOf(-2)).toBe('bearish_divergence');
  });
});

describe('a deviation', () => {
  /** Two stocks that are each other's peer, the second always at 0: the divergence of the first is its return. */
  const tableOf = (firsts: readonly number[]) => ({
    stocks: 2,
    sessions: firsts.length,
    values: Float64Array.from([...firsts, ...firsts.map(() => 0)]),
  });
  const walk = peerWalk(graphOf(2, [[0, 1, 1]]));

  it('is the root of the mean square, of 63 divergences at least', () => {
    const known = Array.from({ length: 63 }, (_, at) => (at % 2 === 0 ? 0.01 : -0.03));
    const [local] = divergenceDeviations(walk, tableOf([...known, Number.NaN]));
    expect(local![0]).toBeCloseTo(Math.sqrt((32 * 0.01 ** 2 + 31 * 0.03 ** 2) / 63), 15);
    const [fewer] = divergenceDeviations(walk, tableOf([...known.slice(1), Number.NaN, Number.NaN]));
    expect(fewer![0]).toBeNaN();
  });

  it('is none where nothing has diverged', () => {
    const [local] = divergenceDeviations(walk, tableOf(Array.from({ length: 80 }, () => 0)));
    expect(local![0]).toBeNaN();
  });
});

describe('contamination', () => {
  it('is none where the peers agree', () => {
    expect(wordOf(star([1, 1, 1], [0.03, 0.01, 0.011, 0.009]))).toBe('none');
  });

  it('is one peer with more than half of the weight', () => {
    expect(wordOf(star([2, 1, 1], [0, 0.001, 0, 0]))).toBe('none');
    expect(wordOf(star([2.01, 1, 1], [0, 0.001, 0, 0]))).toBe('one_peer');
  });

  it('is one peer without which the score would be a deviation elsewhere', () => {
    // Of four equal peers at 0, 0, 0 and x, leaving the last out moves the mean by x/4.
    expect(wordOf(star([1, 1, 1, 1], [0.01, 0, 0, 0, 0.039_99], 0.01))).toBe('none');
    expect(wordOf(star([1, 1, 1, 1], [0.01, 0, 0, 0, 0.040_01], 0.01))).toBe('one_peer');
  });

  it('is peers with an event that move it together', () => {
    const returns = [0.01, 0, 0, 0, 0, 0.015, 0.015, 0.015];
    const weights = [1, 1, 1, 1, 1, 1, 1];
    // Leaving three of seven at 1.5 % out moves the mean from 0.64 % to 0.
    expect(wordOf(star(weights, returns, 0.0064, []))).toBe('none');
    expect(wordOf(star(weights, returns, 0.0064, [5, 6, 7]))).toBe('peer_events');
    expect(wordOf(star(weights, returns, 0.0065, [5, 6, 7]))).toBe('none');
  });

  it('takes a peer at four of its deviations for one with an event', () => {
    const weights = [1, 1, 1, 1, 1, 1, 1];
    // The peers have the middle alone, at 0: their own scores are their returns over 0.0064.
    const at = (value: number) => [0, 0, 0, 0, 0, value, value, value];
    expect(wordOf(star(weights, at(4 * 0.0064 - 1e-6), 0.0064))).toBe('none');
    expect(wordOf(star(weights, at(4 * 0.0064 + 1e-6), 0.0064))).toBe('peer_events');
  });

  it('is peers with an event that are most of the weight', () => {
    expect(wordOf(star([1, 1, 1, 1], [0.01, 0, 0, 0, 0], 0.01, [1, 2]))).toBe('none');
    expect(wordOf(star([1, 1, 1, 1], [0.01, 0, 0, 0, 0], 0.01, [1, 2, 3]))).toBe('peer_events');
  });
});
