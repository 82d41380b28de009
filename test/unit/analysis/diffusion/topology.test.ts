import { describe, expect, it } from 'vitest';
import { correlationFloor, NEAREST, nearestStocks } from '../../../../src/analysis/diffusion/nearest.ts';
import { packTopology, unpackTopology } from '../../../../src/analysis/diffusion/packed.ts';
import { degrees, peerGraph } from '../../../../src/analysis/diffusion/peer-graph.ts';
import { beyondMarket, type ReturnTable, standardised } from '../../../../src/analysis/diffusion/returns.ts';
import { constantCorrelationShrinkage } from '../../../../src/analysis/diffusion/shrinkage.ts';
import { reasonsOf, reportedBits, tieColumns } from '../../../../src/analysis/diffusion/ties.ts';
import { buildTopology } from '../../../../src/analysis/diffusion/topology.ts';

const NO_TIES = { sector: null, industry: null, themes: [] };

/** Stock i on session k: two groups that go by one wave with opposite signs, and a wave of each stock's own. */
function waves(stocks: number, sessions: number): ReturnTable {
  const values = new Float64Array(stocks * sessions);
  for (let i = 0; i < stocks; i++) {
    for (let k = 0; k < sessions; k++) {
      const shared = 0.01 * Math.sin(k * 0.7) * (i < 3 ? 1 : -0.4);
      values[i * sessions + k] = shared + 0.008 * Math.sin((i + 1) * (k + 1) * 1.3) + 0.001 * i;
    }
  }
  return { stocks, sessions, values };
}

/** Made noise of three groups, the same on every run. */
function groups(stocks: number, sessions: number): ReturnTable {
  let state = 7;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296 - 0.5;
  };
  const values = new Float64Array(stocks * sessions);
  for (let k = 0; k < sessions; k++) {
    const market = draw() * 0.03;
    const shared = [draw() * 0.02, draw() * 0.02, draw() * 0.02];
    for (let i = 0; i < stocks; i++) values[i * sessions + k] = market + shared[i % 3]! + draw() * 0.02;
  }
  return { stocks, sessions, values };
}

const correlation = (scores: Float64Array, sessions: number, one: number, other: number): number => {
  let sum = 0;
  for (let k = 0; k < sessions; k++) sum += scores[one * sessions + k]! * scores[other * sessions + k]!;
  return sum / sessions;
};

describe('shrinkage towards constant correlation', () => {
  // PyPortfolioOpt 1.6.0, CovarianceShrinkage.ledoit_wolf('constant_correlation') on the standardised rows, its sample
  // covariance made without a degree of freedom taken off (numpy.cov(bias=True)), as the article has it; the mean of
  // numpy.corrcoef beside the diagonal.
  it.each([
    [6, 12, 0.275309997460962, -0.06955690705847513],
    [8, 40, 0.2159538450496358, -0.043106811592258536],
    [30, 20, 0.4147592245683064, 0.06380103913762139],
  ])('of %i stocks over %i sessions', (stocks, sessions, intensity, mean) => {
    const shrinkage = constantCorrelationShrinkage(standardised(waves(stocks, sessions)), stocks, sessions);
    expect(shrinkage.intensity).toBeCloseTo(intensity, 12);
    expect(shrinkage.meanCorrelation).toBeCloseTo(mean, 12);
  });

  it('leaves nothing of one stock, or of stocks that do not move', () => {
    expect(constantCorrelationShrinkage(standardised(waves(1, 12)), 1, 12).intensity).toBe(1);
    const still = { stocks: 3, sessions: 5, values: new Float64Array(15).fill(0.01) };
    expect([...standardised(still)]).toEqual(new Array(15).fill(0));
    expect(constantCorrelationShrinkage(standardised(still), 3, 5)).toEqual({
      intensity: 1,
      meanCorrelation: 0,
    });
  });
});

describe('standardised returns', () => {
  it('have correlations as products, also where sessions are missing', () => {
    const scores = standardised(waves(8, 40));
    // numpy.corrcoef of the same figures.
    expect(correlation(scores, 40, 0, 1)).toBeCloseTo(0.6002427110080328, 12);
    const gappy = waves(3, 40);
    gappy.values.fill(Number.NaN, 0, 10);
    const short = standardised(gappy);
    expect([...short.subarray(0, 10)]).toEqual(new Array(10).fill(0));
    expect(correlation(short, 40, 0, 0)).toBeCloseTo(1, 12);
  });
});

describe('returns beyond the market', () => {
  it('have no part of the mean of all', () => {
    const table = groups(30, 100);
    const left = beyondMarket(table);
    const market = Array.from({ length: 100 }, (_, k) => {
      let sum = 0;
      for (let i = 0; i < 30; i++) sum += table.values[i * 100 + k]!;
      return sum / 30;
    });
    const centre = market.reduce((sum, value) => sum + value, 0) / 100;
    for (let i = 0; i < 30; i++) {
      let covariance = 0;
      for (let k = 0; k < 100; k++) covariance += left.values[i * 100 + k]! * (market[k]! - centre);
      expect(Math.abs(covariance)).toBeLessThan(1e-12);
    }
  });

  it('leave missing ones missing', () => {
    const table = waves(3, 10);
    table.values[4] = Number.NaN;
    expect([...beyondMarket(table).values].map(Number.isNaN).indexOf(true)).toBe(4);
  });
});

