import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { atr } from '../../../../src/analysis/indicators/true-range.ts';
import { evaluateExpirations } from '../../../../src/analysis/options/dte-evaluator.ts';
import { expirationLives } from '../../../../src/analysis/options/expiration-life.ts';
import { gammaExposure, repricedGamma } from '../../../../src/analysis/options/gamma-exposure.ts';
import { forecastVolatility } from '../../../../src/analysis/options/pricing-edge.ts';
import { type PricedChain, priceChain } from '../../../../src/analysis/options/quotes.ts';
import {
  smiles,
  surfaceFigures,
  volatilityPercentile,
  volatilityRank,
} from '../../../../src/analysis/options/surface.ts';
import { dateOf, midnightUtc, newYorkCalendar } from '../../../../src/base/calendar.ts';
import { realDataPlan } from '../../../../src/files/real-data.ts';
import type { OptionChain } from '../../../../src/market/chains.ts';
import type { Delivery } from '../../../../src/market/feed.ts';
import { validateChain } from '../../../../src/market/validate-chain.ts';
import { termsOf } from '../../../support/made-chain.ts';
import { realDataDirectory } from '../../../support/real-data.ts';
import { deliveriesOf } from '../../market/feed-probe.ts';

/** Own figures of recorded chains beside the vendors', printed for people; the bounds are what is explained beside them. */

const calendar = newYorkCalendar();
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

/** A chain taken on an evening has the quotes of its close. */
const priced = (chain: OptionChain): PricedChain => priceChain(chain.contracts, termsOf(chain));

