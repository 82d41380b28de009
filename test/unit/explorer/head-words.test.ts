import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketContext, Stock } from '../../../explorer/src/shared/api/queries.ts';
import { rateWords } from '../../../explorer/src/shared/records.ts';
import { dueOf, gammaWords, sinceWords, stripOf } from '../../../explorer/src/stock/head-words.ts';

const regular = { phase: 'regular', opens_at: '2026-11-27T14:30:00Z', closes_at: '2026-11-27T18:00:00Z' };
const market = {
  clock: {
    trade_date: '2026-11-27',
    at: '2026-11-27T15:12:00Z',
    early_close: true,
    phases: [regular],
    next_departure: { date: '2026-12-24', kind: 'early_close', closes_at: '2026-12-24T18:00:00Z' },
  },
  events: {
    monthly_expiration: { date: '2026-12-18', sessions: 15 },
    results_today: null,
    results_next_5_sessions: { largest: [{ symbol: 'ABCD', date: '2026-12-03', time: 'post_market' }] },
  },
} as unknown as MarketContext;
const price = { trade_date: '2026-11-27' };
const stockOf = (part: object): Stock =>
  ({ symbol: 'ABCD', price, updated_at: '2026-11-27T15:11:00Z', ...part }) as unknown as Stock;

describe('the side of a stock', () => {
  const path = (direction: string, computed_at: string) =>
    stockOf({
      directional_bias: 'bearish',
      conviction_v5: { direction, computed_at },
      conviction_v5_direction_minutes: 32,
    });
  it.each([
    ['since the first score of its run', path('bear', '2026-11-27T15:12:00Z'), 'since 09:40'],
    ['counted from the close of a session that is over', path('bear', '2026-11-29T12:00:00Z'), 'since 12:28'],
    ['not said of another side', path('bull', '2026-11-27T15:12:00Z'), null],
  ])('is %s', (_, stock, words) => expect(sinceWords(stock, market)).toBe(words));
  it('is of no time while the session is not known', () =>
    expect(sinceWords(path('bear', '2026-11-27T15:12:00Z'), undefined)).toBeNull());
});

describe('what is due', () => {
  it('is said nearest first, results with their time', () =>
    expect(dueOf(stockOf({ earnings: { days_until: 6 } }), market)).toEqual([
      'early close today, 13:00',
      'results Thu, Dec 3 after the close',
      'monthly OPEX Fri, Dec 18',
      'early close Thu, Dec 24',
    ]));
  it('is what the stock alone knows beside another session', () =>
    expect(dueOf(stockOf({ earnings: { days_until: 0 } }), undefined)).toEqual(['results today']));
});

it.each([
  ['short_gamma', 76, 75, 'short gamma below 76.00'],
  ['long_gamma', 76, 77, 'long gamma above 76.00'],
  ['short_gamma', 76, 77, 'short gamma, flip 76.00'],
  ['neutral', null, 77, 'neutral gamma'],
  [null, 76, 77, null],
])('dealers of %s with the flip at %s and the price at %s: %s', (gex_regime, flip, last, words) =>
  expect(
    gammaWords({ gex_regime, gex_gamma_flip: flip, last_price: last } as Parameters<typeof gammaWords>[0]),
  ).toBe(words),
);

it.each([
  [{ n: 0, rate: null, chance: null, low: null }, null],
  [{ n: 40, rate: null, chance: null, low: null }, 'too few'],
  [{ n: 400, rate: 0.493, chance: 0.47, low: 0.44 }, 'held 49 %, chance 47'],
])('a record %j is said as %s', (record, words) => expect(rateWords(record)).toBe(words));

it('draws price, range and expected move within the strip', () => {
  const at = fc.double({ min: 1, max: 1000, noNaN: true });
  fc.assert(
    fc.property(at, at, at, at, at, fc.boolean(), (low, high, now, bandLow, bandHigh, hasBand) => {
      const regular = { low: Math.min(low, high), high: Math.max(low, high) };
      const day = hasBand ? { low: Math.min(bandLow, bandHigh), high: Math.max(bandLow, bandHigh) } : null;
      const strip = stripOf({
        price: { regular, day_price: now },
        expected_move: { day },
      } as unknown as Stock);
      if (strip === null) return;
      const places = [...strip.range, ...(strip.band ?? []), strip.at];
      expect(Math.min(...places)).toBe(0);
      expect(Math.max(...places)).toBe(1);
      expect(strip.range[0] <= strip.at && strip.at <= strip.range[1]).toBe(true);
    }),
  );
});