describe('the nearest', () => {
  const ties = Array.from({ length: 70 }, (_, i) => ({
    sector: i % 5 === 0 ? null : `s${i % 4}`,
    industry: i % 7 === 0 ? 'i' : null,
    themes: i % 9 === 0 ? ['a', 'b'] : i % 11 === 0 ? ['b'] : [],
  }));

  it('are those that a walk over all pairs finds, across the edges of tiles', () => {
    const table = groups(70, 50);
    const scores = standardised(table);
    const shrinkage = { intensity: 0.3, meanCorrelation: 0.1 };
    const columns = tieColumns(ties);
    const nearest = nearestStocks(scores, 70, 50, shrinkage, columns);
    for (let one = 0; one < 70; one++) {
      const all: { other: number; affinity: number }[] = [];
      for (let other = 0; other < 70; other++) {
        if (other === one) continue;
        const sample = correlation(scores, 50, one, other);
        const bits = reportedBits(columns, one, other);
        const bonus = (bits & 2 ? 0.1 : 0) + (bits & 4 ? 0.15 : 0) + (bits & 8 ? 0.05 : 0);
        const affinity = 0.7 * sample + 0.3 * 0.1 + bonus;
        if ((sample >= 2 / Math.sqrt(50) || bits !== 0) && affinity > 0) all.push({ other, affinity });
      }
      all.sort((a, b) => b.affinity - a.affinity);
      const found = all.slice(0, NEAREST).map(({ other }) => other);
      const from = one * NEAREST;
      expect([...nearest.stock.subarray(from, from + nearest.count[one]!)]).toEqual(found);
    }
  });

  it('need a correlation of two standard errors, or a tie', () => {
    const floor = correlationFloor(100);
    expect(floor).toBe(0.2);
    // Two rows of ones and minus ones that agree on 60 or on 59 of 100 sessions.
    const pair = (agreeing: number): Float64Array =>
      Float64Array.from({ length: 200 }, (_, at) => {
        const sign = at % 2 === 0 ? 1 : -1;
        return at >= 100 && at - 100 >= agreeing ? -sign : sign;
      });
    const none = { intensity: 0, meanCorrelation: 0 };
    const count = (agreeing: number, tied: readonly (typeof NO_TIES | { sector: string })[]) =>
      nearestStocks(pair(agreeing), 2, 100, none, tieColumns(tied.map((tie) => ({ ...NO_TIES, ...tie }))))
        .count[0];
    expect(count(60, [NO_TIES, NO_TIES])).toBe(1);
    expect(count(59, [NO_TIES, NO_TIES])).toBe(0);
    expect(count(59, [{ sector: 'x' }, { sector: 'x' }])).toBe(1);
    expect(count(59, [{ sector: 'x' }, { sector: 'y' }])).toBe(0);
    // A tie is none of two that go against one another: -0.1 and 0.1 is not above 0.
    expect(count(45, [{ sector: 'x' }, { sector: 'x' }])).toBe(0);
  });
});

describe('a topology', () => {
  const table = groups(90, 252);
  const symbols = Array.from({ length: 90 }, (_, i) => `S${i}`);
  const topology = buildTopology(
    symbols,
    table,
    symbols.map(() => NO_TIES),
  );
  const { graph } = topology.walk;

  it('is symmetric, positive and without a stock that is its own peer', () => {
    for (let stock = 0; stock < 90; stock++) {
      for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
        const other = graph.peer[at]!;
        expect(other).not.toBe(stock);
        expect(graph.weight[at]).toBeGreaterThan(0);
        const row = graph.peer.subarray(graph.rowStart[other]!, graph.rowStart[other + 1]!);
        const back = graph.rowStart[other]! + row.indexOf(stock);
        expect(graph.weight[back]).toBe(graph.weight[at]);
        expect(graph.reasons[back]).toBe(graph.reasons[at]);
      }
    }
    const chances = topology.walk.chance;
    const row = chances.subarray(graph.rowStart[5]!, graph.rowStart[6]!);
    expect(row.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(0.5, 12);
    expect(degrees(graph).every((degree) => degree > 0)).toBe(true);
  });

  it('finds the groups again', () => {
    let within = 0;
    for (let stock = 0; stock < 90; stock++) {
      for (let at = graph.rowStart[stock]!; at < graph.rowStart[stock + 1]!; at++) {
        if (graph.peer[at]! % 3 === stock % 3) within++;
      }
    }
    // By chance it would be 29 of 89.
    expect(within / graph.peer.length).toBeGreaterThan(0.95);
  });

  it('counts an edge in full where each chose the other, and by half where one did', () => {
    const nearest = {
      stock: new Int32Array(3 * NEAREST).fill(-1),
      affinity: new Float64Array(3 * NEAREST),
      correlation: new Float64Array(3 * NEAREST),
      reasons: new Uint8Array(3 * NEAREST).fill(3),
      count: Uint32Array.of(1, 1, 1),
    };
    for (const [stock, peer, affinity] of [
      [0, 1, 0.8],
      [1, 0, 0.8],
      [2, 0, 0.6],
    ] as const) {
      nearest.stock[stock * NEAREST] = peer;
      nearest.affinity[stock * NEAREST] = affinity;
    }
    const small = peerGraph(3, nearest);
    expect([...small.peer]).toEqual([1, 2, 0, 0]);
    expect([...small.weight]).toEqual([0.8, 0.3, 0.8, 0.3]);
    expect(reasonsOf(small.reasons[0]!)).toEqual(['correlation', 'sector']);
  });

  it('comes back from its bytes as it was', () => {
    expect(unpackTopology(packTopology(topology))).toEqual(topology);
    const odd = buildTopology(['Ä', 'B', 'C'], groups(3, 252), [NO_TIES, NO_TIES, NO_TIES]);
    expect(unpackTopology(packTopology(odd))).toEqual(odd);
  });
});