describe.skipIf(realDataDirectory === null)('recorded chains', () => {
  let chains: readonly OptionChain[] = [];
  const chainOf = (symbol: string, date: string): OptionChain =>
    chains.find((chain) => chain.symbol === symbol && calendar.tradeDateOf(chain.takenAt) === date)!;

  beforeAll(async () => {
    const plan = await realDataPlan(realDataDirectory!, calendar);
    const part = plan.find(({ title }) => title === 'option chains')!;
    const delivered = (await deliveriesOf(part.feed)).filter(
      (delivery): delivery is Extract<Delivery, { kind: 'chain' }> => delivery.kind === 'chain',
    );
    chains = delivered.flatMap(({ chain }) => validateChain(chain).chain ?? []);
  }, 60_000);

  it('of 2026-08-19: deltas and gammas within a hundredth of the vendor at the median', () => {
    const august = chains.filter(({ takenAt }) => calendar.tradeDateOf(takenAt) === '2026-08-19');
    expect(august).toHaveLength(18);
    const off = { iv: [] as number[], delta: [] as number[], gamma: [] as number[] };
    for (const chain of august) {
      const own = priced(chain);
      const { vendorIv, vendorDelta, vendorGamma } = chain.contracts;
      for (let row = 0; row < own.strikes.strike.length; row++) {
        const right = own.strikes.strike[row]! >= own.spot ? 1 : -1;
        const contract = right > 0 ? own.strikes.call[row]! : own.strikes.put[row]!;
        if (contract < 0 || Number.isNaN(own.mid[contract]! + own.strikes.volatility[row]!)) continue;
        const delta = right > 0 ? own.strikes.callDelta[row]! : own.strikes.putDelta[row]!;
        // Gammas are rounded to four decimals; below ten of the last one the rounding is what is compared.
        if (vendorGamma[contract]! >= 0.001) {
          off.gamma.push(Math.abs(own.strikes.gamma[row]! / vendorGamma[contract]! - 1));
        }
        if (Math.abs(vendorDelta[contract]!) > 0) off.delta.push(Math.abs(delta - vendorDelta[contract]!));
        const difference = Math.abs(own.strikes.volatility[row]! - vendorIv[contract]!);
        if (!Number.isNaN(difference)) off.iv.push(difference);
      }
    }
    for (const [name, values] of Object.entries(off)) {
      const known = values.filter((value) => !Number.isNaN(value));
      console.info(
        `${name}: ${known.length} contracts, median ${median(known).toFixed(4)}, 99 % ${percentile(known, 0.99).toFixed(3)}, worst ${Math.max(...known).toFixed(3)}`,
      );
    }
    // Greeks are the exchange's: other quotes of the same close, its own rate and dividends. Volatilities are of another
    // vendor with no carry. The worst are markets many times as wide as their bid, and quotes that nobody renewed.
    expect(median(off.delta)).toBeLessThan(0.01);
    expect(percentile(off.delta, 0.99)).toBeLessThan(0.05);
    expect(Math.max(...off.delta)).toBeLessThan(0.15);
    expect(median(off.gamma)).toBeLessThan(0.03);
    expect(median(off.iv)).toBeLessThan(0.025);
  });

  it.each([
    ['^SPX', '2023-09-14'],
    ['SPY', '2023-09-14'],
    ['^SPX', '2025-01-06'],
    ['SPY', '2025-09-25'],
  ])('%s of %s: gamma exposure and its flip, to follow by hand', (symbol, date) => {
    const chain = chainOf(symbol, date);
    const own = priced(chain);
    const exposure = gammaExposure(own);
    const { callWall, putWall, flip, cumulativeFlip, regime, coverage, total } = exposure;
    const { right, openInterest, vendorGamma } = chain.contracts;
    let vendor = 0;
    for (let row = 0; row < right.length; row++) {
      const product = right[row]! * vendorGamma[row]! * openInterest[row]! * 100 * own.spot ** 2 * 0.01;
      if (!Number.isNaN(product)) vendor += product;
    }
    console.info(
      `${symbol} ${date}: spot ${own.spot}, calls ${(total.callGamma / 1e9).toFixed(3)}, puts ${(total.putGamma / 1e9).toFixed(3)}, net ${(total.netGamma / 1e9).toFixed(3)} billion USD per 1 % (the vendor's gammas: net ${(vendor / 1e9).toFixed(3)}), flip ${flip.toFixed(2)}, cumulative ${cumulativeFlip.toFixed(2)}, walls ${callWall} and ${putWall}, ${regime}, coverage ${coverage.toFixed(3)}`,
    );
    expect(coverage).toBeGreaterThan(0.85);
    const net = repricedGamma(own);
    expect(net(Math.log(flip * 1.0001)) * net(Math.log(flip / 1.0001))).toBeLessThan(0);
    // The line of the call wall by its own greeks: gamma x contracts x 100 x S^2 x 0.01 of every expiration.
    let wall = 0;
    for (let row = 0; row < own.strikes.strike.length; row++) {
      if (own.strikes.strike[row] !== callWall || Number.isNaN(own.strikes.gamma[row]!)) continue;
      wall += own.strikes.gamma[row]! * (own.strikes.callOpenInterest[row]! || 0) * own.spot ** 2;
    }
    expect(exposure.byStrike.find(({ strike }) => strike === callWall)!.callGamma / wall).toBeCloseTo(1, 9);
    // The same side of the book as the vendor's gammas, which count no weekend, give or take a seventh of the gross.
    const gross = total.callGamma + total.putGamma;
    expect(Math.abs(total.netGamma - vendor) / gross).toBeLessThan(0.15);
  });

  it('of AAPL and NVDA at 2026-08-19: a verdict on every expiration', () => {
    for (const symbol of ['AAPL', 'NVDA']) {
      const chain = chainOf(symbol, '2026-08-19');
      const own = priced(chain);
      const points = smiles(own);
      const daily = recentDaily(symbol);
      const inputs = {
        chain: own,
        smiles: points,
        surface: surfaceFigures(own, points),
        exposure: gammaExposure(own),
        lives: expirationLives(own.expirations, own.today, 0, (date) => calendar.isSession(dateOf(date))),
        atr: atr(daily.high, daily.low, daily.close, 14).at(-1)!,
        ivPercentile: Number.NaN,
        forecastVolatility: forecastVolatility(daily.close),
        earningsDates: [],
      };
      const verdict = evaluateExpirations({ ...inputs, timeframe: 'swing', direction: 'bullish' });
      const best = verdict.expirations[verdict.recommended]!;
      console.info(
        `${symbol}: ATR ${inputs.atr.toFixed(2)}, 30-day IV ${inputs.surface.atTheMoney30.toFixed(4)}, recommended ${dateOf(best.date)} with ${best.composite.toFixed(1)} (${best.confidence})\n${verdict.expirations
          .map(
            ({ date, days, composite, scores, gatedFor }) =>
              `  ${dateOf(date)} ${days} d: ${composite.toFixed(1)} of edge ${scores.edge_ratio.toFixed(0)}, iv ${scores.iv_fitness.toFixed(0)}, dealers ${scores.dealer_flow.toFixed(0)}, liquidity ${scores.liquidity.toFixed(0)}${gatedFor.length > 0 ? ' gated' : ''}`,
          )
          .join('\n')}\n  ${Object.values(best.details).join('\n  ')}`,
      );
      expect(verdict.expirations).toHaveLength(symbol === 'AAPL' ? 21 : own.expirations.length);
      expect(best.gatedFor).toEqual([]);
      // A week's trade wants more than a week and less than a quarter.
      expect(best.days).toBeGreaterThanOrEqual(7);
      expect(best.days).toBeLessThanOrEqual(95);
    }
  });

  it('rank and percentile of the recorded year of implied volatility', () => {
    const lines = textOf('options/iv_history.csv.gz').split('\n');
    // Counted in Python with csv, min, max and sum: 251 days of the broker, 1 of them blank, the last 0.21238504.
    const days = lines
      .map((line) => line.split(','))
      .filter(([, ticker, , , source]) => ticker === 'AAPL' && source?.trim() === 'ibkr')
      .map(([, , iv]) => Number(iv));
    const history = Float64Array.from(days.slice(0, -1));
    const today = days.at(-1)!;
    console.info(
      `AAPL: ${days.length} days, ${today}, rank ${volatilityRank(history, today).toFixed(2)}, percentile ${volatilityPercentile(history, today).toFixed(2)}`,
    );
    expect(days).toHaveLength(251);
    expect(volatilityRank(history, today)).toBeCloseTo(28.435825139, 6);
    expect(volatilityPercentile(history, today)).toBeCloseTo(10.441767068, 6);
  });
});

const textOf = (path: string): string => gunzipSync(readFileSync(join(realDataDirectory!, path))).toString();

function recentDaily(symbol: string) {
  const rows = textOf('daily/recent_daily_2024_2026.csv.gz')
    .split('\n')
    .map((line) => line.split(','))
    .filter(([ticker, date]) => ticker === symbol && midnightUtc(date!) <= midnightUtc('2026-08-19'));
  const column = (index: number): Float64Array => Float64Array.from(rows, (row) => Number(row[index]));
  return { high: column(3), low: column(4), close: column(5) };
}
