import { describe, expect, it } from 'vitest';
import { newestOf } from '../../../explorer/src/shared/api/use-newest.ts';
import { endOfView } from '../../../explorer/src/shared/chart/price-chart.ts';
import { standpointOf } from '../../../explorer/src/stock/standpoint.ts';
import { closeMinuteOf } from '../../../explorer/src/stock/use-time-handle.ts';

const ms = (instant: string): number => Date.parse(instant);
const market = (phase: string) =>
  ({ clock: { phase, phases: [] } }) as unknown as Parameters<typeof standpointOf>[3];
const stock = (updated_at: string) => ({ updated_at });

describe('where a page of a stock stands', () => {
  it.each([
    ['2026-11-25T15:00:00Z', '2026-11-25T15:00:00Z', 'regular', true],
    ['2026-11-25T15:00:00Z', '2026-11-25T14:31:00Z', 'regular', true],
    ['2026-11-25T15:00:00Z', '2026-11-25T14:29:00Z', 'regular', false],
    ['2026-11-26T01:30:00Z', '2026-11-26T01:00:00Z', 'closed', false],
  ])(
    'at %s with rows up to %s: at the newest minute, lit as live only while rows arrive',
    (now, end, phase, isLive) => {
      const at = standpointOf(undefined, ms(now), stock(end), market(phase));
      expect(at).toEqual({ shownMs: ms(now), newestMs: ms(now), isLive });
    },
  );

  it.each([
    ['live', true],
    ['quiet', false],
    ['late', false],
    ['disconnected', false],
    ['filling', false],
    ['waiting', false],
    ['silent', false],
  ] as const)('with a feed that is %s: lit as live is %s', (state, isLive) => {
    const now = ms('2026-11-25T15:00:00Z');
    const at = standpointOf(undefined, now, stock('2026-11-25T15:00:00Z'), market('regular'), state);
    expect(at.isLive).toBe(isLive);
  });

  it('on a holiday and before the first bar of a session: at the end of the session before', () => {
    for (const now of ['2026-11-26T17:00:00Z', '2026-11-27T09:05:00Z']) {
      const end = ms('2026-11-26T01:00:00Z');
      const at = standpointOf(undefined, ms(now), stock('2026-11-26T01:00:00Z'), market('closed'));
      expect(at).toEqual({ shownMs: end, newestMs: end, isLive: false });
    }
  });

  it('at a minute without a session: at the end of the one before, and the newest minute stays within reach', () => {
    const now = ms('2026-11-25T15:00:00Z');
    const at = standpointOf('2026-11-21T15:00:00Z', now, stock('2026-11-21T01:00:00Z'), market('closed'));
    expect(at).toEqual({ shownMs: ms('2026-11-21T01:00:00Z'), newestMs: now, isLive: false });
  });

  it('until the stock has answered: where the handle was put', () => {
    const now = ms('2026-11-25T15:00:00Z');
    const at = standpointOf('2026-11-24T15:00:00Z', now, undefined, undefined);
    expect(at).toEqual({ shownMs: ms('2026-11-24T15:00:00Z'), newestMs: now, isLive: false });
  });
});

describe('the end of the regular session on the time handle', () => {
  it('is that of the market of the day, and 16:00 of a day whose market is not known yet', () => {
    const clock = {
      trade_date: '2026-11-27',
      phases: [{ phase: 'regular', opens_at: '2026-11-27T14:30:00Z', closes_at: '2026-11-27T18:00:00Z' }],
    };
    const half = { clock } as unknown as Parameters<typeof closeMinuteOf>[0];
    expect(closeMinuteOf(half, '2026-11-27')).toBe(13 * 60);
    expect(closeMinuteOf(half, '2026-11-25')).toBe(16 * 60);
    expect(closeMinuteOf(undefined, '2026-11-27')).toBe(16 * 60);
  });
});

describe('the end of the first view', () => {
  /** Bars of five minutes from 4:00 to a time of two days. */
  const until = (hour: number): number[] => {
    const day = (from: number, hours: number): number[] =>
      Array.from({ length: (hours - 4) * 12 }, (_, at) => from + 4 * 3_600 + at * 300);
    return [...day(86_400 * 20_000, 20), ...day(86_400 * 20_001, hour)];
  };

  it('is the newest bar while the regular session runs, and where it fits beside the evening', () => {
    for (const hour of [6, 12, 16]) expect(endOfView(until(hour), 40)).toBe(until(hour).length);
    expect(endOfView(until(18), 160)).toBe(until(18).length);
  });

  it('is the close in the evening where there is room for no more than the session', () => {
    const close = until(16).length;
    expect(endOfView(until(20), 40)).toBe(close);
    expect(endOfView(until(20), 78)).toBe(close);
    // Room for an hour of the evening.
    expect(endOfView(until(20), 90)).toBe(close + 12);
  });

  it('is the newest bar of a stock that trades in the evening alone, and nothing of no bars', () => {
    const evening = [17, 18, 19].map((hour) => 86_400 * 20_000 + hour * 3_600);
    expect(endOfView(evening, 40)).toBe(3);
    expect(endOfView([], 40)).toBe(0);
  });
});

describe('the newest minute', () => {
  const of = (as_of: string, at: string, next_session: string) =>
    newestOf({ as_of, clock: { at, next_session } } as Parameters<typeof newestOf>[0]);

  it('is that of the market', () =>
    expect(of('2026-11-25T15:00:00Z', '2026-11-25T15:00:00Z', '2026-11-27')).toBe(
      ms('2026-11-25T15:00:00Z'),
    ));

  it('is that of the clock in a session whose market is not counted yet', () =>
    expect(of('2026-02-27T09:00:00Z', '2026-02-27T18:15:00Z', '2026-02-27')).toBe(
      ms('2026-02-27T18:15:00Z'),
    ));

  it('is the end of old data', () =>
    expect(of('2026-03-02T09:00:00Z', '2026-07-31T15:00:00Z', '2026-03-02')).toBe(
      ms('2026-03-02T09:00:00Z'),
    ));
});
