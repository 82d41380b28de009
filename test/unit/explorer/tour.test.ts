import { describe, expect, it } from 'vitest';
import { breakOf } from '../../../explorer/src/home/home.tsx';
import type { MarketContext, Stock } from '../../../explorer/src/shared/api/queries.ts';
import { tourSteps } from '../../../explorer/src/stock/tour-steps.ts';

const at = (clock: string): string => `2026-11-27T${clock}:00.000Z`;
const market = {
  clock: {
    trade_date: '2026-11-27',
    phases: [{ phase: 'regular', opens_at: at('14:30'), closes_at: at('18:00') }],
  },
} as unknown as MarketContext;

const level = (name: string, family: string, state: string, decided: string, strength: number) => ({
  name,
  family,
  state,
  strength,
  price: 76.5,
  decided_at: at(decided),
});
const stock = {
  directional_bias: 'bearish',
  price: {
    trade_date: '2026-11-27',
    regular: { open: 77.5 },
    gap_pct: -0.9,
    official_close: 75.77,
    change_pct: -3.13,
  },
  level_ladder: {
    levels: [
      level('orb_15m_low', 'opening', 'broken', '14:52', 0.9),
      level('pdl', 'prior_day', 'broken', '15:10', 0.8),
      level('prior_week_low', 'prior_week', 'held', '17:20', 0.8),
      // Not on the chart, and not where it was.
      level('cpr_tc', 'pivot', 'held', '15:00', 1),
      level('vwap', 'vwap', 'broken', '15:00', 1),
      // By the end of the session alone.
      level('prior_week_high', 'prior_week', 'held', '18:00', 0.9),
    ],
  },
  conviction_v5: { direction: 'bear', computed_at: at('20:00') },
  conviction_v5_direction_minutes: 120,
  expected_move: { day_position: -1.2 },
} as unknown as Stock;

describe('a tour of a session', () => {
  it('has its five moments in the order of the clock', () => {
    const steps = tourSteps(stock, market);
    expect(steps.map(({ kind, asOf, level }) => [kind, asOf.slice(11, 16), level])).toEqual([
      ['open', '14:35', null],
      ['break', '14:52', 'orb_15m_low'],
      ['flip', '16:00', null],
      ['test', '17:20', 'prior_week_low'],
      ['close', '18:00', null],
    ]);
    expect(steps.map(({ says }) => says).join('\n')).toMatchInlineSnapshot(`
      "The session opened at 77.50, gap −0.90 %. The page shows what was known at this minute, and nothing later.
      Price broke ORB 15 low, 76.50: the chart lights it, and the levels beside the chart say when.
      The scores turned bearish. Each line of the ledger is one reason; a click opens its numbers.
      Price tested PWL, 76.50, and left it again: it held. Its label on the chart says how often its kind does.
      The close: 75.77, −3.13 %; of the expected move: left below. Drag the handle to look at any other minute."
    `);
  });

  it('leaves out what the session did not have, and the close of one that runs', () => {
    const running = {
      ...stock,
      level_ladder: null,
      conviction_v5: null,
      price: { ...stock.price!, official_close: null },
    };
    expect(tourSteps(running as Stock, market).map(({ kind }) => kind)).toEqual(['open']);
  });

  it('has none of another session, and none before the open', () => {
    const other = { clock: { ...market.clock, trade_date: '2026-11-25' } };
    expect(tourSteps(stock, other as MarketContext)).toEqual([]);
    expect(tourSteps({ ...stock, price: { ...stock.price!, regular: null } }, market)).toEqual([]);
  });
});

describe('the first look', () => {
  const flat = Array.from({ length: 40 }, () => 100);
  it('is at the first close beyond the opening range', () => {
    const close = flat.map((price, bar) => (bar >= 20 ? 102 : price));
    expect(breakOf({ high: close.with(3, 101), low: flat, close })).toBe(20);
  });
  it('is at the widest bar after it of a day that stays within, never at its end', () => {
    const high = flat.with(3, 110).with(25, 105);
    expect(breakOf({ high, low: flat, close: flat })).toBe(25);
  });
});
