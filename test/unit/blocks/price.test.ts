import { describe, expect, it } from 'vitest';
import { momentum } from '../../../src/blocks/momentum.ts';
import { price } from '../../../src/blocks/price.ts';
import { priceVolume } from '../../../src/blocks/price-volume.ts';
import { range3d } from '../../../src/blocks/range-3d.ts';
import { derived } from '../../support/derived.ts';
import { absent } from '../../support/tables.ts';
import { type DailyRow, dailyFromCloses, flatMinutes, viewOf } from '../../support/views.ts';

const PRIOR: DailyRow = ['2024-03-12', 100, 102, 99, 100, 1000];
const TODAY: DailyRow = ['2024-03-13', 102, 105, 101, 104, 5000];

/** A part of a day: open, high, low, close, volume, and whether it is over. */
const part = (open: number, high: number, low: number, close: number, volume: number, final = true) => ({
  open,
  high,
  low,
  close,
  volume,
  final,
});

/** What a plain day has not. */
const REST = {
  ...absent`
    pre_market after_hours official_close extended incomplete_after partial_feed partial previous_partial
    order_flow`,
  trade_date: '2024-03-13',
  bad_prints: 0,
};

describe('price', () => {
  const intraday = [
    ['8:00', 101, 101.5, 100.5, 101.25, 50],
    ['9:30', 102, 103, 101.5, 102.5, 400],
    ['16:05', 104, 104.5, 103.5, 104.5, 20],
  ] as const;

  it('has the three parts of the day, the regular one as the daily bar has it', () => {
    expect(derived(price, viewOf({ at: '20:00', daily: [PRIOR, TODAY], intraday })).nested).toEqual({
      ...REST,
      pre_market: part(101, 101.5, 100.5, 101.25, 50),
      regular: part(102, 105, 101, 104, 5000),
      after_hours: part(104, 104.5, 103.5, 104.5, 20),
      previous_close: 100,
      official_close: 104,
      day_price: 104,
      change: 4,
      change_pct: 4,
      extended: { session: 'after', price: 104.5, change: 0.5, change_pct: (0.5 / 104) * 100 },
      gap: 2,
      gap_pct: 2,
    });
  });

  it('knows of a running day only what has happened', () => {
    expect(derived(price, viewOf({ at: '9:31', daily: [PRIOR, TODAY], intraday })).nested).toEqual({
      ...REST,
      pre_market: part(101, 101.5, 100.5, 101.25, 50),
      regular: part(102, 103, 101.5, 102.5, 400, false),
      previous_close: 100,
      day_price: 102.5,
      change: 2.5,
      change_pct: 2.5,
      gap: 2,
      gap_pct: 2,
    });
  });

  it('has the official close from the close on, and the print after it from its own end on', () => {
    const at = (clock: string) =>
      derived(price, viewOf({ at: clock, daily: [PRIOR, TODAY], intraday })).nested;
    expect(at('15:59')).toMatchObject({ official_close: null, day_price: 102.5, extended: null });
    expect(at('16:00')).toMatchObject({ official_close: 104, day_price: 104, change: 4, extended: null });
    expect(at('16:06')).toMatchObject({ official_close: 104, change: 4, extended: { price: 104.5 } });
  });

  it('has no gap before the open', () => {
    const before = derived(price, viewOf({ at: '9:00', daily: [PRIOR], intraday })).nested;
    expect(before).toMatchObject({
      regular: null,
      gap: null,
      gap_pct: null,
      official_close: null,
      change: 1.25,
      extended: { session: 'pre', price: 101.25, change: 1.25, change_pct: 1.25 },
    });
    expect(before!.pre_market!.final).toBe(false);
  });
});

