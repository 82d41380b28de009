import { describe, expect, it } from 'vitest';
import { atr } from '../../../../src/analysis/indicators/true-range.ts';
import type { Timeframe } from '../../../../src/analysis/options/dte-axes.ts';
import { type DteVerdict, evaluateExpirations } from '../../../../src/analysis/options/dte-evaluator.ts';
import { expirationLives, sessionShareLeft } from '../../../../src/analysis/options/expiration-life.ts';
import { gammaExposure } from '../../../../src/analysis/options/gamma-exposure.ts';
import { forecastVolatility } from '../../../../src/analysis/options/pricing-edge.ts';
import { smiles, surfaceFigures } from '../../../../src/analysis/options/surface.ts';
import { dateOf, newYorkCalendar } from '../../../../src/base/calendar.ts';
import type { OptionChain } from '../../../../src/market/chains.ts';
import { INDEX_FUND } from '../../../../src/simulated/companies.ts';
import { pricedOf } from '../../../support/made-chain.ts';
import { type Delivered, deliveredBySymbol } from '../../market/simulated-probe.ts';

/** Chains of the simulated market, taken a quarter of an hour before the close with contracts of the day among them. */

const calendar = newYorkCalendar();

function verdictOf(
  raw: OptionChain,
  daily: NonNullable<Delivered['daily']>,
  timeframe: Timeframe,
): DteVerdict {
  const chain = pricedOf(raw);
  const points = smiles(chain);
  const rows = daily.time.findLastIndex((time) => time < chain.today) + 1;
  const [high, low, close] = [daily.high, daily.low, daily.close].map((column) => column.subarray(0, rows));
  return evaluateExpirations({
    chain,
    smiles: points,
    surface: surfaceFigures(chain, points),
    exposure: gammaExposure(chain),
    lives: expirationLives(
      chain.expirations,
      chain.today,
      sessionShareLeft(calendar.session(dateOf(chain.today)), chain.at),
      (date) => calendar.isSession(dateOf(date)),
    ),
    atr: atr(high!, low!, close!, 14).at(-1)!,
    ivPercentile: Number.NaN,
    forecastVolatility: forecastVolatility(close!),
    earningsDates: [],
    timeframe,
    direction: 'bullish',
  });
}

describe('simulated chains', () => {
  it('never have a dying option recommended, nor for a week one that ends within it', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 4, days: 60, minuteSessions: 10, chainSessions: 10 });
    let dying = 0;
    for (const { chains, daily } of bySymbol.values()) {
      for (const chain of chains) {
        const levels = smiles(pricedOf(chain)).map(({ atTheMoney }) => atTheMoney);
        for (const timeframe of ['intraday', 'swing', 'position'] as const) {
          const { expirations, recommended } = verdictOf(chain, daily!, timeframe);
          const today = expirations.filter(({ days }) => days === 0);
          dying += today.length;
          // Without a volatility at the money there is none.
          for (const one of today) {
            const isKnown = !Number.isNaN(levels[expirations.indexOf(one)]!);
            expect(one.scores.edge_ratio).toBe(isKnown ? 0 : Number.NaN);
          }
          // Today counts: five sessions end on Friday from Monday, twenty on Friday three weeks later.
          const minDays = { intraday: 1, swing: 4, position: 25 }[timeframe];
          expect(expirations[recommended]!.days).toBeGreaterThanOrEqual(minDays);
        }
      }
    }
    expect(dying).toBeGreaterThan(100);
  });

  it('of the index fund: a week holds an option of a week', async () => {
    const { chains, daily } = (
      await deliveredBySymbol({ symbols: 1, days: 60, minuteSessions: 3, chainSessions: 3 }, INDEX_FUND)
    ).get(INDEX_FUND)!;
    const recommended = chains.map((chain) => {
      const verdict = verdictOf(chain, daily!, 'swing');
      expect(verdict.expirations[0]!.days).toBe(0);
      return verdict.expirations[verdict.recommended]!.days;
    });
    console.info(`${INDEX_FUND}: ${recommended.join(', ')} days for a week`);
    for (const days of recommended) {
      expect(days).toBeGreaterThanOrEqual(6);
      expect(days).toBeLessThanOrEqual(14);
    }
  });
});
