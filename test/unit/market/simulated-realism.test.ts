import { beforeAll, describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { companySymbols } from '../../../src/simulated/companies.ts';
import {
  missingFrom,
  type SimulatedMarket,
  type SimulatedSymbol,
  simulatedMarket,
  simulatedSymbol,
} from '../../../src/simulated/market.ts';
import { expectedVariance } from '../../../src/simulated/market-path.ts';
import { deliveredBySymbol } from './simulated-probe.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

function moments(values: readonly number[]): { deviation: number; kurtosis: number } {
  const centre = mean(values);
  const variance = mean(values.map((x) => (x - centre) ** 2));
  return {
    deviation: Math.sqrt(variance),
    kurtosis: mean(values.map((x) => (x - centre) ** 4)) / variance ** 2,
  };
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = mean(a.map((x, i) => (x - meanA) * (b[i]! - meanB)));
  return product / (moments(a).deviation * moments(b).deviation);
}

/** Log returns from close to close, splits taken out by the basis of the close before. */
const returnsOf = ({ path }: SimulatedSymbol): number[] =>
  Array.from({ length: path.rows - 1 }, (_, i) => Math.log(path.close[i + 1]! / path.priorClose[i + 1]!));

describe('the simulated market', () => {
  let market: SimulatedMarket;
  let companies: { symbol: SimulatedSymbol; returns: number[] }[];
  beforeAll(() => {
    market = simulatedMarket(7, '2025-12-05', newYorkCalendar());
    companies = companySymbols(150)
      .flatMap((symbol) => simulatedSymbol(market, symbol) ?? [])
      .filter(({ path }) => path.rows === market.timeline.day.length)
      .map((symbol) => ({ symbol, returns: returnsOf(symbol) }));
  });

  it('has volatilities of shares, fat tails and no memory in returns', () => {
    const annual = companies.map(({ returns }) => moments(returns).deviation * Math.sqrt(252));
    expect(Math.min(...annual)).toBeGreaterThan(0.15);
    expect(Math.max(...annual)).toBeLessThan(0.7);
    expect(median(annual)).toBeLessThan(0.45);
    const kurtosis = companies.map(({ returns }) => moments(returns).kurtosis);
    expect(kurtosis.filter((value) => value > 4).length / kurtosis.length).toBeGreaterThan(0.95);
    expect(median(kurtosis)).toBeGreaterThan(4.5);
    expect(
      Math.abs(mean(companies.map(({ returns }) => correlation(returns.slice(1), returns.slice(0, -1))))),
    ).toBeLessThan(0.05);
  });

  it('has volatility that comes in clusters', () => {
    for (const lag of [1, 5, 20]) {
      const memory = companies.map(({ returns }) => {
        const size = returns.map(Math.abs);
        return correlation(size.slice(lag), size.slice(0, -lag));
      });
      expect(mean(memory)).toBeGreaterThan(0.05);
    }
  });

  it('correlates companies of a sector more than others, and of an industry still more', () => {
    const pairs = { industry: [] as number[], sector: [] as number[], none: [] as number[] };
    const scored = companies.slice(0, 70).map(({ symbol, returns }) => {
      const [centre, { deviation }] = [mean(returns), moments(returns)];
      return { symbol, scores: Float64Array.from(returns, (x) => (x - centre) / deviation) };
    });
    for (const [i, a] of scored.entries()) {
      for (const b of scored.slice(0, i)) {
        let value = 0;
        for (let row = 0; row < a.scores.length; row++) value += a.scores[row]! * b.scores[row]!;
        value /= a.scores.length;
        if (a.symbol.company!.industry === b.symbol.company!.industry) pairs.industry.push(value);
        else if (a.symbol.company!.sector === b.symbol.company!.sector) pairs.sector.push(value);
        else pairs.none.push(value);
      }
    }
    expect(mean(pairs.none)).toBeGreaterThan(0.15);
    expect(mean(pairs.sector)).toBeGreaterThan(mean(pairs.none) + 0.05);
    expect(mean(pairs.industry)).toBeGreaterThan(mean(pairs.sector));
  });

  it('trades more when it moves more', () => {
    const related = companies.map(({ symbol, returns }) =>
      correlation([...symbol.path.volume.subarray(1)].map(Math.log), returns.map(Math.abs)),
    );
    expect(mean(related)).toBeGreaterThan(0.3);
  });

  it('visits all regimes, and the volatility index knows them', () => {
    const levels = [0, 1, 2].map((regime) =>
      mean([...market.path.volatilityIndex].filter((_, s) => market.path.regime[s] === regime)),
    );
    expect(levels[0]).toBeLessThan(levels[1]!);
    expect(levels[1]).toBeLessThan(levels[2]!);
    expect(expectedVariance(0)).toBeLessThan(expectedVariance(1));
    expect(expectedVariance(1)).toBeLessThan(expectedVariance(2));
    const fund = returnsOf(simulatedSymbol(market, 'SIMX')!);
    const index = returnsOf(simulatedSymbol(market, '^SIMVIX')!);
    expect(correlation(fund, index)).toBeLessThan(-0.4);
  });

  it('opens with gaps', () => {
    const gaps = companies.map(({ symbol: { path } }) =>
      median(Array.from(path.open, (open, row) => Math.abs(Math.log(open / path.priorClose[row]!)))),
    );
    expect(median(gaps)).toBeGreaterThan(0.003);
    expect(median(gaps)).toBeLessThan(0.015);
  });

  it('has listings and departures, halts, outages and lost days', () => {
    const all = companySymbols(250).flatMap((symbol) => simulatedSymbol(market, symbol) ?? []);
    const sessions = market.timeline.day.length;
    expect(all.some(({ path }) => path.firstSession > 0)).toBe(true);
    expect(all.some(({ path }) => path.firstSession + path.rows < sessions)).toBe(true);
    const kinds = { halts: 0, outages: 0, lostDays: 0, lostBars: 0 };
    for (const symbol of all) {
      for (let session = Math.max(sessions - 60, symbol.path.firstSession); session < sessions; session++) {
        const missing = missingFrom(market, symbol, session);
        if (missing.haltTo > missing.haltFrom) kinds.halts++;
        if (missing.lostTo > missing.lostFrom) kinds.outages++;
        if (missing.dayLost) kinds.lostDays++;
        if (missing.dailyLost) kinds.lostBars++;
      }
    }
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(0);
  });

  it('trades most at the open and the close and least at noon', async () => {
    const byHalfHour = new Float64Array(13);
    const calendar = newYorkCalendar();
    for (const { minutes } of (await deliveredBySymbol({ symbols: 20, minuteSessions: 4 })).values()) {
      for (const part of minutes) {
        for (const [row, time] of part.time.entries()) {
          const { open, close } = calendar.sessionHolding(time)!;
          const block = Math.floor((time - open) / 1_800_000);
          if (time >= open && time < close) byHalfHour[block] = byHalfHour[block]! + part.volume[row]!;
        }
      }
    }
    const noon = byHalfHour[6]!;
    expect(byHalfHour[0]).toBeGreaterThan(2 * noon);
    expect(byHalfHour[12]).toBeGreaterThan(1.5 * noon);
    expect(byHalfHour[1]).toBeGreaterThan(noon);
    expect(byHalfHour[11]).toBeGreaterThan(noon);
  });
});
