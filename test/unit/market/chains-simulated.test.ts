import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HISTORY_DAYS_MIN,
  smiles,
  surfaceFigures,
  volatilityRank,
} from '../../../src/analysis/options/surface.ts';
import { DAY_MS, dateOf, newYorkCalendar } from '../../../src/base/calendar.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import {
  deviationAt,
  diffusedVariance,
  europeanValues,
  type ImpliedSurface,
  impliedSurface,
  normalCdf,
} from '../../../src/simulated/chain-surface.ts';
import {
  listedExpirations,
  listedStrikes,
  listingCycleOf,
  quoteAround,
} from '../../../src/simulated/chains.ts';
import { companySymbols, INDEX_FUND } from '../../../src/simulated/companies.ts';
import { simulatedMarket, simulatedSymbol } from '../../../src/simulated/market.ts';
import { pricedOf } from '../../support/made-chain.ts';
import { numbers, words } from '../../support/tables.ts';
import { deliveredBySymbol, END } from './simulated-probe.ts';

const calendar = newYorkCalendar();
const SURFACE: ImpliedSurface = {
  spot: 100,
  varianceNow: 0.09,
  varianceLong: 0.06,
  reportVariance: 0.002,
  nextReport: 0.1,
  jumpsAYear: 1.2,
  jumpMean: -0.05,
  jumpDeviation: 0.06,
  rate: 0.04,
  dividendYield: 0.01,
};

describe('what the simulated option market implies', () => {
  it('has the shares of a standard normal', () => {
    // Python's math.erfc.
    const known: [number, number][] = numbers`
      -9 1.1285884059538422e-19, -3.5 2.3262907903552504e-4, -1 0.15865525393145707, -0.1 0.460172162722971,
      0 0.5, 0.5 0.6914624612740131, 1.96 0.9750021048517795`;
    for (const [x, share] of known) expect(Math.abs(normalCdf(x) - share)).toBeLessThan(2e-15);
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
  });

  it('prices European options as the characteristic function of the same process does', () => {
    // Lewis (2001), equation 3.11, integrated numerically in Python: 200,000 points up to 400.
    const known: [strike: number, years: number, call: number, put: number][] = numbers`
      95 0.25 9.202080781925355 3.5065027483503135, 100 1 12.647788619346032 9.721749159661535,
      130 2 8.259473515208946 30.244731214796072, 80 0.02 20.044467442176817 0.0004910354848490783`;
    for (const [strike, years, call, put] of known) {
      const { calls, puts } = europeanValues(SURFACE, years, [strike]);
      expect(calls[0]).toBeCloseTo(call, 7);
      expect(puts[0]).toBeCloseTo(put, 7);
    }
  });

  it('never has less variance later, and more on the day of a report', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (years, more) => {
          expect(diffusedVariance(SURFACE, years + more)).toBeGreaterThanOrEqual(
            diffusedVariance(SURFACE, years),
          );
        },
      ),
    );
    const step = diffusedVariance(SURFACE, 0.1) - diffusedVariance(SURFACE, 0.1 - 1e-9);
    expect(step).toBeCloseTo(SURFACE.reportVariance, 8);
  });

  it('is dearer in a stressed market than in a calm one', () => {
    const market = simulatedMarket(7, END, calendar);
    const fund = simulatedSymbol(market, INDEX_FUND)!;
    const index = market.path.volatilityIndex;
    const sessions = [...index.keys()].slice(1, -1).sort((a, b) => index[a]! - index[b]!);
    const monthOf = (session: number) =>
      deviationAt(impliedSurface(market, fund.company!, fund.path, session + 1, 100), 30 / 365) *
      Math.sqrt(365 / 30);
    const [calm, stressed] = [monthOf(sessions[10]!), monthOf(sessions.at(-10)!)];
    expect(calm).toBeLessThan(0.2);
    expect(stressed).toBeGreaterThan(1.7 * calm);
  });
});

