import { describe, expect, it } from 'vitest';
import type { Exposure, Stock } from '../../../explorer/src/shared/api/queries.ts';
import { countedFrom } from '../../../explorer/src/shared/chain-age.ts';
import { textOf } from '../../../explorer/src/shared/chart/draw-levels.ts';
import { LEVEL_GROUPS, type LevelGroup } from '../../../explorer/src/shared/chart/overlay-content.ts';
import { chartTime, startOfDate } from '../../../explorer/src/shared/chart/wall-clock.ts';
import { LAYERS, type Layer } from '../../../explorer/src/stock/layers.ts';
import { overlayOf } from '../../../explorer/src/stock/overlay-of.ts';

const OPEN = chartTime(Date.parse('2024-03-11T13:30:00Z'));
const TIMES = [OPEN, OPEN + 300, OPEN + 600];

const STOCK = {
  price: { trade_date: '2024-03-11' },
  level_ladder: null,
  volume_profile: null,
  patterns: [
    {
      type: 'double_bottom',
      status: 'forming',
      direction: 'bullish',
      first_seen_at: '2024-03-08T21:00:00Z',
      pivots: [{ date: '2024-03-04', price: 100 }],
      trigger: 104,
      target: 108,
      invalidation_price: 99,
    },
  ],
  price_events: [
    { type: 'gap_up', direction: 'bullish', date: '2024-03-11', known_at: '2024-03-11T13:37:00Z' },
    { type: 'breakout', direction: 'sideways', date: '2024-03-11', known_at: '2024-03-11T13:29:00Z' },
  ],
  strategies: [
    { strategy: 'fade', trigger: 104, stop: 105, target: 101, rr_ratio: 3 },
    { strategy: 'squeeze', trigger: null, stop: null, target: null, rr_ratio: null },
  ],
  news: {
    items: [
      { id: 'n1', headline: 'Plant opens', published_at: '2024-03-11T13:36:00Z', sentiment: 'negative' },
      { id: 'n2', headline: 'No date', published_at: null, sentiment: null },
    ],
  },
} as unknown as Stock;

const EXPOSURE = {
  source_time: '2024-03-11T15:00:00.000Z',
  sessions_old: 0,
  by_strike: [{ strike: 100, call_gamma: 2, put_gamma: -1 }],
  flip_zone: null,
  call_wall: 105,
  put_wall: null,
  gamma_flip: 101.5,
} as unknown as Exposure;

const all = new Set(Object.keys(LAYERS) as Layer[]);
const groups = new Set(Object.keys(LEVEL_GROUPS) as LevelGroup[]);
const drawn = (how: Partial<Parameters<typeof overlayOf>[0]> = {}) =>
  overlayOf({
    stock: STOCK,
    exposure: EXPOSURE,
    layers: all,
    groups,
    isIntraday: true,
    times: TIMES,
    earlyCloses: [],
    holes: [],
    selected: new Set(),
    ...how,
  });

describe('what lies over the candles', () => {
  it('has each event at the bar in which it was known, and none that was known before the first', () => {
    expect(drawn().events.map(({ id, time, direction }) => [id, time, direction])).toEqual([
      ['event:gap_up@2024-03-11T13:37:00Z', OPEN + 300, 'bullish'],
      ['news:n1', OPEN + 300, 'bearish'],
    ]);
  });

  it('has an event of a date at its daily bar', () => {
    const { events } = drawn({ isIntraday: false, times: [startOfDate('2024-03-11')] });
    expect(events.find(({ id }) => id.startsWith('event:gap_up'))?.time).toBe(startOfDate('2024-03-11'));
  });

  it('has pivots at the open of their session on an intraday chart, else at their date', () => {
    expect(drawn().patterns[0]!.pivots).toEqual([
      { time: startOfDate('2024-03-04') + 9.5 * 3600, price: 100 },
    ]);
    expect(drawn({ isIntraday: false }).patterns[0]!.pivots[0]!.time).toBe(startOfDate('2024-03-04'));
    expect(drawn().patterns[0]).toMatchObject({
      trigger: 104,
      target: 108,
      invalidation: 99,
      direction: 'bullish',
    });
  });

  it('has the walls that there are and the flip at its price among the levels, where the gamma is drawn', () => {
    const walls = (how: Parameters<typeof drawn>[0] = {}) =>
      drawn(how).levels.map(({ name, price }) => [name, price]);
    expect(walls()).toEqual([
      ['call_wall', 105],
      ['gamma_flip', 101.5],
    ]);
    expect(walls({ exposure: undefined })).toEqual([]);
    const before = { ...EXPOSURE, source_time: '2024-03-08T16:00:00.000Z' };
    expect(walls({ exposure: before })).toEqual([]);
    expect(drawn({ exposure: before }).gamma).toMatchObject({
      age: 'chain of Fri, Mar 8, 2024, 11:00 ET, the session before',
      sessions_old: 1,
    });
    expect(walls({ groups: new Set<LevelGroup>(['pivot']) })).toEqual([]);
    expect(walls({ layers: new Set<Layer>(['levels']) })).toEqual([]);
  });

  it('says of levels at one place what each is and where', () => {
    const at = (label: string, price: number) =>
      ({ name: label, label, group: 'prior', family: 'prior_day', price, strength: 1 }) as const;
    const text = (most: number) =>
      textOf([at('PDC', 100.2), at('PDH', 100.5), at('PP', 100.2)], most, new Set());
    expect(text(3)).toBe('PDC + PP 100.20, PDH 100.50');
    expect(text(1)).toBe('PDC 100.20 +2');
  });

  it('counts age and days of a chain from the day that is shown', () => {
    // The service has gone on since.
    const expirations = [{ expiration: '2024-03-15', dte: 7 }];
    const answer = { source_time: '2024-03-08T16:00:00Z', sessions_old: 139, expirations };
    const dte = (one: typeof answer) => one.expirations.map((each) => each.dte);
    const friday = countedFrom(answer, { ...STOCK, price: { trade_date: '2024-03-08' } } as unknown as Stock);
    expect([friday.sessions_old, dte(friday)]).toEqual([0, [7]]);
    const monday = countedFrom(answer, STOCK);
    expect([monday.sessions_old, dte(monday)]).toEqual([1, [4]]);
  });

  it('has each setup whose prices are known, whatever the layers', () =>
    expect(drawn({ layers: new Set() }).setups).toEqual([
      { id: 'setup:fade', entry: 104, stop: 105, target: 101, r: 3 },
    ]));

  it('has nothing of a layer that is switched off', () => {
    expect(drawn({ layers: new Set() })).toMatchObject({
      levels: [],
      profiles: [],
      gamma: null,
      patterns: [],
      events: [],
    });
  });
});
