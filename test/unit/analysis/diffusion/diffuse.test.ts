import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDiffusion } from '../../../../src/analysis/diffusion/diffuse.ts';
import { openDivergences } from '../../../../src/analysis/diffusion/divergence.ts';
import { peerWalk } from '../../../../src/analysis/diffusion/walk.ts';
import { between, forAll } from '../../../support/for-all.ts';
import { numbers } from '../../../support/tables.ts';
import { denseDiffusion } from './dense.ts';
import { type EdgeRow, graphOf, type MadeCase, madeCase } from './made-graphs.ts';

const diffusionOf = ({ stocks, edges }: Pick<MadeCase, 'stocks' | 'edges'>) =>
  openDiffusion(peerWalk(graphOf(stocks, edges)));

/** Scores with deviations that follow from the stock's place. */
function scoresOf(
  { stocks, edges, returns }: MadeCase,
  places = Array.from({ length: stocks }, (_, at) => at),
) {
  const deviation = Float64Array.from(places, (place) => 0.01 + 0.001 * place);
  const score = openDivergences(peerWalk(graphOf(stocks, edges)), [deviation, deviation, deviation]);
  return score(Float64Array.from(returns));
}

/** NaN is equal to NaN, and numbers within a billionth of the larger of 1 and them. */
function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(actual.length).toBe(expected.length);
  for (let at = 0; at < actual.length; at++) {
    const [one, other] = [actual[at]!, expected[at]!];
    const isEqual =
      Number.isNaN(one) === Number.isNaN(other) &&
      (Number.isNaN(one) || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)));
    expect(isEqual, `${what} of ${at}: ${one} for ${other}`).toBe(true);
  }
}

describe('diffusion', () => {
  it('equals the computation on whole matrices, with missing returns, isolated stocks and separate parts', () => {
    forAll([madeCase], { numRuns: 300 }, (made) => {
      const { implied, peers } = diffusionOf(made)(Float64Array.from(made.returns));
      for (const [scale, dense] of denseDiffusion(made.stocks, made.edges, made.returns).entries()) {
        expectClose(implied[scale]!, dense.implied, `implied at scale ${scale}`);
        expect([...peers[scale]!]).toEqual(dense.peers);
      }
    });
  });

  it('equals it with every return present too, on the other code path', () => {
    forAll([madeCase], { numRuns: 150 }, (made) => {
      const returns = made.returns.map((value) => (Number.isNaN(value) ? 0.01 : value));
      const { implied } = diffusionOf(made)(Float64Array.from(returns));
      for (const [scale, dense] of denseDiffusion(made.stocks, made.edges, returns).entries()) {
        expectClose(implied[scale]!, dense.implied, `implied at scale ${scale}`);
      }
    });
  });

  it('agrees with an example worked out by hand', () => {
    // A chain of three: the middle has both ends as peers, 3 to 1.
    const diffuse = diffusionOf({
      stocks: 3,
      edges: numbers`0 1 3, 1 2 1`,
    });
    const { implied, peers } = diffuse(Float64Array.of(0.04, 0.01, -0.04));
    expect(implied[0]![1]).toBeCloseTo(0.75 * 0.04 + 0.25 * -0.04, 15);
    expect(implied[0]![0]).toBeCloseTo(0.01, 15);
    expect(peers.map((counts) => [...counts])).toEqual(numbers`1 2 1, 2 2 2, 2 2 2`);
    // The end without its one peer has nobody near, and the other end two steps away.
    const without = diffuse(Float64Array.of(0.04, Number.NaN, -0.04));
    expect(without.implied[0]![0]).toBeNaN();
    expect(without.implied[1]![0]).toBeCloseTo(-0.04, 15);
  });

  it('gives the same result after any other call', () => {
    const diffuse = diffusionOf({
      stocks: 4,
      edges: numbers`0 1 1, 1 2 1, 2 3 2`,
    });
    const first = diffuse(Float64Array.of(0.01, 0.02, 0.03, 0.04));
    diffuse(Float64Array.of(9, Number.NaN, -9, 9));
    expect(diffuse(Float64Array.of(0.01, 0.02, 0.03, 0.04))).toEqual(first);
  });
});

describe('the laws of divergence', () => {
  it('does not change when every return grows by the same', () => {
    forAll([madeCase, between(-0.5, 0.5)], (made, more) => {
      const before = scoresOf(made);
      const after = scoresOf({ ...made, returns: made.returns.map((value) => value + more) });
      for (const scale of [0, 1, 2]) expectClose(after.scores[scale]!, before.scores[scale]!, 'score');
      expectClose(after.composite, before.composite, 'composite');
    });
  });

  it('grows with the returns', () => {
    forAll([madeCase, between(0.1, 10)], (made, factor) => {
      const before = scoresOf(made).composite.map((value) => value * factor);
      const after = scoresOf({ ...made, returns: made.returns.map((value) => value * factor) });
      expectClose(after.composite, before, 'composite');
    });
  });

  it('goes with the stocks when they change places', () => {
    const withPlaces = madeCase.chain((made) => {
      const places = Array.from({ length: made.stocks }, (_, at) => at);
      return fc.record({
        made: fc.constant(made),
        places: fc.shuffledSubarray(places, { minLength: made.stocks, maxLength: made.stocks }),
      });
    });
    forAll([withPlaces], ({ made, places }) => {
      // Stock s of the first is at place to[s] of the second.
      const to = new Array<number>(made.stocks);
      for (const [place, stock] of places.entries()) to[stock] = place;
      const moved = scoresOf(
        {
          stocks: made.stocks,
          edges: made.edges.map(([one, other, weight]): EdgeRow => [to[one]!, to[other]!, weight]),
          returns: places.map((stock) => made.returns[stock]!),
        },
        places,
      );
      const before = scoresOf(made);
      const expected = places.map((stock) => before.composite[stock]!);
      expectClose(moved.composite, expected, 'composite');
      expect([...moved.peers[2]!]).toEqual(places.map((stock) => before.peers[2]![stock]!));
    });
  });

  it('gives no score to a stock without peers', () => {
    const { composite } = scoresOf({ stocks: 3, edges: [[0, 1, 1]], returns: [0.01, 0.02, 0.03] });
    expect([...composite].map(Number.isNaN)).toEqual([false, false, true]);
  });
});