describe('the skew', () => {
  /** A put over the call as far away on the other side: 1 without skew (P. Carr, put-call symmetry). */
  function putOverCall(symbol: string, row: number): number {
    const market = simulatedMarket(7, END, calendar);
    const { company, path } = simulatedSymbol(market, symbol)!;
    const surface = impliedSurface(market, company!, path, row, 100);
    const years = 30 / 365;
    const forward = 100 * Math.exp((surface.rate - surface.dividendYield) * years);
    const away = 1.5 * deviationAt(surface, years);
    const { calls } = europeanValues(surface, years, [forward * Math.exp(away)]);
    const { puts } = europeanValues(surface, years, [forward * Math.exp(-away)]);
    return (puts[0]! / calls[0]!) * Math.exp(away);
  }

  it('makes puts dearer than calls, of the index fund much more than of a company', () => {
    const [fund, company] = [putOverCall(INDEX_FUND, 500), putOverCall(companySymbols(1)[0]!, 500)];
    expect(fund).toBeGreaterThan(1.8);
    expect(company).toBeGreaterThan(1.02);
    expect(company).toBeLessThan(fund);
  });
});

describe('the listing', () => {
  it('has dailies, weeklies, third Fridays and Januaries', () => {
    // 2024-03-13 was a Wednesday; 2024-03-29 was Good Friday.
    expect(listedExpirations(calendar, '2024-03-13', 'daily').map(dateOf)).toEqual(
      words`
      2024-03-13 2024-03-14 2024-03-15 2024-03-18 2024-03-19 2024-03-22 2024-03-28 2024-04-05 2024-04-12
      2024-04-19 2024-05-17 2024-06-21 2024-08-16 2024-11-15 2025-01-17 2026-01-16`,
    );
    expect(listedExpirations(calendar, '2024-03-13', 'monthly').map(dateOf)).toEqual(
      words`2024-03-15 2024-04-19 2024-05-17 2024-06-21 2024-08-16 2024-11-15`,
    );
    // The Monday after the third Friday.
    expect(listedExpirations(calendar, '2024-03-18', 'monthly').map(dateOf)[0]).toBe('2024-04-19');
    expect(listedExpirations(calendar, '2024-03-15', 'monthly').map(dateOf)[0]).toBe('2024-03-15');
  });

  it('has strikes on the grid of the exchange around the price', () => {
    expect(listedStrikes(43.63, 0.03, 20).slice(0, 3)).toEqual([40, 40.5, 41]);
    for (const [price, deviation] of [
      [4, 0.5],
      [100, 0.1],
      [3_000, 0.02],
      [650, 0.9],
    ] as const) {
      const strikes = listedStrikes(price, deviation, 30);
      expect(strikes.length).toBeGreaterThan(4);
      expect(strikes.length).toBeLessThanOrEqual(32);
      expect(strikes[0]).toBeLessThan(price);
      expect(strikes.at(-1)).toBeGreaterThan(price);
      expect(strikes.every((strike) => strike > 0 && strike % 0.5 === 0)).toBe(true);
    }
  });

  it('goes by size', () => {
    const market = simulatedMarket(7, END, calendar);
    const cycle = (symbol: string) => {
      const found = simulatedSymbol(market, symbol);
      return found === null ? 'absent' : listingCycleOf(found);
    };
    const symbols = companySymbols(2_100);
    expect([INDEX_FUND, symbols[0]!, '^SIMVIX'].map(cycle)).toEqual(['daily', 'daily', null]);
    expect(symbols.slice(8, 16).map(cycle)).toContain('weekly');
    expect(symbols.slice(200, 208).map(cycle)).toContain('monthly');
    expect(
      symbols
        .slice(2_000, 2_020)
        .map(cycle)
        .filter((word) => word !== 'absent')
        .every((word) => word === null),
    ).toBe(true);
  });
});