describe('a session whose feed stopped at 10:35', () => {
  const bars = flatMinutes('9:30', 65, 105);
  const cut = { daily: [PRIOR], intraday: bars, cutAt: '10:35' };

  it('is not finished: it has what traded until then, and nothing that hangs on its close', () => {
    expect(derived(price, viewOf(cut)).nested).toEqual({
      ...REST,
      regular: part(105, 105, 105, 105, 6500, false),
      previous_close: 100,
      day_price: 105,
      change: null,
      change_pct: null,
      gap: 5,
      gap_pct: 5,
      incomplete_after: '2024-03-13T14:35:00.000Z',
    });
    expect(derived(priceVolume, viewOf(cut)).flat).toMatchObject({
      last_price: 105,
      volume: 6500,
      dollar_volume_today: null,
    });
    expect(derived(momentum, viewOf(cut)).flat.intraday_return_pct).toBeNull();
  });

  it('is finished when a daily bar completes it', () => {
    const { nested } = derived(price, viewOf({ ...cut, daily: [PRIOR, TODAY] }));
    expect(nested).toMatchObject({ regular: { close: 104, final: true }, change: 4, incomplete_after: null });
  });

  it('has broken the range of three days when it did so before', () => {
    const three: DailyRow[] = dailyFromCloses([100, 100, 100]);
    const { nested } = derived(range3d, viewOf({ ...cut, daily: three }));
    expect(nested).toMatchObject({ high: 101, break_high: true, break_low: false });
  });

  it('has the volume of its bars where few trades end early', () => {
    const few = flatMinutes('9:30', 5, 105);
    expect(derived(priceVolume, viewOf({ daily: [PRIOR], intraday: few })).flat.volume).toBe(500);
  });
});

describe('price and volume', () => {
  // 25 sessions of 1,000 shares, then 5 of 2,000, all at 10 dollars.
  const month: DailyRow[] = dailyFromCloses(Array(30).fill(10)).map((row, at) => [
    ...(row.slice(0, 5) as unknown as [string, number, number, number, number]),
    at < 25 ? 1000 : 2000,
  ]);

  it('averages over completed sessions', () => {
    // (15 x 1,000 + 5 x 2,000) / 20 x 10 dollars, (25 x 1,000 + 5 x 2,000) / 30 = 1,166.67 shares, 2,000 / 1,250.
    expect(derived(priceVolume, viewOf({ at: '9:00', daily: month })).flat).toEqual({
      last_price: 10,
      volume: 0,
      dollar_volume: 12500,
      dollar_volume_today: 0,
      adv20_usd: 12500,
      adv30_usd: 350_000 / 30,
      adv30_shares: 1167,
      rel_volume: 1.6,
      rel_vol_5d: 1.6,
      volume_trend: 'increasing',
    });
  });

  it('compares the session before the trade date with the 20 that end with it, also after the close', () => {
    const view = viewOf({ at: '20:00', daily: [...month, ['2024-03-13', 10, 11, 9, 10.5, 9000]] });
    expect(derived(priceVolume, view).flat).toMatchObject({
      last_price: 10.5,
      volume: 9000,
      dollar_volume_today: 94_500,
      rel_volume: 1.6,
      // (14 x 1,000 x 10 + 5 x 2,000 x 10 + 9,000 x 10.5) / 20
      adv20_usd: 16_725,
    });
  });

  it('counts the regular session so far, not the extended hours', () => {
    const intraday = [...flatMinutes('8:0', 1, 9, 70), ...flatMinutes('9:30', 3, 10, 100)];
    const at = (clock: string) => derived(priceVolume, viewOf({ at: clock, daily: month, intraday })).flat;
    expect(at('9:00')).toMatchObject({ last_price: 9, volume: 0, dollar_volume_today: 0 });
    expect(at('9:32')).toMatchObject({ last_price: 10, volume: 200, dollar_volume_today: 2000 });
  });

  it('takes the newest bar for the last price: after-hours trade beats the close, the close beats its minute', () => {
    const day: DailyRow = ['2024-03-13', 10, 11, 9, 10.5, 9000];
    const last = (intraday: Parameters<typeof viewOf>[0]) =>
      derived(priceVolume, viewOf({ at: '20:00', daily: [day], ...intraday })).flat.last_price;
    expect(last({ intraday: flatMinutes('15:59', 1, 10.4) })).toBe(10.5);
    expect(last({ intraday: flatMinutes('16:10', 1, 10.7) })).toBe(10.7);
    const evening = viewOf({ at: '8:00', daily: month, priorIntraday: flatMinutes('19:0', 1, 10.2) });
    expect(derived(priceVolume, evening).flat.last_price).toBe(10.2);
  });

  it('leaves averages null while history is too short, except the one that must be a number', () => {
    const few = dailyFromCloses([10, 10]);
    expect(derived(priceVolume, viewOf({ at: '9:00', daily: few })).flat).toMatchObject({
      dollar_volume: 10000,
      ...absent`adv20_usd adv30_usd adv30_shares rel_volume rel_vol_5d volume_trend`,
    });
  });
});
