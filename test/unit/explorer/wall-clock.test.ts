import { describe, expect, it } from 'vitest';
import {
  barTime,
  chartTime,
  crosshairLabel,
  instantAt,
  secondOfDay,
  startOfDate,
  tickLabel,
} from '../../../explorer/src/shared/chart/wall-clock.ts';

describe('the clock of a chart', () => {
  it('is that of New York, in summer and in winter', () => {
    expect(secondOfDay(chartTime(Date.parse('2024-01-16T14:30:00Z')))).toBe(9.5 * 3600);
    expect(secondOfDay(chartTime(Date.parse('2024-07-16T13:30:00Z')))).toBe(9.5 * 3600);
  });

  it('leads back to the instant, also beside a change of clocks', () => {
    const HOUR_MS = 3_600_000;
    for (const change of ['2024-03-10T07:00:00Z', '2024-11-03T06:00:00Z']) {
      for (let hours = -30; hours <= 30; hours++) {
        const instant = Date.parse(change) + hours * HOUR_MS;
        const back = instantAt(chartTime(instant));
        // The hour that a clock shows twice has two instants.
        const isTwice = change.startsWith('2024-11') && (hours === -1 || hours === 0);
        expect(isTwice ? Math.abs(back - instant) <= HOUR_MS : back === instant, `${change} ${hours}`).toBe(
          true,
        );
      }
    }
  });

  it('has a daily bar at the beginning of its date', () => {
    expect(barTime('2024-03-11')).toBe(startOfDate('2024-03-11'));
    expect(secondOfDay(startOfDate('2024-03-11'))).toBe(0);
    expect(barTime('2024-03-11T13:30:00Z') - startOfDate('2024-03-11')).toBe(9.5 * 3600);
  });

  it('labels ticks and the crosshair as a trader reads them', () => {
    const open = chartTime(Date.parse('2024-03-11T13:30:00Z'));
    expect([0, 1, 2, 3].map((type) => tickLabel(open, type))).toEqual(['2024', 'Mar', 'Mar 11', '09:30']);
    expect(crosshairLabel(open, true)).toBe('Mon, Mar 11 09:30 ET');
    expect(crosshairLabel(startOfDate('2024-03-11'), false)).toBe('Mon, Mar 11, 2024');
  });
});