describe('quotes', () => {
  it('lie around the value, on the grid, without a bid for what is worth next to nothing', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 500, noNaN: true }),
        fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
        (value, cycle) => {
          const { bid, ask } = quoteAround(value, 0.001, cycle);
          expect(bid).toBeGreaterThanOrEqual(0);
          expect(bid).toBeLessThanOrEqual(value);
          expect(ask).toBeGreaterThanOrEqual(value);
          expect(ask).toBeGreaterThan(bid);
          expect(Math.abs(ask * 100 - Math.round(ask * 100))).toBeLessThan(1e-9);
        },
      ),
    );
    expect(quoteAround(0.005, 0, 'daily')).toEqual({ bid: 0, ask: 0.02 });
    expect(quoteAround(12.34, 0, 'weekly')).toEqual({ bid: 12.1, ask: 12.6 });
  });
});

/** Rows of one expiration and right, strikes ascending. */
function sides({ contracts }: OptionChain): number[][] {
  const rows = [...contracts.strike.keys()];
  return [...Map.groupBy(rows, (row) => `${contracts.expiration[row]} ${contracts.right[row]}`).values()];
}

describe('simulated chains', () => {
  const chains = deliveredBySymbol({ symbols: 40, chainSessions: 2 }).then((bySymbol) =>
    [...bySymbol.values()].flatMap((of) => of.chains.map((chain) => validateChain(chain).chain!)),
  );

  it('are valid as a whole, in their order', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 12 });
    for (const { chains: quoted } of bySymbol.values()) {
      for (const chain of quoted) expect(validateChain(chain)).toEqual({ chain, refused: [] });
    }
  });

  it('come a quarter of an hour before the close, at the price of that minute', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 3, chainSessions: 6 });
    const { chains: quoted, minutes } = bySymbol.get(INDEX_FUND)!;
    // The half day after Thanksgiving is among the last six sessions.
    expect(quoted.map(({ takenAt }) => new Date(takenAt).toISOString())).toContain(
      '2025-11-28T17:45:00.000Z',
    );
    for (const { takenAt, underlyingPrice } of quoted) {
      const bars = minutes.find(({ time }) => time[0]! < takenAt && time.at(-1)! >= takenAt)!;
      const row = bars.time.findLastIndex((time) => time + 60_000 <= takenAt);
      expect(underlyingPrice).toBe(bars.close[row]);
    }
  });

  it('offer nothing for nothing: no vertical, butterfly, calendar or conversion at bid and ask', async () => {
    let checked = 0;
    for (const chain of await chains) {
      const { strike, bid, ask, right, expiration } = chain.contracts;
      const { underlyingPrice } = chain;
      const cheapest = new Map<string, number>();
      for (const rows of sides(chain)) {
        for (const [place, row] of rows.entries()) {
          checked++;
          const side = right[row]!;
          assert(ask[row]! >= Math.max(side * (underlyingPrice - strike[row]!), 0) - 1e-9);
          assert(bid[row]! <= (side === 1 ? underlyingPrice : strike[row]!) + 1e-9);
          const next = rows[place + 1];
          const last = rows[place + 2];
          if (next !== undefined) {
            const [dear, cheap] = side === 1 ? [row, next] : [next, row];
            assert(bid[cheap]! <= ask[dear]! + 1e-9);
            // American: the whole distance can be had at once.
            assert(bid[dear]! - ask[cheap]! <= strike[next]! - strike[row]! + 1e-9);
          }
          if (next !== undefined && last !== undefined) {
            const weight = (strike[last]! - strike[next]!) / (strike[last]! - strike[row]!);
            assert(bid[next]! <= weight * ask[row]! + (1 - weight) * ask[last]! + 1e-9);
          }
          const key = `${side} ${strike[row]}`;
          const sooner = cheapest.get(key) ?? 0;
          assert(ask[row]! >= sooner - 1e-9);
          cheapest.set(key, Math.max(sooner, bid[row]!));
        }
      }
      for (let row = 0; row + 1 < strike.length; row++) {
        if (strike[row] !== strike[row + 1] || expiration[row] !== expiration[row + 1]) continue;
        // The bounds of an American conversion at 4 %, with no more than the dividends of a high yield.
        const years = (calendar.session(dateOf(expiration[row]!))!.close - chain.takenAt) / (365 * DAY_MS);
        const discounted = strike[row]! * Math.exp(-0.04 * years);
        assert(bid[row]! - ask[row + 1]! <= underlyingPrice - discounted + 1e-9);
        const undivided = underlyingPrice * Math.exp(-0.06 * years);
        assert(ask[row]! - bid[row + 1]! >= undivided - strike[row]! - 1e-9);
      }
    }
    assert(checked > 20_000);
  });

  it('have a market as people know it: tight spreads near the money, volume under open interest', async () => {
    const fund = (await chains).find(({ symbol }) => symbol === INDEX_FUND)!;
    const { contracts, underlyingPrice } = fund;
    const rows = [...contracts.strike.keys()];
    const near = rows.filter(
      (at) => Math.abs(contracts.strike[at]! / underlyingPrice - 1) < 0.02 && contracts.bid[at]! > 1,
    );
    const spreads = near
      .map((at) => (contracts.ask[at]! - contracts.bid[at]!) / contracts.ask[at]!)
      .sort((a, b) => a - b);
    expect(spreads[spreads.length >> 1]).toBeLessThan(0.04);
    const sum = (column: Float64Array) => column.reduce((total, value) => total + value, 0);
    expect(sum(contracts.volume)).toBeGreaterThan(0);
    expect(sum(contracts.volume)).toBeLessThan(sum(contracts.openInterest));
    expect(rows.some((at) => contracts.bid[at] === 0)).toBe(true);
  });

  it('are the same whatever else is requested, and for the same seed on every machine', async () => {
    const small = await deliveredBySymbol({ symbols: 3, days: 5, minuteSessions: 2, chainSessions: 1 });
    const large = await deliveredBySymbol({
      symbols: 5,
      days: 60,
      minuteSessions: 7,
      chainSessions: 7,
      end: '2025-12-12',
    });
    const hash = createHash('sha256');
    for (const [symbol, { chains: quoted }] of small) {
      for (const chain of quoted) {
        expect(large.get(symbol)!.chains).toContainEqual(chain);
        const { settlement: _, ...columns } = chain.contracts;
        for (const column of Object.values(columns)) hash.update(column);
      }
    }
    // No outside source: it pins the model, and changes together with MODEL_VERSION.
    expect(hash.digest('hex')).toBe('2983d72220cf62ba5a56c69baa19269d387708989f58254fec5a51e846e5a536');
  });

  it('come with a history of volatility in which their own has its place', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 3, days: 130 });
    for (const { chains: quoted, daily, volatility } of bySymbol.values()) {
      if (daily === null || quoted.length === 0) continue;
      const { time, implied } = volatility!;
      expect(time.length).toBeGreaterThanOrEqual(HISTORY_DAYS_MIN + 1);
      const chain = pricedOf(quoted.at(-1)!);
      const own = surfaceFigures(chain, smiles(chain)).atTheMoney30;
      const row = time.indexOf(chain.today);
      // Between two expirations the chain's own is interpolated.
      expect(Math.abs(implied[row]! / own - 1)).toBeLessThan(0.05);
      expect(volatilityRank(implied.subarray(0, row), own)).toBeGreaterThanOrEqual(0);
    }
    const later = await deliveredBySymbol({ symbols: 3, days: 5 });
    const [whole, part] = [bySymbol, later].map((of) => of.get(INDEX_FUND)!.volatility!);
    expect(part!.implied).toEqual(whole!.implied.slice(-part!.implied.length));
    expect(bySymbol.get('^SIMVIX')!.volatility).toBeNull();
  });

  it('come with the newest three sessions of minutes, so that two are known all day, and not without minutes', async () => {
    const without = await deliveredBySymbol({ symbols: 3, minuteSessions: 0 });
    expect([...without.values()].every((of) => of.chains.length === 0)).toBe(true);
    const usual = await deliveredBySymbol({ symbols: 3 });
    expect(usual.get(INDEX_FUND)!.chains.length).toBe(3);
    expect(usual.get('^SIMVIX')!.chains).toEqual([]);
  });
});
